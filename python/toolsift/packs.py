"""Words for the tools of well-known servers: what people say for them, as the npm package has it.

.. code-block:: python

    sift.register(tools, server="github", enrichment=packs_for(tools)["entries"])
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any

from ._core import definition_hash
from ._definitions import definition, listed
from ._errors import ToolSiftError
from ._json import is_list, is_object

if TYPE_CHECKING:
    from .types import Enrichment, PackInfo, PacksFor

__all__ = ["languages", "packs", "packs_for", "translations"]

_LOG = logging.getLogger("toolsift")

# As pkg/src/packs/packs.ts has them: from how many tools with names of a pack on they are of its server, if they are half of the
# tools or of the pack, and how often clients write something in front of a name.
_NAMED_TOOLS = 3
_PREFIXES = 3

# Hash, queries, keywords and name of a tool.
_Words = tuple[str, list[str], list[str], str]


@dataclass(frozen=True)
class _Pack:
    name: str
    tools: int
    by_hash: dict[str, _Words]
    by_name: dict[str, _Words]


@dataclass(frozen=True)
class _Wanted:
    """A tool by what packs know it by: its names without what clients write in front, and the hash of each."""

    names: list[str]
    hashes: list[str]


@cache
def _packs() -> list[_Pack]:
    text = gzip.decompress(files("toolsift").joinpath("packs.jsonl.gz").read_bytes()).decode()
    return [_pack(*json.loads(line)) for line in text.splitlines()]


@cache
def _tables() -> dict[str, str]:
    text = gzip.decompress(files("toolsift").joinpath("translations.jsonl.gz").read_bytes()).decode()
    return dict(json.loads(line) for line in text.splitlines())


def languages() -> list[str]:
    """The languages of which there is a table of what people say for the words of tools, in alphabetical order."""
    return sorted(_tables())


def translations(of: Collection[str] | None = None) -> str:
    """What people say for the words of tools, as one text for the option ``translations``. ``toolsift()`` loads all of it.

    Args:
        of: the languages, as two letters each; all by default.

    Raises:
        ToolSiftError: ``option_invalid`` for a language that there is no table of.
    """
    tables = _tables()
    for language in of or ():
        if language not in tables:
            message = f"there is no table of {language}; there are {', '.join(languages())}"
            raise ToolSiftError("option_invalid", message)
    return "".join(tables[language] for language in (languages() if of is None else of))


def _pack(name: str, words: list[_Words]) -> _Pack:
    return _Pack(name, len(words), {one[0]: one for one in words}, {one[3]: one for one in words})


def packs() -> list[PackInfo]:
    """The packs that there are, in the order of their names, each with the number of its tools."""
    return [{"name": pack.name, "tools": pack.tools} for pack in _packs()]


def packs_for(tools: Any) -> PacksFor:
    """The enrichments of some tools, for the option ``enrichment`` of ``register`` and ``sync``.

    A tool is known by the hash of its name and its description. Where a server has changed the description since, it is known
    by its name, if at least three and half of the tools have names of the pack, or at least three and half of the pack are
    there: pass the tools of each server by themselves.

    Args:
        tools: what ``register`` takes; of what is no tool, ``register`` says what is wrong.

    Returns:
        ``{entries, packs}``, the second with ``{name, matched, tools}``
    """
    given = listed(tools)
    wanted = list(_wanted([tools] if given is None else given))
    matched = {pack.name: 0 for pack in _packs()}
    entries: list[Enrichment] = []
    known: set[str] = set()

    def take(tool: _Wanted, pack: _Pack, words: _Words, key: Enrichment) -> None:
        matched[pack.name] += 1
        if tool.hashes[0] in known:
            return
        known.add(tool.hashes[0])
        entries.append({**key, "queries": [*words[1]], "keywords": [*words[2]]})

    changed: list[_Wanted] = []
    for tool in wanted:
        found = [(pack, words) for pack in _packs() if (words := _first(tool.hashes, pack.by_hash)) is not None]
        for pack, words in found:
            # Without a name: a tool of another server that has the same name is not stale.
            take(tool, pack, words, {"hash": tool.hashes[0]})
        if not found:
            changed.append(tool)
    # Several servers have tools of one name. The one of which most is there comes first.
    named = {pack.name: sum(_first(tool.names, pack.by_name) is not None for tool in wanted) for pack in _packs()}
    homes = [
        pack
        for pack in _packs()
        if named[pack.name] >= _NAMED_TOOLS and 2 * named[pack.name] >= min(len(pack.by_name), len(wanted))
    ]
    homes.sort(key=lambda pack: (-matched[pack.name], -named[pack.name]))
    for tool in changed:
        at_home = ((pack, words) for pack in homes if (words := _first(tool.names, pack.by_name)) is not None)
        for pack, words in islice(at_home, 1):
            take(tool, pack, words, {"name": tool.names[0]})
    helpful = [pack for pack in _packs() if matched[pack.name] > 0]
    return {
        "entries": entries,
        "packs": [{"name": one.name, "matched": matched[one.name], "tools": one.tools} for one in helpful],
    }


def with_packs(tools: list[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of ``register`` with the words of packs behind the host's own, so that errors name the places in these."""
    try:
        entries = packs_for(tools)["entries"]
    except OSError as error:
        _LOG.warning("packs were left out: %s", error)
        return dict(options)
    own: Any = options.get("enrichment") or []
    if isinstance(own, str):
        text = own.strip()
        try:
            # A file of entries is a list, or has one on each line.
            own = json.loads(text if text.startswith("[") else f"[{','.join(filter(None, text.splitlines()))}]")
        except ValueError:
            own = None
    # Of what is no list, the registration says what is wrong.
    return {**options, "enrichment": [*own, *entries]} if is_list(own) else dict(options)


def _wanted(tools: Iterable[Any]) -> Iterator[_Wanted]:
    for tool in tools:
        try:
            read = definition(tool)
        except ToolSiftError:
            continue
        declared: Any = read.get("functionDeclarations", [read]) if is_object(read) else []
        for one in declared:
            form = one if "name" in one else one.get("function", {})
            name, description = form.get("name"), form.get("description") or ""
            if not isinstance(name, str) or not isinstance(description, str) or not name:
                continue
            names = [name]
            while len(names) <= _PREFIXES and (rest := names[-1].partition("__")[2]):
                names.append(rest)
            yield _Wanted(names, [definition_hash(one, description) for one in names])


def _first(keys: list[str], words: Mapping[str, _Words]) -> _Words | None:
    return next((words[key] for key in keys if key in words), None)
