"""An agent of LangChain on LangGraph with every tool of the servers in .mcp.json."""

# The types of create_agent and ainvoke are unknown in part, whatever they are given.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import asyncio
import json
import os

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage

from toolsift import toolsift
from toolsift.langchain import SiftMiddleware


async def main() -> None:
    async with toolsift(json.load(open(".mcp.json")), env=os.environ) as box:
        agent = create_agent("openai:gpt-5.4", middleware=[SiftMiddleware(box, "chat-42")])
        state = await agent.ainvoke({"messages": [HumanMessage("Echo the word hello.")]})
        print(state["messages"][-1].text)


asyncio.run(main())
