"""Answers that grow while people read them: what came so far is shown about once a second."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field
from mentionable import Assembler, NormalizedMessage, NormalizedResponse
from mentionable.connectors import Outgoing
from sqlalchemy import Connection

from mentionable_host.store import reply_targets
from mentionable_host.store.forgotten import is_sender_forgotten
from mentionable_host.transports.platforms.calls import SHOW_SECONDS, Taken, question_id, target_of
from mentionable_host.transports.platforms.platform import C, Platform, S

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Growing", "StreamingPlatform"]

log = logging.getLogger(__name__)

EVERY: Final = timedelta(seconds=1)
"""Slack allows about one update of a message a second; Discord five in five seconds."""
AT_ONCE: Final = 256
"""So many answers grow before people's eyes; the oldest is then shown as a whole, at its end."""
KEPT: Final = timedelta(days=1)


@define
class Growing:
    """An answer that grows.

    Attributes:
        assembler: What came so far.
        shown_at: When it was shown last.
        frame: What was shown last.
        post: The message that shows it.
        is_over: Whether nothing more is shown before its end: an earlier process began it, or the platform refused.
    """

    assembler: Assembler = field(factory=Assembler)
    shown_at: datetime | None = None
    frame: NormalizedResponse | None = None
    post: str | None = None
    is_over: bool = False


class StreamingPlatform(Platform[C, S]):
    """A platform whose messages can grow."""

    def __init__(self, host: Host) -> None:
        """Opens nothing."""
        super().__init__(host)
        self.growing: Final[dict[str, Growing]] = {}

    @abstractmethod
    def frame_calls(
        self, partial: NormalizedResponse, to: NormalizedMessage, *, growing: Growing, target: Mapping[str, Any]
    ) -> Outgoing | None:
        """The call that shows all that came so far; None: nothing is shown before the end."""

    @abstractmethod
    def post_of(self, answer: Any) -> str | None:
        """The id of the message that shows an answer, as the platform answered to the first call."""

    def end_showing(self, message_id: str) -> None:
        """The answer is stored: it does not grow any more."""
        self.growing.pop(message_id, None)

    async def show(self, frame: NormalizedResponse, *, to: NormalizedMessage) -> None:
        """Shows what came so far, once a second. Nothing that goes wrong here touches the answer."""
        try:
            await self._show(frame, to)
        except Exception:
            log.warning("%s: an answer is shown at its end alone", self.name, exc_info=True)
            if to.id in self.growing:
                self.growing[to.id].is_over = True

    async def _show(self, frame: NormalizedResponse, to: NormalizedMessage) -> None:
        now, database = self.host.world.now(), self.host.database
        if frame.streaming is None or frame.streaming.seq == 0 or to.id not in self.growing:
            self.growing.pop(to.id, None)
            while len(self.growing) >= AT_ONCE:
                self.growing.pop(next(iter(self.growing)))
            self.growing[to.id] = Growing()
        growing = self.growing[to.id]
        growing.assembler.add(frame)
        is_early = growing.shown_at is not None and now - growing.shown_at < EVERY
        if growing.is_over or is_early or frame.status != "partial" or not growing.assembler.count:
            return
        target = await database.read(lambda db: target_of(db, to.id, question=question_id(to), now=now))
        if growing.post is None and target.get("post"):
            growing.is_over = True  # an earlier process began to show it: what it showed is not known
            return
        partial = NormalizedResponse.to(to, *growing.assembler.parts, status="partial")
        out = self.frame_calls(partial, to, growing=growing, target=target)
        growing.is_over = out is None
        if out is None or not out.calls:
            return
        growing.shown_at = now
        result = await self.post(out.request(0, ()), key=f"{to.id} shown", seconds=SHOW_SECONDS)
        if not isinstance(result, Taken):
            log.info("%s: %s", self.name, result.reason)
            growing.is_over = True
            growing.frame = None  # whether it was taken is not known
            return
        growing.frame = partial
        if growing.post is None:
            await self._began(growing, self.post_of(result.answer), to)

    async def _began(self, growing: Growing, post: str | None, to: NormalizedMessage) -> None:
        """Stores which message shows the answer: after a crash the whole answer takes its place."""
        growing.post = post
        if post is None:
            return
        until = self.host.world.now() + KEPT

        def store(db: Connection) -> None:
            if not is_sender_forgotten(db, to):
                reply_targets.add(db, to.id, {"post": post}, person=to.sender.address, until=until)

        await self.host.database.write(store)
