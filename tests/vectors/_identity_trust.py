"""Whether evidence is believed before any key is looked at: `identity/{trust,delegation,audience,time,caller}.json`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.vectors._identity_rows import (
    AGENT,
    ALICE,
    BOT,
    ENTRY,
    GONE,
    HOST,
    METHOD,
    OTHER_HOST,
    UNASKED,
    Case,
    card,
    entry,
    given,
    identity,
    jwk,
    refuses,
    served,
    signed,
    takes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CAROL = "slack:T123/U789"
BOB = "slack:T123/U1"
DELEGATING = {"delegation": ["slack:T123/"], "max_delegation": 2}


def _trust() -> Iterator[Case]:
    no = partial(refuses, "trust", section="BC", **UNASKED)
    yes = partial(takes, "trust", section="BC")
    asked = "Whoever asks for the card of anybody who is named asks for anything."
    yield no("nobody", "issuer-untrusted", "Trust is denied by default.", signed(), {**given(), "settings": {}})
    yield no(
        "empty-policy",
        "issuer-untrusted",
        "Trust is denied by default.",
        signed(),
        {**given(), "settings": {"trust": []}},
    )
    for name, other in {
        "another": "other.example",
        "subdomain": f"a.{HOST}",
        "suffix": f"{HOST}.evil.example",
        "parent": "agents.example",
        "prefix": "evil-slack.agents.example",
    }.items():
        yield no(f"issuer-{name}", "issuer-untrusted", asked, signed(issuer=other))
    why = "A method is exactly the one that is trusted."
    for name, method in {
        "another": "urn:x",
        "version": METHOD.replace("v0.1", "v0.2"),
        "longer": f"{METHOD}.1",
        "case": METHOD.replace("urn:", "URN:"),
    }.items():
        yield no(f"method-{name}", "method-untrusted", why, signed(method=method))
    yield no("method-star", "method-untrusted", "There are no wild cards.", signed(), given(entry(methods=["*"])))
    yield no(
        "no-methods",
        "method-untrusted",
        "An empty list is nothing, never anything.",
        signed(),
        given(entry(methods=[])),
    )
    why = "A kind of knowledge is exactly the one that is trusted."
    for name, assurance in {"another": "oauth", "case": "Platform", "empty": ""}.items():
        yield no(f"assurance-{name}", "assurance-untrusted", why, signed(assurance=assurance))
    none = given(entry(assurance=[]))
    yield no("no-assurance", "assurance-untrusted", "An empty list is nothing, never anything.", signed(), none)
    why = "A connector speaks for its workspaces and for no others."
    for name, subject in {
        "workspace": "slack:T12/U456",
        "longer-workspace": "slack:T1234/U456",
        "case": "slack:t123/U456",
        "platform": "teams:T123/U456",
        "workspace-itself": "slack:T123",
    }.items():
        yield no(f"subject-{name}", "subject-out-of-scope", why, signed(subject=subject))
    nobody = given(entry(subject_prefixes=GONE))
    yield no("no-subjects", "subject-out-of-scope", "What is not named is nothing.", signed(), nobody)
    yield no(
        "empty-subjects",
        "subject-out-of-scope",
        "An empty list is nothing.",
        signed(),
        given(entry(subject_prefixes=[])),
    )
    why = "Members of two entries are never mixed: the method of one is not believed with the subjects of the other."
    two = given(entry(methods=["urn:x"]), entry(subject_prefixes=["slack:T9/"]))
    yield no("two-entries", "subject-out-of-scope", why, signed(), two)
    two = given(entry(subject_prefixes=["slack:T9/"]), entry(methods=["urn:x"]))
    yield no("two-entries-furthest", "subject-out-of-scope", "The furthest step is told, in any order.", signed(), two)
    two = given(entry(assurance=["oauth"]), entry(methods=["urn:x"]))
    yield no("two-entries-assurance", "assurance-untrusted", "The furthest step is told, in any order.", signed(), two)
    others = given(entry(issuer="a.example"), entry(issuer="b.example", subject_prefixes=["slack:"]))
    yield no("two-issuers", "issuer-untrusted", "What others are believed is nothing to this one.", signed(), others)

    second = given(entry(methods=["urn:x"]), entry(issuer="other.example"), ENTRY)
    yield yes(
        "third-entry",
        "The entry that fits counts, and is named.",
        signed(),
        second,
        expected=identity(signed(), entry=2),
    )
    listed = given(entry(subject_prefixes=GONE, subjects=[ALICE]))
    yield yes("subject-listed", "A subject may be trusted by itself.", signed(), listed)
    yield no(
        "subject-listed-longer",
        "subject-out-of-scope",
        "A listed subject is no prefix.",
        signed(subject=f"{ALICE}7"),
        listed,
    )
    whole = given(entry(subject_prefixes=["slack:"]))
    yield yes("whole-platform", "A prefix may be a whole platform.", signed(subject="slack:T9/U1"), whole)
    domain = given(entry(subject_prefixes=GONE, subject_domains=["social.example"]))
    yield yes("subject-domain", "Addresses are trusted by domain.", signed(subject="@alice@social.example"), domain)
    why = "A domain is exactly that domain."
    for name, subject in {
        "subdomain": "@alice@a.social.example",
        "suffix": "@alice@evilsocial.example",
        "scheme": "social.example:alice",
        "local": "@social.example@evil.example",
    }.items():
        yield no(f"subject-domain-{name}", "subject-out-of-scope", why, signed(subject=subject), domain)
    said = served(card(subject_prefixes=["slack:"], methods=["urn:x"]))
    why = "What a connector says about itself is no ground to trust it."
    yield no("by-card", "method-untrusted", why, signed(method="urn:x"), given(card=said))
    yield yes(
        "address-like",
        "The two slashes of a URL are no gap.",
        made := signed(subject="https://a.example/u/1"),
        given(entry(subject_prefixes=["https://a.example/"])),
        expected=identity(made),
    )


def _delegation() -> Iterator[Case]:
    no = partial(refuses, "delegation", section="D B13", **UNASKED)
    yes = partial(takes, "delegation", section="D B13")
    ignored = "Ignoring it would make an agent that acts for somebody the one who acts."
    yield no("by-default", "delegation-not-allowed", ignored, signed(on_behalf_of=[BOB]))
    yield no(
        "no-prefixes", "delegation-not-allowed", ignored, signed(on_behalf_of=[BOB]), given(entry(max_delegation=1))
    )
    only = given(entry(delegation=["slack:T123/"]))
    yield no("no-depth", "delegation-not-allowed", ignored, signed(on_behalf_of=[BOB]), only)
    zero = given(entry(delegation=["slack:T123/"], max_delegation=0))
    yield no("depth-zero", "delegation-not-allowed", ignored, signed(on_behalf_of=[BOB]), zero)
    allowed = given(entry(**DELEGATING))
    yield yes("one", "An operator may allow it.", signed(on_behalf_of=[BOB]), allowed)
    yield yes("two", "The outermost principal stands first.", signed(on_behalf_of=[CAROL, BOB]), allowed)
    yield yes("empty", "An empty list is no delegation.", signed(on_behalf_of=[]))
    three = [BOB, CAROL, "slack:T123/U3"]
    yield no("too-deep", "delegation-too-deep", "Authority thins with each hand.", signed(on_behalf_of=three), allowed)
    odd = "A chain that is odd shows that nobody checked it."
    for name, principals in {
        "twice": [BOB, BOB],
        "subject-itself": [ALICE],
        "number": [7],
        "object": [{"subject": BOB}],
        "array": [[BOB]],
        "dots": ["slack:T123/../T9/U1"],
        "blank": ["slack:T123/U 1"],
        "null": [None],
    }.items():
        yield no(name, "delegation-malformed", odd, signed(on_behalf_of=principals), allowed)
    outside = "An issuer carries the authority of those whom the operator names."
    yield no("outside", "principal-out-of-scope", outside, signed(on_behalf_of=["slack:T9/U1"]), allowed)
    yield no("one-outside", "principal-out-of-scope", outside, signed(on_behalf_of=[BOB, "slack:T9/U1"]), allowed)
    yield no("longer-workspace", "principal-out-of-scope", outside, signed(on_behalf_of=["slack:T1234/U1"]), allowed)
    by_nobody = given(entry(assurance=["delegated"]))
    why = "Delegated by nobody is a contradiction."
    yield no("delegated-by-nobody", "delegation-malformed", why, signed(assurance="delegated"), by_nobody)
    named = given(entry(assurance=["delegated"], **DELEGATING))
    yield yes("delegated", "Delegated by somebody.", signed(assurance="delegated", on_behalf_of=[BOB]), named)


def _audience() -> Iterator[Case]:
    no = partial(refuses, "audience", section="D B13", **UNASKED)
    whom = "Evidence that was meant for somebody else could be used by them here."
    for name, found in {"missing": GONE, "null": None, "empty-list": [], "number": 7, "object": {"a": AGENT}}.items():
        yield no(name, "audience-missing", whom, signed(audience=found))
    form = "What is made canonical on receipt is not what was signed."
    for name, found in {
        "empty": "",
        "no-at": "helper@agents.example",
        "acct": "acct:helper@agents.example",
        "domain-case": "@helper@Agents.example",
        "star": "*",
        "star-agent": "@*@agents",
        "umlaut-domain": "@helper@bücher.example",
        "newline": f"{AGENT}\n",
        "url": "https://agents.example/helper",
        "final-dot": f"{AGENT}.",
        "list-with-number": [7],
        "list-with-list": [[AGENT]],
        "list-with-odd": [AGENT, "helper@agents.example"],
    }.items():
        yield no(f"not-canonical-{name}", "audience-not-canonical", form, signed(audience=found))
    for name, found in {
        "another": "@other@agents.example",
        "local-case": "@Helper@agents.example",
        "domain": "@helper@agents.example.evil.example",
        "another-list": ["@other@agents.example"],
    }.items():
        yield no(name, "audience-mismatch", whom, signed(audience=found))
    why = "One of several audiences could show it to another."
    yield no("two", "audience-too-broad", why, signed(audience=[AGENT, "@other@agents.example"]))
    yield no("twice", "audience-too-broad", "There is one audience.", signed(audience=[AGENT, AGENT]))
    yield no("many", "audience-too-broad", "A list of everybody is everybody.", signed(audience=[7] * 17))
    yield takes("audience", "list-of-one", "A list may hold the one audience.", signed(audience=[AGENT]))
    spelled = "The receiver's own address may be written as people write it."
    yield takes("audience", "recipient-spelled", spelled, signed(), facts={"recipient": "acct:helper@Agents.example"})


def _time() -> Iterator[Case]:
    no = partial(refuses, "time", section="D B13", **UNASKED)
    yes = partial(takes, "time", section="D B13")
    form = "A time that two readers read differently has expired for one of them."
    for name, found in {
        "offset": "2026-11-21T20:55:00.000+00:00",
        "offset-elsewhere": "2026-11-21T21:55:00+01:00",
        "naive": "2026-11-21T20:55:00",
        "small-z": "2026-11-21T20:55:00z",
        "small-t": "2026-11-21t20:55:00Z",
        "blank": "2026-11-21 20:55:00Z",
        "basic": "20261121T205500Z",
        "week": "2026-W47-6T20:55:00Z",
        "no-seconds": "2026-11-21T20:55Z",
        "leap-second": "2026-11-21T20:54:60Z",
        "hour-24": "2026-11-20T24:00:00Z",
        "no-such-day": "2026-11-31T20:55:00Z",
        "year-0": "0000-11-21T20:55:00Z",
        "ten-digits": "2026-11-21T20:55:00.0000000000Z",
        "comma": "2026-11-21T20:55:00,000Z",
        "empty-fraction": "2026-11-21T20:55:00.Z",
        "newline": "2026-11-21T20:55:00Z\n",
        "arabic-digits": "٢٠٢٦-11-21T20:55:00Z",
        "empty": "",
        "epoch": "1795294500",
    }.items():
        yield no(f"form-{name}", "timestamp-malformed", form, signed(issued_at=found))
    yield no("form-of-end", "timestamp-malformed", form, signed(expires_at="2026-11-21T20:59:00+00:00"))
    yield no("form-of-begin", "timestamp-malformed", form, signed(not_before="2026-11-21T20:55:00+00:00"))
    yield yes("no-fraction", "A fraction may be missing.", signed(issued_at="2026-11-21T20:55:00Z"))
    yield yes("nine-digits", "Nine digits are allowed.", signed(issued_at="2026-11-21T20:55:00.123456789Z"))
    yield no("no-end", "expiry-missing", "What never ends is a password.", signed(expires_at=GONE))
    why = "What ends before it begins holds for no time."
    yield no("end-first", "lifetime-invalid", why, signed(expires_at="2026-11-21T20:54:59Z"))
    yield no("end-at-once", "lifetime-invalid", why, signed(expires_at="2026-11-21T20:55:00.000Z"))
    yield no("begin-at-end", "lifetime-invalid", why, signed(not_before="2026-11-21T20:59:00.000Z"))
    start, late = "2026-11-21T20:55:30.000Z", "2026-11-21T21:00:30.000Z"
    yield yes("longest", "Five minutes are allowed.", signed(issued_at=start, expires_at=late))
    yield no(
        "too-long",
        "lifetime-too-long",
        "What holds for long is stolen.",
        signed(issued_at=start, expires_at="2026-11-21T21:00:30.001Z"),
    )
    why = "An earlier begin must not stretch the life."
    backdated = signed(issued_at=start, not_before="2026-11-21T20:55:29Z", expires_at=late)
    yield no("backdated", "lifetime-too-long", why, backdated)
    hour = given(policy={"max_lifetime": 3_600})
    yield yes("longest-configured", "An operator may allow an hour.", signed(expires_at="2026-11-21T21:55:00Z"), hour)
    minute = given(policy={"max_lifetime": 60})
    yield no("shorter-configured", "lifetime-too-long", "An operator may allow less.", signed(), minute)
    why = "An entry may say for how long its issuer's evidence holds."
    own = given(entry(max_lifetime=60))
    yield no("shorter-of-an-entry", "lifetime-too-long", why, signed(), own)
    own = given(entry(max_lifetime=3_600), policy={"max_lifetime": 60})
    yield yes("longer-of-an-entry", why, signed(expires_at="2026-11-21T21:55:00Z"), own)
    edge = "Clocks may differ by a minute."
    at_edge = signed(issued_at="2026-11-21T20:57:00.000Z", expires_at="2026-11-21T21:00:00Z")
    yield yes("future-edge", edge, at_edge)
    after = signed(issued_at="2026-11-21T20:57:00.001Z", expires_at="2026-11-21T21:00:00Z")
    yield no("future", "issued-in-future", "It was not said yet.", after)
    yield yes("begin-edge", edge, signed(not_before="2026-11-21T20:57:00.000Z"))
    yield no("begin-later", "not-yet-valid", "It does not hold yet.", signed(not_before="2026-11-21T20:57:00.001Z"))
    past = {"issued_at": "2026-11-21T20:51:00Z"}
    yield yes("end-edge", edge, signed(**past, expires_at="2026-11-21T20:55:00.001Z"))
    yield no("expired", "expired", "It holds no longer.", signed(**past, expires_at="2026-11-21T20:55:00.000Z"))
    strict = given(policy={"skew": 0})
    yield no(
        "expired-without-skew",
        "expired",
        "An operator may have good clocks.",
        signed(**past, expires_at="2026-11-21T20:56:00Z"),
        strict,
    )
    yield no(
        "future-without-skew",
        "issued-in-future",
        "An operator may have good clocks.",
        signed(issued_at="2026-11-21T20:56:00.001Z"),
        strict,
    )


def _caller() -> Iterator[Case]:
    no = partial(refuses, "caller", section="R42", **UNASKED)
    yes = partial(takes, "caller", section="R42")
    why = "Whoever has seen evidence could bring it along with other words."
    for name, caller in {
        "nobody": GONE,
        "another": "@bot@other.example",
        "another-host": "other.example",
        "subdomain": f"@bot@a.{HOST}",
        "suffix": f"@bot@{HOST}.evil.example",
        "local-part": f"@{HOST}@evil.example",
        "two-ats": f"@bot@evil.example@{HOST}",
        "url": f"https://{HOST}",
        "subject": ALICE,
        "empty": "",
    }.items():
        yield no(name, "caller-not-issuer", why, signed(), facts={"caller": caller})
    for name, caller in {"host": HOST, "address": BOT, "spelled": f"acct:bot@{HOST}"}.items():
        yield yes(f"issuer-{name}", "The issuer itself brings it.", signed(), facts={"caller": caller})
    allowed = given(entry(forwarding=True))
    yield yes(
        "forwarded", "An operator may let others bring it.", signed(), allowed, facts={"caller": "@bot@other.example"}
    )
    yield yes("forwarded-by-nobody", "An operator may let anybody bring it.", signed(), allowed, facts={"caller": GONE})
    two = given(ENTRY, entry(issuer=OTHER_HOST, forwarding=True))
    yield no("forwarding-of-another", "caller-not-issuer", why, signed(), two, facts={"caller": GONE})
    other = signed(issuer=OTHER_HOST)
    cards = {f"GET https://{OTHER_HOST}/.well-known/adapter-card": served(card(jwk(), issuer=OTHER_HOST))}
    around = given(ENTRY, entry(issuer=OTHER_HOST), **cards)
    yield no("issuers-of-another", "caller-not-issuer", "One issuer must not bring what another says.", other, around)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What these files hold."""
    yield "trust", "identity.verify", "Step 6: one entry of the receiver's policy takes it whole.", _trust()
    yield "delegation", "identity.verify", "Step 7: whose authority is carried.", _delegation()
    yield "audience", "identity.verify", "Step 8: for whom it was made.", _audience()
    yield "time", "identity.verify", "Step 9: when it holds.", _time()
    yield "caller", "identity.verify", "Step 9b: who brings it along.", _caller()
