"""The one call: MCP servers as people configure them, own functions, and sessions by id."""

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
# What says that an answer was cut needs some hundred characters itself.
_ANSWER = (1_000, 500_000_000)


@dataclass(frozen=True)
class Tool:
    """An own tool with a schema of its own. Functions need none: theirs is read from their annotations.

    ``run`` gets the arguments by name, and may be ``async``.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[..., Any]


@dataclass(frozen=True)
class Answer:
    """What a call of the model came to: ``text`` goes back to it, or ``shown`` and ``images`` where it can see images.
    ``result`` is what the tool itself returned."""

    text: str
    is_error: bool
    outcome: Outcome
    result: Any = None
    images: Sequence[Image] = ()
    shown: str = ""
    """The text without a note for each image; only where there are some."""


class Toolbox:
    """Connects MCP servers and own functions to one catalog, for ``async with`` on asyncio.

    .. code-block:: python

        async with toolsift(mcp_servers=json.load(open(".mcp.json")), tools=[book_table]) as box:
            session = box.session("chat-42")
            request = session.assemble("openai")
            answer = await box.answer(session, call.name, call.arguments)

    Args:
        mcp_servers: entries by the names of the servers, which the model may see, or the whole configuration of Claude,
            Cursor, VS Code, Windsurf, Cline, Gemini, Codex, Zed or opencode; connected clients; functions that connect
            one. A server that cannot be reached costs nothing but itself: ``status()`` says why, and it is tried again.
        tools: functions with annotations, which Pydantic reads; ``Tool``; tools of other SDKs that need no run of theirs.
        skills: folders with a ``SKILL.md`` or with such folders in them, and dicts with ``name``, ``description``, ``text``,
            ``tools`` and ``read``.
        env: the values of ``${NAME}`` in ``mcp_servers``: ``os.environ`` allows them all.
        sift: a catalog that exists; without it one is made from ``options``, which are those of ``ToolSift``.
        execute: runs the tools of the catalog that are neither own nor those of ``mcp_servers``.
        start_timeout: seconds that a server has to start and to list its tools; by default 60, and 180 where ``npx``, ``uvx``,
            ``docker`` and the like may have to install it.
        call_timeout: seconds that a call of a server's tool may take.
        ready: seconds after which ``async with`` goes on without servers that are still starting, but not before there is
            one; None waits for all.
        packs: whether the tools of known servers get the words of ``toolsift.packs``; an entry may say otherwise for itself.
        max_answer_chars: characters that the model reads of one answer; None for no bound.
        on_status: is told how a server stands when that changes. By default failures are logged.

    Raises:
        ToolSiftError: ``option_invalid``, ``option_unknown``, ``option_conflict``, ``limit_out_of_range``, and what is wrong
            with a tool
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
                # A request without any server's tools would have the model answer as if there were none.
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
        """How each MCP server stands; ``error`` says why one has failed."""
        return [server.status() for server in self._servers.values()]

    def session(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """The session of an id: see ``ToolSift.session``."""
        return self.sift.session(id, **options)

    async def answer(
        self, session: str | Session, name: str, arguments: Mapping[str, Any] | str | None = None
    ) -> Answer:
        """Answers a call of the model in a session, or in that of an id: a discovery tool's answer, the answer of the tool, or
        why it was refused. What goes wrong in a tool is told to the model; cancelling this cancels the call.

        Raises:
            ToolSiftError: what ``session.call`` raises; ``option_invalid`` for a tool that nothing runs
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
            # The core has bounded a file of a skill by itself.
            return Answer(said.text, False, outcome, result)
        shown = self._cut(opened, said.shown) if said.images else ""
        return Answer(self._cut(opened, said.text), said.is_error, outcome, result, said.images, shown)

    async def run(self, dispatch: Dispatch) -> Any:
        """Runs a tool, and returns what it returns."""
        # A session's own tools may have the names of ours.
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


# What hosts write: ``async with toolsift(...) as box``.
toolsift = Toolbox


def _check_bound(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ToolSiftError("limit_out_of_range", f"{name} is {kind(value)}; it must be a number from {least} to {most}")


def _warn(status: ServerStatus) -> None:
    if status["state"] != "connected":
        why = status.get("error") or status.get("note") or "not there yet"
        _LOG.warning("the MCP server %s is %s: %s", status["name"], status["state"], why)
