"""Packs: extra search words for the tools of well-known servers, the same as in the npm package.

.. code-block:: python

    sift.register(tools, server="github", enrichment=packs_for(tools)["entries"])
"""

from __future__ import annotations

import gzip
import json
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

# The same limits as in pkg/src/packs/packs.ts: the fewest tools with names from a pack to recognise its server, and the
# most prefixes that clients put before a tool's name.
_NAMED_TOOLS = 3
_PREFIXES = 3

# The hash, queries, keywords and name of a tool.
_Words = tuple[str, list[str], list[str], str]


@dataclass(frozen=True)
class _Pack:
    name: str
    by_hash: dict[str, _Words]
    by_name: dict[str, _Words]


@dataclass(frozen=True)
class _Wanted:
    """The names of a tool, with and without prefixes of clients, and a hash for each name. Packs know tools by
    these."""

    names: list[str]
    hashes: list[str]


@cache
def _packs() -> list[_Pack]:
    packs = _lines_of("packs.jsonl.gz")
    return [_Pack(name, {one[0]: one for one in words}, {one[3]: one for one in words}) for name, words in packs]


@cache
def _tables() -> dict[str, str]:
    return dict(_lines_of("translations.jsonl.gz"))


def _lines_of(file: str) -> Iterator[Any]:
    return map(json.loads, gzip.decompress(files("toolsift").joinpath(file).read_bytes()).splitlines())


def languages() -> list[str]:
    """Returns the languages that have translations, as two letters each, in alphabetical order."""
    return sorted(_tables())


def translations(of: Collection[str] | None = None) -> str:
    """Returns translations from everyday words to the words in tools, as one text for the option ``translations``.
    ``toolsift()`` uses the translations of all languages by default.

    Args:
        of: the languages, as two letters each; all by default.

    Raises:
        ToolSiftError: ``option_invalid`` for a language without translations.
    """
    tables = _tables()
    for language in of or ():
        if language not in tables:
            message = f"there is no table of {language}; there are {', '.join(languages())}"
            raise ToolSiftError("option_invalid", message)
    return "".join(tables[language] for language in (languages() if of is None else of))


def packs() -> list[PackInfo]:
    """Returns all packs in the order of their names, each with its name and the number of its tools."""
    return [{"name": pack.name, "tools": len(pack.by_hash)} for pack in _packs()]


def packs_for(tools: Any) -> PacksFor:
    """Returns the extra search words for some tools, for the option ``enrichment`` of ``register`` and ``sync``.

    A tool is recognised by a hash of its name and description. If the server has changed the description, the tool is
    recognised by its name. This needs at least three tools with names from the pack, and these must be at least half of
    all tools or half of the pack. So pass the tools of each server separately.

    Args:
        tools: tools in any form that ``register`` takes. Invalid tools are skipped; ``register`` reports them.

    Returns:
        ``{entries, packs}``. ``packs`` lists the packs with a recognised tool, as ``{name, matched, tools}``.
    """
    given = listed(tools)
    wanted = list(_wanted([tools] if given is None else given))
    matched = dict.fromkeys((pack.name for pack in _packs()), 0)
    # By the hash of a tool's name and description.
    entries: dict[str, Enrichment] = {}

    def take(tool: _Wanted, pack: _Pack, words: _Words, key: Enrichment) -> None:
        matched[pack.name] += 1
        entries.setdefault(tool.hashes[0], {**key, "queries": [*words[1]], "keywords": [*words[2]]})

    changed: list[_Wanted] = []
    for tool in wanted:
        found = [(pack, words) for pack in _packs() if (words := _first(tool.hashes, pack.by_hash)) is not None]
        for pack, words in found:
            # The entry has no name. With a name, a tool of another server with the same name would be reported as
            # stale.
            take(tool, pack, words, {"hash": tool.hashes[0]})
        if not found:
            changed.append(tool)
    # Several servers can have tools of the same name. The pack with the most recognised tools comes first.
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
        "entries": [*entries.values()],
        "packs": [{"name": one.name, "matched": matched[one.name], "tools": len(one.by_hash)} for one in helpful],
    }


def with_packs(tools: list[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Adds the words of packs to the options of ``register``. The caller's own entries come first, so that an error
    names their right position."""
    entries = packs_for(tools)["entries"]
    own: Any = options.get("enrichment") or []
    if isinstance(own, str):
        text = own.strip()
        try:
            # The text is a JSON list, or has one JSON object on each line.
            own = json.loads(text if text.startswith("[") else f"[{','.join(filter(None, text.splitlines()))}]")
        except ValueError:
            own = None
    # If it is not a list, nothing is added, and the registration reports the error.
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
