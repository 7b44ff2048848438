"""1. Through every adapter the model searches, calls what it has found, and is told what failed: of a server, of a function.
2. The request holds the discovery tools and the prompt at first, and what was found from the next one on.
3. The agent's own tools stay beside them.
4. A call of a tool that is not loaded is answered, and the run goes on.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from conftest import ALWAYS, get_weather

from toolsift import toolsift

SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("search_tools", {"query": "open a ticket; weather"}),
    ("open_ticket", {"title": "broken"}),
    ("open_ticket", {"title": ""}),
    ("get_weather", {"city": "Bergen"}),
    ("own_tool", {}),
    ("close_ticket", {"number": 7}),
]
DISCOVERY = ["search_tools", "add_tool", "show_all_tools"]


def check(names: list[list[str]], prompts: list[str], answers: list[str], refused: str) -> None:
    assert all(set(DISCOVERY) <= set(step) for step in names)
    assert not {"open_ticket", "get_weather"} & set(names[0])
    assert {"open_ticket", "get_weather", "own_tool"} <= set(names[1])
    assert "close_ticket" not in names[1]
    assert all(prompt.startswith("You help.") and "tickets" in prompt for prompt in prompts)
    assert "open_ticket" in answers[0]
    assert answers[1:2] + answers[3:5] == ["ticket 7: broken", "rain in Bergen", "mine"]
    assert "Error executing tool open_ticket" in answers[2]
    assert refused in answers[5]


async def test_pydantic_ai(servers: dict[str, Any]) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
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
    parts = [part for message in result.all_messages() for part in message.parts if isinstance(part, ToolReturnPart)]
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
    outputs = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    answers = [str(output["text"] if isinstance(output, dict) else output) for output in outputs]
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


def served(answer: Any, library: str) -> Any:
    """A client of an HTTP library that answers each request with what a function makes of its body."""
    http: Any = import_module(library)

    def handle(request: Any) -> Any:
        return http.Response(200, json=answer(json.loads(request.content)))

    return http.AsyncClient(transport=http.MockTransport(handle))


STEPS = [call for call in SCRIPT if call[0] != "own_tool"]


def check_loop(bodies: list[dict[str, Any]], names: list[list[str]], prompts: list[str], answers: list[str]) -> None:
    assert len(bodies) == len(STEPS) + 1
    check([[*step, "own_tool"] for step in names], prompts, [*answers[:4], "mine", answers[4]], '"required":["number"]')


async def test_openai(servers: dict[str, Any]) -> None:
    from openai import AsyncOpenAI

    from toolsift.openai import run_tools

    bodies: list[dict[str, Any]] = []

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        bodies.append(body)
        step = len(bodies) - 1
        message: dict[str, Any] = {"role": "assistant", "content": "done"}
        if step < len(STEPS):
            function = {"name": STEPS[step][0], "arguments": json.dumps(STEPS[step][1])}
            message = {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{step}", "type": "function", "function": function}]}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}

    client = AsyncOpenAI(api_key="none", http_client=served(answer, "httpx"))
    conversation = [{"role": "system", "content": "You help."}, {"role": "user", "content": "Open a ticket."}]
    async with toolsift(servers, [get_weather], **ALWAYS) as box:
        report = await run_tools(client, box, "chat", conversation, model="m", temperature=0)
        again = await run_tools(client, box, "chat", [*conversation, *report.messages], model="m")
    assert (report.finish, report.text, again.text, len(conversation)) == ("done", "done", "done", 2)
    names = [[tool["function"]["name"] for tool in body["tools"]] for body in bodies[:-1]]
    prompts = ["\n\n".join(one["content"] for one in body["messages"][:2]) for body in bodies[:-1]]
    answers = [one["content"] for one in report.messages if one["role"] == "tool"]
    check_loop(bodies[:-1], names, prompts, answers)


async def test_anthropic(servers: dict[str, Any]) -> None:
    from anthropic import AsyncAnthropic

    from toolsift.anthropic import run_tools

    bodies: list[dict[str, Any]] = []

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        bodies.append(body)
        step = len(bodies) - 1
        block: dict[str, Any] = {"type": "text", "text": "done"}
        if step < len(STEPS):
            block = {"type": "tool_use", "id": f"c{step}", "name": STEPS[step][0], "input": STEPS[step][1]}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [block], "stop_reason": "end_turn", "usage": usage}

    client = AsyncAnthropic(api_key="none", http_client=served(answer, "httpx2"))
    conversation = [{"role": "user", "content": "Open a ticket."}]
    async with toolsift(servers, [get_weather], **ALWAYS) as box:
        report = await run_tools(client, box, "chat", conversation, model="m", max_tokens=99, system="You help.")
    assert (report.finish, report.text) == ("done", "done")
    results = [one["content"][0] for one in report.messages if one["role"] == "user"]
    assert [one["is_error"] for one in results] == [False, False, True, False, True]
    names = [[tool["name"] for tool in body["tools"]] for body in bodies]
    check_loop(bodies, names, [body["system"] for body in bodies], [one["content"] for one in results])


async def test_a_model_that_only_errs_is_stopped(servers: dict[str, Any]) -> None:
    from anthropic import AsyncAnthropic

    from toolsift.anthropic import run_tools

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        block = {"type": "tool_use", "id": "c", "name": "nothing_like_it", "input": {}}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [block], "stop_reason": "tool_use", "usage": usage}

    client = AsyncAnthropic(api_key="none", http_client=served(answer, "httpx2"))
    async with toolsift(servers, **ALWAYS) as box:
        ask: Any = {"model": "m", "max_tokens": 99}
        assert (await run_tools(client, box, "a", [{"role": "user", "content": "x"}], **ask)).finish == "refused"
        assert (await run_tools(client, box, "a", [{"role": "user", "content": "x"}], max_steps=2, **ask)).finish == "steps"
