"""Keeps sessions beyond their process, in records that every language of toolsift reads: processes that share a store share
the reveals of a session, whether they run Python or JavaScript.

.. code-block:: python

    store = SessionStore(sift, FileStore("./sessions"))
    async with store.use("chat-42") as session:
        ...

No record is ever changed: a newer one is written, which names those whose content it has, and then these are removed. Records
that no other replaces are joined as sets of tools, in the order of their names.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import math
import os
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind
from ._sift import Session, ToolSift

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import RestoreOptions, RevealedTool, SessionOptions

__all__ = ["FileStore", "KeyValueStore", "RedisStore", "SessionStore"]

_T = TypeVar("_T")

_VERSION = 1
# The most reveals of one record, its most characters, and the greatest count: as in the package for npm.
_REVEALS = 20_000
_CHARS = 4_194_304
_COUNT = 2**48
# Records of one session, of which superseded ones settle; sessions whose state is remembered.
_RECORDS = 1_024
_SETTLING = _RECORDS // 2
_REMEMBERED = 4_096
# How often keys are listed again where records disappear between listing and reading.
_LISTS = 64
# Beyond the time of one call, a torn record is this old before it counts as dead: clocks of machines differ.
_DEAD_MS = 60_000
# A longer name of a session is replaced by its hash.
_NAME_CHARS = 120

_RECORD = re.compile(r"([0-9a-z]{9})-[0-9a-f]{16}")
_PREFIX = re.compile(r"[\w-]+(:[\w-]+)*", re.ASCII)
_START = '{"toolsift":"session","version":'


class KeyValueStore(Protocol):
    """Where records are kept: four methods, with the keys and texts of ``unstorage``."""

    async def get_keys(self, base: str) -> Iterable[str]:
        """The keys that begin with ``base``."""
        ...

    async def get_item(self, key: str) -> str | None:
        """The text of a key, or None."""
        ...

    async def set_item(self, key: str, value: str, ttl: int) -> None:
        """Keeps a text, for ``ttl`` seconds where that is not 0."""
        ...

    async def remove_item(self, key: str) -> None:
        """Removes a key; one that is not there is none of its concern."""
        ...


class FileStore:
    """A folder of this machine, in which only this user reads: the form of npm's ``fileStore`` and of unstorage's ``fs``.

    A record is written beside its place, flushed and renamed, so that no process finds half of one.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    async def get_keys(self, base: str) -> list[str]:
        session = base.removesuffix(":")
        return await asyncio.to_thread(self._list, session)

    def _list(self, session: str) -> list[str]:
        try:
            names = os.listdir(self._path(session))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [f"{session}:{name}" for name in names if not name.endswith(".part")]

    async def get_item(self, key: str) -> str | None:
        return await asyncio.to_thread(self._read, key)

    def _read(self, key: str) -> str | None:
        try:
            return self._path(key).read_text("utf-8")
        except (FileNotFoundError, IsADirectoryError):
            return None

    async def set_item(self, key: str, value: str, ttl: int) -> None:
        await asyncio.to_thread(self._write, key, value)

    def _write(self, key: str, value: str) -> None:
        path = self._path(key)
        part = path.with_name(f"{path.name}-{secrets.token_hex(4)}.part")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
                file.write(value)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    async def remove_item(self, key: str) -> None:
        await asyncio.to_thread(self._path(key).unlink, True)

    def _path(self, key: str) -> Path:
        parts = key.split(":")
        if not all(re.fullmatch(r"[\w.-]+", part, re.ASCII) and part.strip(".") for part in parts):
            raise ToolSiftError("option_invalid", f"{key[:80]!r} is no key of a SessionStore")
        return self._folder.joinpath(*parts)


class RedisStore:
    """Redis, in the form of npm's ``redisStore``: one hash for each session, whose fields are its records. To open a session
    costs the same however many others there are, and Redis drops the hash when its last record has expired.

    Args:
        client: a ``redis.asyncio.Redis``, whose end is the host's.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    async def get_keys(self, base: str) -> list[str]:
        return [f"{base}{_text(field)}" for field in await self._client.hkeys(base.removesuffix(":"))]

    async def get_item(self, key: str) -> str | None:
        session, _, record = key.rpartition(":")
        value = await self._client.hget(session, record)
        return None if value is None else _text(value)

    async def set_item(self, key: str, value: str, ttl: int) -> None:
        session, _, record = key.rpartition(":")
        # At once, so that a process which is killed in between leaves nothing that never expires.
        async with self._client.pipeline(transaction=True) as many:
            many.hset(session, record, value)
            _ = many.expire(session, ttl) if ttl else many.persist(session)
            await many.execute()

    async def remove_item(self, key: str) -> None:
        session, _, record = key.rpartition(":")
        await self._client.hdel(session, record)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


# States --------------------------------------------------------------------------------------------------------------

# The server, the name, and whether it is a skill, or one whose beginning the prompt has.
_Tool = tuple["str | None", str, Literal["", "skill", "ahead"]]


@dataclass(frozen=True)
class _State:
    """What is known of a session: the turns in which its tools were used, in the order of their reveals."""

    turn: int = 0
    # Whether the session saw less than everything. What it saw is not kept.
    scoped: bool = False
    revealed: Mapping[_Tool, int] = field(default_factory=dict[_Tool, int])

    def same(self, other: _State) -> bool:
        return self == other and [*self.revealed] == [*other.revealed]


@dataclass(frozen=True)
class _Record:
    """A state as a record has it."""

    state: _State
    # The names of the records whose content this one has: they count no more, also while they are still there.
    replaces: list[str]
    # In milliseconds; infinite for a session that never expires.
    expires: float


def _union(states: Iterable[_State]) -> _State:
    """All tools of some states, each at its first place, with the latest turns and uses."""
    states = list(states)
    found: dict[_Tool, int] = {}
    for state in states:
        for tool, used in state.revealed.items():
            found[tool] = max(used, found.get(tool, 0))
    return _State(max((state.turn for state in states), default=0), any(state.scoped for state in states), found)


def _gone(before: Iterable[_Tool], now: Iterable[_Tool]) -> set[_Tool]:
    """Earlier reveals that count no more: they were concealed since, or revealed anew behind others. Reveals are only ever
    appended, so that whatever stands behind the first change is new."""
    places = [*before]
    gone = set(places)
    last = -1
    for tool in now:
        if tool not in places[last + 1 :]:
            break
        last = places.index(tool, last + 1)
        gone.discard(tool)
    return gone


# Records -------------------------------------------------------------------------------------------------------------


def _written(id: str, state: _State, replaces: list[str], expires: float) -> str:
    record = {
        "toolsift": "session",
        "version": _VERSION,
        "id": id,
        "expires": None if math.isinf(expires) else int(expires),
        "turn": min(state.turn, _COUNT),
        **({"scoped": True} if state.scoped else {}),
        "replaces": replaces,
        "revealed": [
            _reveal(tool, min(used, _COUNT)) for tool, used in state.revealed.items()
        ],
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


class _Torn(Exception):
    """Only the beginning of a record was written."""


def _read(id: str, text: str) -> _Record:
    """A record.

    Raises:
        ValueError: it is no record
        _Torn: only its beginning was written
    """
    if len(text) > _CHARS:
        raise ValueError(f"it has {len(text)} characters, more than {_CHARS}")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        if text.startswith(_START) or _START.startswith(text) or not text.strip("\0"):
            raise _Torn from None
        raise ValueError("it is no JSON") from None
    if not is_object(record) or record.get("toolsift") != "session":
        raise ValueError("it is no record of a session")
    if record.get("version") != _VERSION:
        raise ValueError(f"it has version {str(record.get('version'))[:20]}; this toolsift reads {_VERSION}")
    if record.get("id") != id:
        raise ValueError("it is of another session")
    expires = record.get("expires")
    if expires is not None and not _is_count(expires):
        raise ValueError("its expiry is no time")
    if not _is_count(record.get("turn")):
        raise ValueError("its turn is no count")
    scoped = record.get("scoped", False)
    if not isinstance(scoped, bool):
        raise ValueError("it does not say whether it had a scope")
    revealed, replaces = record.get("revealed"), record.get("replaces", [])
    if not is_list(revealed) or len(revealed) > _REVEALS:
        raise ValueError(f"it holds no list of at most {_REVEALS} reveals")
    if not is_list(replaces) or not all(isinstance(name, str) and _RECORD.fullmatch(name) for name in replaces):
        raise ValueError("it does not say which records it replaces")
    tools: dict[_Tool, int] = {}
    for one in revealed:
        fields: Mapping[str, Any] = one if is_object(one) else {}
        server, name, used = fields.get("server"), fields.get("name"), fields.get("used", 0)
        is_tool = "server" in fields and (server is None or isinstance(server, str)) and isinstance(name, str)
        if not (is_tool and _is_count(used)):
            raise ValueError("one of its reveals is broken")
        tools[_tool(fields)] = used
    state = _State(record["turn"], scoped, tools)
    return _Record(state, [*replaces], math.inf if expires is None else expires)


def _tool(reveal: Mapping[str, Any]) -> _Tool:
    return reveal["server"], reveal["name"], "ahead" if reveal.get("ahead") else "skill" if reveal.get("skill") else ""


def _reveal(tool: _Tool, used: int) -> RevealedTool:
    server, name, kind = tool
    reveal: RevealedTool = {"server": server, "name": name, "used": used}
    if kind:
        reveal["skill"] = True
    if kind == "ahead":
        reveal["ahead"] = True
    return reveal


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _COUNT


def _base_of(prefix: str, id: str) -> str:
    """What every key of a session begins with: lower-case letters, digits, ``-`` and ``_`` stay, other bytes are escaped."""
    data = id.encode()
    name = "".join(chr(byte) if chr(byte) in "0123456789abcdefghijklmnopqrstuvwxyz_-" else f".{byte:02x}" for byte in data)
    return f"{prefix}:{f'id-{name}' if len(name) <= _NAME_CHARS else f'hash-{hashlib.sha256(data).hexdigest()}'}:"


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"


def _written_at(key: str, base: str) -> int | None:
    found = _RECORD.fullmatch(key[len(base) :]) if key.startswith(base) else None
    return None if found is None else int(found[1], 36)


def _time_of(key: str) -> int:
    """When a record was written."""
    return _written_at(key, key[: key.rfind(":") + 1]) or 0


def _now() -> int:
    return int(time.time() * 1000)


@dataclass(frozen=True)
class _Known:
    """What is known of a session between two calls."""

    # What the store holds, as far as this process has read and written it; the newest record of that, and the first expiry.
    stored: _State
    newest: str | None
    expires: float
    # What the store was last seen to hold. What is known beyond that has to be written again.
    seen: _State
    # The records that the next one replaces.
    keys: list[str]
    # The reveals of the session in memory at the last comparison, and those that counted no more since the last save.
    shown: Iterable[_Tool] = ()
    gone: frozenset[_Tool] = frozenset()
    # Identifies that session: it may have been evicted since, and opened again under the same id.
    number: int = -1


def _known_of(records: Mapping[str, _Record], keys: list[str], before: _Known | None) -> _Known:
    """What is known of a session once its records are read. Where a store shows a write late, what this process has written
    last is known all the same, unless it has expired, or a record that is as new shows that another process has replaced it."""
    seen = _union(record.state for record in records.values())
    stored = {key: record.state for key, record in records.items()}
    expiring = [record.expires for record in records.values()]
    newest = None if before is None else before.newest
    if before is not None and newest is not None and newest not in keys and before.expires > _now():
        if all(_time_of(key) < _time_of(newest) for key in keys):
            # It has what the records have that this process knew.
            for key in before.keys:
                stored.pop(key, None)
            stored[newest] = before.stored
            expiring.append(before.expires)
    ordered = sorted(stored)
    replaced = keys if before is None else keys + [key for key in before.keys if key not in keys]
    state = _union(stored[key] for key in ordered)
    return _Known(state, ordered[-1] if ordered else None, min(expiring, default=math.inf), seen, replaced)


def _joined(session: Session, stored: _State, before: _Known | None) -> tuple[_State, frozenset[_Tool]]:
    """The state of a session: what the store holds, without what was concealed in memory since the last comparison, and with
    what was revealed in memory since. And the reveals that count no more."""
    turn, now = _revealed(session)
    # In a session that was closed or evicted and opened anew, nothing was concealed by being absent.
    known = before if before is not None and before.number == session.number else None
    gone: frozenset[_Tool] = frozenset() if known is None else known.gone | _gone(known.shown, now)
    old: Mapping[_Tool, int] = {} if known is None else known.stored.revealed
    kept = {tool: max(used, now.get(tool, 0)) for tool, used in stored.revealed.items() if tool not in gone}
    fresh = {tool: used for tool, used in now.items() if tool in gone or tool not in old}
    revealed = {**kept, **{tool: max(used, kept.get(tool, 0)) for tool, used in fresh.items()}}
    return _State(max(turn, stored.turn), session.is_scoped, revealed), gone


class SessionStore:
    """Sessions that outlive a process. Make one for each ``ToolSift`` and keep it: it remembers which reveals are news. A
    scope is never stored: pass it with every ``open`` and ``use``.

    Args:
        sift: the catalog.
        store: a ``FileStore``, a ``RedisStore``, or any object with these four methods.
        ttl: seconds that an unused session lives; 0 for ever.
        prefix: what keys begin with.
        settle: milliseconds that superseded records are kept, where readers may see old lists.
        timeout: seconds that one call of the store may take.
        on_unsaved: is called with the id and the error where a ``use`` could not save its session. What it raises is ignored.

    Raises:
        ToolSiftError: ``option_invalid``, ``limit_out_of_range``
    """

    def __init__(
        self,
        sift: ToolSift,
        store: KeyValueStore,
        *,
        ttl: int = 2_592_000,
        prefix: str = "toolsift",
        settle: int = 0,
        timeout: float = 5,
        on_unsaved: Callable[[str, ToolSiftError], object] | None = None,
    ) -> None:
        if not isinstance(sift, ToolSift):
            raise ToolSiftError("option_invalid", f"sift is {kind(sift)}; it must be a ToolSift")
        for name in ("get_keys", "get_item", "set_item", "remove_item"):
            if not callable(getattr(store, name, None)):
                raise ToolSiftError("option_invalid", f"store must have a method {name}, got {kind(store)}")
        for what, value, most in (("ttl", ttl, 315_360_000), ("settle", settle, 86_400_000), ("timeout", timeout, 600)):
            if not isinstance(value, (int, float)) or not 0 <= value <= most:
                raise ToolSiftError("limit_out_of_range", f"{what} is {kind(value)}; 0 to {most}")
        if not isinstance(prefix, str) or len(prefix) > 128 or not _PREFIX.fullmatch(prefix):
            rule = '1 to 128 letters, digits, "-" and "_", in parts with ":" between'
            raise ToolSiftError("option_invalid", f"prefix is {kind(prefix)}; it must be {rule}")
        if on_unsaved is not None and not callable(on_unsaved):
            raise ToolSiftError("option_invalid", f"on_unsaved is {kind(on_unsaved)}; it must be a function")
        self._sift = sift
        self._store = store
        self._on_unsaved = on_unsaved
        # The sessions that a use could not save.
        self._unsaved: dict[str, None] = {}
        self._ttl, self._prefix, self._settle, self._timeout = ttl, prefix, settle, timeout
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._most = max(_REMEMBERED, sift.settings["limits"]["sessions"])
        self._uses: dict[str, asyncio.Lock] = {}
        self._calls: dict[str, asyncio.Lock] = {}

    async def open(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """Opens a session with what any process has saved of it. What others concealed is concealed, and what was revealed
        here and is not saved yet stays. What a ``use`` could not save is saved first.

        Raises:
            ToolSiftError: ``store_failed``, ``store_garbled``, and what ``sift.session`` raises; ``scope_required`` where a
                process has saved it with a scope, and none is passed. The session in memory is as it was then.
        """
        # Refuses a bad id, and another scope than that of the open session, before the store is asked.
        early = self._sift.session(id, **options)
        is_bound = "scope" not in options and early.is_scoped
        async with _locked(self._calls, id):
            records, keys = await self._read(id)
            is_bare = "scope" not in options and not early.is_scoped
            if is_bare and any(record.state.scoped for record in records.values()):
                raise self._refusal(early)
            # The session may have been evicted meanwhile, and is opened again: but never without the scope that it had.
            session = early if is_bound else self._sift.session(id, **options)
            before = self._known.get(id)
            known = _known_of(records, keys, before)
            state, gone = _joined(session, known.stored, before)
            self._show(session, state, options)
            self._remember(id, replace(known, shown=[*_revealed(session)[1]], gone=gone, number=session.number))
        if id in self._unsaved:
            await self.save(session)
        return session

    async def save(self, session: Session) -> None:
        """Saves what a session knows, unless the store has all of it.

        Raises:
            ToolSiftError: ``store_failed``, ``store_garbled``, ``revealed_full``: save it again when the store is back;
                ``session_closed``; ``option_invalid`` for a session of another ``ToolSift``
        """
        if session.sift is not self._sift:
            raise ToolSiftError("option_invalid", f"session must be of the same ToolSift, got session {session.id!r}")
        id = session.id
        async with _locked(self._calls, id):
            known = self._known.get(id) or _known_of(*await self._read(id), None)
            state, gone = _joined(session, known.stored, known)
            shown, number = [*_revealed(session)[1]], session.number
            is_old = known.newest is not None and known.expires - _now() < 500 * self._ttl
            if state.same(known.seen) and not is_old:
                self._remember(id, replace(known, shown=shown, gone=gone, number=number))
                self._unsaved.pop(id, None)
                return
            key = f"{_base_of(self._prefix, id)}{_base36(_now()).rjust(9, '0')}-{secrets.token_hex(8)}"
            # Where the write fails, it may arrive all the same, later than the next one, which replaces it.
            self._remember(id, replace(known, keys=[*known.keys, key][-_RECORDS:]))
            expires = await self._write(id, key, state, known.keys)
            self._unsaved.pop(id, None)
            keys = [*await self._remove_replaced(known.keys), key]
            self._remember(id, _Known(state, key, expires, state, keys, shown, number=number))

    @contextlib.asynccontextmanager
    async def use(self, id: str, **options: Unpack[SessionOptions]) -> AsyncGenerator[Session]:
        """Opens a session, and saves it at the end, also where that is an error. Two uses of one session wait for each other,
        so one must not be made within another. What was done in it was paid for, so it stands also where it cannot be saved:
        ``on_unsaved`` is told then, and the next ``open`` or ``use`` of the session fails unless it can be saved by then.

        Raises:
            ToolSiftError: what ``open`` raises
        """
        async with _locked(self._uses, id):
            session = await self.open(id, **options)
            try:
                yield session
            finally:
                await self._saved(session)

    async def _saved(self, session: Session) -> None:
        """Saves a session; changes that cannot be saved stay in memory."""
        try:
            await self.save(session)
        except ToolSiftError as error:
            self._unsaved.pop(session.id, None)
            self._unsaved[session.id] = None
            while len(self._unsaved) > self._most:
                del self._unsaved[next(iter(self._unsaved))]
            if self._on_unsaved is not None:
                with contextlib.suppress(Exception):
                    self._on_unsaved(session.id, error)

    async def delete(self, id: str) -> None:
        """Forgets a session, in the store and in this process. A process that still has it in memory brings it back when it
        saves it.

        Raises:
            ToolSiftError: ``store_failed``, ``store_garbled``
        """
        async with _locked(self._calls, id):
            for key in await self._list(_base_of(self._prefix, id), None):
                await self._ask(f"remove_item({key!r})", self._store.remove_item(key))
            self._known.pop(id, None)
            self._unsaved.pop(id, None)
            self._sift.close_session(id)

    def _refusal(self, session: Session) -> ToolSiftError:
        """The error for a session that had a scope and is opened without one. What was opened for it is closed; what was open
        before stays as it was."""
        known = self._known.get(session.id)
        if known is None or known.number != session.number:
            session.close()
        advice = 'open it with its scope again, or with the scope "all" if it may see everything'
        what = f"session {session.id[:80]!r} was saved with a scope, and a scope is not kept"
        return ToolSiftError("scope_required", f"{what}: {advice}")

    def _remember(self, id: str, known: _Known) -> None:
        self._known[id] = known
        self._known.move_to_end(id)
        while len(self._known) > self._most:
            self._known.popitem(last=False)

    def _show(self, session: Session, state: _State, options: Mapping[str, Any]) -> None:
        """Makes the session in memory hold exactly the revealed tools, as far as they exist and it may see them."""
        snapshot = session.snapshot()
        revealed = [_reveal(tool, used) for tool, used in state.revealed.items()]
        if snapshot["turn"] == state.turn and snapshot["revealed"] == revealed:
            return
        wanted = {**snapshot, "turn": state.turn, "revealed": revealed}
        kept = cast("RestoreOptions", {**options, "replace": True})
        self._sift.restore(wanted, **kept)

    async def _read(self, id: str) -> tuple[dict[str, _Record], list[str]]:
        """The records of a session that have not expired and that no other replaces, the oldest first; and the keys of all. A
        torn record is skipped: what it replaces is removed only after all of it is written. One whose process has died is
        removed."""
        base = _base_of(self._prefix, id)
        read: dict[str, _Record] = {}
        gone: set[str] = set()
        listed: list[str] = []
        for _ in range(_LISTS):
            before = len(gone)
            listed = await self._list(base, _RECORDS)
            for key in listed:
                if key in read or key in gone:
                    continue
                text = await self._ask(f"get_item({key!r})", self._store.get_item(key))
                if text is None:
                    # No key is written twice: a record that is gone stays gone, and its successor is in the next list.
                    gone.add(key)
                    continue
                try:
                    read[key] = _read(id, text if isinstance(text, str) else json.dumps(text))
                except _Torn:
                    if _now() - _time_of(key) > self._timeout * 1000 + _DEAD_MS:
                        gone.add(key)
                        with contextlib.suppress(ToolSiftError):
                            await self._ask(f"remove_item({key!r})", self._store.remove_item(key))
                except ValueError as error:
                    raise _garbled(f"{key!r} cannot be read: {error}") from None
            if len(gone) == before:
                break
        now = _now()
        keys = sorted(key for key in listed if key in read)
        replaced = {base + name for record in read.values() for name in record.replaces}
        return {key: read[key] for key in keys if key not in replaced and read[key].expires > now}, keys

    async def _write(self, id: str, key: str, state: _State, replaced: list[str]) -> float:
        """Writes a record that has the content of others, and returns when it expires."""
        expires = math.inf if self._ttl == 0 else _now() + 1_000 * self._ttl
        text = _written(id, state, [one.rpartition(":")[2] for one in replaced], expires)
        if len(state.revealed) > _REVEALS or len(text) > _CHARS:
            size = f"{len(state.revealed)} reveals in {len(text)} characters"
            raise ToolSiftError("revealed_full", f"the session holds {size}; a store takes {_REVEALS} in {_CHARS}")
        try:
            await self._ask(f"set_item({key!r})", self._store.set_item(key, text, self._ttl))
        except ToolSiftError:
            # A full disk leaves half a file, which nobody could read.
            with contextlib.suppress(ToolSiftError):
                await self._ask(f"remove_item({key!r})", self._store.remove_item(key))
            raise
        return expires

    async def _remove_replaced(self, keys: list[str]) -> list[str]:
        """Removes replaced records, and returns those that remain: they are too young, or the store failed."""
        settled = _now() - self._settle
        remaining: list[str] = []
        for at, key in enumerate(sorted(keys)):
            if at >= len(keys) - _SETTLING and _time_of(key) > settled:
                remaining.append(key)
                continue
            try:
                await self._ask(f"remove_item({key!r})", self._store.remove_item(key))
            except ToolSiftError:
                remaining.append(key)
        return remaining

    async def _list(self, base: str, most: int | None) -> list[str]:
        keys = await self._ask(f"get_keys({base!r})", self._store.get_keys(base))
        ours = [key for key in dict.fromkeys(keys) if isinstance(key, str) and _written_at(key, base) is not None]
        if most is not None and len(ours) > most:
            raise _garbled(f"there are {len(ours)} records under {base!r}, more than {most}")
        return ours

    async def _ask(self, what: str, call: Awaitable[_T]) -> _T:
        try:
            return await asyncio.wait_for(call, self._timeout or None)
        except Exception as error:
            advice = "the session in memory is as it was, and can be saved again"
            reason = str(error) or type(error).__name__
            raise ToolSiftError("store_failed", f"the store failed at {what}: {reason} ({advice})") from error


def _revealed(session: Session) -> tuple[int, dict[_Tool, int]]:
    snapshot = session.snapshot()
    return snapshot["turn"], {_tool(one): one["used"] for one in snapshot["revealed"]}


def _garbled(problem: str) -> ToolSiftError:
    advice = "nothing was removed or overwritten; remove what is no record of toolsift, or delete the session"
    return ToolSiftError("store_garbled", f"{problem} ({advice})")


@contextlib.asynccontextmanager
async def _locked(locks: dict[str, asyncio.Lock], id: str) -> AsyncGenerator[None]:
    """Work on one session runs one after the other, work on different sessions at once."""
    lock = locks.setdefault(id, asyncio.Lock())
    async with lock:
        yield
    if not lock.locked() and not getattr(lock, "_waiters", None):
        locks.pop(id, None)
