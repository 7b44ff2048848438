"""Loads tools that fit the user's message at the end of a request, before the model is asked (prefetch)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind
from ._sift import Session
from .types import Prefetch

# The role of the user: for OpenAI, Anthropic and Google; for LangChain.
_USER = ("user", "human")
# The roles of messages that can come before the model's first reply.
_FIRST = (*_USER, "system", "developer")
# The fields with the answer of a tool, for Google and Bedrock.
_ANSWERS = ("functionResponse", "function_response", "toolResult")


def search_ahead(session: Session, prefetch: Prefetch, messages: Sequence[Any]) -> None:
    """Loads the tools that clearly fit the last message, if the user wrote it. ``True`` does this in every request, and
    ``"first"`` only in a session's first request. The default is ``"first"`` with the profile ``sift``, and off
    otherwise."""
    if prefetch is None:
        prefetch = "first" if session.sift.settings["profile"] == "sift" else False
    if not isinstance(prefetch, bool) and prefetch != "first":
        raise ToolSiftError("option_invalid", f"prefetch is {kind(prefetch)}; it must be True, False or 'first'")
    if prefetch is True or (prefetch == "first" and session.snapshot()["turn"] == 0 and all(map(_is_early, messages))):
        session.prefetch(last_message(messages))


def _is_early(message: Any) -> bool:
    return _role(message) in _FIRST


def _role(message: Any) -> Any:
    return "user" if isinstance(message, str) else _field(message, "role") or _field(message, "type") or "user"


def last_message(messages: Sequence[Any]) -> str:
    """Returns the text of the last message if the user wrote it. Otherwise, as after the answer of a tool, it is
    empty."""
    last: Any = messages[-1] if messages else ""
    if _role(last) not in _USER:
        return ""
    content = last if isinstance(last, str) else _field(last, "content") or _field(last, "parts")
    parts: Sequence[Any] = content if is_list(content) else (content,)
    # Some vendors put the answers of tools into messages with the role of the user.
    if any(_field(part, "type") == "tool_result" or any(_field(part, key) for key in _ANSWERS) for part in parts):
        return ""
    texts = [part if isinstance(part, str) else _field(part, "text") for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _field(value: Any, name: str) -> Any:
    return value.get(name) if is_object(value) else getattr(value, name, None)
