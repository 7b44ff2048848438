"""Keeps sessions beyond their process, in records that every language of toolsift reads: processes that share a store share
the reveals of a session, whether they run Python or JavaScript.

.. code-block:: python

    store = SessionStore(sift, FileStore("./sessions"))
    async with store.use("chat-42") as session:
        ...

No record is ever changed: a newer one is written, then those are removed whose content it holds. Each reveal has a name of its
own, and a conceal takes back only reveals that its process had seen, so that states merge in any order.
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
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind
from ._sift import Session, ToolSift

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import RestoreOptions, RevealedTool, SessionOptions

__all__ = ["FileStore", "KeyValueStore", "RedisStore", "SessionStore"]

_T = TypeVar("_T")

_VERSION = 1
# The most reveals of one record, its most characters, and the greatest place: as in the package for npm.
_REVEALS = 20_000
_CHARS = 4_194_304
_COUNT = 2**48
# Records of one session, of which superseded ones settle; sessions whose state is remembered.
_RECORDS = 1_024
_SETTLING = _RECORDS // 2
_REMEMBERED = 4_096
# How often keys are listed again where records disappear between listing and reading.
_LISTS = 64
# Pauses in seconds before a record that is just being written is read again, and the age in ms at which it counts as dead.
_WAITS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
_DEAD_MS = 60_000
# Conceals that are remembered, all of one time together, and reveals of one tool.
_CONCEALED = 512
_CONCEALED_AT_ONCE = 20_000
_REVEALS_OF_ONE = 4
# A longer name of a session is replaced by its hash.
_NAME_CHARS = 120

_DOT = re.compile(r"[0-9a-f]{12}\.[0-9a-z]{1,11}")
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

_Tool = tuple["str | None", str]


@dataclass(frozen=True)
class _Reveal:
    """One reveal of a tool: its place, one more than the greatest that its process had seen, and the turn of its use."""

    tool: _Tool
    at: int
    used: int


@dataclass(frozen=True)
class _State:
    """What several processes know of a session: reveals, and the times of conceals, by the names of the reveals."""

    turn: int = 0
    # Whether the session saw less than everything. What it saw is not kept.
    scoped: bool = False
    revealed: Mapping[str, _Reveal] = field(default_factory=dict[str, _Reveal])
    concealed: Mapping[str, int] = field(default_factory=dict[str, int])

    def next(self) -> int:
        return max(0, *(one.at for one in self.revealed.values()), *self.concealed.values(), 0) + 1

    def same(self, other: _State) -> bool:
        lists = [(state.turn, state.scoped, [*state.revealed.items()], [*state.concealed.items()]) for state in (self, other)]
        return lists[0] == lists[1]


def _merge(states: Iterable[_State]) -> _State:
    """Merges states. The order of the result does not depend on the order of the states."""
    states = list(states)
    concealed: dict[str, int] = {}
    revealed: dict[str, _Reveal] = {}
    for state in states:
        for dot, at in state.concealed.items():
            concealed[dot] = max(at, concealed.get(dot, 0))
    for state in states:
        for dot, one in state.revealed.items():
            if dot not in concealed:
                known = revealed.get(dot)
                revealed[dot] = one if known is None else replace(one, used=max(one.used, known.used))
    by_age = sorted(concealed.items(), key=lambda item: (item[1], item[0]), reverse=True)
    oldest = by_age[_CONCEALED - 1][1] if len(by_age) >= _CONCEALED else 0
    newest = [item for item in by_age if item[1] >= oldest][:_CONCEALED_AT_ONCE][::-1]
    in_order = sorted(revealed.items(), key=lambda item: (item[1].at, item[0]))
    turn = max((state.turn for state in states), default=0)
    scoped = any(state.scoped for state in states)
    return _State(turn, scoped, dict(_few_of_each(in_order)), dict(newest))


def _few_of_each(reveals: list[tuple[str, _Reveal]]) -> list[tuple[str, _Reveal]]:
    """Without the reveals beyond the bound of one tool: the first gives the tool its place, the newest count."""
    places: dict[_Tool, list[int]] = {}
    for place, (_, one) in enumerate(reveals):
        places.setdefault(one.tool, []).append(place)
    too_many = {place for of_one in places.values() for place in of_one[1 : 1 - _REVEALS_OF_ONE]}
    return [reveal for place, reveal in enumerate(reveals) if place not in too_many]


def _tools(state: _State) -> dict[_Tool, int]:
    """The revealed tools, each at the place of its first reveal, with the turns of their use."""
    found: dict[_Tool, int] = {}
    for one in state.revealed.values():
        found[one.tool] = max(one.used, found.get(one.tool, 0))
    return found


def _without(state: _State, gone: set[_Tool]) -> _State:
    at = state.next()
    return _merge([state, _State(concealed={dot: at for dot, one in state.revealed.items() if one.tool in gone})])


def _with_tools(state: _State, fresh: Mapping[_Tool, int], dot: Callable[[], str]) -> _State:
    first = state.next()
    reveals = {dot(): _Reveal(tool, first + at, used) for at, (tool, used) in enumerate(fresh.items())}
    return _merge([state, _State(revealed=reveals)])


def _with_use(state: _State, turn: int, used: Mapping[_Tool, int]) -> _State:
    revealed = {dot: replace(one, used=max(one.used, used.get(one.tool, 0))) for dot, one in state.revealed.items()}
    return replace(state, turn=max(state.turn, turn), revealed=revealed)


def _changes(before: Mapping[_Tool, int], now: Mapping[_Tool, int], is_same: bool) -> tuple[dict[_Tool, int], set[_Tool]]:
    """Tools that were revealed since, and those whose earlier reveals count no more: concealed, or revealed anew at another
    place. In a session that was opened anew, nothing was concealed by being absent."""
    places = {tool: place for place, tool in enumerate(before)}
    gone = set(places) if is_same else set[_Tool]()
    fresh: dict[_Tool, int] = {}
    last = -1
    for tool, used in now.items():
        place = places.get(tool)
        # Reveals are only ever appended. A tool behind a new one, or behind one that used to follow it, was revealed again.
        if place is not None and (not is_same or (place > last and not fresh)):
            gone.discard(tool)
        else:
            gone.add(tool)
            fresh[tool] = used
        last = max(last, -1 if place is None else place)
    return fresh, gone


# Records -------------------------------------------------------------------------------------------------------------


def _written(id: str, state: _State, expires: float) -> str:
    record = {
        "toolsift": "session",
        "version": _VERSION,
        "id": id,
        "expires": None if math.isinf(expires) else int(expires),
        "turn": min(state.turn, _COUNT),
        **({"scoped": True} if state.scoped else {}),
        "revealed": [
            {"dot": dot, "at": min(one.at, _COUNT), "server": one.tool[0], "name": one.tool[1], "used": min(one.used, _COUNT)}
            for dot, one in state.revealed.items()
        ],
        "concealed": [{"dot": dot, "at": min(at, _COUNT)} for dot, at in state.concealed.items()],
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


class _Torn(Exception):
    """Only the beginning of a record was written."""


def _read(id: str, text: str) -> tuple[_State, float]:
    """A record's state, and when it expires in milliseconds.

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
    revealed, concealed = record.get("revealed"), record.get("concealed")
    if not (is_list(revealed) and is_list(concealed)) or max(len(revealed), len(concealed)) > _REVEALS:
        raise ValueError(f"it holds no lists of at most {_REVEALS} reveals and conceals")
    reveals: dict[str, _Reveal] = {}
    for one in revealed:
        fields: Mapping[str, Any] = one if is_object(one) else {}
        server, name, used = fields.get("server"), fields.get("name"), fields.get("used", 0)
        is_tool = "server" in fields and (server is None or isinstance(server, str)) and isinstance(name, str)
        if not (is_tool and _is_dot(fields.get("dot")) and _is_count(fields.get("at")) and _is_count(used)):
            raise ValueError("one of its reveals is broken")
        reveals[fields["dot"]] = _Reveal((server, cast("str", name)), fields["at"], used)
    conceals: dict[str, int] = {}
    for one in concealed:
        fields = one if is_object(one) else {}
        if not (_is_dot(fields.get("dot")) and _is_count(fields.get("at"))):
            raise ValueError("one of its conceals is broken")
        conceals[fields["dot"]] = fields["at"]
    return _State(record["turn"], scoped, reveals, conceals), math.inf if expires is None else expires


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _COUNT


def _is_dot(value: Any) -> bool:
    return isinstance(value, str) and _DOT.fullmatch(value) is not None


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


def _now() -> int:
    return int(time.time() * 1000)


@dataclass
class _Known:
    """What is remembered of a session between two calls."""

    state: _State
    shown: dict[_Tool, int]
    number: int
    keys: list[str]
    expires: float
    is_new: bool


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
        self._writer = secrets.token_hex(6)
        self._reveals = 0

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
            found = await self._read(id)
            is_bare = "scope" not in options and not early.is_scoped
            if is_bare and any(state.scoped for state in found[0]):
                raise self._refusal(early)
            # The session may have been evicted meanwhile, and is opened again: but never without the scope that it had.
            session = early if is_bound else self._sift.session(id, **options)
            known = self._follow(session, found)
            self._show(session, known.state, options)
            self._remember(id, session, known)
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
            known = self._follow(session, None if id in self._known else await self._read(id))
            self._remember(id, session, known)
            is_old = bool(known.keys) and known.expires - _now() < 500 * self._ttl
            if not known.is_new and not is_old:
                self._unsaved.pop(id, None)
                return
            key, expires = await self._write(id, known.state)
            self._unsaved.pop(id, None)
            known.keys = [*await self._remove_superseded(id, known.keys), key]
            known.expires, known.is_new = expires, False

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

    def _remember(self, id: str, session: Session, known: _Known) -> None:
        known.shown, known.number = _revealed(session)[1], session.number
        self._known[id] = known
        self._known.move_to_end(id)
        while len(self._known) > self._most:
            self._known.popitem(last=False)

    def _follow(self, session: Session, found: tuple[list[_State], list[str], float] | None) -> _Known:
        """What is known after the changes of the session in memory, and of the records where they were read."""
        turn, now = _revealed(session)
        states, keys, expires = found if found is not None else ([], [], math.inf)
        remote = _merge(states)
        # At first sight, tools that the session shares with the store are not new, and tools that it lacks are not concealed.
        stored = _tools(remote)
        first = _Known(_State(), {tool: used for tool, used in now.items() if tool in stored}, -1, [], math.inf, False)
        known = self._known.get(session.id, first)
        fresh, gone = _changes(known.shown, now, known.number == session.number)
        # A session that is saved is in use, however long its work took; only a session that is opened may have expired.
        is_expired = found is not None and not known.is_new and known.expires <= _now()
        before = _State() if is_expired else known.state
        merged = _with_tools(_merge([_without(before, gone), remote]), fresh, self._dot)
        state = replace(_with_use(merged, turn, now), scoped=session.is_scoped)
        is_new = not state.same(before if found is None else remote) or (found is None and known.is_new)
        if found is None:
            keys, expires = known.keys, known.expires
        return _Known(state, now, session.number, keys, expires, is_new)

    def _show(self, session: Session, state: _State, options: Mapping[str, Any]) -> None:
        """Makes the session in memory hold exactly the revealed tools, as far as they exist and it may see them."""
        snapshot = session.snapshot()
        revealed: list[RevealedTool] = [
            {"server": server, "name": name, "used": used} for (server, name), used in _tools(state).items()
        ]
        if snapshot["turn"] == state.turn and snapshot["revealed"] == revealed:
            return
        wanted = {**snapshot, "turn": state.turn, "revealed": revealed}
        kept = cast("RestoreOptions", {**options, "replace": True})
        self._sift.restore(wanted, **kept)

    def _dot(self) -> str:
        """A name for a reveal that no other process makes."""
        self._reveals += 1
        return f"{self._writer}.{_base36(self._reveals - 1)}"

    async def _read(self, id: str) -> tuple[list[_State], list[str], float]:
        """The states of a session's records that have not expired, the keys that they supersede, and the first expiry."""
        base = _base_of(self._prefix, id)
        read: dict[str, tuple[_State, float]] = {}
        gone: set[str] = set()
        listed: list[str] = []
        dead: list[str] = []
        waits = iter(_WAITS)
        for lists in range(1, _LISTS + 1):
            before = len(gone)
            listed = await self._list(base, _RECORDS)
            torn: list[str] = []
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
                    torn.append(key)
                except ValueError as error:
                    raise _garbled(f"{key!r} cannot be read: {error}") from None
            dead = [key for key in torn if _now() - (_written_at(key, base) or 0) > self._timeout * 1000 + _DEAD_MS]
            wait = None if len(dead) == len(torn) else next(waits, None)
            if wait is not None:
                await asyncio.sleep(wait)
            elif len(gone) == before or lists == _LISTS:
                break
        now = _now()
        alive = [(state, expires) for state, expires in read.values() if expires > now]
        keys = [key for key in listed if key in read or key in dead]
        return [state for state, _ in alive], keys, min((expires for _, expires in alive), default=math.inf)

    async def _write(self, id: str, state: _State) -> tuple[str, float]:
        now = _now()
        expires = math.inf if self._ttl == 0 else now + 1_000 * self._ttl
        text = _written(id, state, expires)
        if len(state.revealed) > _REVEALS or len(text) > _CHARS:
            size = f"{len(state.revealed)} reveals in {len(text)} characters"
            raise ToolSiftError("revealed_full", f"the session holds {size}; a store takes {_REVEALS} in {_CHARS}")
        key = f"{_base_of(self._prefix, id)}{_base36(now).rjust(9, '0')}-{secrets.token_hex(8)}"
        try:
            await self._ask(f"set_item({key!r})", self._store.set_item(key, text, self._ttl))
        except ToolSiftError:
            # A full disk leaves half a file, which nobody could read.
            with contextlib.suppress(ToolSiftError):
                await self._ask(f"remove_item({key!r})", self._store.remove_item(key))
            raise
        return key, expires

    async def _remove_superseded(self, id: str, keys: list[str]) -> list[str]:
        """Removes superseded records, and returns those that remain: they are too young, or the store failed."""
        base, settled = _base_of(self._prefix, id), _now() - self._settle
        remaining: list[str] = []
        for at, key in enumerate(sorted(keys)):
            if at >= len(keys) - _SETTLING and (_written_at(key, base) or 0) > settled:
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
    return snapshot["turn"], {(one["server"], one["name"]): one["used"] for one in snapshot["revealed"]}


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
