"""Searches for the user's own message at the end of a request, before the model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind
from ._sift import Session
from .types import Prefetch

# How the user is called: by OpenAI, Anthropic and Google; by LangChain.
_USER = ("user", "human")
# Whose messages come before the first reply of the model.
_FIRST = (*_USER, "system", "developer")
# Where Google and Bedrock have the answer of a tool.
_ANSWERS = ("functionResponse", "function_response", "toolResult")


def search_ahead(session: Session, prefetch: Prefetch, messages: Sequence[Any]) -> None:
    """Loads what the last message finds, if it is the user's and the option says so: always, or in a session's first request.
    The profiles of published systems stay as these are."""
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
    """The text of the last message, if it is the user's; empty where it is not, as behind the answer of a tool."""
    last: Any = messages[-1] if messages else ""
    if _role(last) not in _USER:
        return ""
    content = last if isinstance(last, str) else _field(last, "content") or _field(last, "parts")
    parts: Sequence[Any] = content if is_list(content) else (content,)
    # Some vendors have the answers of tools in messages of the user's.
    if any(_field(part, "type") == "tool_result" or any(_field(part, key) for key in _ANSWERS) for part in parts):
        return ""
    texts = [part if isinstance(part, str) else _field(part, "text") for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _field(value: Any, name: str) -> Any:
    return value.get(name) if is_object(value) else getattr(value, name, None)
