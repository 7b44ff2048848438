"""Measures the time to a first search in Python, and gives the answers of the steps.

Reads ``{"steps", "tools"}`` from the file that is named and writes ``{"cold", "found", "answers"}``, as start.mts does.
"""

import json
import sys
import time

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
begin = time.perf_counter()
from toolsift import ToolSift  # noqa: E402

sift = ToolSift()
for server, tools in data["tools"].items():
    sift.register(tools, server=server)
found = len(sift.search("read the contents of a file")["hits"])
cold = (time.perf_counter() - begin) * 1000

from steps import Player  # noqa: E402

player = Player()
json.dump({"cold": cold, "found": found, "answers": [player.answer(step) for step in data["steps"]]}, sys.stdout)
