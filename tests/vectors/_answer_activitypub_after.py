"""Answers on ActivityPub after they are made: `conformance/v0.1/reply/activitypub-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors import _answer_shared as shared
from tests.vectors._answer_received import ACTOR, AP
from tests.vectors._answer_rows import DONE, FAILED, MARKDOWN, PLAIN, UUID, Case, answer, row, standard

if TYPE_CHECKING:
    from collections.abc import Iterator
from tests.vectors._answer_activitypub import BOB, IMAGE, NOTE, case, question, refused


def refusals() -> Iterator[Case]:
    """What may not go out."""
    rule = "R31"
    yield from shared.refusals(refused, said=MARKDOWN, image=IMAGE, other="email", name="mail")
    yield shared.frame(refused, what="note")
    yield refused(
        "refused/inline-too-large",
        "NM 3.2",
        "Inline content is small.",
        [{**IMAGE, "bytes_ref": {"kind": "inline", "data_base64": standard(b"x" * 3000)}}],
        settings={"limits": {"inline_bytes": 3000}},
    )
    yield refused("refused/result-and-error", "NM 3.2", "A call has not both.", [{**DONE, "error": {"message": "x"}}])
    yield refused("refused/two-calls-one-id", "NM 3", "An id is one call's.", [DONE, {**FAILED, "id": "c1"}])
    yield refused(
        "refused/thread-that-is-no-iri",
        rule,
        "A thread of another protocol is none here.",
        answer(MARKDOWN, push_back={"thread_ref": "<m1@a.example>"}),
    )
    yield refused(
        "refused/too-many-parts",
        "R31",
        "What is bounded coming in is bounded going out.",
        [MARKDOWN, DONE],
        settings={"limits": {"parts": 1}},
    )
    policy = {"kind": "policy", "policy": {"kind": "forbidden", "message": "No."}}
    yield refused("refused/policy-before-the-end", "D B11", "A demand ends an answer.", [policy, MARKDOWN])


def updates() -> Iterator[Case]:
    """A note that says something else."""
    said = answer(MARKDOWN, DONE)
    facts = {
        "type": "Update",
        "object_type": "Note",
        "same_note": True,
        "addressed": [ACTOR],
        "visibility": "public",
        "in_reply_to": NOTE,
        "updated": {"$any": "timestamp"},
        "published": {"$any": "timestamp"},
        "ids_differ": True,
    }
    before = {"before": answer(PLAIN)}
    yield case("update/note", "D B17", "A stream's last word replaces what was shown.", said, unit=before, facts=facts)
    yield case(
        "update/trace",
        "NM 10.3",
        "The trace is that of the new answer.",
        said,
        unit=before,
        facts={"trace": {**said, "reply_to": UUID}, "traces": 1, "has": {"words": {"🔧 web_search": True}}},
    )
    yield refused(
        "update/frame",
        "NM 4",
        "An update is whole too.",
        {**answer(MARKDOWN, status="partial"), "streaming": {"stream_id": "s", "seq": 0, "final": False}},
        unit=before,
    )


def round_trips() -> Iterator[Case]:
    """What the far side receives."""

    def comes_back(name: str, why: str, said: Case, **more: Any) -> Case:
        place: Case = {"in_reply_to": NOTE, "received_via": "activitypub", "recipient": "@alice@social.example"}
        if not more.pop("whole", True):
            place = {"received_via": "activitypub"}
        facts = {"received_trace": {**said, "reply_to": UUID}, **place, **more.pop("facts", {})}
        more.setdefault("diagnostics", {"$any": "json"})
        section = more.pop("section", "NM 10.6")
        made = case(f"round-trip/{name}", section, why, said, facts=facts, **more)
        del made["diagnostics"]
        return made

    yield from shared.trips(comes_back, IMAGE, no_viewer="In a data: address as well.")

    def equal(name: str, why: str, said: Case, **more: Any) -> Case:
        return comes_back(f"equal-{name}", why, said, **more, whole=False)

    trips = shared.trips(equal, IMAGE, no_viewer="In a data: address as well.")
    yield from (one for one in trips if one["section"] == "NM 10.6")
    context = "https://social.example/contexts/1"
    yield comes_back(
        "thread",
        "The thread is the same on both sides.",
        answer(MARKDOWN),
        section="NM 5.1.1",
        asked=question(context=context),
        facts={"thread_id": context},
    )
    yield comes_back(
        "visible-parts",
        "The payload is not among what was said.",
        answer(MARKDOWN),
        section="NM 10.8",
        facts={"parts": [{"kind": "text", "mime": "text/markdown", "content": "It will **rain**."}]},
        level="SHOULD",
    )


def actors() -> Iterator[Case]:
    """Finding who is brought in."""
    finger = "GET https://other.example/.well-known/webfinger?resource=acct%3Abob%40other.example"
    plain = "GET https://other.example/.well-known/webfinger?resource=acct:bob@other.example"
    document = {
        "@context": AP,
        "id": BOB["id"],
        "type": "Service",
        "preferredUsername": "bob",
        "inbox": BOB["inbox"],
        "endpoints": {"sharedInbox": BOB["shared_inbox"]},
    }
    jrd = {
        "subject": "acct:bob@other.example",
        "links": [{"rel": "self", "type": "application/activity+json", "href": BOB["id"]}],
    }

    def found(name: str, why: str, outcome: Case, jrd: Any = jrd, document: Any = document, **more: Any) -> Case:
        rows: Case = {"GET *": {"status": 404}}
        rows[f"GET {BOB['id']}"] = (
            document
            if "status" in document or "failed" in document
            else {"status": 200, "content_type": "application/activity+json", "json": document}
        )
        rows[finger] = rows[plain] = (
            jrd
            if "status" in jrd or "failed" in jrd
            else {"status": 200, "content_type": "application/jrd+json", "json": jrd}
        )
        unit = {"address": "@bob@other.example"}
        flags = ["activitypub", *more.pop("flags", [])]
        return row(
            f"reply/activitypub-actor/{name}",
            "D B17",
            why,
            unit,
            given={"lookups": rows},
            flags=flags,
            **outcome,
            **more,
        )

    unknown, later = {"rejected": {"code": "actor-unknown"}}, {"rejected": {"code": "actor-unresolvable"}}
    yield found("found", "The domain names the actor, and the actor the address.", {"value": BOB})
    yield found(
        "no-shared-inbox",
        "A server may have none.",
        {"value": {**BOB, "shared_inbox": None}},
        document={name: member for name, member in document.items() if name != "endpoints"},
    )
    yield found("nobody", "The domain says that there is nobody.", unknown, jrd={"status": 404})
    yield found("domain-down", "Later may help.", later, jrd={"failed": "timed out", "temporary": True})
    yield found("actor-down", "Later may help.", later, document={"status": 503})
    yield found("actor-gone", "Later will not help.", unknown, document={"status": 410}, level="SHOULD")
    yield found("no-link", "A domain that names no actor names none.", unknown, jrd={**jrd, "links": []})
    yield found(
        "other-subject",
        "What is said of another is not said of this one.",
        unknown,
        jrd={**jrd, "subject": "acct:dave@other.example"},
        flags=["attack"],
    )
    yield found(
        "actor-of-another-name",
        "Nobody puts another's name before their own inbox.",
        unknown,
        document={**document, "preferredUsername": "dave"},
        flags=["attack"],
    )
    yield found(
        "document-of-another-id",
        "A document under another id is somebody else's.",
        unknown,
        document={**document, "id": "https://other.example/users/dave"},
        flags=["attack"],
    )
    yield found(
        "inbox-elsewhere",
        "Deliveries are not sent at others.",
        unknown,
        document={**document, "inbox": "https://victim.example/inbox"},
        flags=["attack"],
    )
    yield found(
        "link-not-https",
        "An actor on a plain or private address is not asked for.",
        unknown,
        jrd={**jrd, "links": [{**jrd["links"][0], "href": "http://10.0.0.1/users/bob"}]},
        must_not_ask=["GET http://*"],
        flags=["attack"],
    )


def judgements() -> Iterator[Case]:
    """What the answer of an inbox means."""
    for name, status, both, means in (
        ("taken", 202, False, "done"),
        ("taken-with-200", 200, False, "done"),
        ("not-read", 401, False, "other-form"),
        ("not-believed", 403, False, "other-form"),
        ("not-understood", 400, False, "other-form"),
        ("not-read-in-either-form", 401, True, "refused"),
        ("gone", 410, False, "gone"),
        ("unknown", 404, False, "gone"),
        ("busy", 429, False, "retry"),
        ("down", 503, False, "retry"),
        ("broken", 500, False, "retry"),
        ("timed-out", 408, False, "retry"),
        ("moved", 301, False, "refused"),
        ("too-large", 413, False, "refused"),
        ("down-after-both", 503, True, "retry"),
    ):
        unit = {"status": status, "both_tried": both}
        why = "A sender that mistakes one answer for another gives up too early, or never."
        yield row(
            f"reply/activitypub-judge/{name}", "D B17", why, unit, value=means, level="SHOULD", flags=["activitypub"]
        )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_activitypub_after.py; change that."
    files: dict[str, list[Case]] = {}
    for cases in (refusals,):
        for one in cases():
            files.setdefault(one["id"].split("/")[1], []).append(one)
    for behaviour, found in files.items():
        yield "reply", behaviour, "activitypub.reply", note, found
    yield "reply", "activitypub-update", "activitypub.update", note, list(updates())
    yield "reply", "activitypub-round-trip", "activitypub.round_trip", note, list(round_trips())
    yield "reply", "activitypub-actor", "activitypub.find_actor", note, list(actors())
    yield "reply", "activitypub-judge", "activitypub.judge_delivery", note, list(judgements())
