"""The signature of Slack, and what is refused before a byte of the body is read."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from mentionable import UsageError
from mentionable.connectors import slack
from tests.connectors.slack_workspace import (
    NOW,
    SECRET,
    SETTINGS,
    TIME,
    event_unit,
    mention,
    outcome,
    request,
    signature,
)

BODY = b'{"type":"url_verification","challenge":"abc"}'


def verdict(unit, *, now=NOW, settings=SETTINGS):
    found = slack.verify(unit, now=now, settings=settings)
    return None if found is None else (found.code, found.verdict.code, found.http_status)


def test_what_slack_signed_passes():
    assert verdict(request(BODY)) is None


def test_the_example_of_slacks_own_documentation_passes():
    body = (
        b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name="
        b"foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2F"
        b"hooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id="
        b"398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    )
    unit = request(
        body,
        signature="v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
        request_timestamp="1531420618",
    )
    assert verdict(unit, now=datetime.fromtimestamp(1531420618, NOW.tzinfo)) is None


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"signature": None}, "unsigned"),
        ({"signature": ""}, "signature-malformed"),
        ({"signature": signature(BODY).upper()}, "signature-malformed"),
        ({"signature": signature(BODY)[:-1]}, "signature-malformed"),
        ({"signature": signature(BODY) + "\n"}, "signature-malformed"),
        ({"signature": signature(BODY).replace("v0", "v1")}, "signature-malformed"),
        ({"request_timestamp": None}, "time-missing"),
        ({"request_timestamp": f"+{TIME}"}, "time-missing"),
        ({"request_timestamp": f" {TIME}"}, "time-missing"),
        ({"request_timestamp": f"0{TIME}"}, "time-missing"),
        ({"request_timestamp": "1_795_294_560"}, "time-missing"),
        ({"request_timestamp": "".join(chr(0x660 + int(digit)) for digit in TIME)}, "time-missing"),
        ({"request_timestamp": "9" * 400}, "time-missing"),
        ({"request_timestamp": "0"}, "expired"),
        ({"request_timestamp": "99999999999"}, "not-yet-valid"),
        ({"signature": signature(BODY, secret=b"another")}, "bad-signature"),
        ({"signature": signature(BODY + b" ")}, "bad-signature"),
        ({"request_timestamp": str(int(TIME) + 1)}, "bad-signature"),
    ],
)
def test_a_fault_names_itself_and_is_answered_401(headers, code):
    assert verdict(request(BODY, **headers)) == ("request-unverified", code, 401)


@pytest.mark.parametrize(("seconds", "code"), [(300, None), (-300, None), (301, "expired"), (-301, "not-yet-valid")])
def test_five_minutes_either_way_are_allowed(seconds, code):
    found = verdict(request(BODY), now=NOW + timedelta(seconds=seconds))
    assert found == (code and ("request-unverified", code, 401))


def test_a_header_that_is_there_twice_shows_nothing():
    unit = request(BODY)
    twice = type(unit)(method="POST", url=unit.url, headers=[*unit.headers, unit.headers[0]], body=BODY)
    assert verdict(twice) == ("request-unverified", "signature-malformed", 401)


def test_old_and_new_secrets_count_while_they_change():
    settings = slack.Settings(signing_secret=(b"new", SECRET), issuer="slack.agents.example")
    assert verdict(request(BODY), settings=settings) is None
    assert verdict(request(BODY, signature=signature(BODY, secret=b"new")), settings=settings) is None
    assert verdict(request(BODY, signature=signature(BODY, secret=b"old")), settings=settings) is not None


def test_a_body_that_is_too_long_is_not_even_hashed():
    settings = slack.Settings(signing_secret=SECRET, issuer="slack.agents.example", body_bytes=len(BODY) - 1)
    assert slack.verify(request(BODY), now=NOW, settings=settings).code == "too-large"


def test_nothing_is_read_before_the_signature_fits():
    assert outcome(request(b"\xff{", signature="v0=" + "0" * 64)).code == "request-unverified"
    assert outcome(request(b"\xff{")).code == "not-utf8"
    forged = event_unit(mention())
    forged = type(forged)(method="POST", url=forged.url, headers=forged.headers, body=forged.body + b" ")
    found = outcome(forged)
    assert (found.code, found.verdict.code, found.verdict.verified) == ("request-unverified", "bad-signature", False)


@pytest.mark.parametrize(
    "facts", [{"unit": BODY}, {"now": NOW.replace(tzinfo=None)}, {"settings": None}], ids=["unit", "now", "settings"]
)
def test_wrong_arguments_are_the_callers_fault(facts):
    facts = {"unit": request(BODY), "now": NOW, "settings": SETTINGS, **facts}
    with pytest.raises(UsageError):
        slack.verify(facts["unit"], now=facts["now"], settings=facts["settings"])
