"""Tool search for language-model agents: requests contain only the few tools that the model needs, from thousands of
tools.

``ToolSift`` is the catalog of all tools, and ``Session`` one conversation that uses it. ``toolsift()`` connects MCP
servers and your own functions. ``toolsift.store`` saves sessions in files and Redis. ``toolsift.pydantic_ai``,
``toolsift.langchain``, ``toolsift.openai_agents`` and ``toolsift.fastmcp`` are adapters for these SDKs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

try:
    from ._core import VERSION as __version__
    from ._errors import ToolSiftError
    from ._sift import Session, ToolSift
except (FileNotFoundError, ModuleNotFoundError) as _missing:
    _advice = "in a clone, run `node scripts/python-sources.mjs`, and then `maturin develop` in the folder python"
    raise ImportError(f"toolsift is not built ({_missing}): {_advice}") from _missing

if TYPE_CHECKING:
    from ._door import Answer, Tool, Toolbox, toolsift

__all__ = [
    "Answer",
    "Session",
    "Tool",
    "ToolSift",
    "ToolSiftError",
    "Toolbox",
    "__version__",
    "toolsift",
]


def __getattr__(name: str) -> Any:
    # This module imports asyncio, which takes longer than all other imports together. So it is imported only when
    # needed.
    if name in {"Answer", "Tool", "Toolbox", "toolsift"}:
        return getattr(import_module("toolsift._door"), name)
    raise AttributeError(f"module 'toolsift' has no attribute {name!r}")
