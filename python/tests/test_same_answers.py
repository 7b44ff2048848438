"""1. Python answers as the native library and the package do, byte for byte: the steps of the runtimes (with snapshots, prebuilt
   indexes, errors), the vectors of the published systems, the golden sets, plain and with enrichments, and sessions that are rebuilt from
   conversations in every format.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "runtimes" / "program"))


def test_the_answers_are_the_same() -> None:
    player: Any = import_module("steps").Player()
    script = ROOT / "scripts" / "lib" / "python-package" / "recorded.mjs"
    done = subprocess.run(["node", script], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    recorded = json.loads(done.stdout)
    assert recorded["vectors"] >= 629
    assert len(recorded["steps"]) == len(recorded["answers"]) > 5_000
    for at, (step, answer) in enumerate(zip(recorded["steps"], recorded["answers"], strict=True)):
        assert player.answer(step) == answer, f"step {at}: {json.dumps(step)[:300]}"
