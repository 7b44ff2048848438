"""Ranks with the code of a Python project itself: `python originals.py PEER`.

Reads JSON lines from standard input: `{"tools": […]}` first, then `{"query": …, "limit": …}`. Answers each with a line: the
number of tools, then `{"names": […]}`, best first, or `{"error": …}` for a query that the project refuses.
"""

import asyncio
import json
import sys

NO_PARAMETERS = {"type": "object", "properties": {}}


async def fastmcp(tools):
    """The search of FastMCP's BM25SearchTransform, which its tool `search_tools` runs over the tools that a client sees."""
    from fastmcp.server.transforms.search import BM25SearchTransform
    from fastmcp.tools import Tool

    catalog = [
        Tool(name=tool["name"], description=tool["description"], parameters=tool["parameters"] or NO_PARAMETERS)
        for tool in tools
    ]
    transforms = {}

    async def search(query, limit):
        if limit not in transforms:
            transforms[limit] = BM25SearchTransform(max_results=limit)
        return [tool.name for tool in await transforms[limit]._search(catalog, query)]

    return search


async def pydantic_ai(tools):
    """The function tool `search_tools` of pydantic-ai's ToolSearchToolset, with its default strategy."""
    from pydantic_ai import RunContext, ToolDefinition
    from pydantic_ai.models.test import TestModel
    from pydantic_ai.toolsets import ExternalToolset
    from pydantic_ai.toolsets._tool_search import ToolSearchToolset
    from pydantic_ai.usage import RunUsage

    context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    catalog = ExternalToolset(
        [
            ToolDefinition(
                name=tool["name"],
                description=tool["description"],
                parameters_json_schema=tool["parameters"] or NO_PARAMETERS,
                defer_loading=True,
            )
            for tool in tools
        ]
    )
    toolsets = {}

    async def search(query, limit):
        if limit not in toolsets:
            toolset = ToolSearchToolset(wrapped=catalog, max_results=limit)
            toolsets[limit] = toolset, (await toolset.get_tools(context))["search_tools"]
        toolset, tool = toolsets[limit]
        found = await toolset.call_tool("search_tools", {"queries": [query]}, context, tool)
        return [match["name"] for match in found["discovered_tools"]]

    return search


PEERS = {"fastmcp": fastmcp, "pydantic-ai": pydantic_ai}


def answer(value):
    print(json.dumps(value), flush=True)


async def main(peer):
    tools = json.loads(sys.stdin.readline())["tools"]
    search = await PEERS[peer](tools)
    answer({"tools": len(tools)})
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer({"names": await search(asked["query"], asked["limit"])})
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"})


asyncio.run(main(sys.argv[1]))
