"""An agent of the OpenAI Agents SDK with every tool of the servers in .mcp.json."""

import asyncio
import json
import os

from agents import Agent, Runner

from toolsift import toolsift
from toolsift.openai_agents import SiftServer


async def main() -> None:
    async with toolsift(json.load(open(".mcp.json")), env=os.environ) as box:
        search = SiftServer(box, "chat-42")
        agent = Agent(name="Helper", model="gpt-5.4", instructions=search.instructions("You help."), mcp_servers=[search])
        print((await Runner.run(agent, "Echo the word hello.", run_config=search.run_config())).final_output)


asyncio.run(main())
