"""Turns what a tool answered into text for the model, as the core reads it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, cast

from ._core import answer_text
from ._json import whole

# About 25,000 tokens: they fit into every current context window beside a conversation.
ANSWER_CHARS = 100_000


@dataclasses.dataclass(frozen=True)
class Image:
    """An image of an answer: its media type, and its data in base64."""

    mime_type: str
    data: str


@dataclasses.dataclass(frozen=True)
class Read:
    """An answer as the model reads it: see ``Answer``."""

    text: str
    shown: str
    images: list[Image]
    is_error: bool


def read(value: Any) -> Read:
    """Reads an answer: a text, a result of MCP's, or anything that JSON can hold, more or less."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=_plain, separators=(",", ":"))
    except (TypeError, ValueError):
        text = json.dumps(str(value))
    said = json.loads(answer_text(whole(text)))
    images = [Image(one["mimeType"], one["data"]) for one in said["images"]]
    return Read(said["text"], said["shown"], images, said["isError"])


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, (bytes, bytearray)):
        return f"(data, {len(value)} bytes, not shown)"
    return list(cast("set[Any]", value)) if isinstance(value, (set, frozenset)) else str(value)
