"""Words for the tools of well-known servers: what people say for them, as the npm package has it.

.. code-block:: python

    sift.register(tools, server="github", enrichment=packs_for(tools)["entries"])
"""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ._core import definition_hash
from ._core import gist as gist_of
from ._definitions import definition, listed
from ._errors import ToolSiftError
from ._json import is_list, is_object

if TYPE_CHECKING:
    from .types import Enrichment, PackInfo, PacksFor

__all__ = ["packs", "packs_for"]

_LOG = logging.getLogger("toolsift")

# As pkg/src/packs/packs.ts has them: digits of hashes by which a pack is chosen, names of a list that are a server's, and how much
# of a description has to be left for words that were written for it.
_DIGITS = 6
_NAME_DIGITS = 3
_NAMES = 3
_ALIKE = 0.5
_PREFIXES = 3

# Hash, queries, keywords, name and gist of a tool.
_Words = tuple[str, list[str], list[str], str, str]


@dataclass(frozen=True)
class _Pack:
    name: str
    words: list[_Words]
    by_hash: dict[str, _Words]
    hashes: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True)
class _Wanted:
    """A tool by what packs know it by: its names without what clients write in front, and the hash of each."""

    name: str
    description: str
    names: list[tuple[str, str]]
    hashes: list[str]


@cache
def _packs() -> list[_Pack]:
    text = gzip.decompress(files("toolsift").joinpath("packs.jsonl.gz").read_bytes()).decode()
    return [_pack(*json.loads(line)) for line in text.splitlines()]


def _pack(name: str, words: list[_Words]) -> _Pack:
    hashes = frozenset(one[0][:_DIGITS] for one in words)
    names = frozenset(definition_hash(one[3], "")[:_NAME_DIGITS] for one in words)
    return _Pack(name, words, {one[0]: one for one in words}, hashes, names)


def packs() -> list[PackInfo]:
    """The packs that there are, in the order of their names, each with the number of its tools."""
    return [{"name": pack.name, "tools": len(pack.words)} for pack in _packs()]


def packs_for(tools: Any) -> PacksFor:
    """The enrichments of some tools, for the option ``enrichment`` of ``register`` and ``sync``.

    A tool is known by the hash of its name and its description. Where a server has changed the description since, the words
    come with their ``gist``, by which the registration decides what they still count.

    Args:
        tools: what ``register`` takes; of what is no tool, ``register`` says what is wrong.

    Returns:
        ``{entries, packs}``, the second with ``{name, matched, aged, tools}``
    """
    given = listed(tools)
    wanted = list(_wanted([tools] if given is None else given))
    chosen = [pack for pack in _packs() if _is_wanted(pack, wanted)]
    matched = {pack.name: 0 for pack in chosen}
    aged = dict(matched)
    entries: list[Enrichment] = []
    known: set[str] = set()

    def take(tool: _Wanted, pack: _Pack, words: _Words, is_aged: bool) -> None:
        matched[pack.name] += 1
        aged[pack.name] += is_aged
        if tool.hashes[0] in known:
            return
        known.add(tool.hashes[0])
        hash, queries, keywords, _, gist = words
        entry: Enrichment = {"hash": hash if is_aged else tool.hashes[0], "queries": [*queries], "keywords": [*keywords]}
        # Without a name what fits: a tool of another server that has the same name is not stale.
        entries.append({"name": tool.name, "gist": gist, **entry} if is_aged else entry)

    changed: list[_Wanted] = []
    for tool in wanted:
        found = [(pack, pack.by_hash[hash]) for pack in chosen if (hash := _first(tool, pack)) is not None]
        for pack, words in found:
            take(tool, pack, words, False)
        if not found:
            changed.append(tool)
    # Several servers have tools of one name. The one of which most is there is it, and no other.
    likeliest = sorted(chosen, key=lambda pack: (-matched[pack.name], -_named(pack, wanted)))
    for tool in changed:
        own = {name for name, _ in tool.names}
        home = next((pack for pack in likeliest if any(one[3] in own for one in pack.words)), None)
        former = None if home is None else _former(home, tool)
        if home is not None and former is not None:
            take(tool, home, former, True)
    return {
        "entries": entries,
        "packs": [
            {"name": pack.name, "matched": matched[pack.name], "aged": aged[pack.name], "tools": len(pack.words)}
            for pack in chosen
            if matched[pack.name] > 0
        ],
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
            hashes = [definition_hash(one, description) for one in names]
            yield _Wanted(name, description, [(one, definition_hash(one, "")[:_NAME_DIGITS]) for one in names], hashes)


def _is_wanted(pack: _Pack, wanted: list[_Wanted]) -> bool:
    if any(hash[:_DIGITS] in pack.hashes for tool in wanted for hash in tool.hashes):
        return True
    named = _named(pack, wanted)
    return named >= _NAMES and 2 * named >= min(len(pack.names), len(wanted))


def _named(pack: _Pack, wanted: list[_Wanted]) -> int:
    return sum(any(digits in pack.names for _, digits in tool.names) for tool in wanted)


def _first(tool: _Wanted, pack: _Pack) -> str | None:
    return next((hash for hash in tool.hashes if hash in pack.by_hash), None)


def _former(pack: _Pack, tool: _Wanted) -> _Words | None:
    """Of the entries of a tool's name, the one that was written from the description most like its own."""
    own = gist_of(tool.description)
    former = [(_likeness(one[4], own), one) for name, _ in tool.names for one in pack.words if one[3] == name]
    most = max((like for like, _ in former), default=0.0)
    return next((one for like, one in reversed(former) if like == most), None) if most >= _ALIKE else None


def _likeness(one: str, other: str) -> float:
    places = [(a, b) for a, b in zip(one, other) if a != "-" or b != "-"]
    return sum(a == b for a, b in places) / len(places) if places else 0.0
