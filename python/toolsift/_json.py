"""Carries values into the core and back: JSON text, and keys in the spelling of either language."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from ._errors import ToolSiftError

if TYPE_CHECKING:
    from .types import Json

# What stands under these keys is somebody else's: a schema, arguments, names of tools.
_RAW_ANSWERS = frozenset({"arguments", "definition", "parameterNames", "tools"})
_RAW_OPTIONS = frozenset({"config", "scores", "aliases"})
_HALVES = re.compile(r"[\ud800-\udfff]")


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is an object of JSON. What is in it was not looked at."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether a value is a list of JSON. What is in it was not looked at."""
    return isinstance(value, (list, tuple))


def written(what: str, value: object) -> str:
    """JSON text of a value.

    Raises:
        ToolSiftError: ``not_json``
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolSiftError("not_json", f"{what} is no JSON: {str(error)[:200]}") from error
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half a surrogate pair arrives as an escape, which the core refuses with its place.
        return json.dumps(value, separators=(",", ":"))
    return text


def messages_text(messages: object) -> str:
    """JSON text of a conversation's messages, which are dicts or objects of SDKs.

    Raises:
        ToolSiftError: ``messages_invalid``
    """
    try:
        return whole(json.dumps(messages, ensure_ascii=False, default=_fields))
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolSiftError("messages_invalid", f"messages are no JSON: {str(error)[:200]}") from error


def _fields(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(by_alias=True, exclude_none=True)
    if dataclasses.is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    return str(value)


def text(what: str, value: object) -> str:
    """Refuses what is no text, and half a surrogate pair, which UTF-8 cannot hold.

    Raises:
        ToolSiftError: ``option_invalid``, ``text_invalid``
    """
    if not isinstance(value, str):
        raise ToolSiftError("option_invalid", f"{what} must be a string, got {kind(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ToolSiftError("text_invalid", f"{what} holds half a surrogate pair") from error
    return value


def whole(text: str) -> str:
    """The text without halves of surrogate pairs: UTF-8 cannot hold them, and vendors refuse requests that do."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


def kind(value: object) -> str:
    """A value for people, in a few words."""
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    return f"{type(value).__name__}" if not isinstance(value, str) else json.dumps(value[:80])


def answered(text: str) -> Any:
    """An answer of the core, with keys as Python spells them."""
    return _snaked(json.loads(text))


def option(options: Any) -> Any:
    """Options as the core reads them: ``context_window`` and ``contextWindow`` are the same."""
    if is_object(options):
        return {_camel(key): value if key in _RAW_OPTIONS else option(value) for key, value in options.items()}
    if isinstance(options, (set, frozenset)):
        return sorted(cast("set[str]", options), key=str)
    return [option(one) for one in options] if is_list(options) else options


def _snaked(value: Json) -> Json:
    if isinstance(value, dict):
        return {_snake(key): inner if key in _RAW_ANSWERS else _snaked(inner) for key, inner in value.items()}
    return [_snaked(one) for one in value] if isinstance(value, list) else value


@lru_cache(1024)
def _snake(key: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", key)


@lru_cache(1024)
def _camel(key: Any) -> Any:
    return re.sub(r"(?<=.)_([a-z])", lambda letter: letter[1].upper(), key) if isinstance(key, str) else key
