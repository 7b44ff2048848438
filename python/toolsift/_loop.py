"""The agent's loop for vendors' clients: ask, answer the calls, and ask again, until the model is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._ahead import search_ahead
from ._door import Answer, Toolbox
from ._errors import ToolSiftError
from ._json import is_list, kind
from ._sift import Session
from ._steps import session_of
from .types import Assembly, Outcome, Prefetch, WireFormat

# Replies in a row of which every call was refused, after which a run ends.
_PATIENCE = 5


@dataclass(frozen=True)
class Report:
    """How a run ended: the model made no more calls (``"done"``), it was asked ``max_steps`` times (``"steps"``), or it only
    made calls that were refused (``"refused"``). ``messages`` holds what the run added; ``reply`` is the vendor's last one.
    """

    finish: Literal["done", "steps", "refused"]
    text: str
    messages: list[Any]
    reply: Any


@dataclass(frozen=True)
class Reply:
    """What a vendor answered: its message, unless there is nothing in it, the text, and the calls, each with what its answer
    needs, name and arguments."""

    raw: Any
    message: Any
    text: str
    calls: list[tuple[Any, str, Any]]


async def run_loop(
    box: Toolbox,
    session: str | Session,
    messages: Sequence[Any],
    format: WireFormat,
    max_steps: int,
    prefetch: Prefetch,
    ask: Callable[[Assembly, list[Any]], Awaitable[Reply]],
    answered: Callable[[list[tuple[Any, Answer]]], list[Any]],
) -> Report:
    """Runs the loop; ``answered`` writes the answers as the vendor wants them."""
    if not is_list(messages) or not isinstance(max_steps, int) or max_steps < 1:
        wrong = f"max_steps is {kind(max_steps)}" if is_list(messages) else f"messages is {kind(messages)}"
        raise ToolSiftError("option_invalid", f"{wrong}; messages is a list, and max_steps a number from 1")
    opened = session_of(box, session)
    search_ahead(opened, prefetch, messages)
    said: list[Any] = []
    refusals = 0
    for step in range(1, max_steps + 1):
        reply = await ask(opened.assemble(format), [*messages, *said])
        said += [] if reply.message is None else [reply.message]
        if not reply.calls:
            return Report("done", reply.text, said, reply.raw)
        answers = await asyncio.gather(*(box.answer(opened, name, args) for _, name, args in reply.calls))
        said += answered([(id, answer) for (id, _, _), answer in zip(reply.calls, answers)])
        is_refused = all(_is_refused(answer.outcome) for answer in answers)
        refusals = refusals + 1 if is_refused else 0
        if refusals == _PATIENCE or step == max_steps:
            return Report("refused" if refusals == _PATIENCE else "steps", reply.text, said, reply.raw)
    raise AssertionError("unreachable")


def _is_refused(outcome: Outcome) -> bool:
    """Whether nothing came of a call, also where a discovery tool cannot read its arguments."""
    return outcome["kind"] == "refused" or (outcome["kind"] == "result" and outcome["is_error"])
