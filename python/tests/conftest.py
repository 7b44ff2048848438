"""What tests share: a catalog in which the model has to search, servers in the process, and vendors."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.server import MCPServer

ROOT = Path(__file__).parents[2]
ALWAYS: dict[str, Any] = {"activation": "on", "deferral": "opt-out"}


def tickets() -> MCPServer:
    server: MCPServer = MCPServer("tickets")

    @server.tool()
    def open_ticket(title: str) -> str:
        """Opens a ticket for a problem."""
        if not title:
            raise ValueError("a ticket needs a title")
        return f"ticket 7: {title}"

    @server.tool()
    def close_ticket(number: int) -> str:
        """Closes a ticket."""
        return f"closed {number}"

    return server


def get_weather(city: str) -> str:
    """Tells the weather of a city.

    Args:
        city: its name
    """
    return f"rain in {city}"


@pytest.fixture
def servers() -> dict[str, Any]:
    from mcp import Client

    return {"tickets": lambda: Client(tickets())}


class Vendors:
    """The vendors of tests/adapters/lib/vendors.mjs."""

    def __init__(self) -> None:
        program = ["node", str(ROOT / "tests" / "adapters" / "lib" / "vendors.mjs")]
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        # Two runs at once ask from two threads, and each line is answered by one.
        self._lock = threading.Lock()

    def ask(self, **said: Any) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(f"{json.dumps(said)}\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer

    def end(self) -> None:
        # A vendor that a failed test has left open would keep the process.
        self._process.terminate()
        self._process.wait()


@pytest.fixture(scope="session")
def vendors() -> Iterator[Vendors]:
    started = Vendors()
    yield started
    started.end()
