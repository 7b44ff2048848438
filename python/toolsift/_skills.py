"""Reads skills from folders. A skill is a folder with a ``SKILL.md``; its other files are read only when the model
needs them. The npm package reads the same folders with the same limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from os.path import isdir, realpath
from pathlib import Path
from typing import Any

from ._errors import ToolSiftError
from ._json import is_list, is_object, kind

_MANIFEST = "SKILL.md"
_MOST_MANIFEST_BYTES = 262_144
_MOST_FILE_BYTES = 4_194_304
_MOST_DEPTH = 8
_MOST_FOLDERS = 20_000
_MOST_TOOLS = 64
# The most problems that one error names.
_NAMED = 5
_HEAD = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class _Broken(Exception):
    """A ``SKILL.md`` is broken. The message begins with the line number, if there is one."""


def skill_definitions(skills: Any) -> Iterator[dict[str, Any]]:
    """Yields the skills of the option ``skills``: each dict as it is, and all skills in each folder.

    Raises:
        ToolSiftError: ``option_invalid``, which names the broken files; ``peer_missing`` if PyYAML is not installed
    """
    if not is_list(skills):
        raise ToolSiftError("option_invalid", f"skills is {kind(skills)}; it must be a list of folders and dicts")
    for skill in skills:
        if is_object(skill):
            yield {**skill, "kind": "skill"}
        elif isinstance(skill, (str, Path)) and skill != "":
            yield from _skills_in(Path(skill))
        else:
            raise ToolSiftError("option_invalid", f"skills holds {kind(skill)}; pass a folder, or a dict")


def _skills_in(top: Path) -> list[dict[str, Any]]:
    problems: list[str] = []
    found: list[dict[str, Any]] = []
    for folder in _folders(top, problems):
        try:
            found.append(_skill(folder))
        except _Broken as error:
            problems.append(f"{folder / _MANIFEST}:{error}")
    if problems:
        more = f"\n… {len(problems) - _NAMED} more" if len(problems) > _NAMED else ""
        raise ToolSiftError("option_invalid", "skills cannot be read:\n" + "\n".join(problems[:_NAMED]) + more)
    if not found:
        raise ToolSiftError("option_invalid", f"{top} has no {_MANIFEST}, and no folder in it has one")
    return found


def _folders(top: Path, problems: list[str]) -> Iterator[Path]:
    """Yields the folders with a ``SKILL.md`` in alphabetical order, each once. Folders inside such a folder are not
    searched."""
    # The first entry is the top folder.
    met: dict[Path, None] = {}
    open_folders = [(top, 0)]
    while open_folders:
        folder, depth = open_folders.pop()
        try:
            path = _real(folder)
            if not path.is_relative_to(next(iter(met), path)):
                problems.append(f"{folder} is a symbolic link out of {top}; pass the folder that it leads to")
                continue
            if path in met:
                continue
            met[path] = None
            if len(met) > _MOST_FOLDERS:
                raise ToolSiftError("option_invalid", f"{top} has more than {_MOST_FOLDERS} folders")
            inner = sorted(folder.iterdir())
        except (OSError, ValueError) as error:
            problems.append(f"{folder}: {error}")
            continue
        if folder / _MANIFEST in inner:
            yield folder
        elif depth < _MOST_DEPTH:
            for one in reversed(inner):
                if one.name[0] != "." and one.name != "node_modules" and isdir(one):
                    open_folders.append((one, depth + 1))


def _real(path: Path) -> Path:
    """Resolves the links in a path. For a link to itself it raises ``OSError``, unlike ``Path.resolve``."""
    return Path(realpath(path, strict=True))


def _skill(folder: Path) -> dict[str, Any]:
    try:
        text = _file_in(folder, _MANIFEST)
    except ToolSiftError as error:
        raise _Broken(f" {error.message}") from error
    head = _HEAD.match(text)
    if head is None:
        raise _Broken('1: it must begin with a head between two lines "---"')
    fields = _fields(head[1])
    name, description = fields.get("name"), fields.get("description")
    if not isinstance(name, str) or len(name) > 64 or not _NAME.fullmatch(name):
        raise _Broken(" name must have 1 to 64 characters: lower-case letters, digits and single hyphens between them")
    if not isinstance(description, str) or not description.strip() or len(description) > 1_024:
        raise _Broken(" description must have 1 to 1024 characters")
    tools = _tools(fields.get("allowed-tools"))
    read = partial(_read, folder)
    return {"kind": "skill", "name": name, "description": description.strip(), "text": text[head.end() :], "tools": tools, "read": read}


def _fields(head: str) -> Mapping[str, Any]:
    try:
        yaml: Any = import_module("yaml")
    except ImportError as error:
        message = "the heads of skills are YAML, which this environment cannot read: pip install 'toolsift[skills]'"
        raise ToolSiftError("peer_missing", message) from error
    try:
        # With `BaseLoader`, every value stays text.
        fields = yaml.load(head, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None)
        line = 1 if mark is None else mark.line + 2
        raise _Broken(f"{line}: {getattr(error, 'problem', None) or error}; put quotes around the value") from error
    except RecursionError as error:
        raise _Broken("1: a value is nested too deeply") from error
    if not is_object(fields):
        raise _Broken("2: \"key: value\" is expected")
    return fields


def _tools(said: Any) -> list[str]:
    """Returns the names in ``allowed-tools``, a list or a text. Text in brackets after a name is for other programs:
    ignored."""
    if said is None:
        return []
    if is_list(said) and all(isinstance(one, str) for one in said):
        said = ",".join(said)
    if not isinstance(said, str):
        raise _Broken(" allowed-tools must be a text or a list of texts")
    names = re.split(r"[\s,]+", re.sub(r"\([^()]*\)", " ", said))
    return list(dict.fromkeys(filter(None, names)))[:_MOST_TOOLS]


def _read(folder: Path, path: str | None = None) -> str:
    text = _file_in(folder, _MANIFEST if path is None else path)
    head = _HEAD.match(text) if path in (None, _MANIFEST) else None
    return text if head is None else text[head.end() :]


def _file_in(folder: Path, path: str) -> str:
    """Returns the text of a file in a skill's folder. Links are followed only inside the folder.

    Raises:
        ToolSiftError: ``skill_path_invalid`` if the path leads out of the folder or the file cannot be read
    """
    shown = repr(path[:200])

    def refused(problem: str) -> ToolSiftError:
        return ToolSiftError("skill_path_invalid", f"{shown} {problem}")

    if not path or "\0" in path or path[0] in "/\\" or re.match(r"[A-Za-z]:", path) or ".." in re.split(r"[/\\]", path):
        raise refused("leads out of the folder of the skill")
    try:
        file = _real(folder / path)
        if not file.is_relative_to(_real(folder)):
            raise refused("leads out of the folder of the skill")
        if not file.is_file():
            raise refused("is no file")
        most = _MOST_MANIFEST_BYTES if path == _MANIFEST else _MOST_FILE_BYTES
        if (size := file.stat().st_size) > most:
            raise refused(f"has {size} bytes; at most {most} are read")
        return file.read_bytes().decode()
    except OSError as error:
        raise refused(f"cannot be read: {error.strerror}") from None
    except UnicodeError:
        raise refused("is no text in UTF-8") from None
