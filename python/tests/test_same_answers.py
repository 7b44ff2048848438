"""Compares Python with the other languages.

1. Python gives the same answers as the native library, byte for byte, to the steps of the runtimes: with snapshots,
   prebuilt indexes, errors, and sessions that are rebuilt from conversations in every format.
2. The words of packs are those of the npm package, also for changed descriptions.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from toolsift.packs import packs, packs_for, translations

ROOT = Path(__file__).parents[2]
CAPTURED = ROOT / "www" / "captured"
sys.path.insert(0, str(ROOT / "tests" / "runtimes" / "lib" / "program"))


STEPS = f"""
  import {{ programData }} from "{ROOT}/tests/runtimes/lib/app.mjs";
  import {{ nativeAnswers }} from "{ROOT}/tests/runtimes/lib/native.mjs";
  const {{ steps }} = programData();
  console.log(JSON.stringify({{ steps, answers: await nativeAnswers(steps) }}));
"""


def run(program: str, given: str = "") -> Any:
    """What a program of Node prints, as JSON."""
    command = ["node", "--input-type=module", "-e", program]
    done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_answers_are_the_same() -> None:
    player: Any = import_module("steps").Player()
    native = run(STEPS)
    assert len(native["steps"]) == len(native["answers"]) > 1_000
    for at, (step, answer) in enumerate(zip(native["steps"], native["answers"], strict=True)):
        assert player.answer(step) == answer, f"step {at}: {json.dumps(step)[:300]}"


PACKS = f"""
  import {{ packs, packsFor, translations }} from "{ROOT}/pkg/dist/packs.js";
  const lists = JSON.parse(await new Response(process.stdin).text());
  console.log(JSON.stringify({{
    translations: await translations(),
    packs: packs().map(({{ name, tools }}) => ({{ name, tools }})),
    found: await Promise.all(lists.map(async (list) => {{ const {{ problems, ...found }} = await packsFor(list); return found; }})),
  }}));
"""


def test_packs_have_the_same_words() -> None:
    captured = sorted(file for file in CAPTURED.glob("*.json") if file.name != "index.json")
    given: list[Any] = [json.loads(file.read_text("utf-8"))["tools"] for file in captured]
    assert len(given) > 3
    every = [tool for tools in given for tool in tools]
    edited = [[{**tool, "name": f"mcp__it__{tool['name']}", "description": "Is new."} for tool in tools] for tools in given]
    lists: list[Any] = [*given, *edited, every, [{"type": "function", "function": tool} for tool in every]]
    wanted = run(PACKS, json.dumps(lists))
    assert packs() == wanted["packs"]
    assert translations() == wanted["translations"]
    found = [packs_for(tools) for tools in lists]
    assert found == wanted["found"]
    for tools, same, other in zip(given, found, found[len(given) :]):
        if len(tools) >= 3:
            assert other["packs"] == same["packs"], "known by the names"
