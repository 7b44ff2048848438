"""Tool search for language-model agents: a catalog of thousands of tools at the price of the few that are used.

``ToolSift`` is the catalog, ``Session`` a conversation with it, ``toolsift`` the one call that connects MCP servers and own
functions, ``toolsift.store`` keeps sessions in files and Redis, and ``toolsift.pydantic_ai``, ``toolsift.langchain``,
``toolsift.openai_agents`` and ``toolsift.fastmcp`` connect the SDKs of these names.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._core import VERSION as __version__
from ._errors import ToolSiftError
from ._sift import Session, ToolSift

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
    # The door stands on asyncio, which takes longer to import than all the rest: it is imported when it is asked for.
    if name in {"Answer", "Tool", "Toolbox", "toolsift"}:
        return getattr(import_module("toolsift._door"), name)
    raise AttributeError(f"module 'toolsift' has no attribute {name!r}")
