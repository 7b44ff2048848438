from autogen_agentchat.agents import AssistantAgent
from autogen_core.tools import BaseTool
from autogen_core.utils import schema_to_pydantic_model
from autogen_ext.models.openai import OpenAIChatCompletionClient

INFO = {"vision": False, "function_calling": True, "json_output": True, "family": "unknown", "structured_output": True}


async def play(base_url, wire, tools, execute, system, prompt, stream):
    class Named(BaseTool):
        def __init__(self, name, description, inputSchema, **_):
            super().__init__(schema_to_pydantic_model(inputSchema), str, name, description)

        async def run(self, args, _token):
            return execute(self.name, args.model_dump(exclude_unset=True))

    client = OpenAIChatCompletionClient(model="gpt-5.2", base_url=base_url + "/v1", api_key="none", model_info=INFO)
    agent = AssistantAgent(
        "clerk",
        client,
        tools=[Named(**t) for t in tools],
        system_message=system,
        model_client_stream=stream,
        max_tool_iterations=10,
    )
    return (await agent.run(task=prompt)).messages[-1].content
