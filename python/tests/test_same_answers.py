"""1. Python answers as the native library and the package do, byte for byte: the steps of the runtimes (with snapshots, prebuilt
   indexes, errors), the vectors of the published systems, and the golden sets, plain and with enrichments.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "runtimes" / "program"))


def test_the_answers_are_the_same() -> None:
    from steps import Player

    script = ROOT / "scripts" / "lib" / "python" / "recorded.mjs"
    done = subprocess.run(["node", script], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    recorded = json.loads(done.stdout)
    player = Player()
    assert recorded["vectors"] >= 629
    assert len(recorded["steps"]) == len(recorded["answers"]) > 5_000
    for at, (step, answer) in enumerate(zip(recorded["steps"], recorded["answers"], strict=True)):
        assert player.answer(step) == answer, f"step {at}: {json.dumps(step)[:300]}"
