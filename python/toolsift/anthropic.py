"""Tool search for the client of Anthropic.

.. code-block:: python

    async with toolsift(mcp_servers=servers) as box:
        question = [{"role": "user", "content": "Open a ticket."}]
        report = await run_tools(AsyncAnthropic(), box, "chat-42", question, model="claude-sonnet-5", max_tokens=4_096)
        print(report.text)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from anthropic import AsyncAnthropic
from anthropic.types import Message

from ._door import Answer, Toolbox
from ._loop import Reply, Report, run_loop
from ._sift import Session
from .types import Assembly, Prefetch

__all__ = ["Report", "run_tools"]


async def run_tools(
    client: AsyncAnthropic,
    box: Toolbox,
    session: str | Session,
    messages: Sequence[Any],
    *,
    model: str,
    max_tokens: int,
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
        max_tokens: the tokens of one reply at most.
        max_steps: how often the model is asked at most.
        prefetch: whether to begin with ``session.prefetch`` of the last message; ``"first"``: only in a session's first request,
            which is the default with the profile ``sift``.
        request: other parameters of ``messages.create``, but for ``stream``. ``tools`` are sent beside; what is to be searched
            for is put behind ``system``.

    Raises:
        ToolSiftError: ``option_invalid``, and what ``session.assemble`` raises; what the client raises
    """
    beside = list(request.pop("tools", ()))
    own = request.pop("system", "")
    # Which of its overloads is meant cannot be told: the host names the other parameters.
    create = cast("Callable[..., Awaitable[Message]]", client.messages.create)

    async def ask(assembly: Assembly, conversation: list[Any]) -> Reply:
        tools: Any = [*assembly["tools"], *beside]
        system = _with_prompt(own, assembly["system_prompt"])
        given: dict[str, Any] = {**request, **({"tools": tools} if tools else {}), **({"system": system} if system else {})}
        reply = await create(model=model, max_tokens=max_tokens, messages=conversation, **given)
        blocks = [block.model_dump(exclude_none=True) for block in reply.content]
        calls = [(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        return Reply(reply, {"role": "assistant", "content": blocks}, text, calls)

    def answered(answers: list[tuple[str, Answer]]) -> list[Any]:
        results = [
            {"type": "tool_result", "tool_use_id": id, "content": answer.text, "is_error": answer.is_error}
            for id, answer in answers
        ]
        return [{"role": "user", "content": results}]

    return await run_loop(box, session, messages, "anthropic", max_steps, prefetch, ask, answered)


def _with_prompt(own: Any, prompt: str) -> Any:
    """The prompt behind the host's own, which may be text or blocks."""
    if isinstance(own, str) or not prompt:
        return "\n\n".join(text for text in (own, prompt) if text) if isinstance(own, str) else own
    return [*own, {"type": "text", "text": prompt}]
