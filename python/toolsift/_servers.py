"""Connects to MCP servers with the official MCP SDK, and reconnects if a connection ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

from ._configurations import Plan
from ._errors import ToolSiftError
from ._installers import inherited, installer_of
from ._json import is_object
from .packs import with_packs

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from ._sift import Session, ToolSift

_LOG = logging.getLogger("toolsift")

# The shortest and the longest pause before a failed server is tried again, in seconds. The pause doubles after each
# failure.
_PAUSES = (1, 60)
# The number of last characters of a server's standard error that an error message quotes.
_LAST_WORDS = 1_000
# The most characters of a tool's search hint.
_HINT_CHARS = 512
# The most pages, and the most tools, in one server's list. Without these limits, a wrong server could send pages
# forever.
_PAGES = 1_000
_TOOLS = 20_000
_NEWER_PROTOCOL = "2026-07-28"
# The code of the SDK's error for a call whose connection has ended.
_CONNECTION_CLOSED = -32_000
# The default time limits for a server to start, in seconds: usually, and if it may have to be installed first.
_START = 60
_INSTALL = 180


class Client(Protocol):
    """The methods that toolsift calls on a connected client, such as ``mcp.Client``."""

    async def list_tools(self, *, cursor: str | None = None) -> Any: ...

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any: ...


class ServerStatus(TypedDict):
    """The state of an MCP server. ``error`` is the reason why it is not connected. ``note`` says that it may still be
    downloading. A failed server is tried again automatically, first after a second and later at most every minute."""

    name: str
    state: Literal["starting", "connected", "failed", "closed"]
    tools: int
    note: NotRequired[str]
    error: NotRequired[str]


def definition_of(tool: Any) -> dict[str, Any]:
    """Returns the known fields of a server's tool: those that MCP defines, and hints for the search. Other fields are
    left out, because a server could use them to present its tools as those of another server."""
    read: Mapping[str, Any] = tool if is_object(tool) else tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    annotations: Mapping[str, Any] = read.get("annotations") or {}
    meta: Mapping[str, Any] = read.get("_meta") or {}
    taken = {key: read[key] for key in ("name", "description", "inputSchema", "annotations") if read.get(key) is not None}
    title = read.get("title") or annotations.get("title")
    if isinstance(title, str):
        taken["title"] = title
    hint = meta.get("anthropic/searchHint")
    if isinstance(hint, str):
        taken["searchHint"] = " ".join(hint.split())[:_HINT_CHARS]
    if "toolsift/search" in meta:
        taken["_meta"] = {"toolsift/search": meta["toolsift/search"]}
    return taken


def check_sdk() -> None:
    """Checks that the MCP SDK is installed and new enough.

    Raises:
        ToolSiftError: ``peer_missing``; its message says which package to install
    """
    try:
        from mcp import Client as _
    except ImportError as error:
        try:
            found = f"has mcp {version('mcp')}, and this package needs mcp 2.1 or later"
        except ModuleNotFoundError:
            found = "does not have the MCP SDK, which mcp_servers needs"
        message = f"this environment {found}: pip install 'toolsift[mcp]'"
        raise ToolSiftError("peer_missing", message) from error


class Server:
    """One MCP server. A task of its own holds the connection and opens it again after it ended."""

    def __init__(
        self, catalog: ToolSift | Session, plan: Plan, timeout: float | None, told: Callable[[ServerStatus], None]
    ) -> None:
        self.name = plan.name
        self.state: Literal["starting", "connected", "failed", "closed"] = "starting"
        self.error: str | None = None
        self.tools = 0
        self._catalog = catalog
        self._plan = plan
        stdio = plan.way.get("stdio") if is_object(plan.way) else None
        self._installer = None if stdio is None else installer_of(stdio["command"], stdio.get("args") or ())
        self._timeout = timeout if timeout is not None else _START if self._installer is None else _INSTALL
        self._told = told
        self._client: Client | None = None
        self._scope: Any = None
        self._task: asyncio.Task[None] | None = None
        self._tried = asyncio.Event()
        self._asked = asyncio.Event()
        self._changed = asyncio.Event()
        self._is_lost = False
        self._is_ending = False
        self._last_words = ""

    def status(self) -> ServerStatus:
        status: ServerStatus = {"name": self.name, "state": self.state, "tools": self.tools}
        if self.state == "starting" and self._installer is not None:
            status["note"] = f"{self._installer} may be downloading it"
        return status if self.error is None else {**status, "error": self.error}

    async def start(self) -> None:
        """Connects and reads the list of tools. It never raises: the result is in ``state`` and ``error``."""
        if self._task is None:
            self._task = asyncio.create_task(self._live(), name=f"toolsift {self.name}")
        await self._tried.wait()

    async def close(self) -> None:
        self._is_ending = True
        self._asked.set()
        if self._scope is not None:
            self._scope.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def call(self, name: str, arguments: dict[str, Any], timeout: float) -> Any:
        """Calls a tool. If the connection has ended, opens it again first.

        Raises:
            RuntimeError: if the server is not connected, or does not answer within ``timeout`` seconds
        """
        try:
            return await asyncio.wait_for(self._call(name, arguments), timeout)
        except asyncio.TimeoutError:
            raise RuntimeError(f"the server {self.name} has not answered within {timeout:g} seconds") from None

    async def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        if (self._client is None or self._is_lost) and self._task is not None and not self._task.done():
            if self.state != "starting":
                self._tried.clear()
                self._asked.set()
            await self._tried.wait()
        if self._client is None:
            raise RuntimeError(f"the server {self.name} is not connected: {self.error or self.state}")
        try:
            return await self._client.call_tool(name, arguments)
        except Exception as error:
            if getattr(error, "code", None) == _CONNECTION_CLOSED:
                # The connections of the program's own clients are not watched. Reading the list fails if this one has ended.
                self._changed.set()
            raise

    async def _live(self) -> None:
        from anyio import CancelScope, current_time

        pause, most = _PAUSES
        while not self._is_ending:
            self.state, self._is_lost, self._last_words = "starting", False, ""
            self._tried.clear()
            self._asked.clear()
            # One cancel scope for everything that the connection opens. First it limits the time to start; later it
            # closes.
            self._scope = CancelScope(deadline=current_time() + self._timeout)
            was_connected = False
            with self._scope:
                try:
                    await self._connected()
                    was_connected = True
                    self.error = "the connection has ended"
                except Exception as error:
                    self.error = _reason(error)
            self._client = None
            if self._is_ending:
                break
            if self._scope.cancelled_caught:
                download = "" if self._installer is None else f" ({self._installer} may be downloading it)"
                self.error = f"it did not start and list its tools{download} within {self._timeout:g} seconds"
            elif self._last_words.strip():
                self.error = f"{self.error}. Its last words: {self._last_words.strip()}"
            pause = _PAUSES[0] if was_connected else pause
            self.state = "failed"
            self._told(self.status())
            if not self._asked.is_set():
                self._tried.set()
            if isinstance(self._plan.way, str):
                return
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._asked.wait(), pause)
            pause = min(2 * pause, most)
        self.state, self.error = "closed", None
        self._tried.set()

    async def _connected(self) -> None:
        """Connects and reads the list of tools. Reads the list again after each change, until the connection ends."""
        async with contextlib.AsyncExitStack() as stack:
            self._client = await self._connect(stack)
            await self._list()
            self.state, self.error = "connected", None
            self._scope.deadline = float("inf")
            self._tried.set()
            self._told(self.status())
            listening = asyncio.create_task(self._listen())
            stack.callback(listening.cancel)
            while True:
                await self._changed.wait()
                self._changed.clear()
                if self._is_lost:
                    return
                await self._list()

    async def _connect(self, stack: contextlib.AsyncExitStack) -> Client:
        way: Any = self._plan.way
        if isinstance(way, str):
            raise RuntimeError(way)
        if not is_object(way):
            given: Any = way() if callable(way) else way
            if asyncio.iscoroutine(given):
                given = await given
            # If the client was entered already, it has a session. Otherwise it is entered here and also closed here.
            is_open = not hasattr(given, "__aenter__") or getattr(given, "_session", None) is not None
            client: Client = given if is_open else await stack.enter_async_context(given)
            return client
        from mcp import Client as McpClient
        from mcp import StdioServerParameters, stdio_client

        async def enter(transport: Any) -> Client:
            watched = self._watched(transport)
            return await stack.enter_async_context(McpClient(watched, message_handler=self._heard))

        if way["kind"] == "stdio":
            own: dict[str, str] = way["stdio"].get("env") or {}
            said: dict[str, Any] = {**way["stdio"], "env": {**inherited(), **own}}
            try:
                errors = stack.enter_context(self._errors())
                return await enter(stdio_client(StdioServerParameters(**said), errlog=errors))
            except FileNotFoundError as error:
                command = way["stdio"]["command"]
                help = "; put its arguments into args" if " " in command.strip() else ""
                raise RuntimeError(f"there is no program {command!r}{help}") from error
        if way["kind"] != "sse":
            try:
                return await enter(await _over_http(stack, way))
            except Exception:
                if way["kind"] == "http":
                    raise
        from mcp.client.sse import sse_client

        return await enter(sse_client(way["url"], headers=way["headers"]))

    @contextlib.asynccontextmanager
    async def _watched(self, transport: Any) -> AsyncGenerator[Any]:
        """Wraps a transport to notice when nothing more can be read, because the SDK's client does not report this."""
        import anyio

        async with transport as (read, write):
            passing, passed = anyio.create_memory_object_stream[Any](0)

            async def pump() -> None:
                async with passing:
                    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                        async for message in read:
                            await passing.send(message)
                    # Set before open calls fail, so that the next call waits for a new connection.
                    self._is_lost = True
                self._changed.set()

            async with anyio.create_task_group() as group:
                group.start_soon(pump)
                yield passed, write
                group.cancel_scope.cancel()

    @contextlib.contextmanager
    def _errors(self) -> Any:
        """Opens a file for a server's standard error. Its lines are logged at level DEBUG, and its last characters are
        kept."""
        reading, writing = os.pipe()
        kept: deque[str] = deque(maxlen=_LAST_WORDS)

        def read() -> None:
            with open(reading, encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    kept.extend(line)
                    _LOG.debug("%s: %s", self.name, line.rstrip())

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        with open(writing, "w") as file:
            try:
                yield file
            finally:
                file.close()
                # A child process that the server left behind may hold the pipe open, so the wait is short.
                thread.join(0.2)
                self._last_words = "".join(kept)

    async def _heard(self, message: Any) -> None:
        if getattr(message, "method", None) == "notifications/tools/list_changed":
            self._changed.set()

    async def _list(self) -> None:
        assert self._client is not None
        tools: list[Any] = []
        cursor: str | None = None
        seen: set[str] = set()
        is_newer = str(getattr(self._client, "protocol_version", "")) >= _NEWER_PROTOCOL
        for _ in range(_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            tools += page.tools
            cursor = page.next_cursor if hasattr(page, "next_cursor") else getattr(page, "nextCursor", None)
            if len(tools) > _TOOLS:
                raise RuntimeError(f"it lists more than {_TOOLS} tools")
            # Servers of the older protocol also end a list with an empty cursor. In the newer protocol, an empty cursor
            # is valid.
            if cursor is None or (cursor == "" and not is_newer):
                break
            if cursor in seen:
                _LOG.warning("%s: the pages of its list go round in a circle", self.name)
                tools = list({definition_of(tool)["name"]: tool for tool in reversed(tools)}.values())[::-1]
                break
            seen.add(cursor)
        else:
            raise RuntimeError(f"its list of tools has more than {_PAGES} pages")
        read = [one for one in map(definition_of, tools) if self._is_taken(one["name"])]
        taking = with_packs(read, self._plan.taking) if self._plan.has_packs else self._plan.taking
        report = self._catalog.sync(self.name, read, **taking)
        for one in report["rejected"]:
            _LOG.warning("%s: the tool %r was not registered: %s", self.name, one["name"], one["message"])
        self.tools = len(read) - len(report["rejected"])

    def _is_taken(self, name: str) -> bool:
        include = self._plan.include
        return (include is None or name in include) and name not in self._plan.exclude

    async def _listen(self) -> None:
        """Subscribes to changes of the tools, as the newest protocol requires. Older servers send them without a
        request."""
        listen = getattr(self._client, "listen", None)
        if listen is None:
            return
        with contextlib.suppress(Exception):
            async with listen(tools_list_changed=True) as events:
                async for _ in events:
                    self._changed.set()


async def _over_http(stack: contextlib.AsyncExitStack, way: Mapping[str, Any]) -> Any:
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    http = await stack.enter_async_context(create_mcp_http_client(headers=way["headers"]))
    return streamable_http_client(way["url"], http_client=http)


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseException) and (inner := getattr(error, "exceptions", None)):
        error = inner[0]
    return f"{type(error).__name__}: {error}"[:500]
