"""Saves sessions in files or Redis. Processes that use the same store, in Python or JavaScript, share the loaded tools
of a session.

.. code-block:: python

    store = SessionStore(sift, FileStore("./sessions"))
    async with store.use("chat-42") as session:
        ...

The saved text of a session is called its record. Before a process writes a record, it reads it and adds its own
changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import socket
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from ._errors import ToolSiftError
from ._json import kind
from ._sift import Session, ToolSift

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import SessionOptions

__all__ = ["FileStore", "KeyValueStore", "RedisStore", "SessionStore"]

_T = TypeVar("_T")

# The most unsaved sessions that are remembered, and the most attempts to save a session that other processes change
# too.
_UNSAVED = 4_096
_TRIES = 64
# The longest name of a session in a key, in characters. A longer name is replaced by its hash.
_NAME_CHARS = 120
_PREFIX = re.compile(r"[\w-]+(:[\w-]+)*", re.ASCII)
# Seconds after which another process's lock is taken over, and seconds to wait for another write.
_STALE = 3
_WAIT = 4
# Another process has made or deleted a file. Windows also refuses to change a file that another process has open.
_RACES: tuple[type[OSError], ...] = (FileExistsError, FileNotFoundError, *([PermissionError] if os.name == "nt" else []))
_HOST = socket.gethostname()
# Writes a text if the key still has the text that was read before. A missing key counts as an empty text.
_SWAP = """
if (redis.call("get", KEYS[1]) or "") ~= ARGV[1] then return 0 end
if ARGV[3] == "0" then redis.call("set", KEYS[1], ARGV[2]) else redis.call("setex", KEYS[1], ARGV[3], ARGV[2]) end
return 1"""


class KeyValueStore(Protocol):
    """The three methods that a store of records must have."""

    async def get_item(self, key: str) -> str | None:
        """Returns the text of a key, or None if the key does not exist."""
        ...

    async def swap_item(self, key: str, value: str, before: str, ttl: int) -> bool:
        """Writes ``value`` if the key still has the text ``before`` (empty for a missing key). The text stays for
        ``ttl`` seconds, or without limit if ``ttl`` is 0. Returns whether it was written."""
        ...

    async def remove_item(self, key: str) -> None:
        """Removes a key. It is not an error if the key does not exist."""
        ...


class FileStore(KeyValueStore):
    """Stores records in a folder that only this user can read. The npm package's ``fileStore`` reads the same files.

    A text is written to a draft, flushed and renamed, so that no process reads half a text. A lock file names the process
    that writes. To take over the lock of another process, a process first deletes its draft, so that it can rename it no
    more.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    async def get_item(self, key: str) -> str | None:
        return await asyncio.to_thread(_text_in, self._path(key))

    async def swap_item(self, key: str, value: str, before: str, ttl: int) -> bool:
        return await asyncio.to_thread(self._write, self._path(key), value, before)

    def _write(self, path: Path, value: str, before: str) -> bool:
        lock, owner = path.with_name(f"{path.name}.lock"), f"{os.getpid()} {uuid.uuid4()} {_HOST}"
        draft = _draft_of(path, owner)
        _claim(path, lock, owner)
        try:
            if (_text_in(path) or "") != before:
                return False
            _create(draft, value)
            if _text_in(lock) != owner:
                return False
            draft.replace(path)
        except _RACES:
            return False
        finally:
            with contextlib.suppress(*_RACES):
                draft.unlink(missing_ok=True)
            with contextlib.suppress(*_RACES):
                if _text_in(lock) == owner:
                    lock.unlink()
        return True

    async def remove_item(self, key: str) -> None:
        await asyncio.to_thread(self._path(key).unlink, True)

    def _path(self, key: str) -> Path:
        parts = key.split(":")
        if not all(re.fullmatch(r"[\w.-]+", part, re.ASCII) and part.strip(".") for part in parts):
            raise ToolSiftError("option_invalid", f"{key[:80]!r} is no key of a SessionStore")
        return self._folder.joinpath(*parts)


def _text_in(path: Path) -> str | None:
    try:
        return path.read_text("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _create(path: Path, value: str) -> None:
    file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(value)
            opened.flush()
            if path.suffix != ".lock":
                os.fsync(file)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _draft_of(path: Path, owner: str) -> Path:
    """Returns the path of the draft of a lock's owner. Its random name is all that is read of a lock."""
    name = re.search("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", owner)
    return path.with_name(f"{path.name}.{name and name[0]}.part")


def _claim(path: Path, lock: Path, owner: str) -> None:
    """Creates the lock. Takes over the lock of a process that has ended, or that holds it too long by our own clock."""
    start = time.monotonic()
    seen, since = None, start
    while True:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _create(lock, owner)
        except _RACES:
            if time.monotonic() - start > _WAIT:
                raise
        with contextlib.suppress(*_RACES):
            found = _text_in(lock)
            if found != seen:
                seen, since = found, time.monotonic()
            if found is not None and (time.monotonic() - since > _STALE or _is_dead(found)):
                _take_over(path, lock, found)
        time.sleep(0.01)


def _take_over(path: Path, lock: Path, found: str) -> None:
    """Removes a lock. Its process loses its draft first. Only one process can rename a lock."""
    _draft_of(path, found).unlink(missing_ok=True)
    away = path.with_name(f"{path.name}.{uuid.uuid4()}.stale")
    if _text_in(lock) == found:
        lock.rename(away)
        # If it is a newer lock after all, its process loses its draft too, and writes again.
        _draft_of(path, _text_in(away) or "").unlink(missing_ok=True)
        away.unlink()


def _is_dead(owner: str) -> bool:
    """Returns True if a lock is of a process of this machine that has ended. Windows has no such question."""
    pid, _, host = owner.partition(" ")
    if os.name == "nt" or not re.fullmatch(r"\d{1,9}", pid, re.ASCII) or host[37:] != _HOST:
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


class RedisStore(KeyValueStore):
    """Stores records in Redis, one string for each key. The npm package's ``redisStore`` reads the same keys.

    Args:
        client: a ``redis.asyncio.Redis``. Your program closes it.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    async def get_item(self, key: str) -> str | None:
        value = await self._client.get(key)
        return value.decode() if isinstance(value, bytes) else value

    async def swap_item(self, key: str, value: str, before: str, ttl: int) -> bool:
        return bool(await self._client.eval(_SWAP, 1, key, before, value, ttl))

    async def remove_item(self, key: str) -> None:
        await self._client.delete(key)


class SessionStore:
    """Saves sessions in a store and opens them again. A scope is never saved: pass it with every ``open`` and ``use``.

    Args:
        sift: the catalog.
        store: a ``FileStore``, a ``RedisStore``, or any object with the methods of ``KeyValueStore``.
        ttl: the seconds after which an unused session is deleted; 0 for never.
        prefix: the beginning of all keys.
        timeout: the seconds that one call of the store may take; 0 for no limit.
        on_unsaved: is called with the id and the error if ``use`` cannot save its session. Its own errors are ignored.

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
        timeout: float = 5,
        on_unsaved: Callable[[str, ToolSiftError], object] | None = None,
    ) -> None:
        if not isinstance(sift, ToolSift):
            raise ToolSiftError("option_invalid", f"sift is {kind(sift)}; it must be a ToolSift")
        for name in ("get_item", "swap_item", "remove_item"):
            if not callable(getattr(store, name, None)):
                raise ToolSiftError("option_invalid", f"store must have a method {name}, got {kind(store)}")
        for what, value, most in (("ttl", ttl, 315_360_000), ("timeout", timeout, 600)):
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
        # The ids of sessions that `use` could not save.
        self._unsaved: dict[str, None] = {}
        self._ttl, self._prefix, self._timeout = int(ttl), prefix, timeout
        # Calls for one session run one after the other. Calls for different sessions run in parallel.
        self._uses: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._calls: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self, id: str, **options: Unpack[SessionOptions]) -> Session:
        """Opens a session and updates it from the store. Tools that other processes unloaded are unloaded. Tools that
        this process loaded and did not save yet stay loaded. If an earlier ``use`` could not save the session, it is
        saved now.

        Raises:
            ToolSiftError: ``store_failed``, ``store_garbled``, and the errors of ``sift.session``; ``scope_required``
                if the session was saved with a scope and no scope is passed. The session in memory is unchanged then.
        """
        # A wrong id or scope is refused here, before the store is called.
        self._sift.session(id, **options)
        async with self._calls.setdefault(id, asyncio.Lock()):
            record = await self._read(self._key(id))
            # If the session was evicted in the meantime, it is opened again, but never without the scope that it had.
            session = self._sift.session(id, **options)
            session.open_record(record, "scope" in options)
        if id in self._unsaved:
            await self.save(session)
        return session

    async def save(self, session: Session) -> None:
        """Saves a session, unless its record is up to date. Changes that other processes saved in the meantime are
        kept; the next ``open`` applies them.

        Raises:
            ToolSiftError: ``store_failed``, ``store_garbled`` or ``revealed_full`` (you can save the session again
                later); ``session_closed``; ``option_invalid`` for a session of another ``ToolSift``
        """
        if session.sift is not self._sift:
            raise ToolSiftError("option_invalid", f"session must be of the same ToolSift, got session {session.id!r}")
        key = self._key(session.id)
        async with self._calls.setdefault(session.id, asyncio.Lock()):
            for _ in range(_TRIES):
                before = await self._read(key)
                record = session.save_record(before, self._ttl)
                swapped = record is None or await self._ask("swap_item", key, self._store.swap_item(key, record, before, self._ttl))
                if swapped:
                    self._unsaved.pop(session.id, None)
                    return
            raise ToolSiftError("store_failed", f"other processes have written {key} {_TRIES} times meanwhile; save it again")

    @contextlib.asynccontextmanager
    async def use(self, id: str, **options: Unpack[SessionOptions]) -> AsyncGenerator[Session]:
        """Opens a session for ``async with`` and saves it at the end, even after an error. Only one ``use`` of a
        session runs at a time: never nest two of them. If the session cannot be saved, no error is raised, because the
        model's work is done and paid for. Then ``on_unsaved`` is called. The next ``open`` or ``use`` saves the session
        first, or fails.

        Raises:
            ToolSiftError: the errors of ``open``
        """
        async with self._uses.setdefault(id, asyncio.Lock()):
            session = await self.open(id, **options)
            try:
                yield session
            finally:
                await self._saved(session)

    async def _saved(self, session: Session) -> None:
        """Saves a session. If that fails, the changes stay in memory and ``on_unsaved`` is called."""
        try:
            await self.save(session)
        except ToolSiftError as error:
            self._unsaved.pop(session.id, None)
            self._unsaved[session.id] = None
            while len(self._unsaved) > _UNSAVED:
                del self._unsaved[next(iter(self._unsaved))]
            if self._on_unsaved is not None:
                with contextlib.suppress(Exception):
                    self._on_unsaved(session.id, error)

    async def delete(self, id: str) -> None:
        """Deletes a session from the store, and closes it in this process. If another process still has the session
        open and saves it, the session is back in the store.

        Raises:
            ToolSiftError: ``store_failed``
        """
        key = self._key(id)
        async with self._calls.setdefault(id, asyncio.Lock()):
            await self._ask("remove_item", key, self._store.remove_item(key))
            self._unsaved.pop(id, None)
            self._sift.close_session(id)

    def _key(self, id: str) -> str:
        """Returns the key of a session. Lower-case letters, digits, ``-`` and ``_`` of its id stay; other bytes are
        escaped."""
        data = id.encode()
        name = "".join(chr(byte) if chr(byte) in "0123456789abcdefghijklmnopqrstuvwxyz_-" else f".{byte:02x}" for byte in data)
        return f"{self._prefix}:{f'id-{name}' if len(name) <= _NAME_CHARS else f'hash-{hashlib.sha256(data).hexdigest()}'}"

    async def _read(self, key: str) -> str:
        return await self._ask("get_item", key, self._store.get_item(key)) or ""

    async def _ask(self, what: str, key: str, call: Awaitable[_T]) -> _T:
        try:
            return await asyncio.wait_for(call, self._timeout or None)
        except Exception as error:
            advice = "the session in memory is as it was, and can be saved again"
            reason = str(error) or type(error).__name__
            raise ToolSiftError("store_failed", f"the store failed at {what}({key!r}): {reason} ({advice})") from error
