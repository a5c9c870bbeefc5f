"""Cases of what an agent does, publishes and takes back: `conformance/v0.1/activitypub/build-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import ALICE, AS2, BOB, HELPER, SERVER
from tests.vectors._ap_documents import one

if TYPE_CHECKING:
    from collections.abc import Iterator

Case = dict[str, Any]
PUBLIC = f"{AS2}#Public"
FOLLOWERS = f"{HELPER}/followers"
INBOX, SHARED = f"{ALICE}/inbox", f"{SERVER}/inbox"
OURS = "https://agents.example/objects/1"
ACT = "https://agents.example/activities/1"
FOLLOW, QUOTING, THEIRS = f"{SERVER}/follows/1", f"{SERVER}/notes/9", f"{SERVER}/notes/1"
NEW = "https://other.example/users/helper"
AN_ALICE = {"address": "@alice@social.example", "id": ALICE, "inbox": INBOX, "shared_inbox": SHARED}
A_BOB = {"address": "@bob@other.example", "id": BOB, "inbox": f"{BOB}/inbox"}


def case(behaviour: str, name: str, why: str, builder: str, args: Case, value: Case | None, **members: Any) -> Case:
    """A case; without a value the builder refuses."""
    input_ = {"builder": builder, "actor": HELPER, "args": args, **members.pop("unit", {})}
    expected = {"rejected": {"code": "malformed"}} if value is None else {"value": value}
    return one(f"build-{behaviour}", name, "D B30", why, input_, **expected, **members)


def made(kind: str, to: list[str], cc: list[str], *inboxes: str, **members: Any) -> Case:
    """What comes out: the activity, served to those whom it names alone unless it says otherwise."""
    status = 200 if PUBLIC in (*to, *cc) else 404
    served = members.pop("served", [[kind, status]])
    activity = {"type": kind, "actor": HELPER, "to": to, "cc": cc, **members}
    return {"activity": activity, "inboxes": [*inboxes], "served": sorted(served)}


# --- answers to requests


def received(kind: str, about: str, **members: Any) -> Case:
    return {"type": kind, "id": FOLLOW, "actor": AN_ALICE, "object_ids": [about], **members}


def answers() -> Iterator[Case]:
    for builder in ("accept", "reject"):
        kind = builder.title()

        def answered(name: str, why: str, request: Case, asked: Case | None, **more: Any) -> Case:
            value = None if asked is None else made(kind, [ALICE], [], INBOX, object=asked, **more)  # noqa: B023
            flags = {"flags": ["attack"]} if asked is None else {}
            return case("answers", f"{builder}-{name}", why, builder, {"received": request}, value, **flags)  # noqa: B023

        whole = {"id": FOLLOW, "actor": ALICE}
        private = {"document": {"bto": [BOB], "to": [HELPER], "summary": "private"}}
        yield answered(
            "follow",
            "Servers find the follow by its id, its actor and its object, and nothing else of it is passed on.",
            received("Follow", HELPER, **private),
            {**whole, "type": "Follow", "object": HELPER},
        )
        yield answered(
            "invite",
            "An invitation keeps its target.",
            received("Invite", f"{SERVER}/events/1", target_id=HELPER),
            {**whole, "type": "Invite", "object": f"{SERVER}/events/1", "target": HELPER},
        )
        yield answered(
            "join", "What is joined is here.", received("Join", OURS), {**whole, "type": "Join", "object": OURS}
        )
        yield answered(
            "offer",
            "An offer is for its target.",
            received("Offer", THEIRS, document={"target": HELPER}),
            {**whole, "type": "Offer", "object": THEIRS},
        )
        quote = {**whole, "type": "QuoteRequest", "object": OURS, "instrument": QUOTING}
        stamp = {
            "type": "QuoteAuthorization",
            "attributedTo": HELPER,
            "interactingObject": QUOTING,
            "interactionTarget": OURS,
        }
        accepts = builder == "accept"
        yield answered(
            "quote",
            "An approved quote has a stamp that everyone may fetch; a refused one has none.",
            received("QuoteRequest", OURS, target_id=QUOTING),
            quote,
            **({"result": stamp, "served": [["Accept", 404], ["QuoteAuthorization", 200]]} if accepts else {}),
        )
        yield answered(
            "follow-of-another", "Whoever is followed answers, and no other actor.", received("Follow", BOB), None
        )
        yield answered(
            "invitation-of-another",
            "Nor to an invitation.",
            received("Invite", f"{SERVER}/events/1", target_id=BOB),
            None,
        )
        yield answered("join-elsewhere", "Nor to joining what is elsewhere.", received("Join", THEIRS), None)
        yield answered(
            "offer-to-another", "Nor to an offer.", received("Offer", THEIRS, document={"target": BOB}), None
        )
        yield answered(
            "quote-of-another",
            "Nor may one agent approve quotes of what others wrote.",
            received("QuoteRequest", THEIRS, target_id=QUOTING),
            None,
        )
        yield case(
            "answers",
            f"{builder}-like",
            "A like asks for nothing.",
            builder,
            {"received": received("Like", OURS)},
            None,
        )


# --- what is done in the agent's own name


def acts() -> Iterator[Case]:
    for builder in ("follow", "block"):
        value = made(builder.title(), [ALICE], [], INBOX, object=ALICE)
        yield case("acts", builder, "It is for this actor alone.", builder, {"to": AN_ALICE}, value)
        own = {"address": "@helper@agents.example", "id": HELPER, "inbox": f"{HELPER}/inbox"}
        yield case("acts", f"{builder}-itself", "It is about another.", builder, {"to": own}, None)
    value = made("Like", [ALICE], [], INBOX, object=THEIRS)
    yield case("acts", "like", "A like is for the author alone.", "like", {"object_id": THEIRS, "to": AN_ALICE}, value)
    script = {"object_id": "javascript:alert(1)", "to": AN_ALICE}
    yield case("acts", "like-of-no-id", "What is liked has an id.", "like", script, None, flags=["attack"])
    for visibility, to, cc, inboxes in (
        ("public", [PUBLIC, ALICE], [FOLLOWERS], [SHARED, f"{BOB}/inbox"]),
        ("unlisted", [FOLLOWERS, ALICE], [PUBLIC], [SHARED, f"{BOB}/inbox"]),
        ("followers", [FOLLOWERS, ALICE], [], [INBOX, f"{BOB}/inbox"]),
    ):
        audience = {"visibility": visibility, "actors": [AN_ALICE], "followers": [f"{BOB}/inbox"]}
        yield case(
            "acts",
            f"announce-{visibility}",
            "Servers read who may see it from to and cc; what is not public goes to no shared inbox.",
            "announce",
            {"object_id": THEIRS, "audience": audience},
            made("Announce", to, cc, *inboxes, object=THEIRS),
        )


# --- what is taken back


def taken_back() -> Iterator[Case]:
    private = {"to": [ALICE], "cc": []}
    everyone = {"to": [PUBLIC], "cc": [FOLLOWERS]}
    follow = {"id": ACT, "type": "Follow", "actor": HELPER, "object": ALICE, **private}
    note = {"id": OURS, "type": "Note", "attributedTo": HELPER, **private}

    def undone(name: str, why: str, activity: Case, to: Any, value: Case | None, **more: Any) -> Case:
        return case("withdrawn", f"undo-{name}", why, "undo", {"activity": activity, "to": to}, value, **more)

    def deleted(name: str, why: str, document: Case, to: Any, value: Case | None, **more: Any) -> Case:
        return case("withdrawn", f"delete-{name}", why, "delete", {"note": document, "to": to}, value, **more)

    yield undone(
        "follow",
        "It names the whole activity and is addressed as that was; a Tombstone is for those who saw it.",
        follow,
        AN_ALICE,
        made("Undo", [ALICE], [], INBOX, object=follow, served=[["Tombstone", 404], ["Undo", 404]]),
    )
    announce = {"id": ACT, "type": "Announce", "actor": HELPER, "object": THEIRS, **everyone}
    yield undone(
        "announce",
        "What was for everyone is taken back for everyone.",
        {"@context": AS2, **announce, "proof": {"type": "DataIntegrityProof"}},
        [SHARED, A_BOB, SHARED],
        made(
            "Undo",
            [PUBLIC],
            [FOLLOWERS],
            SHARED,
            f"{BOB}/inbox",
            object=announce,
            served=[["Tombstone", 410], ["Undo", 200]],
        ),
    )
    for name, document in (
        ("of-another", {**follow, "actor": BOB}),
        ("elsewhere", {**follow, "id": FOLLOW}),
        ("create", {**follow, "type": "Create"}),
    ):
        why = "Only what the agent itself did is undone, and a note is deleted."
        yield undone(name, why, document, AN_ALICE, None, flags=[] if name == "create" else ["attack"])

    gone = {"id": OURS, "type": "Tombstone", "formerType": "Note", **private}
    yield deleted(
        "note",
        "The Tombstone keeps the addressing, so that only those who saw the note learn that it is gone.",
        {"@context": AS2, **note, "content": "<p>Yes.</p>", "inReplyTo": THEIRS},
        AN_ALICE,
        made(
            "Delete", [ALICE], [], INBOX, object=gone, served=[["Delete", 404], ["Tombstone", 404], ["Tombstone", 404]]
        ),
    )
    yield deleted(
        "public-note",
        "It goes to the very inboxes that the note went to, and is served with 410.",
        {**note, **everyone},
        [SHARED, f"{BOB}/inbox"],
        made(
            "Delete",
            [PUBLIC],
            [FOLLOWERS],
            SHARED,
            f"{BOB}/inbox",
            object={**gone, **everyone},
            served=[["Delete", 200], ["Tombstone", 410], ["Tombstone", 410]],
        ),
    )
    stamp = {"id": OURS, "type": "QuoteAuthorization", "attributedTo": HELPER}
    yield deleted(
        "stamp",
        "The approval of a quote is withdrawn like a note.",
        stamp,
        AN_ALICE,
        made(
            "Delete",
            [],
            [],
            INBOX,
            object={"id": OURS, "type": "Tombstone", "formerType": "QuoteAuthorization"},
            served=[["Delete", 404], ["Tombstone", 410]],
        ),
    )
    for name, document in (
        ("of-another", {**note, "attributedTo": BOB}),
        ("elsewhere", {**note, "id": THEIRS}),
        ("activity", follow),
    ):
        why = "Only what the agent itself wrote is deleted."
        yield deleted(name, why, document, AN_ALICE, None, flags=[] if name == "activity" else ["attack"])
    for name, to in (("plain-inbox", ["http://social.example/inbox"]), ("one-text", INBOX)):
        yield deleted(name, "Inboxes are a list of https URLs.", note, to, None)


# --- another account


def moved() -> Iterator[Case]:
    target = {"id": NEW, "type": "Service", "alsoKnownAs": [HELPER]}
    value = made("Move", [FOLLOWERS], [], INBOX, object=HELPER, target=NEW)
    why = "A move is for the followers, to an account that names this one."
    yield case("moved", "move", why, "move", {"target": target, "to": [AN_ALICE]}, value)
    single = {**target, "alsoKnownAs": HELPER}
    why = "One alias may stand without a list."
    yield case("moved", "one-alias", why, "move", {"target": single, "to": [AN_ALICE]}, value)
    for name, document in (
        ("nameless", {"id": NEW, "type": "Service"}),
        ("of-another", {**target, "alsoKnownAs": [BOB]}),
        ("to-itself", {**target, "id": HELPER}),
        ("to-a-note", {**target, "type": "Note"}),
    ):
        why = "Followers are not led to an account that does not know of it."
        args = {"target": document, "to": [AN_ALICE]}
        yield case("moved", name, why, "move", args, None, flags=["attack"])


# --- posts, polls and votes


def posts() -> Iterator[Case]:
    everyone = {"actors": [AN_ALICE], "followers": [f"{BOB}/inbox"]}
    direct = {"visibility": "direct", "actors": [AN_ALICE]}
    tag = [{"type": "Mention", "href": ALICE, "name": "@alice@social.example"}]

    def note(to: list[str], cc: list[str], **members: Any) -> Case:
        return {"type": "Note", "attributedTo": HELPER, "to": to, "cc": cc, "tag": tag, **members}

    def published(name: str, why: str, audience: Case, value: Case | None, **more: Any) -> Case:
        return case("posts", name, why, "post", {"text": "Hello", "audience": audience}, value, **more)

    def create(to: list[str], cc: list[str], *inboxes: str, **members: Any) -> Case:
        status = 200 if PUBLIC in (*to, *cc) else 404
        kind = members.get("type", "Note")
        served = [["Create", status], [kind, status]]
        return made("Create", to, cc, *inboxes, object=note(to, cc, **members), served=served)

    both = [SHARED, f"{BOB}/inbox"]
    yield published(
        "public",
        "Note and activity are addressed alike; whoever is named is mentioned.",
        everyone,
        create([PUBLIC, ALICE], [FOLLOWERS], *both),
    )
    yield published(
        "unlisted",
        "Who may see it is in cc.",
        {**everyone, "visibility": "unlisted"},
        create([FOLLOWERS, ALICE], [PUBLIC], *both),
    )
    yield published(
        "followers",
        "The followers are in to: in cc alone the note would count as direct.",
        {**everyone, "visibility": "followers"},
        create([FOLLOWERS, ALICE], [], INBOX, f"{BOB}/inbox"),
    )
    yield published("direct", "It is for them alone.", direct, create([ALICE], [], INBOX))
    leak = {**direct, "followers": [f"{BOB}/inbox"]}
    why = "What is direct is delivered to nobody else."
    yield published("direct-for-followers", why, leak, None, flags=["attack"])
    yield published("direct-for-nobody", "A direct note has a recipient.", {"visibility": "direct"}, None)
    yield published("private", "There are four ways.", {**direct, "visibility": "private"}, None)

    for name, policy, audience, automatic, manual in (
        ("quotes-for-all", {"automatic": ["public"]}, everyone, [PUBLIC], []),
        ("quotes-on-demand", {"manual": ["followers", "following"]}, everyone, [], [FOLLOWERS, f"{HELPER}/following"]),
        ("quotes-for-nobody", {}, everyone, [HELPER], []),
        ("quotes-of-what-is-direct", {"automatic": ["public"]}, direct, [HELPER], []),
    ):
        says = {"interactionPolicy": {"canQuote": {"automaticApproval": automatic, "manualApproval": manual}}}
        value = (
            create([ALICE], [], INBOX, **says)
            if audience is direct
            else create([PUBLIC, ALICE], [FOLLOWERS], *both, **says)
        )
        why = "A note says who may quote it; what is not public nobody may."
        yield published(name, why, audience, value, unit={"quote_policy": policy})

    asked = {"question": "Rain?", "options": ["Yes", "No"], "audience": direct, "ends": "2026-11-28T00:00:00Z"}
    options = [
        {"type": "Note", "name": name, "replies": {"type": "Collection", "totalItems": 0}} for name in ("Yes", "No")
    ]
    poll = {"type": "Question", "endTime": "2026-11-28T00:00:00Z", "votersCount": 0}
    why = "A poll has its options, its end, and no votes."
    value = create([ALICE], [], INBOX, **poll, oneOf=options)
    yield case("posts", "poll", why, "poll", asked, value)
    value = create([ALICE], [], INBOX, **poll, anyOf=options)
    yield case("posts", "poll-multiple", "Several may be chosen.", "poll", {**asked, "multiple": True}, value)
    for name, change in (
        ("one-option", {"options": ["Yes"]}),
        ("twice-the-same", {"options": ["Yes", " Yes"]}),
        ("over", {"ends": "2026-11-21T20:56:00Z"}),
    ):
        yield case("posts", f"poll-{name}", "A poll leaves a choice, and time.", "poll", {**asked, **change}, None)

    question = {
        "id": OURS,
        "type": "Question",
        "attributedTo": HELPER,
        "to": [ALICE],
        "cc": [],
        "endTime": "2026-11-28T00:00:00Z",
        "oneOf": [{"type": "Note", "name": name} for name in ("Yes", "No")],
    }
    counted = {
        **question,
        "votersCount": 4,
        "oneOf": [
            {"type": "Note", "name": name, "replies": {"type": "Collection", "totalItems": count}}
            for name, count in (("Yes", 3), ("No", 1))
        ],
    }
    votes = {"poll": question, "counts": [3, 1], "voters": 4, "to": [INBOX]}
    served = [["Question", 404], ["Update", 404]]
    why = "A tally is no edit: a poll with `updated` loses its votes elsewhere."
    value = made("Update", [ALICE], [], INBOX, object=counted, served=served)
    yield case("posts", "tally", why, "tally", votes, value)
    ended = {"endTime": "2026-11-21T00:00:00Z"}
    value = made("Update", [ALICE], [], INBOX, object={**counted, **ended, "closed": ended["endTime"]}, served=served)
    yield case(
        "posts",
        "tally-closed",
        "From its end a poll is closed.",
        "tally",
        {**votes, "poll": {**question, **ended}},
        value,
    )
    for name, change in (("too-few", {"counts": [3]}), ("of-another", {"poll": {**question, "attributedTo": BOB}})):
        yield case("posts", f"tally-{name}", "The counts are those of an own poll.", "tally", {**votes, **change}, None)

    cast = {"type": "Note", "attributedTo": HELPER, "inReplyTo": THEIRS, "name": "Yes", "to": [ALICE], "cc": []}
    value = made("Create", [ALICE], [], INBOX, object=cast, served=[["Create", 404], ["Note", 404]])
    why = "A vote is for the author of the poll alone; with a text it would be an answer."
    yield case("posts", "vote", why, "vote", {"option": "Yes", "on": THEIRS, "to": AN_ALICE}, value)
    yield case(
        "posts", "vote-for-nothing", "It names an option.", "vote", {"option": " ", "on": THEIRS, "to": AN_ALICE}, None
    )


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files: what each is about, and its cases."""
    yield "build-answers", "Accept and Reject, and the stamp of a quote.", list(answers())
    yield "build-acts", "Follow, Block, Like and Announce.", list(acts())
    yield "build-withdrawn", "Undo and Delete.", list(taken_back())
    yield "build-moved", "Move.", list(moved())
    yield "build-posts", "Posts, polls, tallies and votes.", list(posts())
