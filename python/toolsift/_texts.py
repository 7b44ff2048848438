"""Turns what a tool answered into text for the model. Images and files are named with their type and size."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any, cast

from ._json import is_list, is_object, whole

# About 25,000 tokens: they fit into every current context window beside a conversation.
ANSWER_CHARS = 100_000


def is_error(value: Any) -> bool:
    """Whether an answer of MCP's says that the tool failed."""
    return _either(value, "is_error", "isError") is True


@dataclasses.dataclass(frozen=True)
class Image:
    """An image of an answer: its media type, and its data in base64."""

    mime_type: str
    data: str


def images_of(value: Any) -> list[Image]:
    """The images of an answer of MCP's."""
    content = getattr(value, "content", None)
    return [_image(part) for part in content if _is_image(part)] if is_list(content) else []


def _is_image(part: Any) -> bool:
    return getattr(part, "type", None) == "image" and isinstance(getattr(part, "data", None), str)


def _image(part: Any) -> Image:
    return Image(_either(part, "mime_type", "mimeType") or "image/png", part.data)


def text_of(value: Any, shown: bool = False) -> str:
    """The answer as text: texts on lines of their own, images and files as placeholders, the rest as JSON.

    Args:
        shown: whether the model sees the images beside, which need no placeholders then.
    """
    return whole(_plain(value, shown))


def _either(value: Any, name: str, older: str) -> Any:
    """A field under the name that the MCP SDK has for it, or had: to ask a newer one for the older name is deprecated."""
    return getattr(value, name) if hasattr(value, name) else getattr(value, older, None)


# A data URL that is longer than a small icon's.
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?[^,]{0,200};base64,(?=[\s\S]{400})", re.ASCII)


def _without_data_url(text: str) -> str:
    found = _DATA_URL.match(text)
    return text if found is None else _placeholder(found[1] or "data", text[found.end() :])


def _plain(value: Any, shown: bool) -> str:
    if isinstance(value, str):
        return _without_data_url(value)
    if value is None:
        return ""
    content = getattr(value, "content", None)
    if not is_list(content) or not all(hasattr(part, "type") for part in content):
        return _json(value)
    parts = [_part(part) for part in content if not (shown and _is_image(part))]
    data = _either(value, "structured_content", "structuredContent")
    if data is None or (data == {} and parts) or _repeats(data, list(content)):
        return "\n".join(parts)
    return "\n".join([*parts, _json(data)])


def _repeats(data: Any, content: list[Any]) -> bool:
    """Whether the data of an answer stand in its content: alone or within other words. SDKs of servers wrap what is no object as
    ``result``, and write the items of a list as texts of their own; servers of files wrap the content."""
    texts = [_text(part) for part in content]
    whole = json.loads(_json(list(content)))
    in_content = [whole, *whole]

    def stands(value: Any) -> bool:
        if any(_holds(text, value) for text in texts) or value in in_content:
            return True
        return is_list(value) and len(value) == len(texts) and all(map(_holds, texts, value))

    return stands(data) or (is_object(data) and bool(data) and all(map(stands, data.values())))


def _holds(text: str, value: Any) -> bool:
    if text == value:
        return True
    try:
        if json.loads(text) == value:
            return True
    except (ValueError, RecursionError):
        pass
    # A number or a word may stand in any text.
    return (is_object(value) or is_list(value)) and bool(value) and _json(value) in text


def _text(part: Any) -> str:
    text = part.text if part.type == "text" else getattr(getattr(part, "resource", None), "text", None)
    return text if isinstance(text, str) else ""


def _part(part: Any) -> str:
    if part.type == "text":
        return _without_data_url(str(part.text))
    data = getattr(part, "data", None)
    mime = _either(part, "mime_type", "mimeType")
    if isinstance(data, str):
        return _placeholder(mime or part.type, data)
    resource = getattr(part, "resource", None)
    text = getattr(resource, "text", None)
    if isinstance(text, str):
        return text
    blob = getattr(resource, "blob", None)
    if isinstance(blob, str):
        kind = _either(resource, "mime_type", "mimeType") or "a file"
        return _placeholder(f"{getattr(resource, 'uri', '')}, {kind}", blob)
    return _json(part)


def _placeholder(what: str, base64: str) -> str:
    size = len(base64.rstrip("=")) * 3 // 4
    amount, unit = (size, "bytes") if size < 1e3 else (size / 1e3, "KB") if size < 1e6 else (size / 1e6, "MB")
    return f"({what}, {amount:.3g} {unit}, not shown)"


def _json(value: Any) -> str:
    def other(one: Any) -> Any:
        if hasattr(one, "model_dump"):
            return one.model_dump(mode="json", by_alias=True, exclude_none=True)
        if dataclasses.is_dataclass(one) and not isinstance(one, type):
            return dataclasses.asdict(one)
        if isinstance(one, (bytes, bytearray)):
            return f"(data, {len(one)} bytes, not shown)"
        return list(cast("set[Any]", one)) if isinstance(one, (set, frozenset)) else str(one)

    def written(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, default=other, separators=(",", ":"))

    try:
        text = written(value)
    except (TypeError, ValueError):
        return str(value)
    return written(_without_data_urls(json.loads(text))) if '"data:' in text else text


def _without_data_urls(value: Any) -> Any:
    if is_object(value):
        return {key: _without_data_urls(one) for key, one in value.items()}
    if is_list(value):
        return [_without_data_urls(one) for one in value]
    return _without_data_url(value) if isinstance(value, str) else value
