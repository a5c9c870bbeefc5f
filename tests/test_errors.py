from __future__ import annotations

import copy
import pickle
from typing import get_args

import pytest

from mentionable import (
    CODES,
    Code,
    DecodeError,
    LimitError,
    MentionableError,
    Problem,
    UnsupportedError,
    UsageError,
    VerificationError,
    WireError,
)
from mentionable._errors.codes import _forged
from mentionable._errors.exceptions import error_of, wire_error, with_prefix

SETTLED = {"already-submitted", "already-terminal"}
"""What somebody wants has come about before: they may go on as if they had done it."""


def test_every_code_is_in_the_literal_that_type_checkers_see():
    assert {code for kind in get_args(Code) for code in get_args(kind)} == set(CODES)
    assert max(len(get_args(kind)) for kind in get_args(Code)) <= 256


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_kebab_case_and_its_text_one_sentence(code):
    info = CODES[code]
    assert code == code.lower()
    assert set(code) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert info.text.endswith(".")
    assert "\n" not in info.text


@pytest.mark.parametrize("code", CODES)
def test_temporary_codes_tell_smtp_and_http_to_come_back(code):
    info = CODES[code]
    if code in SETTLED:
        assert (info.http, info.smtp, info.temporary) == (200, "250 2.0.0", False)
    elif info.kind != "note":
        assert info.temporary == info.smtp.startswith("4") == (info.http in (429, 503))
        assert info.http == 202 or 400 <= info.http <= 599  # 202: taken, and nothing comes of it
        assert info.smtp[0] in "45"
        assert info.jsonrpc < 0


def test_only_what_has_come_about_before_is_a_success():
    assert {code for code, info in CODES.items() if info.kind != "note" and info.http == 200} == SETTLED


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("invalid-json", DecodeError),
        ("no-served-recipient", UnsupportedError),
        ("too-large", LimitError),
        ("lookup-failed", WireError),
        ("unsigned", WireError),
    ],
)
def test_the_class_of_an_error_follows_from_its_code(code, expected):
    assert type(wire_error(code)) is expected


def test_a_forged_unit_is_a_verification_error_and_403():
    info = _forged("It claims to be somebody else.")
    assert (info.kind, info.http, info.smtp) == ("verification", 403, "550 5.7.1")


def test_usage_errors_are_value_errors_and_wire_errors_are_not():
    assert issubclass(UsageError, ValueError)
    assert issubclass(UsageError, MentionableError)
    assert not issubclass(WireError, ValueError)
    assert issubclass(VerificationError, WireError)


def test_an_error_reads_as_its_code_and_its_problems():
    error = error_of("malformed", [Problem("/parts/0", "required"), Problem("", "expected an object")])
    assert str(error) == "malformed; /parts/0: required; expected an object"


def test_an_error_without_place_and_rule_has_no_problem():
    assert wire_error("too-large").problems == ()
    assert wire_error("too-large", "", "9 bytes").problems == (Problem("", "9 bytes"),)
    assert wire_error("too-large", "/a").problems == (Problem("/a", ""),)


@pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_survives_copying_and_pickling(copied):
    error = copied(wire_error("too-deep", "/a", "deep"))
    assert type(error) is LimitError
    assert (error.code, error.problems) == ("too-deep", (Problem("/a", "deep"),))


def test_an_error_of_a_member_gets_the_pointer_of_the_whole():
    error = with_prefix(wire_error("bad-base64", "/raw", "odd"), "/parts/3")
    assert (error.code, error.problems[0].at) == ("bad-base64", "/parts/3/raw")
