"""Tool search for pydantic-ai: a toolset with only the tools that the conversation has loaded, and a search strategy.

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
# The number of tools that are loaded if none clearly fits. The model reads them, and can search again.
_LISTED = 3
# Each search has a new session without loaded tools, because pydantic-ai itself remembers the loaded tools.
_SEARCHES = count()
# Arguments are not validated here: the tool itself reports wrong arguments.
_ANYTHING = SchemaValidator(core_schema.any_schema())


class SiftToolset(AbstractToolset[Any]):
    """A toolset with the discovery tools and the tools that the model has loaded with them. Make one for each
    conversation.

    Its instructions tell the model what it can search for. The agent can have other tools and toolsets too. If the
    model calls a tool that is not loaded, pydantic-ai itself refuses the call and names the loaded tools.

    Args:
        box: the ``Toolbox`` that ``toolsift()`` opened.
        session: the id of the conversation, or its ``Session``.
        retries: how often the model may repeat a call whose arguments are not valid JSON.
        prefetch: whether each run first loads tools that clearly fit the user's prompt (``session.prefetch``).
            ``"first"`` does this only in a session's first run. It is the default with the profile ``sift``.
    """

    def __init__(self, box: Toolbox, session: str | Session, *, retries: int = 3, prefetch: Prefetch = None) -> None:
        self._steps = Steps(box, session)
        self._retries = retries
        self._prefetch: Prefetch = prefetch
        self._begun: str | None = None

    @property
    def id(self) -> str | None:
        """The name of the toolset, for durable execution."""
        return "toolsift"

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """Returns the tools of the current model request."""
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
            # In strict mode, pydantic-ai would change the server's schema.
            strict=False,
        )
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=self._retries, args_validator=_ANYTHING)

    async def get_instructions(self, ctx: RunContext[Any]) -> str | None:
        """Returns the instructions that tell the model what it can search for, or None if there are none."""
        return self._request(ctx)["system_prompt"] or None

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Answers a call of the model.

        Raises:
            ToolFailed: if the tool failed or the call was refused; pydantic-ai passes the message to the model
        """
        answer = await self._steps.answer(name, tool_args)
        if answer.is_error:
            raise ToolFailed(answer.text)
        if not answer.images:
            return answer.text
        images = [BinaryContent(b64decode(image.data), media_type=image.mime_type) for image in answer.images]
        return [*([answer.shown] if answer.shown else []), *images]


def search_strategy(sift: ToolSift | None = None, *, packs: bool = True) -> Any:
    """Returns toolsift's search as a strategy for pydantic-ai's own ``ToolSearch``, for tools with
    ``defer_loading=True``. The tools that clearly fit are loaded. If no tool clearly fits, the best three are loaded.

    .. code-block:: python

        agent = Agent(model, tools=tools, capabilities=[ToolSearch(strategy=search_strategy())])

    Args:
        sift: an empty catalog with your options, such as ``synonyms``. By default, a new one is made.
        packs: whether tools of well-known servers get the extra search words of ``toolsift.packs``.
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
