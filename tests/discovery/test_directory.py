"""The list of a domain's agents."""

from __future__ import annotations

import json

import pytest

from mentionable import Limits, Settings, UsageError, WireError, replace
from mentionable.discovery import AgentDirectory, ListedAgent, directory_response, read_directory, write_directory
from tests.discovery.cards import ADDRESS, CARD_URL
from tests.discovery.lenient import leniently

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
    assert read(contactPoint=[desk, {}, POINT]).agents == (HELPER,)
    assert read(contactPoint=POINT).agents == (HELPER,)
    document = {name: member for name, member in WHOLE.items() if name != "contactPoint"}
    assert read_directory(json.dumps(document).encode()).agents == ()


def read_odd(**changes):
    """What is read of a directory, and the places of what is left out; without a list for these it is refused."""
    notes = []
    found = leniently(read_directory, {**WHOLE, **changes}, notes=notes)
    assert {note.code for note in notes} == {"member-dropped"}
    with pytest.raises(WireError) as caught:
        read(**changes)
    assert caught.value.code == "malformed"
    return found, [note.at for note in notes]


PROTOCOLS, NAMED = "https://mentionable.dev/ns/v1#protocols", "https://mentionable.dev/ns/v1#webfinger"
ESCAPED = PROTOCOLS.replace("/", "~1")
SECOND = WHOLE["contactPoint"][1]


@pytest.mark.parametrize(
    ("change", "at", "lost"),
    [
        ({"description": 5}, "/description", {"description": None}),
        ({PROTOCOLS: 5}, f"/{ESCAPED}", {"protocols": ()}),
        ({PROTOCOLS: [5, "a2a", ""]}, [f"/{ESCAPED}/0", f"/{ESCAPED}/2"], {}),
        ({"address": {"@type": "PostalAddress"}}, "/address", {}),
        ({"card_url": "x", "protocols": 5}, ["/card_url", "/protocols"], {}),
    ],
)
def test_an_odd_member_of_an_agent_costs_itself(change, at, lost):
    found, places = read_odd(contactPoint=[{"contactType": "desk"}, {**POINT, **change}])
    assert found.agents == (replace(HELPER, **lost),)
    assert places == [f"/contactPoint/1{one}" for one in ([at] if isinstance(at, str) else at)]


@pytest.mark.parametrize("odd", [5, "x", None, ["x"], {"contactType": 5}, {"contactType": ["AI assistant"]}])
def test_an_odd_contact_point_costs_itself(odd):
    found, places = read_odd(contactPoint=[odd, SECOND])
    assert (found.agents, places) == ((OTHER,), ["/contactPoint/0"])


def test_contact_points_of_another_type_are_none():
    for odd in (5, "x", True):
        found, places = read_odd(contactPoint=odd)
        assert (found, places) == (replace(HOME, agents=()), ["/contactPoint"])
    assert read(contactPoint=None) == replace(HOME, agents=())
    found, places = read_odd(contactPoint={**POINT, "description": 5})
    assert (found.agents, places) == ((replace(HELPER, description=None),), ["/contactPoint/description"])


def test_an_agent_that_is_listed_twice_counts_once_and_two_of_one_address_not_at_all():
    found, places = read_odd(contactPoint=[POINT, SECOND, POINT])
    assert (found, places) == (HOME, ["/contactPoint/2"])
    for other in ({**POINT, "url": f"{CARD_URL}2"}, {**POINT, "email": "Helper@agents.example", NAMED: None}):
        found, places = read_odd(contactPoint=[POINT, "x", SECOND, other])
        assert found.agents == (OTHER,)
        assert sorted(places) == ["/contactPoint/0", "/contactPoint/1", "/contactPoint/3"]


def test_null_is_absence():
    changes = {"description": None, PROTOCOLS: None, NAMED: None, "telephone": None}
    notes = []
    found = leniently(read_directory, {**WHOLE, "contactPoint": [{**POINT, **changes}]}, notes=notes)
    bare = replace(HELPER, description=None, protocols=(), extra={"telephone": None})
    assert (found.agents, notes) == ((bare,), [])


def test_a_member_of_the_name_of_ours_is_left_out():
    found, places = read_odd(agents=[5])
    assert (found, places) == (HOME, ["/agents"])


def test_many_odd_agents_are_named_up_to_a_bound():
    notes = []
    odd = [{**POINT, "email": 5}] * 300 + [{**POINT, "name": 5}] * 300
    assert leniently(read_directory, {**WHOLE, "contactPoint": [*odd, POINT]}, notes=notes).agents == (HELPER,)
    assert [note.code for note in notes].count("diagnostics-omitted") == 2
    assert len(notes) == 202


def test_protocols_may_be_one_and_the_name_may_be_missing():
    assert read_point(**{"https://mentionable.dev/ns/v1#protocols": "a2a"}) == (HELPER,)
    assert read_point(**{"https://mentionable.dev/ns/v1#webfinger": None}) == (HELPER,)


@pytest.mark.parametrize(
    "changes",
    [
        {"@type": "Person"},
        {"name": ""},
        {"url": "http://agents.example"},
        {"contactPoint": ["x"] * 1001},
        {"name": None},
        {"url": 5},
    ],
)
def test_who_runs_a_directory_is_read_strictly(changes):
    for notes in (None, []):
        with pytest.raises(WireError) as caught:
            leniently(read_directory, {**WHOLE, **changes}, notes=notes)
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
        {"https://mentionable.dev/ns/v1#webfinger": "acct:other@agents.example"},
        {"https://mentionable.dev/ns/v1#webfinger": 5},
    ],
)
def test_who_an_agent_is_is_read_strictly(changes):
    found, places = read_odd(contactPoint=[{**POINT, **changes}, SECOND])
    assert (found.agents, places) == ((OTHER,), ["/contactPoint/0"])
    with pytest.raises(WireError) as caught:
        read_point(**changes)
    assert [problem.at.startswith("/contactPoint/0") for problem in caught.value.problems] == [True]


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
        replace(HOME, agents=(HELPER, replace(OTHER, address="@Helper@agents.example")))
    with pytest.raises(UsageError, match="at most 1000"):
        replace(HOME, agents=tuple(replace(OTHER, address=f"@a{number}@agents.example") for number in range(1001)))
    with pytest.raises(UsageError, match=r"extra repeats .*email"):
        replace(HELPER, extra={"email": "x"})
    with pytest.raises(UsageError, match=r"extra repeats .*@type"):
        replace(HOME, extra={"@type": "x"})
    with pytest.raises(UsageError, match="directory must be"):
        write_directory({})


def test_a_directory_is_read_from_bytes_and_from_json():
    assert read_directory(WHOLE) == read() == HOME
