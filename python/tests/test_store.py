"""Tests saving sessions.

1. A conversation from the npm package continues in Python, and the reverse: loaded tools, their order, the turn.
2. Processes that share a session behave as in tests/cases/records.json, even if they save at the same moment.
3. An incomplete record counts as missing, a text that is not a record is refused, and a failing store leaves the
   session unchanged.
4. Redis keeps the same records.
5. If a session cannot be saved, its changes stay, and the failure is reported before the next use.
6. A session that was saved with a scope is not opened without one.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from conftest import ALWAYS
from toolsift import ToolSift, ToolSiftError
from toolsift.store import FileStore, RedisStore, SessionStore

ROOT = Path(__file__).parents[2]
STORIES: dict[str, str] = json.loads((ROOT / "tests" / "cases" / "records.json").read_text("utf-8"))
TOOLS = [{"name": name, "description": f"Does {name}."} for name in ("alpha", "beta", "gamma", "délta")]


def catalog(letters: str = "") -> ToolSift:
    sift = ToolSift(**ALWAYS)
    sift.register([*TOOLS, *({"name": letter} for letter in letters)], server="s", names="any")
    return sift


def in_node(folder: Path, id: str, *reveal: str) -> list[str]:
    done = run_node(folder, id, *reveal)
    assert done.returncode == 0, done.stderr
    answer: list[str] = json.loads(done.stdout)
    return answer


def run_node(folder: Path, id: str, *reveal: str) -> subprocess.CompletedProcess[str]:
    program = f"""
      import {{ ToolSift }} from "{ROOT}/pkg/dist/index.js";
      import {{ SessionStore, fileStore }} from "{ROOT}/pkg/dist/store.js";
      const sift = new ToolSift({{ activation: "on", deferral: "opt-out" }});
      sift.register({json.dumps(TOOLS)}, {{ server: "s", names: "any" }});
      const store = new SessionStore(sift, fileStore({json.dumps(str(folder))}));
      const shown = await store.use({json.dumps(id)}, (session) => {{
        session.assemble();
        session.reveal({json.dumps(reveal)});
        return session.snapshot();
      }});
      console.log(JSON.stringify([shown.turn, ...shown.revealed.map((one) => one.name)]));
    """
    return subprocess.run(["node", "--input-type=module", "-e", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("id", ["chat-42", "Ünïcode/…*" * 3, "x" * 200])
async def test_a_conversation_goes_on_in_the_other_language(tmp_path: Path, id: str) -> None:
    assert in_node(tmp_path, id, "beta", "délta") == [1, "beta", "délta"]
    store = SessionStore(catalog(), FileStore(tmp_path))
    async with store.use(id) as session:
        assert session.revealed == ["beta", "délta"]
        session.assemble()
        session.conceal(["beta"])
        session.reveal(["alpha"])
    assert in_node(tmp_path, id, "gamma") == [3, "délta", "alpha", "gamma"]
    async with store.use(id) as session:
        assert session.revealed == ["délta", "alpha", "gamma"]
        assert session.snapshot()["turn"] == 3
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
async def test_processes_share_a_session(tmp_path: Path, story: str) -> None:
    """``tests/store/merging.test.mjs`` says how stories are written."""
    processes: dict[str, tuple[ToolSift, SessionStore]] = {}

    def process() -> tuple[ToolSift, SessionStore]:
        sift = catalog("abcdefgh")
        return sift, SessionStore(sift, FileStore(tmp_path))

    async def do(op: str, sift: ToolSift, store: SessionStore) -> None:
        session = sift.session("chat")
        if op in ("open", "delete"):
            await (store.open("chat") if op == "open" else store.delete("chat"))
        elif op == "save":
            await store.save(session)
        elif op == "close":
            session.close()
        elif op[0] in "+-":
            _ = session.reveal([*op[1:]]) if op[0] == "+" else session.conceal([*op[1:]])
        else:
            assert (session.revealed if op[0] == "=" else sorted(session.revealed)) == [*op[1:]], op

    for part in story.split("; "):
        who, ops = part.split(": ")
        for name in who.split("&"):
            if name == "new" or name not in processes:
                processes[name] = process()
        for op in ops.split(" "):
            await asyncio.gather(*(do(op, *processes[name]) for name in who.split("&")))
    stores = [store for _, store in processes.values()]
    for store in stores:
        await store.save(await store.open("chat"))
    end = (await process()[1].open("chat")).revealed
    assert [(await store.open("chat")).revealed for store in stores] == [end] * len(stores)
    await stores[0].delete("chat")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("host", ["elsewhere", socket.gethostname()])
async def test_a_lock_that_nobody_gives_back(tmp_path: Path, host: str) -> None:
    ended = subprocess.run(["node", "-p", "process.pid"], capture_output=True, text=True, check=True).stdout.strip()
    lock = tmp_path / "toolsift" / "id-chat.lock"
    lock.parent.mkdir()
    lock.write_text(f"{ended} 11111111-2222-4333-8444-555555555555 {host}")

    async def turn(letter: str) -> None:
        timeout = 5 if host == "elsewhere" or os.name == "nt" else 2
        async with SessionStore(catalog("abcdefgh"), FileStore(tmp_path), timeout=timeout).use("chat") as session:
            session.reveal([letter])

    node = asyncio.to_thread(in_node, tmp_path, "chat", "alpha")
    await asyncio.gather(node, *(turn(letter) for letter in "abcdefgh"))
    session = await SessionStore(catalog("abcdefgh"), FileStore(tmp_path)).open("chat")
    assert {*session.revealed} == {"alpha", *"abcdefgh"}
    assert [path.name for path in lock.parent.iterdir()] == ["id-chat"]


async def test_a_write_whose_lock_was_taken_over_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken_over(path: Path, value: str) -> None:
        path.write_text(value)
        if path.suffix != ".lock":
            path.with_name("id-chat.lock").write_text("1 11111111-2222-4333-8444-555555555555 another")

    store = FileStore(tmp_path)
    assert await store.swap_item("toolsift:id-chat", "first", "", 0)
    monkeypatch.setattr("toolsift.store._create", taken_over)
    assert not await store.swap_item("toolsift:id-chat", "late", "first", 0)
    assert await store.get_item("toolsift:id-chat") == "first"


async def test_what_is_broken(tmp_path: Path) -> None:
    store = SessionStore(catalog(), FileStore(tmp_path))
    async with store.use("a") as session:
        session.reveal(["alpha"])
    record = next(path for path in tmp_path.rglob("*") if path.is_file())
    whole = record.read_text()
    for text, revealed in (("", []), (whole[:40], []), (whole, ["alpha"])):
        record.write_text(text)
        assert (await SessionStore(catalog(), FileStore(tmp_path)).open("a")).revealed == revealed
    record.write_text('{"other":1}')
    with pytest.raises(ToolSiftError, match="no record of a session") as caught:
        await SessionStore(catalog(), FileStore(tmp_path)).open("a")
    assert caught.value.code == "store_garbled"

    class Failing(FileStore):
        async def swap_item(self, key: str, value: str, before: str, ttl: int) -> bool:
            raise OSError("the disk is full")

    failing = SessionStore(catalog(), Failing(tmp_path / "other"))
    session = await failing.open("a")
    session.reveal(["beta"])
    with pytest.raises(ToolSiftError, match="the disk is full") as caught:
        await failing.save(session)
    assert (caught.value.code, session.revealed) == ("store_failed", ["beta"])
    with pytest.raises(ToolSiftError, match="of the same ToolSift"):
        await store.save(session)


async def test_what_was_paid_for_is_given(tmp_path: Path) -> None:
    class Full(FileStore):
        is_full = True

        async def swap_item(self, key: str, value: str, before: str, ttl: int) -> bool:
            if self.is_full:
                raise OSError("no space left")
            return await super().swap_item(key, value, before, ttl)

    told: list[tuple[str, str]] = []
    files = Full(tmp_path)
    store = SessionStore(catalog(), files, on_unsaved=lambda id, error: told.append((id, error.code)))
    paid = 0

    async def turn(name: str) -> int:
        nonlocal paid
        async with store.use("chat") as session:
            session.reveal([name])
            paid += 1
            return paid

    assert await turn("alpha") == 1
    assert told == [("chat", "store_failed")]
    for again in (turn("beta"), store.open("chat")):
        with pytest.raises(ToolSiftError, match="no space left"):
            await again
    assert paid == 1
    with pytest.raises(KeyError):
        async with SessionStore(catalog(), files).use("other"):
            raise KeyError
    files.is_full = False
    assert await turn("beta") == 2
    assert in_node(tmp_path, "chat") == [1, "alpha", "beta"]
    assert len(told) == 1


async def test_a_scope_is_never_lost(tmp_path: Path) -> None:
    store = SessionStore(catalog(), FileStore(tmp_path))
    async with store.use("a", scope={"tools": ["s:alpha"]}) as session:
        session.reveal(["alpha"])
    assert "scope_required" in run_node(tmp_path, "a").stderr
    anew = SessionStore(catalog(), FileStore(tmp_path))
    for _ in range(2):
        with pytest.raises(ToolSiftError, match="was saved with a scope") as caught:
            await anew.open("a")
        assert caught.value.code == "scope_required"
    assert (await anew.open("a", scope={"tools": ["s:alpha"]})).revealed == ["alpha"]
    async with SessionStore(catalog(), FileStore(tmp_path)).use("a", scope="all"):
        pass
    assert (await SessionStore(catalog(), FileStore(tmp_path)).open("a")).revealed == ["alpha"]


@pytest.mark.sdk
async def test_redis_itself(tmp_path: Path) -> None:
    redis: Any = import_module("redis.asyncio")
    program = [os.environ.get("REDIS_SERVER", "redis-server"), "--port", "0", "--save", "", "--dir", str(tmp_path)]
    socket = str(tmp_path / "redis.sock")
    server = subprocess.Popen([*program, "--unixsocket", socket], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None and any("eady to accept connections" in line for line in server.stdout)
        async with redis.Redis(unix_socket_path=socket) as client:
            store = SessionStore(catalog(), RedisStore(client), ttl=60)
            for id in ("Chat *", "Chat 1"):
                for name in ("alpha", "beta"):
                    async with store.use(id) as session:
                        session.reveal([name])
            assert (await SessionStore(catalog(), RedisStore(client)).open("Chat *")).revealed == ["alpha", "beta"]
            await store.delete("Chat *")
            assert await client.keys() == [b"toolsift:id-.43hat.201"]
            assert 0 < await client.ttl("toolsift:id-.43hat.201") <= 60
            record = json.loads(await client.get("toolsift:id-.43hat.201"))
            assert [one["name"] for one in record["revealed"]] == ["alpha", "beta"]
    finally:
        server.terminate()
        server.wait()
