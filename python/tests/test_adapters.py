"""Tests adapters beyond the shared conversations.

1. pydantic-ai's own search uses our ranking.
2. FastMCP's clients see the tools that find and call others.
3. A first message has no reply before it.
4. Images reach the model.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from conftest import get_weather

from toolsift import ToolSift, ToolSiftError, toolsift
from toolsift._ahead import search_ahead
from toolsift.types import Prefetch

pytestmark = pytest.mark.sdk


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


async def test_fastmcp_clients_see_what_finds_and_calls() -> None:
    from fastmcp import Client, FastMCP
    from fastmcp.exceptions import ToolError

    from toolsift.fastmcp import SiftSearchTransform, SiftTransform

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
    ranked: FastMCP[Any] = FastMCP("ranked")
    ranked.mount(tickets)
    ranked.add_transform(SiftSearchTransform(max_results=1))
    async with Client(ranked) as client:
        assert [tool.name for tool in await client.list_tools()] == ["search_tools", "call_tool"]
        found = await client.call_tool("search_tools", {"query": "I have a problm"})
        assert '"name":"open_ticket"' in str(found.content) and "get_status" not in str(found.content)
    few: FastMCP[Any] = FastMCP("few")
    few.mount(tickets)
    few.add_transform(SiftTransform())
    assert [tool.name for tool in await few.list_tools()] == ["open_ticket", "get_status"]


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
    answered = {"role": "user", "content": [{"type": "tool_result", "content": "Rain."}, {"type": "text", "text": said[0]["content"]}]}
    sift = ToolSift(activation="on")
    sift.register([{"name": "get_weather", "description": "The weather of a city."}])
    for last, found in ((answered, []), ({"role": "user", "content": answered["content"][1:]}, ["get_weather"])):
        search_ahead(sift.session("chat"), True, [last])
        assert sift.session("chat").revealed == found
    published = ToolSift(activation="on", profile="select-load")
    published.register([{"name": "get_weather", "description": "The weather of a city."}])
    cases: list[tuple[Prefetch, list[str]]] = [(None, []), ("first", ["get_weather"])]
    for prefetch, loaded in cases:
        search_ahead(published.session("chat"), prefetch, said)
        assert published.session("chat").revealed == loaded, "the default is that of the profile sift"
    wrong: Any = "last"
    with pytest.raises(ToolSiftError, match="prefetch is \"last\"; it must be True, False or 'first'"):
        search_ahead(ToolSift().session("chat"), wrong, said)


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
