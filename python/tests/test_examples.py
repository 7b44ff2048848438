"""Runs each example as a program, with the 159 tools of real MCP servers: it finds a tool, calls it, and ends. The
vendor is a local server with the vendor's API.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Vendors

pytestmark = pytest.mark.sdk

EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))
CALLS = [[{"search_tools": {"query": "echo a message"}}], [{"echo": {"message": "hello"}}]]


def real_servers(folder: Path) -> dict[str, Any]:
    def start(package: str, *args: str, **env: str) -> dict[str, Any]:
        script = ROOT / "node_modules" / package / "dist" / "index.js"
        return {"command": "node", "args": [str(script), *args], "env": env}

    return {
        "everything": start("@modelcontextprotocol/server-everything", "stdio"),
        "filesystem": start("@modelcontextprotocol/server-filesystem", str(folder)),
        "memory": start("@modelcontextprotocol/server-memory", MEMORY_FILE_PATH=str(folder / "memory.json")),
        "github": start("@modelcontextprotocol/server-github", GITHUB_PERSONAL_ACCESS_TOKEN="none"),
        "slack": start("@modelcontextprotocol/server-slack", SLACK_BOT_TOKEN="none", SLACK_TEAM_ID="${SLACK_TEAM:-none}"),
        "cloudflare": start("@cloudflare/mcp-server-cloudflare", "run", "0" * 32, CLOUDFLARE_API_TOKEN="none"),
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, vendors: Vendors, tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": real_servers(tmp_path)}))
    url = vendors.ask(wire="responses" if "agents" in example.stem else "chat", replies=CALLS)["url"]
    own = {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none", "OPENAI_AGENTS_DISABLE_TRACING": "1"}
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python"), **own}
    done = subprocess.run([sys.executable, example], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    first, second, last = vendors.ask(close=url)["requests"]
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "All done."
    # The message has one word of the tool, which is too few to load it ahead: the model searches for it.
    assert first["tools"] == ["search_tools", "add_tool", "show_all_tools"]
    assert "echo" in second["tools"] and len(second["tools"]) < 12
    assert last["answers"] == ["Echo: hello"]
    listed = first["system"].split("how many tools each has:")[1]
    assert sum(int(count) for count in re.findall(r"\((\d+)\)", listed)) == 159
