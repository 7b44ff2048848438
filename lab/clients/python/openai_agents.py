import json

from agents import Agent, FunctionTool, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, set_tracing_disabled
from openai import AsyncOpenAI

set_tracing_disabled(True)


async def play(base_url, wire, tools, execute, system, prompt, stream):
    def tool(name, description, inputSchema, **_):
        async def invoke(_context, args):
            return execute(name, json.loads(args))

        return FunctionTool(name, description, inputSchema, invoke, strict_json_schema=False)

    client = AsyncOpenAI(base_url=base_url + "/v1", api_key="none")
    model = (OpenAIChatCompletionsModel if wire == "chat" else OpenAIResponsesModel)("gpt-5.2", client)
    writer = Agent("Writer", model=model)
    agent = Agent("Clerk", instructions=system, model=model, tools=[tool(**t) for t in tools], handoffs=[writer])
    if not stream:
        return (await Runner.run(agent, prompt)).final_output
    result = Runner.run_streamed(agent, prompt)
    async for _ in result.stream_events():
        pass
    return result.final_output
