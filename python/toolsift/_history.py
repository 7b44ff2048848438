"""Reads the calls of a conversation from its messages, in the format of each vendor and framework, and writes them for the core,
which knows what their answers mean."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind, whole

_Fields = Mapping[str, Any]

# Messages and parts of messages that are looked at: far more than any model reads.
_MOST_ITEMS = 1_000_000
# Keys under which an answer is wrapped. Wrapped deeper than this, it is none of ours.
_WRAPPERS = ("text", "content", "output", "result", "value", "error", "message", "tool_references")
_DEPTH = 8
# Of a longer text the beginning tells whether it is a refusal of ours; longer JSON is none.
_REFUSAL_CHARS = 1_000
_REFUSAL_JSON_CHARS = 1_000_000
_JSON = re.compile(r"\s*[\"\[{]")
_VENDOR = ""
_NOTHING = object()


@dataclass
class _Call:
    """A call of the model. ``step`` counts the model's steps from 1; ``by_vendor`` is a search of the vendor's own."""

    name: str
    args: Any
    step: int
    by_vendor: bool
    answer: Any = _NOTHING
    failed: bool = False


class _Calls:
    """Collects calls, and gives each answer to its call: by id, or where there is none by name and order."""

    def __init__(self) -> None:
        self.all: list[_Call] = []
        self._by_id: dict[str, _Call] = {}
        self._open: dict[str, deque[_Call]] = {}
        self._step = 0
        self._answering = True
        self._items = 0

    def count(self, items: int) -> None:
        self._items += items
        if self._items > _MOST_ITEMS:
            message = f"messages and their parts are more than {_MOST_ITEMS}, the limit"
            raise ToolSiftError("messages_invalid", message)

    def items(self, value: Any) -> list[_Fields]:
        if not is_list(value):
            return []
        self.count(len(value))
        return [one for one in value if is_object(one)]

    def call(self, name: Any, args: Any, id: Any = None, by_vendor: bool = False) -> None:
        if not isinstance(name, str):
            return
        if self._answering:
            self.forget()
            self._answering = False
            self._step += 1
        call = _Call(name, args, self._step, by_vendor)
        self.all.append(call)
        if isinstance(id, str) and id:
            self._by_id[id] = call
        else:
            self._open.setdefault(name, deque()).append(call)

    def answer(self, value: Any, id: Any = None, name: Any = None, failed: bool = False) -> None:
        if isinstance(id, str) and id:
            call = self._by_id.pop(id, None)
        else:
            waiting = self._open.get(name) if isinstance(name, str) else None
            call = waiting.popleft() if waiting else None
        if call is not None:
            self._answering = True
            call.answer, call.failed = value, failed

    def vendor_search(self, id: Any) -> None:
        self.call(_VENDOR, None, id, True)

    def vendor_answer(self, value: Any, id: Any) -> None:
        self.answer(value, id, _VENDOR)

    def given(self, value: Any) -> None:
        self.all.append(_Call(_VENDOR, None, self._step, True, value))

    def forget(self) -> None:
        """What has no id and was not answered by now never is."""
        self._open.clear()
        self._answering = True


# One message in each format ------------------------------------------------------------------------------------------


def _fields(value: Any) -> _Fields:
    return value if is_object(value) else {}


def _openai(message: _Fields, calls: _Calls) -> None:
    role = message.get("role")
    if role == "assistant":
        for call in calls.items(message.get("tool_calls")):
            function = _fields(call.get("function"))
            calls.call(function.get("name"), function.get("arguments"), call.get("id"))
        # As it was before there were several calls at once.
        old = _fields(message.get("function_call"))
        calls.call(old.get("name"), old.get("arguments"))
    elif role in ("tool", "function"):
        calls.answer(message.get("content"), message.get("tool_call_id"), message.get("name"))
    else:
        calls.forget()


def _responses(item: _Fields, calls: _Calls) -> None:
    type, id = item.get("type"), item.get("call_id")
    if type == "function_call":
        calls.call(item.get("name"), item.get("arguments"), id)
    elif type == "function_call_output":
        calls.answer(item.get("output"), id)
    elif type == "tool_search_call":
        calls.vendor_search(id)
    elif type == "tool_search_output":
        calls.vendor_answer(_references(item.get("tools"), calls), id)
    elif type == "additional_tools":
        calls.given(_references(item.get("tools"), calls))


def _references(tools: Any, calls: _Calls) -> list[_Fields]:
    found: list[_Fields] = []
    for tool in calls.items(tools):
        inner = calls.items(tool["tools"]) if tool.get("type") == "namespace" and "tools" in tool else [tool]
        found += [{"type": "tool_reference", "tool_name": one.get("name")} for one in inner]
    return found


def _anthropic(message: _Fields, calls: _Calls) -> None:
    is_model = message.get("role") == "assistant"
    for block in calls.items(message.get("content")):
        type = block.get("type")
        if type == "tool_result" and not is_model:
            calls.answer(block.get("content"), block.get("tool_use_id"), failed=block.get("is_error") is True)
        if not is_model:
            continue
        if type == "tool_use":
            calls.call(block.get("name"), block.get("input"), block.get("id"))
        elif type == "server_tool_use" and str(block.get("name")).startswith("tool_search_tool_"):
            calls.vendor_search(block.get("id"))
        elif type == "tool_search_tool_result":
            calls.vendor_answer(block.get("content"), block.get("tool_use_id"))


def _google(content: _Fields, calls: _Calls) -> None:
    parts = calls.items(content.get("parts"))
    is_model = content.get("role") == "model"
    for part in parts:
        call, response = part.get("functionCall"), part.get("functionResponse")
        if is_model and is_object(call):
            calls.call(call.get("name"), call.get("args"), call.get("id"))
        if not is_model and is_object(response):
            answer = response.get("response")
            calls.answer(answer, response.get("id"), response.get("name"), "error" in _fields(answer))
    if content.get("role") == "user" and not any("functionResponse" in part for part in parts):
        calls.forget()


def _mcp(call: _Fields, calls: _Calls) -> None:
    calls.call(call.get("name"), call.get("arguments"))
    if "result" in call:
        failed = _fields(call["result"]).get("isError") is True
        calls.answer(call["result"], name=call.get("name"), failed=failed)
    calls.forget()


def _langchain(given: _Fields, calls: _Calls) -> None:
    # What is stored lies one level deeper, in either of two forms.
    message = next((given[key] for key in ("kwargs", "data") if is_object(given.get(key))), given)
    if str(given.get("type") or given.get("role")) in ("human", "user", "system", "developer"):
        return
    id = message.get("tool_call_id")
    if id is not None:
        calls.answer(message.get("content"), id, failed=message.get("status") == "error")
    for call in calls.items(message.get("tool_calls")):
        said = call["function"] if is_object(call.get("function")) else call
        args = said["args"] if said.get("args") is not None else said.get("arguments")
        calls.call(said.get("name"), args, call.get("id"))


def _bedrock(message: _Fields, calls: _Calls) -> None:
    is_model = message.get("role") == "assistant"
    for block in calls.items(message.get("content")):
        use, result = block.get("toolUse"), block.get("toolResult")
        if is_model and is_object(use):
            calls.call(use.get("name"), use.get("input"), use.get("toolUseId"))
        if not is_model and is_object(result):
            content = result.get("content")
            parts = [one for one in content if is_object(one)] if is_list(content) else []
            said = [part if part.get("json") is None else part["json"] for part in parts]
            calls.answer(said, result.get("toolUseId"), failed=result.get("status") == "error")


_READERS: dict[str, Callable[[_Fields, _Calls], None]] = {
    "openai": _openai,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "google": _google,
    "mcp": _mcp,
    "langchain": _langchain,
    "bedrock": _bedrock,
}


def calls_of(messages: Sequence[Any], format: str, surface: Sequence[str]) -> str:
    """The calls of a conversation, as the core replays them.

    Raises:
        ToolSiftError: ``option_invalid``, ``messages_invalid``, ``format_mismatch``
    """
    if format not in _READERS:
        raise ToolSiftError("option_invalid", f"format must be one of {', '.join(_READERS)}; got {kind(format)}")
    if not isinstance(messages, (list, tuple)):
        raise ToolSiftError("messages_invalid", f"messages must be a list, got {kind(messages)}")
    plain = [_plain(at, message) for at, message in enumerate(messages)]
    calls = _read(format, plain)
    if not any(call.answer is not _NOTHING for call in calls.all):
        # A conversation of another format has no calls in this one: silently, all that it revealed would be forgotten.
        for other in _READERS:
            found = 0 if other == format else sum(call.answer is not _NOTHING for call in _read(other, plain).all)
            if found:
                message = f'messages hold no answered call as {format}, but {found} as {other}: pass format "{other}"'
                raise ToolSiftError("format_mismatch", message)
    return _encoded(calls, surface)


def _plain(at: int, message: Any) -> _Fields:
    read = message.model_dump(mode="json", by_alias=True, exclude_none=True) if hasattr(message, "model_dump") else message
    if not is_object(read):
        raise ToolSiftError("messages_invalid", f"messages.{at} must be an object, got {kind(message)}")
    return read


def _read(format: str, messages: Sequence[_Fields]) -> _Calls:
    calls = _Calls()
    calls.count(len(messages))
    for message in messages:
        _READERS[format](message, calls)
    return calls


# For the core --------------------------------------------------------------------------------------------------------


def _encoded(calls: _Calls, surface: Sequence[str]) -> str:
    last = 0
    written: list[dict[str, Any]] = []
    for call in calls.all:
        one: dict[str, Any] = {"begins": True} if call.step > last else {}
        last = call.step
        written.append(one)
        if call.answer is _NOTHING:
            continue
        references = _names_in(call.answer)
        if not call.by_vendor:
            one["name"] = call.name
        if call.by_vendor or call.name in surface:
            one["asked"] = _parts(call.args, calls.count)
            one["said"] = _parts(call.answer, calls.count)
            one["references"] = references
            continue
        if call.failed:
            one["failed"] = True
        if call.name in references:
            one["refers"] = True
        one["said"] = [text[:_REFUSAL_CHARS] for text in _texts(call.answer)]
    return whole(json.dumps(written, ensure_ascii=False))


def _visit(value: Any, depth: int = _DEPTH, seen: set[int] | None = None) -> Iterator[str | _Fields]:
    """Every text and every object of an answer, from the outside to the inside."""
    seen = set() if seen is None else seen
    if isinstance(value, str):
        yield value
    elif depth > 0 and id(value) not in seen:
        seen.add(id(value))
        inside = value if is_list(value) else ()
        if is_object(value):
            yield value
            inside = [value.get(key) for key in _WRAPPERS]
        for inner in inside:
            yield from _visit(inner, depth - 1, seen)


def _texts(value: Any, depth: int = _DEPTH) -> list[str]:
    """The texts of an answer; JSON text counts as the texts in it."""
    found: list[str] = []
    for one in _visit(value):
        if isinstance(one, str):
            said = _json_in(one) if depth > 0 and len(one) <= _REFUSAL_JSON_CHARS else None
            found += [one] if said is None else _texts(said, depth - 1)
    return found


def _parts(value: Any, count: Callable[[int], None], depth: int = _DEPTH) -> list[Any]:
    """The texts of an answer and the lists of its objects; JSON text counts as what it says."""
    parts: list[Any] = []
    for one in _visit(value):
        said = _json_in(one) if isinstance(one, str) and depth > 0 else None
        if said is not None:
            parts += _parts(said, count, depth - 1)
        else:
            parts.append(one.split("\n") if isinstance(one, str) else _lists(one, count))
    return parts


def _lists(value: _Fields, count: Callable[[int], None]) -> dict[str, list[str]]:
    """The names that an object lists, by key. A single text is a list of one."""
    lists: dict[str, list[str]] = {}
    for key, inner in value.items():
        if key in _WRAPPERS or not (isinstance(inner, str) or is_list(inner)):
            continue
        count(len(inner))
        names = [_fields(one).get("name", one) for one in ([inner] if isinstance(inner, str) else inner)]
        lists[key] = [name for name in names if isinstance(name, str)]
    return lists


def _json_in(text: str) -> Any:
    if _JSON.match(text) is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _names_in(value: Any) -> list[str]:
    """The names of tools that an answer refers to."""
    found = [one for one in _visit(value) if is_object(one) and one.get("type") == "tool_reference"]
    names = [one.get("tool_name", one.get("toolName")) for one in found]
    return [name for name in names if isinstance(name, str)]
