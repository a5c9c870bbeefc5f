"""Cases of who may do what: each rule, with the attack beside it. Every activity here is signed by its actor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import AS2, SERVER, activity, actor, document, failed, post
from tests.vectors._ap_inbox import (
    AGENT,
    ALICE,
    BOB,
    DONE,
    EVE,
    HELPER,
    KNOWN_ID,
    NEW,
    NOTE,
    OF_BOB,
    OF_EVE,
    OURS,
    Inbox,
    act,
    around,
    inner,
    shown_inner,
    stored,
    unshown,
)
from tests.vectors._ap_inbox_types import FEATURED, kebab, new_account

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._ap import Cases

ASKED = "https://agents.example/activities/0"
ANSWERS = ("Accept", "Reject", "TentativeAccept", "TentativeReject")
THEIRS = "https://other.example/notes/1"


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Undo: of what the actor did, and of nothing else.", of_undos()
    yield "Delete: of the actor, and of what the actor wrote.", of_deletes()
    yield "Delete by an actor who is gone: of what is stored as theirs.", of_the_gone()
    yield "Accept and Reject: by whom it was asked of.", of_answers()
    yield "Move: said by both accounts.", of_moves()
    yield "Update, Add and Remove: of the actor and its collections.", of_own()
    yield "QuoteRequest and Vote: in the actor's own name.", of_names()


def fetched(whole: dict[str, Any], **members: Any) -> dict[str, Any]:
    """The document of an activity, as its server shows it."""
    return document({"@context": AS2} | whole | members)


def of_undos() -> Inbox:
    cases = Inbox("inbox-undo", "R72")
    follow, like = inner("Follow", HELPER), inner("Like", OURS)
    theirs = act("Undo", inner("Follow", HELPER, EVE), to=[HELPER])
    cases.refuse_claim("of-another-s-follow", "Who follows alone can end it.", theirs, "owner-mismatch")
    nobody = act("Undo", {"id": DONE, "type": "Follow", "object": HELPER})
    cases.refuse_claim("of-nobody-s", "What names no actor is nobody's to undo.", nobody, "owner-mismatch")
    own = act("Undo", follow, to=[HELPER])
    why = "An embedded activity is the word of the actor: its id may be that of what another did."
    cases.refuse_shown("under-the-id-of-another-s", why, own, "owner-mismatch", lookups=around(**stored(DONE, OF_EVE)))
    elsewhere = act("Undo", inner("Follow", HELPER, own="https://other.example/activities/0"))
    why = "Nobody does something under an id of another server."
    cases.refuse_claim("under-an-id-elsewhere", why, elsewhere, "origin-mismatch")
    named = act("Undo", DONE, to=[HELPER])
    done = {"authority": "author", "inner": shown_inner(like), "stored": {AGENT: KNOWN_ID}}
    why = "What is only named is read from its own server."
    there = {f"GET {DONE}": fetched(like), **stored(OURS, AGENT)}
    cases.event("by-its-id", why, named, lookups=around(**there), **(done | {"stored": {}}))
    why = "Its server says who did it."
    for_eve = around(**{f"GET {DONE}": fetched(inner("Like", OURS, EVE))})
    cases.refuse_shown("by-the-id-of-another-s", why, named, "owner-mismatch", lookups=for_eve)
    other = around(**{f"GET {DONE}": fetched(like, id=f"{DONE}1")})
    why = "A document under another id is another activity."
    cases.refuse_shown("by-an-id-of-something-else", why, named, "authority-unproven", lookups=other)
    why = "What is on another server was not done by this actor: that server is not asked."
    at_bob = act("Undo", "https://other.example/activities/0", to=[HELPER])
    cases.refuse_shown("by-an-id-elsewhere", why, at_bob, "authority-unproven", must_not_ask=["GET https://other*"])
    gone = around(**{f"GET {DONE}": {"status": 404}})
    cases.refuse_shown(
        "by-an-id-of-nothing", "What is not there is not undone.", named, "authority-unproven", lookups=gone
    )
    down = around(**{f"GET {DONE}": failed()})
    why = "What cannot be read just now comes again."
    cases.refuse_shown("by-its-id-not-answered", why, named, "lookup-failed", lookups=down, attack=False)
    why = "Of two activities one may be another's."
    cases.refuse_claim("of-two", why, act("Undo", [follow, inner("Like", OURS, EVE)]), "wrong-type")
    why = "What is no activity and has no id can neither be read nor looked up."
    for kind in ("Undo", "Accept"):
        anonymous = act(kind, {"type": "Note", "content": "x"}, to=[HELPER])
        cases.refuse_claim(f"anonymous-{kind.lower()}", why, anonymous, "missing-member")
    silent = around(**{f"MESSAGES {DONE}": failed("locked")})
    why = "Where the store is silent, nobody knows whose it is."
    cases.refuse_claim("store-silent", why, own, "lookup-failed", lookups=silent, attack=False, max_asks=1)
    return cases


def of_deletes() -> Inbox:
    cases = Inbox("inbox-delete", "R72")
    one = act("Delete", NOTE, to=[HELPER])
    why = "A server has many users: its origin does not make its words theirs."
    cases.refuse_shown("of-another-s-note", why, one, "owner-mismatch", lookups=around(**stored(NOTE, OF_EVE)))
    at_bob = act("Delete", THEIRS, to=[HELPER])
    why = "What is on another server is another's. Nothing is asked, so that nobody learns what is stored."
    cases.refuse_claim(
        "of-another-host-s-note", why, at_bob, "origin-mismatch", lookups=around(**stored(THEIRS, OF_BOB))
    )
    why = "The agent's answers are the agent's."
    ours = act("Delete", OURS, to=[HELPER])
    cases.refuse_claim("of-an-answer-of-the-agent", why, ours, "origin-mismatch", lookups=around(**stored(OURS, AGENT)))
    why = "Where nothing is stored nothing is withdrawn, and nobody is asked."
    cases.refuse_claim("of-nothing-stored", why, one, "object-unknown", attack=False)
    cases.refuse_claim("of-another-actor", "An actor is withdrawn by itself.", act("Delete", EVE), "object-unknown")
    why = "One that is the actor's own would take the other with it."
    both = around(**stored(NOTE, OF_EVE), **stored(f"{NOTE}1"))
    cases.refuse_claim("of-two", why, act("Delete", [NOTE, f"{NOTE}1"]), "wrong-type", lookups=both)
    why = "Another may have written to another agent under the same id: that stays."
    shared = around(**stored(NOTE, second=OF_EVE))
    mine = {"authority": "author", "stored": {AGENT: KNOWN_ID}}
    cases.event("for-one-of-two-agents", why, one, lookups=shared, facts={"attack": True}, **mine)
    why = "What came unverified in the actor's name is withdrawn by the actor as well."
    claimed = {"id": KNOWN_ID, "thread_id": "t", "sender": "@alice@social.example", "verified": False}
    unproven = around(**{f"MESSAGES {NOTE}": {AGENT: claimed}})
    cases.event("of-what-was-claimed", why, one, lookups=unproven, **mine)
    cases.event("of-itself", "An actor may leave.", act("Delete", ALICE, to=[HELPER]), authority="self")
    silent = around(**{f"MESSAGES {NOTE}": failed("locked")})
    why = "Where the store is silent, nobody knows whose it is."
    cases.refuse_claim("store-silent", why, one, "lookup-failed", lookups=silent, attack=False)
    return cases


def of_the_gone() -> Inbox:
    cases = Inbox("inbox-gone", "R72")
    gone: dict[str, Any] = {f"GET {ALICE}": {"status": 410}}
    leaves, one = act("Delete", ALICE), act("Delete", NOTE)
    told: dict[str, Any] = {"verdict": unshown("sender-gone")}
    mine: dict[str, Any] = {"authority": "gone", "stored": {AGENT: KNOWN_ID}, "recipients": []}
    known = around(**stored(ALICE), **stored(NOTE)) | gone
    why = "No key is left, but the actor's server says that they are gone: what is stored of them goes with them."
    cases.event("itself", why, leaves, lookups=known, facts=told | {"max_asks": 2}, **mine)
    cases.event("itself-unsigned", why, leaves, lookups=known, facts=told, unit=post(leaves), **mine)
    cases.event("note", "So does what is stored as theirs.", one, lookups=known, facts=told, **mine)
    shared = around(**stored(ALICE), **stored(NOTE, second=OF_EVE)) | gone
    why = "And nothing that is stored as another's."
    cases.event("note-for-one-of-two-agents", why, one, lookups=shared, facts=told | {"attack": True}, **mine)
    theirs = around(**stored(ALICE), **stored(NOTE, OF_EVE)) | gone
    why = "What another user of the same server wrote is not theirs to delete."
    cases.reject("note-of-another", why, one, "owner-mismatch", lookups=theirs, max_asks=1)
    why = "Where nothing is stored of them nothing is withdrawn, and no status makes the peer try again."
    facts: dict[str, Any] = {"attack": False, "max_asks": 1}
    cases.reject("itself-unknown", why, leaves, "object-unknown", lookups=around() | gone, **facts)
    unknown = around(**stored(NOTE)) | gone
    why = "Where nothing is stored as theirs, nothing shows who wrote it."
    cases.reject("note-of-the-unknown", why, one, "owner-mismatch", lookups=unknown, max_asks=1)
    back = around(**stored(ALICE)) | {f"GET {ALICE}": [{"status": 410}, document(actor())]}
    why = "A cache may be old: past it the actor is there."
    cases.reject("in-the-cache-alone", why, leaves, "lookup-failed", lookups=back, attack=False)
    down = around(**stored(ALICE)) | {f"GET {ALICE}": [{"status": 410}, failed()]}
    cases.reject("silent-past-the-cache", why, leaves, "lookup-failed", lookups=down, attack=False)
    lost = around(**stored(ALICE)) | {f"GET {ALICE}": {"status": 404}}
    why = "What is not found may come back."
    cases.reject("not-found", why, leaves, "sender-unresolvable", lookups=lost, attack=False)
    there = around(**stored(ALICE))
    why = "Who is there signs. What is stored is not told."
    cases.reject("there-and-unsigned", why, post(leaves), "object-unknown", lookups=there)
    wanted = {"require_verified": True}
    why = "Where a verified sender is wanted, the word of the server is not enough."
    cases.reject("verification-wanted", why, leaves, "object-unknown", lookups=known, settings=wanted, attack=False)
    for kind, about in (("Undo", inner("Follow", HELPER)), ("Follow", HELPER), ("Update", ALICE)):
        why = "Nothing but a Delete is left to them."
        cases.reject(f"{kind.lower()}", why, act(kind, about), "sender-gone", lookups=known)
    return cases


def of_answers() -> Inbox:
    cases = Inbox("inbox-accept", "D B24")
    for kind in ANSWERS:
        name = kebab(kind)
        why = "Whoever was asked answers; another answers for nobody."
        by_alice = act(kind, inner("Follow", EVE, HELPER, ASKED))
        cases.refuse_shown(f"{name}-by-another", why, by_alice, "authority-unproven")
        why = "What a stranger asked for is none of this server."
        cases.refuse_claim(
            f"{name}-of-a-stranger-s", why, act(kind, inner("Follow", ALICE, BOB)), "recipient-elsewhere", max_asks=1
        )
    asked = inner("Follow", ALICE, HELPER, ASKED)
    named = act("Accept", ASKED)
    by_id = {"authority": "object", "inner": shown_inner(asked)}
    why = "What is only named is read from its server."
    cases.event("by-its-id", why, named, lookups=around(**{f"GET {ASKED}": fetched(asked)}), **by_id)
    strange = around(**{f"GET {ASKED}": fetched(asked, actor=BOB)})
    why = "What a stranger asked for is none of this server, also where it is only named."
    cases.refuse_shown("by-the-id-of-a-stranger-s", why, named, "recipient-elsewhere", lookups=strange)
    two = around(**{f"GET {ASKED}": fetched(asked, object=[ALICE, EVE])})
    why = "What was asked of two was asked of nobody alone."
    cases.refuse_shown("asked-of-two", why, named, "authority-unproven", lookups=two)
    why = "An address at which nothing may be asked for is not asked."
    cases.refuse_shown("by-an-id-that-is-not-asked", why, act("Accept", "tag:x,2026:1"), "authority-unproven")
    party = "https://agents.example/events/1"
    invited = inner("Invite", party, HELPER, ASKED) | {"target": ALICE}
    why = "Whom the agent invited accepts."
    cases.event("of-an-invitation", why, act("Accept", invited), authority="object", inner=shown_inner(invited))
    why = "Another user of the same server was not invited."
    for_eve = act("Accept", invited | {"target": EVE})
    cases.refuse_shown("of-an-invitation-of-another", why, for_eve, "authority-unproven")
    for_both = act("Accept", invited | {"target": [ALICE, EVE]})
    cases.refuse_shown("of-an-invitation-of-two", why, for_both, "authority-unproven")
    pointed = act("Accept", inner("Follow", EVE, HELPER, ASKED) | {"target": ALICE})
    why = "A follow has no target."
    cases.refuse_shown("of-a-follow-with-a-target", why, pointed, "authority-unproven")
    why = "Of two follows one may be a stranger's."
    cases.refuse_claim("of-two", why, act("Accept", [asked, asked]), "wrong-type")
    quote = inner("QuoteRequest", NOTE, HELPER, ASKED)
    accepted = act("Accept", quote)
    mine = {"authority": "object", "inner": shown_inner(quote), "stored": {AGENT: KNOWN_ID}}
    why = "A quote is accepted by who wrote what is quoted."
    cases.event("of-a-quote", why, accepted, lookups=around(**stored(NOTE)), **mine)
    why = "It is not accepted by another user of the same server."
    cases.refuse_shown(
        "of-a-quote-by-another", why, accepted, "authority-unproven", lookups=around(**stored(NOTE, OF_EVE))
    )
    why = "Of what is not stored nobody knows who wrote it."
    cases.refuse_shown("of-a-quote-of-the-unknown", why, accepted, "authority-unproven")
    return cases


def of_moves() -> Inbox:
    cases = Inbox("inbox-move", "D B24")
    move = act("Move", ALICE, target=NEW, to=[HELPER])

    def accounts(who: dict[str, Any] | None = None, new: Any = None) -> dict[str, Any]:
        answer = new if isinstance(new, dict) and "failed" in new else document(new or new_account())
        return around({"movedTo": NEW} if who is None else who, **{f"GET {NEW}": answer})

    def refuse(variant: str, why: str, code: str = "authority-unproven", **facts: Any) -> None:
        cases.refuse_shown(variant, why, facts.pop("what", move), code, **({"lookups": accounts()} | facts))

    refuse("without-moved-to", "The old account must name the new one.", lookups=accounts({}))
    refuse("with-another-moved-to", "It must be this one.", lookups=accounts({"movedTo": f"{NEW}1"}))
    bare = new_account()
    del bare["alsoKnownAs"]
    refuse("without-the-link-back", "Else followers are led to somebody who never asked.", lookups=accounts(new=bare))
    strange = new_account(alsoKnownAs=[EVE])
    refuse("with-a-link-to-another", "The link back must be to this account.", lookups=accounts(new=strange))
    refuse("to-no-actor", "A post is no account.", lookups=accounts(new={"@context": AS2, "id": NEW, "type": "Note"}))
    why = "An address at which nothing may be asked for is not asked."
    refuse("to-an-ip-address", why, what=move | {"target": "https://192.0.2.1/a"}, must_not_ask=["GET https://192*"])
    why = "What cannot be read just now comes again."
    refuse("not-answered", why, "lookup-failed", lookups=accounts(new=failed()), attack=False)
    cases.refuse_claim("of-another", "An account moves by itself.", move | {"object": EVE}, "owner-mismatch")
    cases.refuse_claim("to-nowhere", "A move leads somewhere.", act("Move", ALICE), "missing-member")
    moved = {"authority": "self", "target_id": NEW}
    alone = act("Move", target=NEW, to=[HELPER])
    cases.event("without-an-object", "Who moves is the actor.", alone, lookups=accounts(), **moved)
    keyed = {"inbox": f"{ALICE}/inbox"}
    old, new = document(actor(**keyed)), document(actor(**keyed, movedTo=NEW))
    late = accounts() | {f"GET {ALICE}": [old, new]}
    why = "The newest documents count, not those in a cache."
    cases.event("since-the-cache", why, move, lookups=late, **moved)
    undone = accounts() | {f"GET {ALICE}": [new, old]}
    refuse("taken-back", why, lookups=undone)
    return cases


def of_own() -> Inbox:
    cases = Inbox("inbox-own", "D B24")
    of_bob = act("Follow", BOB)
    why = "A follow of another actor is none of the agent's, though it came to its inbox."
    cases.refuse_claim("follow-of-another-in-the-inbox", why, of_bob, "recipient-elsewhere", max_asks=1)
    cases.found[-1]["given"]["recipient"] = AGENT
    asked = act("Follow", HELPER)
    cases.event("follow-in-the-inbox", "A follow of the agent is the agent's.", asked)
    cases.found[-1]["given"]["recipient"] = AGENT
    both = act("Follow", [HELPER, BOB])
    cases.refuse_claim("follow-of-two", "One Accept cannot say which follow it accepts.", both, "wrong-type")
    why = "Of what is on another server nobody asks this one."
    for kind, more in (("QuoteRequest", {"instrument": NOTE}), ("Join", {})):
        there = act(kind, "https://other.example/notes/1", **more)
        name = f"{kind.lower()}-of-what-is-elsewhere"
        cases.refuse_claim(name, why, there, "recipient-elsewhere", attack=False)
    person = {"id": EVE, "type": "Person", "name": "Mallory"}
    why = "Nobody writes the document of another user."
    cases.refuse_claim("update-of-another-actor", why, act("Update", person), "owner-mismatch", section="R72")
    why = "Nor that of another server."
    at_bob = act("Update", person | {"id": BOB})
    cases.refuse_claim("update-of-another-host-s-actor", why, at_bob, "origin-mismatch", section="R72")
    by_id = act("Update", ALICE, to=[HELPER])
    cases.event("update-by-id", "The actor may be named by its id alone.", by_id, authority="self")
    for kind in ("Add", "Remove"):
        name = kind.lower()

        def refuse(variant: str, why: str, target: str, who: dict[str, Any], kind: str = kind) -> None:
            whole = act(kind, NOTE, target=target, to=[HELPER])
            cases.refuse_shown(variant, why, whole, "authority-unproven", lookups=around(who))

        mine = {"featured": FEATURED}
        refuse(f"{name}-another-s-collection", "A collection is its owner's.", f"{EVE}/featured", mine)
        theirs = f"{BOB}/featured"
        why = "An actor document may name anything: the collection of another server is not the actor's for that."
        refuse(f"{name}-another-host-s-collection", why, theirs, {"featured": theirs})
        refuse(f"{name}-no-collection-of-the-document", "The document says which are the actor's.", FEATURED, {})
        nowhere = act(kind, NOTE, to=[HELPER])
        cases.refuse_claim(f"{name}-nowhere", "A collection is named.", nowhere, "missing-member")
    return cases


def of_names() -> Inbox:
    cases = Inbox("inbox-names", "D B24")
    note = {"id": NOTE, "type": "Note"}

    def ask(instrument: Any) -> dict[str, Any]:
        return act("QuoteRequest", OURS, instrument=instrument, to=[HELPER])

    why = "Who quotes asks for it, nobody else."
    cases.refuse_claim("quote-by-another", why, ask(note | {"attributedTo": EVE}), "author-mismatch")
    why = "A post on another server was not written by this actor."
    cases.refuse_claim("quote-elsewhere", why, ask("https://other.example/notes/1"), "origin-mismatch")
    why = "A post may be named that another user of the same server wrote."
    cases.refuse_shown(
        "quote-in-a-post-of-another", why, ask(NOTE), "owner-mismatch", lookups=around(**stored(NOTE, OF_EVE)),
        section="R72",
    )  # fmt: skip
    mine = {"target_id": NOTE, "stored": {}}
    cases.event(
        "quote-by-id", "The post may be named by its id alone.", ask(NOTE), lookups=around(**stored(NOTE)), **mine
    )
    vote = note | {"attributedTo": EVE, "name": "Rain", "inReplyTo": OURS}
    cases.refuse_claim("vote-of-another", "Each votes for themselves.", activity(object=vote), "author-mismatch")
    stranger = act("Follow", BOB, to=[HELPER])
    cases.refuse_claim(
        "follow-of-a-stranger", "Who is followed is named by the object.", stranger, "recipient-elsewhere",
        max_asks=1, attack=False,
    )  # fmt: skip
    cases.refuse_claim(
        "block-of-a-stranger", "Who is blocked is named by the object.", act("Block", BOB), "recipient-elsewhere",
        max_asks=1, attack=False,
    )  # fmt: skip
    away = act("Invite", f"{SERVER}/events/1", target=BOB)
    cases.refuse_claim(
        "invitation-of-a-stranger", "Who is invited is named by the target.", away, "recipient-elsewhere", max_asks=1,
        attack=False,
    )  # fmt: skip
    why = "An actor without an inbox cannot be answered."
    mute = {**around(), f"GET {ALICE}": document(actor())}
    cases.refuse_shown(
        "follow-without-an-inbox", why, act("Follow", HELPER), "missing-member", lookups=mute, attack=False
    )
    return cases
