"""The one error class of the package."""

from __future__ import annotations

from typing import Any


class ToolSiftError(Exception):
    """The class of all errors that toolsift raises.

    ``code`` is for programs and does not change between versions. ``message`` is for people and models, and names the
    wrong value and the limit. If vendors would refuse the name of a tool, ``alias`` is a similar name that they accept.
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
