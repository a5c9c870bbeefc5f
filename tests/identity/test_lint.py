"""Mistakes in trust and roles that are found before they matter."""

from __future__ import annotations

import pytest

from mentionable import identity
from tests.vectors._identity_rows import AGENT, ALICE, ENTRY, GONE, HOST, METHOD, OTHER_HOST, entry

MAIL = "urn:mentionable:auth:email-dkim:v0.1"
GRANT = {"role": "user", "subject_prefixes": ["slack:T123/"], "methods": [METHOD]}
AT = f"/agents/{AGENT}"


def of(*entries, grants=()):
    found = identity.lint({"entries": list(entries), "agents": {AGENT: list(grants)}})
    assert all(finding.detail and finding.advice for finding in found)
    return [(finding.kind, finding.at) for finding in found]


def test_a_good_document_has_no_findings():
    admin = {"role": "admin", "subjects": [ALICE], "methods": [METHOD], "issuers": [HOST], "assurance": ["platform"]}
    mail = {"role": "admin", "subjects": ["@alice@a.example"], "methods": [MAIL], "issuers": ["a.example"]}
    assert of(ENTRY, entry(subject_prefixes=["slack:T9/"]), grants=[GRANT, admin, mail]) == []
    assert identity.lint({}) == ()


def test_an_array_has_places_without_a_name_in_front():
    assert [finding.at for finding in identity.lint([entry(methods=[])])] == ["/0"]


def test_a_document_that_cannot_be_read_gives_a_finding_for_each_fault():
    found = identity.lint({"entry": 7, "agents": {AGENT: [{"role": "user", "subjects": [ALICE]}]}})
    assert [(finding.kind, finding.at) for finding in found] == [
        ("invalid", "/entry"),
        ("methods-missing", f"{AT}/0/methods"),
    ]


def test_what_was_read_has_the_findings_of_its_document():
    document = {"entries": [ENTRY, ENTRY]}
    assert identity.lint(identity.read_trust(document)) == identity.lint(document) != ()


@pytest.mark.parametrize(
    "later",
    [
        ENTRY,
        entry(subject_prefixes=["slack:T123/C1/"]),
        entry(subject_prefixes=GONE, subjects=[ALICE]),
        entry(forwarding=True),
    ],
)
def test_an_entry_that_an_earlier_one_covers_is_dead(later):
    assert of(ENTRY, later) == [("dead", "/entries/1")]


def test_an_address_is_covered_by_its_domain():
    whole = entry(subject_prefixes=GONE, subject_domains=["a.example"])
    assert of(whole, entry(subject_prefixes=GONE, subjects=["@alice@a.example"])) == [("dead", "/entries/1")]
    assert of(whole, entry(subject_prefixes=GONE, subjects=["@alice@b.example"])) == []


@pytest.mark.parametrize("empty", [{"methods": []}, {"assurance": []}, {"subject_prefixes": []}])
def test_an_entry_with_an_empty_list_is_dead(empty):
    assert of(entry(**empty), ENTRY) == [("dead", "/entries/0")]


@pytest.mark.parametrize(
    "later",
    [
        entry(subject_prefixes=["slack:T123/", "slack:T9/"]),
        entry(methods=[METHOD, "urn:x"]),
        entry(subject_prefixes=["slack:T123/C1/"], assurance=["platform", "oauth"]),
        entry(subject_prefixes=GONE, subjects=[ALICE, "slack:T9/U1"]),
    ],
)
def test_entries_of_an_issuer_with_something_in_common_overlap(later):
    assert of(ENTRY, later) == [("overlapping", "/entries/1")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (entry(subject_prefixes=GONE, subjects=[ALICE], methods=[METHOD, "urn:x"]), entry(methods=[METHOD, "urn:y"])),
        (
            entry(subject_prefixes=GONE, subject_domains=["a.example"], methods=[METHOD, "urn:x"]),
            entry(subject_prefixes=GONE, subject_domains=["a.example", "b.example"]),
        ),
    ],
)
def test_overlaps_are_seen_from_both_sides(first, second):
    assert of(first, second) == [("overlapping", "/entries/1")]


@pytest.mark.parametrize(
    "other",
    [
        entry(issuer=OTHER_HOST),
        entry(methods=["urn:x"]),
        entry(assurance=["oauth"]),
        entry(subject_prefixes=["slack:T1234/"]),
    ],
)
def test_entries_that_differ_in_a_member_do_not_overlap(other):
    assert of(ENTRY, other) == []


@pytest.mark.parametrize("prefix", ["slack:", "https:", "https://", "did:"])
def test_a_whole_platform_is_over_broad(prefix):
    assert of(entry(subject_prefixes=[prefix])) == [("over-broad", "/entries/0/subject_prefixes/0")]
    assert of(entry(delegation=[prefix], max_delegation=1)) == [("over-broad", "/entries/0/delegation/0")]
    grant = {**GRANT, "subject_prefixes": ["slack:T123/", prefix]}
    assert ("over-broad", f"{AT}/0/subject_prefixes/1") in of(ENTRY, grants=[grant])


@pytest.mark.parametrize("domain", ["gmail.com", "gmx.de", "co.uk", "github.io"])
def test_a_domain_where_strangers_have_addresses_is_over_broad(domain):
    found = of(entry(subject_prefixes=GONE, subject_domains=["a.example", domain]))
    assert found == [("over-broad", "/entries/0/subject_domains/1")]


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"methods": [METHOD, "*"]}, "methods/1"),
        ({"assurance": ["platform", "*"]}, "assurance/1"),
        ({"subjects": ["slack:T9/*"]}, "subjects/0"),
        ({"subject_prefixes": ["slack:*/"]}, "subject_prefixes/0"),
    ],
)
def test_a_star_is_named_as_no_wild_card(members, place):
    assert of(entry(**members)) == [("wildcard", f"/entries/0/{place}")]


def test_a_grant_that_gives_nothing_new_is_dead():
    assert of(ENTRY, grants=[GRANT, {**GRANT, "issuers": [HOST]}]) == [("dead", f"{AT}/1")]
    assert of(ENTRY, grants=[{**GRANT, "issuers": [HOST]}, GRANT]) == [("dead", f"{AT}/0")]
    wide = {**GRANT, "subject_prefixes": ["slack:T123/", "slack:T9/"], "issuers": [HOST]}
    assert of(ENTRY, grants=[GRANT, wide]) == [("overlapping", f"{AT}/1")]
    assert of(ENTRY, grants=[GRANT, {**GRANT, "role": "admin"}]) == []


def test_a_grant_that_no_entry_leads_to_is_dead():
    assert of(ENTRY, grants=[{**GRANT, "subject_prefixes": ["slack:T9/"]}]) == [("dead", f"{AT}/0")]
    assert of(ENTRY, grants=[{**GRANT, "assurance": ["oauth"]}]) == [("dead", f"{AT}/0")]


def test_an_issuer_without_an_entry_is_named():
    assert of(ENTRY, grants=[{**GRANT, "issuers": [HOST, OTHER_HOST]}]) == [("issuer-unknown", f"{AT}/0/issuers/1")]


def test_a_method_of_no_entry_is_named():
    found = of(ENTRY, grants=[{**GRANT, "methods": [METHOD, "urn:x", MAIL]}])
    assert found == [("method-unknown", f"{AT}/0/methods/1")]


@pytest.mark.uncounted
def test_a_thousand_entries_that_overlap_give_one_finding_each():
    def nth(number):
        return entry(subject_prefixes=["slack:T123/", f"slack:T{number}/"], methods=[METHOD, f"urn:{number}"])

    found = of(*map(nth, range(1_000, 2_000)))
    assert found == [("overlapping", f"/entries/{number}") for number in range(1, 1_000)]


def test_a_grant_that_a_wider_one_covers_is_dead_once():
    wide = [{**GRANT, "subject_prefixes": ["slack:T123/", *(f"slack:T{n}/" for n in range(count))]} for count in (1, 2)]
    entries = [entry(subject_prefixes=["slack:T123/", "slack:T0/", "slack:T1/"])]
    assert of(*entries, grants=[GRANT, *wide]) == [("dead", f"{AT}/0"), ("dead", f"{AT}/1")]


def test_of_more_findings_than_a_thousand_the_last_says_how_many():
    stars = [f"*{number}" for number in range(1_003)]
    found = identity.lint([entry(methods=stars)])
    assert (len(found), found[998].kind, found[998].at) == (1_000, "wildcard", "/0/methods/998")
    assert (found[999].kind, found[999].at, found[999].detail) == ("truncated", "", "4 more findings")
    assert len(identity.lint([entry(methods=stars[:1_000])])) == 1_000
