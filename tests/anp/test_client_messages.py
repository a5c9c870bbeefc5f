"""What a client sends about events."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import DecodeError, LimitError, UsageError, WireError, anp, decode, dumps
from mentionable.anp._client_messages import MAX_BYTES
from tests.anp import events
from tests.anp.events import OLIVIA

DISPLAYED = {"kind": "displayed", "id": "e1", "lease": 1, "revision": 1, "how": "clicked"}
FAILED = {"kind": "display_failed", "id": "e1", "lease": 2}


@pytest.mark.parametrize("form", [dict, json.dumps, lambda one: json.dumps(one).encode()])
@pytest.mark.parametrize(
    "given", [DISPLAYED, FAILED, {**DISPLAYED, "how": None}, {**FAILED, "new": {"a": [1]}}], ids=str
)
def test_it_is_read_in_any_form_and_comes_back(form, given):
    read = anp.client_message(form(given))
    assert json.loads(dumps(read)) == {name: one for name, one in given.items() if one is not None}
    assert decode(anp.ClientMessage, dumps(read)) == read


@pytest.mark.parametrize(
    ("given", "at"),
    [
        ({**DISPLAYED, "lease": 0}, "/lease"),
        ({**DISPLAYED, "lease": "1"}, "/lease"),
        ({**DISPLAYED, "revision": None}, "/revision"),
        ({**DISPLAYED, "how": "heard"}, "/how"),
        ({**DISPLAYED, "id": ""}, "/id"),
        ({**DISPLAYED, "id": "x" * 257}, "/id"),
        ({**DISPLAYED, "kind": "client_ack"}, "/kind"),
        ({"id": "e1"}, "/kind"),
        ([], ""),
        (7, ""),
    ],
    ids=str,
)
def test_what_is_no_message_is_refused_with_its_place(given, at):
    with pytest.raises(DecodeError) as caught:
        anp.client_message(json.dumps(given))
    assert at in {problem.at for problem in caught.value.problems}


def test_what_is_too_long_is_refused():
    with pytest.raises(LimitError):
        anp.client_message(json.dumps({**DISPLAYED, "new": "x" * MAX_BYTES}))
    for wrong in (None, 7, [DISPLAYED]):
        with pytest.raises(UsageError, match="takes JSON"):
            anp.client_message(wrong)


@given(st.binary(max_size=80) | st.text(max_size=80))
def test_whatever_comes_is_a_message_or_a_typed_error(data):
    with suppress(WireError):
        anp.client_message(data)


def test_a_client_speaks_for_whom_the_host_has_authenticated():
    record = events.escalated("user", "user", "agent")
    read = anp.client_message({**DISPLAYED, "lease": 2, "user_id": "mallory"})
    done = events.decided(record, anp.command_of(read, user_id=OLIVIA), now=events.LATER)
    assert (done.record.status, events.the(anp.Settled, done).how) == ("delivered", "acknowledged")
    assert events.refusal(record, anp.command_of(read, user_id="mallory"), now=events.LATER) == "wrong-user"


def test_one_device_that_cannot_display_it_ends_nothing():
    failed = anp.command_of(anp.client_message({**FAILED, "is_final": True}), user_id=OLIVIA)
    assert failed == anp.DeliveryFailed(lease=2, user_id=OLIVIA)
    with pytest.raises(UsageError, match="must be a ClientMessage"):
        anp.command_of(failed, user_id=OLIVIA)
