"""Converts values to JSON text for the Rust code and back, with keys in camelCase there and in snake_case here."""

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

# The values of these keys are not converted, because others wrote them: schemas, arguments, names of tools.
_RAW_ANSWERS = frozenset({"arguments", "definition", "parameterNames", "tools"})
_RAW_OPTIONS = frozenset({"config", "scores", "aliases"})
_HALVES = re.compile(r"[\ud800-\udfff]")


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Returns True for a mapping (a JSON object). Its content is not checked."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Returns True for a list or tuple (a JSON array). Its content is not checked."""
    return isinstance(value, (list, tuple))


def written(what: str, value: object) -> str:
    """Returns a value as JSON text. ``what`` names the value in the error.

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
        # Half a surrogate pair is written as an escape. The Rust code refuses the escape and names its place.
        return json.dumps(value, separators=(",", ":"))
    return text


def messages_text(messages: object) -> str:
    """Returns the messages of a conversation as JSON text. The messages are dicts or objects of an SDK.

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
    """Returns the value if it is a string that UTF-8 can hold. A string with half a surrogate pair is refused.

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
    """Replaces halves of surrogate pairs in a text: UTF-8 cannot hold them, and vendors refuse requests with them."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


def kind(value: object) -> str:
    """Describes a value in a few words, for error messages."""
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    return f"{type(value).__name__}" if not isinstance(value, str) else json.dumps(value[:80])


def answered(text: str) -> Any:
    """Parses an answer of the Rust code, and converts its keys to snake_case."""
    return _snaked(json.loads(text))


def option(options: Any) -> Any:
    """Converts the keys of options to camelCase for the Rust code: ``context_window`` and ``contextWindow`` are
    equal."""
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
