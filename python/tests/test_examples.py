"""1. Each example runs as a program of its own, with the 159 tools of real MCP servers: it finds one, calls it, and ends. The vendor
is a server of this machine that speaks its API.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.sdk

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))
CALLS = [("search_tools", {"query": "echo a message"}), ("echo", {"message": "hello"})]


class Vendor(BaseHTTPRequestHandler):
    """Speaks Chat Completions and Responses: searches, calls what it has found, and says what that answered."""

    asked: list[list[str]] = []
    prompts: list[str] = []

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        is_chat = self.path.endswith("/chat/completions")
        self.asked.append([tool["function"]["name"] if is_chat else tool["name"] for tool in body["tools"]])
        answers = [text_of(one.get("content", one.get("output"))) for one in body["messages" if is_chat else "input"]]
        self.prompts.append(body.get("instructions") or answers[0])
        step = len(self.asked) - 1
        reply = self.chat(step, answers[-1]) if is_chat else self.response(step, answers[-1])
        text = json.dumps({"id": "r1", "model": "gpt-5.4", **reply}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def chat(self, step: int, last: str) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": last}
        if step < len(CALLS):
            name, args = CALLS[step]
            call = {"id": f"c{step}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if step < len(CALLS) else "stop"}
        return {"object": "chat.completion", "created": 1, "choices": [choice]}

    def response(self, step: int, last: str) -> dict[str, Any]:
        part: dict[str, Any] = {"type": "output_text", "text": last, "annotations": []}
        output: dict[str, Any] = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
        if step < len(CALLS):
            name, args = CALLS[step]
            output = {"type": "function_call", "id": "f1", "call_id": f"c{step}", "name": name, "arguments": json.dumps(args)}
        more: dict[str, Any] = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "status": "completed"}
        return {"object": "response", "created_at": 1, "output": [output], **more}


def text_of(content: Any) -> str:
    return str(content[0]["text"]) if content and not isinstance(content, str) else str(content)


@pytest.fixture
def vendor() -> Iterator[str]:
    Vendor.asked, Vendor.prompts = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Vendor)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()


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
def test_an_example_runs(example: Path, vendor: str, tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": real_servers(tmp_path)}))
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "OPENAI_BASE_URL": vendor, "OPENAI_API_KEY": "none", "OPENAI_AGENTS_DISABLE_TRACING": "1"}
    done = subprocess.run([sys.executable, example], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "Echo: hello"
    first, second, _ = Vendor.asked
    # The message has one word of the tool, which is too few to load it ahead: the model searches for it.
    assert first == ["search_tools", "add_tool", "show_all_tools"]
    assert "echo" in second and len(second) < 12
    listed = Vendor.prompts[0].split("how many tools each has:")[1]
    assert sum(int(count) for count in re.findall(r"\((\d+)\)", listed)) == 159
