"""Reads tools of every form: dicts in a vendor's shape, MCP and SDK objects, Pydantic models, functions with annotations."""

from __future__ import annotations

import enum
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind, written

# What the core reads of a definition. Other keys, such as a function that runs the tool, stay with the host.
_KEYS = (
    "name",
    "title",
    "description",
    "inputSchema",
    "input_schema",
    "parameters",
    "parametersJsonSchema",
    "function",
    "functionDeclarations",
    "server",
    "category",
    "searchHint",
    "search_hint",
    "searchKeywords",
    "searchQueries",
    "tags",
    "deferral",
    "defer_loading",
    "annotations",
)
# Where objects of SDKs hold the schema: MCP, OpenAI Agents, pydantic-ai, Anthropic, others.
_SCHEMAS = ("inputSchema", "input_schema", "params_json_schema", "parameters_json_schema", "parameters")
# A catalog may never hold more.
_TOOLS = 200_000


def listed(tools: Any) -> list[Any] | None:
    """The tools in what was passed, or None where it is a single one.

    Raises:
        ToolSiftError: ``not_json`` for what is neither
    """
    if tools is None or isinstance(tools, (str, bytes, int, float)):
        raise ToolSiftError("not_json", f"tools must be a list or a definition, got {kind(tools)}")
    inner: Any = tools.get("tools") if is_object(tools) else getattr(tools, "tools", None)
    if is_list(inner) and not (is_object(tools) and "name" in tools):
        tools = inner
    if is_object(tools) or callable(tools) or _is_model(tools) or not hasattr(tools, "__iter__"):
        return None
    return list(tools)


def definitions(tools: list[Any]) -> tuple[str, list[int], list[dict[str, Any]]]:
    """A list of tools as JSON text, the places of those in it, and those that are no JSON."""
    if len(tools) > _TOOLS:
        raise ToolSiftError("catalog_full", f"a list of {len(tools)} tools; a catalog holds at most {_TOOLS}")
    texts: list[str] = []
    places: list[int] = []
    rejected: list[dict[str, Any]] = []
    for index, tool in enumerate(tools):
        try:
            texts.append(definition_text(tool))
            places.append(index)
        except ToolSiftError as error:
            name: Any = tool.get("name") if is_object(tool) else getattr(tool, "name", "")
            name = name[:256] if isinstance(name, str) else ""
            rejected.append({"index": index, "name": name, "code": error.code, "message": error.message})
    return f"[{','.join(texts)}]", places, rejected


def definition_text(tool: Any) -> str:
    """JSON text of what the core reads of a tool.

    Raises:
        ToolSiftError: ``not_json``, ``tool_shape_unknown``
    """
    return written("the tool", definition(tool))


def definition(tool: Any) -> Any:
    """What the core reads of a tool, as a dict."""
    if is_object(tool):
        return _of_mapping(tool)
    if _is_model_class(tool):
        return _of_model(tool)
    if inspect.isroutine(tool):
        return _of_function(tool)
    if _is_model(type(tool)) and not hasattr(tool, "tool_call_schema"):
        return _of_mapping(tool.model_dump(mode="json", by_alias=True, exclude_none=True))
    if isinstance(getattr(tool, "name", None), str):
        return _of_object(tool)
    if callable(tool):
        return _of_function(tool)
    return tool


def _of_mapping(tool: Mapping[str, Any]) -> dict[str, Any]:
    read = {key: tool[key] for key in _KEYS if tool.get(key) is not None}
    if "function_declarations" in tool:
        read["functionDeclarations"] = [_google(one) for one in tool["function_declarations"] or ()]
    meta = tool.get("_meta", tool.get("meta"))
    if is_object(meta) and "toolsift/search" in meta:
        read["_meta"] = {"toolsift/search": meta["toolsift/search"]}
    if not read and tool:
        keys = ", ".join(str(key)[:40] for key in list(tool)[:8])
        wanted = "{ name, description, inputSchema } or a vendor's form of a function"
        raise ToolSiftError("tool_shape_unknown", f"a tool needs a name, got {{ {keys} }}; pass {wanted}")
    for key in ("inputSchema", "input_schema", "parameters"):
        if _is_model_class(read.get(key)):
            read[key] = read[key].model_json_schema()
    return read


def _google(declaration: Any) -> Any:
    if not is_object(declaration) or "parameters_json_schema" not in declaration:
        return declaration
    return {**declaration, "parametersJsonSchema": declaration["parameters_json_schema"]}


def _of_object(tool: Any) -> dict[str, Any]:
    read: dict[str, Any] = {"name": tool.name}
    if isinstance(getattr(tool, "description", None), str):
        read["description"] = tool.description
    schema = next((value for key in _SCHEMAS if is_object(value := getattr(tool, key, None))), None)
    # LangChain's tools: a model or a schema, without what the run injects.
    called = getattr(tool, "tool_call_schema", None)
    if schema is None and called is not None:
        schema = called if is_object(called) else called.model_json_schema()
    if schema is None and hasattr(tool, "function_schema"):
        schema = tool.function_schema.json_schema
    if schema is not None:
        read["inputSchema"] = dict(schema)
    return read


def _is_model(value: Any) -> bool:
    return hasattr(value, "model_json_schema") and hasattr(value, "model_fields")


def _is_model_class(value: Any) -> bool:
    return inspect.isclass(value) and _is_model(value)


def _of_model(model: Any) -> dict[str, Any]:
    schema = model.model_json_schema()
    description = schema.pop("description", None)
    schema.pop("title", None)
    return {"name": model.__name__, "description": description, "inputSchema": schema}


# Functions -----------------------------------------------------------------------------------------------------------

_ARGUMENTS = re.compile(r"^\s*(?:Args|Arguments|Parameters):\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^\s+\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(.+)$", re.MULTILINE)
_SECTION = re.compile(r"^\s*(?:Returns|Raises|Yields|Examples?|Notes?):\s*$", re.MULTILINE)


def _of_function(function: Callable[..., Any]) -> dict[str, Any]:
    name = getattr(function, "__name__", type(function).__name__)
    text = inspect.getdoc(function) or ""
    head, _, rest = _divided(text)
    told = dict(_ARGUMENT.findall(_SECTION.split(rest)[0]))
    return {"name": name, "description": _SECTION.split(head)[0].strip(), "inputSchema": parameters_of(function, told)}


def _divided(text: str) -> tuple[str, str, str]:
    parts = _ARGUMENTS.split(text, maxsplit=1)
    return parts[0], "", parts[1] if len(parts) > 1 else ""


def parameters_of(function: Callable[..., Any], told: Mapping[str, str]) -> dict[str, Any]:
    """The JSON Schema of a function's parameters.

    Raises:
        ToolSiftError: ``schema_invalid`` for annotations that cannot be resolved, or that JSON Schema cannot say
    """
    what = f"the function {getattr(function, '__name__', function)!s}"
    try:
        signature = inspect.signature(function)
        hints = typing.get_type_hints(
            function if inspect.isroutine(function) else type(function).__call__, include_extras=True
        )
    except (NameError, TypeError, ValueError) as error:
        raise ToolSiftError("schema_invalid", f"{what} has annotations that cannot be read: {error}") from error
    properties: dict[str, Any] = {}
    required: list[str] = []
    definitions: dict[str, Any] = {}
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            message = f"{what} takes {parameter.name} by position alone; a model calls by name"
            raise ToolSiftError("schema_invalid", message)
        schema = _schema_of(hints.get(parameter.name, Any), f"{what}, {parameter.name}")
        definitions.update(schema.pop("$defs", {}))
        schema.pop("title", None)
        if parameter.name in told:
            schema.setdefault("description", told[parameter.name].strip())
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif parameter.default is not None and isinstance(parameter.default, (bool, int, float, str)):
            schema.setdefault("default", parameter.default)
        properties[parameter.name] = schema
    whole: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        whole["required"] = required
    return {**whole, "$defs": definitions} if definitions else whole


def _schema_of(hint: Any, what: str) -> dict[str, Any]:
    if "pydantic" in sys.modules or _needs_pydantic(hint):
        try:
            from pydantic import TypeAdapter

            described = _description(hint)
            schema: dict[str, Any] = TypeAdapter(hint).json_schema()
            return {**schema, "description": described} if described else schema
        except ImportError:
            pass
        except Exception as error:  # Pydantic has several errors for what it cannot say.
            raise ToolSiftError("schema_invalid", f"{what}: {str(error)[:200]}") from error
    return _plain_schema(hint, what)


def _needs_pydantic(hint: Any) -> bool:
    return _is_model(hint) or any(_needs_pydantic(one) for one in typing.get_args(hint) if one is not hint)


def _description(hint: Any) -> str | None:
    """``Annotated[str, "what it is"]``."""
    if typing.get_origin(hint) is not typing.Annotated:
        return None
    return next((one for one in typing.get_args(hint)[1:] if isinstance(one, str)), None)


_TYPES: dict[Any, dict[str, Any]] = {
    Any: {},
    inspect.Parameter.empty: {},
    object: {},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    dict: {"type": "object"},
    list: {"type": "array", "items": {}},
}


def _plain_schema(hint: Any, what: str) -> dict[str, Any]:
    """The schema of what is written often, where Pydantic is not installed."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        described = _description(hint)
        schema = _plain_schema(args[0], what)
        return {**schema, "description": described} if described else schema
    if hint in _TYPES:
        return dict(_TYPES[hint])
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_plain_schema(one, what) for one in args]}
    if inspect.isclass(origin) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _plain_schema(args[1], what)}
    if inspect.isclass(origin) and issubclass(origin, Iterable):
        return {"type": "array", "items": _plain_schema(args[0], what)}
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return {"enum": [one.value for one in hint]}
    if typing.is_typeddict(hint):
        fields = typing.get_type_hints(hint)
        properties = {name: _plain_schema(one, what) for name, one in fields.items()}
        return {"type": "object", "properties": properties, "required": sorted(getattr(hint, "__required_keys__", ()))}
    raise ToolSiftError("schema_invalid", f"{what} is a {hint!r}; install pydantic, or pass a JSON Schema")
