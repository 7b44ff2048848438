"""Reads the user's own message at the end of a request, which is searched before the model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._json import is_list, is_object

# How the user is called: by OpenAI, Anthropic and Google; by LangChain.
_USER = ("user", "human")


def last_message(messages: Sequence[Any]) -> str:
    """The text of the last message, if it is the user's; empty where it is not, as behind the answer of a tool."""
    last: Any = messages[-1] if messages else ""
    if isinstance(last, str):
        return last
    role = _field(last, "role") or _field(last, "type") or "user"
    return text_in(_field(last, "content") or _field(last, "parts")) if role in _USER else ""


def text_in(content: Any) -> str:
    """The texts of a content, which is a text or has parts."""
    if isinstance(content, str):
        return content
    parts = content if is_list(content) else ()
    texts = [part if isinstance(part, str) else _field(part, "text") for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _field(value: Any, name: str) -> Any:
    return value.get(name) if is_object(value) else getattr(value, name, None)
