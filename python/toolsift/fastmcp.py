"""Tool search for servers of FastMCP: with this transform, clients see only tools that search for other tools and call
them.

.. code-block:: python

    server = FastMCP("Everything")
    server.mount(create_proxy(config))
    server.add_transform(SiftTransform())
    server.run()
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from fastmcp.server.dependencies import get_context
from fastmcp.server.transforms import GetToolNext
from fastmcp.server.transforms.catalog import CatalogTransform
from fastmcp.server.transforms.search import BM25SearchTransform
from fastmcp.tools import Tool, ToolResult
from fastmcp.utilities.versions import VersionSpec
from pydantic import Field

from ._sift import Session, ToolSift

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .types import ToolSiftOptions

__all__ = ["SiftSearchTransform", "SiftTransform"]

_LOG = logging.getLogger("toolsift")


class SiftTransform(CatalogTransform):
    """Lists discovery tools in place of the server's tools. The answer of a search contains the schemas of the tools
    that clearly fit. The list of tools never changes, because MCP requests do not share a session.

    Each client finds and calls only tools that it may see without the transform. A tool can still be called by its own
    name. If all tools together cost less than the search, they are listed unchanged.

    Args:
        options: the options of ``ToolSift``, such as ``activation="on"`` or ``always_available=["get_status"]``.
    """

    def __init__(self, **options: Unpack[ToolSiftOptions]) -> None:
        super().__init__()
        said: ToolSiftOptions = {"surface": "constant", **options}
        self._sift = ToolSift(**said)
        self._names = frozenset(self._sift.settings["surface"])

    async def transform_tools(self, tools: Sequence[Tool]) -> Sequence[Tool]:
        """Returns the tools to list: the tools that are always available, and the discovery tools for the others."""
        with self._synced(tools) as session:
            request = session.assemble("mcp")
            known = {tool["name"]: tool["original_name"] for tool in session.tools()}
        if not request["active"]:
            return tools
        originals = {tool.name: tool for tool in tools}
        return [
            originals[known[tool["name"]]] if tool["name"] in known else self._discovery(**tool)
            for tool in request["tools"]
        ]

    async def get_tool(
        self, name: str, call_next: GetToolNext, *, version: VersionSpec | None = None
    ) -> Tool | None:
        """Returns the tool with this name: a discovery tool, or a tool of the server."""
        return self._discovery(name) if name in self._names else await call_next(name, version=version)

    async def _answer(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        context = get_context()
        with self._synced(await self.get_tool_catalog(context)) as session:
            outcome = session.call(name, arguments)
        if outcome["kind"] == "dispatch":
            return await context.fastmcp.call_tool(outcome["name"], dict(outcome["arguments"]))
        if outcome["kind"] == "refused":
            return ToolResult(outcome["error"]["message"], is_error=True)
        return ToolResult(outcome["content"], is_error=outcome["is_error"])

    def _synced(self, tools: Sequence[Tool]) -> Session:
        """Opens a session with exactly these tools, those that the client may see. No other request runs until it is
        closed."""
        for one in self._sift.sync("tools", [tool.to_mcp_tool() for tool in tools], names="any")["rejected"]:
            _LOG.warning("the tool %r cannot be found: %s", one["name"], one["message"])
        return self._sift.session("request")

    def _discovery(self, name: str, description: str = "", inputSchema: dict[str, Any] | None = None) -> Tool:
        schema = inputSchema or {"type": "object"}
        return _Discovery(name=name, description=description, parameters=schema, answer=self._answer)


class SiftSearchTransform(BM25SearchTransform):
    """FastMCP's own search transform with toolsift's ranking. Its options, tools and answers stay unchanged.

    Args:
        options: the options of ``BM25SearchTransform``, such as ``max_results`` and ``always_visible``.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._sift = ToolSift()

    async def _search(self, tools: Sequence[Tool], query: str) -> Sequence[Tool]:
        self._sift.sync("tools", [tool.to_mcp_tool() for tool in tools], names="any")
        known = {tool["name"]: tool["original_name"] for tool in self._sift.tools()}
        by_name = {tool.name: tool for tool in tools}
        return [by_name[known[hit["name"]]] for hit in self._sift.search(query, limit=self._max_results)["hits"]]


class _Discovery(Tool):
    answer: Callable[[str, dict[str, Any]], Awaitable[ToolResult]] = Field(exclude=True)

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        return await self.answer(self.name, arguments)
