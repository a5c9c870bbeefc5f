"""`mentionable decode`: options, output, exit status."""

from __future__ import annotations

import io
import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from mentionable import HttpRequest, Rejected
from mentionable.cli import main
from mentionable.cli._decode import outcome_json
from tests.connectors import bluebubbles_events, discord_events
from tests.mail.reports import report

SAMPLES = Path(str(files("mentionable.cli") / "samples"))
ROOT = Path(__file__).resolve().parents[2]
HELPER = "@helper@agents.example"
NOW = "2026-11-21T20:56:00Z"
ENTROPY = "00" * 32
MAIL = b"From: Alice <alice@a.example>\nTo: helper@agents.example\nMessage-ID: <1@a.example>\n\nHello\n"
ACTOR = {
    "@context": "https://www.w3.org/ns/activitystreams",
    "id": "https://social.example/users/alice",
    "type": "Person",
    "preferredUsername": "alice",
}
LOOKUPS = {"GET https://social.example/users/alice": {"content_type": "application/activity+json", "json": ACTOR}}
CREATE = {
    "@context": "https://www.w3.org/ns/activitystreams",
    "id": "https://social.example/notes/1/activity",
    "type": "Create",
    "actor": ACTOR["id"],
    "to": ["https://agents.example/actors/other", "https://agents.example/actors/helper"],
    "object": {
        "id": "https://social.example/notes/1",
        "type": "Note",
        "attributedTo": ACTOR["id"],
        "content": "<p>Hello</p>",
        "tag": [
            {"type": "Mention", "href": "https://agents.example/actors/helper", "name": HELPER},
            {"type": "Mention", "href": "https://agents.example/actors/other", "name": "@other@agents.example"},
        ],
    },
}
A2A = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": {}}}
A2A["params"]["message"] = {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "Hello"}]}


def write(folder: Path, name: str, content: object) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


def decode(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict, str]:
    status = main(["decode", *words])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


def test_a_mail_becomes_json_and_its_first_mailbox_is_served(tmp_path, capsys):
    status, got, err = decode(capsys, "email", write(tmp_path, "x.eml", MAIL), "--now", NOW, "--entropy", ENTROPY)
    assert (status, err) == (0, "")
    assert list(got) == ["messages", "identities", "verdict", "diagnostics"]
    assert got["messages"][0]["recipient"] == HELPER
    assert got["messages"][0]["parts"] == [{"kind": "text", "content": "Hello\n", "mime": "text/plain"}]
    assert got["messages"][0]["received_at"] == "2026-11-21T20:56:00Z"
    assert got["verdict"]["code"] == "unsigned"
    assert got["diagnostics"] == []


def test_the_same_words_give_the_same_json(tmp_path, capsys):
    words = "email", write(tmp_path, "x.eml", MAIL), "--now", NOW, "--entropy", ENTROPY
    assert decode(capsys, *words) == decode(capsys, *words)


def test_without_entropy_ids_differ(tmp_path, capsys):
    words = "email", write(tmp_path, "x.eml", MAIL), "--now", NOW
    ids = {decode(capsys, *words)[1]["messages"][0]["id"] for _ in range(2)}
    assert len(ids) == 2


def test_only_the_first_mailbox_is_served(tmp_path, capsys):
    mail = MAIL.replace(b"To: ", b"To: undisclosed@nowhere, first@agents.example, ")
    got = decode(capsys, "email", write(tmp_path, "x.eml", mail))[1]
    assert [message["recipient"] for message in got["messages"]] == ["@first@agents.example"]


def test_as_says_for_whom_it_is(tmp_path, capsys):
    got = decode(capsys, "email", write(tmp_path, "x.eml", MAIL), "--as", "@other@agents.example")[1]
    assert got["messages"][0]["recipient"] == "@other@agents.example"


def test_agent_rows_say_whom_is_served_and_nobody_else_is(tmp_path, capsys):
    mail = MAIL.replace(b"To: ", b"To: bob@b.example, ")
    lookups = write(tmp_path, "l.json", {"AGENT helper@agents.example": HELPER})
    got = decode(capsys, "email", write(tmp_path, "x.eml", mail), "--lookups", lookups)[1]
    assert [message["recipient"] for message in got["messages"]] == [HELPER]


def test_store_rows_are_used_and_what_they_do_not_list_is_not_there(tmp_path, capsys):
    mail = MAIL.replace(b"\n\nHello", b"\nIn-Reply-To: <0@a.example>\nReferences: <0@a.example>\n\nHello")
    stored = {"id": "019ab1c2-0000-7000-8000-000000000000", "thread_id": "<0@a.example>", "sender": HELPER}
    turn = {
        "role": "assistant",
        "sender": {"address": HELPER, "auth_method": "none", "verified": False},
        "parts": [{"kind": "text", "mime": "text/plain", "content": "Before"}],
        "timestamp": "2026-11-21T20:00:00Z",
    }
    table = {"MESSAGE <0@a.example>": stored, "HISTORY <0@a.example>": [turn]}
    file, lookups = write(tmp_path, "x.eml", mail), write(tmp_path, "l.json", table)
    got = decode(capsys, "email", file, "--lookups", lookups)[1]
    assert got["messages"][0]["in_reply_to"] == stored["id"]
    assert got["messages"][0]["history"][0]["parts"][0]["content"] == "Before"
    assert [note["code"] for note in got["diagnostics"]] == ["thread-joined"]


def test_a_failure_in_the_table_is_a_diagnostic_on_one_line(tmp_path, capsys):
    lookups = write(tmp_path, "l.json", {"MESSAGE *": {"failed": "the store\nis down"}})
    _, got, err = decode(capsys, "email", write(tmp_path, "x.eml", MAIL), "--lookups", lookups)
    (note,) = got["diagnostics"]
    assert (note["code"], note["at"], note["temporary"]) == ("lookup-unanswered", "", True)
    assert note["detail"].endswith(": the store\nis down")
    assert err.startswith("mentionable: lookup-unanswered: message")
    assert err.endswith(": the store\\nis down\n")
    assert err.count("\n") == 1


def test_a_rejected_unit_ends_with_status_1_and_says_why(tmp_path, capsys):
    status, got, err = decode(capsys, "email", write(tmp_path, "x.eml", b"Subject: nobody\n\nx\n"))
    assert status == 1
    assert got["rejected"]["code"] == "sender-unaddressable"
    assert set(got["rejected"]["problems"][0]) == {"at", "rule"}
    assert err.startswith("mentionable: rejected: sender-unaddressable")
    assert err.count("\n") == 1


def test_compact_is_one_line(tmp_path, capsys):
    main(["decode", "email", write(tmp_path, "x.eml", MAIL), "--compact"])
    assert capsys.readouterr().out.count("\n") == 1


def test_control_characters_are_escaped_in_json(tmp_path, capsys):
    mail = MAIL.replace(b"Hello", b"\x1b[31mred \xc2\x9b2J")
    main(["decode", "email", write(tmp_path, "x.eml", mail)])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x9b" not in out
    assert json.loads(out)["messages"]


def test_a_request_with_a_mention_is_taken_for_the_first_that_fits(tmp_path, capsys):
    request = b"POST /inbox HTTP/1.1\r\nHost: agents.example\r\n\r\n" + json.dumps(CREATE).encode()
    file, lookups = write(tmp_path, "x.http", request), write(tmp_path, "l.json", LOOKUPS)
    status, got, _ = decode(capsys, "activitypub", file, "--lookups", lookups)
    assert status == 0
    assert [message["recipient"] for message in got["messages"]] == [HELPER]
    assert got["messages"][0]["sender"]["address"] == "@alice@social.example"


def test_a_bare_activity_is_taken_too(tmp_path, capsys):
    file, lookups = write(tmp_path, "x.json", CREATE), write(tmp_path, "l.json", LOOKUPS)
    assert decode(capsys, "activitypub", file, "--lookups", lookups)[0] == 0


def test_the_mention_of_a_fetched_object_counts(tmp_path, capsys):
    note = {"@context": ACTOR["@context"], **CREATE["object"]}
    table = {**LOOKUPS, f"GET {note['id']}": {"content_type": "application/activity+json", "json": note}}
    file = write(tmp_path, "x.json", {**CREATE, "object": note["id"]})
    status, got, _ = decode(capsys, "activitypub", file, "--lookups", write(tmp_path, "l.json", table))
    assert status == 0
    assert got["messages"][0]["recipient"] == HELPER


def test_an_activity_without_a_mention_that_fits_is_for_nobody(tmp_path, capsys):
    tags = [
        "no object",
        {"type": "Hashtag", "name": "#rain"},
        {"type": "Mention", "href": 5, "name": HELPER},
        {"type": "Mention", "href": "https://agents.example/actors/helper"},
        {"type": "Mention", "href": "https://agents.example/actors/helper", "name": "helper@agents.example"},
        {"type": "Mention", "href": "https://agents.example/actors/helper", "name": "@helper@other.example"},
        {"type": "Mention", "href": "mailto:helper@agents.example", "name": HELPER},
    ]
    note = {**CREATE["object"], "tag": tags[1:]}
    for document in ({**CREATE, "object": note}, {**CREATE, "object": {**note, "tag": tags[1]}}):
        file, lookups = write(tmp_path, "x.json", document), write(tmp_path, "l.json", LOOKUPS)
        status, got, _ = decode(capsys, "activitypub", file, "--lookups", lookups)
        assert (status, got["rejected"]["code"]) == (1, "recipient-elsewhere")
    file = write(tmp_path, "x.json", {**CREATE, "object": {**note, "tag": tags}})
    assert decode(capsys, "activitypub", file)[0] == 1


@pytest.mark.parametrize("body", [b"[1]", b"{nonsense", b'{"object": 1}', b""])
def test_what_is_no_activity_is_rejected(tmp_path, capsys, body):
    status, got, _ = decode(capsys, "activitypub", write(tmp_path, "x.json", body))
    assert status == 1
    assert got["rejected"]["code"]


def test_an_a2a_request_needs_as(tmp_path, capsys):
    assert main(["decode", "a2a", write(tmp_path, "x.json", A2A)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "mentionable: decode a2a needs --as @agent@domain, or --lookups with an AGENT row\n"


def test_a_bare_a2a_body_with_as_is_decoded(tmp_path, capsys):
    status, got, _ = decode(capsys, "a2a", write(tmp_path, "x.json", A2A), "--as", HELPER)
    assert (status, got["messages"][0]["thread_id"]) == (0, "t1")


def test_an_a2a_request_finds_its_agent_by_url(tmp_path, capsys):
    request = b"POST http://agents.example/a2a\na2a-version: 1.0\n\n" + json.dumps(A2A).encode() + b"\n\n--- 200\n{}"
    lookups = write(tmp_path, "l.json", {"AGENT http://agents.example/a2a": HELPER})
    got = decode(capsys, "a2a", write(tmp_path, "x.http", request), "--lookups", lookups)[1]
    assert got["messages"][0]["recipient"] == HELPER


def test_a_bare_a2a_body_does_not_say_for_whom_it_is(tmp_path, capsys):
    lookups = write(tmp_path, "l.json", {"AGENT https://agents.example/a2a": HELPER})
    assert main(["decode", "a2a", write(tmp_path, "x.json", A2A), "--lookups", lookups]) == 2
    assert "--as" in capsys.readouterr().err


def test_a_bare_a2a_body_is_read_strictly(tmp_path, capsys):
    status, got, _ = decode(capsys, "a2a", write(tmp_path, "x.json", b'{"a": 1, "a": 2}'), "--as", HELPER)
    assert (status, got["rejected"]["code"]) == (1, "duplicate-member")


def test_standard_input_is_a_file_too(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MAIL)))
    assert decode(capsys, "email", "-")[0] == 0


def test_a_closed_standard_input_fails(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["decode", "email", "-"]) == 2
    assert capsys.readouterr().err == "mentionable: standard input is closed\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["email", "{}/missing.eml"], "missing.eml: No such file or directory"),
        (["email", "{}/missing.mbox"], "missing.mbox: No such file or directory"),
        (["activitypub", "{}/missing.http"], "missing.http: No such file or directory"),
        (["email", "{}/x.eml", "--lookups", "{}"], "Is a directory"),
        (["email", "{}/x.eml", "--lookups", "{}/x.eml"], "invalid-json"),
        (["email", "{}/x.eml", "--lookups", "{}/list.json"], "list.json: not a JSON object"),
        (["email", "{}/x.eml", "--lookups", "{}/odd.json"], "odd.json: a look-up begins with AGENT, CALL, CONSENT,"),
        (["email", "{}/x.eml", "--lookups", "{}/wrong.json"], "wrong.json: the look-up 'MESSAGE *' has"),
        (["email", "{}/x.eml", "--lookups", "{}/name.json"], "name.json: the look-up 'AGENT x' has the wrong shape"),
        (["email", "{}/x.eml", "--as", "helper"], "argument --as: not an address"),
        (["email", "{}/x.eml", "--now", "yesterday"], "argument --now: not an RFC 3339"),
        (["email", "{}/x.eml", "--entropy", "zz"], "argument --entropy: not hexadecimal"),
        (["email", "{}/x.eml", "--entropy", "00"], "argument --entropy: 64 hexadecimal digits are needed"),
        (["telex", "{}/x.eml"], "invalid choice"),
        (["email"], "arguments are required: FILE"),
        (["email", "{}/x.eml", "--comp"], "unrecognized arguments: --comp"),
        (["activitypub", "{}/bad.http"], "bad.http: not an HTTP request"),
    ],
)
def test_what_cannot_be_tried_ends_with_status_2_and_one_line(tmp_path, capsys, words, complaint):
    write(tmp_path, "x.eml", MAIL)
    write(tmp_path, "list.json", [])
    write(tmp_path, "odd.json", {"WHO knows": 1})
    write(tmp_path, "wrong.json", {"MESSAGE *": 5})
    write(tmp_path, "name.json", {"AGENT x": "helper"})
    write(tmp_path, "bad.http", b"POST /inbox HTTP/1.1\n\n{}")
    assert main(["decode", *(word.format(tmp_path) for word in words)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
    assert err.startswith("mentionable: ")
    assert err.count("\n") == 1


def test_who_is_not_served_is_told_with_what_to_do(tmp_path, capsys):
    file, lookups = write(tmp_path, "x.eml", MAIL), write(tmp_path, "l.json", {"AGENT other@agents.example": HELPER})
    assert main(["decode", "email", file, "--lookups", lookups]) == 1
    refusal, hint = capsys.readouterr().err.splitlines()
    assert "helper@agents.example" in refusal
    assert hint.startswith("mentionable: no recipient: add --as @agent@domain, or an AGENT row in --lookups")


def test_of_many_units_that_are_for_nobody_one_hint_is_given(tmp_path, capsys):
    for name in ("a.eml", "b.eml"):
        write(tmp_path, name, MAIL)
    (tmp_path / ".l").mkdir()
    lookups = write(tmp_path / ".l", "l.json", {"AGENT x@agents.example": HELPER})
    assert main(["decode", "email", str(tmp_path), "--lookups", lookups]) == 1
    assert capsys.readouterr().err.count("no recipient: add --as") == 1


def test_settings_say_whose_tokens_are_believed(tmp_path, capsys):
    sample = str(SAMPLES / "a2a-sdk-send.http")
    index = json.loads((SAMPLES / "index.json").read_text())
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps(index["samples"][1]["settings"]))
    words = ["decode", "a2a", sample, "--lookups", str(SAMPLES / "lookups.json"), "--now", index["now"]]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["code"] == "issuer-unknown"
    assert main([*words, "--settings", str(settings)]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["verified"] is True


@pytest.mark.parametrize("text", ["[]", "{", '{"nothing": 1}', '{"limits": {"asks": -1}}'])
def test_settings_that_are_none_are_told(tmp_path, capsys, text):
    settings = tmp_path / "settings.json"
    settings.write_text(text)
    sample = str(SAMPLES / "gmail-reply.eml")
    assert main(["decode", "email", sample, "--settings", str(settings)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "invalid-json"),
        ('{"nothing": 1}', "/nothing: unknown setting 'nothing'"),
        ('{"limits": {"asks": -1}}', "/limits/asks: expected an integer of 0 or more"),
        ('{"limits": 7}', "/limits: expected an object, not a number"),
        ('{"limits": {"x": 1}}', "/limits/x: unknown setting 'x'"),
        ('{"history": {"max_age": "x"}}', "/history/max_age: expected a number of seconds, not a string"),
        ('{"history": {"max_chars": "9"}}', "/history/max_chars: expected an integer, not a string"),
        ('{"spf_only_dmarc": 7}', '/spf_only_dmarc: expected "unverified" or "verified"'),
        ('{"trust": [{"issuer": 7}]}', "/trust/0/issuer: expected a string, not a number"),
    ],
)
def test_a_fault_in_the_settings_is_one_of_their_file(tmp_path, capsys, text, complaint):
    settings = write(tmp_path, "settings.json", text.encode())
    folder = tmp_path / "mails"
    folder.mkdir()
    write(folder, "x.eml", MAIL)
    for file in (str(folder), str(folder / "x.eml")):
        assert main(["decode", "email", file, "--settings", settings]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"mentionable: {settings}: ")
        assert complaint in err
        assert "x.eml" not in err
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"{\n", "line 2, column 1: invalid-json; "),
        (b'{\n  "limits": {"asks": 3},\n  "history"\n}', "line 4, column 1: invalid-json; "),
        (b'{"limits": {},\r\n "trust": [],}', "line 2, column 14: invalid-json; "),
        (b"{}\n\n x", "line 3, column 2: invalid-json; "),
        ('{"é": "ü",\n"ö": "ä" 1}'.encode(), "line 2, column 10: invalid-json; "),
        (b'{\n "\xc3\xa9": "\xff"}', "line 2, column 8: not-utf8; "),
        (b'{"NaN \\" NaN": 1,\n "asks": NaN}', "line 2, column 10: unsafe-number; "),
        (b'{"asks": -Infinity}', "line 1, column 10: unsafe-number; "),
        (b'{"asks": 1e400}', "unsafe-number; "),
        (b'{"asks": ' + b"1" * 5_000 + b"}", "unsafe-number; "),
        (b'{"a": 1, "a": 2}', "duplicate-member; "),
    ],
)
@pytest.mark.parametrize("option", ["--settings", "--lookups"])
def test_a_fault_in_the_syntax_of_a_file_is_told_by_line_and_column(tmp_path, capsys, option, text, complaint):
    file = write(tmp_path, "by-hand.json", text)
    assert main(["decode", "email", str(SAMPLES / "gmail-reply.eml"), option, file]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"mentionable: {file}: {complaint}")
    assert err.count("\n") == 1


SLACK = [str(SAMPLES / "slack-message.http"), "--settings", str(SAMPLES / "slack-settings.json")]
AT_NOW = ["--as", HELPER, "--now", NOW]


def test_an_event_of_slack_is_verified_with_its_signing_secret(tmp_path, capsys):
    words = ["slack", *SLACK, *AT_NOW, "--lookups", str(SAMPLES / "slack-lookups.json")]
    status, got, _ = decode(capsys, *words)
    assert (status, got["messages"][0]["recipient"]) == (0, HELPER)
    assert got["messages"][0]["sender"]["display_name"]
    assert got["messages"][0]["sender"]["identities"][0]["issuer"] == "slack.agents.example"
    assert got["identities"][0]["subject"].startswith("slack:")  # what an agent authorizes on
    words[2:4] = ["--settings", write(tmp_path, "s.json", {"signing_secret": ["old", "x"], "issuer": "a.example"})]
    status, got, _ = decode(capsys, *words)
    assert (status, got["rejected"]["code"]) == (1, "request-unverified")


def test_a_command_of_discord_is_verified_with_the_key_of_its_application(tmp_path, capsys):
    settings = str(SAMPLES / "discord-settings.json")
    words = ["discord", str(SAMPLES / "discord-command.http"), "--settings", settings, *AT_NOW]
    status, got, _ = decode(capsys, *words)
    assert (status, got["messages"][0]["parts"][0]["content"]) == (0, "Hi")
    forged = (SAMPLES / "discord-command.http").read_bytes().replace(b'"Hi"', b'"Ho"')
    words[1] = write(tmp_path, "x.http", forged)
    assert decode(capsys, *words)[1]["rejected"]["code"] == "request-unverified"


def test_the_ping_of_discord_is_a_handshake(tmp_path, capsys):
    unit = discord_events.signed({"type": 1, "id": "1", "application_id": discord_events.APP})
    head = "".join(f"{name}: {value}\r\n" for name, value in unit.headers)
    file = write(tmp_path, "ping.http", f"POST {unit.url} HTTP/1.1\r\n{head}\r\n".encode() + unit.body)
    words = ["discord", file, "--settings", str(SAMPLES / "discord-settings.json"), *AT_NOW]
    status, got, err = decode(capsys, *words)
    assert (status, got["handshake"]["status"], json.loads(got["handshake"]["body"])) == (0, 200, {"type": 1})
    assert err == "mentionable: a handshake request: it contains no message\n"


def test_a_reaction_in_discord_is_an_event(tmp_path, capsys):
    place = {"channel_id": "500", "message_id": "9", "user_id": "42", "emoji": {"name": "👍"}}
    unit = discord_events.signed({"t": "MESSAGE_REACTION_ADD", "d": place})
    head = "".join(f"{name}: {value}\r\n" for name, value in unit.headers)
    file = write(tmp_path, "event.http", f"POST {unit.url} HTTP/1.1\r\n{head}\r\n".encode() + unit.body)
    lookups = write(tmp_path, "lookups.json", {"MESSAGE *": None})
    words = ["discord", file, "--settings", str(SAMPLES / "discord-settings.json"), *AT_NOW, "--lookups", lookups]
    status, got, _ = decode(capsys, *words)
    assert (status, got["event"]["type"], got["event"]["content"]) == (0, "reaction-added", "👍")
    assert got["event"]["actor"]["address"] == "@42@dm.discord.invalid"
    assert [one["subject"] for one in got["event"]["identities"]] == ["discord:dm/42"]
    assert (got["event"]["stored"], got["verdict"]["code"]) == ({}, "platform-only")


def test_a_deletion_in_discord_names_nobody(tmp_path, capsys):
    unit = discord_events.signed({"t": "MESSAGE_DELETE", "d": {"channel_id": "500", "id": "9"}})
    head = "".join(f"{name}: {value}\r\n" for name, value in unit.headers)
    file = write(tmp_path, "event.http", f"POST {unit.url} HTTP/1.1\r\n{head}\r\n".encode() + unit.body)
    lookups = write(tmp_path, "lookups.json", {"MESSAGE *": None})
    words = ["discord", file, "--settings", str(SAMPLES / "discord-settings.json"), *AT_NOW, "--lookups", lookups]
    assert decode(capsys, *words)[1]["event"]["actor"] is None


def bluebubbles(tmp_path: Path, request: HttpRequest) -> list[str]:
    """The words that decode a webhook of BlueBubbles."""
    file = write(tmp_path, "webhook.http", f"POST {request.url} HTTP/1.1\r\n\r\n".encode() + request.body)
    named = {"secret": bluebubbles_events.SECRET, "pseudonym_key": "k" * 32, "issuer": "imessage.agents.example"}
    return ["bluebubbles", file, "--settings", write(tmp_path, "settings.json", named), *AT_NOW]


def test_a_webhook_of_bluebubbles_is_decoded(tmp_path, capsys):
    words = bluebubbles(tmp_path, bluebubbles_events.posted(bluebubbles_events.told()))
    status, got, _ = decode(capsys, *words)
    assert (status, got["messages"][0]["parts"][0]["content"]) == (0, "Hi")
    assert got["identities"][0]["issuer"] == "imessage.agents.example"


def test_a_webhook_of_bluebubbles_without_its_secret_is_rejected(tmp_path, capsys):
    words = bluebubbles(tmp_path, bluebubbles_events.posted(bluebubbles_events.told(), "?secret=another"))
    status, got, _ = decode(capsys, *words)
    assert (status, got["rejected"]["code"]) == (1, "request-unverified")


def test_the_failed_step_of_evidence_is_printed():
    rejected = outcome_json(Rejected(code="expired", step="time"))["rejected"]
    assert rejected == {"code": "expired", "problems": [], "step": "time"}


def test_a_form_is_decoded(tmp_path, capsys):
    status, got, _ = decode(capsys, "rest", str(SAMPLES / "rest-form.http"), *AT_NOW)
    assert (status, got["messages"][0]["thread_id"]) == (0, "s1")
    assert got["messages"][0]["parts"][0]["content"] == "Will it rain?"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["slack", SLACK[0]], "decode slack needs --settings with signing_secret and issuer"),
        (["bluebubbles", SLACK[0]], "decode bluebubbles needs --settings with secret and pseudonym_key"),
        (["discord", SLACK[0]], "decode discord needs --settings with public_key, application_id and issuer"),
        (["slack", SLACK[0], "--settings", str(SAMPLES / "discord-settings.json")], "settings.json: /application_id: "),
        (["rest", SLACK[0]], "decode rest needs --as @agent@domain"),
        (["rest", str(SAMPLES / "gmail-reply.eml"), "--as", HELPER], "gmail-reply.eml: not an HTTP request"),
        (["a2a", SLACK[0], "--as", HELPER, "--dns"], "--dns works with email only"),
    ],
)
def test_what_a_platform_needs_is_named(capsys, words, complaint):
    assert main(["decode", *words]) == 2
    assert complaint in capsys.readouterr().err


def delivered(tmp_path, capsys, name: str) -> tuple[int, dict, str]:
    """What is decoded of a delivery from the conformance suite, and with its look-ups."""
    behaviour = name.rpartition("/")[0]
    whole = json.loads((ROOT / "conformance" / "v0.1" / f"{behaviour}.json").read_text())
    (case,) = [case for case in whole["cases"] if case["id"] == name]
    head = "".join(f"{field}: {value}\r\n" for field, value in case["input"]["headers"])
    request = write(tmp_path, "x.http", f"POST /inbox HTTP/1.1\r\n{head}\r\n{case['input']['body']}".encode())
    lookups = write(tmp_path, "l.json", case["given"]["lookups"])
    return decode(capsys, "activitypub", request, "--lookups", lookups, "--now", NOW)


def test_an_activity_that_is_no_message_is_printed_with_its_authority(tmp_path, capsys):
    status, got, _ = delivered(tmp_path, capsys, "activitypub/inbox-types/like")
    activity = got["activity"]
    assert (status, activity["type"], activity["authority"]) == (0, "Like", "own")
    assert (activity["actor"]["address"], got["verdict"]["verified"]) == ("@alice@social.example", True)


def test_an_edit_of_a_stored_message_is_printed_as_such(tmp_path, capsys):
    status, got, _ = delivered(tmp_path, capsys, "activitypub/inbox-messages/edited")
    assert (status, got["messages"]) == (0, [])
    assert [one["sender"]["address"] for one in got["edited"]] == ["@alice@social.example"]


def test_a_bounce_is_a_report_and_the_mail_as_it_came(tmp_path, capsys):
    row = {"id": "answer", "thread_id": "<1@a.example>", "sender": "@helper@agents.example", "auth_method": "own"}
    lookups = write(tmp_path, "l.json", {"MESSAGE <answer@agents.example>": row})
    status, got, _ = decode(capsys, "email", write(tmp_path, "bounce.eml", report()), "--lookups", lookups)
    assert status == 0
    assert got["report"]["recipients"][0]["status"] == "5.1.1"
    assert got["stored"] == {"@helper@agents.example": "answer"}
    assert [message["recipient"] for message in got["messages"]] == ["@helper@agents.example"]
