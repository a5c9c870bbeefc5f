"""One mention gives one answer with the store of the guide: however it is edited, counted, repeated and reordered."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpRequest
from tests.activitypub.guide import Agent
from tests.activitypub.servers import AS2, HELPER, NOTE, PUBLIC, create, fetched, note
from tests.activitypub.signing import post, signed


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
    agent.web.web[NOTE] = fetched(public("0") | {"@context": AS2})
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
