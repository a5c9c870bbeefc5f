"""Files: named, and fetched through the connector alone."""

from __future__ import annotations

import pytest

from mentionable import Limits
from mentionable.connectors import slack
from tests.connectors.slack_workspace import AGENT, FILES, ISSUER, SECRET, TS, event_unit, notes, outcome, said

SETTINGS = slack.Settings(signing_secret=SECRET, issuer=ISSUER, files=FILES)
REPORT = {
    "id": "F1",
    "name": "../report.pdf",
    "mimetype": "application/pdf",
    "size": 12345,
    "mode": "hosted",
    "file_access": "visible",
    "url_private": "https://files.slack.example/secret",
    "url_private_download": "https://files.slack.example/secret",
    "thumb_360": "https://files.slack.example/secret",
    "permalink_public": "https://files.slack.example/secret",
}


def shared(*files, text="see", settings=SETTINGS):
    return outcome(event_unit(said(text, files=list(files), subtype="file_share")), settings=settings)


def test_a_file_is_a_lazy_descriptor():
    found = shared(REPORT)
    file = found.message.parts[1]
    assert (file.name, file.mime, file.size_bytes) == ("report.pdf", "application/pdf", 12345)
    assert file.bytes_ref.url.startswith("https://slack.agents.example/api/slack/files/ey")
    assert file.bytes_ref.expires_at == "2026-11-21T21:01:00Z"
    assert "secret" not in repr(found)


def test_the_url_is_for_this_file_this_agent_and_this_turn():
    import json
    from base64 import urlsafe_b64decode

    url = shared(REPORT).message.parts[1].bytes_ref.url
    claims = json.loads(urlsafe_b64decode(url.rpartition("/")[2].split(".")[1] + "=="))
    assert (claims["aud"], claims["turn"], claims["max_bytes"]) == (AGENT, f"slack:T1/D1/{TS}", 12345)
    assert claims["scope"] == {"workspace": "T1", "channel": "D1", "file": "F1"}


def test_a_file_alone_is_a_message():
    assert [part.kind for part in shared(REPORT, text="").message.parts] == ["file"]


def test_a_title_names_a_file_without_a_name():
    assert shared({**REPORT, "name": "", "title": "Plan"}).message.parts[1].name == "Plan"


@pytest.mark.parametrize(
    "odd",
    [
        {"id": "7"},
        {"mode": "tombstone"},
        {"mode": "hidden_by_limit"},
        {"mode": "external"},
        {"mode": {}},
        {"is_external": True},
        {"file_access": "access_denied"},
        {"file_access": "check_file_info"},
    ],
)
def test_a_file_that_slack_does_not_give_is_named_in_a_diagnostic(odd):
    found = shared({**REPORT, **odd})
    assert ([part.kind for part in found.message.parts], notes(found)) == (["text"], ["part-unsupported"])
    assert found.diagnostics[0].at == "/event/files/0"


def test_without_a_key_files_are_named_and_no_more():
    found = shared(REPORT, settings=slack.Settings(signing_secret=SECRET, issuer=ISSUER))
    assert notes(found) == ["part-unsupported"]
    assert "report.pdf" in found.diagnostics[0].detail


def test_nothing_but_files_that_cannot_be_given_out_is_no_message():
    assert shared({**REPORT, "mode": "tombstone"}, text="").code == "part-unsupported"
    assert shared(7, text="").code == "part-unsupported"


def test_too_many_files_are_refused():
    settings = slack.Settings(signing_secret=SECRET, issuer=ISSUER, limits=Limits(parts=1))
    assert shared(REPORT, REPORT, settings=settings).code == "too-many-parts"
