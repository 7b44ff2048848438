"""1. Through every adapter the model searches, calls what it has found, and is told what failed: of a server, of a function.
2. The request holds the discovery tools and the prompt at first, and what was found from the next one on.
3. The agent's own tools stay beside them.
4. A call of a tool that is not loaded is answered, and the run goes on.
5. What the user's message finds is in the first request, and not behind a reply of the model's, unless ``prefetch`` is True.
"""

# The types of create_agent and ainvoke are unknown in part, whatever they are given.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import ALWAYS, get_weather

from toolsift import Toolbox, ToolSift, ToolSiftError, toolsift
from toolsift._ahead import search_ahead
from toolsift.types import Prefetch

pytestmark = pytest.mark.sdk

SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("search_tools", {"query": "open a ticket; weather"}),
    ("open_ticket", {"title": "broken"}),
    ("open_ticket", {"title": ""}),
    ("get_weather", {"city": "Bergen"}),
    ("own_tool", {}),
    ("close_ticket", {"number": 7}),
]
DISCOVERY = ["search_tools", "add_tool", "show_all_tools"]


def check(names: list[list[str]], prompts: list[str], answers: list[str], refused: str, ahead: bool = True) -> None:
    """``ahead``: the adapter sees the first message, "Open a ticket.", and loads what it asks for."""
    assert all(set(DISCOVERY) <= set(step) for step in names)
    assert {"open_ticket", "get_weather"} & set(names[0]) == ({"open_ticket"} if ahead else set())
    assert {"open_ticket", "get_weather", "own_tool"} <= set(names[1])
    assert "close_ticket" not in names[1]
    assert all(prompt.startswith("You help.") and "tickets" in prompt for prompt in prompts)
    assert "open_ticket" in answers[0]
    assert answers[1:2] + answers[3:5] == ["ticket 7: broken", "rain in Bergen", "mine"]
    assert "Error executing tool open_ticket" in answers[2]
    assert refused in answers[5]


async def test_pydantic_ai(servers: dict[str, Any]) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    from toolsift.pydantic_ai import SiftToolset

    names: list[list[str]] = []
    prompts: list[str] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        names.append([tool.name for tool in info.function_tools])
        prompts.append(info.instructions or "")
        step = len(names) - 1
        return ModelResponse([ToolCallPart(*SCRIPT[step])] if step < len(SCRIPT) else [TextPart("done")])

    async with toolsift(servers, [get_weather], **ALWAYS) as box:
        agent = Agent(FunctionModel(model), instructions="You help.", toolsets=[SiftToolset(box, "chat")])

        @agent.tool_plain
        def own_tool() -> str:
            return "mine"

        result = await agent.run("Open a ticket.")
    # Older releases answer a call of an unknown tool by a part of its own.
    kinds = ("tool-return", "retry-prompt")
    parts: list[Any] = [part for message in result.all_messages() for part in message.parts if part.part_kind in kinds]
    assert result.output == "done"
    assert box.session("chat").snapshot()["turn"] == len(SCRIPT) + 1
    check(names, prompts, [str(part.content) for part in parts], "Unknown tool name: 'close_ticket'")


async def test_pydantic_ai_ranks_with_our_search() -> None:
    from pydantic_ai import Agent, Tool
    from pydantic_ai.capabilities import ToolSearch
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    from toolsift.pydantic_ai import search_strategy

    names: list[list[str]] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        names.append([tool.name for tool in info.function_tools])
        calls = [ToolCallPart("search_tools", {"queries": ["wether of a city"]}), ToolCallPart("get_weather", {"city": "Oslo"})]
        return ModelResponse([calls[len(names) - 1]] if len(names) <= len(calls) else [TextPart("done")])

    def close_door(number: int) -> None:
        """Closes a door."""

    tools = [Tool(get_weather, defer_loading=True), Tool(close_door, defer_loading=True)]
    agent = Agent(FunctionModel(model), tools=tools, capabilities=[ToolSearch(strategy=search_strategy())])
    result = await agent.run("How is the weather?")
    assert result.output == "done"
    assert "rain in Oslo" in str(result.all_messages())
    assert "get_weather" not in names[0] and "get_weather" in names[1] and "close_door" not in names[1]


async def test_openai_agents(servers: dict[str, Any]) -> None:
    pytest.importorskip("agents.testing", reason="older releases have no scripted model; they play the conversations")
    from agents import Agent, Runner, function_tool, set_tracing_disabled
    from agents.testing.model import ScriptedModel, assistant_message, function_call

    from toolsift.openai_agents import SiftServer

    set_tracing_disabled(True)
    steps = [[function_call(name, args, call_id=f"c{at}")] for at, (name, args) in enumerate(SCRIPT)]
    model = ScriptedModel([*steps, [assistant_message("done")]])

    @function_tool
    def own_tool() -> str:
        return "mine"

    async with toolsift(servers, [get_weather], **ALWAYS) as box:
        search = SiftServer(box, "chat")
        agent = Agent(
            name="Helper", instructions=search.instructions("You help."), mcp_servers=[search], tools=[own_tool], model=model
        )
        result = await Runner.run(agent, "Open a ticket.", run_config=search.run_config())
    outputs: list[Any] = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    answers = [output if isinstance(output, str) else str(output["text"]) for output in outputs]
    assert result.final_output == "done"
    assert box.session("chat").snapshot()["turn"] == len(SCRIPT) + 1
    names = [[tool.name for tool in call.tools] for call in model.calls]
    check(names, [call.system_instructions or "" for call in model.calls], answers, "close_ticket")


async def test_langchain(servers: dict[str, Any]) -> None:
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
    from langchain_core.tools import tool

    from toolsift.langchain import SiftMiddleware

    names: list[list[str]] = []
    prompts: list[str] = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **_: Any) -> Any:
            names.append([one["function"]["name"] if isinstance(one, dict) else one.name for one in tools])
            return self

        def _generate(self, messages: Any, *args: Any, **more: Any) -> Any:
            prompts.append(next(str(one.content) for one in messages if isinstance(one, SystemMessage)))
            return super()._generate(messages, *args, **more)

    calls = [AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"c{at}"}]) for at, (name, args) in enumerate(SCRIPT)]
    model = Model(messages=iter([*calls, AIMessage("done")]))

    @tool
    def own_tool() -> str:
        """Is the agent's own."""
        return "mine"

    async with toolsift(servers, [get_weather], **ALWAYS) as box:
        agent = create_agent(model, [own_tool], system_prompt="You help.", middleware=[SiftMiddleware(box)])
        config: Any = {"configurable": {"thread_id": "chat"}}
        state = await agent.ainvoke({"messages": [HumanMessage("Open a ticket.")]}, config)
    answers = [str(one.content) for one in state["messages"] if isinstance(one, ToolMessage)]
    assert state["messages"][-1].content == "done"
    check(names, prompts, answers, '"required":["number"]')


async def test_fastmcp_clients_see_what_finds_and_calls() -> None:
    from fastmcp import Client, FastMCP
    from fastmcp.exceptions import ToolError

    from toolsift.fastmcp import SiftTransform

    tickets: FastMCP[Any] = FastMCP("tickets")

    @tickets.tool
    def open_ticket(title: str) -> dict[str, str]:
        """Opens a ticket for a problem."""
        if not title:
            raise ToolError("a ticket needs a title")
        return {"ticket": title}

    @tickets.tool
    def get_status() -> str:
        """Tells how everything stands."""
        return "fine"

    server: FastMCP[Any] = FastMCP("Everything")
    server.mount(tickets, namespace="desk")
    server.add_transform(SiftTransform(activation="on", always_available=["desk_get_status"]))
    async with Client(server) as client:

        async def told(tool: str, /, **arguments: Any) -> str:
            answer = await client.call_tool(tool, arguments, raise_on_error=False)
            return f"{'failed: ' if answer.is_error else ''}{getattr(answer.content[0], 'text', None)}"

        of_calls = ["call_read_only_tool", "call_tool", "call_destructive_tool"]
        assert [tool.name for tool in await client.list_tools()] == ["search_tools", *of_calls, "desk_get_status"]
        found = await told("search_tools", query="I have a problem")
        assert '"name":"desk_open_ticket"' in found and '"title":{"type":"string"}' in found
        call = {"name": "desk_open_ticket", "arguments": {"title": "broken"}}
        called = await client.call_tool("call_destructive_tool", call)
        assert called.structured_content == {"ticket": "broken"}
        assert "Call it with call_destructive_tool" in await told("call_read_only_tool", **call)
        failed = await told("call_destructive_tool", name="desk_open_ticket", arguments={"title": ""})
        assert failed == "failed: a ticket needs a title"
        misspelt = await told("call_destructive_tool", name="desk_opn_tiket", arguments={})
        assert "Did you mean desk_open_ticket?" in misspelt
        assert await told("desk_open_ticket", title="x") == '{"ticket":"x"}'
        server.disable(names={"desk_open_ticket"})
        assert "desk_open_ticket" not in await told("search_tools", query="I have a problem")
        assert "Did you mean" not in await told("call_destructive_tool", name="desk_open_ticket", arguments={})
    few: FastMCP[Any] = FastMCP("few")
    few.mount(tickets)
    few.add_transform(SiftTransform())
    assert [tool.name for tool in await few.list_tools()] == ["open_ticket", "get_status"]


@pytest.mark.parametrize("adapter", ["pydantic_ai", "openai_agents", "langchain"])
async def test_what_the_user_says_is_searched_ahead(adapter: str) -> None:
    if adapter == "openai_agents":
        pytest.importorskip("agents.testing", reason="older releases have no scripted model")
    said = "How is the weather in this city?"
    wanted = [*DISCOVERY, "get_weather"]

    async def first(prefetch: Prefetch, is_new: bool = True) -> list[str]:
        async with toolsift(tools=[get_weather], **ALWAYS) as box:
            if not is_new:
                box.session("chat").assemble()
            return await FIRST_REQUESTS[adapter](box, said, prefetch)

    assert await first(True) == await first(True, is_new=False) == await first("first") == await first(None) == wanted
    assert await first(False) == await first("first", is_new=False) == DISCOVERY


def test_a_first_message_has_no_reply_before_it() -> None:
    said = [{"role": "user", "content": "How is the weather in this city?"}]
    replies = [{"role": "assistant", "content": "Hello."}, {"type": "ai", "content": ""}, {"type": "function_call"}]
    for before in replies:
        sift = ToolSift(activation="on")
        sift.register([{"name": "get_weather", "description": "The weather of a city."}])
        session = sift.session("chat")
        search_ahead(session, "first", [before, *said])
        assert session.revealed == []
        search_ahead(session, "first", [{"role": "system", "content": "Help."}, *said])
        assert session.revealed == ["get_weather"]
    published = ToolSift(activation="on", profile="select-load")
    published.register([{"name": "get_weather", "description": "The weather of a city."}])
    cases: list[tuple[Prefetch, list[str]]] = [(None, []), ("first", ["get_weather"])]
    for prefetch, loaded in cases:
        search_ahead(published.session("chat"), prefetch, said)
        assert published.session("chat").revealed == loaded, "the default is that of the profile sift"
    wrong: Any = "last"
    with pytest.raises(ToolSiftError, match="prefetch is \"last\"; it must be True, False or 'first'"):
        search_ahead(ToolSift().session("chat"), wrong, said)


async def first_of_pydantic_ai(box: Toolbox, said: str, prefetch: Prefetch) -> list[str]:
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    from toolsift.pydantic_ai import SiftToolset

    model = TestModel(call_tools=[])
    await Agent(model, toolsets=[SiftToolset(box, "chat", prefetch=prefetch)]).run(["Hello.", said])
    assert model.last_model_request_parameters is not None
    return [tool.name for tool in model.last_model_request_parameters.function_tools]


async def first_of_openai_agents(box: Toolbox, said: str, prefetch: Prefetch) -> list[str]:
    from agents import Agent, Runner
    from agents.testing.model import ScriptedModel, assistant_message

    from toolsift.openai_agents import SiftServer

    model = ScriptedModel([[assistant_message("done")]])
    search = SiftServer(box, "chat", prefetch=prefetch)
    await Runner.run(Agent(name="Helper", mcp_servers=[search], model=model), said)
    return [tool.name for tool in model.calls[0].tools]


async def first_of_langchain(box: Toolbox, said: str, prefetch: Prefetch) -> list[str]:
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, HumanMessage

    from toolsift.langchain import SiftMiddleware

    names: list[str] = []

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **_: Any) -> Any:
            names.extend(one["function"]["name"] for one in tools)
            return self

    agent = create_agent(Model(messages=iter([AIMessage("done")])), middleware=[SiftMiddleware(box, "chat", prefetch=prefetch)])
    await agent.ainvoke({"messages": [HumanMessage(said)]})
    return names


FIRST_REQUESTS: dict[str, Callable[[Toolbox, str, Prefetch], Awaitable[list[str]]]] = {
    "pydantic_ai": first_of_pydantic_ai,
    "openai_agents": first_of_openai_agents,
    "langchain": first_of_langchain,
}


async def test_images_reach_the_model() -> None:
    from agents.mcp import MCPServer
    from langchain_core.messages import ToolMessage
    from mcp.types import CallToolResult
    from pydantic_ai import BinaryContent

    from toolsift.langchain import SiftMiddleware
    from toolsift.openai_agents import SiftServer
    from toolsift.pydantic_ai import SiftToolset

    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}

    async def execute(_: Any) -> Any:
        return CallToolResult.model_validate({"content": [{"type": "text", "text": "See."}, image]})

    none: Any = None
    async with toolsift(execute=execute, activation="off") as box:
        box.sift.register({"name": "shoot", "description": "Takes a picture."})
        shown = await SiftToolset(box, "a").call_tool("shoot", {}, none, none)
        assert shown == ["See.", BinaryContent(b"\x89PNG\r\n\x1a\n", media_type="image/png")]
        server: MCPServer = SiftServer(box, "a")
        sent = (await server.call_tool("shoot", {})).model_dump(mode="json", by_alias=True, exclude_none=True)
        assert sent["content"] == [{"type": "text", "text": "See."}, image]
        request: Any = SimpleNamespace(tool=None, tool_call={"name": "shoot", "args": {}, "id": "c1"})
        message = await SiftMiddleware(box, "a").awrap_tool_call(request, none)
        assert isinstance(message, ToolMessage)
        block = {"type": "image", "base64": image["data"], "mime_type": "image/png"}
        assert message.content == [{"type": "text", "text": "See."}, block]
