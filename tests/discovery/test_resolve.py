"""From an address to an agent that can be called."""

from __future__ import annotations

import pytest

from mentionable import Answers, Limits, Rejected, UsageError, drive, replace
from mentionable import Settings as AnySettings
from mentionable._flow.settings import DEFAULTS
from mentionable.discovery import (
    ActivityPubSection,
    MentionableSection,
    ResolvedAgent,
    RestSection,
    Settings,
    resolve_agent,
    sign_card,
    write_a2a_card,
    write_agent_card,
    write_jrd,
)
from mentionable.flows import Pending, resume
from mentionable.testing import LookupTable
from tests.discovery.cards import A2A, ADDRESS, CARD, CARD_URL, ED25519, ED25519_JWK, JRD_URL, RPC, V03, V1, pinned

JRD = write_jrd(ADDRESS, agent_card=CARD_URL)
DOCUMENT = write_agent_card(CARD)
BOTH = write_agent_card(CARD, a2a=write_a2a_card(A2A))
SIGNED = write_agent_card(CARD, a2a=sign_card(A2A, key=ED25519))
CANONICAL = "https://mentionable.dev/ns/rel/agent-card"


def resolve(jrd=JRD, card=DOCUMENT, address=ADDRESS, settings=DEFAULTS, **rows):
    """What comes of it, and what was asked. A row is a document, or an answer as tables write them."""
    lookups = {
        JRD_URL: jrd if is_row(jrd) else {"json": jrd, "content_type": "application/jrd+json"},
        CARD_URL: card if is_row(card) else {"json": card},
        **rows,
    }
    table = LookupTable({f"GET {url}": row for url, row in lookups.items()})
    return drive(resolve_agent(address, settings=settings), table.answer), table.asked


def is_row(value):
    return bool({"status", "failed", "body", "json"} & value.keys())


def code_of(found):
    assert isinstance(found, Rejected), found
    return found.code


def refused(**changes):
    found, asked = resolve(**changes)
    return code_of(found), len(asked)


def test_the_domain_names_the_card_and_the_card_names_the_address():
    found, asked = resolve()
    assert isinstance(found, ResolvedAgent)
    assert (found.address, found.card, found.card_url) == (ADDRESS, CARD, CARD_URL)
    assert [(one.url, one.dialect) for one in found.endpoints] == [(RPC, "0.3")]
    assert (found.rest, found.actor, found.mailbox, found.profile_page, found.signed) == (None,) * 5
    assert asked == [f"GET {JRD_URL}", f"GET {CARD_URL}"]


def test_the_asks_say_what_they_are_for():
    first = resume(resolve_agent(ADDRESS), {})
    assert isinstance(first, Pending)
    (ask,) = first.asks
    assert (ask.purpose, ask.accept) == ("webfinger", "application/jrd+json, application/json")
    assert ask.max_bytes == 65_536


def test_all_ways_to_reach_it_are_told():
    jrd = write_jrd(
        ADDRESS,
        agent_card=CARD_URL,
        actor="https://agents.example/helper",
        profile_page="https://agents.example/@helper",
        mailto="helper@agents.example",
    )
    rich = replace(
        CARD,
        activitypub=ActivityPubSection(actor="https://agents.example/other"),
        mentionable=MentionableSection(
            supported_inbound=("a2a", "rest"),
            homepage="https://agents.example",
            rest=RestSection(endpoint="https://agents.example/rest"),
        ),
    )
    found, _ = resolve(jrd=jrd, card=write_agent_card(rich))
    assert found.rest == "https://agents.example/rest"
    assert found.actor == "https://agents.example/helper"
    assert found.profile_page == "https://agents.example/@helper"
    assert found.mailbox == "helper@agents.example"
    found, _ = resolve(card=write_agent_card(rich))
    assert (found.actor, found.profile_page) == ("https://agents.example/other", "https://agents.example")


def test_only_public_places_are_told():
    rich = replace(
        CARD,
        a2a=replace(CARD.a2a, endpoint="https://localhost/a2a"),
        activitypub=ActivityPubSection(actor="https://10.0.0.1/actor"),
        mentionable=MentionableSection(supported_inbound=(), rest=RestSection(endpoint="https://a.internal/rest")),
    )
    found, _ = resolve(card=write_agent_card(rich))
    assert (found.endpoints, found.rest, found.actor) == ((), None, None)
    assert found.endpoint() is None


def test_the_interfaces_of_an_a2a_card_in_the_same_document_come_first():
    found, _ = resolve(card=BOTH)
    assert found.endpoints == (V1.endpoint, V03.endpoint)
    assert found.endpoint() == V1.endpoint
    assert found.endpoint(dialects=("0.3",)) == V03.endpoint
    assert found.endpoint(dialects=("0.3-rest",)) is None
    elsewhere = replace(CARD, a2a=replace(CARD.a2a, endpoint="https://agents.example/old"))
    found, _ = resolve(card=write_agent_card(elsewhere, a2a=write_a2a_card(A2A)))
    assert [one.url for one in found.endpoints] == [RPC, RPC, "https://agents.example/old"]


@pytest.mark.parametrize(
    ("transport", "version", "dialect"),
    [
        ("https+jsonrpc", None, "0.3"),
        ("https+jsonrpc", "1.0", "1.0"),
        ("https+json", None, "0.3-rest"),
        ("https+sse", "1.0", "1.0-rest"),
        ("HTTP+JSON", "1.0", "1.0-rest"),
        ("pigeons", None, None),
    ],
)
def test_the_section_of_the_card_says_how_it_is_called(transport, version, dialect):
    section = replace(CARD.a2a, transport=transport, protocol_version=version)
    found, _ = resolve(card=write_agent_card(replace(CARD, a2a=section)))
    assert [one.dialect for one in found.endpoints] == ([dialect] if dialect else [])


def test_the_older_relation_and_the_older_card_are_read():
    jrd = {**JRD, "links": [{"rel": "https://mentionable.dev/agent-card", "href": CARD_URL}]}
    found, _ = resolve(jrd=jrd, card={"preferred_address": ADDRESS, "url": RPC})
    assert [one.url for one in found.endpoints] == [RPC]


def test_the_address_is_the_one_that_the_domain_writes():
    url = JRD_URL.replace("helper", "Helper")
    found, _ = resolve(address="@Helper@agents.example", **{url: {"json": JRD}})
    assert found.address == ADDRESS


def test_documents_may_have_been_redirected_to_places_that_may_be_asked():
    elsewhere = {"url": "https://www.agents.example/x", "json": JRD}
    found, _ = resolve(jrd=elsewhere, card={"url": "https://cdn.example/card", "json": DOCUMENT})
    assert found.card_url == "https://cdn.example/card"
    assert refused(jrd={**elsewhere, "url": "http://agents.example/x"}) == ("agent-unknown", 1)
    assert refused(card={"url": "https://10.0.0.1/card", "json": DOCUMENT}) == ("agent-unknown", 2)


@pytest.mark.parametrize(
    "jrd",
    [
        {"status": 404},
        {"status": 410},
        {"status": 200, "body": "x"},
        {"json": JRD, "content_type": "text/html"},
        {"failed": "no such host", "temporary": False},
        {**JRD, "subject": "acct:other@agents.example"},
        {**JRD, "subject": "acct:helper@other.example"},
        {**JRD, "subject": None},
        {**JRD, "links": []},
        {**JRD, "links": [{"rel": CANONICAL, "href": "http://agents.example/card"}]},
        {**JRD, "links": [{"rel": CANONICAL, "href": "https://127.0.0.1/card"}]},
        {**JRD, "links": [{"rel": CANONICAL, "href": "https://agents.local/card"}]},
        {"json": {**JRD, "x": "y" * 65_536}},
    ],
)
def test_whoever_the_domain_does_not_name_is_unknown(jrd):
    assert refused(jrd=jrd) == ("agent-unknown", 1)


@pytest.mark.parametrize("row", [{"failed": "timeout"}, {"status": 503}, {"status": 429}])
def test_what_may_be_had_later_is_unresolvable(row):
    assert refused(jrd=row) == ("agent-unresolvable", 1)
    assert refused(card=row) == ("agent-unresolvable", 2)


@pytest.mark.parametrize(
    ("card", "code"),
    [
        ({"status": 404}, "agent-unknown"),
        ({"failed": "refused", "temporary": False}, "agent-unknown"),
        ({"json": DOCUMENT, "content_type": "text/html"}, "agent-unknown"),
        ({"json": DOCUMENT, "content_type": "application/ld+json; profile=x"}, None),
        ({**DOCUMENT, "address": "@other@agents.example"}, "agent-card-mismatch"),
        ({**DOCUMENT, "address": "@Helper@agents.example"}, "agent-card-mismatch"),
        ({"name": "x"}, "malformed"),
        ({"body": "{", "content_type": "application/json"}, "invalid-json"),
        ({**DOCUMENT, "x": "y" * 65_536}, "too-large"),
        ({**BOTH, "supportedInterfaces": 5}, "malformed"),
    ],
)
def test_a_card_is_one_of_that_address(card, code):
    found, _ = resolve(card=card)
    assert isinstance(found, ResolvedAgent) if code is None else code_of(found) == code


@pytest.mark.parametrize(
    "address", ["@helper@printer.local", "@helper@agents.localhost", "@helper@db.internal", "@helper@x.onion"]
)
def test_nothing_is_asked_for_addresses_that_are_not_public(address):
    assert refused(address=address) == ("agent-unknown", 0)


def test_offline_it_is_unresolvable():
    assert code_of(drive(resolve_agent(ADDRESS), Answers())) == "agent-unresolvable"
    assert drive(resolve_agent(ADDRESS), Answers()).temporary


@pytest.mark.parametrize(("asks", "expected"), [(0, ("agent-unknown", 0)), (1, ("agent-unknown", 1)), (2, None)])
def test_asks_are_bounded(asks, expected):
    settings = AnySettings(limits=Limits(asks=asks))
    found, asked = resolve(settings=settings)
    assert isinstance(found, ResolvedAgent) if expected is None else (code_of(found), len(asked)) == expected


def test_arguments_are_checked():
    with pytest.raises(UsageError, match="not an agent address"):
        resolve_agent("helper")
    with pytest.raises(UsageError, match="settings"):
        resolve_agent(ADDRESS, settings=None)


# --- signatures


def test_what_is_signed_is_all_that_is_given():
    card = {**SIGNED, "url": "https://evil.example/a2a", "protocolVersion": "0.3"}
    card["mentionable"] = {**card["mentionable"], "rest": {"endpoint": "https://evil.example/rest"}}
    card["a2a"] = {**card["a2a"], "endpoint": "https://evil.example/a2a"}
    found, _ = resolve(card=card, settings=pinned(ED25519_JWK))
    assert (found.card, found.rest) == (None, None)
    assert found.endpoints == (V1.endpoint, V03.endpoint)
    assert found.signed.card == A2A
    assert "evil" not in repr(found)


@pytest.mark.parametrize(
    ("card", "settings", "code"),
    [
        (BOTH, pinned(ED25519_JWK), "agent-card-unsigned"),
        (DOCUMENT, pinned(ED25519_JWK), "agent-card-unsigned"),
        ({**SIGNED, "supportedInterfaces": []}, pinned(ED25519_JWK), "agent-card-signature-invalid"),
        (SIGNED, pinned(ED25519_JWK, domain="other.example", require_signed_cards=True), "agent-card-key-unknown"),
        (SIGNED, Settings(require_signed_cards=True), "agent-card-key-unknown"),
        (BOTH, Settings(require_signed_cards=True), "agent-card-unsigned"),
    ],
)
def test_a_signature_that_is_wanted_must_fit(card, settings, code):
    found, _ = resolve(card=card, settings=settings)
    assert code_of(found) == code


def test_a_signature_that_is_not_wanted_is_not_looked_at():
    found, _ = resolve(card=SIGNED, settings=pinned(ED25519_JWK, domain="other.example"))
    assert (found.signed, found.endpoints) == (None, (V1.endpoint, V03.endpoint))


ODD_JRD = {
    **JRD,
    "links": [5, *JRD["links"], {"rel": "self", "type": 5, "href": "https://agents.example/x"}],
    "aliases": 5,
}
ODD_PLACES = ["/webfinger/links/0", "/webfinger/links/2/type", "/webfinger/aliases"]


def test_what_is_left_out_of_what_a_domain_says_is_named_each_time():
    for _ in range(2):  # the second time the document is remembered
        found, _ = resolve(jrd=ODD_JRD, card={**DOCUMENT, "description": 5})
        assert [note.at for note in found.diagnostics] == [*ODD_PLACES, "/description"]
    found, _ = resolve(jrd=ODD_JRD, card=SIGNED, settings=pinned(ED25519_JWK))
    assert [note.at for note in found.diagnostics] == ODD_PLACES
    found, _ = resolve(jrd=ODD_JRD)
    assert (found.card_url, found.actor) == (CARD_URL, None)


def test_whoever_is_not_found_learns_what_was_left_out():
    found, asked = resolve(jrd={"subject": "acct:helper@agents.example", "links": {"rel": CANONICAL}})
    assert (code_of(found), len(asked)) == ("agent-unknown", 1)
    assert [problem.at for problem in found.problems] == ["", "/webfinger/links"]
