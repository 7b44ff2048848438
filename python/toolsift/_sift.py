"""A catalog of tools, searched, and the sessions that use it."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ._core import Core, profiles
from ._core import Session as Opened
from ._definitions import definition_text, definitions, listed
from ._errors import ToolSiftError
from ._json import answered, is_list, is_object, kind, messages_text, option, text, whole, written

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import (
        Assembly,
        Budget,
        CallOptions,
        CatalogSize,
        Dispatch,
        Explanation,
        HeldBack,
        HistoryReport,
        MessageFormat,
        Outcome,
        RegisterOptions,
        RegisterReport,
        RestoreOptions,
        Scope,
        SearchOptions,
        SearchResult,
        SessionOptions,
        Snapshot,
        SyncOptions,
        SyncReport,
        ToolCall,
        ToolIdentity,
        ToolInfo,
        ToolSiftOptions,
        WireFormat,
    )

# MCP's hints, as digits of base 3 in one number of the core's: 0 is a missing hint, 1 false, 2 true.
_HINTS = ("read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint")


def _annotated(tool: dict[str, Any]) -> dict[str, Any]:
    hints = tool.pop("hints", None)
    if hints is not None:
        digits = [(hint, hints // 3**at % 3) for at, hint in enumerate(_HINTS)]
        tool["annotations"] = {hint: digit == 2 for hint, digit in digits if digit > 0}
    return tool


def _registration(options: Mapping[str, Any]) -> dict[str, Any]:
    read = option(options)
    words = options.get("enrichment")
    if is_list(words):
        read["enrichment"] = written("options.enrichment", words)
    return cast("dict[str, Any]", read)


def _query(query: str | Iterable[str]) -> str:
    """One query, or several on a line each."""
    if isinstance(query, str):
        return text("query", query)
    if not isinstance(query, (list, tuple)):
        raise ToolSiftError("option_invalid", f"query must be a string or a list of strings, got {kind(query)}")
    lines = [text(f"query.{at}", one).strip() for at, one in enumerate(query)]
    joined = "\n".join(line for line in lines if line)
    if not joined:
        raise ToolSiftError("query_empty", f"query is a list of {len(lines)} without any words")
    return joined


_C = TypeVar("_C", Core, Opened)


class _Registrar(Generic[_C]):
    """What a catalog and a session have in common: tools come and go."""

    _core: _C
    _number: int
    _readers: dict[tuple[int, Any, Any], Callable[..., Any]]

    def register(self, tools: Any, **options: Unpack[RegisterOptions]) -> RegisterReport:
        """Registers tools: dicts in the form of MCP, OpenAI, Anthropic or Google, MCP ``Tool`` objects and lists of them,
        tools of LangChain, OpenAI Agents and others that have a name and a schema, Pydantic models, and functions, whose
        JSON Schema is read from their annotations.

        A broken tool of a list is reported under ``rejected``, and the others are registered. If a single tool is passed and
        is broken, the error is raised. A tool is known by server and name. If another server's tool has, or has had, the
        bare name, the model sees ``server__name``.

        Args:
            tools: one tool, or an iterable of tools.
            options: ``server``, ``names``, ``deferral``, ``category``, ``enrichment``.

        Returns:
            ``{registered, rejected, repaired, enrichment?}``, with the names that the model sees.

        Raises:
            ToolSiftError: ``not_json``, ``option_invalid``, ``option_unknown``, ``enrichment_invalid``,
                ``list_too_large``; ``session_closed``; for a single tool also ``name_empty``, ``name_too_long``,
                ``name_unsafe`` (with an ``alias``), ``name_reserved``, ``duplicate_tool``, ``schema_invalid``,
                ``schema_too_large``, ``description_too_long``, ``text_invalid``, ``tool_shape_unknown``,
                ``catalog_full``, ``catalog_too_large``, ``server_too_large``. Nothing has changed then.
        """
        many = listed(tools)
        said = _registration(options)
        if many is not None:
            return cast("RegisterReport", self._taken(many, said, self._core.register))
        report = answered(self._core.register_one(definition_text(tools), said))
        self._keep_readers([tools], said, report)
        return cast("RegisterReport", report)

    def sync(self, server: str, tools: Iterable[Any], **options: Unpack[SyncOptions]) -> SyncReport:
        """Makes the tools of one server be exactly these, as after ``notifications/tools/list_changed``. An unchanged tool
        keeps its place; a revealed tool that is gone is missing from the next request. If it returns, it is revealed again.

        Returns:
            ``{added, changed, removed, unchanged, rejected, repaired, enrichment?}``

        Raises:
            ToolSiftError: ``not_json``, ``option_invalid``, ``option_unknown``, ``list_too_large``, ``session_closed``
        """
        many = listed(tools)
        if many is None:
            raise ToolSiftError("not_json", f"tools must be a list, got {kind(tools)}")
        said = {**_registration(options), "server": text("server", server)}
        return cast("SyncReport", self._taken(many, said, self._core.sync))

    def unregister(self, *, server: str | None = None, names: Sequence[str] | None = None) -> list[str]:
        """Removes all tools of ``server``, or all in ``names`` (as the model sees them). With both, those that fit both.

        The name of a removed tool stays reserved for its server until all of that server is removed.

        Returns:
            The names that went.

        Raises:
            ToolSiftError: ``option_invalid``, also where neither is given; ``session_closed``
        """
        given = {key: value for key, value in {"server": server, "names": names}.items() if value is not None}
        return cast("list[str]", answered(self._core.unregister(option(given))))

    def _keep_readers(self, tools: list[Any], said: dict[str, Any], report: dict[str, Any]) -> None:
        """Keeps what reads the files of the skills that were taken: ``read`` of their dicts, which the core never sees."""
        rejected = {one["index"] for one in report["rejected"]}
        for index, tool in enumerate(tools):
            if index not in rejected and is_object(tool) and tool.get("kind") == "skill" and callable(tool.get("read")):
                self._readers[self._number, said.get("server") or tool.get("server"), tool["name"]] = tool["read"]

    def _taken(self, tools: list[Any], said: dict[str, Any], take: Any) -> Any:
        texts, places, rejected = definitions(tools)
        report = answered(take(texts, said))
        placed: list[dict[str, Any]] = [{**one, "index": places[one["index"]]} for one in report["rejected"]]
        report["rejected"] = sorted(placed + rejected, key=lambda one: one["index"])
        self._keep_readers(tools, said, report)
        return report


class ToolSift(_Registrar[Core]):
    """A catalog of tools, and the sessions that use it. Threads may share one: searches run beside each other.

    .. code-block:: python

        sift = ToolSift(context_window=200_000)
        sift.register(tools, server="github")
        session = sift.session("chat-42")
        request = session.assemble("openai")

    Raises:
        ToolSiftError: ``option_unknown`` (a misspelt key, with the nearest valid one), ``option_invalid``,
            ``option_conflict``, ``limit_out_of_range``, ``alias_invalid``
    """

    def __init__(self, **options: Unpack[ToolSiftOptions]) -> None:
        self._open(options, None)

    def _open(self, options: Mapping[str, Any], index: bytes | None) -> None:
        said: dict[str, Any] = dict(options)
        counter: Any = said.pop("count_tokens", None)
        if counter is not None and not callable(counter):
            raise ToolSiftError("option_invalid", f"options.count_tokens is {kind(counter)}; it must be a function")
        self._core = Core(option(said), cast("Any", counter), index)
        self._number = 0
        self._readers = {}

    @classmethod
    def from_index(
        cls, index: bytes, *, content_hash: str | None = None, **options: Unpack[ToolSiftOptions]
    ) -> ToolSift:
        """Loads a catalog that ``export_index``, of any language, has written.

        Args:
            index: its bytes.
            content_hash: the hash of the tools that it must hold.
            options: those of the constructor; ``synonyms`` and ``search["without"]`` must be those of the export.

        Raises:
            ToolSiftError: ``index_invalid``, ``index_stale``, ``catalog_full``, ``catalog_too_large``,
                ``server_too_large``, ``name_reserved``, and what the constructor raises
        """
        if not isinstance(index, (bytes, bytearray, memoryview)):
            raise ToolSiftError("option_invalid", f"index must be bytes, got {kind(index)}")
        sift = cls.__new__(cls)
        sift._open(options, bytes(index))
        if content_hash is not None and content_hash != sift.content_hash:
            message = f"the index is stale: its tools have the hash {sift.content_hash}, not {content_hash[:80]}"
            raise ToolSiftError("index_stale", f"{message}; build it again from these tools")
        return sift

    @staticmethod
    def profiles() -> list[dict[str, Any]]:
        """The table of profiles: named rows of settings, our own and one after each published system."""
        return cast("list[dict[str, Any]]", answered(profiles()))

    def search(self, query: str | Sequence[str], **options: Unpack[SearchOptions]) -> SearchResult:
        """Searches as the host: what the model's search would find. Several queries are one search for all of them.

        Args:
            query: words; ``select:name``; ``+word`` and ``-word``; ``server:name``; ``/pattern/``.
            options: ``limit``, ``session`` (an id), ``reasons`` (fills ``parts``), ``scores``.

        Returns:
            ``{query, stage, hits, searched, confidence?, …}``, best first.

        Raises:
            ToolSiftError: ``pattern_invalid`` (only with the ranker ``pattern``), ``query_empty``, ``text_invalid``,
                ``option_invalid``, ``option_unknown``, ``session_closed``
        """
        return cast("SearchResult", answered(self._core.search(_query(query), option(options))))

    def explain(self, query: str | Sequence[str], name: str, **options: Unpack[SearchOptions]) -> Explanation:
        """Says why a search finds one tool, or why it does not.

        Raises:
            ToolSiftError: ``tool_unknown``, and what ``search`` raises
        """
        return cast("Explanation", answered(self._core.explain(_query(query), text("name", name), option(options))))

    def session(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """Returns the session that is open under an id, or opens one. Without ``scope``, an open one is returned whatever
        its scope is, and a new one may see everything.

        Raises:
            ToolSiftError: ``session_id_invalid``; ``option_invalid`` where it is open with another scope than the one
                given, and for a scope that is ``None``; ``name_ambiguous`` for a new session; ``scope_required`` without
                a scope, if the session of that id had one before it was closed or evicted
        """
        return Session(self, self._core.session(text("session id", id), option(options)))

    def close_session(self, id: str) -> bool:
        """Closes the session of an id, and says whether there was one."""
        return self._core.close_session(text("session id", id))

    def restore(
        self, snapshot: Snapshot | Mapping[str, Any], **options: Unpack[RestoreOptions]
    ) -> tuple[Session, list[ToolIdentity]]:
        """Opens the session of a snapshot with its reveals, in their order.

        Returns:
            The session, and the tools that could not be revealed: those that the catalog has not yet, which the session
            reveals later, and those out of scope or beyond a limit, which it forgets.

        Raises:
            ToolSiftError: ``snapshot_invalid``, and what ``session`` raises. Nothing has changed then.
        """
        opened, missing = self._core.restore(written("snapshot", snapshot), option(options))
        return Session(self, opened), answered(missing)

    def export_index(self) -> bytes:
        """The shared tools as bytes for ``from_index``. The same tools and options give the same bytes in every language."""
        return self._core.export_index()

    @property
    def content_hash(self) -> str:
        """16 hexadecimal digits for the names and definitions of the tools, the same in every language."""
        return self._core.content_hash()

    def tools(self) -> list[ToolInfo]:
        """Every shared tool, and where it stands before any conversation."""
        return cast("list[ToolInfo]", [_annotated(tool) for tool in answered(self._core.tools())])

    def size(self, format: WireFormat = "mcp") -> CatalogSize:
        """What all shared tools cost in a wire format, in total and for each server."""
        return cast("CatalogSize", answered(self._core.size({"format": format})))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings in force: the profile's, with what the options changed."""
        return cast("dict[str, Any]", answered(self._core.settings()))

    @property
    def revision(self) -> int:
        """A number that changes whenever the catalog does."""
        return self._core.revision()


class Session(_Registrar[Opened]):
    """One conversation, opened by ``sift.session(id)``. Its state is in the ``ToolSift``: two handles of one id are the same.

    It ends when it is closed, or evicted because ``limits["sessions"]`` others were used after it; then every use of its
    handles raises ``session_closed``. ``register``, ``sync`` and ``unregister`` are about tools of the session's own,
    which no other session sees. As a context manager it closes itself.
    """

    def __init__(self, sift: ToolSift, core: Opened, parent: Session | None = None) -> None:
        self.sift = sift
        self._readers = sift._readers
        self._core = core
        self._number = core.number
        self._parent = parent

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def id(self) -> str:
        """The id under which the host knows it."""
        return self._core.id

    def child(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """Opens a child, for a subagent. It has the tools of this session, also its own ones, and reveals on its own. It sees
        what both its scope and this session's admit, also after either changes. It is closed with this session; only this
        handle leads to it.

        Raises:
            ToolSiftError: ``session_id_invalid``; ``option_invalid``, also where a session of that id is open;
                ``name_ambiguous``, ``option_unknown``, ``session_closed``
        """
        return Session(self.sift, self._core.child(text("session id", id), option(options)), self)

    def hand_back(self) -> list[str]:
        """Reveals in the parent what this child has revealed; returns what the parent had not revealed before.

        Raises:
            ToolSiftError: ``option_conflict`` where this is no child; as ``reveal``, of the parent
        """
        if self._parent is None:
            message = f"session {json.dumps(self.id)} is no child: it has nobody to hand back to"
            raise ToolSiftError("option_conflict", message)
        return self._parent.reveal(self.revealed)

    def assemble(self, format: WireFormat = "mcp") -> Assembly:
        """The tools and the system-prompt text for the next model request, and what they cost.

        Discovery tools come first, then what is always sent, then the revealed tools in the order of their reveal, so that
        a vendor's prompt cache keeps everything before the newest.

        Returns:
            ``{active, tools, roles, system_prompt, size, deferrable}``; ``tools`` is for the vendor's SDK as it is.

        Raises:
            ToolSiftError: ``option_invalid``, ``counter_failed``, ``session_closed``
        """
        return cast("Assembly", answered(self._core.assemble({"format": format})))

    def held_back(self, format: WireFormat = "mcp") -> list[HeldBack]:
        """The tools that are held back unless they are revealed, revealed ones too, with their definitions."""
        return cast("list[HeldBack]", answered(self._core.held_back({"format": format})))

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None, **options: Unpack[CallOptions]) -> Outcome:
        """Decides a call of the model. What is wrong with the call is an outcome, for the model to read.

        Args:
            name: the tool's name as the model wrote it.
            arguments: a dict, or the JSON text that some vendors send.
            options: ``now`` in milliseconds, ``visible`` names, ``scores``.

        Returns:
            ``{"kind": "result", "content": …}`` for the model, ``{"kind": "dispatch", "name": …, "arguments": …}`` for a
            tool to run, or ``{"kind": "refused", "error": …}``.

        Raises:
            ToolSiftError: ``not_json``, ``option_invalid``, ``counter_failed``, ``session_closed``
        """
        given = "" if arguments is None else written("arguments", arguments)
        turn = {"now": time.time() * 1000, **option(options)}
        return cast("Outcome", _annotated(answered(self._core.call(text("name", name), given, turn))))

    def cut_answer(self, answer: str, most: int) -> str:
        """A tool's answer as the model is to read it: one of more than ``most`` characters is cut, and says how to read on.

        The session keeps all of it, and its requests offer the tool ``read_cut_answer`` from then on.
        """
        return self._core.cut_answer(text("answer", answer), most)

    async def read_skill(self, outcome: Dispatch) -> str:
        """Reads a file of a skill for the model, by the ``read(path)`` with which the skill was registered, which may be a
        coroutine function; without a path it reads the text itself. ``Toolbox.answer`` does it by itself.

        Returns:
            The text for the model: it says whose words these are, and a long one is cut as ``cut_answer`` does.

        Raises:
            ToolSiftError: ``skill_invalid`` where nothing reads it, or what reads it returns no text; ``tool_unknown`` where it
                has left the catalog; ``session_closed``. What ``read`` raises.
        """
        skill = outcome.get("skill")
        if skill is None:
            raise ToolSiftError("option_invalid", "the outcome reads no file of a skill")
        server, name, path = skill["server"], skill["name"], skill["path"]
        read = self._readers.get((self._number if "session" in outcome else 0, server, name))
        if read is None:
            raise ToolSiftError("skill_invalid", f"nothing reads the skill {name}: register it with read")
        said: Any = read() if path is None else read(path)
        if inspect.isawaitable(said):
            said = await said
        if not isinstance(said, str):
            raise ToolSiftError("skill_invalid", f"read returned {kind(said)}; it must be a text")
        return self._core.skill_text(server, name, path, whole(said))

    def call_all(self, calls: Sequence[ToolCall], **options: Unpack[CallOptions]) -> list[Outcome]:
        """Decides the calls of one reply, ``{"name", "args"?}``, in their order.

        Raises:
            ToolSiftError: as ``call``; calls before the one that raises have had their effect
        """
        if not is_list(calls) or not all(is_object(one) and "name" in one for one in calls):
            raise ToolSiftError("option_invalid", f"calls must be a list of {{name, args?}}, got {kind(calls)}")
        return [self.call(one["name"], one.get("args"), **options) for one in calls]

    def prefetch(self, message: str, **options: Unpack[Budget]) -> list[str]:
        """Loads what the user's own message clearly finds, before the model is asked: about half of all requests then need no
        search. It loads nothing while every tool is sent, and no tool that writes or destroys unless the message asks for it.

        Args:
            message: what the user said.
            options: ``tools`` and ``tokens`` at most; 3 and 1,000 unless told otherwise.

        Returns:
            The names that were not revealed before.

        Raises:
            ToolSiftError: ``option_invalid``, ``option_unknown``, ``limit_out_of_range``, ``counter_failed``,
                ``session_closed``
        """
        if not isinstance(message, str):
            raise ToolSiftError("option_invalid", f"message must be a string, got {kind(message)}")
        return cast("list[str]", answered(self._core.prefetch(whole(message), option(options))))

    def reveal(self, names: Sequence[str]) -> list[str]:
        """Reveals tools as the host, by the names that the model sees; returns those that were not revealed before.

        Raises:
            ToolSiftError: ``tool_unknown``, ``tool_out_of_scope``, ``revealed_full``. Nothing is revealed then.
        """
        return cast("list[str]", answered(self._core.reveal(option(names))))

    def conceal(self, names: Sequence[str]) -> list[str]:
        """Takes reveals back; returns those that were there.

        Raises:
            ToolSiftError: ``tool_unknown``. Nothing has changed then.
        """
        return cast("list[str]", answered(self._core.conceal(option(names))))

    def evict(self, **options: Unpack[Budget]) -> list[str]:
        """Defers again what was used the longest ago, until at most that many ``tools`` and ``tokens`` are revealed.

        Raises:
            ToolSiftError: ``option_invalid``, also where neither is given; ``limit_out_of_range``
        """
        return cast("list[str]", answered(self._core.evict(option(options))))

    def from_messages(self, messages: Sequence[Any], format: MessageFormat) -> HistoryReport:
        """Rebuilds the reveals from the messages of a conversation: what answers of the discovery tools report as loaded, and
        what was called, in the same order and with the same evictions. Other tools are deferred again.

        Args:
            messages: all messages that the model is sent, as dicts or as objects of the SDK.
            format: how they are written.

        Returns:
            ``{revealed, concealed, missing}``

        Raises:
            ToolSiftError: ``messages_invalid``; ``format_mismatch`` if the messages have answered calls in another format
                and none in this one; ``option_invalid``, ``counter_failed``, ``session_closed``. Nothing has
                changed then.
        """
        return cast("HistoryReport", answered(self._core.replay(messages_text(messages), {"format": format})))

    def rescope(self, scope: Scope | str) -> list[str]:
        """Changes what the session may ever see, ``"all"`` for everything; returns what was concealed.

        Raises:
            ToolSiftError: ``name_ambiguous``, ``option_invalid``, ``option_unknown``, ``session_closed``
        """
        return cast("list[str]", answered(self._core.rescope(option(scope))))

    def unmatched(self) -> list[str]:
        """The entries of the host's lists and of the scope that name no tool of the catalog, or tools of several servers."""
        return cast("list[str]", answered(self._core.unmatched()))

    @property
    def revealed(self) -> list[str]:
        """The names of the revealed tools, in the order of their reveal."""
        return cast("list[str]", answered(self._core.revealed()))

    def tools(self) -> list[ToolInfo]:
        """Every shared tool and every tool of this session's own, and where it stands in this session."""
        return cast("list[ToolInfo]", [_annotated(tool) for tool in answered(self._core.tools())])

    def snapshot(self) -> Snapshot:
        """What the session knows, for ``sift.restore`` in any language. Its scope is not part of it."""
        return cast("Snapshot", answered(self._core.snapshot()))

    def open_record(self, record: str, has_scope: bool) -> None:
        """Brings the session up to date with its record, the text that a store keeps of it; an empty text is none. ``SessionStore``
        does it by itself.

        Args:
            record: what the store has.
            has_scope: whether the host has opened the session with a scope.

        Raises:
            ToolSiftError: ``store_garbled``; ``scope_required`` where the record is of a session with a scope, and this one was
                opened without; ``session_closed``
        """
        self._core.open_record(record, has_scope, int(time.time() * 1000))

    def save_record(self, record: str, ttl: int) -> str | None:
        """The record that a store is to keep in the place of another one, for ``ttl`` seconds, or for good if that is 0.

        Returns:
            Its text; None if the other one has all that the session knows.

        Raises:
            ToolSiftError: ``store_garbled``; ``revealed_full`` for more than a record may hold; ``session_closed``
        """
        return self._core.save_record(record, int(time.time() * 1000), 1000 * ttl)

    def close(self) -> None:
        """Closes the session. Closing it again does nothing."""
        self._core.close()
