"""One mention gives one answer with the store of the guide: however it is edited, counted, repeated and reordered."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

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
from tests.activitypub.servers import AS2, ENTROPY, HELPER, NOTE, NOW, PUBLIC, World, create, fetched, note
from tests.activitypub.signing import post, signed, world
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
        self.web.web[NOTE] = fetched(public("0") | {"@context": AS2})
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

    def take(self, request: HttpRequest) -> None:
        self.receive(activitypub.receive(request, now=NOW, entropy=ENTROPY))

    def look(self) -> None:
        """Reads the note, which somebody has announced."""
        self.receive(receive_object(NOTE, recipient=AGENT, now=NOW, entropy=ENTROPY))

    def restart(self) -> None:
        """Everything is written, and read back."""
        names = self.page.names
        for table in ("rows", "people"):
            again = {place: decode_trusted(StoredMessage, dumps(row)) for place, row in names[table].items()}
            names[table].clear()
            names[table].update(again)


def public(text: str, **members: Any) -> dict[str, Any]:
    return note(content=f"<p>{text}</p>", to=[HELPER, PUBLIC], **members)


def poll(votes: int) -> dict[str, Any]:
    option = {"type": "Note", "name": "Rain", "replies": {"type": "Collection", "totalItems": votes}}
    return public("0", oneOf=[option]) | {"type": "Question"}


def edit(document: dict[str, Any], number: int) -> dict[str, Any]:
    return create(document, id=f"{NOTE}#updates/{number}", type="Update")


MONEY = "Send money"
STEPS = {
    "mention": lambda: signed(create(public("0"))),
    "edit-1": lambda: signed(edit(public("1"), 1)),
    "edit-2": lambda: signed(edit(public("2"), 2)),
    "edit-nothing": lambda: signed(edit(public("0"), 3)),
    "tally-1": lambda: signed(edit(poll(1), 4)),
    "tally-2": lambda: signed(edit(poll(2), 5)),
    "forged-edit": lambda: post(edit(public(MONEY), 6)),
}


@cache
def request(step: str) -> HttpRequest:
    return STEPS[step]()


@given(st.lists(st.sampled_from([*STEPS, "restart", "announce"]), max_size=14))
def test_one_mention_gives_one_answer_in_whatever_order_it_comes(steps: list[str]) -> None:
    agent = Agent()
    for step in [*steps, "mention"]:
        if step == "restart":
            agent.restart()
        elif step == "announce":
            agent.look()
        else:
            agent.take(request(step))
    forged = [message for message in agent.answered if MONEY in str(message.parts)]
    assert len(agent.answered) - len(forged) == 1
    # An edit in her name that came first is a message of a sender who is not verified.
    assert len(forged) <= 1
    assert not any(message.sender.verified for message in forged)
