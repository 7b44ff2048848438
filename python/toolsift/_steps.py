"""Shared code of the adapters: finds a session by its id, and builds each model request once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._errors import ToolSiftError
from ._json import kind
from ._sift import Session, ToolSift

if TYPE_CHECKING:
    from ._door import Answer, Toolbox
    from .types import Assembly


def session_of(box: Toolbox, session: str | Session) -> Session:
    """Returns the session with this id. A ``Session`` is returned unchanged."""
    if not isinstance(getattr(box, "sift", None), ToolSift):
        raise ToolSiftError("option_invalid", f"box is {kind(box)}; it must be what toolsift() opened")
    if isinstance(session, str):
        return box.session(session)
    if isinstance(session, Session):
        return session
    raise ToolSiftError("option_invalid", f"session must be an id or a Session, got {kind(session)}")


class Steps:
    """The model requests of one conversation. SDKs ask for the tools and the prompt separately, but both must come from
    the same ``assemble``. The result is kept until the model calls a tool or the catalog changes."""

    def __init__(self, box: Toolbox, session: str | Session) -> None:
        self.box = box
        self.session = session_of(box, session)
        self._known: tuple[Any, Assembly] | None = None

    def request(self, step: object = None) -> Assembly:
        """Returns the tools, in MCP's form, and the prompt for the current request. ``step`` identifies the request."""
        key = (step, self.box.sift.revision, self.session.revealed)
        if self._known is None or self._known[0] != key:
            self._known = (key, self.session.assemble("mcp"))
        return self._known[1]

    async def answer(self, name: str, arguments: Mapping[str, Any] | str | None) -> Answer:
        """Answers a call of the model. The next request is then built again."""
        self._known = None
        return await self.box.answer(self.session, name, arguments)
