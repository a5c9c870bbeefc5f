"""Events as plugins submit them and as ledgers keep them: what is read and refused, what they say of themselves."""

from __future__ import annotations

import json

import pytest

from mentionable import DecodeError, UsageError, anp, decode, decode_trusted, dumps, encode
from mentionable.anp._notification import MAX_CHARACTERS
from tests.anp.events import (
    ALL,
    AT,
    OLIVIA,
    claimed,
    delivered,
    escalated,
    failed,
    flags,
    half_taken,
    routed,
    submission,
    submitted,
)

SYSTEM = {"address": "user", "target": "user", "handler": "system"}
GIVEN = {"content": "Backup done.", "user_id": OLIVIA, "routing": SYSTEM}

CANONICAL = {
    "id": "evt_uuid_v4",
    "content": "Human readable notification content",
    "deduplication_key": "download_progress_xyz123",
    "metadata": {"key": "value"},
    "routing": {"address": "session", "target": "user", "handler": "agent"},
    "agent_instructions": {"directive": "Optional string for the LLM", "tone_hint": "concise"},
    "status": "pending",
    "owner_lease": 1,
    "created_at": "2026-11-21T20:56:00Z",
    "ack_at": None,
    "delivery_deadline": None,
}
"""The event of §8.1, with one of the words where the specification has several."""


def faults(data, read=anp.read_submission, **how):
    with pytest.raises(DecodeError) as caught:
        read(data, **how)
    assert caught.value.code == "malformed"
    return [problem.at for problem in caught.value.problems]


# --- submissions


@pytest.mark.parametrize(
    ("address", "target", "handler"),
    [
        ("USER", "Human", "SYSTEM"),
        ("Address.USER", "Target.USER", "Handler.SYSTEM"),
        (" user ", "anp.Target.HUMAN", "System"),
    ],
)
def test_flags_are_read_in_any_spelling_and_written_in_small_letters(address, target, handler):
    read = anp.read_submission({**GIVEN, "routing": {"address": address, "target": target, "handler": handler}})
    assert encode(read)["routing"] == SYSTEM


@pytest.mark.parametrize("word", ["everybody", "user.", "", 7, ["user"], {"user": 1}, "x" * 65 + ".user"])
def test_another_word_is_no_flag(word):
    assert faults({**GIVEN, "routing": {**SYSTEM, "target": word}}) == ["/routing/target"]


def test_null_is_absent():
    assert anp.read_submission({**GIVEN, "session_id": None, "metadata": None}) == anp.read_submission(GIVEN)


def test_members_that_nobody_knows_are_kept():
    read = anp.read_submission(
        {**GIVEN, "colour": [1], "routing": {**SYSTEM, "lane": "x"}, "agent_instructions": {"voice": 2}}
    )
    assert (read.extra, read.routing.extra) == ({"colour": [1]}, {"lane": "x"})
    assert read.agent_instructions == anp.AgentInstructions(extra={"voice": 2})


def test_the_data_of_a_plugin_stay_as_they_are():
    data = {**GIVEN, "routing": {**SYSTEM, "target": "HUMAN"}, "metadata": {"a": [1]}, "session_id": None}
    before = json.dumps(data)
    read = anp.read_submission(data, user_id=OLIVIA)
    data["metadata"]["a"].append(2)
    assert read.metadata == {"a": [1]}
    data["metadata"]["a"].pop()
    assert json.dumps(data) == before


def test_the_host_may_say_whose_an_event_is():
    plain = {name: member for name, member in GIVEN.items() if name != "user_id"}
    assert anp.read_submission(plain, user_id=OLIVIA) == anp.read_submission(GIVEN, user_id=OLIVIA)
    assert faults(plain) == ["/user_id"]


def test_nobody_submits_for_somebody_else():
    assert faults(GIVEN, user_id="mallory") == ["/user_id"]
    assert faults(GIVEN, user_id="") == ["/user_id"]


def test_an_event_of_a_session_names_it():
    routing = {**SYSTEM, "address": "session"}
    assert faults({**GIVEN, "routing": routing}) == [""]
    assert anp.read_submission({**GIVEN, "routing": routing, "session_id": "s1"}).session_id == "s1"
    with pytest.raises(UsageError, match="an event of a session has a session_id"):
        anp.Submission(content="x", user_id=OLIVIA, routing=flags("session", "user", "system"))


NOTHING = ["\u2800", "\ufe0f", "\ufe00 \u200d", "\u200c", "\u3164", "\U000e0100", "\u2800\ufe0f\u00ad\u2060"]
"""What no human sees anything of."""


@pytest.mark.parametrize(
    "content", ["", " \n\t ", *NOTHING, "x" * (MAX_CHARACTERS + 1), 7, None], ids=lambda it: ascii(it)[:9]
)
def test_content_is_something_to_read(content):
    assert faults({**GIVEN, "content": content}) == ["/content"]


def test_the_longest_content_is_taken():
    assert len(anp.read_submission({**GIVEN, "content": "x" * MAX_CHARACTERS}).content) == MAX_CHARACTERS


@pytest.mark.parametrize("content", ["\u2764\ufe0f", "\ufe0f.", "\u28ff", "\u0301"], ids=ascii)
def test_one_character_that_shows_is_enough(content):
    assert anp.read_submission({**GIVEN, "content": content}).content == content


@pytest.mark.parametrize("name", ["user_id", "session_id", "deduplication_key"])
def test_names_that_are_chosen_outside_have_a_length(name):
    assert getattr(anp.read_submission({**GIVEN, name: "x" * 256}), name) == "x" * 256
    for wrong in ("", "x" * 257):
        assert faults({**GIVEN, name: wrong}) == [f"/{name}"]


@pytest.mark.parametrize(("member", "most"), [("metadata", 63), ("colour", 62)])
def test_json_in_an_event_is_so_deep_and_no_deeper(member, most):
    nested = {}
    for _ in range(most - 1):
        nested = {"a": nested}
    assert dumps(anp.read_submission({**GIVEN, member: nested}))
    assert faults({**GIVEN, member: {"a": nested}}) == [""]


def test_only_the_host_says_whence_an_event_comes():
    claimed_by_plugin = {"origin": "system", "causation_id": "e0", "depth": 0}
    assert faults({**GIVEN, **claimed_by_plugin}) == ["/origin", "/causation_id", "/depth"]


def test_the_cause_of_an_event_is_one_step_less_deep():
    cause = submitted("user", "user", "system", depth=2)
    read = anp.read_submission(GIVEN, cause=cause)
    assert (read.causation_id, read.depth) == ("e1", 3)


def test_a_deadline_may_have_any_offset_or_none():
    for text in ("2026-11-21T21:56:00+01:00", "2026-11-21T20:56:00", "2026-11-21 20:56:00Z"):
        assert anp.read_submission({**GIVEN, "delivery_deadline": text}).delivery_deadline == AT
    assert faults({**GIVEN, "delivery_deadline": "tomorrow"}) == ["/delivery_deadline"]


@pytest.mark.parametrize(
    ("data", "how"), [("{}", {}), ([], {}), (None, {}), (GIVEN, {"user_id": 7}), (GIVEN, {"cause": "e1"})]
)
def test_wrong_arguments_are_the_fault_of_the_program(data, how):
    with pytest.raises(UsageError):
        anp.read_submission(data, **how)


@pytest.mark.parametrize("routing", [None, "user", 7, []])
def test_flags_are_an_object(routing):
    assert faults({**GIVEN, "routing": routing}) == ["/routing"]


# --- the ledger


def test_the_event_of_the_specification_is_read():
    event = anp.read_notification({**CANONICAL, "session_id": "s1"}, user_id=OLIVIA)
    assert (event.status, event.owner_lease, event.ack_at, event.delivery_deadline) == ("pending", 1, None, None)
    assert event.created_at == event.changed_at == AT
    assert event.requested == event.routing == flags("session", "user", "agent")
    assert (event.revision, event.version, event.origin, event.depth) == (1, 1, "plugin", 0)


def test_another_ledger_need_not_keep_our_members():
    least = {name: CANONICAL[name] for name in ("id", "content", "routing", "status", "created_at")}
    event = anp.read_notification({**least, "session_id": "s1", "owner_lease": None}, user_id=OLIVIA)
    assert (event.owner_lease, event.metadata, event.actions, event.failures) == (1, {}, (), 0)


@pytest.mark.parametrize(
    ("word", "status"),
    [("LOCKED", "locked"), ("Status.ESCALATED", "escalated"), ("DEAD_LETTER", "failed"), ("dead-letter", "failed")],
)
def test_a_status_is_read_in_any_spelling(word, status):
    routing = SYSTEM if status == "escalated" else CANONICAL["routing"]
    event = anp.read_notification({**CANONICAL, "session_id": "s1", "status": word, "routing": routing}, user_id=OLIVIA)
    assert event.status == status


@pytest.mark.parametrize("route", [route for route in ALL if route[1:] != ("user", "system")], ids="-".join)
def test_what_the_watchdog_has_taken_over_is_for_the_user_and_of_the_system(route):
    flags_of = dict(zip(("address", "target", "handler"), route, strict=True))
    taken = {**CANONICAL, "session_id": "s1", "routing": flags_of}
    assert faults({**taken, "status": "escalated"}, anp.read_notification, user_id=OLIVIA) == [""]
    if route[2] == "system":  # what the agent has locked is claimed, and no takeover
        assert faults({**taken, "status": "locked"}, anp.read_notification, user_id=OLIVIA) == [""]
    else:
        assert anp.read_notification({**taken, "status": "locked"}, user_id=OLIVIA).responsible == "agent"


def test_what_is_no_event_of_a_ledger_is_named():
    wrong = {**CANONICAL, "session_id": "s1", "status": "read", "owner_lease": 0, "created_at": "yesterday"}
    found = faults(wrong, anp.read_notification, user_id=OLIVIA)
    assert {"/status", "/owner_lease", "/created_at"} <= set(found)
    assert faults(CANONICAL, anp.read_notification, user_id=OLIVIA) == [""]
    assert faults({**CANONICAL, "user_id": "bob"}, anp.read_notification, user_id=OLIVIA) == ["/user_id"]


def test_our_own_ledger_reads_what_it_wrote():
    for event in (escalated("session", "user", "agent"), delivered("user", "user", "system"), half_taken()):
        assert anp.read_notification(encode(event)) == decode_trusted(anp.Notification, encode(event)) == event


def test_an_event_of_a_session_names_it_in_the_ledger_too():
    event = encode(submitted("session", "user", "system"))
    del event["session_id"]
    with pytest.raises(DecodeError, match="an event of a session has a session_id"):
        decode_trusted(anp.Notification, event)


def test_a_ledger_takes_no_wrong_arguments():
    with pytest.raises(UsageError):
        anp.read_notification("e1")


# --- what an event says of itself


def test_delivered_and_failed_are_the_ends():
    route = ("user", "user", "agent")
    ends = {
        event.status: event.is_terminal
        for made in (submitted, routed, claimed, escalated, delivered, failed)
        for event in [made(*route)]
    }
    assert {status for status, is_end in ends.items() if is_end} == {"delivered", "failed"}
    assert len(ends) == 6


@pytest.mark.parametrize("route", ALL, ids="-".join)
def test_exactly_one_is_responsible_until_nobody_need_be(route):
    assert submitted(*route).responsible == "system"
    assert routed(*route).responsible == routed(*route).routing.row.responsible
    assert delivered(*route).responsible == "nobody"


def test_after_an_escalation_the_system_is_responsible():
    assert claimed("user", "user", "agent").responsible == "agent"
    assert half_taken().responsible == escalated("user", "user", "agent").responsible == "system"
    assert failed("user", "user", "agent").responsible == "nobody"


def test_the_watchdog_looks_after_what_the_agent_must_handle_and_what_was_escalated():
    watched = [made("user", "user", "agent").is_watched for made in (submitted, routed, claimed, escalated)]
    assert watched == [True] * 4
    assert half_taken().is_watched
    assert not any(made("user", "user", "agent").is_watched for made in (delivered, failed))
    assert not any(routed("user", target, "system").is_watched for target in ("user", "agent"))


def test_an_event_is_shown_where_its_address_is():
    assert submitted("user", "user", "system").surface == "inbox"
    assert submitted("session", "user", "agent").surface == "chat"


@pytest.mark.parametrize(
    ("metadata", "urgency"), [({"urgency": " HIGH "}, "high"), ({"urgency": 3}, None), ({}, None), (None, None)]
)
def test_urgency_is_a_hint(metadata, urgency):
    assert submitted("user", "user", "agent", metadata=metadata).urgency == urgency


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Look!", "Look!"),
        ("x" * (MAX_CHARACTERS + 1), "x" * MAX_CHARACTERS),
        (" " * MAX_CHARACTERS + "x", "Backup failed."),
        *((nothing, "Backup failed.") for nothing in (" \n", *NOTHING, 7, None)),
    ],
    ids=lambda it: ascii(it)[:9],
)
def test_a_human_is_shown_the_fallback_text_where_there_is_one(text, shown):
    event = submitted("user", "user", "agent", metadata={"fallback_text": text})
    assert event.fallback == shown
    assert submitted("user", "user", "agent").fallback == "Backup failed."


def test_no_client_is_shown_what_is_internal():
    metadata = {"turn_depth": 2, "_trace": "x", "colour": "red", "urgency": "low"}
    event = submitted("user", "user", "system", metadata=metadata)
    assert event.visible_metadata == {"colour": "red", "urgency": "low"}
    assert event.metadata == metadata


def test_a_submission_is_decoded_like_any_other_value():
    given = submission("session", "agent", "agent", extra={"x": 1})
    assert decode(anp.Submission, encode(given)) == given
