import pytest

from mentionable import UsageError
from mentionable.connectors import discord
from tests.connectors.discord_events import FILES, settings


def test_the_bot_is_the_application_unless_said():
    assert settings().bot == "700"
    assert settings(bot_id="701").bot == "701"


def test_no_secret_stands_in_the_repr():
    assert "thirty-two" not in repr(settings(files=FILES))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"public_key": "00"}, "64 hex digits"),
        ({"public_key": "0x" + "0" * 62}, "64 hex digits"),
        ({"public_key": bytes(32)}, "public_key: expected a string"),
        ({"public_key": "00" * 32}, "small order"),
        ({"application_id": "x"}, "application_id: expected|bot_id: expected"),
        ({"application_id": 700}, "application_id: expected|bot_id: expected"),
        ({"bot_id": "x"}, "application_id: expected|bot_id: expected"),
        ({"bot_id": "99999999999999999999"}, "application_id: expected|bot_id: expected"),
        ({"issuer": "https://discord.agents.example"}, "issuer"),
        ({"issuer": "Discord.agents.example"}, "issuer"),
        ({"issuer": None}, "issuer"),
        ({"listen_to": "all"}, "listen_to"),
        ({"prompt_option": None}, "prompt_option"),
        ({"files": b"key"}, "FileKey"),
        ({"body_bytes": -1}, "body_bytes"),
        ({"body_bytes": 1.0}, "body_bytes"),
        ({"limits": None}, "limits"),
    ],
)
def test_what_cannot_be_is_refused(changes, words):
    with pytest.raises(UsageError, match=words):
        settings(**changes)


def test_all_that_can_be_is_taken():
    made = settings(files=FILES, listen_to="everything", bot_id="9", prompt_option="q", body_bytes=0)
    assert isinstance(made, discord.Settings)
