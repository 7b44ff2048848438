"""Converts the result of a tool into text for the model. The Rust core does the conversion."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, cast

from ._core import answer_text
from ._json import whole

# The default limit of an answer, in characters. About 25,000 tokens fit into every current context window with a
# conversation.
ANSWER_CHARS = 100_000


@dataclasses.dataclass(frozen=True)
class Image:
    """An image in a tool result: its media type, and its data in base64."""

    mime_type: str
    data: str


@dataclasses.dataclass(frozen=True)
class Read:
    """A tool result as text. ``text`` has a note for each image, ``shown`` has none, for models that see the images."""

    text: str
    shown: str
    images: list[Image]
    is_error: bool


def read(value: Any) -> Read:
    """Converts a tool result: a text, an MCP result, or any other value, which becomes JSON or ``str(value)``."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain, separators=(",", ":"))
    except (TypeError, ValueError):
        text = json.dumps(str(value))
    said = json.loads(answer_text(whole(text)))
    images = [Image(one["image"]["mimeType"], one["image"]["data"]) for one in said["parts"] if "image" in one]
    shown = "\n".join(one["text"] for one in said["parts"] if "image" not in one) if images else said["text"]
    return Read(said["text"], shown, images, said["isError"])


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, (bytes, bytearray)):
        return f"(data, {len(value)} bytes, not shown)"
    return list(cast("set[Any]", value)) if isinstance(value, (set, frozenset)) else str(value)
