"""Converts tools of every form to definitions: dicts of a vendor, objects of MCP and SDKs, Pydantic models,
functions."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial, wraps
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind, written

if TYPE_CHECKING:
    from pydantic import TypeAdapter

# The keys of a definition that the Rust code reads. Other keys, such as a function that runs the tool, are not passed
# on. The file is part of the npm package; scripts/python-sources.mjs copies it.
_READS: dict[str, list[str]] = json.loads(files("toolsift").joinpath("definition.json").read_text("utf-8"))
# The attributes that hold the schema in objects of MCP, OpenAI Agents, pydantic-ai, Anthropic and other SDKs.
_SCHEMAS = ("inputSchema", "input_schema", "params_json_schema", "parameters_json_schema", "parameters")
# The most tools in a list: a catalog can never hold more.
_TOOLS = 200_000


def listed(tools: Any) -> list[Any] | None:
    """Returns the tools in a list or in an object with ``tools``, or None if the value is a single tool.

    Raises:
        ToolSiftError: ``not_json`` if the value is neither
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
    """Returns a list of tools as JSON text, the original index of each tool in it, and the tools that were rejected."""
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
    """Returns the definition of a tool as JSON text.

    Raises:
        ToolSiftError: ``not_json``, ``tool_shape_unknown``
    """
    return written("the tool", definition(tool))


def definition(tool: Any) -> Any:
    """Returns the definition of a tool, as a dict."""
    if hasattr(tool, "to_mcp_tool"):  # FastMCP
        tool = tool.to_mcp_tool()
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
    if hasattr(getattr(tool, "metadata", None), "get_parameters_dict"):  # LlamaIndex
        told = tool.metadata
        return {"name": told.get_name(), "description": told.description, "inputSchema": told.get_parameters_dict()}
    if callable(tool):
        return _of_function(tool)
    return tool


def _of_mapping(tool: Mapping[str, Any]) -> dict[str, Any]:
    is_skill = tool.get("kind") == "skill"
    keys = [*_READS["keys"], *(_READS["ofASkill"] if is_skill else ())]
    read = {key: tool[key] for key in keys if tool.get(key) is not None}
    if is_skill:
        read["readable"] = callable(tool.get("read"))
    if "function_declarations" in tool:
        read["functionDeclarations"] = [_google(one) for one in tool["function_declarations"] or ()]
    meta = tool.get("_meta", tool.get("meta"))
    if is_object(meta) and "toolsift/search" in meta:
        read["_meta"] = {"toolsift/search": meta["toolsift/search"]}
    if not read and tool:
        shown = ", ".join(str(key)[:40] for key in list(tool)[:8])
        wanted = "{ name, description, inputSchema } or a vendor's form of a function"
        raise ToolSiftError("tool_shape_unknown", f"a tool needs a name, got {{ {shown} }}; pass {wanted}")
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
    # For tools of LangChain: a model or a schema, without parameters that LangChain injects.
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
    text = inspect.getdoc(function) or ""
    head, *rest = _ARGUMENTS.split(text, maxsplit=1)
    told = dict(_ARGUMENT.findall(_SECTION.split(rest[0])[0])) if rest else {}
    schema = _arguments_of(function)[1]
    if schema.get("additionalProperties") is False:
        del schema["additionalProperties"]
    parameters = inspect.signature(function, eval_str=True).parameters
    for name, said in schema["properties"].items():
        said.pop("title", None)
        # The texts in `Annotated[str, "text"]` come before those of the docstring.
        notes = getattr(parameters[name].annotation, "__metadata__", ()) if name in parameters else ()
        texts = [note for note in (*notes, told.get(name, "").strip()) if isinstance(note, str) and note]
        if texts:
            said.setdefault("description", texts[0])
    return {"name": _name_of(function), "description": _SECTION.split(head)[0].strip(), "inputSchema": schema}


def _name_of(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _arguments_of(function: Callable[..., Any]) -> tuple[TypeAdapter[Any], dict[str, Any]]:
    """Returns what checks the arguments of a function and then calls it, and the JSON Schema of the arguments.

    Raises:
        ToolSiftError: ``peer_missing``; ``schema_invalid`` if annotations cannot be read or converted to JSON Schema
    """
    what = f"the function {_name_of(function)}"
    try:
        from pydantic import TypeAdapter
        from pydantic.json_schema import GenerateJsonSchema
    except ImportError as error:
        raise ToolSiftError("peer_missing", f"the parameters of {what} are read by Pydantic: pip install pydantic") from error

    class Quiet(GenerateJsonSchema):
        # A default that is not a JSON value is left out of the schema.
        ignored_warning_kinds = {*GenerateJsonSchema.ignored_warning_kinds, "non-serializable-default"}

    call: Any = function
    if not (inspect.isfunction(function) or inspect.ismethod(function) or isinstance(function, partial)):
        # Pydantic reads functions. What decorators and other languages make is called by one.
        is_written = inspect.ismethod(call.__call__) and not hasattr(call, "__wrapped__")
        call = call.__call__ if is_written else wraps(call)(lambda *args, **named: function(*args, **named))
    try:
        kinds = {parameter.kind for parameter in inspect.signature(call).parameters.values()}
        if kinds & {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL}:
            raise TypeError("arguments by position alone, as before / or in *args; a model calls by name")
        adapter: TypeAdapter[Any] = TypeAdapter(call)
        schema = adapter.json_schema(schema_generator=Quiet)
    except Exception as error:  # Pydantic has several errors, and annotations can name what is not there.
        reason = str(error).splitlines()[0][:300]
        raise ToolSiftError("schema_invalid", f"{what} has parameters that Pydantic cannot read: {reason}") from error
    return adapter, schema


# Running tools -------------------------------------------------------------------------------------------------------


# A function that runs a tool with the model's arguments, by the names of the parameters.
Run = Callable[[Mapping[str, Any]], Awaitable[Any]]


def runner(tool: Any) -> Run:
    """Returns the function that runs a tool of the program. Arguments of a function are converted to the types in its
    annotations: ``"2"`` becomes 2, and a dict becomes a Pydantic model.

    Raises:
        ToolSiftError: ``option_invalid`` if the tool cannot be called, or only inside a run of its SDK
    """
    if inspect.isroutine(tool):
        return _converting(tool)
    if hasattr(tool, "ainvoke"):  # LangChain
        ainvoke: Run = tool.ainvoke
        return ainvoke
    if hasattr(tool, "on_invoke_tool"):
        raise _of_a_run(tool, "the OpenAI Agents SDK")
    if hasattr(tool, "takes_ctx"):
        if tool.takes_ctx:
            raise _of_a_run(tool, "pydantic-ai")
        return _converting(tool.function)
    if hasattr(tool, "fn") and hasattr(tool, "run"):  # FastMCP
        run: Run = tool.run
        return run
    if hasattr(tool, "acall"):  # LlamaIndex
        return partial(_content_of, tool.acall)
    if callable(tool):
        return _converting(tool)
    raise ToolSiftError("option_invalid", f"tools holds {kind(tool)}, which cannot be called; pass a function, or Tool")


def _of_a_run(tool: Any, sdk: str) -> ToolSiftError:
    message = f"the tool {tool.name!r} of {sdk} runs in a run of its agent alone; give it to the agent, or pass its function"
    return ToolSiftError("option_invalid", message)


async def called(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Calls a function. If it is not ``async``, it runs in a thread."""
    if inspect.iscoroutinefunction(function):
        return await function(**arguments)
    answer = await asyncio.to_thread(function, **arguments)
    return await answer if inspect.isawaitable(answer) else answer


async def _content_of(acall: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    return (await acall(**arguments)).content


def _converting(function: Callable[..., Any]) -> Run:
    adapter, schema = _arguments_of(function)
    from pydantic import ValidationError
    from pydantic_core import ArgsKwargs

    takes_more = schema.get("additionalProperties", True) is not False

    async def run(arguments: Mapping[str, Any]) -> Any:
        # Arguments that the function does not take are left out.
        said = {name: value for name, value in arguments.items() if takes_more or name in schema["properties"]}
        call = partial(adapter.validate_python, ArgsKwargs((), said))
        try:
            # An async function runs in no thread: all threads may be busy.
            return await (call() if inspect.iscoroutinefunction(function) else called(call, {}))
        except ValidationError as error:
            # The function itself may also use Pydantic.
            if error.title != adapter.validator.title:
                raise
            wrong = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
            raise ValueError("; ".join(wrong)) from error

    return run
