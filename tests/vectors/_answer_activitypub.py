"""Answers on ActivityPub: `conformance/v0.1/reply/activitypub-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_received import ACTOR, AP
from tests.vectors._answer_rows import MARKDOWN, PLAIN, Case, answer, row

if TYPE_CHECKING:
    from collections.abc import Iterator

PUBLIC: Final = f"{AP}#Public"
HELPER: Final = "https://agents.example/actors/helper"
NOTE: Final = "https://social.example/notes/2"
INBOX: Final = f"{ACTOR}/inbox"
SHARED: Final = "https://social.example/inbox"
FOLLOWERS: Final = f"{ACTOR}/followers"
BOB: Final = {
    "address": "@bob@other.example",
    "id": "https://other.example/users/bob",
    "inbox": "https://other.example/users/bob/inbox",
    "shared_inbox": "https://other.example/inbox",
}
CAROL: Final = {
    "address": "@carol@social.example",
    "id": "https://social.example/users/carol",
    "inbox": "https://social.example/users/carol/inbox",
    "shared_inbox": SHARED,
}
IMAGE: Final = {
    "kind": "file",
    "mime": "image/png",
    "name": "a cloud.png",
    "bytes_ref": {"kind": "url", "url": "https://files.example/a.png"},
}


def actor(**members: Any) -> Case:
    """Who asks; None takes a member away."""
    found: Case = {
        "@context": AP,
        "id": ACTOR,
        "type": "Person",
        "preferredUsername": "alice",
        "inbox": INBOX,
        "followers": FOLLOWERS,
        "endpoints": {"sharedInbox": SHARED},
        "url": "https://social.example/@alice",
        **members,
    }
    return {name: member for name, member in found.items() if member is not None}


def question(to: Any = (PUBLIC, HELPER), cc: Any = (), asker: Case | None = None, **note: Any) -> tuple[Case, Case]:
    """The delivery that is answered, and the look-ups."""
    activity, own = note.pop("activity", {}), note.pop("own", {})
    addressing = {"to": list(to), **({"cc": list(cc)} if cc else {})}
    body = {
        "@context": AP,
        "id": f"{NOTE}/activity",
        "type": "Create",
        "actor": ACTOR,
        **addressing,
        **activity,
        "object": {
            "id": NOTE,
            "type": "Note",
            "attributedTo": ACTOR,
            "content": "<p>Will it rain? (a secret)</p>",
            **addressing,
            **note,
            **own,
        },
    }
    unit = {
        "method": "POST",
        "url": "https://agents.example/inbox",
        "headers": [["content-type", "application/activity+json"]],
        "body": body,
    }
    helper = {"@context": AP, "id": HELPER, "type": "Service", "preferredUsername": "helper"}
    lookups: Case = {
        f"GET {ACTOR}": {"status": 200, "content_type": "application/activity+json", "json": asker or actor()},
        f"GET {HELPER}": {"status": 200, "content_type": "application/activity+json", "json": helper},
        "GET *": {"status": 404},
        f"AGENT {HELPER}": "@helper@agents.example",
        f"AGENT {ACTOR}": "@alice@social.example",
        "AGENT *": None,
        "MESSAGE *": None,
    }
    return unit, lookups


def case(
    name: str, section: str, why: str, said: Any = None, asked: tuple[Case, Case] | None = None, **more: Any
) -> Case:
    """An answer, and facts about what goes out."""
    unit, lookups = asked or question()
    said = answer(MARKDOWN) if said is None else said if isinstance(said, dict) else answer(*said)
    given: Case = {"lookups": lookups}
    if "settings" in more:
        given["settings"] = more.pop("settings")
    inputs = {"question": unit, "response": said, **more.pop("unit", {})}
    if "facts" in more:
        more.setdefault("diagnostics", [])
    flags = ["reply", "activitypub", *more.pop("flags", [])]
    return row(f"reply/activitypub-{name}", section, why, inputs, given=given, flags=flags, **more)


def refused(name: str, section: str, why: str, said: Any, **more: Any) -> Case:
    """A response that may not go out."""
    return case(name, section, why, said, rejected={"code": "malformed"}, **more)


def addressing() -> Iterator[Case]:
    """Who sees it."""

    def seen(name: str, why: str, visibility: str, to: Any, cc: Any = (), **more: Any) -> Case:
        asked = question(to, cc, **more.pop("asked", {}))
        facts = {"visibility": visibility, "addressed": [ACTOR], **more.pop("facts", {})}
        return case(f"audience/{name}", more.pop("section", "D B17"), why, asked=asked, facts=facts, **more)

    yield seen("public", "What was asked in public is answered in public.", "public", (PUBLIC, HELPER))
    yield seen("unlisted", "What was kept out of public timelines stays out of them.", "unlisted", (HELPER,), (PUBLIC,))
    yield seen("followers", "What was for followers is not for everybody.", "followers", (FOLLOWERS, HELPER))
    yield seen("followers-in-cc", "In cc as well.", "followers", (HELPER,), (FOLLOWERS,))
    yield seen("direct", "A private question has a private answer.", "direct", (HELPER,))
    for spelling in ("as:Public", "Public"):
        yield seen(
            f"public-as-{spelling.lower().replace(':', '-')}",
            "Two short spellings are read; servers understand only the full one.",
            "public",
            (spelling, HELPER),
            facts={"to": [ACTOR, PUBLIC], "cc": []},
            level="SHOULD",
        )
    yield seen(
        "other-people-of-the-question",
        "Who was copied on a question did not ask for the answer.",
        "public",
        (PUBLIC, HELPER),
        (FOLLOWERS, "https://other.example/users/dave"),
        facts={"has": {"activity": {"dave": False}}},
    )
    yield seen(
        "blind-recipients",
        "Who was hidden stays hidden.",
        "direct",
        (HELPER,),
        asked={"bto": ["https://other.example/users/dave"], "bcc": ["https://other.example/users/erin"]},
        facts={"has": {"activity": {"dave": False, "erin": False, "bto": False, "bcc": False}}},
        flags=["attack"],
    )
    yield seen(
        "note-narrower-than-activity",
        "Where the two differ, fewer people see it.",
        "direct",
        (HELPER,),
        asked={"activity": {"to": [PUBLIC, HELPER]}},
        flags=["attack"],
    )
    yield seen(
        "activity-narrower-than-note",
        "Where the two differ, fewer people see it.",
        "direct",
        (HELPER,),
        asked={"own": {"to": [PUBLIC, HELPER]}},
        flags=["attack"],
    )
    yield seen(
        "followers-of-somebody-else",
        "A collection of another host is nobody's followers here.",
        "direct",
        (HELPER, "https://other.example/users/dave/followers"),
        flags=["attack"],
    )
    yield case(
        "audience/question-not-quoted",
        "R35",
        "Nothing of the question is sent on.",
        facts={"has": {"activity": {"a secret": False}}},
        flags=["attack"],
    )

    rule = "NM 3.3.1"

    def brings(name: str, why: str, siblings: list[Case], people: list[Case], said: Any = None, **more: Any) -> Case:
        everybody = [{"address": "@alice@social.example", "id": ACTOR}, *people]
        names = sorted([one["address"], one["id"]] for one in everybody)
        facts = {
            "addressed": sorted(one["id"] for one in everybody),
            "mentions": names,
            "named": [name for name, _ in names],
            **more.pop("facts", {}),
        }
        return case(
            f"mentions/{name}", more.pop("section", rule), why, said, unit={"siblings": siblings}, facts=facts, **more
        )

    yield brings("asker", "Without tag, text or address somebody's server tells nobody.", [], [])
    yield brings("one-sibling", "A sibling is woken by all three together, or not at all.", [BOB], [BOB])
    yield brings("two-siblings", "And so is each.", [BOB, CAROL], [BOB, CAROL])
    yield brings(
        "sibling-in-the-text",
        "Who is named already is not named twice.",
        [BOB],
        [BOB],
        [{**PLAIN, "content": "Ask @bob@other.example about it."}],
        facts={"words": "@alice@social.example Ask @bob@other.example about it."},
    )
    yield brings(
        "sibling-in-markdown",
        "In any kind of text.",
        [BOB],
        [BOB],
        [{**MARKDOWN, "content": "**Ask** @bob@other.example!"}],
    )
    yield brings("sibling-given-twice", "One mention is enough.", [BOB, BOB], [BOB])
    yield brings(
        "asker-as-sibling",
        "Who asked is told once.",
        [{**BOB, "address": "@alice@social.example", "id": ACTOR, "inbox": INBOX, "shared_inbox": SHARED}],
        [],
    )
    yield brings(
        "agent-as-sibling",
        "The agent does not write to itself.",
        [{**BOB, "id": HELPER, "address": "@helper@agents.example", "inbox": f"{HELPER}/inbox", "shared_inbox": None}],
        [],
    )
    stranger = "An address in the text brings nobody in: siblings are given, never guessed."
    yield brings(
        "stranger-in-the-text",
        stranger,
        [],
        [],
        [{**PLAIN, "content": "Ask @dave@evil.example."}],
        section="D B17",
        facts={"has": {"html": {"@dave@evil.example": True}}},
        diagnostics=["sibling-unresolved"],
        flags=["attack"],
    )
    yield brings(
        "two-strangers",
        stranger,
        [BOB],
        [BOB],
        [{**PLAIN, "content": "@dave@evil.example, @bob@other.example, @erin@evil.example"}],
        section="D B17",
        diagnostics=["sibling-unresolved"] * 2,
        flags=["attack"],
    )
    yield brings(
        "address-in-code",
        "An example in code is no mention.",
        [],
        [],
        [{**MARKDOWN, "content": "Write `@dave@evil.example`."}],
        section="D B17",
        level="SHOULD",
    )
    yield brings(
        "mail-address",
        "A mailbox is no mention.",
        [],
        [],
        [{**PLAIN, "content": "Write to dave@evil.example."}],
        section="D B17",
    )


def delivering() -> Iterator[Case]:
    """Where it is delivered, what it belongs to."""

    def goes(name: str, why: str, inboxes: list[str], to: Any = (PUBLIC, HELPER), **more: Any) -> Case:
        asked = question(to, asker=more.pop("asker", None))
        return case(f"inboxes/{name}", "D B17", why, asked=asked, facts={"inboxes": inboxes}, **more)

    yield goes("shared", "One delivery for all of a server.", [SHARED])
    yield goes("own-for-a-private-answer", "A shared inbox would have to guess for whom it is.", [INBOX], (HELPER,))
    yield goes("no-shared-one", "Without a shared inbox each has their own.", [INBOX], asker=actor(endpoints=None))
    yield goes("two-of-one-server", "One delivery, not two.", [SHARED], unit={"siblings": [CAROL]})
    yield goes("two-servers", "One for each server.", ["https://other.example/inbox", SHARED], unit={"siblings": [BOB]})
    away = actor(inbox="https://other.example/inbox", endpoints={"sharedInbox": "https://other.example/inbox"})
    yield goes(
        "on-another-host",
        "An actor whose inbox is elsewhere could have deliveries sent at others.",
        [],
        asker=away,
        diagnostics=["undeliverable"],
        flags=["attack"],
    )
    yield goes(
        "none",
        "Where nothing says where to deliver, that is told.",
        [],
        asker=actor(inbox=None, endpoints=None),
        diagnostics=["undeliverable"],
    )
    yield goes(
        "none-of-the-asker",
        "The others get it all the same.",
        ["https://other.example/inbox"],
        asker=actor(inbox=None, endpoints=None),
        unit={"siblings": [BOB]},
        diagnostics=["undeliverable"],
    )

    def stands(name: str, section: str, why: str, facts: Case, said: Any = None, **note: Any) -> Case:
        return case(f"thread/{name}", section, why, said, asked=question(**note), facts=facts)

    context, conversation = "https://social.example/contexts/1", "tag:social.example,2026:1"
    yield stands("in-reply-to", "NM 4", "It answers the note, not the activity.", {"in_reply_to": NOTE})
    yield stands("context", "NM 5.1.1", "A thread goes on by its context.", {"context": context}, context=context)
    yield stands(
        "conversation",
        "NM 5.1.1",
        "Servers that know the older name only go by that.",
        {"conversation": conversation, "context": None},
        conversation=conversation,
    )
    yield stands(
        "both",
        "NM 5.1.1",
        "Both are kept.",
        {"context": context, "conversation": conversation},
        context=context,
        conversation=conversation,
    )
    yield stands(
        "neither",
        "NM 5.1.1",
        "A thread without a name is followed by inReplyTo.",
        {"context": None, "conversation": None, "in_reply_to": NOTE},
    )
    yield stands(
        "context-that-is-no-iri",
        "NM 5.1.1",
        "What is no IRI names no thread.",
        {"context": None},
        context={"type": "Collection"},
    )
    yield stands(
        "other-thread",
        "R31",
        "The agent may name another thread.",
        {"context": "https://social.example/contexts/9"},
        answer(MARKDOWN, push_back={"thread_ref": "https://social.example/contexts/9"}),
        context=context,
    )
    yield case(
        "thread/form",
        "NM 4",
        "An activity that servers take: a Create of a Note by the agent, with ids of its own host.",
        facts={
            "type": "Create",
            "object_type": "Note",
            "actor": HELPER,
            "attributed_to": HELPER,
            "ids_differ": True,
            "published": {"$any": "timestamp"},
            "has": {"activity": {"https://agents.example/": True}},
        },
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_activitypub.py; change that."
    files: dict[str, list[Case]] = {}
    for cases in (addressing, delivering):
        for one in cases():
            files.setdefault(one["id"].split("/")[1], []).append(one)
    for behaviour, found in files.items():
        yield "reply", behaviour, "activitypub.reply", note, found
