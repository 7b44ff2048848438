"""Plays the conversations of ``tests/conversations`` over each adapter except FastMCP's, which has no client of a
model, and over the loop of an example. It uses the SDK's real code and a scripted model, and compares requests and
answers step by step. The fields are described in ``tests/conversations/play.mjs``.
"""

# The types of create_agent and ainvoke are unknown in part, whatever they are given.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from runpy import run_path
from typing import Any

import pytest
from conftest import ROOT, Vendors

from toolsift import Toolbox, ToolSift, toolsift

FILES = sorted((ROOT / "tests" / "conversations").glob("*.json"))
SERVERS = ["filesystem", "memory", "github", "everything"]
OWN = "You are an agent."


def _written(value: dict[str, Any]) -> Any:
    """What is short in the files, written out."""
    if "repeat" in value:
        return value.get("behind", "") + value["repeat"] * value["times"]
    if "numbered" in value:
        return [{"name": f"tool_{nth:03}", "description": "One.", "inputSchema": {"type": "object"}} for nth in range(value["numbered"])]
    return value


CONVERSATIONS: list[dict[str, Any]] = [
    one for file in FILES for one in json.loads(file.read_text("utf-8"), object_hook=_written)
]

CONVERSATIONS.append(
    {
        "name": "the agent's own tools are called beside those of the session",
        "runs": [{"replies": [[{"own_tool": {}}]], "expect": {"steps": [{"loaded": []}, {"answers": ["^mine$"]}]}}],
    }
)

# Why an adapter does not play a conversation: by a word of its name, a field of its runs, or a setting.
_NO_COUNT = "the SDK does not end a run by refusals: its limit of steps does"
_OWN = "the SDK runs the host's own tools itself"
EVERYWHERE = {
    "rank": "there is no such option",
    "patience": "there is no such option",
    "own": _OWN,
    "maxTools": "the host bounds the tools",
    "limit": "the host bounds the tools",
    "stream": "the loops do not stream",
    "a run that the host ends ends what its tools work on, and the next run goes on": "a task is cancelled instead",
}
REASONS: dict[str, dict[str, str]] = {
    "pydantic_ai": {
        "a skill is loaded with its tools": "pydantic-ai refuses a call of the skill's name itself",
        "too early": "pydantic-ai refuses the call itself, and names the tools that can be called",
        "scope": "pydantic-ai refuses the call itself",
        "a catalog may change while a run goes on": "pydantic-ai refuses the call itself",
        "the least recently used tools are evicted": "pydantic-ai refuses the call itself",
        "a call of no tool is told the way": "pydantic-ai refuses the call itself",
        "a skill that is called like a tool": "pydantic-ai refuses the call itself",
        "cannot run": "pydantic-ai ends a run where calls of unknown tools are repeated",
    },
    "openai_agents": {
        "too early": "the SDK asks for a text without the arguments: the tool is loaded, and the model calls again",
        "cannot run": _NO_COUNT,
        "no JSON": "the SDK answers such a call itself, and sends it back as it is",
        "a catalog may change while a run goes on": "the SDK puts its answers to unknown tools behind the others",
    },
    "langchain": {
        "cannot run": _NO_COUNT,
        "no JSON": "LangChain sets such calls aside, and sends them back as they are",
    },
    "openai": {
        "own tools": "the example has none",
        "cannot run": _NO_COUNT,
        "no JSON": "the example sends them back as they are",
        "prefetch": "the example searches ahead of every message",
    },
}


def _reason(drive: str, conversation: dict[str, Any]) -> str | None:
    runs = conversation["runs"]
    fields = {conversation["name"], *conversation, *conversation.get("settings", {}), *(key for run in runs for key in run)}
    everywhere = (why for word, why in EVERYWHERE.items() if word in fields)
    return next(everywhere, None) or next(
        (why for word, why in REASONS.get(drive, {}).items() if word in conversation["name"] or word in fields), None
    )


@dataclass
class Asked:
    """What a drive is given: where the vendor is, the box, the id of the session, what the user says, the steps at most, prefetch."""

    url: str
    box: Toolbox
    id: str
    prompt: str
    max_steps: int
    prefetch: bool | None


def own_tool() -> str:
    """Is the agent's own, and stands beside what the session shows."""
    return "mine"


# How a run ended, and the model's last words; the text is empty where it has none.
Ended = tuple[str, str]


async def pydantic_ai(asked: Asked) -> Ended:
    from pydantic_ai import Agent, UsageLimitExceeded, UsageLimits
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from toolsift.pydantic_ai import SiftToolset

    model = OpenAIChatModel("gpt-5.2", provider=OpenAIProvider(base_url=f"{asked.url}/v1", api_key="none"))
    toolset = SiftToolset(asked.box, asked.id, prefetch=asked.prefetch)
    agent = Agent(model, instructions=OWN, tools=[own_tool], toolsets=[toolset])
    try:
        done = await agent.run(asked.prompt, usage_limits=UsageLimits(request_limit=asked.max_steps))
    except UsageLimitExceeded:
        return "steps", ""
    return "done", done.output


async def openai_agents(asked: Asked) -> Ended:
    from agents import Agent, MaxTurnsExceeded, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI

    from toolsift.openai_agents import SiftServer

    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=f"{asked.url}/v1", api_key="none", max_retries=0)
    search = SiftServer(asked.box, asked.id, prefetch=asked.prefetch)
    model = OpenAIResponsesModel("gpt-5.2", client)
    tools: Any = [function_tool(own_tool)]
    agent = Agent(name="Helper", model=model, instructions=search.instructions(OWN), tools=tools, mcp_servers=[search])
    try:
        done = await Runner.run(agent, asked.prompt, max_turns=asked.max_steps, run_config=search.run_config())
    except MaxTurnsExceeded:
        return "steps", ""
    return "done", str(done.final_output)


async def langchain(asked: Asked) -> Ended:
    from langchain.agents import create_agent
    from langchain_core.messages import HumanMessage
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from langgraph.errors import GraphRecursionError
    from pydantic import SecretStr

    from toolsift.langchain import SiftMiddleware

    model = ChatOpenAI(model="gpt-5.2", base_url=f"{asked.url}/v1", api_key=SecretStr("none"), max_retries=0)
    middleware = [SiftMiddleware(asked.box, prefetch=asked.prefetch)]
    agent = create_agent(model, [tool(own_tool)], system_prompt=OWN, middleware=middleware)
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


def catalog(conversation: dict[str, Any]) -> ToolSift:
    settings: dict[str, Any] = {"activation": "on", **conversation.get("settings", {})}
    sift = ToolSift(**settings)
    for server in conversation.get("servers", SERVERS):
        file = ROOT / "www" / "captured" / f"{server}.json"
        sift.register(json.loads(file.read_text("utf-8"))["tools"], server=server)
    for tool in conversation.get("register", []):
        sift.register([tool])
    for skill in conversation.get("skills", []):
        sift.register([{**skill, "kind": "skill", "read": partial(file_of, skill.get("files", {}))}])
    return sift


def file_of(files: dict[str, str], path: str) -> str:
    if path not in files:
        raise RuntimeError(f"there is no file {path}")
    return files[path]


async def play(drive: str, run: dict[str, Any], sift: ToolSift, vendors: Vendors) -> None:
    wire, converse = DRIVES[drive]
    ran: list[tuple[str, dict[str, Any]]] = []

    async def execute(dispatch: Any) -> Any:
        from mcp.types import CallToolResult

        ran.append((f"{dispatch['server'] or 'null'}/{dispatch['name']}", dispatch["arguments"]))
        answer = run.get("answers", {}).get(dispatch["name"], {})
        if "throws" in answer:
            raise RuntimeError(answer["throws"])
        for server, tools in answer.get("syncs", {}).items():
            sift.sync(server, tools)
        said = answer.get("says", f"{ran[-1][0]} did it")
        return CallToolResult.model_validate(said) if isinstance(said, dict) and "content" in said else said

    id, expect = run.get("id", "chat"), run["expect"]
    said = {key: run[key] for key in ("replies", "always", "forever") if key in run}
    url = vendors.ask(wire=wire, **said)["url"]
    bound: Any = {"max_answer_chars": run["maxAnswerChars"] or None} if "maxAnswerChars" in run else {}
    async with toolsift(sift=sift, execute=execute, **bound) as box:
        session = box.session(id, scope=run["scope"]) if "scope" in run else box.session(id)
        session.reveal(run.get("revealed", []))
        asked = Asked(url, box, id, run.get("prompt", "Go on."), run.get("maxSteps", 20), run.get("prefetch"))
        finish, text = "", ""
        try:
            finish, text = await converse(asked)
            assert "rejects" not in expect
        except Exception as error:
            if not re.search(expect.get("rejects", r"\A\Z."), str(error)):
                raise
        finally:
            requests = await asyncio.to_thread(lambda: vendors.ask(close=url)["requests"])
    if "prompt" in run:
        assert requests[0]["prompt"] == run["prompt"]
    for request in requests:
        if drive != "openai":
            request["tools"].remove("own_tool")
    check(expect, requests, ran, surface(sift), session.revealed)
    if "rejects" not in expect:
        assert finish == expect.get("finish", "done")
        assert text == expect.get("text", text)


def surface(sift: ToolSift) -> list[str]:
    settings: Any = sift.settings
    return [] if settings["activation"] == "off" else list(settings["surface"])


def check(
    expect: dict[str, Any],
    requests: list[Any],
    ran: list[tuple[str, dict[str, Any]]],
    discovery: list[str],
    revealed: list[str],
) -> None:
    found = slice(len(discovery), None)
    steps: list[dict[str, Any]] = [step for step in expect.get("steps", [{}] * len(requests)) for _ in range(step.get("times", 1))]
    assert len(requests) == len(steps)
    assert not requests or re.search(expect.get("system", ""), requests[0]["system"])
    before: list[str] = []
    for step, request in zip(steps, requests, strict=True):
        assert request["tools"][: len(discovery)] == discovery
        names = [name for name in request["tools"][found] if name not in ("read_skill", "read_cut_answer")]
        assert ("read_cut_answer" in request["tools"]) == step.get("reads", False), "offered from a cut on"
        assert step.get("changed") or names[: len(before)] == before, "only appended"
        assert names == step.get("loaded", names)
        assert len(names) == step.get("count", len(names))
        assert "first" not in step or names[0] == step["first"]
        assert not step.get("same") or names == before
        assert set(step.get("has", ())) <= set(names) and not set(step.get("lacks", ())) & set(names)
        assert re.search(expect.get("systems", ""), request["system"])
        patterns = step.get("answers", [])
        assert not patterns or len(request["answers"]) == len(patterns), "each call is answered"
        for pattern, answer in zip(patterns, request["answers"]):
            assert re.search(pattern.replace("[^]", r"[\s\S]"), answer), answer
        assert all(len(answer) <= step.get("longest", len(answer)) for answer in request["answers"])
        before = names
    if discovery and "rejects" not in expect and expect.get("finish", "done") == "done":
        assert revealed == before, "the session holds what the model sees"
    if "read" in expect:
        pages = [re.sub(r"\n\n\[[^[]*\]$", "", request["answers"][0]) for request in requests[1:]]
        assert "".join(pages) == expect["read"], "the pages are the whole answer"
    assert [name for name, _ in ran] == expect.get("ran", [name for name, _ in ran])
    least, most = expect.get("count", (0, len(ran)))
    assert least <= len(ran) <= most
    assert not ran or ran[0][1] == expect.get("arguments", ran[0][1])


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda one: one["name"])
@EACH_DRIVE
async def test_a_conversation(drive: str, conversation: dict[str, Any], vendors: Vendors) -> None:
    reason = _reason(drive, conversation)
    if reason is not None:
        pytest.skip(reason)
    sift = catalog(conversation)
    if conversation.get("together"):
        await asyncio.gather(*(play(drive, run, sift, vendors) for run in conversation["runs"]))
        return
    # Without reading on there is no box.
    for run in (run for run in conversation["runs"] if "readOn" not in run):
        if run.get("restarted"):
            snapshot = json.loads(json.dumps(sift.session("chat").snapshot()))
            sift = catalog(conversation)
            sift.restore(snapshot)
        await play(drive, run, sift, vendors)
