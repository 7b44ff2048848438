"""Tests the connections to MCP servers.

1. A server inherits the environment variables of package managers, and no other variables of this process.
2. Without any server's tools, ``async with`` waits for the first server. A server that may be downloading reports this.
3. Reading the pages of a list ends: if a cursor repeats, and at an empty cursor only in the older protocol.
4. A dead server is noticed immediately and started again. A server that does not start is tried again, and its last
   output is reported.
5. A cancelled start ends its processes.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
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
@server.tool()
def process() -> str:
    \"\"\"Tells its number.\"\"\"
    return str(os.getpid())
@server.tool()
def end() -> str:
    \"\"\"Ends the server.\"\"\"
    os._exit(1)
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


ENV: dict[str, Any] = {"env": {"command": sys.executable, "args": ["-c", SERVER]}}


async def test_a_server_that_dies_is_started_again() -> None:
    states: list[str] = []
    async with toolsift(ENV, activation="off", on_status=lambda status: states.append(status["state"])) as box:
        first = (await box.answer("chat", "process", {})).text
        os.kill(int(first), signal.SIGKILL)
        while box.status()[0]["state"] == "connected":
            await asyncio.sleep(0.01)
        assert box.status()[0].get("error") == "the connection has ended"
        second = (await box.answer("chat", "process", {})).text
        assert second.isdigit() and second != first
        assert (await box.answer("chat", "end", {})).text == "end failed: Connection closed"
        calls = await asyncio.gather(*(box.answer("chat", "process", {}) for _ in range(2)))
        assert calls[0].text == calls[1].text and calls[0].text.isdigit() and calls[0].text != second
        assert states == ["connected", "failed", "connected", "failed", "connected"]


async def test_an_ended_connection_of_the_programs_own_is_made_again() -> None:
    from mcp import Client, StdioServerParameters

    program = StdioServerParameters(**ENV["env"])
    async with toolsift({"env": lambda: Client(program)}, activation="off") as box:
        first = (await box.answer("chat", "process", {})).text
        assert (await box.answer("chat", "end", {})).is_error
        while (again := await box.answer("chat", "process", {})).is_error:
            await asyncio.sleep(0.01)
        assert again.text.isdigit() and again.text != first


@pytest.mark.parametrize(
    ("server", "error"),
    [
        ({"command": sys.executable, "args": ["-c", "import sys; sys.exit('TOKEN is not set')"]}, "TOKEN is not set"),
        ({"command": "no-such-program -y x"}, "there is no program 'no-such-program -y x'; put its arguments into args"),
    ],
)
async def test_why_a_server_does_not_start_is_told(server: dict[str, Any], error: str) -> None:
    async with toolsift({"s": server}) as box:
        [status] = box.status()
        assert (status["state"], error in status.get("error", "")) == ("failed", True), status


async def test_a_server_that_did_not_start_is_tried_again() -> None:
    tries: list[int] = []

    def connect() -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionError("not yet")
        return Pages({None: ("one", None)})

    async with toolsift({"a": connect}, activation="off") as box:
        assert box.status() == [{"name": "a", "state": "failed", "tools": 0, "error": "ConnectionError: not yet"}]
        while box.status()[0]["state"] != "connected":
            await asyncio.sleep(0.05)
        assert len(tries) == 2


async def test_a_cancelled_start_ends_its_processes(tmp_path: Any) -> None:
    file = tmp_path / "pid"
    silent = f"import os, time; open({str(file)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    with pytest.raises(asyncio.TimeoutError):
        box = toolsift({"s": {"command": sys.executable, "args": ["-c", silent]}}, ready=None)

        async def start() -> None:
            async with box:
                raise AssertionError

        task = asyncio.create_task(start())
        while not file.exists() or not file.read_text():
            await asyncio.sleep(0.01)
        await asyncio.wait_for(task, 0.1)
    process = int(file.read_text())
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the process still runs")
