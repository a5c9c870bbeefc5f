"""Cases of what an inbox makes of what people wrote: messages, edits, what is for others, and what comes again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import AS2, FINGER, activity, cavage, compact, document, failed, post, shown
from tests.vectors._ap_inbox import (
    AGENT,
    ALICE,
    BOB,
    HELPER,
    KNOWN_ID,
    NOTE,
    OF_BOB,
    OF_EVE,
    OURS,
    THREAD,
    Inbox,
    act,
    around,
    row,
    stored,
    unshown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._ap import Cases, Unit

CREATE = f"{NOTE}/activity"
PARENT = "https://social.example/notes/0"
BYE = "<p>Bye</p>"
NOBODY = ["https://social.example/users/carol"]
NOTHING: dict[str, Any] = {"messages": [], "edited": [], "redelivered": []}


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "What people wrote becomes messages, each answered once, however it is edited.", of_edits()
    yield "What is for others is taken, and what cannot be looked up just now comes again.", of_answers()


def note(**members: Any) -> dict[str, Any]:
    return {"id": NOTE, "type": "Note", "attributedTo": ALICE, "content": "<p>Hello</p>"} | members


def update(content: str = BYE, number: int = 1, **members: Any) -> dict[str, Any]:
    """An edit of the note."""
    return activity(id=f"{NOTE}#updates/{number}", type="Update", object=note(content=content), **members)


def poll(votes: int, number: int) -> dict[str, Any]:
    """A poll, or a new count of its votes."""
    option = {"type": "Note", "name": "Rain", "replies": {"type": "Collection", "totalItems": votes}}
    kind = "Update" if number else "Create"
    question = note(type="Question", content="<p>Rain?</p>", oneOf=[option])
    return activity(id=f"{NOTE}#polls/{number}", type=kind, object=question)


def signed(whole: dict[str, Any]) -> Unit:
    return cavage(post(whole))


def message(content: str = "<p>Hello</p>", own_id: Any = None, thread: str = CREATE, to: str = AGENT) -> dict[str, Any]:
    """A message as an outcome shows it."""
    parts = [{"kind": "text", "mime": "text/html", "content": content}]
    return {"id": own_id or {"$any": "uuid7"}, "thread_id": thread, "recipient": to, "parts": parts}


class Delivered(Inbox):
    """Cases of messages."""

    def take(
        self,
        variant: str,
        why: str,
        what: dict[str, Any],
        diagnostics: tuple[str, ...] = (),
        *,
        before: tuple[dict[str, Any], ...] = (),
        facts: dict[str, Any] | None = None,
        **outcome: Any,
    ) -> None:
        """The delivery gives messages; what was delivered `before` is stored."""
        unit = signed(what)
        if before:
            unit = {**unit, "before": [signed(one) for one in before]}
        more = {"level": "SHOULD", "verdict": shown(), "lookups": around(), "diagnostics": [*diagnostics]}
        self.add(variant, why, unit, NOTHING | outcome, **(more | (facts or {})))


def of_edits() -> Delivered:
    cases = Delivered("inbox-messages", "R72")
    take = cases.take
    create, edit = activity(), update()
    known = around(**{f"MESSAGE {NOTE}": row()})
    take(
        "new",
        "What people wrote becomes a message.",
        create,
        messages=[message()],
        facts={"level": "MUST", "section": "NM 5"},
    )
    same = around(**{f"MESSAGE {CREATE}": row()})
    again = message(own_id=KNOWN_ID, thread=CREATE)
    why = "What comes again keeps its id, and is named as coming again."
    facts: dict[str, Any] = {"level": "MUST", "section": "NM 3.1", "lookups": same}
    take("again", why, create, ("redelivered",), messages=[again], redelivered=[KNOWN_ID], facts=facts)
    changed = message(BYE, KNOWN_ID, THREAD)
    why = "An edit keeps the id and the thread, and is no new message: one mention gets one answer."
    take("edited", why, edit, ("edited",), edited=[changed], facts={"lookups": known})
    why = "An edit that changes nothing is no edit."
    unchanged = update("<p>Hello</p>")
    take("edit-unchanged", why, unchanged, ("edit-unchanged",), before=(create,))
    why = "Another count of the same votes is no edit."
    take("tally", why, poll(7, 3), ("edit-unchanged",), before=(poll(0, 0), poll(1, 1), poll(4, 2)))
    why = "The same edit again is no edit, also after another one."
    take("edit-again", why, edit, ("edit-unchanged",), before=(create, edit, update("<p>Later</p>", 2)))
    why = "Of an edit that changes nothing neither ancestors nor history are asked for."
    seen = around(**{f"MESSAGE {NOTE}#updates/1": row()})
    answer_again = activity(id=f"{NOTE}#updates/1", type="Update", object=note(content=BYE, inReplyTo=PARENT))
    facts = {"lookups": seen, "must_not_ask": [f"GET {PARENT}", "HISTORY *"]}
    take("edit-unchanged-in-a-thread", why, answer_again, ("edit-unchanged",), facts=facts)
    why = "A message that comes again does not undo its edit."
    back = update(BYE, 3)
    take("edit-after-the-message-again", why, back, ("edit-unchanged",), before=(create, edit, create))
    why = "An edit that mentions the agent for the first time is a message."
    take("edit-of-the-unknown", why, edit, messages=[message(BYE, thread=f"{NOTE}#updates/1")])
    why = "An edit that comes first and its message are one."
    late = message(thread=CREATE)
    take("edit-first", why, create, ("redelivered",), before=(edit,), messages=[late], redelivered=[{"$any": "uuid7"}])
    why = "An edit that names the agent no more is for those who have the message."
    private = update(to=NOBODY)
    had = around(**{f"MESSAGE {NOTE}": row()}, **stored(NOTE))
    take("edit-names-nobody", why, private, ("edited",), edited=[changed], facts={"lookups": had})
    theirs = around(**{f"MESSAGE {NOTE}": row(OF_EVE)})
    why = "Another user of the same server changes nothing."
    cases.refuse_shown("edit-of-another-s", why, edit, "owner-mismatch", lookups=theirs)
    why = "What is not proven changes nothing that was."
    cases.reject("edit-unproven", why, post(edit), "owner-mismatch", lookups=known, verdict=unshown("unsigned"))
    why = "Where the store is silent an edit would be a new message, and be answered again."
    silent = around(**{f"MESSAGE {NOTE}": failed("locked")})
    cases.refuse_shown("edit-store-silent", why, edit, "lookup-failed", lookups=silent, attack=False)
    why = "Where the store is silent nobody knows who has it."
    silent = around(**{f"MESSAGES {NOTE}": failed("locked")})
    cases.refuse_claim("edit-holders-unknown", why, private, "lookup-failed", lookups=silent, attack=False, max_asks=1)
    joins = activity(object=note(inReplyTo=PARENT))
    above = document({"@context": AS2, "id": PARENT, "type": "Note", "attributedTo": ALICE, "content": "<p>First</p>"})
    parent = {f"GET {PARENT}": above}
    bobs = around(**{f"MESSAGE {PARENT}": row(OF_BOB)}, **parent)
    joined = [message(thread=THREAD)]
    why = "Who joins a thread in which they have not written is named: a memory by thread would tell them of others."
    notes = ("history-turn-dropped", "thread-joined")
    facts = {"lookups": bobs, "attack": True, "section": "D B24"}
    take("thread-joined", why, joins, notes, messages=joined, facts=facts)
    own = around(**{f"MESSAGE {PARENT}": row()}, **parent)
    why = "A post between, which the stranger's own server shows, makes nobody known."
    middle = "https://social.example/notes/1"
    between = document({**note(id=middle, inReplyTo=PARENT, published="2026-11-20T08:00:00Z"), "@context": AS2})
    shows = {**bobs, f"GET {middle}": between, f"GET {PARENT}": failed(temporary=False)}
    facts = {"lookups": shows, "attack": True, "section": "D B24"}
    deep = activity(object=note(inReplyTo=middle))
    told = ("lookup-unanswered", "thread-joined")
    take("thread-joined-above-their-own", why, deep, told, messages=joined, facts=facts)
    why = "Nor is it another way to name the thread alone."
    for name in ("context", "conversation"):
        root = "https://other.example/notes/1/activity"
        facts = {
            "lookups": around(**{f"MESSAGE {root}": row(OF_BOB, thread_id=root)}),
            "attack": True,
            "section": "D B24",
        }
        named = activity(object=note(**{name: root}))
        notes_of = ("foreign-context", "thread-joined") if name == "context" else ("thread-joined",)
        take(f"thread-joined-by-{name}", why, named, notes_of, messages=[message(thread=root)], facts=facts)
    notes = ("history-turn-dropped", "thread-joined")
    why = "Who has written there before is not."
    take("thread-of-their-own", why, joins, notes[:1], messages=joined, facts={"lookups": own, "section": "D B24"})
    return cases


def of_answers() -> Delivered:
    cases = Delivered("inbox-answers", "D B24")
    elsewhere, other = activity(to=NOBODY), update(to=NOBODY)
    why = "What is for others is taken: a 404 would make the peer forget this server."
    cases.refuse_claim("for-others", why, elsewhere, "recipient-elsewhere", max_asks=1, attack=False)
    why = "So is the edit of what nobody here has."
    cases.refuse_claim("edit-for-others", why, other, "recipient-elsewhere", max_asks=1, attack=False)
    arrive = act("Arrive", OURS, to=[HELPER])
    why = "So is what nobody reads here."
    cases.refuse_claim("unknown-type", why, arrive, "unsupported-activity", attack=False)
    follow = act("Follow", HELPER)
    why = "Who cannot be verified just now is asked to come again."
    down = {**around(), f"GET {FINGER}": failed()}
    later = unshown("address-unresolvable", temporary=True)
    for name, whole in (("follow", follow), ("message", activity())):
        cases.reject(f"{name}-domain-silent", why, whole, "lookup-failed", lookups=down, verdict=later, attack=False)
    for name, whole in (("follow", follow), ("message", activity())):
        why = "Where it cannot be said whom it is for, it comes again."
        lost = around(**{f"AGENT {HELPER}": failed()})
        cases.refuse_claim(f"{name}-agent-unknown", why, whole, "lookup-failed", lookups=lost, attack=False, max_asks=1)
        silent = around() | {f"GET {ALICE}": failed()}
        why = "Nor is it lost where the sender's server does not answer."
        cases.reject(f"{name}-actor-silent", why, whole, "sender-unresolvable", lookups=silent, attack=False)
        gone = around() | {f"GET {ALICE}": {"status": 410}}
        why = "An actor who is gone says nothing any more, and is not asked to come again."
        cases.reject(f"{name}-actor-gone", why, whole, "sender-gone", lookups=gone)
    gone = around(**stored(NOTE)) | {f"GET {ALICE}": {"status": 410}}
    why = "Without a key nothing shows that the actor said it."
    cases.reject("delete-actor-gone", why, act("Delete", NOTE), "owner-mismatch", lookups=gone)
    empty = around() | {f"GET {ALICE}": {"status": 410}}
    why = "Where nothing is stored nothing is withdrawn, and nobody is asked."
    cases.refuse_claim("delete-of-nothing-actor-gone", why, act("Delete", NOTE), "object-unknown", lookups=empty)
    for name, wrong in (("array", [NOTE]), ("object", {"id": NOTE}), ("number", 7), ("null", None)):
        facts: dict[str, Any] = {"level": "MUST", "section": "NM 8"}
        why = "An id is text: whatever else it is would go into answers."
        code = "missing-member" if wrong is None else "wrong-type"
        cases.refuse_claim(f"id-of-the-object-{name}", why, activity(object=note(id=wrong)), code, **facts)
    for name, end, code in (
        ("bar", "|", "id-refused"),
        ("quotation-mark", '"', "id-refused"),
        ("markup-in-its-fragment", "#<b>", "id-refused"),
        ("control-character", "\x01", "id-refused"),
        ("blank", " ", "id-refused"),
        ("direction", "\u202e", "id-refused"),
        ("too-long", "x" * 2_048, "id-too-long"),
    ):
        why = "An answer names it, so it has the characters of an IRI and no more."
        whole = activity(object=note(id=NOTE + end))
        cases.refuse_claim(f"id-of-the-object-{name}", why, whole, code, **facts)
        cases.refuse_claim(f"id-{name}", why, act("Like", OURS, id=NOTE + end), code, **facts)
    half = compact(activity(object=note(id=f"{NOTE}$"))).replace("$", "\\ud800")
    why = "Half of a character is none."
    cases.refuse_claim("id-of-the-object-lone-surrogate", why, cavage(post(half)), "lone-surrogate", **facts)
    for name, wrong in (("array", [NOTE]), ("object", {"id": NOTE}), ("number", 7)):
        why = "An id is text: whatever else it is would go into answers."
        facts = {"level": "MUST", "section": "NM 8"}
        cases.refuse_claim(f"id-{name}", why, act("Like", OURS, id=wrong), "wrong-type", **facts)
    why = "What an activity is about is named by ids."
    cases.refuse_claim("about-a-number", why, act("Like", 7), "wrong-type", level="MUST", section="NM 8")
    script = act("Like", "javascript:alert(1)")
    cases.refuse_claim("about-a-script", why, script, "id-refused", level="MUST", section="NM 8")
    cases.refuse_claim("about-nothing", why, act("Like"), "missing-member", level="MUST", section="NM 8")
    anonymous = {"@context": AS2, "id": NOTE, "type": "Note", "content": "<p>Hello</p>"}
    why = "An object that was fetched and names no author is nobody's, whoever sent its id."
    nobodys = around(**{f"GET {NOTE}": document(anonymous)})
    facts = {"level": "MUST", "section": "R73", "lookups": nobodys}
    cases.reject("fetched-without-author", why, activity(object=NOTE), "author-missing", **facts)
    stranger = act("Accept", {"type": "Follow", "actor": BOB, "object": ALICE})
    why = "What strangers agree on among themselves is for others."
    cases.refuse_claim("between-strangers", why, stranger, "recipient-elsewhere", max_asks=1, attack=False)
    return cases
