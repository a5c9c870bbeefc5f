"""Cases of each type of activity that is no message: what a server gets, and the same in a forger's hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tests.vectors._ap import AS2, SERVER, activity, actor, cavage, document, post
from tests.vectors._ap_inbox import (
    AGENT,
    ALICE,
    HELPER,
    KNOWN_ID,
    LONG_AGO,
    NEW,
    NOTE,
    OURS,
    Inbox,
    act,
    around,
    forged,
    inner,
    shown_inner,
    stored,
    unshown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._ap import Cases

FEATURED = f"{ALICE}/featured"
OF_OURS = {"to": [HELPER]}


class Row(NamedTuple):
    """An activity, why it is one of these, what is looked up, and what is special in its outcome."""

    why: str
    whole: dict[str, Any]
    outcome: dict[str, Any]
    lookups: dict[str, Any]


def plain(kind: str, why: str, **members: Any) -> Row:
    """Something that is done in the actor's own name, about what the agent published."""
    content = {name: members[name] for name in ("content",) if name in members}
    whole = act(kind, OURS, **OF_OURS, **members)
    return Row(why, whole, {"stored": {AGENT: KNOWN_ID}, **content}, around(**stored(OURS, AGENT)))


def answer(kind: str, why: str) -> Row:
    asked = inner("Follow", ALICE, HELPER, "https://agents.example/activities/0")
    return Row(why, act(kind, asked), {"authority": "object", "inner": shown_inner(asked)}, around())


def rows() -> dict[str, Row]:
    """Each type once, as its actor may say it."""
    vote = {"id": NOTE, "type": "Note", "attributedTo": ALICE, "name": "Rain", "inReplyTo": OURS}
    post_of_hers = {"id": NOTE, "type": "Note", "attributedTo": ALICE}
    follow = inner("Follow", HELPER)
    moved = around({"movedTo": NEW}, **{f"GET {NEW}": document(new_account())})
    featured = around({"featured": FEATURED})
    return {
        "Accept": answer("Accept", "Whom the agent follows accepts it."),
        "Add": Row(
            "An actor adds to a collection of its own.",
            act("Add", NOTE, target=FEATURED, **OF_OURS),
            {"authority": "collection", "target_id": FEATURED},
            featured,
        ),
        "Announce": plain("Announce", "A boost is of the post that it names."),
        "Block": Row("A block is of an agent here.", act("Block", HELPER), {}, around()),
        "Delete": Row(
            "What the actor wrote is withdrawn by the actor.",
            act("Delete", {"id": NOTE, "type": "Tombstone"}, **OF_OURS),
            {"authority": "author", "stored": {AGENT: KNOWN_ID}},
            around(**stored(NOTE)),
        ),
        "Dislike": plain("Dislike", "A vote against a post."),
        "EmojiReact": plain("EmojiReact", "A reaction has its emoji.", content="🎉"),
        "Flag": plain("Flag", "A report has its words.", content="Spam"),
        "Follow": Row("A follow is of an agent here.", act("Follow", HELPER), {}, around()),
        "Ignore": plain("Ignore", "What is ignored is named."),
        "Invite": Row(
            "An invitation is of its target.",
            act("Invite", f"{SERVER}/events/1", target=HELPER),
            {"target_id": HELPER},
            around(),
        ),
        "Join": plain("Join", "Who takes part is named."),
        "Leave": plain("Leave", "Who takes part no more is named."),
        "Like": plain("Like", "A favourite is of the post that it names."),
        "Listen": plain("Listen", "What was heard is named."),
        "Move": Row(
            "Both accounts name each other.",
            act("Move", ALICE, target=NEW, **OF_OURS),
            {"authority": "self", "target_id": NEW},
            moved,
        ),
        "Offer": plain("Offer", "What is offered is named."),
        "QuoteRequest": Row(
            "Who quotes asks for it, with the post that quotes.",
            act("QuoteRequest", OURS, instrument=post_of_hers, **OF_OURS),
            {"target_id": NOTE, "stored": {AGENT: KNOWN_ID}},
            around(**stored(OURS, AGENT)),
        ),
        "Read": plain("Read", "What was read is named."),
        "Reject": answer("Reject", "Whom the agent follows rejects it."),
        "Remove": Row(
            "An actor removes from a collection of its own.",
            act("Remove", NOTE, target=FEATURED, **OF_OURS),
            {"authority": "collection", "target_id": FEATURED},
            featured,
        ),
        "TentativeAccept": answer("TentativeAccept", "Maybe is an answer too."),
        "TentativeReject": answer("TentativeReject", "So is maybe not."),
        "Undo": Row(
            "What the actor did is undone by the actor.",
            act("Undo", follow, **OF_OURS),
            {"authority": "author", "inner": shown_inner(follow)},
            around(),
        ),
        "Update": Row(
            "An actor changes its own document.",
            act("Update", {"id": ALICE, "type": "Person"}, **OF_OURS),
            {"authority": "self"},
            around(),
        ),
        "View": plain("View", "What was seen is named."),
        "Vote": Row(
            "A Note with a name and without content answers a poll: nobody reads it.",
            activity(object=vote),
            {"type": "Vote", "object_ids": [OURS], "content": "Rain", "stored": {AGENT: KNOWN_ID}},
            around(**stored(OURS, AGENT)),
        ),
    }


def new_account(**members: Any) -> dict[str, Any]:
    """The account to which alice moves."""
    made = actor(id=NEW, publicKey=..., assertionMethod=..., alsoKnownAs=[ALICE])
    return {"@context": AS2} | made | members


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Each type of activity that is no message, by whoever may do it.", of_types()
    yield "Each type again, signed by another key, unsigned, and long ago.", of_forgers()


def kebab(kind: str) -> str:
    """A type as part of an id."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in kind).strip("-")


def of_types() -> Inbox:
    cases = Inbox("inbox-types", "D B24")
    for kind, (why, whole, outcome, lookups) in rows().items():
        cases.event(kebab(kind), why, whole, lookups=lookups, **outcome)
    return cases


def of_forgers() -> Inbox:
    cases = Inbox("inbox-forged", "NM 8")
    for kind, (_, whole, _, lookups) in rows().items():
        for twin, unit, code, why in (
            ("", forged(whole), "bad-signature", "Who does not hold the key has done nothing."),
            ("-unsigned", post(whole), "unsigned", "Nobody has done what nobody signed."),
            ("-long-ago", cavage(post(whole, date=LONG_AGO)), "expired", "What was signed long ago is not done again."),
        ):
            verdict = unshown(code)
            facts: dict[str, Any] = {"level": "MUST", "verdict": verdict, "lookups": lookups}
            # Of a Delete it may not be seen whether something is stored.
            rejected = "object-unknown" if kind == "Delete" else "verification-required"
            cases.reject(f"{kebab(kind)}{twin}", why, unit, rejected, **facts)
    return cases
