"""Tool search for the client of Google, google-genai.

.. code-block:: python

    async with toolsift(mcp_servers=servers) as box:
        question = [{"role": "user", "parts": [{"text": "Open a ticket."}]}]
        report = await run_tools(genai.Client(), box, "chat-42", question, model="gemini-3.8-flash")
        print(report.text)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.genai import Client
from google.genai.types import Content, FunctionCall, FunctionResponse, GenerateContentConfig, Part

from ._door import Answer, Toolbox
from ._json import is_list, is_object
from ._loop import Reply, Report, run_loop
from ._sift import Session
from .types import Assembly, Prefetch

__all__ = ["Report", "run_tools"]

# The API could not read a call of the model's, or it was of no function that was declared.
_BROKEN = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")


async def run_tools(
    client: Client,
    box: Toolbox,
    session: str | Session,
    contents: Sequence[Any],
    *,
    model: str,
    config: GenerateContentConfig | Mapping[str, Any] | None = None,
    max_steps: int = 20,
    prefetch: Prefetch = None,
) -> Report:
    """Asks, answers the calls of a reply at once, and asks again, until the model makes no more.

    A call that the API itself could not read counts as a refused one: the model is told, and asked again.

    Args:
        client: the client, which retries and times out as it is set up to.
        box: what ``toolsift()`` opened.
        session: the id of the conversation, or its session.
        contents: the conversation; it stays as it is, and ``report.messages`` is what to put behind it.
        model: the model.
        config: that of ``generate_content``. ``tools`` are sent beside; what is to be searched for is put behind
            ``system_instruction``.
        max_steps: how often the model is asked at most.
        prefetch: whether to begin with ``session.prefetch`` of the last message; ``"first"``: only in a session's first request,
            which is the default with the profile ``sift``.

    Raises:
        ToolSiftError: ``option_invalid``, and what ``session.assemble`` raises; what the client raises
    """
    own = GenerateContentConfig.model_validate(config or {})

    async def ask(assembly: Assembly, conversation: list[Any]) -> Reply:
        tools: Any = [*assembly["tools"], *(own.tools or ())]
        sent = own.model_copy(
            update={"tools": tools, "system_instruction": _with_prompt(own.system_instruction, assembly["system_prompt"])}
        )
        reply: Any = await client.aio.models.generate_content(model=model, contents=conversation, config=sent)
        candidate = reply.candidates[0] if reply.candidates else None
        content: Content | None = candidate.content if candidate is not None else None
        parts = (content.parts if content is not None else None) or []
        calls: list[tuple[Any, str, Any]] = [
            (part.function_call, part.function_call.name or "", part.function_call.args)
            for part in parts
            if part.function_call
        ]
        text = "".join(part.text for part in parts if part.text and not part.thought)
        if not calls and candidate is not None and candidate.finish_reason in _BROKEN:
            calls = [(None, "", {})]
        return Reply(reply, content if parts else None, text, calls)

    def answered(answers: list[tuple[Any, Answer]]) -> list[Any]:
        return [Content(role="user", parts=[_part(call, answer) for call, answer in answers])]

    return await run_loop(box, session, contents, "google", max_steps, prefetch, ask, answered)


def _part(call: FunctionCall | None, answer: Answer) -> Part:
    if call is None:
        return Part(text="Your function call could not be read, so nothing ran. Make it again, in plain JSON.")
    said = {"error" if answer.is_error else "output": answer.text}
    return Part(function_response=FunctionResponse(id=call.id, name=call.name, response=said))


def _with_prompt(own: Any, prompt: str) -> Any:
    """The prompt behind the host's own, which may be text, parts or a content."""
    if not prompt or not own:
        return own or prompt or None
    if isinstance(own, str):
        return f"{own}\n\n{prompt}"
    parts = own.get("parts") if is_object(own) and "parts" in own else getattr(own, "parts", own)
    return [*(parts if is_list(parts) else [parts]), Part(text=prompt)]
