"""Policies, signing, roles, profiles and chains: `identity/{policy,attest,signing-input,acl,profile,chain}.json`."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from tests.vectors._identity_rows import (
    AGENT,
    ALICE,
    ENTRY,
    EVIDENCE,
    GONE,
    HOST,
    METHOD,
    OTHER_HOST,
    PROFILE,
    Case,
    changed,
    entry,
    identity,
    one,
    signed,
    signing_input,
    without_gone,
)
from tests.vectors._identity_signature import SEED, SEED_TRUST, golden

if TYPE_CHECKING:
    from collections.abc import Iterator

MALFORMED = {"rejected": {"code": "malformed"}}


def _policies() -> Iterator[Case]:
    def policy(name: str, why: str, data: Any, section: str = "BC", **outcome: Any) -> Case:
        return one("policy", name, section, why, {"data": data}, **outcome)

    def takes(name: str, why: str, *entries: Case, **bounds: Any) -> Case:
        value = {"entries": list(entries), "max_lifetime": 300, "skew": 60, **bounds}
        return policy(name, why, value if bounds else list(entries), value=value)

    def refuses(name: str, why: str, **members: Any) -> Case:
        return policy(name, why, [entry(**members)], **MALFORMED)

    yield takes("as-printed", "The policy of the guide is read as it is printed.", SEED_TRUST)
    yield takes("empty", "Nobody is trusted by default.")
    everything = entry(
        subjects=[ALICE],
        subject_domains=["social.example"],
        delegation=["slack:"],
        max_delegation=2,
        forwarding=True,
        thumbprints=["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"],
        require_id=True,
        without_canonicalization=True,
        proof_removed=False,
    )
    yield takes("whole", "Every member that an entry can have.", everything, max_lifetime=3_600, skew=0)
    yield takes(
        "empty-lists", "An empty list is nothing, never anything.", entry(methods=[], assurance=[], subject_prefixes=[])
    )
    for name, prefix in {
        "scheme": "slack:",
        "workspace": "slack:T123/",
        "colon": "urn:x:",
        "host": "https://a.example/",
    }.items():
        yield takes(f"prefix-{name}", "A prefix ends where a name ends.", entry(subject_prefixes=[prefix]))
    why = "A prefix that ends within a name takes other names that begin alike."
    for name, prefix in {
        "in-name": "slack:T1",
        "empty": "",
        "star": "*",
        "star-behind": "slack:*",
        "host": "https://mastodon.example",
        "no-scheme": "T123/",
        "capitals": "Slack:",
        "blank": "slack:T1 /",
        "percent": "slack:T1%2F/",
        "umlaut": "slack:é/",
        "dots": "slack:T1/../",
        "dots-first": "slack:../",
        "dot": "slack:T1/./",
        "two-slashes": "slack:T1//",
        "newline": "slack:\n",
        "address": "@alice@social.example",
    }.items():
        yield refuses(f"prefix-{name}-refused", why, subject_prefixes=[prefix])
        if name in ("in-name", "star"):
            yield refuses(f"delegation-{name}-refused", why, delegation=[prefix], max_delegation=1)
    why = "An issuer is a host in one spelling."
    for name, issuer in {
        "url": f"https://{HOST}",
        "port": f"{HOST}:443",
        "capitals": "Slack.example",
        "dot": f"{HOST}.",
        "address": "192.0.2.1",
        "one-label": "slack",
        "localhost": "localhost",
        "umlaut": "bücher.example",
        "private": "slack.internal",
        "local": "slack.local",
        "empty": "",
        "star": "*.example",
    }.items():
        yield refuses(f"issuer-{name}", why, issuer=issuer)
    yield refuses("domain-capitals", "A domain is in one spelling.", subject_domains=["Social.example"])
    yield refuses("domain-star", "There are no wild cards.", subject_domains=["*.example"])
    for name in ("issuer", "methods", "assurance"):
        yield refuses(f"no-{name}", "What is not named is not meant to be anything.", **{name: GONE})
    yield refuses("method-text", "A list is a list.", methods=METHOD)
    yield refuses("method-empty", "An empty word is no method.", methods=[""])
    yield refuses("null", "Null is no list.", subject_prefixes=None)
    yield refuses(
        "unknown-member", "A member that nobody knows might narrow what is trusted.", subject_prefix="slack:T1/"
    )
    yield refuses("forwarding-text", "A word is no yes.", forwarding="yes")
    yield refuses("depth-negative", "A depth is a number of principals.", max_delegation=-1)
    yield refuses("depth-nine", "Authority thins with each hand.", max_delegation=9)
    yield refuses("depth-true", "True is no number.", max_delegation=True)
    yield refuses("thumbprint", "A thumbprint has 43 characters.", thumbprints=["kPrK"])
    pinned = {"thumbprints": ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"]}
    why = "One key is one issuer's."
    yield policy("pin-twice", why, [entry(**pinned), entry(issuer=OTHER_HOST, **pinned)], "D B13", **MALFORMED)
    yield takes("pin-of-one", "Two entries of one issuer may have one pin.", entry(**pinned), entry(**pinned))
    whole: Case = {"entries": [ENTRY], "max_lifetime": 300, "skew": 60}
    bound = "What holds for hours is stolen."
    for name, change in {
        "lifetime-over-an-hour": {"max_lifetime": 3_601},
        "lifetime-zero": {"max_lifetime": 0},
        "lifetime-text": {"max_lifetime": "300"},
        "skew-negative": {"skew": -1},
        "skew-over-five-minutes": {"skew": 301},
        "unknown": {"default": "allow"},
    }.items():
        yield policy(name, bound, {**whole, **change}, "D B13", **MALFORMED)
    yield policy("number", "A policy is a list.", 7, **MALFORMED)
    yield policy("hosts", "An entry is an object.", [HOST], **MALFORMED)


KEY = {"seed": bytes(range(32)).hex(), "key_id": "2026-05"}
STATED: Case = {
    name: SEED[name] for name in ("subject", "method", "assurance", "issuer", "audience", "source", "claims")
}


def _attest() -> Iterator[Case]:
    around = {"now": "2026-05-06T00:00:00Z"}

    def says(name: str, why: str, members: Case, **outcome: Any) -> Case:
        return one("attest", name, "BC", why, {**STATED, "key": KEY, **members}, given=around, **outcome)

    def signs(name: str, why: str, **members: Any) -> Case:
        """Evidence of the guide with other members, signed anew."""
        from tests.vectors._identity_rows import KEY as SIGNER
        from tests.vectors._identity_rows import b64

        made = without_gone({**SEED, **members})
        made["proof"] = {**made["proof"], "value": b64(SIGNER.sign(signing_input(made)))}
        given = {key: value for key, value in members.items() if key not in ("expires_at", "proof")}
        return says(name, why, given, value=made)

    yield says("golden", "The evidence of the guide, for five minutes.", {}, value=golden())
    yield signs("with-id", "The platform's id of the event makes it count once.", id="slack:Ev0123")
    yield signs("principals", "Whose authority is carried is signed as well.", on_behalf_of=["slack:T123/U1"])
    numbers = {"profile": {"display_name": "Zoë \U0001f600"}, "n": [1, True, None, "1"]}
    yield signs("claims", "Claims are signed as they are.", claims=numbers)
    short = signs("minute", "An issuer may say less than five minutes.", expires_at="2026-05-06T00:01:00.000Z")
    short["input"]["lifetime_seconds"] = 60
    yield short
    hour = signs("hour", "An hour is the most.", expires_at="2026-05-06T01:00:00.000Z")
    hour["input"]["lifetime_seconds"] = 3_600
    yield hour
    from tests.vectors._identity_rows import b64

    jose, signed_by = b64(b'{"alg":"EdDSA"}'), b64(bytes(64))
    for name, why, text in (
        ("slack-token", "A token that a platform gave acts for whoever has it.", "xoxb-1234567890-canary"),
        ("github-token", "A token that a platform gave acts for whoever has it.", "ghp_" + "aB3" * 12),
        ("cloud-key", "A key of a cloud acts for whoever has it.", "AKIAIOSFODNN7EXAMPLE"),
        ("discord-token", "A bot's token is the bot.", "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"),
        ("bearer", "An Authorization header acts for whoever has it.", "Bearer canarycanary"),
        ("basic", "An Authorization header acts for whoever has it.", "Basic YWxpY2U6c2VjcmV0"),
        ("jwt", "A signed token acts for whoever has it.", f"{jose}.{b64(b'{}')}.{signed_by}"),
        ("jwe", "A sealed token acts for whoever has it.", f"{jose}.aa.aa.aa.aa"),
        ("pem", "A key is its owner's alone.", "-----BEGIN PRIVATE KEY-----\nMC4CAQ=="),
    ):
        profile: Case = {"profile": {"extensions": {"x": [text]}}}
        yield says(f"claims-hold-{name}", why, {"claims": profile}, **MALFORMED)
    token = "xoxb-1234567890-canary"
    yield says("claims-name-token", "A name may be a token as well.", {"claims": {token: 1}}, **MALFORMED)
    yield says("source-holds-token", "What stands around is signed as well.", {"source": {"via": token}}, **MALFORMED)
    jwt = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJjYW5hcnkifQ.AAAA"
    for name, text in (
        ("basic-in-utf-8", "Basic w6R4OmNhbmFyeQ=="),
        ("jwt-behind-a-letter", f"x{jwt}"),
        ("jwt-behind-a-dash", f"canary-{jwt}"),
        ("jwt-behind-a-dot", f"canary.{jwt}"),
        ("slack-behind-letters", f"canary{token}"),
        ("slack-webhook", "https://hooks.slack.com/services/T00000000/B00000000/canary"),
        ("discord-webhook", "https://discord.com/api/webhooks/123456789012345678/canary-canary"),
        ("bearer-behind-a-blank", "Bearer\u00a0canary1234567890"),
        ("bearer-behind-nothing", "Bearer\u200bcanary1234567890"),
    ):
        why = "Whoever sees it can use it, whatever stands around."
        yield says(f"claims-hold-{name}", why, {"claims": {"note": text}}, **MALFORMED)
    for name, claims in {
        "password-in-an-object": {"password": {"value": "canary"}},
        "tokens-in-an-array": {"token": ["abc", "def"]},
        "password-as-number": {"password": 12345678},
        "header-pair": {"headers": [["Authorization", "canary"]]},
        "private-jwk": {"key": {"kty": "OKP", "crv": "Ed25519", "x": "A", "d": "canary"}},
        "private-prime": {"key": {"kty": "RSA", "n": "A", "e": "AQAB", "p": "canary"}},
        "signing-secret": {"slack_signing_secret": "canary"},
        "secret-access-key": {"SecretAccessKey": "canary"},
        "pwd": {"pwd": "canary"},
    }.items():
        why = "What is called a secret is one, in whatever form."
        yield says(f"claims-hold-{name}", why, {"claims": claims}, **MALFORMED)
    for name, members in {
        "id": {"id": f"slack:{token}"},
        "subject": {"subject": f"slack:{token}"},
        "method": {"method": f"urn:{token}"},
        "principal": {"on_behalf_of": [f"slack:{token}"]},
    }.items():
        yield says(f"{name}-holds-token", "Names are signed and sent as well.", members, **MALFORMED)
    under = {"claims": {"slack": {"access_token": "opaque"}}}
    yield says("claims-hold-named-token", "What is called a token is one.", under, **MALFORMED)
    honest: Case = {
        "profile": {"display_name": "Basic training", "url": "https://a.example/eyes.large.png"},
        "ids": ["slack:T123/U456", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
        "role": "Bearer of bad news",
    }
    yield signs("claims-honest", "Names, addresses and ids are no tokens.", claims=honest)
    nobody = "Evidence that nobody takes must not be sent."
    for name, members in {
        "too-long": {"lifetime_seconds": 3_601},
        "no-time": {"lifetime_seconds": 0},
        "backwards": {"lifetime_seconds": -60},
        "subject-odd": {"subject": "slack:T123/../T9"},
        "subject-name": {"subject": "alice"},
        "method-blank": {"method": "urn:x y"},
        "assurance-empty": {"assurance": ""},
        "issuer-url": {"issuer": f"https://{HOST}"},
        "issuer-capitals": {"issuer": "Slack.example"},
        "audience-typed": {"audience": "helper@agents.example"},
        "audience-capitals": {"audience": "@helper@Agents.example"},
        "audience-list": {"audience": [AGENT]},
        "id-empty": {"id": ""},
        "claims-array": {"claims": []},
        "claims-too-large": {"claims": {"note": "x" * 16_384}},
        "claims-number": {"claims": {"n": 2**53}},
        "principal-odd": {"on_behalf_of": ["alice"]},
        "principal-twice": {"on_behalf_of": ["slack:T123/U1", "slack:T123/U1"]},
        "principal-itself": {"on_behalf_of": [ALICE]},
        "delegated-by-nobody": {"assurance": "delegated"},
        "key-id-blank": {"key": {**KEY, "key_id": "my key"}},
        "key-id-empty": {"key": {**KEY, "key_id": ""}},
    }.items():
        yield says(name, nobody, members, **MALFORMED)


def _inputs() -> Iterator[Case]:
    def of(name: str, why: str, found: Case, data: bytes, **more: Any) -> Case:
        unit = {"evidence": found, **more}
        return one("signing-input", name, "D B13", why, unit, bytes=b64encode(data).decode())

    why = "All but the value of the proof, in canonical form."
    yield of("golden", why, golden(), signing_input(SEED))
    yield of(
        "golden-proof-removed",
        "All but the proof, in canonical form.",
        golden(),
        signing_input(SEED, removed=True),
        proof_removed=True,
    )
    yield of("unsigned", "Without a value it is the same.", SEED, signing_input(SEED))
    odd = signed(claims={"\U0001f600": 1, "\ufb33": "\u2028\u0007/é"}, more=[])
    yield of("names", "Unknown members count, and names are sorted by UTF-16.", odd, signing_input(odd))
    other = changed(proof={"created": "x"})
    yield of("proof-members", "Every other member of the proof counts.", other, signing_input(other))
    why = "Evidence without a proof cannot be signed."
    yield one("signing-input", "no-proof", "D B13", why, {"evidence": EVIDENCE}, **MALFORMED)


TRANSPORT: Case = {
    "issuer": "a.example",
    "subject": "@alice@a.example",
    "method": "urn:mentionable:auth:email-dkim:v0.1",
    "assurance": "domain",
    "audience": "agents.example",
    "issued_at": "2026-11-21T20:56:00.000Z",
    "principals": [],
    "claims": {},
    "source": {},
}
SHOWN = identity(signed())


def _roles() -> Iterator[Case]:
    def acl(name: str, why: str, grants: list[Case], shown: list[Case], roles: list[str], section: str = "R42") -> Case:
        found = {"agent": AGENT, "grants": grants, "identities": shown}
        return one("acl", name, section, why, found, value=roles)

    user = {"role": "user", "subject_prefixes": ["slack:T123/"], "methods": [METHOD]}
    admin = {"role": "admin", "subjects": [ALICE], "methods": [METHOD]}
    yield acl("roles", "Everybody of the workspace, and one more.", [user, admin], [SHOWN], ["admin", "user"])
    yield acl("no-grants", "Access is denied by default.", [], [SHOWN], [])
    yield acl("nobody", "Nobody has a role that nobody showed.", [user], [], [])
    why = "A name that begins alike is another name."
    yield acl("longer-workspace", why, [user], [{**SHOWN, "subject": "slack:T1234/U456"}], [])
    yield acl("longer-subject", why, [admin], [{**SHOWN, "subject": f"{ALICE}7"}], [])
    why = "Prefixes that nobody named take nobody."
    yield acl("control-character", why, [admin], [{**SHOWN, "subject": "\0x"}], [])
    yield acl("case", "Names are compared as they stand.", [user, admin], [{**SHOWN, "subject": "slack:t123/U456"}], [])
    why = "An agent that acts for somebody is not them."
    yield acl("principal", why, [admin], [{**SHOWN, "subject": "slack:T123/B1", "principals": [ALICE]}], [])
    why = "Evidence for another agent grants nothing here."
    yield acl("other-audience", why, [user, admin], [{**SHOWN, "audience": "@other@agents.example"}], [])
    narrow = "What narrows a grant must fit."
    for name, narrowed, other in (
        ("issuer", {"issuers": [HOST]}, {"issuer": OTHER_HOST}),
        ("method", {"methods": [METHOD]}, {"method": "urn:x"}),
        ("assurance", {"assurance": ["platform"]}, {"assurance": "oauth"}),
    ):
        yield acl(f"narrowed-by-{name}", narrow, [{**admin, **narrowed}], [SHOWN], ["admin"])
        yield acl(f"narrowed-by-{name}-away", narrow, [{**admin, **narrowed}], [{**SHOWN, **other}], [])
    mail = {"role": "user", "subjects": ["@alice@a.example"], "methods": [TRANSPORT["method"]]}
    yield acl("transport", "Whom the transport itself showed is shown.", [mail], [TRANSPORT], ["user"])
    why = "Whom a connector itself showed to another agent has no role here."
    own = {name: member for name, member in SHOWN.items() if name not in ("entry", "digest", "replay_key")}
    yield acl("connector", "Whom a connector itself showed is shown.", [user], [own], ["user"])
    yield acl("connector-other", why, [user, admin], [{**own, "audience": "@other@agents.example"}], [])
    yield acl(
        "several", "The roles of all who were shown together.", [mail, admin], [TRANSPORT, SHOWN], ["admin", "user"]
    )
    why = "A name in the claims is no ground for anything."
    named = {**SHOWN, "subject": "slack:T9/U9", "claims": {"profile": {"provider_subject": ALICE}}}
    yield acl("claims", why, [admin], [named], [], "BC")
    for name, grant in {
        "for-everybody": {"role": "user", "methods": [METHOD]},
        "prefix": {"role": "user", "subject_prefixes": ["slack:T1"], "methods": [METHOD]},
        "empty-prefix": {"role": "user", "subject_prefixes": [""], "methods": [METHOD]},
        "odd-subject": {"role": "user", "subjects": ["alice"], "methods": [METHOD]},
        "no-role": {"role": "", "subjects": [ALICE], "methods": [METHOD]},
        "no-methods": {"role": "user", "subjects": [ALICE]},
        "empty-methods": {"role": "user", "subjects": [ALICE], "methods": []},
    }.items():
        found = {"agent": AGENT, "grants": [grant], "identities": [SHOWN]}
        yield one("acl", f"grant-{name}", "R42", "A grant that takes anybody is a mistake.", found, **MALFORMED)


def _profiles() -> Iterator[Case]:
    def of(name: str, why: str, said: Any, value: Any) -> Case:
        claims = said if name == "no-claims" else {"profile": said}
        return one("profile", name, "BC", why, {"identity": {**SHOWN, "claims": claims}}, value=value)

    whole = SEED["claims"]["profile"]
    more = {**whole, "url": "https://a.example/alice", "fetched_at": "2026-11-21T20:00:00Z"}
    yield of("whole", "What the guide names is shown.", more, more)
    yield of("no-claims", "Nothing is said.", {}, None)
    yield of("text", "A profile is an object.", "Alice", None)
    yield of("empty", "Nothing is said.", {}, None)
    private = {"email": "alice@a.example", "phone": "1", "status_text": "away", "is_admin": True}
    yield of("private", "What is not for everybody is left out.", {**PROFILE, **private}, PROFILE)
    for name, member in {
        "name-number": {"display_name": 7},
        "name-object": {"display_name": {"text": "Alice"}},
        "name-empty": {"display_name": " "},
        "name-long": {"display_name": "x" * 1_025},
        "url-script": {"url": "javascript:alert(1)"},
        "url-number": {"url": 7},
        "avatar-http": {"avatar": {"url": "http://a.example/a.png"}},
        "avatar-text": {"avatar": "https://a.example/a.png"},
        "avatar-data": {"avatar": {"url": "data:image/png;base64,AA=="}},
        "time-odd": {"fetched_at": "yesterday"},
        "time-number": {"fetched_at": 7},
        "other-subject": {"provider_subject": "slack:T123/U1"},
        "extensions-text": {"extensions": "x"},
        "extensions-empty": {"extensions": {}},
    }.items():
        kept = {key: value for key, value in PROFILE.items() if key not in member}
        yield of(name, "What cannot be shown is left out, and nothing else.", {**PROFILE, **member}, kept)
    lines = {"display_name": "Alice\r\n\u202eecilA\u0000", "username": "  alice "}
    yield of(
        "one-line",
        "A name is one line and turns nothing around.",
        lines,
        {"display_name": "Alice ecilA", "username": "alice"},
    )
    secret = {"extensions": {"slack": {"team_id": "T123", "access_token": "xoxb-1"}}}
    kept = {"extensions": {"slack": {"team_id": "T123", "access_token": "[redacted]"}}}
    yield of("secrets", "Tokens are passed on to nobody.", secret, kept)
    picture = {"avatar": {"url": "https://a.example/a.png", "width": 72, "track": "x"}}
    yield of("avatar", "Of a picture its address is kept.", picture, {"avatar": {"url": "https://a.example/a.png"}})


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What these files hold."""
    yield "policy", "identity.trust_policy", "Trust policies as operators write them.", _policies()
    yield "attest", "identity.attest", "Evidence as a connector signs it.", _attest()
    yield "signing-input", "identity.signing_input", "The bytes that are signed.", _inputs()
    yield "acl", "identity.acl", "Roles of verified identities.", _roles()
    yield "profile", "identity.profile", "What the claims of an identity show.", _profiles()
