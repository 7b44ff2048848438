"""A searchable catalog of tools (``ToolSift``), and the conversations that use it (``Session``)."""

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

# MCP's hints. The Rust code returns them as one number whose base-3 digits are the hints: 0 missing, 1 false, 2 true.
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
    """Returns one query as it is, and several queries as one text with a line for each."""
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
    """The methods of both a catalog and a session: adding and removing tools."""

    _core: _C
    _number: int
    _readers: dict[tuple[int, Any, Any], Callable[..., Any]]

    def register(self, tools: Any, **options: Unpack[RegisterOptions]) -> RegisterReport:
        """Registers one or more tools. A tool can be a dict in the form of MCP, OpenAI, Anthropic or Google, an MCP
        ``Tool``, a tool of LangChain, OpenAI Agents or another SDK with a name and a schema, a Pydantic model, or a
        function. The JSON Schema of a function is made from its annotations.

        If a tool in a list is invalid, it is reported in ``rejected``, and the others are registered. If a single tool
        is passed and is invalid, the error is raised. A tool is identified by its server and name. If a tool of another
        server has or had the same name, the model sees ``server__name``.

        Args:
            tools: one tool, or an iterable of tools.
            options: ``server``, ``names``, ``deferral``, ``category``, ``enrichment``.

        Returns:
            ``{registered, rejected, repaired, enrichment?}``, with the names that the model sees.

        Raises:
            ToolSiftError: ``not_json``, ``option_invalid``, ``option_unknown``, ``enrichment_invalid``,
                ``list_too_large``, ``session_closed``. For a single tool also ``name_empty``, ``name_too_long``,
                ``name_unsafe`` (with an ``alias``), ``name_reserved``, ``duplicate_tool``, ``schema_invalid``,
                ``schema_too_large``, ``description_too_long``, ``text_invalid``, ``tool_shape_unknown``,
                ``catalog_full``, ``catalog_too_large``, ``server_too_large``. The catalog is unchanged then.
        """
        many = listed(tools)
        said = _registration(options)
        if many is not None:
            return cast("RegisterReport", self._taken(many, said, self._core.register))
        report = answered(self._core.register_one(definition_text(tools), said))
        self._keep_readers([tools], said, report)
        return cast("RegisterReport", report)

    def sync(self, server: str, tools: Iterable[Any], **options: Unpack[SyncOptions]) -> SyncReport:
        """Replaces all tools of one server by these tools, for example after ``notifications/tools/list_changed``.
        Unchanged tools keep their place. A loaded tool that is removed is missing from the next request. If the tool
        comes back, it is loaded again.

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
        """Removes all tools of ``server``, or the tools in ``names`` (as the model sees them). If both are given,
        removes the tools of this server that are in ``names``.

        The name of a removed tool stays reserved for its server until all tools of the server are removed.

        Returns:
            The names of the removed tools.

        Raises:
            ToolSiftError: ``option_invalid``, also if neither argument is given; ``session_closed``
        """
        given = {key: value for key, value in {"server": server, "names": names}.items() if value is not None}
        return cast("list[str]", answered(self._core.unregister(option(given))))

    def _keep_readers(self, tools: list[Any], said: dict[str, Any], report: dict[str, Any]) -> None:
        """Keeps the ``read`` function of each registered skill. It reads the skill's files and never reaches the Rust
        code."""
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
    """A catalog of tools, and the sessions that use it. Several threads may share a catalog, and search in parallel.

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
        """Loads a catalog that was saved with ``export_index``, in Python or in another language.

        Args:
            index: the bytes of the saved catalog.
            content_hash: the expected hash of its tools; without it, the hash is not checked.
            options: the options of the constructor. ``synonyms`` and ``search["without"]`` must be the same as at the
                export.

        Raises:
            ToolSiftError: ``index_invalid``, ``index_stale``, ``catalog_full``, ``catalog_too_large``,
                ``server_too_large``, ``name_reserved``, and the errors of the constructor
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
        """Returns all profiles. A profile is a named set of settings: toolsift's own, or a copy of a published
        system."""
        return cast("list[dict[str, Any]]", answered(profiles()))

    def search(self, query: str | Sequence[str], **options: Unpack[SearchOptions]) -> SearchResult:
        """Searches the catalog as the model would. No tool is loaded. Several queries are one search for all of them.

        Args:
            query: words. It may also contain ``select:name``, ``+word``, ``-word``, ``server:name`` and ``/pattern/``.
            options: ``limit``, ``session`` (an id), ``reasons`` (fills ``parts``), ``scores``.

        Returns:
            ``{query, stage, hits, searched, confidence?, …}``, with the best hit first.

        Raises:
            ToolSiftError: ``pattern_invalid`` (only with the ranker ``pattern``), ``query_empty``, ``text_invalid``,
                ``option_invalid``, ``option_unknown``, ``session_closed``
        """
        return cast("SearchResult", answered(self._core.search(_query(query), option(options))))

    def explain(self, query: str | Sequence[str], name: str, **options: Unpack[SearchOptions]) -> Explanation:
        """Explains why a search finds one tool, or why it does not.

        Raises:
            ToolSiftError: ``tool_unknown``, and the errors of ``search``
        """
        return cast("Explanation", answered(self._core.explain(_query(query), text("name", name), option(options))))

    def session(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """Returns the open session with this id, or opens a new session. Without ``scope``, an open session is returned
        with any scope, and a new session may see all tools.

        Raises:
            ToolSiftError: ``session_id_invalid``; ``option_invalid`` if the session is open with another scope, or if
                ``scope`` is ``None``; ``name_ambiguous`` for a new session; ``scope_required`` if no scope is given and
                the session with this id had a scope before it was closed or evicted
        """
        return Session(self, self._core.session(text("session id", id), option(options)))

    def close_session(self, id: str) -> bool:
        """Closes the session with this id. Returns whether there was one."""
        return self._core.close_session(text("session id", id))

    def restore(
        self, snapshot: Snapshot | Mapping[str, Any], **options: Unpack[RestoreOptions]
    ) -> tuple[Session, list[ToolIdentity]]:
        """Opens the session of a snapshot and loads its tools, in the same order.

        Returns:
            The session, and the tools that could not be loaded. Tools that are not in the catalog yet are loaded later,
            when they are registered. Tools that are out of scope or beyond a limit are dropped.

        Raises:
            ToolSiftError: ``snapshot_invalid``, and the errors of ``session``. Nothing is changed then.
        """
        opened, missing = self._core.restore(written("snapshot", snapshot), option(options))
        return Session(self, opened), answered(missing)

    def export_index(self) -> bytes:
        """Returns the shared tools as bytes for ``from_index``. Equal tools and options give equal bytes in every
        language."""
        return self._core.export_index()

    @property
    def content_hash(self) -> str:
        """A hash of the names and definitions of all shared tools, as 16 hexadecimal digits. It is equal in every
        language."""
        return self._core.content_hash()

    def tools(self) -> list[ToolInfo]:
        """Returns every shared tool with its state in a new conversation."""
        return cast("list[ToolInfo]", [_annotated(tool) for tool in answered(self._core.tools())])

    def size(self, format: WireFormat = "mcp") -> CatalogSize:
        """Returns the cost of all shared tools in a wire format, in total and for each server."""
        return cast("CatalogSize", answered(self._core.size({"format": format})))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings in use: those of the profile, changed by the options."""
        return cast("dict[str, Any]", answered(self._core.settings()))

    @property
    def revision(self) -> int:
        """A number that changes whenever the catalog does."""
        return self._core.revision()


class Session(_Registrar[Opened]):
    """One conversation, opened by ``sift.session(id)``. Its state is in the ``ToolSift``: two ``Session`` objects with
    the same id share it.

    A session ends when it is closed. It is also evicted if ``limits["sessions"]`` other sessions were used after it.
    After the end, its methods raise ``session_closed``. ``register``, ``sync`` and ``unregister`` change tools that
    only this session sees. A ``with`` statement closes the session at its end.
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
        """The id that was passed when the session was opened."""
        return self._core.id

    def child(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """Opens a child session, for a subagent. The child has the tools of this session, even those that only this
        session sees, but loads tools separately. It sees only tools that both its own scope and this session's scope
        allow. It is closed together with this session. ``sift.session`` does not return it: keep the returned object.

        Raises:
            ToolSiftError: ``session_id_invalid``; ``option_invalid``, also if a session with this id is open;
                ``name_ambiguous``, ``option_unknown``, ``session_closed``
        """
        return Session(self.sift, self._core.child(text("session id", id), option(options)), self)

    def hand_back(self) -> list[str]:
        """Loads the loaded tools of this child in its parent too. Returns the tools that the parent had not loaded
        before.

        Raises:
            ToolSiftError: ``option_conflict`` if this session is not a child; the errors of the parent's ``reveal``
        """
        if self._parent is None:
            message = f"session {json.dumps(self.id)} is no child: it has nobody to hand back to"
            raise ToolSiftError("option_conflict", message)
        return self._parent.reveal(self.revealed)

    def assemble(self, format: WireFormat = "mcp") -> Assembly:
        """Returns the tools and the system-prompt text for the next model request, and their cost.

        Discovery tools come first, then the tools that are always sent, then the loaded tools in the order of their
        loading. So the vendor's prompt cache stays valid up to the newest tool.

        Returns:
            ``{active, tools, roles, system_prompt, size, deferrable}``. Pass ``tools`` unchanged to the vendor's SDK.

        Raises:
            ToolSiftError: ``option_invalid``, ``counter_failed``, ``session_closed``
        """
        return cast("Assembly", answered(self._core.assemble({"format": format})))

    def held_back(self, format: WireFormat = "mcp") -> list[HeldBack]:
        """Returns all tools that are sent only after they are loaded, with their definitions. Loaded tools are
        included."""
        return cast("list[HeldBack]", answered(self._core.held_back({"format": format})))

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None, **options: Unpack[CallOptions]) -> Outcome:
        """Handles a call of the model. If the call is wrong, the result is an error text for the model, not an
        exception.

        Args:
            name: the tool's name as the model wrote it.
            arguments: a dict, or JSON text as some vendors send it.
            options: ``now`` (ms since 1970), ``visible`` (names), ``scores``.

        Returns:
            ``{"kind": "result", "content": …}`` with the answer of a discovery tool, ``{"kind": "dispatch", "name": …,
            "arguments": …}`` with a tool that your program runs, or ``{"kind": "refused", "error": …}``.

        Raises:
            ToolSiftError: ``not_json``, ``option_invalid``, ``counter_failed``, ``session_closed``
        """
        given = "" if arguments is None else written("arguments", arguments)
        turn = {"now": time.time() * 1000, **option(options)}
        return cast("Outcome", _annotated(answered(self._core.call(text("name", name), given, turn))))

    def cut_answer(self, answer: str, most: int) -> str:
        """Returns a tool's answer for the model. If it has more than ``most`` characters, it is cut, and tells the
        model how to read the rest.

        The session keeps the whole answer. From then on, its requests contain the tool ``read_cut_answer``.
        """
        return self._core.cut_answer(text("answer", answer), most)

    async def read_skill(self, outcome: Dispatch) -> str:
        """Reads a file of a skill for the model. It calls the ``read(path)`` with which the skill was registered, which
        may be a coroutine function. If the model named no file, ``read`` gets no path. ``Toolbox.answer`` calls this
        method itself.

        Returns:
            The text for the model. It names its source. A long text is cut, as by ``cut_answer``.

        Raises:
            ToolSiftError: ``skill_invalid`` if the skill has no ``read``, or ``read`` does not return a text;
                ``tool_unknown`` if the skill is no longer in the catalog; ``session_closed``
            Exception: any error of ``read``
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
        """Handles all calls of one model reply in order. Each is a dict ``{"name", "args"?}``.

        Raises:
            ToolSiftError: the errors of ``call``. Earlier calls in the list keep their effect.
        """
        if not is_list(calls) or not all(is_object(one) and "name" in one for one in calls):
            raise ToolSiftError("option_invalid", f"calls must be a list of {{name, args?}}, got {kind(calls)}")
        return [self.call(one["name"], one.get("args"), **options) for one in calls]

    def prefetch(self, message: str, **options: Unpack[Budget]) -> list[str]:
        """Loads the tools that clearly fit the user's message, before the model is asked. About half of all requests
        then need no search. Nothing is loaded while all tools are sent anyway. A tool that writes or deletes is loaded
        only if the message asks for it.

        Args:
            message: the user's message.
            options: ``tools`` and ``tokens``, the most tools and tokens to load; by default 3 and 1,000.

        Returns:
            The names of the tools that were not loaded before.

        Raises:
            ToolSiftError: ``option_invalid``, ``option_unknown``, ``limit_out_of_range``, ``counter_failed``,
                ``session_closed``
        """
        if not isinstance(message, str):
            raise ToolSiftError("option_invalid", f"message must be a string, got {kind(message)}")
        return cast("list[str]", answered(self._core.prefetch(whole(message), option(options))))

    def reveal(self, names: Sequence[str]) -> list[str]:
        """Loads tools, by the names that the model sees: their definitions are sent from the next request. Returns the
        tools that were not loaded before.

        Raises:
            ToolSiftError: ``tool_unknown``, ``tool_out_of_scope``, ``revealed_full``. Nothing is loaded then.
        """
        return cast("list[str]", answered(self._core.reveal(option(names))))

    def conceal(self, names: Sequence[str]) -> list[str]:
        """Unloads tools: their definitions are no longer sent. Returns the tools that were loaded before.

        Raises:
            ToolSiftError: ``tool_unknown``. Nothing is changed then.
        """
        return cast("list[str]", answered(self._core.conceal(option(names))))

    def evict(self, **options: Unpack[Budget]) -> list[str]:
        """Unloads the least recently used tools, until at most ``tools`` tools with ``tokens`` tokens are loaded.
        Returns the unloaded tools.

        Raises:
            ToolSiftError: ``option_invalid``, also if neither option is given; ``limit_out_of_range``
        """
        return cast("list[str]", answered(self._core.evict(option(options))))

    def from_messages(self, messages: Sequence[Any], format: MessageFormat) -> HistoryReport:
        """Restores the loaded tools from the messages of a conversation: tools that the answers of discovery tools
        report as loaded, and called tools, in the same order and with the same evictions. All other tools are unloaded.

        Args:
            messages: all messages of the next request, as dicts or as objects of the SDK.
            format: the vendor's format of the messages.

        Returns:
            ``{revealed, concealed, missing}``: the loaded tools, the unloaded tools, and those that could not be
            loaded.

        Raises:
            ToolSiftError: ``messages_invalid``; ``format_mismatch`` if the messages have answered calls only in another
                format; ``option_invalid``, ``counter_failed``, ``session_closed``. Nothing is changed then.
        """
        return cast("HistoryReport", answered(self._core.replay(messages_text(messages), {"format": format})))

    def rescope(self, scope: Scope | str) -> list[str]:
        """Changes the scope, the tools that the session may see; ``"all"`` allows all tools. Returns the unloaded
        tools.

        Raises:
            ToolSiftError: ``name_ambiguous``, ``option_invalid``, ``option_unknown``, ``session_closed``
        """
        return cast("list[str]", answered(self._core.rescope(option(scope))))

    def unmatched(self) -> list[str]:
        """Returns the names in options and in the scope that fit no tool of the catalog, or tools of several
        servers."""
        return cast("list[str]", answered(self._core.unmatched()))

    @property
    def revealed(self) -> list[str]:
        """The names of the loaded tools, in the order of their loading."""
        return cast("list[str]", answered(self._core.revealed()))

    def tools(self) -> list[ToolInfo]:
        """Returns every shared tool and every tool of only this session, with its state in this session."""
        return cast("list[ToolInfo]", [_annotated(tool) for tool in answered(self._core.tools())])

    def snapshot(self) -> Snapshot:
        """Returns the state of the session, for ``sift.restore`` in any language. The scope is not included."""
        return cast("Snapshot", answered(self._core.snapshot()))

    def open_record(self, record: str, has_scope: bool) -> None:
        """Updates the session from its record, the text of the session in a store. ``SessionStore`` calls this method
        itself.

        Args:
            record: the text in the store; empty if there is none.
            has_scope: whether your program opened the session with a scope.

        Raises:
            ToolSiftError: ``store_garbled``; ``scope_required`` if the session was saved with a scope and opened
                without one; ``session_closed``
        """
        self._core.open_record(record, has_scope, int(time.time() * 1000))

    def save_record(self, record: str, ttl: int) -> str | None:
        """Returns the new record of the session for a store.

        Args:
            record: the present text in the store; empty if there is none.
            ttl: the seconds that the new record stays valid; 0 for no limit.

        Returns:
            The new text, or None if the present record is up to date.

        Raises:
            ToolSiftError: ``store_garbled``; ``revealed_full`` if a record cannot hold all loaded tools;
                ``session_closed``
        """
        return self._core.save_record(record, int(time.time() * 1000), 1000 * ttl)

    def close(self) -> None:
        """Closes the session. A second call does nothing."""
        self._core.close()
