"""Policies and receipts as they come in, and their words: `conformance/v0.1/policy/model*`, `resolution*`, `words`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.vectors._policy_rows import HOST, INVOICE, SCOPE, STATE, Case, agreed, granted, one, paid, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = f"https://{HOST}/act"
EVIL = "https://evil.example/act"
BASE: Case = {"message": "Not yet."}
BEARER: Case = {"scheme": "Bearer", "params": {"realm": "agents", "scope": "a b"}}
PAY: Case = {
    **BASE,
    "kind": "payment_required",
    "state": STATE,
    "accepted_payments": [
        {"scheme": "ln.bolt11", "payload": INVOICE, "label": "Pay 10 sat", "description": "Lightning"},
        {"scheme": "example:barter", "payload": {}},
    ],
}
AGREE: Case = {**BASE, "kind": "consent_required", "state": STATE, "return_to": EVIL}
EVERYTHING: Case = {
    **BASE,
    "kind": "forbidden",
    "code": "oauth:consent_required",
    "title": "No",
    "message_translations": {"de": {"message": "Noch nicht.", "title": "Nein"}, "zh-Hant-TW": {"message": "還沒"}},
    "url": URL,
    "action_label": "Look",
    "data": {"com.example.order": {"id": 7}, "org.x402.error": "none"},
}
UNKNOWN: Case = {**BASE, "kind": "example:age_check", "least": 18, "proofs": [{"by": "card"}], "state": 5}


def _no(kind: str = "forbidden", **members: Any) -> Case:
    return {**BASE, "kind": kind, **members}


def found(
    name: str, section: str, why: str, value: Any, policy: Any, *codes: str, authority: str | None = HOST, **more: Any
) -> Case:
    """A policy as it comes in, and what counts of it."""
    behaviour = more.pop("behaviour", "model")
    unit = {"value": value} if authority is None else {"value": value, "authority": authority}
    answer = {"policy": policy, "diagnostics": list(codes)}
    return one(behaviour, name, section, why, unit, value=answer, diagnostics=list(codes), **more)


def models() -> Iterator[Case]:
    """Policies that count."""
    same = "Every member has its meaning, and comes back."
    least = "Only what is required is required."
    kinds = (
        ("unauthorized", _no("unauthorized", auth_challenges=[{"scheme": "Bearer"}]), least),
        ("unauthorized-whole", _no("unauthorized", auth_challenges=[BEARER, {"scheme": "DPoP"}]), same),
        ("unauthorized-without-a-way", _no("unauthorized", auth_challenges=[]), "There may be no way in."),
        ("payment", PAY, same),
        ("payment-without-state", {name: PAY[name] for name in PAY if name != "state"}, "Some payments name a task."),
        ("consent", AGREE, "The connector's own host is where people come back to."),
        ("forbidden", _no(), least),
        ("limit", _no("too_many_requests"), least),
        ("limit-with-time", _no("too_many_requests", retry_after_seconds=0), "At once is a time."),
        ("legal", _no("unavailable_for_legal_reasons"), least),
        ("outage", _no("service_unavailable"), least),
        ("outage-with-time", _no("service_unavailable", retry_after_seconds=120), same),
        ("everything", EVERYTHING, same),
    )
    for name, policy, why in kinds:
        yield found(name, "PP", why, policy, policy)
    why = "Who does not know a kind keeps it, and takes it for no success."
    yield found("unknown-kind", "PP 3.6", why, UNKNOWN, UNKNOWN)
    ok = {**BASE, "kind": "ok", "status": 200}
    yield found("kind-that-sounds-well", "PP 3.6", "A policy is no success, whatever its kind.", ok, ok)
    for name, kind in (("capitals", "Forbidden"), ("hyphen", "payment-required"), ("blank", " ")):
        yield found(f"kind-with-{name}", "PP 3.6", "A kind is compared exactly.", _no(kind), _no(kind))
    why = "What a later version adds is not lost."
    yield found("unknown-members", "PP", why, _no(later={"x": [1]}, state="x"), _no(later={"x": [1]}, state="x"))
    more = {**PAY, "accepted_payments": [{**PAY["accepted_payments"][0], "later": 1}]}
    yield found("unknown-members-of-offers", "PP", why, more, more)
    why = "Some wires have one kind of number, and write 30 as 30.0."
    whole = _no("too_many_requests", retry_after_seconds=30.0)
    yield found("whole-float", "PP", why, whole, _no("too_many_requests", retry_after_seconds=30))


def malformed() -> Iterator[Case]:
    """What is no policy: it counts for nothing, and is never an error for whoever sent a message with it."""
    payment, consent = "payment_required", "consent_required"
    for name, why, value in (
        ("text", "A policy is an object.", "forbidden"),
        ("list", "A policy is an object.", [_no()]),
        ("null", "A policy is an object.", None),
        ("no-kind", "Nobody knows what to do.", BASE),
        ("empty-kind", "Nobody knows what to do.", _no("")),
        ("kind-as-number", "A kind is text.", {**BASE, "kind": 402}),
        ("no-message", "People must be told.", {"kind": "forbidden"}),
        ("empty-message", "People must be told.", _no(message="")),
        ("blank-message", "People must be told.", _no(message="  ")),
        ("blank-message-of-lines", "People must be told.", _no(message="\r\n\t\n")),
        ("blank-message-in-any-script", "People must be told.", _no(message="\u3000\u00a0\u2003")),
        ("blank-message-of-unknown-kind", "People must be told.", {**UNKNOWN, "message": " "}),
        ("message-as-object", "A message is text.", _no(message={"en": "No."})),
        ("no-challenges", "A challenge says how to go on.", _no("unauthorized")),
        ("no-offers", "Who can pay in no way never can.", {**PAY, "accepted_payments": []}),
        ("offers-missing", "Who can pay in no way never can.", _no(payment)),
        ("offer-without-scheme", "Nobody knows how.", {**PAY, "accepted_payments": [{"payload": {}}]}),
        ("offer-with-empty-scheme", "Nobody knows how.", {**PAY, "accepted_payments": [{"scheme": "", "payload": {}}]}),
        ("offer-without-payload", "Nobody knows what.", {**PAY, "accepted_payments": [{"scheme": "a"}]}),
        ("payload-as-text", "A payload is an object.", {**PAY, "accepted_payments": [{"scheme": "a", "payload": "x"}]}),
        (
            "payload-with-unsafe-number",
            "Nobody repeats a number that parsers round.",
            {**PAY, "accepted_payments": [{"scheme": "a", "payload": {"amount": 2**53}}]},
        ),
        ("state-as-number", "A state is text.", {**PAY, "state": 7}),
        ("empty-state", "A state is text.", {**PAY, "state": ""}),
        ("consent-without-state", "Nobody could complete it.", {**_no(consent), "return_to": EVIL}),
        ("consent-without-return", "People must come back.", {**_no(consent), "state": STATE}),
        ("unsafe-return", "Addresses are https.", {**AGREE, "return_to": "http://hub.example/"}),
    ):
        yield found(name, "PP", why, value, None, "policy-malformed", behaviour="model-refused", flags=["attack"])


def misfits() -> Iterator[Case]:
    """Members that do not fit: each costs itself, and the demand holds."""
    for name, why, value, kept in (
        ("title-as-number", "A title is text.", _no(title=1), _no()),
        ("unsafe-url", "Addresses are https.", _no(url=f"http://{HOST}/"), _no()),
        ("url-with-userinfo", "What stands before an @ is no host.", _no(url=f"https://{HOST}@evil.example/"), _no()),
        ("script-as-url", "A script must not run.", _no(url="javascript:alert(1)"), _no()),
        (
            "challenge-as-text",
            "A challenge is an object.",
            _no("unauthorized", auth_challenges=["Bearer"]),
            _no("unauthorized", auth_challenges=[]),
        ),
        (
            "challenge-with-blank",
            "A scheme is a token.",
            _no("unauthorized", auth_challenges=[{"scheme": "a b"}]),
            _no("unauthorized", auth_challenges=[]),
        ),
        (
            "parameter-with-line-end",
            "It would write another header.",
            _no("unauthorized", auth_challenges=[{"scheme": "Bearer", "params": {"realm": "a\r\nx: y"}}]),
            _no("unauthorized", auth_challenges=[{"scheme": "Bearer", "params": {}}]),
        ),
        (
            "parameter-as-number",
            "Parameters are text.",
            _no("unauthorized", auth_challenges=[{"scheme": "Bearer", "params": {"max_age": 5}}]),
            _no("unauthorized", auth_challenges=[{"scheme": "Bearer", "params": {}}]),
        ),
        (
            "parameters-alike",
            "Names of parameters have no case.",
            _no("unauthorized", auth_challenges=[{"scheme": "Bearer", "params": {"realm": "a", "Realm": "b"}}]),
            _no("unauthorized", auth_challenges=[{"scheme": "Bearer", "params": {"realm": "a"}}]),
        ),
        (
            "negative-time",
            "Nobody waits for the past.",
            _no("too_many_requests", retry_after_seconds=-1),
            _no("too_many_requests"),
        ),
        (
            "half-a-second",
            "Seconds are whole.",
            _no("service_unavailable", retry_after_seconds=0.5),
            _no("service_unavailable"),
        ),
        (
            "time-as-text",
            "A number is a number.",
            _no("service_unavailable", retry_after_seconds="30"),
            _no("service_unavailable"),
        ),
        ("translations-as-list", "They are by language.", _no(message_translations=[{"message": "Nein."}]), _no()),
        (
            "no-language",
            "They are by language.",
            _no(message_translations={"deutsch!": {"message": "Nein."}}),
            _no(message_translations={}),
        ),
        (
            "languages-alike",
            "Languages have no case.",
            _no(message_translations={"de": {"message": "Nein."}, "DE": {"message": "Nö."}}),
            _no(message_translations={"de": {"message": "Nein."}}),
        ),
        (
            "empty-translation",
            "People must be told.",
            _no(message_translations={"de": {"title": "Nein"}}),
            _no(message_translations={}),
        ),
        (
            "translation-of-nothing",
            "People must be told.",
            _no(message_translations={"de": {"message": ""}}),
            _no(message_translations={}),
        ),
        (
            "blank-translation",
            "People must be told.",
            _no(message_translations={"de": {"message": "\n\u3000"}}),
            _no(message_translations={}),
        ),
        ("data-as-list", "Data has names.", _no(data=[1]), _no()),
        ("data-without-domain", "Names begin with whose they are.", _no(data={"order": 7}), _no(data={})),
        (
            "label-of-an-offer",
            "Money is as it was offered.",
            {**PAY, "accepted_payments": [{**PAY["accepted_payments"][1], "label": 5}]},
            {**PAY, "accepted_payments": [PAY["accepted_payments"][1]]},
        ),
        (
            "one-of-two-translations",
            "The other one is as good as before.",
            _no(message_translations={"de": {"message": "Nein."}, "fr": {"message": 5}}),
            _no(message_translations={"de": {"message": "Nein."}}),
        ),
        (
            "one-of-two-keys",
            "The other one is as good as before.",
            _no(data={"order_id": 5, "com.example.a": 1}),
            _no(data={"com.example.a": 1}),
        ),
        ("unsafe-number-of-unknown-member", "Nobody repeats a number that parsers round.", _no(later=2**53), _no()),
    ):
        yield found(name, "R54", why, value, kept, "member-dropped", behaviour="model-lenient", flags=["attack"])
    absent = dict.fromkeys(("code", "title", "message_translations", "url", "action_label", "data"))
    why = "Null for an optional member is its absence."
    yield found("null", "R54", why, _no(**absent), _no(), behaviour="model-lenient")
    offers = [{**PAY["accepted_payments"][1], "label": None, "description": None}]
    kept = {**PAY, "accepted_payments": [PAY["accepted_payments"][1]]}
    yield found(
        "null-of-an-offer", "R54", why, {**PAY, **absent, "accepted_payments": offers}, kept, behaviour="model-lenient"
    )
    why = "One offer with a fault in money costs the demand: nobody pays by half of it."
    many = {"data": {f"order_{number}": number for number in range(120)}}
    for name, offer, odd in (
        ("scheme", {"scheme": 5, "payload": {}}, {}),
        ("payload", {"scheme": "a", "payload": None}, {}),
        ("number-deep-in-payload", {"scheme": "a", "payload": {"terms": [{"amount": 2**53}]}}, {}),
        ("scheme-behind-many", {"scheme": 5, "payload": {}}, many),
        ("payload-behind-many", {"scheme": "a", "payload": [1]}, many),
    ):
        value = {**PAY, **odd, "accepted_payments": [*PAY["accepted_payments"], offer]}
        yield found(
            f"strict-{name}", "R54", why, value, None, "policy-malformed", behaviour="model-lenient", flags=["attack"]
        )


def urls() -> Iterator[Case]:
    """Links of policies that came in."""
    why = "Nobody shall be led to another host."
    left = "What else a policy says still counts."
    linked = _no(url=EVIL, action_label="Look")
    yield found("elsewhere", "D B11", why, linked, _no(), "url-refused", behaviour="links", flags=["attack"])
    subdomain = _no(url=f"https://pay.{HOST}/", title="No")
    yield found("subdomain", "D B11", left, subdomain, _no(title="No"), "url-refused", behaviour="links")
    own = _no(url=URL, action_label="Look")
    yield found("own", "D B11", "The agent's own host counts.", own, own, behaviour="links")
    why = "Where nobody knows whose policy it is, no link counts."
    yield found("of-nobody", "D B11", why, own, _no(), "url-refused", authority=None, behaviour="links")
    good: Case = {"scheme": "Bearer", "params": {"resource_metadata": URL}}
    scope: Case = {"scheme": "Bearer", "params": {"scope": f"{EVIL} openid"}}
    bads = [
        {"scheme": "Bearer", "params": {"realm": "a", "authorization_uri": EVIL}},
        {"scheme": "x", "params": {"u": "HTTP:evil.example"}},
        {"scheme": "x", "params": {"u": " \thttps://evil.example/"}},
        {"scheme": "x", "params": {"u": "ht\ntps://evil.example/".replace("\n", "\t")}},
        {"scheme": "x", "params": {"u": "app:\\\\evil"}},
    ]
    why = "A challenge that leads elsewhere is left out, the others stay."
    mixed = _no("unauthorized", auth_challenges=[good, bads[0], scope])
    kept = _no("unauthorized", auth_challenges=[good, scope])
    yield found("challenge", "D B11", why, mixed, kept, "url-refused", behaviour="links", flags=["attack"])
    every = _no("unauthorized", auth_challenges=bads)
    none = _no("unauthorized", auth_challenges=[])
    codes = ["url-refused"] * len(bads)
    why = "Browsers read a link in many spellings."
    yield found("challenges-in-disguise", "D B11", why, every, none, *codes, behaviour="links", flags=["attack"])
    why = "Whatever a browser would open, or people would paste into one, leads somewhere."
    for name, text in (
        ("no-scheme", "//evil.example/act"),
        ("backslashes", "\\\\evil.example"),
        ("one-of-each", "/\\evil.example"),
        ("script", "javascript:alert(1)"),
        ("script-in-capitals", "JavaScript:alert(1)"),
        ("script-with-a-tab", "java\tscript:alert(1)"),
        ("data", "data:text/html,<p>Sign in</p>"),
        ("other-script", "vbscript:msgbox"),
        ("blob", "blob:null/8f2e"),
        ("file", "file:/etc/passwd"),
        ("source", "view-source:https://evil.example/"),
        ("a-scheme-before-another", "x:https:evil.example"),
        ("two-schemes-before-slashes", "a:b://evil.example/"),
        ("an-encoded-dot", "//evil%2eexample/act"),
        ("another-dot", "//evil\u3002example/act"),
        ("three-slashes", "///evil.example/act"),
        ("ftp", "ftp:evil.example"),
        ("sockets", "wss:evil.example"),
        ("intent", "intent:#Intent;end"),
        ("brackets", "<https://evil.example/>"),
        ("quotes", "'https://evil.example/'"),
        ("digits-before", "1. https://evil.example/"),
        ("letters-before", "\u00e9https://evil.example/"),
        ("signs-before-slashes", "(//evil.example)"),
    ):
        lured = _no("unauthorized", auth_challenges=[{"scheme": "x", "params": {"u": text}}, good])
        left = _no("unauthorized", auth_challenges=[good])
        beside: Case = {"behaviour": "links", "flags": ["attack"]}
        yield found(f"challenge-with-{name}", "D B11", why, lured, left, "url-refused", **beside)
    why = "Not everything with slashes or a colon is a link."
    for name, text in (
        ("base64", "//abc="),
        ("base64-of-more", "ab//c/d+e=="),
        ("nothing-behind", "//"),
        ("path", "/act/on.it"),
        ("words", "data and javascript"),
    ):
        same = _no("unauthorized", auth_challenges=[{"scheme": "x", "params": {"u": text}}])
        yield found(f"challenge-of-{name}", "D B11", why, same, same, behaviour="links")
    why = "A scope names things that nobody opens."
    for name, scope_of in (("in-capitals", "SCOPE"), ("alone", "scope")):
        same = _no("unauthorized", auth_challenges=[{"scheme": "x", "params": {scope_of: "//evil.example/read"}}])
        yield found(f"scope-{name}", "D B11", why, same, same, behaviour="links")
    plain = _no("unauthorized", auth_challenges=[{"scheme": "x", "params": {"realm": "urn:a:b", "n": "https"}}])
    yield found("challenge-without-link", "D B11", "Not everything is a link.", plain, plain, behaviour="links")
    lured = {**PAY, "accepted_payments": [{"scheme": "stripe.checkout", "payload": {"url": EVIL}}]}
    why = "A payload is its scheme's own; who does not know it opens the url of the policy."
    yield found("payload", "D B11", why, lured, lured, behaviour="links")


# --- receipts


def receipts() -> Iterator[Case]:
    """Receipts in the form of a resolution: claims, for whoever verifies them."""
    told = {"transaction": "tx1", "payer": "alice", "network": "ln"}
    said = resolved(**told, verified_by="me")
    claim = {**paid(), "payer": "alice", "receipt": said["confirmation"]}
    yield one("resolution", "payment", "PP 5", "All that came is for the verifier.", {"value": said}, value=claim)
    for name, who in (("as-number", 1), ("as-true", True), ("as-object", {"x": 1})):
        why = "Who says that it was verified says nothing."
        shown = {**said, "verified_by": who}
        yield one("resolution", f"verified-by-{name}", "D B3", why, {"value": shown}, value=claim)
    bare = {name: said[name] for name in said if name != "verified_by"}
    why = "A payer does not say who verifies."
    yield one("resolution", "verified-by-nobody", "D B3", why, {"value": bare}, value=claim)
    agrees = agreed(expires_at="2027-01-01T00:00:00Z", later=1)
    claim = {**granted(), "receipt": agrees["confirmation"]}
    yield one("resolution", "consent", "PP 5", "All that came is for the verifier.", {"value": agrees}, value=claim)
    odd = resolved(state="?")
    claim = {**paid(state="?"), "receipt": odd["confirmation"]}
    yield one("resolution", "odd-state", "PP 5", "Whether a state counts is told later.", {"value": odd}, value=claim)


def no_receipts() -> Iterator[Case]:
    """What is no receipt."""
    whole, consents = resolved(), agreed()
    confirmation = whole["confirmation"]
    less = {name: {k: v for k, v in whole.items() if k != name} for name in whole}
    why = "A receipt that cannot be read counts for nothing."
    for name, value in (
        ("text", "paid"),
        ("list", [whole]),
        ("no-state", less["in_reply_to_state"]),
        ("state-as-number", {**whole, "in_reply_to_state": 7}),
        ("no-kind", less["kind"]),
        ("other-kind", {**whole, "kind": "forbidden"}),
        ("kind-in-capitals", {**whole, "kind": "Payment_Required"}),
        ("no-confirmation", less["confirmation"]),
        ("confirmation-as-text", {**whole, "confirmation": "yes"}),
        ("payment-in-a-string", {**whole, "confirmation": json.dumps(confirmation)}),
        ("consent-in-a-string", {**consents, "confirmation": json.dumps(consents["confirmation"])}),
        ("no-scheme", {**whole, "confirmation": {"original_payload": INVOICE}}),
        ("no-payload", {**whole, "confirmation": {"scheme": "ln.bolt11"}}),
        ("payload-as-text", {**whole, "confirmation": {**confirmation, "original_payload": "x"}}),
        ("transaction-as-number", {**whole, "confirmation": {**confirmation, "transaction": 7}}),
        ("unsafe-number", {**whole, "confirmation": {**confirmation, "original_payload": {"amount": 2**53}}}),
        ("confirmation-of-the-other-kind", {**whole, "confirmation": {"scope_hash": SCOPE}}),
        ("no-scope", {**consents, "confirmation": {}}),
        ("scope-as-list", {**consents, "confirmation": {"scope_hash": [SCOPE]}}),
        ("end-without-zone", {**consents, "confirmation": {"scope_hash": SCOPE, "expires_at": "2027-01-01"}}),
    ):
        beside: Any = {"rejected": {"code": "receipt-malformed"}, "flags": ["attack"]}
        yield one("resolution-refused", name, "PP 5", why, {"value": value}, **beside)


# --- words


def words() -> Iterator[Case]:
    """The words of a policy in a language."""
    tongues = {
        "de-CH": {"message": "Nei."},
        "de": {"message": "Nein.", "title": "Verboten"},
        "zh-Hant": {"message": "不行"},
        "en-x-pirate": {"message": "Nay."},
    }
    policy = _no(title="No", message_translations=tongues, url=URL)
    plain = policy
    german = {**policy, "message": "Nein.", "title": "Verboten"}
    untitled = {name: policy[name] for name in policy if name != "title"}
    for name, why, languages, value in (
        ("exact", "People read their own language.", ["de"], german),
        ("first-of-several", "The first language that is there is the best.", ["fr", "de", "zh-Hant"], german),
        ("region-less", "Who reads de-AT reads de.", ["de-AT"], german),
        ("region", "What is nearer is better.", ["de-CH"], {**untitled, "message": "Nei."}),
        ("script", "Subtags go from the end.", ["zh-Hant-TW"], {**untitled, "message": "不行"}),
        ("not-wider", "Who reads zh may not read this script.", ["zh"], plain),
        ("case", "Languages have no case.", ["DE"], german),
        ("first-before-nearer", "All of a language goes before the next one.", ["de-AT", "de-CH"], german),
        (
            "private-use",
            "A single letter goes with what it introduces.",
            ["en-x-pirate-old"],
            {**untitled, "message": "Nay."},
        ),
        ("any", "Any language is no language.", ["*", "de"], german),
        ("odd", "What is no language is skipped.", ["d€", "", "-", "de"], german),
        ("none", "Who says nothing reads what is there.", [], plain),
        ("unknown", "Who reads something else reads what is there.", ["fr"], plain),
    ):
        yield one("words", name, "PP", why, {"policy": policy, "languages": languages}, value=value)
    why = "Without translations there is one language."
    yield one("words", "no-translations", "PP", why, {"policy": _no(), "languages": ["de"]}, value=_no())


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "policy", "model", "policy.read", "Policies that count.", list(models())
    yield "policy", "model-refused", "policy.read", "What is no policy.", list(malformed())
    yield "policy", "model-lenient", "policy.read", "Members that do not fit cost themselves.", list(misfits())
    yield "policy", "links", "policy.read", "Links of policies that came in.", list(urls())
    yield "policy", "resolution", "policy.read_resolution", "Receipts as claims.", list(receipts())
    yield "policy", "resolution-refused", "policy.read_resolution", "What is no receipt.", list(no_receipts())
    yield "policy", "words", "policy.localize", "The words of a policy in a language.", list(words())
