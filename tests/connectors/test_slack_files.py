"""Files: named, and fetched through the connector alone."""

from __future__ import annotations

import pytest

from mentionable import Limits
from mentionable.connectors import slack
from tests.connectors.slack_workspace import AGENT, FILES, ISSUER, SECRET, TS, event_unit, notes, outcome, receive, said

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
        {"file_access": 7},
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


def test_too_many_files_are_left_out_and_the_message_arrives():
    settings = slack.Settings(signing_secret=SECRET, issuer=ISSUER, files=FILES, limits=Limits(parts=2))
    found = shared(REPORT, REPORT, REPORT, settings=settings)
    assert [part.kind for part in found.message.parts] == ["text", "file"]
    assert [(note.code, note.detail) for note in found.diagnostics] == [("too-many-parts", "2 of 4 parts")]


INFO = {"CALL files.info F1": {"ok": True, "file": REPORT}}
UNSEEN = {"id": "F1", "mode": "file_access", "file_access": "check_file_info"}


def of_another_company(*files, **facts):
    return receive(event_unit(said("see", files=list(files))), settings=SETTINGS, **facts)


def test_a_file_of_another_company_is_asked_about_once():
    found, asked = of_another_company(UNSEEN, UNSEEN, world=INFO)
    assert [part.kind for part in found.message.parts] == ["text", "file", "file"]
    assert [row for row in asked if "files.info" in row] == ["CALL files.info F1"]


@pytest.mark.parametrize(
    "answer",
    [{"ok": False, "error": "file_not_found"}, {"ok": True, "file": {**REPORT, "id": "F9"}}, {"ok": True}],
)
def test_a_file_that_slack_does_not_describe_costs_itself(answer):
    found, _ = of_another_company(UNSEEN, world={"CALL files.info F1": answer})
    assert ([part.kind for part in found.message.parts], notes(found)) == (
        ["text"],
        ["lookup-unanswered", "part-unsupported"],
    )


def test_no_more_than_ten_files_are_asked_about():
    files = [{**UNSEEN, "id": f"F{number}"} for number in range(12)]
    _, asked = of_another_company(*files)
    assert sum("files.info" in row for row in asked) == 10


def test_a_file_that_another_service_holds_is_a_link():
    link = {
        "id": "F1",
        "mode": "external",
        "is_external": True,
        "external_url": "https://drive.example/d/1",
        "name": "p",
    }
    (_, part) = shared({**link, "title": "Plan"}).message.parts
    assert (part.kind, part.url, part.title) == ("link", "https://drive.example/d/1", "Plan")
    assert shared({**link, "external_url": "ftp://a.example"}).diagnostics[0].code == "part-unsupported"


@pytest.mark.parametrize(
    ("mode", "reason"),
    [("tombstone", "a.txt: it was deleted"), ("hidden_by_limit", "a.txt: the plan of the workspace hides it")],
)
def test_a_file_that_is_gone_is_named(mode, reason):
    found = shared({"id": "F1", "mode": mode, "name": "a.txt"})
    assert found.diagnostics[0].detail == reason
