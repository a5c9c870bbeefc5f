"""The list of a domain's agents."""

from __future__ import annotations

import json

import pytest

from mentionable import Limits, Settings, UsageError, WireError, evolve
from mentionable.discovery import AgentDirectory, ListedAgent, directory_response, read_directory, write_directory
from tests.discovery.cards import ADDRESS, CARD_URL

HELPER = ListedAgent(
    address=ADDRESS,
    name="Helper",
    card_url=CARD_URL,
    description="Helps.",
    protocols=("a2a",),
    extra={"telephone": "1"},
)
OTHER = ListedAgent(address="@other@agents.example", name="Other", card_url=f"{CARD_URL}2")
HOME = AgentDirectory(name="Agents", url="https://agents.example", agents=(HELPER, OTHER), extra={"logo": "x"})
WHOLE = write_directory(HOME)
POINT = WHOLE["contactPoint"][0]


def read(**changes):
    return read_directory(json.dumps({**WHOLE, **changes}).encode())


def read_point(**changes):
    return read(contactPoint=[{**POINT, **changes}]).agents


def test_it_is_an_organization_of_schema_org():
    assert (WHOLE["@context"], WHOLE["@type"], WHOLE["logo"]) == ("https://schema.org", "Organization", "x")
    assert POINT == {
        "@type": "ContactPoint",
        "contactType": "AI assistant",
        "name": "Helper",
        "email": "helper@agents.example",
        "url": CARD_URL,
        "description": "Helps.",
        "https://mentionable.dev/ns/v1#protocols": ["a2a"],
        "https://mentionable.dev/ns/v1#webfinger": "acct:helper@agents.example",
        "telephone": "1",
    }
    assert "description" not in WHOLE["contactPoint"][1]


def test_what_is_written_is_read():
    assert read_directory(directory_response(HOME).body) == HOME
    assert directory_response(HOME).header("content-type") == "application/json"


def test_contact_points_that_are_no_agents_are_left_out():
    desk = {"@type": "ContactPoint", "contactType": "customer service", "telephone": "1"}
    assert read(contactPoint=[desk, "x", POINT]).agents == (HELPER,)
    assert read(contactPoint=POINT).agents == (HELPER,)
    document = {name: member for name, member in WHOLE.items() if name != "contactPoint"}
    assert read_directory(json.dumps(document).encode()).agents == ()


def test_protocols_may_be_one_and_the_name_may_be_missing():
    assert read_point(**{"https://mentionable.dev/ns/v1#protocols": "a2a"}) == (HELPER,)
    assert read_point(**{"https://mentionable.dev/ns/v1#webfinger": None}) == (HELPER,)


@pytest.mark.parametrize(
    "changes",
    [
        {"@type": "Person"},
        {"name": ""},
        {"url": "http://agents.example"},
        {"contactPoint": 5},
        {"contactPoint": [POINT, POINT]},
        {"contactPoint": ["x"] * 1001},
    ],
)
def test_a_directory_is_read_strictly(changes):
    with pytest.raises(WireError) as caught:
        read(**changes)
    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    "changes",
    [
        {"email": "helper"},
        {"email": "@helper@agents.example"},
        {"email": None},
        {"url": "http://agents.example"},
        {"url": None},
        {"name": 5},
        {"description": 5},
        {"https://mentionable.dev/ns/v1#protocols": 5},
        {"https://mentionable.dev/ns/v1#protocols": [5]},
        {"https://mentionable.dev/ns/v1#webfinger": "acct:other@agents.example"},
        {"https://mentionable.dev/ns/v1#webfinger": 5},
    ],
)
def test_an_agent_is_read_strictly(changes):
    with pytest.raises(WireError) as caught:
        read_point(**changes)
    assert caught.value.code == "malformed"
    assert caught.value.problems[0].at.startswith("/contactPoint/0")


@pytest.mark.parametrize(("body", "code"), [(b"[]", "malformed"), (b"{", "invalid-json")])
def test_what_is_no_directory_is_refused(body, code):
    with pytest.raises(WireError) as caught:
        read_directory(body)
    assert caught.value.code == code
    with pytest.raises(WireError, match="too-large"):
        read_directory(b"{}" + b" " * 9, settings=Settings(limits=Limits(fetched_bytes=9)))
    with pytest.raises(UsageError):
        read_directory(b"{}", settings=None)


def test_values_are_checked():
    with pytest.raises(UsageError, match="same address"):
        evolve(HOME, agents=(HELPER, evolve(OTHER, address="@Helper@agents.example")))
    with pytest.raises(UsageError, match="at most 1000"):
        evolve(HOME, agents=tuple(evolve(OTHER, address=f"@a{number}@agents.example") for number in range(1001)))
    with pytest.raises(UsageError, match="extra holds email"):
        evolve(HELPER, extra={"email": "x"})
    with pytest.raises(UsageError, match="extra holds @type"):
        evolve(HOME, extra={"@type": "x"})
    with pytest.raises(UsageError, match="directory must be"):
        write_directory({})


def test_a_directory_is_read_from_bytes_and_from_json():
    assert read_directory(WHOLE) == read() == HOME
