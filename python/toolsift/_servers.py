"""Reads ``mcpServers``, the JSON of Claude, Cursor and VS Code, and follows the servers with the official MCP SDK."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict
from urllib.parse import urlsplit

from ._errors import ToolSiftError
from ._installers import inherited, installer_of
from ._json import is_list, is_object, kind
from .packs import with_packs

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from ._sift import Session, ToolSift

_LOG = logging.getLogger("toolsift")

_STDIO = ("command", "args", "env", "cwd")
_REMOTE = ("url", "headers")
_TAKING = ("names", "deferral", "category", "enrichment")
# The package for npm reads the last one too.
_KEYS = ("type", "disabled", "enabled", *_STDIO, *_REMOTE, *_TAKING, "packs", "trustServerHints")
# How clients spell the transports.
_TYPES = {"stdio": "stdio", "http": "http", "streamable-http": "http", "streamableHttp": "http", "sse": "sse"}
_ANY = re.compile(r"\$(\$?)\{([^}]*)\}")
_VARIABLE = re.compile(r"(?:env:)?([A-Za-z_]\w*)(?::-(.*))?", re.DOTALL)
# The most characters of a hint that the core takes, and of a server's words for the search, in all and by number.
_HINT_CHARS = 512
_WORDS_CHARS = 2_000
_MOST_WORDS = 32
# Pages of one list of tools, and tools in it: a server's answer never ends otherwise.
_PAGES = 1_000
_TOOLS = 20_000
_NEWER_PROTOCOL = "2026-07-28"
# Seconds that a server has to start, and one that may have to be installed.
_START = 60
_INSTALL = 180


class Client(Protocol):
    """What is used of a client that is connected, such as ``mcp.Client``."""

    async def list_tools(self, *, cursor: str | None = None) -> Any: ...

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any: ...


class ServerStatus(TypedDict):
    """How a server stands; ``error`` says why it has failed, ``note`` that it may still be downloading."""

    name: str
    state: Literal["starting", "connected", "failed", "closed"]
    tools: int
    note: NotRequired[str]
    error: NotRequired[str]


class _MissingVariable(Exception):
    """A variable without a value: its server cannot start, and the others can."""


@dataclass(frozen=True)
class Plan:
    """How one server is reached, and how its tools are registered. It is broken where ``way`` is a text."""

    name: str
    way: Any
    taking: dict[str, Any] = field(default_factory=dict[str, Any])
    has_packs: bool = True


def plans_of(servers: Mapping[str, Any], env: Mapping[str, str] | None, has_packs: bool) -> list[Plan]:
    """The plans of all servers that are not disabled.

    Args:
        servers: the entries by their names, or a whole configuration with ``mcpServers`` or ``servers`` in it.
        env: the values of ``${NAME}``, ``${env:NAME}`` and ``${NAME:-default}``; None refuses variables.
        has_packs: whether the servers get the words of packs that do not say so themselves.

    Raises:
        ToolSiftError: ``option_invalid``, ``option_unknown``, ``option_conflict``. No message holds a secret.
    """
    if not is_object(servers):
        message = f'mcp_servers is {kind(servers)}; it must be a dict, such as json.load(open(".mcp.json"))'
        raise ToolSiftError("option_invalid", message)
    if env is not None and not is_object(env):
        raise ToolSiftError("option_invalid", f"env is {kind(env)}; it must be a dict, such as os.environ")
    for key in ("mcpServers", "servers"):
        inner = servers.get(key)
        if is_object(inner) and "command" not in inner and "url" not in inner:
            servers = inner
    return [plan for name, entry in servers.items() if (plan := _plan_of(name, entry, env, has_packs)) is not None]


def _plan_of(name: str, entry: Any, env: Mapping[str, str] | None, has_packs: bool) -> Plan | None:
    if not isinstance(name, str) or name == "":
        raise ToolSiftError("option_invalid", f"mcp_servers has a server with the name {kind(name)}; it must be a text")
    what = f"mcp_servers.{name[:80]}"
    if callable(entry) or hasattr(entry, "list_tools") or not is_object(entry):
        if isinstance(entry, (str, bytes, int, float)) or is_list(entry) or entry is None:
            raise ToolSiftError("option_invalid", f"{what} is {kind(entry)}; it must be a dict, a client or a function")
        return Plan(name, entry, has_packs=has_packs)
    said = {key: value for key, value in entry.items() if value is not None}
    unknown = next((key for key in said if key not in _KEYS), None)
    if unknown is not None:
        message = f"{what} has {str(unknown)[:80]!r}; a server has {', '.join(_KEYS)}"
        raise ToolSiftError("option_unknown", message)
    if said.get("disabled") is True or said.get("enabled") is False:
        return None
    taking = {key: said[key] for key in _TAKING if key in said}
    own = said.get("packs", has_packs)
    if not isinstance(own, bool):
        raise ToolSiftError("option_invalid", f"{what}.packs is {kind(own)}; it must be true or false")
    try:
        return Plan(name, _way_of(what, said, env), taking, own)
    except _MissingVariable as error:
        return Plan(name, str(error), taking, own)


def _way_of(what: str, said: dict[str, Any], env: Mapping[str, str] | None) -> dict[str, Any]:
    is_stdio, is_remote = "command" in said, "url" in said
    if is_stdio == is_remote:
        code, has = ("option_conflict", "both command and") if is_stdio else ("option_invalid", "neither command nor")
        raise ToolSiftError(code, f"{what} has {has} url; a server has one of them")
    way = _TYPES.get(said["type"]) if "type" in said else ("stdio" if is_stdio else "either")
    if way is None:
        raise ToolSiftError("option_invalid", f"{what}.type is {kind(said['type'])}; it must be one of {', '.join(_TYPES)}")
    stray = next((key for key in (_REMOTE if is_stdio else _STDIO) if key in said), None)
    if stray is not None or (way == "stdio") != is_stdio:
        other = "command" if is_stdio else "url"
        raise ToolSiftError("option_conflict", f"{what}.{stray or 'type'} does not go with {other}")

    def fill(key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise ToolSiftError("option_invalid", f"{what}.{key} is a {type(value).__name__}; it must be a text")
        return _expanded(f"{what}.{key}", value, env)

    def fill_all(key: str) -> dict[str, str]:
        given = said.get(key, {})
        if not is_object(given):
            raise ToolSiftError("option_invalid", f"{what}.{key} is a {type(given).__name__}; it must be a dict of texts")
        return {name: fill(f"{key}.{str(name)[:80]}", _as_text(value)) for name, value in given.items()}

    if is_stdio:
        args = said.get("args", [])
        if not is_list(args):
            raise ToolSiftError("option_invalid", f"{what}.args is a {type(args).__name__}; it must be a list of texts")
        command: dict[str, Any] = {
            "command": fill("command", said["command"]),
            "args": [fill(f"args[{at}]", one) for at, one in enumerate(args)],
            "env": fill_all("env") or None,
            "cwd": fill("cwd", said["cwd"]) if "cwd" in said else None,
        }
        if not command["command"].strip():
            raise ToolSiftError("option_invalid", f"{what}.command is empty")
        return {"kind": "stdio", "stdio": command}
    url = fill("url", said["url"])
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ToolSiftError("option_invalid", f"{what}.url must begin with http:// or https://")
    if parts.username or parts.password:
        raise ToolSiftError("option_invalid", f"{what}.url must not hold a user or a password; use headers")
    return {"kind": way, "url": url, "headers": fill_all("headers")}


def _as_text(value: Any) -> Any:
    """Numbers and truth values as clients write them into variables and headers."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else value


def _expanded(what: str, text: str, env: Mapping[str, str] | None) -> str:
    def value_of(found: re.Match[str]) -> str:
        if found[1]:
            return found[0][1:]
        named = f"{what} holds {found[0][:80]!r}"
        if env is None:
            raise ToolSiftError("option_invalid", f"{named}; pass env, such as env=os.environ, to fill it in")
        variable = _VARIABLE.fullmatch(found[2])
        if variable is None:
            raise _MissingVariable(f"{named}, which is not a variable; write ${{NAME}} or ${{env:NAME}}")
        name, otherwise = variable.groups()
        value = env.get(name)
        # As in a shell: a variable that is set to nothing is empty, unless there is another value for that.
        if value or (value == "" and otherwise is None):
            return str(value)
        if otherwise is None:
            raise _MissingVariable(f"{named}, and the environment has no {name}")
        return str(otherwise)

    # What a variable holds is not expanded again.
    return _ANY.sub(value_of, text)


def definition_of(tool: Any) -> dict[str, Any]:
    """What is read of a server's tool: the fields that MCP defines, and hints for the search. A server could present its
    tools as another server's with other fields."""
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
    words = _words_of(meta.get("toolsift/search"))
    if words:
        taken["_meta"] = {"toolsift/search": words}
    return taken


def _words_of(said: Any) -> dict[str, list[str]]:
    left, chars = _MOST_WORDS, _WORDS_CHARS
    lists: dict[str, list[str]] = {}
    for key in ("queries", "keywords"):
        for word in said.get(key) or () if is_object(said) else ():
            if not isinstance(word, str) or left == 0 or len(word) > chars:
                continue
            left -= 1
            chars -= len(word)
            lists.setdefault(key, []).append(word)
    return lists


class Server:
    """One server: its connection lives in a task of its own, which closes what it has opened."""

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
        self._task: asyncio.Task[None] | None = None
        self._up = asyncio.Event()
        self._changed = asyncio.Event()
        self._ending = asyncio.Event()

    def status(self) -> ServerStatus:
        status: ServerStatus = {"name": self.name, "state": self.state, "tools": self.tools}
        if self.state == "starting" and self._installer is not None:
            status["note"] = f"{self._installer} may be downloading it"
        return status if self.error is None else {**status, "error": self.error}

    async def start(self) -> None:
        """Connects and reads the list. It raises nothing: ``state`` and ``error`` say what came of it."""
        if self._task is None or self._task.done():
            self.state, self.error = "starting", None
            self._up.clear()
            self._task = asyncio.create_task(self._live(), name=f"toolsift {self.name}")
        await self._up.wait()

    async def close(self) -> None:
        self._ending.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def call(self, name: str, arguments: dict[str, Any], timeout: float) -> Any:
        """Calls a tool. A connection that has ended is opened again first.

        Raises:
            RuntimeError: where the server is not there, or has not answered in time
        """
        if self.state == "failed" and self._task is not None and self._task.done() and not self._ending.is_set():
            await self.start()
        if self._client is None:
            raise RuntimeError(f"the server {self.name} is not connected: {self.error or self.state}")
        try:
            return await asyncio.wait_for(self._client.call_tool(name, arguments), timeout)
        except asyncio.TimeoutError:
            raise RuntimeError(f"the server {self.name} has not answered within {timeout:g} seconds") from None

    async def _live(self) -> None:
        try:
            async with contextlib.AsyncExitStack() as stack:
                download = "" if self._installer is None else f" ({self._installer} may be downloading it)"
                async with _within(self._timeout, f"it did not start and list its tools{download}"):
                    self._client = await self._connect(stack)
                    await self._list()
                self.state = "connected"
                self._up.set()
                self._told(self.status())
                await self._follow(stack)
            self.state = "closed"
        except Exception as error:
            self.state, self.error = "failed", _reason(error)
            self._told(self.status())
        finally:
            self._client = None
            self._up.set()

    async def _connect(self, stack: contextlib.AsyncExitStack) -> Client:
        way: Any = self._plan.way
        if isinstance(way, str):
            raise RuntimeError(way)
        if not is_object(way):
            given: Any = way() if callable(way) else way
            if asyncio.iscoroutine(given):
                given = await given
            # A client that is entered already has a session; one that is not is entered and closed here.
            is_open = not hasattr(given, "__aenter__") or getattr(given, "_session", None) is not None
            client: Client = given if is_open else await stack.enter_async_context(given)
            return client
        try:
            from mcp import Client as McpClient
            from mcp import StdioServerParameters
        except ImportError as error:
            raise ToolSiftError("peer_missing", "mcp_servers needs the MCP SDK: pip install 'toolsift[mcp]'") from error

        async def enter(server: Any) -> Client:
            return await stack.enter_async_context(McpClient(server, message_handler=self._heard))

        if way["kind"] == "stdio":
            own: dict[str, str] = way["stdio"].get("env") or {}
            said: dict[str, Any] = {**way["stdio"], "env": {**inherited(), **own}}
            return await enter(StdioServerParameters(**said))
        if way["kind"] != "sse":
            try:
                return await enter(await _over_http(stack, way))
            except Exception:
                if way["kind"] == "http":
                    raise
        from mcp.client.sse import sse_client

        return await enter(sse_client(way["url"], headers=way["headers"]))

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
            # Servers of the older protocol also send an empty cursor at the end; in the newer one it is one as any other.
            if cursor is None or (cursor == "" and not is_newer):
                break
            if cursor in seen:
                _LOG.warning("%s: the pages of its list go round in a circle", self.name)
                tools = list({definition_of(tool)["name"]: tool for tool in reversed(tools)}.values())[::-1]
                break
            seen.add(cursor)
        else:
            raise RuntimeError(f"its list of tools has more than {_PAGES} pages")
        read = [definition_of(tool) for tool in tools]
        taking = with_packs(read, self._plan.taking) if self._plan.has_packs else self._plan.taking
        report = self._catalog.sync(self.name, read, **taking)
        for one in report["rejected"]:
            _LOG.warning("%s: the tool %r was not registered: %s", self.name, one["name"], one["message"])
        self.tools = len(tools) - len(report["rejected"])

    async def _follow(self, stack: contextlib.AsyncExitStack) -> None:
        """Lists again whenever the list has changed, until the end."""
        listening = asyncio.create_task(self._listen())
        stack.push_async_callback(_cancelled, listening)
        while True:
            ending, changed = (asyncio.create_task(event.wait()) for event in (self._ending, self._changed))
            try:
                await asyncio.wait([ending, changed], return_when=asyncio.FIRST_COMPLETED)
            finally:
                ending.cancel()
                changed.cancel()
            if self._ending.is_set():
                return
            self._changed.clear()
            await self._list()

    async def _listen(self) -> None:
        """The newest protocol tells changes on a stream that is asked for; older servers tell them by themselves."""
        listen = getattr(self._client, "listen", None)
        if listen is None:
            return
        with contextlib.suppress(Exception):
            async with listen(tools_list_changed=True) as events:
                async for _ in events:
                    self._changed.set()


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


async def _over_http(stack: contextlib.AsyncExitStack, way: Mapping[str, Any]) -> Any:
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    http = await stack.enter_async_context(create_mcp_http_client(headers=way["headers"]))
    return streamable_http_client(way["url"], http_client=http)


@contextlib.asynccontextmanager
async def _within(seconds: float, what: str) -> AsyncGenerator[None]:
    """Ends what takes longer. The task is the one that opened the connection, as its scopes ask for."""
    task = asyncio.current_task()
    assert task is not None
    is_late = False

    def end() -> None:
        nonlocal is_late
        is_late = True
        task.cancel()

    timer = asyncio.get_running_loop().call_later(seconds, end)
    try:
        yield
    except asyncio.CancelledError:
        if not is_late:
            raise
        raise RuntimeError(f"{what} within {seconds:g} seconds") from None
    finally:
        timer.cancel()


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseException) and (inner := getattr(error, "exceptions", None)):
        error = inner[0]
    return f"{type(error).__name__}: {error}"[:500]
