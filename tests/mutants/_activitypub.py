"""Mutants of receiving from ActivityPub."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._receiving import asks_more, bounded_by, looks_up, remembers, reports

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
AREA = "activitypub"


def on_activity(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that changes the activity (in place) before it is read."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        body = unit.get("body")  # other operations have other inputs
        if isinstance(body, dict) and "$base64" not in body:
            change(body)
        return honest(op, given, unit)

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def on_object(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that changes the embedded object (in place) before it is read."""

    def both(activity: dict[str, Any]) -> None:
        found = activity.get("object")
        if isinstance(found, dict):
            change(found)

    on_activity(name, rule, both)


def _no_votes(found: dict[str, Any]) -> None:
    """Drops the replies of all options."""
    for name in ("oneOf", "anyOf"):
        for option in found.get(name) or []:
            if isinstance(option, dict):
                option.pop("replies", None)


def first(found: dict[str, Any], name: str) -> None:
    """Keeps the first of several values."""
    if isinstance(found.get(name), list):
        found[name] = found[name][:1]


# --- threads

on_object("ignores-context", "Does not look at context.", lambda found: found.pop("context", None))
on_object("ignores-conversation", "Does not look at conversation.", lambda found: found.pop("conversation", None))
on_object(
    "conversation-first",
    "Prefers conversation to context.",
    lambda found: found.update(context=found["conversation"]) if {"conversation", "context"} <= found.keys() else None,
)
on_object(
    "reads-inline-context",
    "Takes the id of an inline context.",
    lambda found: (
        found.update(context=found["context"]["id"])
        if isinstance(found.get("context"), dict) and "id" in found["context"]
        else None
    ),
)
on_object(
    "answers-last-parent",
    "Takes the last of several parents.",
    lambda found: (
        found.update(inReplyTo=found["inReplyTo"][-1])
        if isinstance(found.get("inReplyTo"), list) and found["inReplyTo"]
        else None
    ),
)
on_object(
    "wants-plain-parents",
    "Does not know a parent given as a Link.",
    lambda found: (
        found.pop("inReplyTo") if isinstance(found.get("inReplyTo"), dict) and "href" in found["inReplyTo"] else None
    ),
)
bounded_by(AREA, "walks-past-ten", "Walks twenty steps up.", walk_depth=20)
bounded_by(AREA, "walks-three-steps", "Walks three steps up.", walk_depth=3)
bounded_by(AREA, "asks-without-end", "Knows no bound on look-ups.", asks=10_000)
looks_up(
    AREA,
    "walks-nowhere",
    "Takes the parent for the root.",
    lambda row, answer: (
        {"status": 404}
        if row.startswith("GET ") and "/users/" not in row and "inReplyTo" in json.dumps(answer)
        else answer
    ),
)


asks_more(
    AREA,
    "asks-for-any-parent",
    "Asks for a parent whatever its URL is.",
    lambda unit: (
        [f"GET {unit['body']['object']['inReplyTo']}"]
        if isinstance(unit.get("body"), dict)
        and isinstance(unit["body"].get("object"), dict)
        and isinstance(unit["body"]["object"].get("inReplyTo"), str)
        else []
    ),
)
asks_more(
    AREA,
    "asks-for-any-object",
    "Asks for an object whatever its URL is.",
    lambda unit: (
        [f"GET {unit['body']['object']}"]
        if isinstance(unit.get("body"), dict) and isinstance(unit["body"].get("object"), str)
        else []
    ),
)
asks_more(
    AREA,
    "asks-for-the-public",
    "Looks the public collection up.",
    lambda unit: [
        f"AGENT {name}"
        for name in ("https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public")
        if name in json.dumps(unit.get("body"))
    ],
)

# --- authorship and origins

on_object("ignores-author", "Does not look at attributedTo.", lambda found: found.pop("attributedTo", None))
on_object("first-author-counts", "Looks at the first author only.", lambda found: first(found, "attributedTo"))
on_object(
    "empty-author-is-absent",
    "Takes an empty author for none.",
    lambda found: found.pop("attributedTo") if found.get("attributedTo", 1) in ("", []) else None,
)
on_activity(
    "any-origin",
    "Lets any origin name an object.",
    lambda found: (
        found["object"].update(id=found["actor"] + "/made-up")
        if isinstance(found.get("object"), dict)
        and isinstance(found.get("actor"), str)
        and found["actor"].startswith("https://")
        and str(found["object"].get("id", "")).split("/")[2:3] != found["actor"].split("/")[2:3]
        else None
    ),
)
on_activity("first-of-two-actors", "Takes the first of two actors.", lambda found: first(found, "actor"))
on_activity(
    "makes-missing-ids",
    "Makes an id for an activity that has none.",
    lambda found: found.setdefault("id", "https://social.example/made-up"),
)
on_activity(
    "needs-no-context",
    "Reads what has no ActivityStreams context.",
    lambda found: found.setdefault("@context", "https://www.w3.org/ns/activitystreams"),
)
on_activity(
    "ignores-contexts",
    "Does not look at what a context redefines.",
    lambda found: found.update({"@context": "https://www.w3.org/ns/activitystreams"}) if "@context" in found else None,
)
on_activity(
    "ignores-graphs",
    "Does not look at @graph, @included and @reverse.",
    lambda found: [found.pop(name, None) for name in ("@graph", "@included", "@reverse")],
)
looks_up(
    AREA,
    "any-content-type",
    "Takes a document of any content type.",
    lambda row, answer: (
        {**answer, "content_type": "application/activity+json"}
        if row.startswith("GET ") and "/.well-known/" not in row and isinstance(answer, dict) and "json" in answer
        else answer
    ),
)
looks_up(
    AREA,
    "forgets-redirects",
    "Takes a document for the one it asked for, wherever a redirect led.",
    lambda row, answer: (
        {"content_type": answer["content_type"], "json": {**answer["json"], "id": row.removeprefix("GET ")}}
        if isinstance(answer, dict) and "url" in answer
        else answer
    ),
)
looks_up(
    AREA,
    "gone-may-come-back",
    "Takes what is gone for what was not answered.",
    lambda row, answer: (
        {"failed": "gone"}
        if row.startswith("GET ") and isinstance(answer, dict) and answer.get("status") in (404, 410)
        else answer
    ),
)

# --- what is read

on_activity(
    "boosts-are-posts",
    "Reads a boost as a post.",
    lambda found: found.update(type="Create") if found.get("type") == "Announce" else None,
)
on_activity(
    "updates-are-nothing",
    "Refuses an Update.",
    lambda found: found.update(type="Delete") if found.get("type") == "Update" else None,
)
on_activity(
    "one-type-only",
    "Does not know a type that is a list.",
    lambda found: found.update(type="Unknown") if isinstance(found.get("type"), list) else None,
)
on_activity(
    "first-type-counts",
    "Takes the first of several types.",
    lambda found: first(found, "type"),
)
on_activity(
    "bases-contradict",
    "Takes the types from which all activities come for others.",
    lambda found: found.update(type="Unknown") if "Activity" in (found.get("type") or []) else None,
)
on_activity(
    "no-prefixes",
    "Does not know the as: prefix.",
    lambda found: found.update(type="Unknown") if found.get("type") == "as:Create" else None,
)
on_object("ignores-source", "Prefers HTML to the author's own Markdown.", lambda found: found.pop("source", None))
on_object(
    "any-source",
    "Takes a source of any kind.",
    lambda found: (
        found["source"].update(mediaType="text/plain")
        if isinstance(found.get("source"), dict) and "mediaType" in found["source"]
        else None
    ),
)
on_object("ignores-warning", "Drops a content warning.", lambda found: found.pop("summary", None))
on_object("ignores-title", "Drops the title.", lambda found: found.pop("name", None) if "summary" in found else None)
on_object(
    "any-type-is-a-note",
    "Reads an object of any type like a note.",
    lambda found: found.update(type="Note") if isinstance(found.get("type"), str) and "content" in found else None,
)
on_object(
    "members-make-no-type",
    "Looks only at the type of an unknown object.",
    lambda found: [found.pop(name, None) for name in ("object", "inbox", "totalItems", "formerType")],
)
on_object(
    "no-quotes",
    "Drops what is quoted.",
    lambda found: [found.pop(name, None) for name in ("quote", "quoteUrl", "quoteUri", "_misskey_quote")],
)
on_object(
    "ignores-tally", "Drops the votes of a poll.", lambda found: [found.pop("votersCount", None), _no_votes(found)]
)
on_object("ignores-end", "Drops when a poll ends.", lambda found: found.pop("endTime", None))
on_object("ignores-sensitive", "Drops the flag of sensitive content.", lambda found: found.pop("sensitive", None))
on_object("ignores-pictures", "Drops pictures that are no attachments.", lambda found: found.pop("image", None))
on_object("ignores-media-type", "Takes every body for HTML.", lambda found: found.pop("mediaType", None))
on_object(
    "last-language",
    "Takes the last language of a content map.",
    lambda found: (
        found.update(contentMap=dict(reversed(found["contentMap"].items())))
        if isinstance(found.get("contentMap"), dict)
        else None
    ),
)
on_object(
    "drops-options", "Drops what one may choose.", lambda found: [found.pop(name, None) for name in ("oneOf", "anyOf")]
)
on_object(
    "drops-event-facts",
    "Drops when and where an event is.",
    lambda found: [found.pop(name, None) for name in ("startTime", "location")],
)
on_object("first-attachment-only", "Takes the first attachment only.", lambda found: first(found, "attachment"))
on_object(
    "lists-only",
    "Does not know an attachment without brackets.",
    lambda found: found.pop("attachment") if isinstance(found.get("attachment"), dict) else None,
)
on_object(
    "shows-mentions",
    "Makes an attachment of a mention.",
    lambda found: (
        found.update(attachment=[{"type": "Link", "href": tag["href"]} for tag in found["tag"] if "href" in tag])
        if isinstance(found.get("tag"), list)
        and len(found["tag"]) < 5
        and found.get("content")
        and "attachment" not in found
        and any(tag.get("type") == "Hashtag" for tag in found["tag"])
        else None
    ),
)

# --- recipients

for _field in ("cc", "bto", "bcc", "audience"):
    on_activity(
        f"ignores-{_field}-of-activity",
        f"Does not look at {_field} of the activity.",
        lambda found, _field=_field: found.pop(_field, None),
    )
on_object(
    "ignores-object-addressing",
    "Does not look at the addressing of the object.",
    lambda found: [found.pop(name, None) for name in ("to", "cc", "bto", "bcc", "audience")],
)
on_object(
    "ignores-mentions",
    "Does not look at mentions.",
    lambda found: (
        found.pop("tag", None)
        if isinstance(found.get("tag"), dict) or (isinstance(found.get("tag"), list) and len(found["tag"]) == 1)
        else None
    ),
)
reports(
    AREA,
    "one-message-only",
    "Gives one message for several recipients.",
    lambda answer: {**answer, "messages": answer["messages"][:1]},
)
looks_up(
    AREA,
    "waits-for-nobody",
    "Refuses for good when nobody could be looked up just now.",
    lambda row, answer: None if row.startswith("AGENT ") and isinstance(answer, dict) else answer,
)

# --- ids, history, diagnostics

remembers(AREA)
bounded_by(
    AREA,
    "takes-any-size",
    "Knows no bound on bytes, tags, attachments, parts and recipients.",
    activitypub_bytes=10**9,
    tags=10**6,
    attachments=10**6,
    parts=10**6,
    recipients=10**6,
)
reports(
    AREA,
    "everybody-is-user",
    "Makes every turn a user's.",
    lambda answer: {
        **answer,
        "messages": [
            {**one, "history": [{**turn, "role": "user"} for turn in one["history"]]} if "history" in one else one
            for one in answer["messages"]
        ],
    },
)
reports(
    AREA,
    "says-not-verified",
    "Calls what is unsigned not verified.",
    lambda answer: (
        {**answer, "verdict": {**answer["verdict"], "code": "not-verified"}}
        if not answer["diagnostics"] and len(answer["asks"]) < 5
        else answer
    ),
)


@mutant(AREA, "Believes an embedded parent.")
def believes_embedded_parents(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    found = unit["body"].get("object") if isinstance(unit.get("body"), dict) else None
    parent = found.get("inReplyTo") if isinstance(found, dict) else None
    if not isinstance(parent, dict) or "id" not in parent:
        return honest(op, given, unit)
    document = {"@context": "https://www.w3.org/ns/activitystreams", **parent}
    answer = {"status": 200, "content_type": "application/activity+json", "json": document}
    return honest(op, {**given, "lookups": {**given["lookups"], f"GET {parent['id']}": answer}}, unit)
