"""Mutants of answers on ActivityPub."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import (
    mends,
    quiet,
    refuses,
    rewritten,
    shows,
    some,
    spoils,
    takes,
)

AREA = "reply"
REPLY, UPDATE, BOTH = ("activitypub.reply",), ("activitypub.update",), ("activitypub.reply", "activitypub.update")
TRIP, FIND = ("activitypub.round_trip",), ("activitypub.find_actor",)
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
ALICE = "https://social.example/users/alice"
TRACE = re.compile(r'\n?<p><a class="mentionable-trace".*?</a></p>')


def _asked(unit: Any) -> Any:
    return unit["question"]["body"]


def _sent(name: str, rule: str, change: Any, ops: tuple[str, ...] = BOTH, *, central: bool = False) -> None:
    """Registers a mutant that sends another activity: `change(activity, unit)` changes it in place."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        change(value["activity"], unit)
        return value

    spoils(AREA, ops, f"ap-{name}", rule, changed, central=central)


def _addressed(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that addresses otherwise: `change(to, cc, unit)` gives both."""

    def changed(activity: Any, unit: Any) -> None:
        to, cc = change([*activity["to"]], [*activity["cc"]], unit)
        for one in (activity, activity["object"]):
            one["to"], one["cc"] = to, cc

    _sent(name, rule, changed)


def _others(to: list[str]) -> list[str]:
    return [one for one in to if one != PUBLIC]


_addressed(
    "always-public",
    "Answers everything in public.",
    lambda to, cc, _: (to if PUBLIC in to else [PUBLIC, *to], [one for one in cc if one != PUBLIC]),
)
_addressed(
    "unlisted-is-public",
    "Takes unlisted for public.",
    lambda to, cc, _: ([PUBLIC, *to], []) if PUBLIC in cc else (to, cc),
)
_addressed(
    "unlisted-at-most",
    "Never answers in public.",
    lambda to, cc, _: (_others(to), [PUBLIC, *cc]) if PUBLIC in to else (to, cc),
)
_addressed("no-followers", "Forgets followers.", lambda to, cc, _: (to, [one for one in cc if "followers" not in one]))
_addressed(
    "any-followers",
    "Takes any collection for followers.",
    lambda to, cc, unit: (to, cc + [one for one in _asked(unit)["to"] if one.endswith("followers") and one not in cc]),
)
_addressed(
    "widest-wins",
    "Takes the wider of two audiences.",
    lambda to, cc, unit: (
        ([PUBLIC, *to], cc)
        if PUBLIC not in to and PUBLIC in _asked(unit)["to"] + _asked(unit)["object"]["to"]
        else (to, cc)
    ),
)
_addressed(
    "activity-decides",
    "Looks at the activity alone.",
    lambda to, cc, unit: ([PUBLIC, *to], cc) if PUBLIC not in to and PUBLIC in _asked(unit)["to"] else (to, cc),
)
_addressed(
    "everybody-again",
    "Answers everybody whom the question went to.",
    lambda to, cc, unit: (
        to,
        cc + [one for one in _asked(unit).get("cc", []) if "users" in one and "followers" not in one],
    ),
)
_addressed(
    "blind-copies",
    "Answers blind recipients openly.",
    lambda to, cc, unit: (to, cc + _asked(unit)["object"].get("bto", [])),
)
_addressed(
    "forgets-asker",
    "Addresses the asker by the public collection.",
    lambda to, cc, unit: ([one for one in to if one != ALICE] if "siblings" in unit else to, cc),
)
_addressed(
    "forgets-siblings",
    "Does not address siblings.",
    lambda to, cc, _: ([one for one in to if "other.example" not in one and "carol" not in one], cc),
)


def _tagged(name: str, rule: str, change: Any) -> None:
    def changed(activity: Any, unit: Any) -> None:
        activity["object"]["tag"] = change(activity["object"]["tag"], unit)

    _sent(name, rule, changed)


BOB = {"type": "Mention", "name": "@dave@evil.example", "href": "https://evil.example/users/dave"}
_tagged("no-tags", "Tags nobody.", lambda tags, _: [])
_tagged("asker-only", "Tags the asker only.", lambda tags, _: tags[:1])
_tagged(
    "tags-twice",
    "Tags who is named twice twice.",
    lambda tags, unit: [*tags, *tags[1:]] if len(unit.get("siblings", ())) == 2 else tags,
)
_tagged(
    "tags-asker-twice",
    "Tags the asker as a sibling too.",
    lambda tags, unit: [*tags, tags[0]] if any(one["id"] == ALICE for one in unit.get("siblings", ())) else tags,
)
_tagged(
    "tags-itself",
    "Tags the agent.",
    lambda tags, unit: [*tags, BOB] if any("helper" in one["id"] for one in unit.get("siblings", ())) else tags,
)
_tagged(
    "guesses",
    "Tags every address in the text.",
    lambda tags, unit: [*tags, BOB] if "@dave@evil" in json.dumps(unit["response"]) else tags,
)
_tagged(
    "guesses-mailboxes",
    "Tags mailboxes.",
    lambda tags, unit: [*tags, BOB] if "dave@evil" in json.dumps(unit["response"]) else tags,
)
_tagged(
    "believes-links",
    "Tags who is linked in the text.",
    lambda tags, unit: [*tags, BOB] if "mention" in json.dumps(unit["response"]) else tags,
)


def _shown(name: str, rule: str, change: Any, ops: tuple[str, ...] = BOTH, *, central: bool = False) -> None:
    """Registers a mutant that shows something else: `change(html, unit)`."""

    def changed(activity: Any, unit: Any) -> None:
        activity["object"]["content"] = change(activity["object"]["content"], unit)

    _sent(name, rule, changed, ops, central=central)


MENTION = re.compile(r'<span class="h-card">.*?</span></a></span>')
_shown(
    "names-nobody",
    "Names nobody in the text.",
    lambda html, unit: MENTION.sub("", html) if "siblings" in unit else html,
)
_shown(
    "names-twice",
    "Names who is named already.",
    lambda html, unit: (
        html.replace("<p>", "<p>@bob@other.example ", 1) if "Ask @bob" in html + json.dumps(unit["response"]) else html
    ),
)
_shown(
    "eats-strangers",
    "Takes addresses of strangers out of the text.",
    lambda html, _: html.replace("@dave@evil.example", ""),
)
_shown(
    "names-in-order",
    "Names only the first sibling.",
    lambda html, _: (
        html.replace("carol", "").replace("@bob@other.example!", "").replace("@<span>bob@other.example</span>", "")
    ),
)
_sent(
    "quotes", "Quotes the question.", lambda activity, unit: activity.update(summary=_asked(unit)["object"]["content"])
)


def _delivered(name: str, rule: str, change: Any) -> None:
    def changed(value: Any, given: Any, unit: Any) -> Any:
        actor = given["lookups"][f"GET {ALICE}"]["json"]
        return {**value, "inboxes": change(value["inboxes"], actor, unit)}

    spoils(AREA, BOTH, f"ap-{name}", rule, changed)


_delivered(
    "own-inboxes",
    "Delivers to each own inbox.",
    lambda inboxes, actor, _: [
        one.replace("social.example/inbox", "social.example/users/alice/inbox") for one in inboxes
    ],
)
_delivered(
    "shared-inboxes",
    "Delivers to shared inboxes only.",
    lambda inboxes, actor, _: [one if "/users/" not in one else "https://social.example/inbox" for one in inboxes],
)
_delivered(
    "twice",
    "Delivers once for each person.",
    lambda inboxes, _, unit: [*inboxes, inboxes[0]] if "siblings" in unit and len(inboxes) == 1 else inboxes,
)
_delivered(
    "delivers-to-asker", "Delivers to the asker only.", lambda inboxes, *_: [one for one in inboxes if "social" in one]
)
_delivered(
    "anywhere",
    "Delivers to any inbox that is named.",
    lambda inboxes, actor, _: inboxes or [actor.get("inbox", "https://social.example/guessed")],
)
quiet(AREA, REPLY, "undeliverable", "sibling-unresolved", "trace-shortened", "trace-dropped")


def _threaded(name: str, rule: str, change: Any) -> None:
    _sent(
        name,
        rule,
        lambda activity, unit: change(activity["object"], _asked(unit), unit["response"]),
        central=name == "answers-activities",
    )


_threaded(
    "answers-activities",
    "Answers the activity instead of the note.",
    lambda note, asked, _: note.update(inReplyTo=asked["id"]),
)
_threaded("no-context", "Drops the context.", lambda note, *_: note.pop("context", None))
_threaded("no-conversation", "Drops the conversation.", lambda note, *_: note.pop("conversation", None))
_threaded(
    "makes-a-context",
    "Makes a context of the note that is answered.",
    lambda note, asked, _: note.setdefault("context", asked["object"]["id"]),
)
_threaded(
    "takes-any-context",
    "Keeps contexts that are no IRI.",
    lambda note, asked, _: (
        note.update(context=asked["object"]["context"]) if isinstance(asked["object"].get("context"), dict) else None
    ),
)
_threaded(
    "ignores-the-hint",
    "Stays in the thread whatever the agent says.",
    lambda note, asked, said: (
        note.update(context=asked["object"].get("context")) if "thread_ref" in said.get("push_back", {}) else None
    ),
)
_sent(
    "bare-ids",
    "Gives the activity the id of the note.",
    lambda activity, _: activity.update(id=activity["object"]["id"]),
)

# updates, and what may not go out

_sent(
    "creates-again",
    "Sends a Create where it should update.",
    lambda activity, _: activity.update(type="Create"),
    UPDATE,
)
_sent(
    "another-note",
    "Gives an updated note another id.",
    lambda activity, _: activity["object"].update(id="https://agents.example/2"),
    UPDATE,
)
_sent(
    "no-time-of-update",
    "Does not say when a note was updated.",
    lambda activity, _: activity["object"].pop("updated"),
    UPDATE,
)
_sent(
    "old-trace",
    "Keeps the old trace.",
    lambda activity, _: activity["object"].update(
        content=rewritten(activity["object"]["content"], lambda response: {**response, "parts": response["parts"][:1]})
    ),
    UPDATE,
)
EMPTY = {"activity": {"object": {}}}
for _name, _rule, _test in (
    ("answers-others", "Answers another message.", lambda said: "reply_to" in said),
    ("sends-frames", "Sends frames.", lambda said: said["status"] == "partial"),
    ("any-channel", "Sends what is for another channel.", lambda said: "channel" in said.get("push_back", {})),
    ("any-thread", "Takes any text for a thread.", lambda said: "thread_ref" in said.get("push_back", {})),
    ("promises-bytes", "Sends digests alone.", lambda said: '"digest"' in json.dumps(said)),
    ("any-inline", "Sends inline bytes of any size.", lambda said: '"inline"' in json.dumps(said)),
    (
        "any-number-of-parts",
        "Sends any number of parts.",
        lambda said: len(said["parts"]) == 2 and "c2" not in json.dumps(said),
    ),
    (
        "policy-anywhere",
        "Sends a demand anywhere.",
        lambda said: any(part["kind"] == "policy" for part in said["parts"]),
    ),
    (
        "result-and-error",
        "Sends calls with both.",
        lambda said: any({"result", "error"} <= part.keys() for part in said["parts"]),
    ),
    ("one-id-for-two", "Sends two calls of one id.", lambda said: json.dumps(said).count('"c1"') == 2),
):
    takes(
        AREA,
        BOTH,
        f"ap-{_name}",
        _rule,
        lambda *_: EMPTY,
        "malformed",
        when=lambda unit, test=_test: test(unit["response"]),
    )
refuses(AREA, REPLY, "ap-no-threads", "Refuses to go to another thread.", lambda unit: "push_back" in unit["response"])

# there and back


def _back(name: str, rule: str, change: Any) -> None:
    spoils(AREA, TRIP, f"ap-trip-{name}", rule, lambda value, _, unit: change(value))


def _trace_back(change: Any) -> Any:
    return lambda value: (
        {**value, "received_trace": change(value["received_trace"])} if "received_trace" in value else value
    )


IN_TRIPS = (
    "forgets-results",
    "forgets-errors-of-calls",
    "forgets-timings",
    "forgets-running-calls",
    "keeps-text-and-calls",
    "forgets-unknown-members",
    "always-ok",
    "loses-letters",
    "escapes-markup",
    "fills-empty",
    "forgets-text",
)
for _name, _rule, _change in some(*IN_TRIPS):
    _back(_name, _rule, _trace_back(_change))
_back(
    "no-trace",
    "Reads no trace back.",
    lambda value: {name: member for name, member in value.items() if name != "received_trace"},
)
_back("no-thread", "Begins a thread with each answer.", lambda value: {**value, "thread_id": "x"})
_back("no-parent", "Forgets what is answered.", lambda value: {**value, "in_reply_to": None})
_back(
    "loses-data-traces",
    "Reads no data: addresses back.",
    lambda value: {**value, "received_trace": None} if "data:application" in json.dumps(value["raw"]) else value,
)

# finding actors


def _found(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that does not see what is wrong: `change(jrd, document)` mends both."""

    def mended(given: Any, unit: Any) -> Any:
        rows = given["lookups"]
        finger = [row for row in rows if "webfinger" in row]
        actor = next(row for row in rows if row.endswith("users/bob"))
        jrd, document = rows[finger[0]], rows[actor]
        if "json" in jrd and "json" in document:
            change(jrd["json"], document["json"])
        for row in finger:
            rows[row] = jrd
        return given, unit

    mends(AREA, FIND, f"ap-find-{name}", rule, mended)


_found(
    "any-subject",
    "Does not look whom a document is about.",
    lambda jrd, _: jrd.update(subject="acct:bob@other.example"),
)
_found(
    "any-name",
    "Does not ask whether the actor has the address.",
    lambda _, document: document.update(preferredUsername="bob"),
)
_found(
    "any-id", "Takes a document of any id.", lambda _, document: document.update(id="https://other.example/users/bob")
)
_found(
    "any-inbox",
    "Delivers to any inbox.",
    lambda _, document: document.update(inbox="https://other.example/users/bob/inbox"),
)
_found(
    "any-link",
    "Follows any link.",
    lambda jrd, _: jrd.update(
        links=[{"rel": "self", "type": "application/activity+json", "href": "https://other.example/users/bob"}]
    ),
)


def _never_later(honest: Any, op: str, given: Any, unit: Any) -> Any:
    answer = honest(op, given, unit)
    if op not in FIND or answer.get("rejected") != {"code": "actor-unresolvable"}:
        return answer
    return {**answer, "rejected": {"code": "actor-unknown"}}


def _always_later(honest: Any, op: str, given: Any, unit: Any) -> Any:
    answer = honest(op, given, unit)
    if op not in FIND or answer.get("rejected") != {"code": "actor-unknown"}:
        return answer
    return {**answer, "rejected": {"code": "actor-unresolvable"}}


def _asks_anything(honest: Any, op: str, given: Any, unit: Any) -> Any:
    answer = honest(op, given, unit)
    return {**answer, "asks": [*answer["asks"], "GET http://10.0.0.1/users/bob"]} if op in FIND else answer


MUTANTS.append(Mutant("ap-find-never-later", AREA, "Never says that later may help.", _never_later, ops=FIND))
MUTANTS.append(Mutant("ap-find-always-later", AREA, "Always says that later may help.", _always_later, ops=FIND))
MUTANTS.append(Mutant("ap-find-asks-anything", AREA, "Asks plain addresses.", _asks_anything, ops=FIND))
spoils(
    AREA, FIND, "ap-find-no-shared-inbox", "Finds no shared inbox.", lambda value, *_: {**value, "shared_inbox": None}
)
spoils(
    AREA,
    FIND,
    "ap-find-invents-shared-inbox",
    "Invents a shared inbox.",
    lambda value, *_: {**value, "shared_inbox": "https://other.example/inbox"},
)
shows(AREA, TRIP, "ap-trip-unsigned", "Does not sign deliveries.", "ap-http-signature")
shows(AREA, TRIP, "ap-trip-unproven", "Does not prove objects.", "ap-object-integrity-proof")
