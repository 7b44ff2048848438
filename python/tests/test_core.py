"""Tests the catalog and ``toolsift()`` in Python.

1. Tools are read from functions, Pydantic models, MCP and LangChain tools, and dicts of every vendor; invalid ones are
   reported.
2. Errors have codes, and an empty value never allows more than was meant.
3. Threads search in parallel while the catalog changes.
4. If a token counter uses its own catalog or fails, this is reported, and the catalog stays usable.
5. `mcp_servers` is read as in the npm package, an error names the place and no secret, and whole files of ten clients
   are accepted.
6. A changed list of a server is read again, and a failing server does not affect the others.
7. Tools of one session run where the program says, with any names, and a child has the tools of its parent.
8. Skills are read from folders, each once, with the ``read`` function that was registered.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from conftest import ALWAYS, get_weather, tickets
from pydantic import BaseModel, Field

from toolsift import Tool, ToolSift, ToolSiftError, toolsift
from toolsift._configurations import plans_of
from toolsift._definitions import runner
from toolsift.store import FileStore, SessionStore
from toolsift.types import Dispatch


def schemas(*tools: Any) -> list[dict[str, Any]]:
    sift = ToolSift(activation="off")
    report = sift.register(list(tools))
    assert report["rejected"] == []
    return [tool["inputSchema"] for tool in sift.session("a").assemble()["tools"]]


def test_tools_are_read_from_everything() -> None:
    from mcp.types import Tool as McpTool

    def find(query: str, kind: Literal["a", "b"] = "a", limit: Annotated[int, Field(le=9)] = 3) -> None:
        """Finds.

        Args:
            query: what to find
        """

    class Book(BaseModel):
        """Books a table."""

        guests: int

    mcp = McpTool.model_validate({"name": "m", "inputSchema": {"type": "object", "properties": {"a": {}}}})
    chat: dict[str, Any] = {"type": "function", "function": {"name": "c", "parameters": {"type": "object", "properties": {"b": {}}}}}
    own = Tool("own", "Is one.", {"type": "object", "properties": {"d": {}}}, print)
    of = schemas(find, Book, mcp, chat, own)
    assert of[0] == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "what to find"},
            "kind": {"enum": ["a", "b"], "type": "string", "default": "a"},
            "limit": {"maximum": 9, "type": "integer", "default": 3},
        },
        "required": ["query"],
    }
    assert [list(schema["properties"]) for schema in of[1:]] == [["guests"], ["a"], ["b"], ["d"]]


def by_position(one: int, /) -> None: ...


def many(one: int, *others: int) -> None: ...


# What type checkers would tell too.
open_box: Any = toolsift
store_of: Any = SessionStore
WRONG: list[tuple[str, Callable[[Any], Any]]] = [
    ("option_invalid", lambda sift: sift.session("a", scope=None)),
    ("text_invalid", lambda sift: sift.search("\ud800")),
    ("name_unsafe", lambda sift: sift.register({"name": "a b"})),
    ("not_json", lambda sift: sift.register("tools.json")),
    ("not_json", lambda sift: sift.register({"name": "a", "inputSchema": {"x": float("nan")}})),
    ("tool_shape_unknown", lambda sift: sift.register({"kind": "x"})),
    ("schema_invalid", lambda sift: sift.register(by_position)),
    ("schema_invalid", lambda sift: sift.register(many)),
    ("limit_out_of_range", lambda sift: type(sift)(context_window=float("nan"))),
    ("option_invalid", lambda sift: sift.session("a").call_all([{}])),
    ("option_invalid", lambda sift: sift.unregister(names="abc")),
    ("option_invalid", lambda sift: type(sift)(always_available={"a", 1})),
    ("option_invalid", lambda sift: toolsift(sift=sift, tools=[42])),
    ("option_invalid", lambda sift: open_box(".mcp.json")),
    ("option_invalid", lambda sift: open_box({1: {"command": "x"}})),
    ("option_invalid", lambda sift: open_box({"s": {"command": "${X}"}}, env=["X"])),
    ("option_invalid", lambda sift: open_box(sift=42)),
    ("option_invalid", lambda sift: open_box(packs="no")),
    ("option_invalid", lambda sift: open_box(tools=[Tool("a", "Is one.", {}, sift)])),
    ("limit_out_of_range", lambda sift: open_box(call_timeout=float("nan"))),
    ("limit_out_of_range", lambda sift: open_box(max_answer_chars=0)),
    ("option_invalid", lambda sift: store_of(5, FileStore("."))),
]


@pytest.mark.parametrize(("code", "wrong"), WRONG)
def test_errors_have_codes(code: str, wrong: Callable[[Any], Any]) -> None:
    sift = ToolSift()
    before = sift.revision
    with pytest.raises(ToolSiftError) as caught:
        wrong(sift)
    assert (caught.value.code, sift.revision) == (code, before)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_threads_share_a_catalog() -> None:
    sift = ToolSift(**ALWAYS)
    sift.register([{"name": f"tool_{at}", "description": f"Opens door {at}."} for at in range(500)])

    def work(thread: int) -> int:
        session = sift.session(f"chat-{thread}")
        for at in range(50):
            sift.sync(f"s{thread}", [{"name": f"own_{thread}_{at}", "description": "Closes a window."}])
            session.call("search_tools", {"query": f"open door {at}"})
            assert sift.search("close a window", limit=5)["hits"]
        return len(session.revealed)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_a_counter_cannot_use_its_catalog() -> None:
    sift = ToolSift(count_tokens=lambda text: sift.revision)
    sift.register({"name": "a"})
    with pytest.raises(ToolSiftError, match="reentrant") as caught:
        sift.session("a").assemble()
    assert caught.value.code == "counter_failed"
    assert sift.search("a")["hits"]


@pytest.mark.parametrize(
    ("code", "entry"),
    [
        ("option_invalid", {}),
        ("option_conflict", {"command": "x", "url": "http://x"}),
        ("option_conflict", {"command": "x", "type": "http"}),
        ("option_invalid", {"comand": "x"}),
        ("option_invalid", {"url": "ftp://x"}),
        ("option_invalid", {"url": "http://user:secret@x"}),
        ("option_invalid", {"command": "x", "args": "secret"}),
        ("option_invalid", {"command": "${SECRET}"}),
    ],
)
def test_configurations_are_checked(code: str, entry: dict[str, Any]) -> None:
    with pytest.raises(ToolSiftError, match=r"mcp_servers\.s") as caught:
        toolsift({"s": entry})
    assert caught.value.code == code
    assert "secret" not in str(caught.value).replace("'${SECRET}'", "").lower()


CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "tests" / "cases" / "client-configurations.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["client"])
def test_configurations_of_clients_are_taken_as_they_are(case: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    """npm's package reads the same cases."""
    [plan] = plans_of(case["file"], {"TOKEN": "secret"}, True)
    wanted = case["way"]
    if wanted["kind"] == "stdio":
        wanted = {"kind": "stdio", "stdio": {"command": "npx", "args": wanted["args"], "env": wanted.get("env"), "cwd": None}}
    assert plan.way == wanted
    names = {key: frozenset(name.partition("(")[0] for name in names) for key, names in case["tools"].items()}
    assert plan.include == names.get("includeTools")
    assert plan.exclude == names.get("excludeTools", frozenset())
    assert caplog.records == []


def test_a_file_of_variables_is_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# of the server\nexport A=\"one two\"\nB='x' # y\nC=3\n")
    (tmp_path / "data").write_bytes(b"A=\xff")
    files = [str(tmp_path / ".env"), "no", str(tmp_path / "data"), "a\0"]
    read, *broken = plans_of({file: {"command": "x", "envFile": file} for file in files}, None, True)
    assert read.way["stdio"]["env"] == {"A": "one two", "B": "x", "C": "3"}
    assert all("its envFile cannot be read" in plan.way for plan in broken)


def test_entries_are_read_as_clients_mean_them(caplog: pytest.LogCaptureFixture) -> None:
    entry = {"command": "x", "args": ["$${A}", "${A}", "${A:-b}"], "env": {"PORT": 8080, "ON": True}, "enviroment": {}}
    plans = plans_of({"s": entry, "off": {"command": "x", "enabled": False}}, {"A": ""}, False)
    stdio = {"command": "x", "args": ["${A}", "", "b"], "env": {"PORT": "8080", "ON": "true"}, "cwd": None}
    assert [(plan.name, plan.way) for plan in plans] == [("s", {"kind": "stdio", "stdio": stdio})]
    assert [one.getMessage() for one in caplog.records] == ["mcp_servers.s has 'enviroment', which nothing reads"]


class Person(BaseModel):
    name: str


async def test_functions_get_what_their_annotations_say() -> None:
    def add(a: int, b: int = 1) -> int:
        return a + b

    async def greet(person: Person, at: date, **more: str) -> str:
        return f"{person.name} on {at:%A} {more}"

    @cache
    def twice(a: int) -> int:
        return 2 * a

    def read(a: int) -> Person:
        return Person.model_validate({"a": a})

    def divide() -> dict[str, float]:
        return {"a": float("nan")}

    calls: list[tuple[str, dict[str, Any], str]] = [
        ("add", {"a": "2", "b": 3}, "5"),
        ("add", {"a": 2, "c": 1}, "3"),
        ("greet", {"person": {"name": "Ada"}, "at": "2026-11-29", "tone": "warm"}, "Ada on Sunday {'tone': 'warm'}"),
        ("greet", {"person": {"name": "Ada"}, "at": "2026-11-29", "tone": 1}, "greet failed: tone: Input should be a valid string"),
        ("add", {"a": "two"}, "add failed: a: Input should be a valid integer, unable to parse string as an integer"),
        ("greet", {"person": {}, "at": "2026-11-29"}, "greet failed: person.name: Field required"),
        ("greet", {"person": {"name": "Ada"}, "at": "2026-11-29", "p0": "x"}, "Ada on Sunday {'p0': 'x'}"),
        ("twice", {"a": "2"}, "4"),
        ("read", {"a": 2}, "read failed: 1 validation error for Person"),
        ("divide", {}, "{'a': nan}"),
    ]
    async with toolsift(tools=[add, greet, twice, read, divide], activation="off") as box:
        for name, arguments, text in calls:
            assert (await box.answer("a", name, arguments)).text.splitlines()[0] == text


async def test_an_async_function_needs_no_thread() -> None:
    async def double(a: int) -> int:
        return 2 * a

    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    asyncio.get_running_loop().set_default_executor(pool)
    assert await runner(double)({"a": "2"}) == 4


@pytest.mark.sdk
async def test_tools_of_other_sdks_run_or_are_refused_by_name() -> None:
    from agents import function_tool
    from fastmcp.tools import Tool as FastTool
    from langchain_core.tools import tool as langchain_tool
    from pydantic_ai import RunContext
    from pydantic_ai import Tool as AiTool

    def in_a_run(ctx: Any, city: str) -> str:
        return city

    in_a_run.__annotations__ = {"ctx": RunContext[None], "city": str, "return": str}
    runs: list[Any] = [langchain_tool(get_weather), AiTool(get_weather), FastTool.from_function(get_weather)]
    for tool in runs:
        async with toolsift(tools=[tool], activation="off") as box:
            [sent] = box.session("a").assemble("mcp")["tools"]
            assert list(sent["inputSchema"]["properties"]) == ["city"]
            assert (await box.answer("a", "get_weather", {"city": "Oslo"})).text == "rain in Oslo"
    refused: list[Any] = [function_tool(get_weather), AiTool(in_a_run)]
    for tool in refused:
        with pytest.raises(ToolSiftError, match=f"the tool '{tool.name}' of .* give it to the agent"):
            toolsift(tools=[tool])


@pytest.mark.sdk
def test_sessions_are_rebuilt_from_objects_of_sdks() -> None:
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    sift = ToolSift(**ALWAYS)
    sift.register([{"name": name} for name in ("found", "called", "refused")])
    said = sift.session("live").call("add_tool", {"tool_names": ["found"]})
    assert said["kind"] == "result"
    calls: list[tuple[str, dict[str, Any], str]] = [("add_tool", {"tool_names": ["found"]}, said["content"]), ("called", {}, "done")]
    langchain: list[Any] = [HumanMessage("Go.")]
    pydantic: list[Any] = [ModelRequest([UserPromptPart("Go.")])]
    for at, (name, args, answer) in enumerate(calls):
        langchain.append(AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"c{at}"}]))
        langchain.append(ToolMessage(answer, tool_call_id=f"c{at}", artifact=object()))
        pydantic.append(ModelResponse([ToolCallPart(name, args, f"c{at}")]))
        pydantic.append(ModelRequest([ToolReturnPart(name, answer, f"c{at}")]))
    pydantic += [ModelResponse([ToolCallPart("refused", {}, "r")])]
    retry = {"part_kind": "retry-prompt", "content": "Unknown tool", "tool_name": "refused", "tool_call_id": "r"}
    pydantic += [{"kind": "request", "parts": [retry]}]
    conversations: list[tuple[Any, Any]] = [("langchain", langchain), ("pydantic-ai", pydantic)]
    for format, messages in conversations:
        report = sift.session(format).from_messages(messages, format)
        assert report == {"revealed": ["found", "called"], "concealed": [], "missing": []}
    with pytest.raises(ToolSiftError, match='pass format "pydantic-ai"'):
        sift.session("a").from_messages(pydantic, "openai")


HEAD = "---\nname: triage-issues\ndescription: Triages issues of a repository.\nallowed-tools: get_weather Bash(ls:*)\n---\n"
BROKEN = [
    ("# Just text\n", ":1: it must begin with a head"),
    ("---\nname: a\n", ":1: it must begin with a head"),
    ("---\ndescription: d\n---\n", ": name must have 1 to 64"),
    ("---\nname: My Skill\ndescription: d\n---\n", ": name must have 1 to 64"),
    ("---\nname: a\n---\n", ": description must have 1 to 1024"),
    ("---\nname: a\ndescription: Use when: a\n---\n", ":3: mapping values are not allowed here; put quotes"),
    ("---\nname: a\ndescription: 'open\n---\n", ":"),
    ("---\n- a\n---\n", ":2: \"key: value\" is expected"),
    (f"---\nname: {'[' * 9_000}\n---\n", ":1: a value is nested too deeply"),
    (None, ": 'SKILL.md' cannot be read: Too many levels of symbolic links"),
]


@pytest.mark.sdk
async def test_skills_of_folders_are_read(tmp_path: Path) -> None:
    skill = tmp_path / "team" / "triage"
    for folder in (skill / "references", tmp_path / ".git", tmp_path / "notes"):
        folder.mkdir(parents=True)
    (skill / "SKILL.md").write_bytes(f"{HEAD}# Triage\nAsk first.\n".replace("\n", "\r\n").encode())
    (skill / "references" / "labels.md").write_text("bug, question")
    (skill / "data.bin").write_bytes(b"\xff\x00")
    (tmp_path / ".git" / "SKILL.md").write_text("broken")
    (tmp_path / "secret.txt").write_text("token")
    (skill / "leak").symlink_to(tmp_path / "secret.txt")
    (skill / "circle").symlink_to("circle")
    # What leads to a folder that was met gives its skills once.
    for link, to in (("again", tmp_path), ("latest", tmp_path / "team"), ("zero", skill)):
        (tmp_path / "notes" / link).symlink_to(to)
    reads = [
        ("./references/labels.md", "bug, question"),
        (None, "# Triage\r\nAsk first."),
        ("leak", "leads out of the folder"),
        ("../../secret.txt", "must be a file within the skill's folder"),
        ("data.bin", "is no text in UTF-8"),
        ("missing.md", "cannot be read: No such file"),
        ("references", "is no file"),
        ("circle", "cannot be read: Too many levels"),
        ("a" * 300, "cannot be read: File name too long"),
    ]
    own = {"name": "own-skill", "description": "Writes reports.", "text": "Write."}
    async with toolsift(tools=[get_weather], skills=[tmp_path, own], **ALWAYS) as box:
        session = box.session("a")
        loaded = await box.answer(session, "add_tool", {"tool_names": ["triage-issues"]})
        assert [tool["name"] for tool in box.sift.tools()] == ["get_weather", "triage-issues", "own-skill"]
        assert "Ask first." in loaded.text and session.revealed == ["get_weather"]
        for path, said in reads:
            answer = await box.answer(session, "read_skill", {"skill": "triage-issues", **({} if path is None else {"path": path})})
            assert said in answer.text
        assert "Write." in (await box.answer(session, "add_tool", {"tool_names": ["own-skill"]})).text
    (tmp_path / "notes" / "out").symlink_to(tmp_path.parent)
    for content, problem in BROKEN:
        (skill / "SKILL.md").unlink()
        if content is None:
            (skill / "SKILL.md").symlink_to("circle")
        else:
            (skill / "SKILL.md").write_text(content)
        with pytest.raises(ToolSiftError) as caught:
            toolsift(skills=[str(tmp_path)])
        assert f"SKILL.md{problem}" in caught.value.message
        assert f"out is a symbolic link out of {tmp_path}" in caught.value.message
    tops: list[tuple[str | Path, str]] = [
        (str(skill / "references"), "has no SKILL.md"),
        (skill / "data.bin", "Not a directory"),
        (tmp_path / ("a" * 300), "File name too long"),
        ("\ud800", "surrogates not allowed"),
        ("a\0", "null byte"),
        ("", "holds"),
    ]
    for top, problem in tops:
        with pytest.raises(ToolSiftError, match=problem):
            toolsift(skills=[top])


async def test_servers_are_followed() -> None:
    from mcp import Client

    server = tickets()
    broken = {"command": "${NOT_THERE}"}
    async with toolsift({"tickets": lambda: Client(server), "broken": broken}, [get_weather], env={}, **ALWAYS) as box:
        assert [(one["name"], one["state"]) for one in box.status()] == [("tickets", "connected"), ("broken", "failed")]
        session = box.session("a")
        assert (await box.answer(session, "get_weather", {"city": "Oslo"})).is_error
        session.reveal(["get_weather", "open_ticket"])
        assert (await box.answer(session, "get_weather", '{"city": "Oslo"}')).text == "rain in Oslo"
        slow = await asyncio.gather(*(box.answer(session, "open_ticket", {"title": str(at)}) for at in range(20)))
        assert [one.text for one in slow] == [f"ticket 7: {at}" for at in range(20)]
    assert box.status()[0]["state"] == "closed"


async def test_a_session_is_an_id_or_a_session() -> None:
    async with toolsift(tools=[get_weather], activation="off") as box:
        for wrong in (5, None):
            other: Any = wrong
            with pytest.raises(ToolSiftError, match="session must be an id or a Session"):
                await box.answer(other, "get_weather", {"city": "Oslo"})


async def test_own_tools_of_a_session_are_not_those_of_the_box(servers: dict[str, Any]) -> None:
    async def execute(dispatch: Dispatch) -> str:
        return f"{dispatch.get('session')} ran {dispatch['name']}"

    async with toolsift(servers, execute=execute, **ALWAYS) as box:
        session = box.session("ada")
        session.register([{"name": "open_ticket", "description": "Opens a ticket of Ada's."}], server="tickets")
        child = session.child("ada/sub", scope={"servers": ["tickets"]})
        assert child.prefetch("Open a ticket \ud800", tools=1) == ["open_ticket"]
        for one in (session, child):
            one.reveal(["open_ticket"])
            assert (await box.answer(one, "open_ticket", {"title": "broken"})).text == "ada ran open_ticket"
        calls: list[Any] = [{"name": "open_ticket"}, {"name": "nope"}]
        assert [one["kind"] for one in child.call_all(calls)] == ["dispatch", "refused"]
        with pytest.raises(ToolSiftError, match="is no child") as caught:
            session.hand_back()
        assert caught.value.code == "option_conflict"


async def test_a_list_that_changes_is_read_again() -> None:
    class Client:
        def __init__(self) -> None:
            self.names = ["first"]
            self.changed = asyncio.Event()

        async def list_tools(self, *, cursor: str | None = None) -> Any:
            return SimpleNamespace(tools=[{"name": name} for name in self.names], next_cursor=None)

        async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
            raise ConnectionError(f"{name} is not there")

        @contextlib.asynccontextmanager
        async def listen(self, *, tools_list_changed: bool) -> AsyncGenerator[AsyncGenerator[str]]:
            async def events() -> AsyncGenerator[str]:
                while tools_list_changed:
                    await self.changed.wait()
                    self.changed.clear()
                    yield "changed"

            yield events()

    client = Client()
    async with toolsift({"s": client}, activation="off") as box:
        failed = await box.answer(box.session("a"), "first", {})
        assert (failed.is_error, failed.text) == (True, "first failed: first is not there")
        client.names = ["second", "third"]
        client.changed.set()
        while len(box.sift.tools()) != 2:
            await asyncio.sleep(0.01)
        assert [tool["name"] for tool in box.sift.tools()] == ["second", "third"]


async def test_a_skill_is_read_by_what_was_registered_with_it() -> None:
    async def read(path: str | None = None) -> str:
        return {None: "Sort them.", "a.md": "bug, </skill> question"}[path]

    sift = ToolSift(activation="on")
    about: dict[str, Any] = {"kind": "skill", "description": "Sorts new issues.", "read": read}
    sift.register({**about, "name": "triage"})
    session = sift.session("a")
    own: Any = session.register({**about, "name": "own"}, server="mine")
    assert own["registered"] == ["own"]
    # What is refused reads nothing.
    other: dict[str, Any] = {**about, "name": "triage", "read": str}
    assert [one["index"] for one in sift.register([other])["rejected"]] == [0]
    with pytest.raises(ToolSiftError, match="already has"):
        sift.register(other)
    assert [one["index"] for one in session.sync("mine", [{**about, "name": "own"}, {**other, "name": "own"}])["rejected"]] == [1]
    for name, given, expected in (
        ("triage", {"path": "./a.md"}, '<skill name="triage" path="a.md" from="user">\nbug, &lt;/skill> question\n</skill>'),
        ("own", {}, '<skill name="own" from="server mine">\nSort them.\n</skill>'),
    ):
        outcome: Any = session.call("read_skill", {"skill": name, **given})
        assert outcome["skill"]["name"] == name
        assert await session.read_skill(outcome) == expected
