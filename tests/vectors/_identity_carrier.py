"""Evidence that comes along with a message: `conformance/v0.1/identity/{all,a2a}.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._identity_rows import (
    AGENT,
    ANY,
    BOT,
    GONE,
    PROFILE,
    Case,
    changed,
    entry,
    given,
    one,
    signed,
    unit,
    without_gone,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

BOB = "slack:T123/U1"
FIRST: Case = signed(id="slack:Ev1")
SECOND: Case = signed(id="slack:Ev2", subject=BOB, claims={"profile": {"display_name": "Bob"}})
TAMPERED: Case = changed(FIRST, subject="slack:T123/U2")
CARRIER = "identity_evidence"
MESSAGE: Case = {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}


def _all() -> Iterator[Case]:
    def all_of(
        name: str,
        why: str,
        carrier: Any,
        shown: list[Case],
        refused: list[str] | None = None,
        *codes: str,
        around: Case | None = None,
        profile: Any = GONE,
        **facts: Any,
    ) -> Case:
        value = {
            "subjects": [one["subject"] for one in shown],
            "evidence": shown,
            "profile": (shown[0]["claims"]["profile"] if shown else None) if profile is GONE else profile,
            "refused": refused or [],
        }
        found = unit(GONE, carrier=carrier, **facts)
        notes = list(codes) or ["evidence-refused"] * len(refused or [])
        around = given() if around is None else around
        return one("all", name, "R42", why, found, given=around, value=value, diagnostics=notes)

    yield all_of("one", "A carrier is a list.", [FIRST], [FIRST])
    yield all_of("single", "One evidence may stand alone.", FIRST, [FIRST])
    yield all_of("two", "Each is judged by itself.", [FIRST, SECOND], [FIRST, SECOND])
    yield all_of("null", "Nothing came along.", None, [])
    yield all_of("empty", "Nothing came along.", [], [])
    why = "Refused evidence costs itself, never the message."
    yield all_of("refused", why, [TAMPERED], [], ["/0"])
    yield all_of("refused-alone", why, TAMPERED, [], [""])
    yield all_of("refused-between", why, [FIRST, TAMPERED, SECOND], [FIRST, SECOND], ["/1"])
    yield all_of("untrusted", why, [signed(issuer="other.example")], [], ["/0"])
    for name, odd in {
        "text": "evidence",
        "number": 7,
        "false": False,
        "object": {},
        "list-in-list": [[FIRST]],
        "nulls": [None],
    }.items():
        yield all_of(f"odd-{name}", why, odd, [], ["/0"] if isinstance(odd, list) else [""])
    odd_members = {"issuer": {}, "subject": [], "method": {}, "assurance": [], "issued_at": {}, "proof": []}
    yield all_of("odd-members", why, [odd_members], [], ["/0"])
    proof = {"type": [], "alg": {}, "kid": [], "canonicalization": {}, "value": []}
    yield all_of("odd-proof", why, [{**FIRST, "proof": proof}], [], ["/0"])
    deep: Any = {}
    for _ in range(60):
        deep = {"a": deep}
    yield all_of("deep", why, [{**FIRST, "claims": deep}, SECOND], [SECOND], ["/0"])
    yield all_of("twice", "The same evidence twice is one evidence.", [FIRST, FIRST], [FIRST])
    why = "Four are looked at, so that nobody is kept busy."
    four = [signed(id=f"slack:Ev{n}") for n in range(4)]
    yield all_of("four", why, four, four)
    yield all_of("five", why, [*four, SECOND], four, ["/4"], "evidence-omitted")
    yield all_of(
        "many",
        why,
        [TAMPERED, *[7] * 1_000],
        [],
        ["/0", "/1", "/4"],
        "evidence-refused",
        "evidence-refused",
        "evidence-omitted",
    )
    large = [{"n": str(n), "x": "x" * 16_300} for n in range(3)]
    kept = ["/0", "/1", "/2"]
    yield all_of("large", why, [*large, SECOND], [SECOND], kept)
    huge = {"x": "x" * 65_536}
    yield all_of("too-large-together", why, [FIRST, huge, SECOND], [FIRST], ["/1"], "evidence-omitted")
    again = given(**{"ONCE *": False})
    yield all_of("used", "Evidence counts for one message.", [FIRST], [], ["/0"], around=again)
    down = given(card={"failed": "x"})
    yield all_of("card-down", "Who cannot look must not believe.", [FIRST, SECOND], [], ["/0", "/1"], around=down)
    nobody = {"caller": GONE}
    yield all_of("caller-nobody", "Only the issuer may bring it.", [FIRST], [], ["/0"], **nobody)
    forwarded = given(entry(forwarding=True))
    yield all_of("forwarded", "An operator may let others bring it.", [FIRST], [FIRST], around=forwarded, **nobody)
    silent = signed(id="slack:Ev3", claims=GONE)
    why = "The first who says how to show them is shown so."
    yield all_of("profile-of-second", why, [silent, SECOND], [silent, SECOND], profile={"display_name": "Bob"})
    yield all_of("no-profile", "Nobody says how to show them.", [silent], [silent], profile=None)
    yield all_of(
        "profile-of-refused", "Who is not believed shows nothing.", [TAMPERED, silent], [silent], ["/0"], profile=None
    )
    whole = signed(more={"a": 1.5}, on_behalf_of=[], source={"channel": "C1", "x": [None]})
    yield all_of("as-it-came", "What was signed is kept whole.", [whole], [whole])


def _message(
    name: str,
    why: str,
    metadata: Any,
    sender: Case,
    *notes: str,
    section: str = "IE",
    around: Case | None = None,
    caller: Any = BOT,
    history: Any = GONE,
    raw: Any = ANY,
    unit: Case | None = None,
    **more: Any,
) -> Case:
    """A message to the agent, with what the sender then looks like."""
    found = {**MESSAGE, "metadata": {"mentionable": metadata}}
    named = {"caller": {"subject": caller}} if caller is not None else {}
    shown = {"address": caller or "@anonymous@a2a.invalid", "auth_method": "none", "verified": False, **sender}
    message = without_gone(
        {
            "id": {"$any": "uuid7"},
            "thread_id": "t1",
            "sender": shown,
            "recipient": AGENT,
            "parts": [{"kind": "text", "mime": "text/plain", "content": "Hi"}],
            "recipient_capabilities": {"mention_relay": {"kind": "none"}},
            "received_via": "a2a",
            "received_at": "2026-11-21T20:56:00Z",
            "raw": raw,
            "history": history,
        }
    )
    around = {**(given() if around is None else around), "recipient": AGENT}
    around["lookups"] = {"MESSAGE *": None, **around["lookups"]}
    return one(
        "a2a",
        name,
        section,
        why,
        unit or {"message": found, **named},
        given=around,
        messages=[message],
        diagnostics=list(notes),
        **more,
    )


def _turn(sender: Case, role: str = "user", text: str = "Before") -> Case:
    part = {"kind": "text", "mime": "text/plain", "content": text}
    return {"role": role, "sender": sender, "parts": [part], "timestamp": "2026-11-21T20:50:00Z"}


def _a2a() -> Iterator[Case]:
    profile = {"display_name": "Alice", "profile": PROFILE}
    shown = {"identities": [FIRST], **profile}
    yield _message("shown", "Evidence of a trusted issuer stands at the sender.", {CARRIER: [FIRST]}, shown)
    yield _message("single", "One evidence may stand alone.", {CARRIER: FIRST}, shown)
    refused = "Refused evidence costs itself, never the message."
    yield _message("tampered", refused, {CARRIER: [TAMPERED]}, {}, "evidence-refused")
    yield _message(
        "another-caller",
        "Only the issuer may bring it.",
        {CARRIER: [FIRST]},
        {},
        "evidence-refused",
        caller="@bot@evil.example",
    )
    yield _message(
        "no-caller", "Only the issuer may bring it.", {CARRIER: [FIRST]}, {}, "evidence-refused", caller=None
    )
    forwarded = given(entry(forwarding=True))
    yield _message(
        "forwarded", "An operator may let others bring it.", {CARRIER: [FIRST]}, shown, caller=None, around=forwarded
    )
    yield _message(
        "trusted-by-nobody",
        "Trust is denied by default.",
        {CARRIER: [FIRST]},
        {},
        "evidence-refused",
        around={**given(), "settings": {}},
        must_not_ask=["GET *", "ONCE *"],
    )
    yield _message(
        "two",
        "Each is judged by itself.",
        {CARRIER: [FIRST, TAMPERED, SECOND]},
        {"identities": [FIRST, SECOND], **profile},
        "evidence-refused",
    )
    five = [signed(id=f"slack:Ev{n}") for n in range(5)]
    yield _message(
        "five", "Four are looked at.", {CARRIER: five}, {"identities": five[:4], **profile}, "evidence-omitted"
    )
    yield _message(
        "used",
        "Evidence counts for one message.",
        {CARRIER: [FIRST]},
        {},
        "evidence-refused",
        around=given(**{"ONCE *": False}),
    )
    own = "Only the module that verified something can say so; over a wire anybody can."
    transport = {**FIRST, "proof": {"type": "transport", "verified_by": "slack"}}
    yield _message("transport-proof", own, {CARRIER: [transport]}, {}, "evidence-refused")
    bearer = {**FIRST, "proof": {"type": "bearer-token", "verified_by": "slack", "token_hash": "00"}}
    yield _message("bearer-proof", own, {CARRIER: [bearer]}, {}, "evidence-refused")
    claims = {"address": "@alice@a.example", "verified": True, "auth_method": "a2a-jwt", "identities": [FIRST]}
    yield _message(
        "sender-claimed", "What a caller says of itself is only what it says.", {"sender": claims}, {}, section="R1"
    )
    raw = {
        "message": {**MESSAGE, "metadata": {"mentionable": {CARRIER: "[redacted]"}}},
        "auth": {"subject": BOT, "token_claims": {}},
        "envelope": ANY,
    }
    yield _message(
        "raw-typed", "Evidence is passed on to nobody in what came.", {CARRIER: [FIRST]}, shown, raw=raw, section="R9"
    )

    anybody = {"address": "@alice@a.example", "auth_method": "none", "verified": False}
    said = _turn({**anybody, "identities": [FIRST]})
    named = {**anybody, "identities": [FIRST], **profile}
    why = "Evidence at a prior turn shows who wrote it, and makes nobody verified."
    yield _message("history", why, {"history": [said]}, {}, history=[{**said, "sender": named}], section="R45")
    broken = _turn({**anybody, "identities": [TAMPERED]})
    yield _message(
        "history-tampered",
        why,
        {"history": [broken]},
        {},
        "evidence-refused",
        history=[{**broken, "sender": anybody}],
        section="R45",
    )
    claimed = _turn({"address": "@alice@a.example", "auth_method": "email-dkim", "verified": True})
    why = "Who wrote a prior turn is the caller's word."
    yield _message(
        "history-verified", why, {"history": [claimed]}, {}, history=[{**claimed, "sender": anybody}], section="R1"
    )
    mine = _turn({**anybody, "address": AGENT}, "assistant")
    why = "The agent's own words come from the caller here."
    yield _message("history-role", why, {"history": [mine]}, {}, "history-role", history=[mine], section="R45")
    turns = [_turn({**anybody, "identities": [signed(id=f"slack:Ev{n}")]}, text=str(n)) for n in range(5)]
    expected = [{**turn, "sender": {**turn["sender"], **profile}} for turn in turns]
    expected[0] = {**turns[0], "sender": anybody}
    yield _message(
        "history-many",
        "Older evidence has ended anyhow.",
        {"history": turns},
        {},
        "evidence-omitted",
        history=expected,
        section="R45",
    )
    hidden = {**said, "sender": {**said["sender"], "identities": "[redacted]"}}
    raw = {**raw, "message": {**MESSAGE, "metadata": {"mentionable": {"history": [hidden]}}}}
    yield _message(
        "history-raw-typed",
        "Evidence is passed on to nobody in what came.",
        {"history": [said]},
        {},
        history=[{**said, "sender": named}],
        raw=raw,
        section="R9",
    )
    both = {CARRIER: [SECOND], "history": [said]}
    bob = {"identities": [SECOND], "display_name": "Bob", "profile": {"display_name": "Bob"}}
    yield _message(
        "history-and-message",
        "Each is judged by itself.",
        both,
        bob,
        history=[{**said, "sender": named}],
        section="R45",
    )
    reused = {CARRIER: [FIRST], "history": [said]}
    why = "Evidence of one message is none of another, prior ones included."
    yield _message(
        "history-reused", why, reused, shown, "evidence-refused", history=[{**said, "sender": anybody}], section="R45"
    )
    other = signed(id="slack:Ev9", claims={"profile": {"display_name": "Alice @mallory.example"}})
    named_so = {"display_name": "Alice @mallory.example", "profile": {"display_name": "Alice @mallory.example"}}
    why = "A name that shows another address is told of."
    yield _message(
        "name-holds-address", why, {CARRIER: [other]}, {"identities": [other], **named_so}, "name-holds-address"
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What these files hold."""
    yield "all", "identity.verify_all", "All the evidence that comes along with a message.", _all()
    yield "a2a", "a2a.receive", "Evidence in `metadata.mentionable.identity_evidence`, and at prior turns.", _a2a()
