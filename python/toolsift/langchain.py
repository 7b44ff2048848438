"""Tool search for agents of LangChain and LangGraph, as a middleware.

.. code-block:: python

    async with toolsift(mcp_servers=servers) as box:
        agent = create_agent("openai:gpt-5.4", middleware=[SiftMiddleware(box)], checkpointer=InMemorySaver())
        config: RunnableConfig = {"configurable": {"thread_id": "chat-42"}}
        print(await agent.ainvoke({"messages": [HumanMessage("Open a ticket.")]}, config))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, SystemMessage, ToolMessage
from langgraph.config import get_config

from ._ahead import search_ahead
from ._door import Answer, Toolbox
from ._errors import ToolSiftError
from ._json import is_object
from ._sift import Session
from ._steps import session_of
from .types import Prefetch

__all__ = ["SiftMiddleware"]


class SiftMiddleware(AgentMiddleware[Any, Any, Any]):
    """Adds the discovery tools, and the tools that the model has loaded with them, to the agent's own tools.

    Each thread has a session with its ``thread_id`` as id. Use the agent's async methods, such as ``ainvoke``.

    Args:
        box: the ``Toolbox`` that ``toolsift()`` opened.
        session: the id of the conversation or its ``Session``, if the agent has only one conversation.
        prefetch: whether a request with the user's message at its end first loads tools that clearly fit the message
            (``session.prefetch``). ``"first"`` does this only in a session's first request. It is the default with the
            profile ``sift``.
    """

    def __init__(self, box: Toolbox, session: str | Session | None = None, *, prefetch: Prefetch = None) -> None:
        super().__init__()
        self._box = box
        self._session = session
        self._prefetch: Prefetch = prefetch

    def _opened(self) -> Session:
        if self._session is not None:
            return session_of(self._box, self._session)
        thread = get_config().get("configurable", {}).get("thread_id")
        if thread is None:
            message = "the run has no thread_id; pass one in config['configurable'], or a session to SiftMiddleware"
            raise ToolSiftError("option_invalid", message)
        return session_of(self._box, str(thread))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | AIMessage:
        """Adds the session's tools after the agent's own tools, and its prompt after the agent's prompt.

        Raises:
            ToolSiftError: ``name_reserved`` if the agent has a tool with the name of one of the session's tools
        """
        session = self._opened()
        search_ahead(session, self._prefetch, request.messages)
        assembly = session.assemble("openai")
        ours = {tool["function"]["name"] for tool in assembly["tools"]}
        clash = next((name for tool in request.tools if (name := _name_of(tool)) in ours), None)
        if clash is not None:
            message = f"the agent's tool {clash!r} has the name of a tool that the session shows; give it another one"
            raise ToolSiftError("name_reserved", message)
        return await handler(
            request.override(
                tools=[*request.tools, *assembly["tools"]],
                system_message=_with_prompt(request.system_message, assembly["system_prompt"]),
            )
        )

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Answers a call of a tool that is not one of the agent's own."""
        if request.tool is not None:
            return await handler(request)
        call = request.tool_call
        answer = await self._box.answer(self._opened(), call["name"], call["args"])
        return ToolMessage(
            content=_content(answer),
            name=call["name"],
            tool_call_id=call["id"] or "",
            status="error" if answer.is_error else "success",
            artifact=answer.result,
        )


def _content(answer: Answer) -> Any:
    if not answer.images:
        return answer.text
    images = [{"type": "image", "base64": image.data, "mime_type": image.mime_type} for image in answer.images]
    return [*([{"type": "text", "text": answer.shown}] if answer.shown else []), *images]


def _name_of(tool: Any) -> Any:
    return tool.get("function", tool).get("name") if is_object(tool) else tool.name


def _with_prompt(message: SystemMessage | None, prompt: str) -> SystemMessage | None:
    if not prompt:
        return message
    if message is None:
        return SystemMessage(content=prompt)
    if isinstance(message.content, str):
        return SystemMessage(content=f"{message.content}\n\n{prompt}")
    return SystemMessage(content=[*message.content, {"type": "text", "text": prompt}])
