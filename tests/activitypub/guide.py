"""A program with the store of the guide: what it stores, it answers, and it is told nothing else."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

from mentionable import (
    Answers,
    Fetch,
    HttpRequest,
    NormalizedMessage,
    Received,
    Rejected,
    StoredMessage,
    activitypub,
    decode_trusted,
    directory,
    drive,
    dumps,
)
from mentionable.activitypub import ReceivedActivity, receive_object
from tests.activitypub.servers import HELPER, NOTE, NOW, World
from tests.activitypub.signing import world
from tests.test_docs_memory import Page

AGENT = "@helper@agents.example"


@cache
def page() -> Page:
    return Page()


class Agent:
    """A program with the store of the guide, and an agent that answers everything that is new."""

    def __init__(self) -> None:
        self.page = page()
        for table in ("rows", "messages", "proven", "replies", "people"):
            self.page.names[table].clear()
        self.web: World = world()
        self.deliveries = 0
        self.answered: list[NormalizedMessage] = []

    def receive(self, flow: Any) -> Received | ReceivedActivity | Rejected:
        def fetch(ask: Fetch) -> Any:
            return self.web.answer(ask)

        guide = {name: getattr(self.page, name) for name in ("find_message", "find_messages", "find_history")}
        lookups = Answers(fetch=fetch, find_agent=directory({HELPER: AGENT}), **guide)
        got: Received | ReceivedActivity | Rejected = drive(flow, lookups)
        if isinstance(got, Received):
            self.answered += self.page.store(got)
            self.page.remember_people(got)
        return got

    def _entropy(self) -> bytes:
        """Other bytes each time, and the same in each run."""
        self.deliveries += 1
        return sha256(str(self.deliveries).encode()).digest()

    def take(self, request: HttpRequest) -> Received | ReceivedActivity | Rejected:
        """What comes of a delivery."""
        return self.receive(activitypub.receive(request, now=NOW, entropy=self._entropy()))

    def look(self, object_id: str = NOTE) -> Received | ReceivedActivity | Rejected:
        """Reads an object that somebody has announced."""
        return self.receive(receive_object(object_id, recipient=AGENT, now=NOW, entropy=self._entropy()))

    @property
    def record(self) -> dict[tuple[str, str], StoredMessage]:
        """The rows as they are now."""
        return dict(self.page.names["rows"])

    def restart(self) -> None:
        """Everything is written, and read back."""
        names = self.page.names
        for table in ("rows", "people"):
            again = {place: decode_trusted(StoredMessage, dumps(row)) for place, row in names[table].items()}
            names[table].clear()
            names[table].update(again)
