"""`mentionable encode`: what it prints is what each door gives, and decodes again."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable.cli import main

SAMPLES = Path(str(files("mentionable.cli") / "samples"))
UNITS = {"activitypub": "mastodon-create.http", "a2a": "a2a-sdk-send.http", "email": "gmail-reply.eml"}
NOW, ENTROPY = ["--now", "2026-11-21T20:56:00Z"], ["--entropy", "00" * 32]
BASE = ["--base", "https://agents.example"]


@pytest.fixture
def question(tmp_path, capfdbinary):
    """Writes what `decode` prints for a sample; gives the options that name it."""

    def decode(transport: str) -> tuple[Path, str]:
        unit = str(SAMPLES / UNITS[transport])
        assert main(["decode", transport, unit, "--lookups", str(SAMPLES / "lookups.json"), *NOW, *ENTROPY]) == 0
        path = tmp_path / f"{transport}.json"
        path.write_bytes(capfdbinary.readouterr().out)
        return path, json.loads(path.read_text())["messages"][0]["id"]

    return decode


@pytest.fixture
def response(tmp_path):
    def write(reply_to: str, *parts: object) -> Path:
        path = tmp_path / "response.json"
        shown = [{"kind": "text", "mime": "text/markdown", "content": "**Hello**"}, *parts]
        path.write_text(json.dumps({"reply_to": reply_to, "status": "ok", "parts": shown}))
        return path

    return write


@pytest.fixture
def keys(tmp_path):
    made = {"rsa": generate_private_key(65_537, 2_048), "ed25519": Ed25519PrivateKey.generate()}
    for name, key in made.items():
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (tmp_path / f"{name}.pem").write_bytes(pem)
    return tmp_path


def run(transport, question, response, *more, capfdbinary):
    message, message_id = question(transport)
    status = main(["encode", transport, str(response(message_id)), "--to", str(message), *NOW, *ENTROPY, *more])
    out, err = capfdbinary.readouterr()
    return status, out, err.decode()


def test_an_activity_is_printed(question, response, capfdbinary, monkeypatch):
    monkeypatch.delenv("MENTIONABLE_TRACE_VIEWER_URL", raising=False)
    status, out, err = run("activitypub", question, response, *BASE, capfdbinary=capfdbinary)
    activity = json.loads(out)
    assert (status, err, activity["type"]) == (0, "", "Create")
    assert "https://mentionable.dev/trace#" in activity["object"]["content"]
    assert "proof" not in activity


@pytest.mark.parametrize(
    ("value", "href", "warned"),
    [
        ("none", "data:application/json;base64,", False),
        ("https://traces.example/t", "https://traces.example/t#", False),
        ("ftp://traces.example/", "https://mentionable.dev/trace#", True),
    ],
)
def test_the_environment_names_the_viewer(question, response, capfdbinary, monkeypatch, value, href, warned):
    monkeypatch.setenv("MENTIONABLE_TRACE_VIEWER_URL", value)
    _, out, err = run("activitypub", question, response, *BASE, capfdbinary=capfdbinary)
    assert f'href="{href}' in json.loads(out)["object"]["content"]
    assert ("MENTIONABLE_TRACE_VIEWER_URL" in err) is warned


def test_an_activity_needs_a_base(question, response, capfdbinary):
    status, out, err = run("activitypub", question, response, capfdbinary=capfdbinary)
    assert (status, out) == (2, b"")
    assert "--base" in err


def test_an_ed25519_key_signs_the_activity(question, response, keys, capfdbinary):
    named = ["--key", str(keys / "ed25519.pem"), "--key-id", "https://agents.example/actors/helper#objects"]
    _, out, _ = run("activitypub", question, response, *BASE, *named, capfdbinary=capfdbinary)
    assert json.loads(out)["proof"]["verificationMethod"] == "https://agents.example/actors/helper#objects"


def test_an_rsa_key_names_the_actor(question, response, keys, capfdbinary):
    named = ["--key", str(keys / "rsa.pem"), "--key-id", "https://agents.example/helper#main-key"]
    _, out, _ = run("activitypub", question, response, *BASE, *named, capfdbinary=capfdbinary)
    assert json.loads(out)["actor"] == "https://agents.example/helper"


def test_a_mail_is_printed_byte_for_byte_and_signed(question, response, keys, capfdbinary, tmp_path):
    named = ["--key", str(keys / "ed25519.pem"), "--key-id", "s1._domainkey.agents.example"]
    status, out, err = run("email", question, response, *named, capfdbinary=capfdbinary)
    assert (status, err) == (0, "")
    assert out.startswith(b"DKIM-Signature: v=1; a=ed25519-sha256;")
    assert out.count(b"\n") == out.count(b"\r\n")
    (tmp_path / "answer.eml").write_bytes(out)
    assert main(["decode", "email", str(tmp_path / "answer.eml"), *NOW, "--as", "@alice@post.example"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["messages"][0]["received_trace"]["status"] == "ok"


def test_the_body_of_an_a2a_response_is_printed(question, response, capfdbinary):
    _, out, _ = run("a2a", question, response, capfdbinary=capfdbinary)
    assert json.loads(out)["result"]["message"]["parts"] == [{"text": "**Hello**", "mediaType": "text/markdown"}]


@pytest.mark.parametrize(("transport", "options"), [("a2a", []), ("activitypub", BASE)])
def test_no_control_character_reaches_the_terminal(transport, options, question, response, capfdbinary):
    text = {"kind": "text", "mime": "text/plain", "content": "a\x1b[31m\x9b31m\x7fb"}
    message, message_id = question(transport)
    status = main(["encode", transport, str(response(message_id, text)), "--to", str(message), *options])
    out = capfdbinary.readouterr().out.decode()
    assert (status, [char for char in out if char != "\n" and not char.isprintable()]) == (0, [])


def test_content_is_taken_from_a_folder_by_its_digest(question, response, capfdbinary, tmp_path):
    data = b"hour,mm\n" * 10_000
    digest = hashlib.sha256(data).hexdigest()
    message, message_id = question("email")
    bytes_ref = {"kind": "content_addressed", "algo": "sha256", "digest": digest}
    path = response(message_id, {"kind": "file", "mime": "text/csv", "name": "rain.csv", "bytes_ref": bytes_ref})
    words = ["encode", "email", str(path), "--to", str(message), *NOW, *ENTROPY]
    assert main(words) == 2
    assert digest in capfdbinary.readouterr().err.decode()
    assert main([*words, "--blobs", str(tmp_path)]) == 2
    (tmp_path / digest).write_bytes(data)
    assert main([*words, "--blobs", str(tmp_path)]) == 0
    assert b"rain.csv" in capfdbinary.readouterr().out


def test_what_is_odd_fails(question, response, capfdbinary):
    message, message_id = question("activitypub")
    path = response(message_id, {"kind": "text", "mime": "text/plain", "content": "Ask @carol@c.example"})
    assert main(["encode", "activitypub", str(path), "--to", str(message), *NOW, *ENTROPY, *BASE]) == 0
    assert "sibling-unresolved: /object/content: @carol@c.example" in capfdbinary.readouterr().err.decode()


@pytest.mark.parametrize("words", [["--key", "k.pem"], ["--key-id", "k"]])
def test_a_key_and_its_id_belong_together(question, response, capfdbinary, words):
    status, _, err = run("email", question, response, *words, capfdbinary=capfdbinary)
    assert (status, "must be used together" in err) == (2, True)


def test_a_file_that_is_no_response_fails(question, tmp_path, capfdbinary):
    message, _ = question("email")
    (tmp_path / "response.json").write_text('{"status": "fine"}')
    assert main(["encode", "email", str(tmp_path / "response.json"), "--to", str(message)]) == 2
    assert "/reply_to: required" in capfdbinary.readouterr().err.decode()


def test_the_message_that_is_answered_must_be_there(question, response, tmp_path, capfdbinary):
    path = response("m1")
    (tmp_path / "none.json").write_text('{"messages": []}')
    assert main(["encode", "email", str(path), "--to", str(tmp_path / "none.json")]) == 2
    assert "0 messages, none with the id 'm1'" in capfdbinary.readouterr().err.decode()


def test_the_message_of_several_is_taken_that_the_response_names(question, response, tmp_path, capfdbinary):
    message, message_id = question("email")
    decoded = json.loads(message.read_text())
    decoded["messages"].insert(0, {**decoded["messages"][0], "id": "another"})
    message.write_text(json.dumps(decoded))
    assert main(["encode", "email", str(response(message_id)), "--to", str(message)]) == 0
    assert capfdbinary.readouterr().out.startswith(b"From: helper@agents.example\r\n")


def test_what_was_rejected_is_not_answered(response, tmp_path, capfdbinary):
    (tmp_path / "rejected.json").write_text('{"rejected": {"code": "sender-unaddressable", "problems": []}}')
    assert main(["encode", "email", str(response("m1")), "--to", str(tmp_path / "rejected.json")]) == 2
    assert "decode rejected it" in capfdbinary.readouterr().err.decode()


def test_nothing_of_an_a2a_answer_is_served(question, response, capfdbinary):
    status, out, err = run("a2a", question, response, *BASE, capfdbinary=capfdbinary)
    assert (status, out, "neither --base nor --key" in err) == (2, b"", True)


def test_a_message_alone_is_taken_too(question, response, tmp_path, capfdbinary):
    message, message_id = question("email")
    (tmp_path / "alone.json").write_text(json.dumps(json.loads(message.read_text())["messages"][0]))
    words = ["encode", "email", str(response(message_id)), "--to", str(tmp_path / "alone.json")]
    assert main(words) == 0
    assert capfdbinary.readouterr().out.startswith(b"From: helper@agents.example\r\n")


def test_a_stream_of_text_in_place_of_standard_output_is_written_to(question, response, monkeypatch):
    message, message_id = question("a2a")
    text = io.StringIO()
    monkeypatch.setattr(sys, "stdout", text)
    assert main(["encode", "a2a", str(response(message_id)), "--to", str(message), *NOW, *ENTROPY]) == 0
    assert json.loads(text.getvalue())["jsonrpc"] == "2.0"
