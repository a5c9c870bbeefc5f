"""What `raw` holds."""

import base64
import hashlib
import json

import pytest

from mentionable.mail import Envelope
from mentionable.mail._envelope import SpfStatus
from tests.mail.receiving import receive

MAIL = (
    b"Received: from b\r\n\tby c\r\nReceived: from a by b\r\nReturn-Path: <bounce@a.example>\r\n"
    b"Delivered-To: helper@agents.example\r\nFrom: =?utf-8?q?Alice_M=C3=BCller?= <alice@a.example>\r\n"
    b"Sender: List <list@l.example>\r\nReply-To: alice@home.example\r\n"
    b"To: Helper <helper@agents.example>, bob@b.example\r\nCc: Team: carol@c.example;\r\nBcc: dave@d.example\r\n"
    b"Subject: =?utf-8?b?Y2Fmw6k=?=\r\nDate: Sat, 21 Nov 2026 10:00:00 +0100\r\nMessage-ID: <m@a.example>\r\n"
    b"In-Reply-To: <p@a.example>\r\nReferences: <r@a.example>\r\n <p@a.example>\r\n"
    b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    b"--b\r\n\r\nHello\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Hello\r\n"
    b"--b\r\nContent-Type: multipart/related; boundary=c\r\n\r\n"
    b"--c\r\nContent-Type: image/png\r\nContent-ID: <i@x>\r\nContent-Disposition: inline; filename=a.png\r\n"
    b"Content-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--c--\r\n--b--\r\n"
)


def test_every_member_is_there() -> None:
    envelope = Envelope(mail_from="bounce@b.example", rcpt_to=["helper@agents.example"], spf="pass")
    raw = receive(MAIL, envelope=envelope, recipient="@helper@agents.example").message.raw
    headers = raw["parsed"].pop("headers")
    assert raw["parsed"] == {
        "from": {"name": "Alice Müller", "address": "alice@a.example"},
        "sender": {"name": "List", "address": "list@l.example"},
        "replyTo": [{"name": "", "address": "alice@home.example"}],
        "deliveredTo": "helper@agents.example",
        "returnPath": "<bounce@a.example>",
        "to": [{"name": "Helper", "address": "helper@agents.example"}, {"name": "", "address": "bob@b.example"}],
        "cc": [{"name": "Team", "group": [{"name": "", "address": "carol@c.example"}]}],
        "bcc": [{"name": "", "address": "dave@d.example"}],
        "subject": "café",
        "messageId": "<m@a.example>",
        "inReplyTo": "<p@a.example>",
        "references": "<r@a.example> <p@a.example>",
        "date": "2026-11-21T09:00:00Z",
        "html": "<p>Hello",
        "text": "Hello",
        "attachments": [
            {
                "filename": "a.png",
                "mimeType": "image/png",
                "disposition": "inline",
                "related": True,
                "contentId": "<i@x>",
                "digest": hashlib.sha256(b"\x89PNG\r\n\x1a\n").hexdigest(),
                "size": 8,
            }
        ],
    }
    assert headers[0] == {"key": "received", "originalKey": "Received", "value": "from b\tby c"}
    assert raw["headers"]["received"] == ["from b\tby c", "from a by b"]
    assert raw["headers"]["return-path"] == "<bounce@a.example>"
    assert (raw["dkim"], raw["spf"]) == ({"results": []}, {"status": "pass"})
    assert "dmarc" not in raw
    assert raw["envelope"] == {"mail_from": "bounce@b.example", "rcpt_to": ["helper@agents.example"]}


def test_members_that_do_not_apply_are_absent() -> None:
    raw = receive(b"From: alice@a.example\r\n\r\n").message.raw
    parsed = raw["parsed"]
    assert parsed.pop("from") == {"name": "", "address": "alice@a.example"}
    assert parsed.pop("headers") == [{"key": "from", "originalKey": "From", "value": "alice@a.example"}]
    assert parsed.pop("attachments") == []
    assert parsed.pop("text") == ""
    assert parsed == {}
    assert raw.keys() == {"headers", "parsed", "dkim"}
    assert raw["dkim"] == {"results": []}


@pytest.mark.parametrize("word", ["temperror", "permerror"])
def test_a_word_that_the_contract_lacks_stands_next_to_none(word: SpfStatus) -> None:
    raw = receive(MAIL, envelope=Envelope(spf=word), recipient="@helper@agents.example").message.raw
    assert raw["spf"] == {"status": "none", "result": word}


def test_an_envelope_may_know_nothing() -> None:
    raw = receive(MAIL, envelope=Envelope(), recipient="@helper@agents.example").message.raw
    assert raw["envelope"] == {"rcpt_to": []}
    assert "spf" not in raw


def test_the_headers_and_the_body_can_be_rebuilt() -> None:
    message = receive(MAIL).message
    parsed = message.raw["parsed"]
    rebuilt = "".join(f"{field['originalKey']}: {field['value']}\r\n" for field in parsed["headers"])
    original = MAIL.partition(b"\r\n\r\n")[0].replace(b"\r\n ", b" ").replace(b"\r\n\t", b"\t") + b"\r\n"
    assert rebuilt.encode() == original
    assert (parsed["text"], parsed["html"]) == ("Hello", "<p>Hello")
    (attachment,) = parsed["attachments"]
    data = base64.b64decode(message.parts[2].bytes_ref.data_base64)
    assert (hashlib.sha256(data).hexdigest(), len(data)) == (attachment["digest"], attachment["size"])
    assert data == b"\x89PNG\r\n\x1a\n"


def test_groups_keep_their_members() -> None:
    to = "A: a@x.example, b@x.example;, c@x.example, Empty:;, A: d@x.example;"
    raw = receive(f"From: alice@a.example\r\nTo: {to}\r\n\r\n".encode()).message.raw
    assert raw["parsed"]["to"] == [
        {"name": "", "address": "c@x.example"},
        {"name": "A", "group": [{"name": "", "address": "a@x.example"}, {"name": "", "address": "b@x.example"}]},
        {"name": "Empty", "group": []},
        {"name": "A", "group": [{"name": "", "address": "d@x.example"}]},
    ]


def test_markdown_has_a_member_of_its_own() -> None:
    raw = receive(b"From: alice@a.example\r\nContent-Type: text/markdown\r\n\r\n*Hi*").message.raw
    assert raw["parsed"]["markdown"] == "*Hi*"
    assert "text" not in raw["parsed"]


def test_a_date_that_is_none_stays_as_it_is() -> None:
    raw = receive(b"From: alice@a.example\r\nDate: tomorrow\r\n\r\n").message.raw
    assert raw["parsed"]["date"] == "tomorrow"


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "Proxy-Authorization",
        "COOKIE",
        "X-Api-Key",
        "X-Mentionable-Policy-Resolution",
        "X-Mentionable-Identity-Evidence",
        "X-Mentionable-Any",
        "X-Access-Token",
        "Client-Secret",
        "Identity_Evidence",
        "X-" + "Long-" * 20 + "Token-Authorization",
    ],
)
def test_secrets_are_blotted_out(name: str) -> None:
    raw = f"From: alice@a.example\r\n{name}: canary-7f3a\r\n{name}: canary-7f3b\r\n\r\n".encode()
    message = receive(raw).message
    assert "canary" not in json.dumps(message.raw)
    assert message.raw["headers"][name.lower()] == ["[redacted]", "[redacted]"]
    assert message.raw["headers"]["from"] == "alice@a.example"


def test_a_credential_is_blotted_out_under_any_name() -> None:
    raw = b"From: alice@a.example\r\nX-Any: Bearer canary-7f3a\r\nX-Any: other\r\n\r\n"
    message = receive(raw).message
    assert "canary" not in json.dumps(message.raw)
    assert message.raw["headers"]["x-any"] == ["[redacted]", "other"]
    assert [field["value"] for field in message.raw["parsed"]["headers"]] == [
        "alice@a.example",
        "[redacted]",
        "other",
    ]


def test_the_words_of_people_are_no_secrets() -> None:
    raw = b"From: Basic Ltd <alice@a.example>\r\nSubject: Basic question\r\nX-Api-Key: canary\r\n\r\n"
    assert receive(raw).message.raw["headers"] == {
        "from": "Basic Ltd <alice@a.example>",
        "subject": "Basic question",
        "x-api-key": "[redacted]",
    }


def test_raw_is_json() -> None:
    raw = receive(MAIL).message.raw
    assert json.loads(json.dumps(raw, allow_nan=False)) == raw
