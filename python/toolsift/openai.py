"""Tool search for the client of OpenAI, and of every vendor that speaks Chat Completions.

.. code-block:: python

    async with toolsift(mcp_servers=servers) as box:
        question = [{"role": "user", "content": "Open a ticket."}]
        report = await run_tools(AsyncOpenAI(), box, "chat-42", question, model="gpt-5.4")
        print(report.text)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion, ChatCompletionMessageFunctionToolCall

from ._door import Answer, Toolbox
from ._json import is_object, object_text
from ._loop import Reply, Report, run_loop
from ._sift import Session
from .types import Assembly, Prefetch

__all__ = ["Report", "run_tools"]


async def run_tools(
    client: AsyncOpenAI,
    box: Toolbox,
    session: str | Session,
    messages: Sequence[Any],
    *,
    model: str,
    max_steps: int = 20,
    prefetch: Prefetch = None,
    **request: Any,
) -> Report:
    """Asks, answers the calls of a reply at once, and asks again, until the model makes no more.

    Args:
        client: the client, which retries and times out as it is set up to.
        box: what ``toolsift()`` opened.
        session: the id of the conversation, or its session.
        messages: the conversation; it stays as it is, and ``report.messages`` is what to put behind it.
        model: the model.
        max_steps: how often the model is asked at most.
        prefetch: whether to begin with ``session.prefetch`` of the last message; ``"first"``: only in a session's first request,
            which is the default with the profile ``sift``.
        request: other parameters of ``chat.completions.create``, but for ``stream``. ``tools`` are sent beside.

    Raises:
        ToolSiftError: ``option_invalid``, and what ``session.assemble`` raises; what the client raises
    """
    beside = list(request.pop("tools", ()))
    # Which of its overloads is meant cannot be told: the host names the other parameters.
    create = cast("Callable[..., Awaitable[ChatCompletion]]", client.chat.completions.create)

    async def ask(assembly: Assembly, conversation: list[Any]) -> Reply:
        prompt = [{"role": "system", "content": assembly["system_prompt"]}] if assembly["system_prompt"] else []
        leading = next((at for at, one in enumerate(conversation) if not _is_system(one)), len(conversation))
        sent = [*conversation[:leading], *prompt, *conversation[leading:]]
        tools = [*assembly["tools"], *beside]
        given: dict[str, Any] = {**request, **({"tools": tools} if tools else {})}
        reply = await create(model=model, messages=sent, **given)
        message = reply.choices[0].message
        calls = [
            (call.id, call.function.name, call.function.arguments)
            for call in message.tool_calls or ()
            if isinstance(call, ChatCompletionMessageFunctionToolCall)
        ]
        return Reply(reply, _sent_back(message.model_dump(exclude_none=True)), message.content or "", calls)

    def answered(answers: list[tuple[str, Answer]]) -> list[Any]:
        return [{"role": "tool", "tool_call_id": id, "content": answer.text} for id, answer in answers]

    return await run_loop(box, session, messages, "openai", max_steps, prefetch, ask, answered)


def _sent_back(message: dict[str, Any]) -> dict[str, Any]:
    """The message for the conversation. Some vendors (vLLM, llama.cpp) read the arguments of its calls, and refuse this and
    every later request for a text that is no JSON of an object. The answer to the call says what was wrong with it."""
    for call in message.get("tool_calls") or ():
        if function := call.get("function"):
            function["arguments"] = object_text(function.get("arguments"))
    return message


def _is_system(message: Any) -> bool:
    return is_object(message) and message.get("role") in ("system", "developer")
