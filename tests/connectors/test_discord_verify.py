import pytest

from mentionable import HttpRequest, SigningKey, UsageError
from mentionable.connectors import discord
from tests.connectors.discord_events import NOW, SETTINGS, URL, interaction, received, settings, signed

BODY = b'{"type":1}'
SECONDS = int(NOW.timestamp())


def fault(request, own=SETTINGS):
    found = discord.verify(request, now=NOW, settings=own)
    return found and (found.code, found.verdict and found.verdict.code)


def test_what_discord_signed_is_taken():
    assert fault(signed(BODY)) is None


@pytest.mark.parametrize("seconds", [SECONDS - 300, SECONDS + 300])
def test_five_minutes_are_allowed_either_way(seconds):
    assert fault(signed(BODY, at=seconds)) is None


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (signed(BODY, x_signature_ed25519=None), "unsigned"),
        (signed(BODY, x_signature_timestamp=None), "time-missing"),
        (signed(BODY, x_signature_ed25519="00"), "signature-malformed"),
        (signed(BODY, x_signature_ed25519="AB" * 64), "signature-malformed"),
        (signed(BODY, x_signature_ed25519="00" * 64), "bad-signature"),
        (signed(BODY, at="x"), "time-missing"),
        (signed(BODY, at=f"0{SECONDS}"), "time-missing"),
        (signed(BODY, at=f" {SECONDS}"), "time-missing"),
        (signed(BODY, at=SECONDS - 301), "expired"),
        (signed(BODY, at=SECONDS + 301), "not-yet-valid"),
        (signed(BODY, key=SigningKey.from_seed(bytes(32), key_id="other")), "bad-signature"),
        (signed(BODY, x_signature_timestamp=str(SECONDS - 1)), "bad-signature"),
    ],
)
def test_anything_else_is_refused_with_401(request_, code):
    assert fault(request_) == ("request-unverified", code)
    outcome = received(request_)
    assert (outcome.code, outcome.http_status, outcome.verdict.code) == ("request-unverified", 401, code)


def test_the_signature_covers_the_body_byte_for_byte():
    request = signed(BODY)
    spaced = HttpRequest(method="POST", url=URL, headers=request.headers, body=BODY + b" ")
    assert fault(spaced) == ("request-unverified", "bad-signature")


def test_a_header_that_is_there_twice_shows_nothing():
    request = signed(BODY)
    twice = HttpRequest(method="POST", url=URL, headers=[*request.headers, *request.headers], body=BODY)
    assert fault(twice) == ("request-unverified", "signature-malformed")


def test_a_long_body_is_refused_before_its_signature():
    assert fault(signed(BODY), settings(body_bytes=9)) == ("too-large", None)
    assert fault(signed(BODY), settings(body_bytes=10)) is None


def test_nothing_is_parsed_that_is_not_signed():
    assert received(HttpRequest(method="POST", url=URL, body=b"\xff{")).code == "request-unverified"
    assert received(signed(b"\xff{")).code == "not-utf8"


def test_a_signed_command_is_a_message():
    assert received(signed(interaction())).message.parts[0].content == "Hi"


@pytest.mark.parametrize("unit", [{}, b"", None])
def test_only_requests_are_verified(unit):
    with pytest.raises(UsageError, match="HttpRequest"):
        discord.verify(unit, now=NOW, settings=SETTINGS)


def test_settings_of_this_room_are_needed():
    from mentionable import Settings

    with pytest.raises(UsageError, match=r"discord\.Settings"):
        discord.verify(signed(BODY), now=NOW, settings=Settings())
