"""The settings of the Slack connector: a mistake in them is seen at once."""

from __future__ import annotations

import pytest

from mentionable import UsageError
from mentionable.connectors import slack
from mentionable.connectors.files import FileKey
from tests.connectors.slack_workspace import FILES, SECRET

GOOD = {"signing_secret": SECRET, "issuer": "slack.agents.example"}


def test_the_secret_is_never_shown():
    settings = slack.Settings(**{**GOOD, "files": FILES})
    assert SECRET.decode() not in repr(settings)
    assert "thirty-two" not in repr(settings)


def test_one_secret_or_several():
    assert slack.Settings(**GOOD).secrets == (SECRET,)
    assert slack.Settings(**{**GOOD, "signing_secret": (b"a", b"b")}).secrets == (b"a", b"b")


@pytest.mark.parametrize(
    "wrong",
    [
        {"signing_secret": "text"},
        {"signing_secret": b""},
        {"signing_secret": ()},
        {"signing_secret": (b"a", "b")},
        {"signing_secret": (b"a",) * 9},
        {"signing_secret": [b"a"]},
        {"issuer": "https://slack.agents.example"},
        {"issuer": "Slack.agents.example"},
        {"issuer": None},
        {"files": b"secret"},
        {"listen_to": "all"},
        {"teams": ["T2"]},
        {"teams": ("t2",)},
        {"body_bytes": -1},
        {"body_bytes": True},
    ],
)
def test_a_wrong_setting_is_named(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        slack.Settings(**{**GOOD, **wrong})


@pytest.mark.parametrize("issuer", ["slack.internal", "https://slack.agents.example", "Slack.agents.example"])
def test_an_issuer_that_nobody_could_take_is_told_at_once(issuer):
    with pytest.raises(UsageError, match=r"bare and without https://: connector\.example"):
        slack.Settings(signing_secret=SECRET, issuer=issuer)


def test_the_key_for_files_stands_in_no_repr():
    key = FileKey.from_secret(bytes(range(32)), key_id="of-files")
    assert "of-files" not in repr(slack.Settings(signing_secret=SECRET, issuer=GOOD["issuer"], files=key))
