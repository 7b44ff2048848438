"""Tool search for the OpenAI Agents SDK: an MCP server with only the tools that the conversation has loaded.

.. code-block:: python

    async with toolsift(mcp_servers=servers) as box:
        search = SiftServer(box, "chat-42")
        agent = Agent(name="Helper", instructions=search.instructions("You help."), mcp_servers=[search])
        print((await Runner.run(agent, "Open a ticket.", run_config=search.run_config())).final_output)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

from agents import Agent, RunConfig, RunContextWrapper
from agents.agent import AgentBase
from agents.mcp import MCPServer
from agents.run_config import ToolErrorFormatterArgs
from mcp.types import CallToolResult, GetPromptResult, ListPromptsResult
from mcp.types import Tool as McpTool

from ._ahead import search_ahead
from ._door import Toolbox
from ._sift import Session
from ._steps import Steps
from .types import Prefetch

__all__ = ["SiftServer"]


class SiftServer(MCPServer):
    """Stands for all MCP servers of an agent: it has the discovery tools and the tools that the model has loaded with
    them. Make one for each conversation. The agent can have other tools too.

    Args:
        box: the ``Toolbox`` that ``toolsift()`` opened.
        session: the id of the conversation, or its ``Session``.
        prefetch: whether each run first loads tools that clearly fit the user's message (``session.prefetch``).
            ``"first"`` does this only in a session's first run. It is the default with the profile ``sift``.
        options: the options of ``agents.mcp.MCPServer``, such as ``require_approval``.
    """

    def __init__(self, box: Toolbox, session: str | Session, *, prefetch: Prefetch = None, **options: Any) -> None:
        super().__init__(**options)
        self._steps = Steps(box, session)
        self._prefetch: Prefetch = prefetch

    @property
    def name(self) -> str:
        """The name of the server in the SDK."""
        return "toolsift"

    async def connect(self) -> None:
        """Does nothing: ``toolsift()`` has connected the servers already."""

    async def cleanup(self) -> None:
        """Does nothing: the end of ``async with`` closes the servers."""

    async def list_tools(
        self, run_context: RunContextWrapper[Any] | None = None, agent: AgentBase[Any] | None = None
    ) -> list[McpTool]:
        """Returns the tools of the current model request."""
        if run_context is not None and run_context.usage.requests == 0:
            search_ahead(self._steps.session, self._prefetch, run_context.turn_input)
        return [McpTool.model_validate(tool) for tool in self._steps.request(_step(run_context))["tools"]]

    async def call_tool(
        self, tool_name: str, arguments: dict[str, Any] | None, meta: dict[str, Any] | None = None
    ) -> CallToolResult:
        """Answers a call of the model."""
        answer = await self._steps.answer(tool_name, arguments)
        images = [{"type": "image", "data": image.data, "mimeType": image.mime_type} for image in answer.images]
        text = answer.shown if images else answer.text
        content = [*([{"type": "text", "text": text}] if text or not images else []), *images]
        return CallToolResult.model_validate({"content": content, "isError": answer.is_error})

    async def list_prompts(self) -> ListPromptsResult:
        """Returns an empty list: there are no prompts."""
        return ListPromptsResult(prompts=[])

    async def get_prompt(self, name: str, arguments: dict[str, Any] | None = None) -> GetPromptResult:
        """Raises ``KeyError``: there are no prompts."""
        raise KeyError(name)

    def instructions(
        self, own: str | Callable[[RunContextWrapper[Any], Agent[Any]], str | Awaitable[str]] = ""
    ) -> Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]:
        """Returns instructions for ``Agent``: the agent's own instructions, and a text that tells the model what it can
        search for."""

        async def both(context: RunContextWrapper[Any], agent: Agent[Any]) -> str:
            said = own if isinstance(own, str) else own(context, agent)
            texts = [said if isinstance(said, str) else await said, self._steps.request(_step(context))["system_prompt"]]
            return "\n\n".join(text for text in texts if text)

        return both

    def run_config(self, config: RunConfig | None = None) -> RunConfig:
        """Returns a configuration for ``Runner.run``. If the model calls a tool that is not loaded, the SDK usually
        ends the run. With this configuration, the model gets an error message that tells it what to do. If ``config``
        has a ``tool_error_formatter``, it is called first.
        """
        config = config or RunConfig()
        own = config.tool_error_formatter

        async def formatted(said: ToolErrorFormatterArgs[Any]) -> str | None:
            told = own(said) if own is not None else None
            text = await told if isinstance(told, Awaitable) else told
            if text is not None or said.kind != "tool_not_found":
                return text
            outcome = self._steps.session.call(said.tool_name)
            if outcome["kind"] == "refused":
                return outcome["error"]["message"]
            return f"{said.tool_name} is loaded now. Call it again." if outcome["kind"] == "dispatch" else outcome["content"]

        return dataclasses.replace(
            config, tool_error_formatter=formatted, tool_not_found_behavior="return_error_to_model"
        )


def _step(context: RunContextWrapper[Any] | None) -> object:
    """Returns a value that identifies the current request of a run."""
    return None if context is None else (id(context.usage), context.usage.requests)
