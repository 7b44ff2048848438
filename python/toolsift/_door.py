"""``toolsift()``: connects MCP servers and your own functions to one catalog, and answers the calls of the model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ._configurations import plans_of
from ._definitions import Run, called, definition, listed, runner
from ._errors import ToolSiftError
from ._json import is_object, kind
from ._servers import Server, ServerStatus, check_sdk
from ._sift import Session, ToolSift
from ._skills import skill_definitions
from ._steps import session_of
from ._texts import ANSWER_CHARS, Image, read
from .packs import translations

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import Dispatch, Outcome, SessionOptions, ToolSiftOptions

_LOG = logging.getLogger("toolsift")

_WAIT = (0, 86_400)
# The allowed values of max_answer_chars. The note in a cut answer itself needs some hundred characters.
_ANSWER = (1_000, 500_000_000)


@dataclass(frozen=True)
class Tool:
    """A tool of your program with a JSON Schema. A function needs no ``Tool``: its schema is made from its annotations.

    ``run`` gets the arguments by name. It may be ``async``.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[..., Any]


@dataclass(frozen=True)
class Answer:
    """The answer to a call of the model. Send ``text`` to the model, or ``shown`` and ``images`` if the model can see
    images. ``result`` is the value that the tool returned, or the error that it raised."""

    text: str
    is_error: bool
    outcome: Outcome
    result: Any = None
    images: Sequence[Image] = ()
    shown: str = ""
    """The text without a note for each image. It is set only if there are images."""


class Toolbox:
    """Connects MCP servers and your own functions to one catalog. Use it with ``async with``, on asyncio.

    .. code-block:: python

        async with toolsift(mcp_servers=json.load(open(".mcp.json")), tools=[book_table]) as box:
            session = box.session("chat-42")
            request = session.assemble("openai")
            answer = await box.answer(session, call.name, call.arguments)

    Args:
        mcp_servers: the MCP servers by name (the model may see the names), or the whole configuration of Claude,
            Cursor, VS Code, Windsurf, Cline, Gemini, Codex, Zed or opencode. A value is an entry of a configuration, a
            connected client, or a function that returns a client. If a server cannot be reached, the others still work:
            ``status()`` has the reason, and the server is tried again.
        tools: functions with annotations (Pydantic is needed), ``Tool`` objects, and tools of other SDKs that can be
            called outside of a run of the SDK.
        skills: folders with a ``SKILL.md``, folders that contain such folders, and dicts with ``name``,
            ``description``, ``text``, ``tools`` and ``read``.
        env: the values of ``${NAME}`` in ``mcp_servers``. Pass ``os.environ`` to allow all environment variables.
        sift: an existing catalog. Without it, a catalog is made with ``options``, the options of ``ToolSift``.
        execute: runs the other tools of the catalog: those that are neither in ``tools`` nor from ``mcp_servers``.
        start_timeout: the seconds that a server may take to start and list its tools. Default 60, or 180 if ``npx``,
            ``uvx``, ``docker`` or the like may have to install it.
        call_timeout: the seconds that a call of a server's tool may take.
        ready: the seconds after which ``async with`` goes on without servers that are still starting. It waits longer
            if no server is connected yet. None waits for all servers.
        packs: whether tools of well-known servers get the extra search words of ``toolsift.packs``. An entry of
            ``mcp_servers`` can have its own ``packs``.
        max_answer_chars: the most characters of one tool's answer that the model reads; None for no limit. The texts
            and files of skills have at most 20,000 in any case.
        on_status: is called with the state of a server when it changes. By default, failures are logged.

    Raises:
        ToolSiftError: ``option_invalid``, ``option_unknown``, ``option_conflict``, ``limit_out_of_range``, and the
            errors of ``register`` for an invalid tool
    """

    def __init__(
        self,
        mcp_servers: Mapping[str, Any] | None = None,
        tools: Iterable[Any] = (),
        *,
        skills: Sequence[Any] = (),
        env: Mapping[str, str] | None = None,
        sift: ToolSift | None = None,
        execute: Callable[[Dispatch], Awaitable[Any]] | None = None,
        start_timeout: float | None = None,
        call_timeout: float = 60,
        ready: float | None = 10,
        packs: bool = True,
        max_answer_chars: int | None = ANSWER_CHARS,
        on_status: Callable[[ServerStatus], None] | None = None,
        **options: Unpack[ToolSiftOptions],
    ) -> None:
        for name, function in (("execute", execute), ("on_status", on_status)):
            if function is not None and not callable(function):
                raise ToolSiftError("option_invalid", f"{name} is {kind(function)}; it must be a function")
        _check_bound("call_timeout", call_timeout, *_WAIT)
        for name, value, (least, most) in (
            ("start_timeout", start_timeout, _WAIT),
            ("ready", ready, _WAIT),
            ("max_answer_chars", max_answer_chars, _ANSWER),
        ):
            if value is not None:
                _check_bound(name, value, least, most)
        if not isinstance(packs, bool):
            raise ToolSiftError("option_invalid", f"packs is {kind(packs)}; it must be True or False")
        if sift is not None and not isinstance(sift, ToolSift):
            raise ToolSiftError("option_invalid", f"sift is {kind(sift)}; it must be a ToolSift")
        if sift is not None and options:
            clash = next(iter(options))
            message = f"{clash} is an option of the catalog, and sift is a catalog; pass one of them"
            raise ToolSiftError("option_conflict", message)
        if packs and sift is None and "translations" not in options:
            options = {**options, "translations": translations()}
        self.sift: ToolSift = sift if sift is not None else ToolSift(**options)
        self._plans = plans_of({} if mcp_servers is None else mcp_servers, env, packs)
        self._servers: dict[str, Server] = {}
        self._own: dict[str, Run] = {}
        self._execute = execute
        self._start_timeout = start_timeout
        self._call_timeout = call_timeout
        self._ready = ready
        self._most = max_answer_chars
        self._told = on_status or _warn
        self._add(tools)
        for skill in skill_definitions(skills):
            self.sift.register(skill)

    def _add(self, tools: Iterable[Any]) -> None:
        given = listed(tools)
        for tool in [tools] if given is None else given:
            if isinstance(tool, Tool) and not (is_object(tool.input_schema) and callable(tool.run)):
                message = f"the tool {kind(tool.name)} needs a dict as input_schema and a function as run"
                raise ToolSiftError("option_invalid", message)
            run = partial(called, tool.run) if isinstance(tool, Tool) else runner(tool)
            report = self.sift.register(tool if isinstance(tool, Tool) else definition(tool))
            self._own[report["registered"][0]] = run

    async def __aenter__(self) -> Toolbox:
        if any(is_object(plan.way) for plan in self._plans):
            check_sdk()
        self._servers = {
            plan.name: Server(self.sift, plan, self._start_timeout, self._told) for plan in self._plans
        }
        try:
            starts = [asyncio.create_task(server.start()) for server in self._servers.values()]
            if starts:
                _, late = await asyncio.wait(starts, timeout=self._ready)
                # Without any server's tools, the model would answer as if there were no tools.
                while late and not self._has_tools():
                    _, late = await asyncio.wait(late, return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            await self.__aexit__()
            raise
        for server in self._servers.values():
            if server.state == "starting":
                self._told(server.status())
        return self

    def _has_tools(self) -> bool:
        is_connected = any(server.state == "connected" for server in self._servers.values())
        return is_connected or any(tool["server"] is not None for tool in self.sift.tools())

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(server.close() for server in self._servers.values()))

    def status(self) -> list[ServerStatus]:
        """Returns the state of each MCP server. ``error`` is the reason of a failure."""
        return [server.status() for server in self._servers.values()]

    def session(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """Returns or opens the session with this id: see ``ToolSift.session``."""
        return self.sift.session(id, **options)

    async def answer(
        self, session: str | Session, name: str, arguments: Mapping[str, Any] | str | None = None
    ) -> Answer:
        """Answers a call of the model in a session (a ``Session`` or its id). The answer is from a discovery tool or
        from the called tool, or it is the reason why the call was refused. An error of a tool becomes an answer for the
        model. Cancelling this coroutine cancels the call.

        Raises:
            ToolSiftError: the errors of ``session.call``; ``option_invalid`` if nothing can run the tool
        """
        opened = session_of(self, session)
        outcome = opened.call(name, arguments)
        if outcome["kind"] == "result":
            return Answer(outcome["content"], outcome["is_error"], outcome)
        if outcome["kind"] == "refused":
            return Answer(outcome["error"]["message"], True, outcome)
        try:
            result = await (opened.read_skill(outcome) if "skill" in outcome else self.run(outcome))
        except ToolSiftError as error:
            if error.code != "skill_path_invalid":
                raise
            return Answer(self._cut(opened, error.message), True, outcome, error)
        except Exception as error:
            text = f"{outcome['model_name']} failed: {error}" if str(error) else f"{outcome['model_name']} failed"
            return Answer(self._cut(opened, text), True, outcome, error)
        said = read(result)
        if "skill" in outcome:
            # The Rust code has cut the text of a skill already.
            return Answer(said.text, False, outcome, result)
        shown = self._cut(opened, said.shown) if said.images else ""
        return Answer(self._cut(opened, said.text), said.is_error, outcome, result, said.images, shown)

    async def run(self, dispatch: Dispatch) -> Any:
        """Runs a tool and returns its result, as it is."""
        # A tool of only one session may have the same name as a tool of this box, but `execute` runs it.
        is_ours = "session" not in dispatch
        server = self._servers.get(dispatch["server"] or "") if is_ours else None
        if server is not None:
            return await server.call(dispatch["name"], dispatch["arguments"], self._call_timeout)
        run = self._own.get(dispatch["model_name"]) if is_ours and dispatch["server"] is None else None
        if run is not None:
            return await run(dispatch["arguments"])
        if self._execute is not None:
            return await self._execute(dispatch)
        message = f"nothing runs {dispatch['model_name']!r}: pass execute, or the function itself in tools"
        raise ToolSiftError("option_invalid", message)

    def _cut(self, session: Session, text: str) -> str:
        return text if self._most is None or len(text) <= self._most else session.cut_answer(text, self._most)


# The name for users: ``async with toolsift(...) as box``.
toolsift = Toolbox


def _check_bound(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ToolSiftError("limit_out_of_range", f"{name} is {kind(value)}; it must be a number from {least} to {most}")


def _warn(status: ServerStatus) -> None:
    if status["state"] != "connected":
        why = status.get("error") or status.get("note") or "not there yet"
        _LOG.warning("the MCP server %s is %s: %s", status["name"], status["state"], why)
