"""Reads the MCP servers in the configuration of a client, such as ``mcpServers`` of Claude or Cursor."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind

_LOG = logging.getLogger("toolsift")

_STDIO = ("command", "args", "env", "cwd")
_REMOTE = ("url", "headers")
_TAKING = ("names", "deferral", "category", "enrichment")
_KEYS = ("type", "disabled", "enabled", *_STDIO, *_REMOTE, *_TAKING, "packs", "envFile", "includeTools", "excludeTools")
# Tables about clients: the keys that hold servers, other names of keys and transports, and keys that do not change how
# a server is reached. The file is part of the npm package; scripts/python-sources.mjs copies it.
CLIENTS: dict[str, Any] = json.loads(files("toolsift").joinpath("clients.json").read_text("utf-8"))
_SPELLINGS: Mapping[str, str] = CLIENTS["spellings"]
_TYPES: Mapping[str, str] = CLIENTS["types"]
# Matches `${NAME}`, and `{env:NAME}` of opencode.
_ANY = re.compile(r"\$(\$?)\{([^}]*)\}|()\{(env:\w+)\}")
_VARIABLE = re.compile(r"(?:env:)?([A-Za-z_]\w*)(?::-(.*))?", re.DOTALL)
_ENV_LINE = re.compile(r"""^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#\n]*?))\s*(?:#.*)?$""", re.MULTILINE)


class _MissingVariable(Exception):
    """A variable has no value, so its server cannot start. Other servers still can."""


@dataclass(frozen=True)
class Plan:
    """The connection data of one server, and the options for registering its tools. If the entry is broken, ``way`` is
    a text with the reason."""

    name: str
    way: Any
    taking: dict[str, Any] = field(default_factory=dict[str, Any])
    has_packs: bool = True
    include: frozenset[str] | None = None
    exclude: frozenset[str] = frozenset()


def plans_of(servers: Mapping[str, Any], env: Mapping[str, str] | None, has_packs: bool) -> list[Plan]:
    """Returns the plans of all servers that are not disabled.

    Args:
        servers: the entries by the names of the servers, or a client's whole configuration.
        env: the values of ``${NAME}``, ``${env:NAME}`` and ``${NAME:-default}``. With None, a variable is an error.
        has_packs: whether tools get the words of packs, for servers without ``packs`` in their entry.

    Raises:
        ToolSiftError: ``option_invalid``, ``option_conflict``. No message contains a secret.
    """
    if not is_object(servers):
        message = f'mcp_servers is {kind(servers)}; it must be a dict, such as json.load(open(".mcp.json"))'
        raise ToolSiftError("option_invalid", message)
    if env is not None and not is_object(env):
        raise ToolSiftError("option_invalid", f"env is {kind(env)}; it must be a dict, such as os.environ")
    for key in CLIENTS["wrappers"]:
        inner = servers.get(key)
        if is_object(inner) and not {"command", "url", "serverUrl", "httpUrl"} & inner.keys():
            # In opencode 2, the servers are one level deeper.
            servers = inner["servers"] if key == "mcp" and is_object(inner.get("servers")) else inner
            break
    return [plan for name, entry in servers.items() if (plan := _plan_of(name, entry, env, has_packs)) is not None]


def _plan_of(name: str, entry: Any, env: Mapping[str, str] | None, has_packs: bool) -> Plan | None:
    if not isinstance(name, str) or name == "":
        raise ToolSiftError("option_invalid", f"mcp_servers has a server with the name {kind(name)}; it must be a text")
    what = f"mcp_servers.{name[:80]}"
    if callable(entry) or hasattr(entry, "list_tools") or not is_object(entry):
        if isinstance(entry, (str, bytes, int, float)) or is_list(entry) or entry is None:
            raise ToolSiftError("option_invalid", f"{what} is {kind(entry)}; it must be a dict, a client or a function")
        return Plan(name, entry, has_packs=has_packs)
    said = _spelled(entry)
    unknown = [key for key in said if key not in _KEYS and key not in CLIENTS["ofClients"]]
    if unknown:
        _LOG.warning("%s has %r, which nothing reads", what, unknown[0][:80])
    if said.get("disabled") is True or said.get("enabled") is False:
        return None
    own = said.get("packs", has_packs)
    if not isinstance(own, bool):
        raise ToolSiftError("option_invalid", f"{what}.packs is {kind(own)}; it must be true or false")
    include, exclude = (_names(f"{what}.{key}", said.get(key)) for key in ("includeTools", "excludeTools"))
    taking = {key: said[key] for key in _TAKING if key in said}
    try:
        way: Any = _way_of(what, said, env)
    except _MissingVariable as error:
        way = str(error)
    return Plan(name, way, taking, own, include, exclude or frozenset())


def _spelled(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Converts an entry to the form of Claude and VS Code. Keys with the value None are left out."""
    said = {_SPELLINGS.get(str(key), str(key)): value for key, value in entry.items() if value is not None}
    if is_list(command := said.get("command")) and command:
        said["command"], said["args"] = command[0], [*command[1:], *said.get("args", ())]
    elif is_object(command):
        # Zed's older form.
        said = {**said, "command": command.get("path"), **{key: command[key] for key in ("args", "env") if key in command}}
    of_env: Mapping[str, str] = said.get("env_http_headers") or {}
    headers = {name: f"${{{variable}}}" for name, variable in of_env.items()}
    if token := said.get("bearer_token_env_var"):
        headers["Authorization"] = f"Bearer ${{{token}}}"
    own: Mapping[str, Any] = said.get("headers") or {}
    return {**said, "headers": {**headers, **own}} if headers else said


def _names(what: str, given: Any) -> frozenset[str] | None:
    if given is None:
        return None
    if not is_list(given) or not all(isinstance(one, str) for one in given):
        raise ToolSiftError("option_invalid", f"{what} is {kind(given)}; it must be a list of names of tools")
    # In Gemini's configuration, a name may have arguments after it, as in name(arg).
    return frozenset(one.partition("(")[0] for one in given)


def _way_of(what: str, said: dict[str, Any], env: Mapping[str, str] | None) -> dict[str, Any]:
    is_stdio, is_remote = "command" in said, "url" in said
    if is_stdio == is_remote:
        if is_stdio:
            raise ToolSiftError("option_conflict", f"{what} has both command and url; a server has one of them")
        has = ", ".join(repr(key[:40]) for key in list(said)[:5]) or "nothing"
        raise ToolSiftError("option_invalid", f"{what} has neither command nor url; it has {has}")
    way = _TYPES.get(said["type"]) if "type" in said else ("stdio" if is_stdio else "either")
    if way is None:
        raise ToolSiftError("option_invalid", f"{what}.type is {kind(said['type'])}; it must be one of {', '.join(_TYPES)}")
    stray = next((key for key in (_REMOTE if is_stdio else _STDIO) if key in said), None)
    if stray is not None or (way == "stdio") != is_stdio:
        other = "command" if is_stdio else "url"
        raise ToolSiftError("option_conflict", f"{what}.{stray or 'type'} does not go with {other}")

    def fill(key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise ToolSiftError("option_invalid", f"{what}.{key} is a {type(value).__name__}; it must be a text")
        return _expanded(f"{what}.{key}", value, env)

    def fill_all(key: str) -> dict[str, str]:
        given = said.get(key, {})
        if not is_object(given):
            raise ToolSiftError("option_invalid", f"{what}.{key} is a {type(given).__name__}; it must be a dict of texts")
        return {name: fill(f"{key}.{str(name)[:80]}", _as_text(value)) for name, value in given.items()}

    if is_stdio:
        args = said.get("args", [])
        if not is_list(args):
            raise ToolSiftError("option_invalid", f"{what}.args is a {type(args).__name__}; it must be a list of texts")
        of_file = _env_file(fill("envFile", said["envFile"])) if "envFile" in said else {}
        command: dict[str, Any] = {
            "command": fill("command", said["command"]),
            "args": [fill(f"args[{at}]", one) for at, one in enumerate(args)],
            "env": {**of_file, **fill_all("env")} or None,
            "cwd": fill("cwd", said["cwd"]) if "cwd" in said else None,
        }
        if not command["command"].strip():
            raise ToolSiftError("option_invalid", f"{what}.command is empty")
        return {"kind": "stdio", "stdio": command}
    url = fill("url", said["url"])
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ToolSiftError("option_invalid", f"{what}.url must begin with http:// or https://")
    if parts.username or parts.password:
        raise ToolSiftError("option_invalid", f"{what}.url must not hold a user or a password; use headers")
    return {"kind": way, "url": url, "headers": fill_all("headers")}


def _env_file(path: str) -> dict[str, str]:
    """Returns the variables in a file of ``NAME=value`` lines. If it cannot be read, only this server is broken."""
    try:
        text = Path(path).expanduser().read_text("utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        raise _MissingVariable(f"its envFile cannot be read: {error}") from error
    return {name: double or single or bare for name, double, single, bare in _ENV_LINE.findall(text)}


def _as_text(value: Any) -> Any:
    """Converts a number or a bool to text, because clients accept both as values of variables and headers."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else value


def _expanded(what: str, text: str, env: Mapping[str, str] | None) -> str:
    def value_of(found: re.Match[str]) -> str:
        if found[1]:
            return found[0][1:]
        named = f"{what} holds {found[0][:80]!r}"
        if env is None:
            raise ToolSiftError("option_invalid", f"{named}; pass env, such as env=os.environ, to fill it in")
        variable = _VARIABLE.fullmatch(found[2] or found[4])
        if variable is None:
            raise _MissingVariable(f"{named}, which is not a variable; write ${{NAME}} or ${{env:NAME}}")
        name, otherwise = variable.groups()
        value = env.get(name)
        # As in a shell: a variable with an empty value gives an empty text, unless there is a default.
        if value or (value == "" and otherwise is None):
            return str(value)
        if otherwise is None:
            raise _MissingVariable(f"{named}, and the environment has no {name}")
        return str(otherwise)

    # Variables in the value of a variable are not replaced.
    return _ANY.sub(value_of, text)
