"""Tests extra search words for tools.

1. Words from a file, a list or an entry of ``mcp_servers`` find tools that are not found without them, also together
   with words of packs.
2. Outdated words are reported, and errors name their place.
3. Well-known servers get the words of packs, unless the program switches them off.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from toolsift import ToolSift, ToolSiftError, toolsift
from toolsift._core import definition_hash
from toolsift.packs import packs_for

TIDES = {"name": "get_tides", "description": "Tells high water."}
ASKED = "when can I walk to the island?"
ROOT = Path(__file__).parents[2]


def entry() -> dict[str, Any]:
    return {"name": "get_tides", "hash": definition_hash(**TIDES), "queries": ["can I walk to the island"]}


def written() -> str:
    """The file that `npx toolsift enrich` writes: an entry on each line, also of tools that are not here."""
    other = {"name": "book_ferry", "queries": ["take me to the island"]}
    return "".join(f"{json.dumps(one)}\n" for one in (other, entry()))


def found(sift: ToolSift, query: str = ASKED) -> list[str]:
    return [hit["name"] for hit in sift.search(query)["hits"]]


def queries_of(tools: Any) -> list[str]:
    """What packs say that people ask for some tools."""
    queries = [query for one in packs_for(tools)["entries"] for query in one.get("queries", ())]
    assert queries
    return queries


def test_words_of_the_host_find() -> None:
    forms: list[Any] = [written(), json.dumps([entry()]), [entry()]]
    for words in forms:
        sift = ToolSift()
        assert sift.register([TIDES], enrichment=words).get("enrichment") == {"enriched": 1, "stale": []}
        assert found(sift) == ["get_tides"]
        report = ToolSift().sync("weather", [{**TIDES, "description": "Is new."}], enrichment=words)
        assert report.get("enrichment") == {"enriched": 0, "stale": ["get_tides"]}
    broken: list[Any] = ['{"name":', ["words"], 7]
    for words in broken:
        with pytest.raises(ToolSiftError, match="enrichment"):
            ToolSift().register([TIDES], enrichment=words)


class Server:
    """A connected client whose server has these tools."""

    def __init__(self, tools: list[Any]) -> None:
        self.tools = tools

    async def list_tools(self, *, cursor: str | None = None) -> Any:
        return SimpleNamespace(tools=self.tools, next_cursor=None)


async def test_servers_have_the_words_of_packs() -> None:
    file = ROOT / "www" / "captured" / "github.json"
    tools = [one for one in json.loads(file.read_text("utf-8"))["tools"] if one["name"] in ("create_issue", "fork_repository")]
    async with toolsift({"git": Server(tools)}) as box, toolsift({"git": Server(tools)}, packs=False) as plain:
        assert all(found(box.sift, query) for query in queries_of(tools))
        assert not all(found(plain.sift, query) for query in queries_of(tools))


async def test_words_of_an_entry_stand_beside_those_of_packs(tmp_path: Path) -> None:
    script = ROOT / "node_modules" / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"
    server = {"command": "node", "args": [str(script)], "env": {"MEMORY_FILE_PATH": str(tmp_path / "memory.json")}}
    own = {"name": "read_graph", "queries": ["give me a brain dump"]}
    for words in (json.dumps(own), [own]):
        async with toolsift({"memory": {**server, "enrichment": words}}) as box:
            assert found(box.sift, "a brain dump, please") == ["read_graph"]
            assert all(found(box.sift, query) for query in queries_of(box.sift.tools()))
    async with toolsift({"memory": {**server, "enrichment": 7}}) as box:
        [status] = box.status()
        assert (status["state"], "enrichment" in status.get("error", "")) == ("failed", True)
