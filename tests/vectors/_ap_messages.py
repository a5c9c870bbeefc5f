"""Cases of whole messages: what somebody who is shown looks like in one, and somebody who is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    AS2,
    BOB,
    COVERED,
    EDDSA_ID,
    FINGER,
    HELPER,
    HTTP,
    KEY_ID,
    NOTE,
    OTHER,
    PROOF,
    SECONDS,
    SHORT,
    USUAL,
    Cases,
    activity,
    actor,
    cavage,
    descriptor,
    document,
    failed,
    finger,
    having,
    header,
    post,
    proven,
    rfc9421,
    rsa_entry,
    shown,
    structured,
    unshown,
    world,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._ap import Unit

ADDRESS = "@alice@social.example"
AGENT = "@helper@agents.example"
SECOND = "https://agents.example/actors/second"
KNOWN_ID = "019ab1c2-0000-7000-8000-000000000001"


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "How a sender who is shown stands in the message, and one who is not.", messages()
    yield "Where only senders who are shown are taken.", required()
    yield "A signature that counts once, and activities that come again.", again()
    yield "Whose thread words that are shown join.", joined()
    yield "For whom an activity was signed.", audiences()


def around(lookups: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Alice's server and our agent."""
    return {**(lookups or world()), f"AGENT {HELPER}": AGENT, "AGENT *": None, "MESSAGE *": None, **more}


def sender(method: str | None = None, key_id: str = KEY_ID, address: str = ADDRESS, to: Any = AGENT) -> dict[str, Any]:
    """Who sent it, as it stands in a message; without a method they are not shown."""
    profile = {"username": "alice", "provider": "activitypub", "provider_subject": ALICE}
    if method is None:
        return {"address": address, "auth_method": "none", "verified": False, "profile": profile}
    evidence = {
        "subject": address,
        "issuer": "social.example",
        "method": f"urn:mentionable:auth:{method}:v0.1",
        "assurance": "address",
        "audience": to,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "ap", "key_id": key_id},
    }
    return {
        "address": address,
        "auth_method": method,
        "verified": True,
        "profile": profile,
        "key_id": key_id,
        "identities": [evidence],
    }


def message(who: dict[str, Any], raw: Any = None, to: str = AGENT, message_id: Any = None) -> dict[str, Any]:
    """A whole message; `raw` is left open unless it is given."""
    relay = {"kind": "addressing", "envelope_fields": ["to", "cc"], "also_inline": True}
    return {
        "id": message_id or {"$any": "uuid7"},
        "thread_id": f"{NOTE}/activity",
        "sender": who,
        "recipient": to,
        "parts": [{"kind": "text", "mime": "text/html", "content": "<p>Hello</p>"}],
        "recipient_capabilities": {"mention_relay": relay},
        "received_via": "activitypub",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": raw or {"$any": "json"},
    }


def raw(whole: dict[str, Any] | None = None, **signed: Any) -> dict[str, Any]:
    """The native message of a delivery."""
    delivery = {"to": [HELPER], "cc": []}
    return {"activity": whole or activity(), "actor": actor(), "delivery": delivery} | signed


def signature_of(unit: Unit) -> str:
    """The base64 of the signature of a delivery."""
    value = header(unit, "signature") or ""
    return (
        value.partition(":")[2].rstrip(":")
        if value.startswith("sig1=")
        else value.partition('signature="')[2].rstrip('"')
    )


class Received(Cases):
    """Cases of `receive`."""

    def take(
        self,
        variant: str,
        why: str,
        unit: Unit,
        who: dict[str, Any] | list[dict[str, Any]],
        verdict: dict[str, Any],
        *,
        diagnostics: tuple[str, ...] = (),
        lookups: dict[str, Any] | None = None,
        **facts: Any,
    ) -> None:
        """The delivery becomes the messages; `who` is the sender of the one, or they are all of them."""
        listed = who if isinstance(who, list) else [message(who)]
        recipient = facts.pop("recipient", None)
        self.add(variant, why, unit, lookups=lookups or around(), **facts)
        made = self.found[-1]
        made["given"] |= {} if recipient is None else {"recipient": recipient}
        del made["value"]
        made |= {"messages": listed, "verdict": verdict, "diagnostics": [*diagnostics]}

    def reject(self, variant: str, why: str, unit: Unit, code: str, verdict: dict[str, Any], **facts: Any) -> None:
        """The delivery is rejected."""
        self.add(variant, why, unit, **({"lookups": around()} | facts))
        made = self.found[-1]
        del made["value"]
        made |= {"rejected": {"code": code}, "verdict": verdict}


def messages() -> Received:
    cases = Received("verify-message", "NM 3.1")
    take = cases.take
    made = cavage(post())
    old = {"keyId": KEY_ID, "algorithm": "rsa-sha256", "headers": USUAL.split(), "signature": signature_of(made)}
    one = [message(sender(HTTP), raw(signature=old))]
    take(
        "draft-cavage-typed",
        "Method, key and evidence stand at the sender, the signature in raw.",
        made,
        one,
        shown(),
        section="R23",
    )
    modern = rfc9421(structured())
    new = {
        "keyId": KEY_ID,
        "algorithm": "rsa-v1_5-sha256",
        "headers": COVERED.replace('"', "").split(),
        "signature": signature_of(modern),
        "label": "sig1",
        "created": SECONDS,
    }
    one = [message(sender(HTTP), raw(signature=new))]
    take("rfc9421-typed", "The other form names what it covers in headers, too.", modern, one, shown(), section="R23")
    whole = proven()
    proof = whole["proof"]
    parts = {name: proof[name] for name in ("cryptosuite", "verificationMethod", "proofValue")}
    one = [message(sender(PROOF, EDDSA_ID), raw(whole, proof=parts))]
    take(
        "object-proof-typed",
        "A proof has a method and a member of its own.",
        post(whole),
        one,
        shown(PROOF),
        section="R23",
    )
    take(
        "proof-outranks",
        "Of a proof and a signature the proof is named.",
        cavage(post(whole)),
        sender(PROOF, EDDSA_ID),
        shown(PROOF),
    )
    broken = whole | {"to": [HELPER, BOB]}
    why = "A proof that does not fit is told of where the signature of the request does."
    take("broken-proof", why, cavage(post(broken)), sender(HTTP), shown(), diagnostics=("bad-signature",))
    two = activity(cc=[SECOND])
    both = around(**{f"AGENT {SECOND}": "@second@agents.example"})
    each = [message(sender(HTTP)), message(sender(HTTP, to="@second@agents.example"), to="@second@agents.example")]
    take("evidence-for-each", "Evidence is for one recipient.", cavage(post(two)), each, shown(), lookups=both)
    split = "https://example.org/.well-known/webfinger?resource=acct:alice@example.org"
    there = finger(descriptor("acct:alice@example.org"))
    lookups = around(world(jrd=there, **{f"GET {split}": there}))
    address = "@alice@example.org"
    take(
        "split-domain",
        "The address that was confirmed is the sender's.",
        made,
        sender(HTTP, address=address),
        shown(address=address),
        lookups=lookups,
    )
    named = {"@context": AS2, "id": NOTE, "type": "Note", "attributedTo": ALICE, "content": "<p>Hello</p>"}
    lookups = around(world(**{f"GET {NOTE}": document(named)}))
    take(
        "object-by-its-id",
        "What an activity only names is hers all the same.",
        cavage(post(activity(object=NOTE))),
        sender(HTTP),
        shown(),
        lookups=lookups,
        max_asks=3,
        section="R24",
    )

    take(
        "key-of-1024-bits",
        "A short key counts all the same, and the host hears of it.",
        cavage(post(), key=SHORT),
        sender(HTTP),
        shown(),
        lookups=around(world(actor(publicKey=rsa_entry(SHORT)))),
        diagnostics=("key-weak-rsa",),
        level="SHOULD",
        section="R26",
    )

    def lost(variant: str, why: str, unit: Unit, code: str, *, temporary: bool = False, **facts: Any) -> None:
        verdict = unshown(code, temporary=temporary)
        take(variant, why, unit, sender(), verdict, **({"section": "R21", "attack": not temporary} | facts))

    lost(
        "forged-body",
        "A forged signature costs verification, and not delivery.",
        cavage(post(digest="SHA-256=AAAA")),
        "digest-mismatch",
        max_asks=1,
    )
    lost("forged-signature", "Nor does one that does not fit.", cavage(post(), key=OTHER), "bad-signature")
    lost(
        "unreadable-signature",
        "Nor one that nobody can read.",
        having(post(), signature="?"),
        "signature-malformed",
        max_asks=1,
    )
    hub = cavage(post(), key=OTHER, key_id="https://hub.example/actor#main-key")
    lost(
        "forwarded",
        "What a hub sends on is delivered, and not verified.",
        hub,
        "key-mismatch",
        attack=False,
        section="R15",
        max_asks=1,
    )
    wrong = around(world(jrd=finger(status=404)))
    lost(
        "address-of-nobody",
        "Without the word of the domain the address is a claim.",
        made,
        "address-unconfirmed",
        lookups=wrong,
    )
    later = around({**world(), f"GET {FINGER}": failed()})
    cases.reject(
        "domain-unreachable-comes-again",
        "What cannot be verified just now is refused for now, so that it comes again and loses nothing.",
        made,
        "lookup-failed",
        unshown("address-unresolvable", temporary=True),
        section="R21",
        lookups=later,
    )
    lost(
        "domain-unreachable-taken",
        "Where the host wants it all the same, it is said that trying again may help.",
        made,
        "address-unresolvable",
        temporary=True,
        lookups=later,
        settings={"defer_unproven": False},
    )
    inner = activity(object={**activity()["object"], "proof": {**proof}})
    lost(
        "proof-on-the-object",
        "A proof on the object shows nobody who sent it.",
        post(inner),
        "coverage-missing",
        max_asks=1,
    )
    return cases


def required() -> Received:
    cases = Received("verify-message-required", "R21")
    only = {"require_verified": True}
    made = cavage(post())
    cases.take("shown", "Who is shown is taken.", made, sender(HTTP), shown(), settings=only)

    def reject(variant: str, why: str, unit: Unit, code: str, **facts: Any) -> None:
        cases.reject(
            variant, why, unit, "verification-required", unshown(code), **({"settings": only, "attack": True} | facts)
        )

    reject("unsigned", "Who is not shown is not taken.", post(), "unsigned")
    reject("forged", "Nor is who is not shown by a bad signature.", cavage(post(), key=OTHER), "bad-signature")
    hub = cavage(post(), key=OTHER, key_id="https://hub.example/actor#main-key")
    reject("forwarded", "Nor what a hub sends on.", hub, "key-mismatch")
    reject(
        "unconfirmed",
        "Nor who has no address.",
        made,
        "address-unconfirmed",
        lookups=around(world(jrd=finger(status=404))),
    )
    later = around({**world(), f"GET {FINGER}": failed()})
    verdict = unshown("address-unresolvable", temporary=True)
    why = "Who may be shown later is asked to come again."
    cases.reject("temporary", why, made, "lookup-failed", verdict, settings=only, lookups=later)
    spent = around(**{"ONCE *": False})
    both = {**only, "use_once": True}
    reject("replayed", "A signature that was used is no signature.", made, "replayed", settings=both, lookups=spent)
    return cases


def again() -> Received:
    cases = Received("verify-message-again", "R25")
    take = cases.take
    made = cavage(post())
    once = {"use_once": True}

    def seen(before: str) -> dict[str, Any]:
        return around(**{"ONCE *": before})

    take(
        "first-time",
        "The first time it counts.",
        made,
        sender(HTTP),
        shown(),
        settings=once,
        lookups=around(**{"ONCE *": True}),
    )
    spent = around(**{"ONCE *": False})
    take(
        "replayed",
        "A signature that was used shows nobody.",
        made,
        sender(),
        unshown("replayed"),
        settings=once,
        lookups=spent,
        attack=True,
    )
    take(
        "replayed-proof",
        "Nor does a proof.",
        post(proven()),
        sender(),
        unshown("replayed"),
        settings=once,
        lookups=spent,
        attack=True,
    )
    take("first", "The first time it counts.", made, sender(HTTP), shown(), settings=once, lookups=seen("first"))
    for variant, unit, who, verdict in (
        ("same", made, sender(HTTP), shown()),
        ("same-proof-again", post(proven()), sender(PROOF, EDDSA_ID), shown(PROOF)),
    ):
        why = "What was signed comes again: it is a redelivery, also where no message is stored."
        facts: dict[str, Any] = {"settings": once, "diagnostics": ("redelivered",), "section": "R70"}
        take(variant, why, unit, who, verdict, lookups=seen("same"), **facts)
    for variant, unit in (("other", made), ("other-under-a-proof", post(proven()))):
        why = "Another activity under the same signature is shown by nobody."
        facts = {"settings": once, "attack": True, "section": "R70"}
        take(variant, why, unit, sender(), unshown("replayed"), lookups=seen("other"), **facts)
    lost = around(**{"ONCE *": failed("store down")})
    verdict = unshown("replay-unknown", temporary=True)
    why = "Where nobody knows, it comes again."
    cases.reject("store-silent", why, made, "lookup-failed", verdict, settings=once, lookups=lost, section="D B24")
    why = "Unless it is wanted at once: then it is shown by nobody."
    at_once = once | {"defer_unproven": False}
    take("store-silent-at-once", why, made, sender(), verdict, settings=at_once, lookups=lost, section="D B24")
    why = "Unless it is wanted nobody is asked: retries are honest."
    take("not-wanted", why, made, sender(HTTP), shown(), must_not_ask=["ONCE *"], section="R25")
    forged = cavage(post(), key=OTHER)
    why = "A forged signature uses nothing up."
    take("forged", why, forged, sender(), unshown("bad-signature"), settings=once, must_not_ask=["ONCE *"], attack=True)

    def known(method: str, address: str = ADDRESS) -> dict[str, Any]:
        stored = {"id": KNOWN_ID, "thread_id": f"{NOTE}/activity", "sender": address, "auth_method": method}
        return around(**{f"MESSAGE {NOTE}/activity": stored})

    def redelivered(
        variant: str, why: str, unit: Unit, who: dict[str, Any], verdict: dict[str, Any], before: str
    ) -> None:
        listed = [message(who, message_id=KNOWN_ID)]
        take(variant, why, unit, listed, verdict, lookups=known(before), diagnostics=("redelivered",), section="R4")

    def fresh(variant: str, why: str, unit: Unit, verdict: dict[str, Any], before: str) -> None:
        facts: dict[str, Any] = {"diagnostics": ("native-id-reused",), "section": "R4", "attack": True}
        take(variant, why, unit, sender(), verdict, lookups=known(before), **facts)

    redelivered("same-proof", "The same again has the same id.", made, sender(HTTP), shown(), HTTP)
    redelivered("better-proof", "What is shown now may have come unshown before.", made, sender(HTTP), shown(), "none")
    proof = sender(PROOF, EDDSA_ID)
    redelivered(
        "proof-after-signature", "A proof is not weaker than a signature.", post(proven()), proof, shown(PROOF), HTTP
    )
    fresh(
        "forged-after-good",
        "A forged copy never takes the place of what was shown.",
        forged,
        unshown("bad-signature"),
        HTTP,
    )
    before = known("none")
    before[f"MESSAGE {NOTE}/activity"] |= {"verified": False, "digest": "0" * 64}
    why = "Whoever knows an id beforehand must not keep a message from its answer."
    reused: dict[str, Any] = {"diagnostics": ("native-id-reused",), "section": "R4", "attack": True}
    take("after-other-words-unshown", why, made, sender(HTTP), shown(), lookups=before, **reused)
    fresh("unsigned-after-proof", "Nor does an unsigned one.", post(), unshown("unsigned"), PROOF)
    return cases


PARENT = "https://social.example/notes/0"


def audiences() -> Received:
    """Proofs over activities that name the agent, and over those that do not; beside them signatures of a request."""
    cases = Received("verify-message-audience", "R71")
    take = cases.take
    second = "@second@agents.example"
    both = around(**{f"AGENT {SECOND}": second})
    inner = activity()["object"]
    mention = {"tag": [{"type": "Mention", "href": HELPER, "name": "@helper"}]}
    aside = activity(to=[f"{ALICE}/followers"], **mention)

    def proved(to: Any, recipient: str = AGENT) -> dict[str, Any]:
        return message(sender(PROOF, EDDSA_ID, to=to), to=recipient)

    def named(variant: str, why: str, whole: Any, *, diagnostics: tuple[str, ...] = ()) -> None:
        take(variant, why, post(proven(whole)), [proved(AGENT)], shown(PROOF), diagnostics=diagnostics)

    for field in ("cc", "bto", "bcc", "audience"):
        whole = activity(to=[f"{ALICE}/followers"], **{field: HELPER})
        named(f"named-in-{field}", "Any field of the signed addressing names the agent.", whole)
    named("named-by-an-object", "A recipient may be an object with an id.", activity(to=[{"id": HELPER}]))
    deep = activity(to=[f"{ALICE}/followers"], object={**inner, "to": [HELPER]})
    named("named-in-the-object", "An object in the activity is signed with it.", deep)

    def unnamed(variant: str, why: str, unit: Unit, **facts: Any) -> None:
        facts = {"attack": True, "diagnostics": ("not-addressed",)} | facts
        take(variant, why, unit, [proved([])], shown(PROOF), **facts)

    unnamed("mentioned-alone", "A mention is part of the text, and addresses nobody.", post(proven(aside)))
    fetched = {"@context": AS2, **inner, "to": [HELPER]}
    rows = around(world(**{f"GET {NOTE}": document(fetched)}))
    why = "An object that was only fetched was not signed: what was said to another agent is not said to this one."
    unnamed("fetched-object", why, post(proven(activity(to=[SECOND], object=NOTE))), lookups=rows)
    unnamed("recipient-of-the-host", "Nor was it signed for whom the host names.", post(proven(aside)), recipient=AGENT)
    one = [proved(second, second), proved([])]
    why = "Of two recipients the evidence is for the one whom the signed addressing names."
    take(
        "one-of-two",
        why,
        post(proven(activity(to=[SECOND], **mention))),
        one,
        shown(PROOF),
        lookups=both,
        diagnostics=("not-addressed",),
        attack=True,
    )
    ours = post(proven(aside, domain="agents.example"))
    take("for-our-domain", "A proof for our domain is for whom it came to.", ours, [proved(AGENT)], shown(PROOF))
    hosted = cavage(post(aside))
    take("signed-for-the-host", "A signature of the request covers the host.", hosted, sender(HTTP), shown())
    return cases


ELSEWHERE = "https://elsewhere.example/threads/7"


def joined() -> Received:
    """Replies to a message that is known, from somebody who was shown or not."""
    cases = Received("verify-message-joined", "R13")
    note = {"id": NOTE, "type": "Note", "attributedTo": ALICE, "content": "<p>Hello</p>", "inReplyTo": PARENT}
    reply = post(activity(object=note))
    above = {"@context": AS2, "id": PARENT, "type": "Note", "attributedTo": ALICE, "content": "<p>First</p>"}

    def take(
        variant: str,
        why: str,
        unit: Unit,
        thread: str,
        *diagnostics: str,
        by: str = ADDRESS,
        verified: bool = False,
        attack: bool = False,
    ) -> None:
        is_shown = unit is not reply
        method = HTTP if verified else "none"
        known = {"id": KNOWN_ID, "thread_id": ELSEWHERE, "sender": by, "auth_method": method, "verified": verified}
        listed = message(sender(HTTP) if is_shown else sender())
        listed |= {"thread_id": thread, "in_reply_to": KNOWN_ID}
        rows = around(**{f"MESSAGE {PARENT}": known, f"GET {PARENT}": document(above), "HISTORY *": []})
        verdict = shown() if is_shown else unshown("unsigned")
        notes = ("history-turn-dropped", *diagnostics)  # what is above has no time
        cases.take(variant, why, unit, [listed], verdict, lookups=rows, diagnostics=notes, attack=attack)

    signed = cavage(reply)
    why = (
        "Anybody may have written that in alice's name and chosen the thread; what she signs does not follow it there."
    )
    take("claimed", why, signed, PARENT, "thread-unproven", attack=True)
    why = "Nor may it be what somebody else is said to have written."
    take("claimed-of-another", why, signed, PARENT, "thread-unproven", by="@bob@social.example", attack=True)
    take("proven", "What she wrote and what she signs are one conversation.", signed, ELSEWHERE, verified=True)
    why = "The agent's own answers need no proof; that she has not written in this thread before is named."
    take("answer-joined", why, signed, ELSEWHERE, "thread-joined", by=AGENT)
    take("both-claimed", "What nobody proved joins what nobody proved.", reply, ELSEWHERE)
    return cases
