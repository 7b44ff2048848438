from pydantic import BaseModel
from pydantic_ai import Agent, Tool, ToolOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider


class Report(BaseModel):
    text: str


def model_of(wire, base_url):
    if wire == "messages":
        return AnthropicModel("claude-opus-5-5", provider=AnthropicProvider(base_url=base_url, api_key="none"))
    model = OpenAIChatModel if wire == "chat" else OpenAIResponsesModel
    return model("gpt-5.2", provider=OpenAIProvider(base_url=base_url + "/v1", api_key="none"))


async def play(base_url, wire, tools, execute, system, prompt, stream):
    def tool(name, description, inputSchema, **_):
        return Tool.from_schema(lambda **args: execute(name, args), name, description, inputSchema)

    output = ToolOutput(Report)
    agent = Agent(model_of(wire, base_url), instructions=system, output_type=output, tools=[tool(**t) for t in tools])
    if not stream:
        return (await agent.run(prompt)).output.text
    async with agent.run_stream(prompt) as result:
        return (await result.get_output()).text
