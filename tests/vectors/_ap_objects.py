"""Cases of objects that were only named, by an Announce or a quote: whose they are, and who may read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    AS2,
    BOB,
    FINGER,
    HELPER,
    NOTE,
    OTHER_EDDSA,
    PROOF,
    SERVER,
    Cases,
    activity,
    cavage,
    descriptor,
    document,
    failed,
    finger,
    post,
    proven,
    shown,
    unshown,
    without,
)
from tests.vectors._ap_inbox import AGENT, EVE, OF_BOB, around, row

if TYPE_CHECKING:
    from collections.abc import Iterator

OP = "activitypub.object"
PUBLIC = f"{AS2}#Public"
CREATE = f"{NOTE}/activity"
PAGE = f"{SERVER}/@alice/2"
THEIRS = "https://other.example/notes/2"
FOLLOWERS = f"{ALICE}/followers"
NOTHING: dict[str, Any] = {"messages": [], "edited": [], "redelivered": []}
ORIGIN_ONLY = unshown("origin-only")


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Whose an object is that was only named: its author's, and never of who named it.", of_authors()
    yield "Who may read an object that was only named.", of_readers()
    yield "Which document is the object, and what is asked for it.", of_documents()
    yield "An object that was received before is no new message.", of_stored()


def note(**members: Any) -> dict[str, Any]:
    """A public note of alice, as her server shows it."""
    made = {
        "@context": AS2,
        "id": NOTE,
        "type": "Note",
        "attributedTo": ALICE,
        "to": [PUBLIC],
        "content": "<p>Hello</p>",
    }
    return without(made | members)


def create(what: Any = None, **members: Any) -> dict[str, Any]:
    """A public Create of alice."""
    return activity(**({"to": [PUBLIC], "object": note() if what is None else what} | members))


def served(*documents: dict[str, Any], **rows: Any) -> dict[str, Any]:
    """Alice's server with these documents."""
    return around(**{f"GET {one['id']}": document(one) for one in documents}, **rows)


def message(content: str = "<p>Hello</p>", own_id: Any = None, thread: str = NOTE) -> dict[str, Any]:
    parts = [{"kind": "text", "mime": "text/html", "content": content}]
    return {"id": own_id or {"$any": "uuid7"}, "thread_id": thread, "recipient": AGENT, "parts": parts}


class Objects(Cases):
    """Cases of `activitypub.object`."""

    def take(
        self,
        variant: str,
        why: str,
        lookups: dict[str, Any],
        *,
        named: str = NOTE,
        before: tuple[dict[str, Any], ...] = (),
        outcome: dict[str, Any] | None = None,
        **facts: Any,
    ) -> None:
        """The object is read; by default as one message, confirmed by its origin alone."""
        unit: dict[str, Any] = {"object_id": named}
        if before:
            unit["before"] = [cavage(post(one)) for one in before]
        value = NOTHING | (outcome or {"messages": [message()]})
        more: dict[str, Any] = {"level": "SHOULD", "verdict": ORIGIN_ONLY, "diagnostics": []}
        self.add(variant, why, unit, value, lookups=lookups, **(more | facts))
        self.found[-1]["given"]["recipient"] = AGENT

    def reject(
        self, variant: str, why: str, lookups: dict[str, Any], code: str, *, named: str = NOTE, **facts: Any
    ) -> None:
        """The object is not read."""
        self.take(variant, why, lookups, named=named, **({"attack": True} | facts))
        for member in ("value", "diagnostics", "verdict"):
            del self.found[-1][member]
        self.found[-1]["rejected"] = {"code": code}


def of_authors() -> Objects:
    cases = Objects("objects-author", "R73")
    take, reject = cases.take, cases.reject
    why = "The author's server shows it, and no proof: that is told, and verifies nobody."
    take("by-its-origin", why, served(note()), max_asks=3)
    by_proof = {"verdict": shown(PROOF), "diagnostics": ["not-addressed"]}
    take("by-a-proof", "A proof of the author verifies the author.", served(proven(note())), **by_proof)
    whole = served(proven(create(to=[PUBLIC, HELPER])))
    outcome = {"messages": [message(thread=CREATE)]}
    why = "So does the proof of a Create."
    take("by-the-proof-of-a-create", why, whole, named=CREATE, outcome=outcome, verdict=shown(PROOF))
    why = "So does one on the object, whatever is around it."
    take("by-a-proof-inside-a-create", why, served(create(proven(note()))), named=CREATE, **by_proof)
    bad = proven(note()) | {"content": "<p>Other</p>"}
    why = "A proof that fails is told: the origin does not make it good."
    outcome = {"messages": [message("<p>Other</p>")]}
    facts: dict[str, Any] = {"attack": True, "outcome": outcome, "verdict": unshown("bad-signature")}
    take("proof-of-other-words", why, served(bad), **facts)
    other = served(proven(note(), key=OTHER_EDDSA))
    take("proof-by-another-key", "A key must be the author's.", other, attack=True, verdict=unshown("bad-signature"))
    elsewhere = served(proven(note(), domain="other.example"))
    why = "A proof for another server is none here."
    take("proof-for-elsewhere", why, elsewhere, attack=True, verdict=unshown("host-mismatch"))
    signed = served(note(signature={"type": "RsaSignature2017", "creator": f"{ALICE}#main-key"}))
    take("json-ld-signature", "A JSON-LD signature counts for nothing.", signed, attack=True)
    why = "Where proofs are wanted, the origin is not enough."
    wanted = {"require_verified": True}
    reject("proof-required", why, served(note()), "verification-required", settings=wanted)
    unconfirmed = around(**{f"GET {NOTE}": document(note())}) | {f"GET {FINGER}": finger(descriptor(), status=404)}
    why = "The origin alone does not say what address the author has: their domain does."
    take("address-unconfirmed", why, unconfirmed, attack=True, verdict=unshown("address-unconfirmed"))
    silent = served(note()) | {f"GET {FINGER}": failed()}
    reject("domain-silent", "Where that is silent it can be asked again.", silent, "lookup-failed", attack=False)
    for name, authors, code in (
        ("no-author", ..., "author-missing"),
        ("empty-author", [], "author-missing"),
        ("author-elsewhere", BOB, "author-mismatch"),
        ("two-authors", [ALICE, EVE], "author-mismatch"),
        ("author-a-number", 7, "author-mismatch"),
        ("channel-alone", [{"type": "Group", "id": f"{SERVER}/channels/1"}], "author-mismatch"),
    ):
        why = "Without exactly one author of its own server an object is nobody's: it is never of who named it."
        reject(name, why, served(note(attributedTo=authors)), code, max_asks=1)
    video = note(type="Video", attributedTo=[{"type": "Person", "id": ALICE}, {"type": "Group", "id": f"{SERVER}/c/1"}])
    take("video-of-a-channel", "A channel is no author of a video.", served(video))
    inside = served(create(note(attributedTo=...)))
    reject("no-author-in-a-create", "Nor does a Create make it of its actor.", inside, "author-missing", named=CREATE)
    forged = served(create(note(attributedTo=EVE)))
    reject("another-author-in-a-create", "A Create is of its actor's own.", forged, "author-mismatch", named=CREATE)
    gone = served(note()) | {f"GET {ALICE}": {"status": 410}}
    reject("author-gone", "Nobody wrote it any more.", gone, "sender-gone", attack=False)
    ours = served(note()) | {f"AGENT {ALICE}": "@alice@agents.example"}
    reject("own-message", "An agent is not told what agents here wrote.", ours, "own-message", attack=False)
    return cases


def of_readers() -> Objects:
    cases = Objects("objects-readers", "R73")
    take, reject = cases.take, cases.reject
    take("public-by-cc", "Public is public.", served(note(to=[FOLLOWERS], cc=[PUBLIC])))
    take("public-in-short", "However it is written.", served(note(to="as:Public")))
    take("for-the-agent", "What is for the agent is for the agent.", served(note(to=[HELPER])))
    why = "What is neither public nor for the agent is not for the agent's eyes: a server may show it to this one."
    for name, members in (
        ("for-followers", {"to": [FOLLOWERS]}),
        ("for-nobody", {"to": ...}),
        ("for-others", {"to": [BOB]}),
        ("public-as-an-audience", {"to": [BOB], "audience": PUBLIC}),
        ("only-mentioned", {"to": [BOB], "tag": [{"type": "Mention", "href": HELPER}]}),
    ):
        reject(name, why, served(note(**members)), "recipient-elsewhere")
    why = "The narrower of a Create and its object decides."
    narrow = served(create(note(to=[BOB])))
    reject("narrow-in-a-wide-create", why, narrow, "recipient-elsewhere", named=CREATE)
    wide = served(create(to=[BOB]))
    reject("wide-in-a-narrow-create", why, wide, "recipient-elsewhere", named=CREATE)
    lost = served(note()) | {f"AGENT {ALICE}": failed()}
    reject("agents-unknown", "Where the store is silent it can be asked again.", lost, "lookup-failed", attack=False)
    return cases


def of_documents() -> Objects:
    cases = Objects("objects-document", "R73")
    take, reject = cases.take, cases.reject
    in_create = {"messages": [message(thread=CREATE)]}
    take("create", "A Create is read through to its object.", served(create()), named=CREATE, outcome=in_create)
    named = served(create(NOTE), note())
    why = "Also where it only names that."
    take("create-by-its-id", why, named, named=CREATE, outcome=in_create, max_asks=4)
    theirs = served(create(THEIRS)) | {f"GET {THEIRS}": document(note(id=THEIRS, attributedTo=BOB))}
    why = "What is on another server is not of this actor: that server is not asked."
    reject("create-of-another-server-s", why, theirs, "origin-mismatch", named=CREATE, max_asks=1)
    for kind in ("Announce", "Like", "Delete"):
        why = "An activity that names another one is not followed: there is no end to that."
        chain = served(create(THEIRS, type=kind, id=NOTE))
        reject(f"{kind.lower()}-of-another", why, chain, "unsupported-activity", max_asks=1)
    page = served(note()) | {f"GET {PAGE}": document(note(), url=PAGE)}
    why = "A page of the post is read under the id that it names, on the same server."
    take("under-another-url", why, page, named=PAGE, max_asks=4)
    chain = {f"GET {PAGE}": document(note(), url=PAGE), f"GET {NOTE}": document(note(id=f"{NOTE}/b"))}
    why = "One step, and no more."
    reject("under-a-third-url", why, around(**chain), "object-unresolvable", named=PAGE, max_asks=2)
    for name, own in (
        ("elsewhere", THEIRS),
        ("plain", "http://social.example/notes/2"),
        ("number", 7),
        ("list", [NOTE]),
    ):
        why = "No document speaks for an id of another place."
        wrong = around(**{f"GET {NOTE}": document(note(id=own))})
        reject(f"id-{name}", why, wrong, "object-unresolvable", max_asks=1)
    why = "An id is an address that may be asked."
    for name, iri in (
        ("plain", "http://social.example/notes/2"),
        ("loopback", "https://127.0.0.1/notes/2"),
        ("script", "javascript:alert(1)"),
        ("empty", ""),
    ):
        reject(f"asked-{name}", why, around(), "id-refused", named=iri, max_asks=0)
    reject("asked-too-long", why, around(), "id-too-long", named=f"{SERVER}/{'x' * 2048}", max_asks=0)
    for name, answer in (
        ("gone", {"status": 410}),
        ("a-page", document(note(), content_type="text/html")),
        ("from-elsewhere", document(note(), url=THEIRS)),
    ):
        why = "What its server does not show as an object is none."
        reject(name, why, around(**{f"GET {NOTE}": answer}), "object-unresolvable", max_asks=1)
    down = around(**{f"GET {NOTE}": failed()})
    reject("silent", "Where it is silent it can be asked again.", down, "lookup-failed", attack=False, max_asks=1)
    for kind in ("Person", "Tombstone", "OrderedCollection"):
        why = "What people do not read is no message."
        reject(f"type-{kind.lower()}", why, served(note(type=kind)), "unsupported-object", max_asks=1)
    vote = note(name="Rain", content=..., inReplyTo=f"{SERVER}/notes/1")
    reject("vote", "A vote is no message.", served(vote), "unsupported-object", max_asks=1)
    circle = served(note(quoteUrl=f"{SERVER}/notes/1"), note(id=f"{SERVER}/notes/1", quoteUrl=NOTE))
    link = {"kind": "link", "url": f"{SERVER}/notes/1", "title": "Quote", "purpose": "quote"}
    quoting = message()
    quoting["parts"] = [*quoting["parts"], link]
    why = "A quote is a link and is not followed: two posts may quote each other."
    take(
        "quotes-in-a-circle",
        why,
        circle,
        attack=True,
        must_not_ask=[f"GET {SERVER}/notes/1"],
        outcome={"messages": [quoting]},
    )
    return cases


def of_stored() -> Objects:
    cases = Objects("objects-again", "R73")
    take, reject = cases.take, cases.reject
    sent = create(to=[PUBLIC, HELPER])
    again = {"messages": [message(thread=CREATE)], "redelivered": [{"$any": "uuid7"}]}
    facts: dict[str, Any] = {"before": (sent,), "outcome": again, "diagnostics": ["redelivered"]}
    take("delivered-before", "What was delivered before is not answered again.", served(note()), **facts)
    other = served(note(content="<p>Other</p>"))
    why = "What a signature proved is not changed without a proof."
    reject("reads-otherwise", why, other, "verification-required", before=(sent,))
    changed = proven(note(content="<p>Other</p>"))
    edited = {"edited": [message("<p>Other</p>", thread=CREATE)]}
    facts = {"before": (sent,), "outcome": edited, "verdict": shown(PROOF), "diagnostics": ["edited", "not-addressed"]}
    take("reads-otherwise-by-a-proof", "With one it is an edit.", served(changed), **facts)
    theirs = served(note(), **{f"MESSAGE {NOTE}": row(OF_BOB)})
    why = "What another is said to have written under its id is another message."
    take("under-the-id-of-another-s", why, theirs, attack=True, diagnostics=["native-id-reused"])
    silent = served(note(), **{f"MESSAGE {NOTE}": failed("locked")})
    why = "Where the store is silent it would be answered again."
    reject("store-silent", why, silent, "lookup-failed", attack=False)
    return cases
