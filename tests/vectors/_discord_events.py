"""What happens to messages in Discord, and events that are claimed before they are completed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._connector_sections import PLATFORM
from tests.vectors._discord_receive import received
from tests.vectors._discord_rows import (
    AGENT,
    EVENT,
    MEMBER,
    OTHER,
    SETTINGS,
    Case,
    case,
    heard,
    interaction,
    message,
    posted,
    signed,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

NATIVE = f"discord:500/{EVENT}"
PLACE: Case = {"channel_id": "500", "guild_id": "300"}
EDITED_AT = "2026-11-21T20:55:00.000000+00:00"
FRESH = str((1_795_294_500_000 - 1_420_070_400_000) << 22)
"""The id of a message that was written a minute ago."""

ROW: Case = {"id": "m1", "thread_id": "discord:500", "sender": "@42@300.discord.invalid"}
KNOWN = {f"MESSAGE {NATIVE}": ROW}


def dispatch(name: str, data: Case) -> Case:
    """The input of a case: a dispatch of the gateway."""
    return heard({"op": 0, "t": name, "s": 7, "d": data})


def edited(content: str = "Will it snow?", **changes: Any) -> Case:
    return dispatch("MESSAGE_UPDATE", message(content, **{"edited_timestamp": EDITED_AT, "mentions": [], **changes}))


def reaction(name: str = "ADD", **changes: Any) -> Case:
    data = {**PLACE, "message_id": EVENT, "user_id": "42", "emoji": {"id": None, "name": "👍"}, **changes}
    return dispatch(f"MESSAGE_REACTION_{name}", {name: one for name, one in data.items() if one is not None})


def event(type: str, **more: Any) -> Case:
    """What is told of something that happened to the stored message, by Alice."""
    told = {
        "type": type,
        "object_ids": [NATIVE],
        "recipients": [AGENT],
        "actor": "@42@300.discord.invalid",
        "parts": [],
        "previous": [],
        "content": None,
        "stored": {NATIVE: "m1"},
        "identities": ["discord:300/42"],
        "redelivered": False,
    }
    return {**told, **more}


def events() -> Iterator[Case]:
    """Edits, deletions and reactions."""

    def one(name: str, why: str, given: Case, made: Case | str, **more: Any) -> Case:
        facts: Case = {"section": "R72", "world": KNOWN, "diagnostics": [], **more}
        if isinstance(made, str):
            del facts["diagnostics"]
        outcome = {"rejected": {"code": made}} if isinstance(made, str) else {"value": made}
        return case("discord-event", name, why, given, **outcome, **facts)

    none: Case = {"actor": None, "identities": []}
    snow = event("edited", parts=[text("Will it snow?")])
    yield one("edit", "Who corrects a word wants it corrected.", edited(), snow)
    gone = dispatch("MESSAGE_DELETE", {**PLACE, "id": EVENT})
    yield one("deletion", "A moderator may delete, and Discord does not say who did.", gone, event("deleted", **none))
    both = dispatch("MESSAGE_DELETE_BULK", {**PLACE, "ids": [OTHER, EVENT]})
    ids = [f"discord:500/{OTHER}", NATIVE]
    yield one("deletion-of-many", "Many may go at once.", both, event("deleted", object_ids=ids, **none))
    thumb: Case = {"content": "👍"}
    yield one("reaction", "A member shows who they are.", reaction(member=MEMBER), event("reaction-added", **thumb))
    why = "Discord does not say whether who takes a reaction back is a member."
    taken = event("reaction-removed", identities=[], **thumb)
    yield one("reaction-removed", why, reaction("REMOVE"), taken, diagnostics=["evidence-withheld"])
    why = "A moderator may take all reactions away."
    yield one(
        "reactions-removed", why, reaction("REMOVE_ALL", user_id=None, emoji=None), event("reaction-removed", **none)
    )
    one_emoji = reaction("REMOVE_EMOJI", user_id=None)
    yield one("emoji-removed", "A moderator may take one away.", one_emoji, event("reaction-removed", **none, **thumb))
    custom = reaction(member=MEMBER, emoji={"id": "9", "name": "party", "animated": True})
    why = "An emoji of a guild is written as in messages."
    yield one("emoji-of-a-guild", why, custom, event("reaction-added", content="<a:party:9>"))
    yield one(
        "link-shown",
        "Discord shows a link, and no person edited anything.",
        edited(edited_timestamp=None),
        "unsupported-event",
    )
    partial = dispatch("MESSAGE_UPDATE", {**PLACE, "id": EVENT, "edited_timestamp": EDITED_AT})
    yield one("edit-in-part", "Without words there is nothing to read.", partial, "unsupported-event")
    bot = {"id": "700", "username": "helper", "bot": True}
    yield one("own-edit", "What the agent edits itself must not wake it.", edited(author=bot), "own-message")
    yield one("own-reaction", "What the agent thinks of a message it knows.", reaction(user_id="700"), "own-message")
    other = {f"MESSAGE {NATIVE}": {**ROW, "sender": "@43@300.discord.invalid"}}
    yield one(
        "edit-of-another",
        "Whoever edits must have written it.",
        edited(),
        "owner-mismatch",
        world=other,
        flags=["attack"],
    )
    down = {"MESSAGE *": {"failed": "away"}}
    yield one("store-down", "What is stored must be known first.", gone, "lookup-failed", world=down)
    mentions = {"mentions": [{"id": "700", "username": "helper"}], "id": FRESH}
    anew = edited("<@700> Will it rain?", **mentions)
    came = received(
        text("<@700> Will it rain?", mentions={"<@700>": "helper"}),
        raw={"id": FRESH, "timestamp": "2026-11-21T20:55:00Z"},
    )
    came["sender"]["identities"] = [{**came["sender"]["identities"][0], "id": f"discord:{FRESH}"}]
    yield case(
        "discord-event",
        "edit-that-mentions",
        "Who forgot to mention the agent, and adds it, waits for an answer.",
        anew,
        messages=[came],
        diagnostics=[],
        section="R70",
    )
    has: Case = {"object_ids": [f"discord:500/{FRESH}"], "stored": {f"discord:500/{FRESH}": "m1"}}
    rain = event("edited", parts=[text("<@700> Will it rain?", mentions={"<@700>": "helper"})], **has)
    world = {f"MESSAGE discord:500/{FRESH}": ROW, f"ONCE discord:message:500/{FRESH} 700": "other"}
    yield one("edit-that-mentions-in-what-came", "One question has one answer.", anew, rain, world=world, section="R70")
    old = edited("<@700> Will it rain?", mentions=mentions["mentions"])
    rain = event("edited", parts=[text("<@700> Will it rain?", mentions={"<@700>": "helper"})], stored={})
    yield one("edit-of-old", "An old question is not asked anew.", old, rain, world={}, section="R70")


def claims() -> Iterator[Case]:
    """Stage one: one ask, and nothing is looked up."""
    quiet = ["AGENT *", "CALL *", "MESSAGE *", "HISTORY *"]

    def one(name: str, why: str, given: Case, made: Any, **more: Any) -> Case:
        outcome = {"rejected": {"code": made}} if isinstance(made, str) else {"value": made}
        return case("discord-claim", name, why, given, **outcome, must_not_ask=quiet, **{"section": "R70", **more})

    new: Case = {"type": "message", "event_id": f"discord:{EVENT}", "native_id": NATIVE, "is_new": True, "status": 200}
    at_once: Case = {**new, "answer": '{"type":5}'}
    yield one(
        "interaction", "Discord waits three seconds for the word that an answer comes.", posted(interaction()), at_once
    )
    yield one("message", "The gateway wants no answer.", heard(message()), {**new, "answer": ""})
    same = {f"ONCE discord:message:500/{EVENT} 700": "same"}
    yield one(
        "again",
        "Two sessions may bring one message.",
        heard(message()),
        {**new, "answer": "", "is_new": False},
        world=same,
    )
    yield one(
        "not-for-agent",
        "What is not for the agent is not claimed.",
        heard(message("Hi", mentions=[])),
        "unsupported-event",
        section=PLATFORM,
    )
    forged = posted(interaction())
    forged["request"] = signed(interaction(), Ed25519="00" * 64)
    yield one(
        "forged",
        "Nothing of a forged request is claimed.",
        forged,
        "request-unverified",
        section="BC",
        flags=["attack"],
    )


def completed() -> Iterator[Case]:
    """Stage two: what was stored becomes the message that one stage makes."""
    made = received(text("<@700> Will it rain?", mentions={"<@700>": "helper"}))
    yield case(
        "discord-complete",
        "message",
        "Both stages make what one makes.",
        heard(message()),
        messages=[made],
        diagnostics=[],
        section="R70",
    )
    thumb = event("reaction-added", content="👍")
    why = "An event is completed as one."
    yield case(
        "discord-complete",
        "reaction",
        why,
        reaction(member=MEMBER),
        value=thumb,
        diagnostics=[],
        world=KNOWN,
        section="R72",
    )


def deliveries() -> Iterator[Case]:
    """Of any number of deliveries, one is the first."""

    def one(name: str, why: str, requests: list[Case], words: list[str]) -> Case:
        given = {"requests": requests, "settings": SETTINGS}
        return case("discord-deliveries", name, why, given, value=words, section="R70")

    create = {"t": "MESSAGE_CREATE", "d": message()}
    yield one("sessions", "Two sessions of one bot hear the same.", [create, create], ["first", "same"])
    update = edited("<@700> Will it rain?", mentions=[{"id": "700"}], id=FRESH)["event"]
    new = {"t": "MESSAGE_CREATE", "d": message(id=FRESH)}
    why = "An edit that comes before its message is the question, and the message is none."
    yield one("edit-first", why, [update, new, update], ["first", "unsupported-event", "same"])


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "discord-event", "discord.receive", "What happens to a message.", events()
    yield "discord-claim", "discord.claim", "What is claimed before Discord is answered.", claims()
    yield "discord-complete", "discord.complete", "What comes of it later.", completed()
    yield "discord-deliveries", "discord.deliveries", "What each of several deliveries is.", deliveries()
