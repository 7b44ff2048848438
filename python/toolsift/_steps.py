"""What adapters have in common: a session by its id, and one assembly for each request."""

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
    """The session of an id, or the session itself."""
    if not isinstance(getattr(box, "sift", None), ToolSift):
        raise ToolSiftError("option_invalid", f"box is {kind(box)}; it must be what toolsift() opened")
    if isinstance(session, str):
        return box.session(session)
    if isinstance(session, Session):
        return session
    raise ToolSiftError("option_invalid", f"session must be an id or a Session, got {kind(session)}")


class Steps:
    """The requests of one conversation. SDKs ask for tools and prompt apart: both are of one assembly, until the model has
    called something or the catalog is another."""

    def __init__(self, box: Toolbox, session: str | Session) -> None:
        self.box = box
        self.session = session_of(box, session)
        self._known: tuple[Any, Assembly] | None = None

    def request(self, step: object = None) -> Assembly:
        """Tools in MCP's form and prompt of the request that is being made; ``step`` tells it from others."""
        key = (step, self.box.sift.revision, self.session.revealed)
        if self._known is None or self._known[0] != key:
            self._known = (key, self.session.assemble("mcp"))
        return self._known[1]

    async def answer(self, name: str, arguments: Mapping[str, Any] | str | None) -> Answer:
        """Answers a call, after which the next request is another."""
        self._known = None
        return await self.box.answer(self.session, name, arguments)
