"""The one error class of the package."""

from __future__ import annotations

from typing import Any


class ToolSiftError(Exception):
    """Every error that toolsift raises.

    ``code`` is stable and meant for programs; ``message`` names the offending value and the limit that it broke, and is
    meant for people and models. For a tool's name that vendors would refuse, ``alias`` is one that they accept.
    """

    code: str
    message: str
    alias: str | None

    def __init__(self, code: str, message: str, alias: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.alias = alias

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.code, self.message, self.alias))
