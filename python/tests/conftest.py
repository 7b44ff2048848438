"""What tests share: a catalog in which the model has to search, and servers in the process."""

from __future__ import annotations

from typing import Any

import pytest
from mcp.server import MCPServer

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
