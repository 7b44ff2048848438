"""The conversations of the contract that adapters of every language hold, ``tests/adapters/lib/conversations.json``, over each
adapter but FastMCP's, which has no client of a model, and over the loop of an example, with the SDK's real code and a model that
follows a script: what the model was sent and told is compared step by step.

A conversation has runs, one after the other or ``together``. A run has the model's ``replies``, the last one ``forever`` or then
a text; what the tools answer, where it is not that they did it; and what is expected:

- ``steps``, one for each request: the tools that are ``loaded`` beside the discovery tools, or the ``first`` of them, the
  ``same`` as before, those that it ``has`` and ``lacks``; and a pattern for each of the ``answers`` that it brings,
- patterns of the first ``system`` prompt, and of all ``systems``,
- which tools ``ran`` and with which ``arguments`` the first one did, or how many (``count``); ``finish`` and ``text``.
"""

# The types of create_agent and ainvoke are unknown in part, whatever they are given.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path
from typing import Any, Literal

import pytest

from toolsift import Toolbox, ToolSift, toolsift

ROOT = Path(__file__).parents[2]
ADAPTERS = ROOT / "tests" / "adapters" / "lib"
CONVERSATIONS: list[dict[str, Any]] = json.loads((ADAPTERS / "conversations.json").read_text("utf-8"))
SERVERS = ["filesystem", "memory", "github", "everything"]
OWN = "You are an agent."

# Why an adapter does not play a conversation, by a word of its name.
_NO_COUNT = "the SDK does not end a run by refusals: its limit of steps does"
REASONS: dict[str, dict[str, str]] = {
    "pydantic_ai": {
        "too early": "pydantic-ai refuses the call itself, and names the tools that can be called",
        "scope": "pydantic-ai refuses the call itself",
        "cannot run": "pydantic-ai ends a run where calls of unknown tools are repeated",
    },
    "openai_agents": {
        "too early": "the SDK asks for a text without the arguments: the tool is loaded, and the model calls again",
        "cannot run": _NO_COUNT,
        "no JSON": "the SDK answers such a call itself, and sends it back as it is",
    },
    "langchain": {
        "cannot run": _NO_COUNT,
        "no JSON": "LangChain sets such calls aside, and sends them back as they are",
    },
    "openai": {"cannot run": _NO_COUNT, "no JSON": "the example sends them back as they are"},
}


class Vendors:
    """The vendors of tests/adapters/lib/vendors.mjs."""

    def __init__(self) -> None:
        program = ["node", str(ADAPTERS / "vendors.mjs")]
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        # Two runs at once ask from two threads, and each line is answered by one.
        self._lock = threading.Lock()

    def ask(self, **said: Any) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(f"{json.dumps(said)}\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@pytest.fixture(scope="module")
def vendors() -> Iterator[Vendors]:
    started = Vendors()
    yield started
    started.end()


@dataclass
class Asked:
    """What a drive is given: where the vendor is, the box, the id of the session, what the user says, the steps at most."""

    url: str
    box: Toolbox
    id: str
    prompt: str
    max_steps: int


# How a run ended, and the model's last words; the text is empty where it has none.
Ended = tuple[str, str]


async def pydantic_ai(asked: Asked) -> Ended:
    from pydantic_ai import Agent, UsageLimitExceeded, UsageLimits
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from toolsift.pydantic_ai import SiftToolset

    model = OpenAIChatModel("gpt-5.2", provider=OpenAIProvider(base_url=f"{asked.url}/v1", api_key="none"))
    agent = Agent(model, instructions=OWN, toolsets=[SiftToolset(asked.box, asked.id)])
    try:
        done = await agent.run(asked.prompt, usage_limits=UsageLimits(request_limit=asked.max_steps))
    except UsageLimitExceeded:
        return "steps", ""
    return "done", done.output


async def openai_agents(asked: Asked) -> Ended:
    from agents import Agent, MaxTurnsExceeded, OpenAIResponsesModel, Runner, set_tracing_disabled
    from openai import AsyncOpenAI

    from toolsift.openai_agents import SiftServer

    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=f"{asked.url}/v1", api_key="none", max_retries=0)
    search = SiftServer(asked.box, asked.id)
    model = OpenAIResponsesModel("gpt-5.2", client)
    agent = Agent(name="Helper", model=model, instructions=search.instructions(OWN), mcp_servers=[search])
    try:
        done = await Runner.run(agent, asked.prompt, max_turns=asked.max_steps, run_config=search.run_config())
    except MaxTurnsExceeded:
        return "steps", ""
    return "done", str(done.final_output)


async def langchain(asked: Asked) -> Ended:
    from langchain.agents import create_agent
    from langchain_core.messages import HumanMessage
    from langchain_openai import ChatOpenAI
    from langgraph.errors import GraphRecursionError
    from pydantic import SecretStr

    from toolsift.langchain import SiftMiddleware

    model = ChatOpenAI(model="gpt-5.2", base_url=f"{asked.url}/v1", api_key=SecretStr("none"), max_retries=0)
    agent = create_agent(model, system_prompt=OWN, middleware=[SiftMiddleware(asked.box)])
    config: Any = {"configurable": {"thread_id": asked.id}, "recursion_limit": 2 * asked.max_steps}
    try:
        state = await agent.ainvoke({"messages": [HumanMessage(asked.prompt)]}, config)
    except GraphRecursionError:
        return "steps", ""
    return "done", str(state["messages"][-1].text)


async def openai(asked: Asked) -> Ended:
    from openai import AsyncOpenAI

    loop = run_path(str(ROOT / "python" / "examples" / "openai_loop.py"))["run"]
    loop.__globals__["OWN"] = OWN
    client = AsyncOpenAI(base_url=f"{asked.url}/v1", api_key="none", max_retries=0)
    messages = [{"role": "user", "content": asked.prompt}]
    text = await loop(client, asked.box, asked.id, messages, "gpt-5.2", asked.max_steps)
    return ("steps", "") if text is None else ("done", text)


DRIVES: dict[str, tuple[str, Callable[[Asked], Awaitable[Ended]]]] = {
    "pydantic_ai": ("chat", pydantic_ai),
    "openai_agents": ("responses", openai_agents),
    "langchain": ("chat", langchain),
    "openai": ("chat", openai),
}


# Every run plays over one of them.
EACH_DRIVE = pytest.mark.parametrize(
    "drive", [pytest.param(drive, marks=() if drive == "openai" else pytest.mark.sdk) for drive in DRIVES]
)


def catalog(surface: Literal["growing", "constant"] = "growing") -> ToolSift:
    sift = ToolSift(activation="on", surface=surface)
    for server in SERVERS:
        file = ROOT / "www" / "captured" / f"{server}.json"
        sift.register(json.loads(file.read_text("utf-8"))["tools"], server=server)
    return sift


async def play(drive: str, run: dict[str, Any], sift: ToolSift, vendors: Vendors) -> None:
    wire, converse = DRIVES[drive]
    ran: list[tuple[str, dict[str, Any]]] = []

    async def execute(dispatch: Any) -> Any:
        from mcp.types import CallToolResult

        ran.append((f"{dispatch['server']}/{dispatch['name']}", dispatch["arguments"]))
        answer = run.get("answers", {}).get(dispatch["name"])
        if answer is None:
            return f"{dispatch['server']}/{dispatch['name']} did it"
        if "throws" in answer:
            raise RuntimeError(answer["throws"])
        return CallToolResult.model_validate(answer)

    id = run.get("id", "chat")
    url = vendors.ask(wire=wire, replies=run["replies"], forever=run.get("forever", False))["url"]
    async with toolsift(sift=sift, execute=execute) as box:
        session = box.session(id, scope=run["scope"]) if "scope" in run else box.session(id)
        try:
            finish, text = await converse(Asked(url, box, id, run.get("prompt", "Go on."), run.get("maxSteps", 20)))
        finally:
            requests = await asyncio.to_thread(lambda: vendors.ask(close=url)["requests"])
    if "prompt" in run:
        assert requests[0]["prompt"] == run["prompt"]
    check(run["expect"], requests, ran, sift.settings["surface"], session.revealed)
    assert finish == run["expect"]["finish"]
    assert text == run["expect"].get("text", text)


def check(
    expect: dict[str, Any],
    requests: list[Any],
    ran: list[tuple[str, dict[str, Any]]],
    discovery: list[str],
    revealed: list[str],
) -> None:
    found = slice(len(discovery), None)
    sent: list[list[str]] = [request["tools"] for request in requests]
    assert len(sent) == len(expect["steps"])
    assert sent[0][: len(discovery)] == discovery
    assert re.search(expect.get("system", ""), requests[0]["system"])
    before = sent[0]
    for step, request in zip(expect["steps"], requests, strict=True):
        names = request["tools"]
        assert names[: len(before)] == before, "only appended"
        assert names[found] == step.get("loaded", names[found])
        assert "first" not in step or names[found][0] == step["first"]
        assert not step.get("same") or names == before
        assert set(step.get("has", ())) <= set(names) and not set(step.get("lacks", ())) & set(names)
        assert re.search(expect.get("systems", ""), request["system"])
        patterns = step.get("answers", [])
        assert not patterns or len(request["answers"]) == len(patterns), "each call is answered"
        for pattern, answer in zip(patterns, request["answers"]):
            assert re.search(pattern, answer), answer
        before = names
    if expect["finish"] == "done":
        assert [*discovery, *revealed] == sent[-1], "the session holds what the model sees"
    assert [name for name, _ in ran] == expect.get("ran", [name for name, _ in ran])
    least, most = expect.get("count", (0, len(ran)))
    assert least <= len(ran) <= most
    assert not ran or ran[0][1] == expect.get("arguments", ran[0][1])


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda one: one["name"])
@EACH_DRIVE
async def test_a_conversation(drive: str, conversation: dict[str, Any], vendors: Vendors) -> None:
    reason = next((why for word, why in REASONS.get(drive, {}).items() if word in conversation["name"]), None)
    if reason is not None:
        pytest.skip(reason)
    sift = catalog()
    if conversation.get("together"):
        await asyncio.gather(*(play(drive, run, sift, vendors) for run in conversation["runs"]))
        return
    for run in conversation["runs"]:
        if run.get("restarted"):
            snapshot = json.loads(json.dumps(sift.session("chat").snapshot()))
            sift = catalog()
            sift.restore(snapshot)
        await play(drive, run, sift, vendors)


ISSUE = {"name": "create_issue", "arguments": {"owner": "ada", "repo": "engine", "title": "It rattles"}}
# Searches answer with parameters, and calls go through the tool of their effect.
CONSTANT: dict[str, Any] = {
    "replies": [
        [{"name": "search_tools", "args": {"query": "create an issue in a repository"}}],
        [{"name": "call_destructive_tool", "args": ISSUE}],
        [
            {"name": "call_read_only_tool", "args": {"name": "read_text_file", "arguments": {"path": "a.txt"}}},
            {"name": "call_tool", "args": ISSUE},
        ],
        [{"name": "call_tool", "args": {"name": "no_such_tool", "arguments": {}}}],
    ],
    "expect": {
        "steps": [
            {"loaded": []},
            {"same": True, "answers": [r'"name":"create_issue"[^\n]*"call_with":"call_destructive_tool"']},
            {"same": True, "answers": ["^github/create_issue did it$"]},
            {
                "same": True,
                "answers": [
                    "^filesystem/read_text_file did it$",
                    "create_issue may do more .*Call it with call_destructive_tool",
                ],
            },
            {"same": True, "answers": ["no_such_tool"]},
        ],
        "ran": ["github/create_issue", "filesystem/read_text_file"],
        "arguments": ISSUE["arguments"],
        "finish": "done",
    },
}


@EACH_DRIVE
async def test_the_list_of_tools_is_constant(drive: str, vendors: Vendors) -> None:
    await play(drive, CONSTANT, catalog(surface="constant"), vendors)
