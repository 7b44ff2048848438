"""Tool search for agents of LlamaIndex: a retriever of tools, asked before every request of the model.

.. code-block:: python

    async with toolsift(mcp_servers=servers) as box:
        search = SiftRetriever(box, "chat-42")
        agent = FunctionAgent(llm=llm, tool_retriever=search, system_prompt=search.system_prompt("You help."))
        print(await agent.run(user_msg="Open a ticket."))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llama_index.core.objects import ObjectRetriever
from llama_index.core.schema import QueryBundle
from llama_index.core.tools import AsyncBaseTool, ToolMetadata, ToolOutput

from ._door import Toolbox
from ._errors import ToolSiftError
from ._sift import Session
from ._steps import Steps

__all__ = ["SiftRetriever"]


class SiftRetriever(ObjectRetriever[AsyncBaseTool]):
    """The discovery tools, and what the model has found with them. Make one for each conversation; the agent's own tools stay
    beside them.

    Args:
        box: what ``toolsift()`` opened.
        session: the id of the conversation, or its session.
    """

    def __init__(self, box: Toolbox, session: str | Session) -> None:
        self._steps = Steps(box, session)

    def system_prompt(self, own: str = "") -> str:
        """A prompt for the agent: its own, and what can be searched for."""
        return "\n\n".join(text for text in (own, self._steps.request()["system_prompt"]) if text)

    def retrieve(self, str_or_query_bundle: str | QueryBundle) -> list[AsyncBaseTool]:
        """The tools of the request that is being made. Agents look a called tool up here too: a call of one that is not
        loaded is decided by the session.
        """
        tools: list[AsyncBaseTool] = [_SiftTool(self._steps, tool) for tool in self._steps.request()["tools"]]
        asked = str_or_query_bundle if isinstance(str_or_query_bundle, str) else str_or_query_bundle.query_str
        is_name = asked.split() == [asked] and asked not in {tool.metadata.name for tool in tools}
        if is_name and any(tool["name"] == asked for tool in self._steps.session.tools()):
            tools.append(_SiftTool(self._steps, {"name": asked, "inputSchema": {"type": "object"}}))
        return tools

    async def aretrieve(self, str_or_query_bundle: str | QueryBundle) -> list[AsyncBaseTool]:
        """As ``retrieve``."""
        return self.retrieve(str_or_query_bundle)


class _Metadata(ToolMetadata):
    """What the SDK sends: the server's own schema, where a model of Pydantic would be another."""

    def __init__(self, tool: Mapping[str, Any]) -> None:
        super().__init__(tool.get("description", ""), tool["name"], None)
        self._schema = tool["inputSchema"]

    def get_parameters_dict(self) -> dict[str, Any]:
        return dict(self._schema)


class _SiftTool(AsyncBaseTool):
    def __init__(self, steps: Steps, tool: Mapping[str, Any]) -> None:
        self._steps = steps
        self._metadata = _Metadata(tool)

    @property
    def metadata(self) -> ToolMetadata:
        return self._metadata

    def call(self, *args: Any, **arguments: Any) -> ToolOutput:
        raise ToolSiftError("option_invalid", "a tool of SiftRetriever has to be called by acall")

    async def acall(self, /, *args: Any, **arguments: Any) -> ToolOutput:
        name = self._metadata.get_name()
        answer = await self._steps.answer(name, arguments)
        return ToolOutput(name, answer.text, raw_input=arguments, raw_output=answer.result, is_error=answer.is_error)
