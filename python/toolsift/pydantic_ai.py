"""Tool search for pydantic-ai: a toolset whose tools are those that the conversation has found, and a search strategy.

.. code-block:: python

    async with toolsift(mcp_servers=servers) as box:
        agent = Agent("openai:gpt-5.4", toolsets=[SiftToolset(box, "chat-42")])
        print((await agent.run("Open a ticket.")).output)
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from itertools import count
from typing import Any

from pydantic_ai import BinaryContent, RunContext
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.toolsets.abstract import ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from ._ahead import search_ahead
from ._door import Toolbox
from ._sift import Session, ToolSift
from ._steps import Steps
from .packs import with_packs
from .types import Assembly, Prefetch

__all__ = ["SiftToolset", "search_strategy"]

_TAKEN: Any = {"names": "any", "deferral": "always"}
# Tools that are loaded where none clearly fits: the model looks at them, and asks again.
_LISTED = 3
# A search begins with nothing revealed: what the conversation has found, pydantic-ai keeps itself.
_SEARCHES = count()
# The tool itself says what is wrong with its arguments.
_ANYTHING = SchemaValidator(core_schema.any_schema())


class SiftToolset(AbstractToolset[Any]):
    """The discovery tools, and what the model has found with them. Make one for each conversation.

    What the model may search for is said in the instructions. The agent's other tools and toolsets stay beside it.
    A call of a tool that is not loaded is refused by pydantic-ai itself, which names those that are.

    Args:
        box: what ``toolsift()`` opened.
        session: the id of the conversation, or its session.
        retries: how often a call whose arguments are no JSON may be repeated.
        prefetch: whether each run begins with ``session.prefetch`` of the user's prompt; ``"first"``: only a session's first,
            which is the default with the profile ``sift``.
    """

    def __init__(self, box: Toolbox, session: str | Session, *, retries: int = 3, prefetch: Prefetch = None) -> None:
        self._steps = Steps(box, session)
        self._retries = retries
        self._prefetch: Prefetch = prefetch
        self._begun: str | None = None

    @property
    def id(self) -> str | None:
        """Names the toolset for durable execution."""
        return "toolsift"

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """The tools of the request that is being made."""
        return {tool["name"]: self._tool(tool) for tool in self._request(ctx)["tools"]}

    def _request(self, ctx: RunContext[Any]) -> Assembly:
        if self._begun != ctx.run_id:
            self._begun = ctx.run_id
            replies = [{"role": "model"} for message in ctx.messages if message.kind == "response"]
            search_ahead(self._steps.session, self._prefetch, [*replies, {"content": ctx.prompt}])
        return self._steps.request((ctx.run_id, ctx.run_step))

    def _tool(self, tool: dict[str, Any]) -> ToolsetTool[Any]:
        definition = ToolDefinition(
            name=tool["name"],
            description=tool.get("description"),
            parameters_json_schema=tool["inputSchema"],
            # A strict schema would be another than the server's.
            strict=False,
        )
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=self._retries, args_validator=_ANYTHING)

    async def get_instructions(self, ctx: RunContext[Any]) -> str | None:
        """What can be searched for."""
        return self._request(ctx)["system_prompt"] or None

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Answers a call of the model. What failed is told to it as failed."""
        answer = await self._steps.answer(name, tool_args)
        if answer.is_error:
            raise ToolFailed(answer.text)
        if not answer.images:
            return answer.text
        images = [BinaryContent(b64decode(image.data), media_type=image.mime_type) for image in answer.images]
        return [*([answer.shown] if answer.shown else []), *images]


def search_strategy(sift: ToolSift | None = None, *, packs: bool = True) -> Any:
    """The search of toolsift as the strategy of pydantic-ai's own ``ToolSearch``, for tools with ``defer_loading=True``: what
    clearly fits is loaded, and at most the best three where nothing does.

    .. code-block:: python

        agent = Agent(model, tools=tools, capabilities=[ToolSearch(strategy=search_strategy())])

    Args:
        sift: the catalog that searches. It holds nothing but these tools; options such as ``synonyms`` are its own.
        packs: whether the tools of known servers get the words of ``toolsift.packs``.
    """
    catalog = sift if sift is not None else ToolSift(activation="on")

    def search(ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        forms = [
            {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters_json_schema}
            for tool in tools
        ]
        catalog.sync("agent", forms, **with_packs(forms, _TAKEN) if packs else _TAKEN)
        words = [query for query in queries if query.strip()]
        if not words:
            return []
        names = {tool["name"]: tool["original_name"] for tool in catalog.tools()}
        session = catalog.session(f"search {next(_SEARCHES)}")
        try:
            session.call(session.sift.settings["surface"][0], {"query": "; ".join(words)})
            found = session.revealed or [hit["name"] for hit in catalog.search(words, limit=_LISTED)["hits"]]
        finally:
            catalog.close_session(session.id)
        return [names[name] for name in found]

    return search
