"""Trust and roles as one document: `identity/{config,lint,explain}.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._identity_rows import AGENT, ALICE, ENTRY, GONE, HOST, METHOD, OTHER_HOST, Case, entry, one

if TYPE_CHECKING:
    from collections.abc import Iterator

MALFORMED = {"rejected": {"code": "malformed"}}
MAIL = "urn:mentionable:auth:email-dkim:v0.1"
GRANT = {"role": "user", "subject_prefixes": ["slack:T123/"], "methods": [METHOD]}
AT = f"/agents/{AGENT}"


def _configs() -> Iterator[Case]:
    def reads(name: str, why: str, document: Any, trust: Case, **agents: list[Case]) -> Case:
        value = {"trust": {"entries": [], "max_lifetime": 300, "skew": 60, **trust}, "agents": agents}
        return one("config", name, "R65", why, {"document": document}, value=value)

    def refuses(name: str, why: str, document: Any) -> Case:
        return one("config", name, "R65", why, {"document": document}, **MALFORMED)

    yield reads("as-printed", "The policy of the guide is read as it is printed.", [ENTRY], {"entries": [ENTRY]})
    yield reads("empty", "A document that names no issuer trusts none.", {}, {})
    whole = {"entries": [entry(max_lifetime=60)], "max_lifetime": 200, "skew": 0}
    admin = {**GRANT, "role": "admin", "issuers": [HOST], "assurance": ["platform"]}
    document = {**whole, "agents": {AGENT: [GRANT, admin]}}
    yield reads("whole", "One document has the policy and the roles.", document, whole, **{AGENT: [GRANT, admin]})
    bare = entry(methods=GONE, assurance=GONE)
    defaults = {"methods": [METHOD], "assurance": ["platform"]}
    document = {"defaults": defaults, "entries": [bare, entry(methods=["urn:x"])]}
    both = {"entries": [ENTRY, entry(methods=["urn:x"])]}
    yield reads("defaults", "A default is for entries that name nothing else.", document, both)
    why = "A default fills in what is absent, and nothing that is there."
    document = {"defaults": defaults, "entries": [entry(methods=[])]}
    yield reads("defaults-empty-list", why, document, {"entries": [entry(methods=[])]})
    why = "A grant without methods lets in by whatever method verifies an address."
    for name, methods in {"absent": GONE, "empty": [], "null": None, "text": METHOD}.items():
        grant = {member: value for member, value in {**GRANT, "methods": methods}.items() if value is not GONE}
        yield refuses(f"grant-methods-{name}", why, {"agents": {AGENT: [grant]}})
    why = "A misspelt member would change who is trusted."
    yield refuses("unknown", why, {"entry": [ENTRY]})
    yield refuses("unknown-in-entry", why, {"entries": [{**ENTRY, "subject_prefix": "slack:T1/"}]})
    yield refuses("unknown-in-default", why, {"defaults": {"forwarding": True}, "entries": [ENTRY]})
    yield refuses("unknown-in-grant", why, {"agents": {AGENT: [{**GRANT, "issuer": HOST}]}})
    why = "An empty list is ambiguous."
    yield refuses("grant-issuers-empty", why, {"agents": {AGENT: [{**GRANT, "issuers": []}]}})
    yield refuses("entry-thumbprints-empty", why, {"entries": [entry(thumbprints=[])]})
    yield refuses("grant-assurance-empty", why, {"agents": {AGENT: [{**GRANT, "assurance": []}]}})
    why = "What does not fit refuses the document as a whole."
    for name, odd in {
        "number": 7,
        "defaults-list": {"defaults": []},
        "agents-list": {"agents": [GRANT]},
        "agent-name": {"agents": {"helper": [GRANT]}},
        "grants-object": {"agents": {AGENT: GRANT}},
        "grant-text": {"agents": {AGENT: ["user"]}},
        "grant-no-role": {"agents": {AGENT: [{"subjects": [ALICE], "methods": [METHOD]}]}},
        "grant-role-blank": {"agents": {AGENT: [{**GRANT, "role": " admin"}]}},
        "grant-role-two-words": {"agents": {AGENT: [{**GRANT, "role": "admin user"}]}},
        "grant-role-invisible": {"agents": {AGENT: [{**GRANT, "role": "user\u200b"}]}},
        "grant-no-subjects": {"agents": {AGENT: [{"role": "user", "methods": [METHOD]}]}},
        "grant-prefix": {"agents": {AGENT: [{**GRANT, "subject_prefixes": ["slack:T1"]}]}},
        "entry-lifetime": {"entries": [entry(max_lifetime=3_601)]},
        "entry-lifetime-zero": {"entries": [entry(max_lifetime=0)]},
    }.items():
        yield refuses(name, why, odd)


def _findings() -> Iterator[Case]:
    def finds(name: str, why: str, *found: tuple[str, str], entries: list[Case], grants: tuple[Case, ...] = ()) -> Case:
        document = {"entries": entries, "agents": {AGENT: list(grants)}}
        value = [{"kind": kind, "at": at} for kind, at in found]
        return one("lint", name, "R65", why, {"document": document}, level="SHOULD", value=value)

    mail = {"role": "user", "subjects": ["@alice@a.example"], "methods": [MAIL], "issuers": ["a.example"]}
    yield finds("good", "Nothing is wrong.", entries=[ENTRY], grants=(GRANT, mail))
    why = "The first entry that fits decides."
    yield finds("dead", why, ("dead", "/entries/1"), entries=[ENTRY, entry(subject_prefixes=["slack:T123/C1/"])])
    yield finds("overlapping", why, ("overlapping", "/entries/1"), entries=[ENTRY, entry(methods=[METHOD, "urn:x"])])
    three = [ENTRY, entry(methods=[METHOD, "urn:x"]), entry(assurance=["platform", "oauth"])]
    found = ("overlapping", "/entries/1"), ("overlapping", "/entries/2")
    yield finds("overlapping-first-pair", "One pair of each entry is enough to see it.", *found, entries=three)
    yield finds("apart", why, entries=[ENTRY, entry(subject_prefixes=["slack:T1234/"]), entry(issuer=OTHER_HOST)])
    broad = entry(subject_prefixes=["slack:"])
    yield finds("platform", "Everyone of a platform.", ("over-broad", "/entries/0/subject_prefixes/0"), entries=[broad])
    public = entry(subject_prefixes=GONE, subject_domains=["a.example", "gmail.com", "co.uk"])
    at = "/entries/0/subject_domains"
    found = ("over-broad", f"{at}/1"), ("over-broad", f"{at}/2")
    yield finds("public-domain", "Strangers have addresses there.", *found, entries=[public])
    star = entry(methods=[METHOD, "*"])
    yield finds("wildcard", "There are no wild cards.", ("wildcard", "/entries/0/methods/1"), entries=[star])
    strange = {**GRANT, "issuers": [OTHER_HOST]}
    why = "An issuer without an entry attests to nothing."
    yield finds("issuer", why, ("issuer-unknown", f"{AT}/0/issuers/0"), entries=[ENTRY], grants=(strange,))
    odd = {**GRANT, "methods": [METHOD, "urn:x"]}
    why = "A method of no entry verifies no subject."
    yield finds("method", why, ("method-unknown", f"{AT}/0/methods/1"), entries=[ENTRY], grants=(odd,))
    away = {**GRANT, "subject_prefixes": ["slack:T9/"]}
    yield finds("no-way", "No entry leads there.", ("dead", f"{AT}/0"), entries=[ENTRY], grants=(away,))
    bare = {"role": "user", "subjects": ["@alice@a.example"]}
    why = "The weakest method that verifies an address would give the role."
    yield finds("methods", why, ("methods-missing", f"{AT}/0/methods"), entries=[ENTRY], grants=(bare,))


def _explanations() -> Iterator[Case]:
    admin = {"role": "admin", "subjects": [ALICE, "@alice@a.example"], "methods": [METHOD, MAIL]}
    document = {"entries": [entry(issuer=OTHER_HOST), ENTRY], "agents": {AGENT: [GRANT, admin]}}

    def explains(name: str, why: str, value: Case, **members: Any) -> Case:
        statement = {"issuer": HOST, "subject": ALICE, "method": METHOD, "assurance": "platform", **members}
        unit = {"document": document, "agent": members.pop("agent", AGENT), **statement}
        nothing = {"verified_by": None, "roles": [], "grants": [], "step": None, "code": None}
        return one("explain", name, "R65", why, unit, level="SHOULD", value={**nothing, **value})

    both = {"verified_by": "/entries/1", "roles": ["admin", "user"], "grants": [f"{AT}/0", f"{AT}/1"]}
    yield explains("roles", "The entry and the grants that decide are named.", both)
    one_role = {"verified_by": "/entries/1", "roles": ["user"], "grants": [f"{AT}/0"]}
    yield explains("one-role", "A grant is for those that it names.", one_role, subject="slack:T123/U1")
    mail = {"verified_by": "transport", "roles": ["admin"], "grants": [f"{AT}/1"]}
    why = "What a transport verifies itself needs no entry."
    by_mail = {"subject": "@alice@a.example", "method": MAIL, "issuer": "a.example"}
    yield explains("transport", why, mail, **by_mail, assurance="domain")
    refused = {"step": "trust", "code": "issuer-untrusted"}
    yield explains("transport-other-assurance", why, refused, **by_mail, assurance="oauth")
    why = "No mail is verified by the domain of a stranger."
    yield explains("transport-of-a-stranger", why, refused, **{**by_mail, "issuer": "evil.example"}, assurance="domain")
    yield explains("other-agent", "Roles are those of one agent.", {"verified_by": "/entries/1"}, agent="@b@c.example")
    for name, code, members in (
        ("issuer", "issuer-untrusted", {"issuer": "a.example"}),
        ("method", "method-untrusted", {"method": "urn:x"}),
        ("assurance", "assurance-untrusted", {"assurance": "oauth"}),
        ("subject", "subject-out-of-scope", {"subject": "slack:T9/U1"}),
    ):
        yield explains(name, "The step that refuses is named.", {"step": "trust", "code": code}, **members)
    why = "It is what verification says."
    yield explains("no-host", why, {"step": "syntax", "code": "issuer-malformed"}, issuer="https://a.example/")


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    """What these files hold."""
    yield "config", "identity.read_trust", "Trust and roles as operators write them.", _configs()
    yield "lint", "identity.lint", "Mistakes in trust and roles.", _findings()
    yield "explain", "identity.explain", "Who would be let in by what.", _explanations()
