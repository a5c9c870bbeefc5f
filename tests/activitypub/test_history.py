from typing import Any

import pytest

from mentionable import Diagnostic, Failed, FindAgent, HistoricalMessage, Limits, Sender, TextPart, UsageError
from mentionable.activitypub._read.history import history_of
from tests.activitypub.servers import ALICE, BOB, HELPER, World, actor, ancestor, codes, fetched

ALICE_SENDER = Sender(address="@alice@social.example")


def read(world: World, *ancestors: dict[str, Any]) -> tuple[tuple[HistoricalMessage, ...], list[str]]:
    turns, diagnostics = world.drive(history_of(ancestors, senders={ALICE: ALICE_SENDER}, agents={}, limits=Limits()))
    return turns, codes(diagnostics)


def by(author: str, number: int = 1, **members: Any) -> dict[str, Any]:
    host = author.split("/")[2]
    return ancestor(number, id=f"https://{host}/notes/{number}", attributedTo=author, **members)


def test_no_ancestors_no_asks() -> None:
    world = World()
    assert (read(world), world.asked) == (((), []), [])


def test_ancestors_are_turns_oldest_first() -> None:
    turns, notes = read(World(), ancestor(2), ancestor(1, content="<p>First</p>"))
    assert notes == []
    assert turns == (
        HistoricalMessage(
            role="user",
            sender=ALICE_SENDER,
            parts=(TextPart(content="<p>First</p>", mime="text/html"),),
            timestamp="2026-11-20T08:01:00Z",
            id="https://social.example/notes/a1",
        ),
        HistoricalMessage(
            role="user",
            sender=ALICE_SENDER,
            parts=(TextPart(content="<p>Hello</p>", mime="text/html"),),
            timestamp="2026-11-20T08:02:00Z",
            id="https://social.example/notes/a2",
        ),
    )


def test_a_stranger_is_addressed_by_their_actor_document_asked_for_once() -> None:
    world = World(actor(BOB))
    turns, notes = read(world, by(BOB, 2), by(BOB, 1), ancestor(3))
    addresses = [turn.sender.address for turn in turns]
    assert addresses == ["@alice@social.example", "@bob@other.example", "@bob@other.example"]
    assert turns[1].sender.verified is False
    assert (notes, world.urls) == ([], [BOB])


def test_an_author_that_the_caller_serves_is_an_agent_and_not_fetched() -> None:
    world = World()
    turns, notes = read(world, by(HELPER))
    assert turns[0].sender == Sender(address="@helper@agents.example")
    assert (notes, world.asked) == ([], [FindAgent(native_id=HELPER)])


def test_an_agent_that_is_known_already_is_not_asked_for_again() -> None:
    world = World()
    agents = {HELPER: "@helper@agents.example"}
    turns, diagnostics = world.drive(history_of((by(HELPER),), senders={}, agents=agents, limits=Limits()))
    assert [turn.sender.address for turn in turns] == ["@helper@agents.example"]
    assert (world.asked, diagnostics) == ([], [])


def test_an_answer_that_is_no_address_is_the_callers_mistake() -> None:
    world = World()
    world.agents[HELPER] = "helper"
    with pytest.raises(UsageError, match="not an agent address"):
        read(world, by(HELPER))


@pytest.mark.parametrize("answer", [Failed("timeout"), fetched(actor(BOB), status=410)])
def test_a_turn_whose_author_cannot_be_addressed_is_left_out(answer: Any) -> None:
    turns, notes = read(World(answers={BOB: answer}), by(BOB), ancestor(2))
    assert ([turn.sender.address for turn in turns], notes) == (["@alice@social.example"], ["lookup-unanswered"])


def test_a_directory_that_fails_leaves_the_author_a_stranger() -> None:
    world = World(actor(BOB))
    world.agents[BOB] = Failed("down")
    turns, _ = read(world, by(BOB))
    assert turns[0].sender.address == "@bob@other.example"


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (ancestor(1, type="Place"), "is of no type that is read here"),
        (ancestor(1, published=None), "has no time"),
        (ancestor(1, published="yesterday"), "has no time"),
        (ancestor(1, content=5), "cannot be read: wrong-type; /object/content: must be a string"),
        (ancestor(1, id="https://social.example/notes/a1#\u00e9"), "has an id that may not be asked for"),
        *(
            (ancestor(1, attributedTo=author), "has no single author of its own origin")
            for author in (
                *(None, [ALICE, f"{ALICE}2"], 5, BOB, "https://social.example/\u00e9", f"{ALICE}#" + "a" * 2048),
                f"{ALICE}#<b>",
            )
        ),
    ],
)
def test_an_ancestor_that_cannot_be_shown_is_left_out_and_it_is_told_why(document: dict[str, Any], reason: str) -> None:
    world = World()
    senders = {ALICE: ALICE_SENDER}
    turns, notes = world.drive(history_of((ancestor(2), document), senders=senders, agents={}, limits=Limits()))
    assert [turn.id for turn in turns] == [ancestor(2)["id"]]
    assert notes == [Diagnostic(code="history-turn-dropped", at="/object/inReplyTo", detail=f"ancestor 2 {reason}")]
    assert world.urls == []


def test_an_author_may_stand_beside_a_channel() -> None:
    channel = {"type": "Group", "id": "https://social.example/channels/rain"}
    turns, notes = read(World(), ancestor(1, attributedTo=[{"type": "Person", "id": ALICE}, channel]))
    assert (len(turns), notes) == (1, [])
