"""An agent of pydantic-ai with every tool of the servers in .mcp.json."""

import asyncio
import json
import os

from pydantic_ai import Agent

from toolsift import toolsift
from toolsift.pydantic_ai import SiftToolset


async def main() -> None:
    async with toolsift(json.load(open(".mcp.json")), env=os.environ) as box:
        agent = Agent("openai-chat:gpt-5.4", toolsets=[SiftToolset(box, "chat-42")])
        print((await agent.run("Echo the word hello.")).output)


asyncio.run(main())
