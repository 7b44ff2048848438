"""1. The first program of docs/python.md is an example, which runs. 2. The one about the catalog prints what the page says. 3. Every name that
the page imports is there. 4. The oldest releases of SDKs that the extras take are those that the tests use, and the page names each extra.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_first_program_is_an_example() -> None:
    example = (ROOT / "python" / "examples" / "pydantic_ai_agent.py").read_text(encoding="utf-8")
    assert example.split('"""')[2].strip() == BLOCKS[0].strip()


def test_the_program_about_the_catalog_prints_what_is_said() -> None:
    wanted = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(BLOCKS[2], {})
    assert printed.getvalue() == wanted[0]


@pytest.mark.sdk
def test_what_is_imported_is_there() -> None:
    for block in BLOCKS:
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                module = importlib.import_module(node.module)
                assert all(hasattr(module, name.name) for name in node.names)
    for name, module in re.findall(r"`(\w+)\(.*?\)` of `(toolsift\.\w+)`", PAGE):
        assert name and importlib.import_module(module)


def test_extras_take_what_is_tested() -> None:
    files = [(ROOT / "python" / f"requirements{of}.txt").read_text("utf-8") for of in ("", "-sdks")]
    pins = dict(re.findall(r"^(\S+)==(\S+)$", "\n".join(files), re.MULTILINE))
    project = (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8")
    extras = re.findall(r"^([\w-]+) = \[(.*)\]$", project.split("[project.optional-dependencies]\n")[1].split("\n\n")[0], re.MULTILINE)
    assert len(extras) > 8
    for extra, wanted in extras:
        assert f"`{extra}`" in PAGE.split("## One call")[0]
        for name, oldest in re.findall(r'"([\w-]+)>=([\d.]+)"', wanted):
            assert re.sub(r"\.0$", "", pins[name]) == oldest
