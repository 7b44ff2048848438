"""Tool search for language-model agents: a catalog of thousands of tools at the price of the few that are used.

``ToolSift`` is the catalog, ``Session`` a conversation with it, ``toolsift`` the one call that connects MCP servers and own
functions, ``toolsift.store`` keeps sessions in files and Redis, and ``toolsift.pydantic_ai``, ``toolsift.langchain``,
``toolsift.openai_agents``, ``toolsift.openai`` and ``toolsift.anthropic`` connect the SDKs of these names.
"""

from ._core import VERSION as __version__
from ._door import Answer, Tool, Toolbox, toolsift
from ._errors import ToolSiftError
from ._sift import Session, ToolSift, definition_hash

__all__ = [
    "Answer",
    "Session",
    "Tool",
    "ToolSift",
    "ToolSiftError",
    "Toolbox",
    "__version__",
    "definition_hash",
    "toolsift",
]
