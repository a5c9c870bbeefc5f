"""The route table of the specification, §2 to §4: for each of the eight combinations of flags, one row."""

from __future__ import annotations

from itertools import product

import pytest

from mentionable import UsageError, anp
from mentionable.anp._routing import turned
from tests.anp.events import ALL, flags

GLOBAL, SESSION = "global", "session"
TABLE = [
    # address, target, handler → channel, mode, responsible, human sees it, the agent may, deadline, turn, scope
    ("user", "user", "system", "A", "direct", "system", "yes", "read-only", False, None, GLOBAL),
    ("session", "user", "system", "B", "direct", "system", "yes", "read-only", False, None, SESSION),
    ("user", "user", "agent", "C", "mediated", "agent", "fallback", "must-narrate", True, "proactive", GLOBAL),
    ("session", "user", "agent", "C", "mediated", "agent", "fallback", "must-narrate", True, "proactive", SESSION),
    ("user", "agent", "system", "C", "passive", "system", "never", "fact", False, None, GLOBAL),
    ("session", "agent", "system", "C", "passive", "system", "never", "fact", False, None, SESSION),
    ("user", "agent", "agent", "C", "autonomous", "agent", "no", "actionable", True, "internal", GLOBAL),
    ("session", "agent", "agent", "C", "autonomous", "agent", "no", "actionable", True, "internal", SESSION),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: "-".join(row[:3]))
def test_each_combination_of_flags_has_its_row(row):
    found = flags(*row[:3]).row
    assert (found.channel, found.mode, found.responsible, found.shown_raw, found.agent_access) == row[3:8]
    assert (found.has_deadline, found.turn, found.scope) == row[8:]


def test_the_table_is_total():
    every = set(product(("user", "session"), ("user", "agent"), ("system", "agent")))
    assert set(anp.ROUTE_TABLE) == every == set(ALL)


def predicates(address, target, handler):
    """The channels whose route in §3.1 fits."""
    found = {
        "A": address == "user" and handler == "system",
        "B": address == "session" and handler == "system" and target == "user",
        "C": handler == "agent" or target == "agent",
    }
    return tuple(channel for channel, fits in found.items() if fits)


@pytest.mark.parametrize("route", ALL, ids="-".join)
def test_a_row_tells_which_channels_fit_and_what_is_of_the_agent_goes_to_it_first(route):
    row = flags(*route).row
    assert row.matches == predicates(*route)
    assert row.channel == ("C" if "C" in row.matches else row.matches[0])


def test_two_channels_fit_one_combination_only():
    assert [route for route, row in anp.ROUTE_TABLE.items() if len(row.matches) > 1] == [("user", "agent", "system")]


def test_turned_flags_keep_what_nobody_knows():
    routing = anp.Routing(address="session", target="agent", handler="agent", extra={"priority": 1})
    assert turned(routing, address="user", target="user", handler="system") == anp.Routing(
        address="user", target="user", handler="system", extra={"priority": 1}
    )
    assert turned(routing) is turned(routing, target="agent") is routing


@pytest.mark.parametrize("member", ["address", "target", "handler"])
def test_a_flag_is_one_of_its_two_words(member):
    given = {"address": "user", "target": "user", "handler": "system"}
    with pytest.raises(UsageError, match=rf"Routing\.{member}: expected"):
        anp.Routing(**{**given, member: "everybody"})
