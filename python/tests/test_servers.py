"""1. A server inherits what package managers read, and nothing else that is this process's own.
2. Without any server's tools, ``async with`` waits for the first server; one that may be downloading says so.
3. Lists of all pages end: where a cursor repeats, and at an empty one in the older protocol alone.
"""

from __future__ import annotations

import asyncio
import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from toolsift import toolsift
from toolsift._installers import installer_of
from toolsift._servers import ServerStatus

SERVER = """
import os
from mcp.server import MCPServer
server = MCPServer("env")
@server.tool()
def environment() -> str:
    \"\"\"Tells the names of variables.\"\"\"
    return " ".join(sorted(os.environ))
server.run()
"""


async def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    proxies = ["HTTPS_PROXY", "https_proxy", "no_proxy"]
    shared = ["npm_config_registry", *proxies, "SSL_CERT_FILE", "UV_INDEX_URL", "PIP_INDEX_URL"]
    withheld = ["TOOLSIFT_TEST_SECRET", "npm_config_package", "PYTHONPATH"]
    for name in shared + withheld:
        monkeypatch.setenv(name, "" if name == "SSL_CERT_FILE" else "private")
    servers = {"env": {"command": sys.executable, "args": ["-c", SERVER], "env": {"MINE": "yes"}}}
    async with toolsift(servers, activation="off") as box:
        answer = await box.answer("chat", "environment", {})
    names = set(answer.text.split())
    assert {*shared, "MINE", "PATH"} <= names
    assert not names & set(withheld)


@pytest.mark.parametrize(
    ("line", "installer"),
    [
        (["npx", "-y", "a"], "npx"),
        (["npm", "exec", "--yes", "a"], "npm exec"),
        ([r"C:\nodejs\npx.cmd", "a"], "npx"),
        (["cmd", "/c", "npx", "-y", "a"], "npx"),
        (["sh", "-c", "A=b exec uvx a"], "uvx"),
        (["env", "A=b", "pnpm", "dlx", "a"], "pnpm dlx"),
        (["/usr/bin/docker", "run", "-i", "a"], "docker"),
        (["node", "npx.js", "docker"], None),
        (["npm", "start"], None),
        (["python", "-m", "a"], None),
    ],
)
def test_installers(line: list[str], installer: str | None) -> None:
    assert installer_of(line[0], line[1:]) == installer


class Pages:
    """A client whose pages are these, by their cursors; it is there after a while."""

    def __init__(
        self, pages: dict[str | None, tuple[str, str | None]], version: str = "2025-11-25", after: float = 0
    ) -> None:
        self.pages, self.protocol_version, self.after = pages, version, after

    async def list_tools(self, *, cursor: str | None = None) -> Any:
        await asyncio.sleep(self.after)
        name, following = self.pages[cursor]
        return SimpleNamespace(tools=[{"name": name, "inputSchema": {"type": "object"}}], next_cursor=following)

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        raise AssertionError


async def test_waits_for_the_first() -> None:
    states: list[tuple[str, str, str | None]] = []
    servers: dict[str, Any] = {
        "late": Pages({None: ("one", None)}, after=0.3),
        "hangs": Pages({None: ("two", None)}, after=60),
    }
    def told(status: ServerStatus) -> None:
        states.append((status["name"], status["state"], status.get("note")))

    async with toolsift(servers, ready=0, start_timeout=2, on_status=told) as box:
        assert [tool["name"] for tool in box.sift.tools()] == ["one"]
        assert states == [("late", "connected", None), ("hangs", "starting", None)]


@pytest.mark.parametrize(
    ("pages", "version", "names"),
    [
        ({None: ("one", ""), "": ("two", None)}, "2026-07-28", ["one", "two"]),
        ({None: ("one", ""), "": ("one", "")}, "2026-07-28", ["one"]),
        ({None: ("one", ""), "": ("two", None)}, "2025-11-25", ["one"]),
        ({None: ("one", "a"), "a": ("two", "a")}, "2025-11-25", ["one", "two"]),
    ],
)
async def test_cursors(pages: dict[str | None, tuple[str, str | None]], version: str, names: list[str]) -> None:
    async with toolsift({"a": Pages(pages, version)}) as box:
        assert [tool["name"] for tool in box.sift.tools()] == names
        assert json.dumps(box.status()) == json.dumps([{"name": "a", "state": "connected", "tools": len(names)}])
