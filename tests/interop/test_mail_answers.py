"""What parsers of others read in the mails that answer, and who signed them."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from hypothesis import strategies as st

from mentionable import FilePart, NormalizedResponse, SigningKey, TextPart, dumps, mail, replace
from mentionable._text.media import file_name, single_line
from mentionable._text.response_text import render_response_html, render_response_text
from mentionable._transport.reply import content_of
from mentionable.mail._write.body import canonical_text, tool_line
from tests.interop.batches import BLOBS, NOW, PIXEL, answers_to, any_answers, any_parts, drawn
from tests.mail.answering import question

FLOOR = 2_450
KEYS = Path(__file__).resolve().parents[2] / "conformance" / "keys"
DOMAIN = "agents.example"
PARSERS = ("postal-mime", "mailparser", "email")
EVERY_PARSER = pytest.mark.parametrize("parser", PARSERS)
SENDER = r'"Hélper, the \"Agent\" 🤖" <helper@agents.example>'
ASKED = question(
    b"From: =?utf-8?q?J=C3=BCrgen_=22Jo=22_M=2C_M=C3=BCller?= <alice@a.example>\r\n"
    b"To: Helper <helper@agents.example>\r\nSubject: =?utf-8?b?8J+Mpw==?= Rain, in =?utf-8?q?K=C3=B6ln=3F?=\r\n"
    b"Message-ID: <q2@a.example>\r\nReferences: <q0@a.example> <q1@a.example>\r\n\r\nWill it rain?\r\n"
)
ASKED_BY_UTF8 = question(
    "From: alice@bücher.example\r\nReply-To: Jürgen <jürgen@bücher.example>\r\nSubject: Hallo\r\n\r\nHallo\r\n".encode()
)


def packed(data):
    return base64.b64encode(data).decode()


def sent(response, to=ASKED, **given):
    facts = {"sender": SENDER, "blobs": BLOBS, "entropy": bytes(32), **given}
    return mail.reply(response, to=to, now=NOW, **facts)


def with_email(raw):
    """What the standard library reads, in the form in which the peers tell."""
    found = message_from_bytes(raw, policy=policy.SMTP)
    faces = [part for part in found.walk() if part.get_content_maintype() == "text" and not is_file(part)]
    others = [part for part in found.walk() if not part.is_multipart() and part not in faces]
    text, html = (
        next((part.get_content() for part in faces if part.get_content_subtype() == kind), None)
        for kind in ("plain", "html")
    )
    return {
        "subject": found["subject"],
        "from": people_in(found["from"]),
        "to": people_in(found["to"]),
        "cc": people_in(found["cc"]),
        "messageId": found["message-id"],
        "inReplyTo": found["in-reply-to"],
        "references": found["references"],
        "date": found["date"].datetime.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "text": text,
        "html": html,
        "attachments": [
            {
                "name": part.get_filename(),
                "mime": part.get_content_type(),
                "disposition": part.get_content_disposition(),
                "cid": part["content-id"],
                "data": packed(part.get_payload(decode=True)),
            }
            for part in others
        ],
    }


def is_file(part):
    return part.get_content_disposition() is not None


def people_in(field):
    return [] if field is None else [[one.display_name, one.addr_spec] for one in field.addresses]


def read(parser, outs, node):
    mails = [out.data for out in outs]
    if parser == "email":
        return [with_email(raw) for raw in mails]
    return node("mail.parse", parser=parser, mails=[packed(raw) for raw in mails])


def lines(text):
    """A text as people see it: how its lines end, and empty ones at its end, is up to the parser."""
    return (text or "").replace("\r\n", "\n").rstrip()


def faces_of(response, blobs):
    """Text and HTML, and the files that go along, as they should arrive."""
    parts = [(index, part) for index, part in enumerate(response.parts) if part.kind in ("file", "artifact")]
    held = {index: content_of(part, index, blobs) for index, part in parts}
    places = [index for index, data in held.items() if data is not None]
    files = [(file_name(response.parts[at].name or ""), response.parts[at].mime, packed(held[at])) for at in places]
    text = canonical_text(render_response_text(response, attached=places))
    html = canonical_text(render_response_html(response, attached=places, tool_line=tool_line))
    return text, html, files


def assert_read(found, out, response, blobs=BLOBS):
    text, html, files = faces_of(response, blobs)
    assert lines(found["text"]) == lines(text)
    assert lines(found["html"]).startswith("<!DOCTYPE html>")
    assert html in found["html"].replace("\r\n", "\n")
    trace, *others = found["attachments"]
    assert (trace["mime"], trace["name"], trace["disposition"]) == ("application/json", None, None)
    assert json.loads(base64.b64decode(trace["data"])) == json.loads(dumps(response))
    assert [(one["name"], one["mime"], one["data"]) for one in others] == files
    assert {one["disposition"] for one in others} <= {"attachment"}
    assert (found["messageId"], found["inReplyTo"]) == (out.native_id, "<q2@a.example>")


@EVERY_PARSER
def test_every_kind_of_answer_is_read_as_it_was_meant(node, count, parser):
    responses = list(answers_to(ASKED).values())
    outs = [sent(response) for response in responses]
    for found, out, response in zip(read(parser, outs, node), outs, responses, strict=True):
        assert_read(found, out, response)
        assert found["subject"] == "Re: 🌧 Rain, in Köln?"
        assert found["from"] == [['Hélper, the "Agent" 🤖', "helper@agents.example"]]
        assert found["to"] == [['Jürgen "Jo" M, Müller', "alice@a.example"]]
        assert found["references"].split() == ["<q0@a.example>", "<q1@a.example>", "<q2@a.example>"]
        assert found["date"] == "2026-11-21T20:56:00.000Z"
        count(4)


@EVERY_PARSER
def test_any_answer_is_read_as_it_was_meant(node, count, parser):
    made = [(response, {}) for response in any_answers(ASKED)]
    made += [(NormalizedResponse.to(ASKED, *parts), blobs) for parts, blobs in any_parts()]
    outs = [sent(response, blobs=blobs) for response, blobs in made]
    for found, out, (response, blobs) in zip(read(parser, outs, node), outs, made, strict=True):
        assert_read(found, out, response, blobs)
        count()


# what is seldom, and easily broken


@EVERY_PARSER
def test_images_that_the_text_shows_stand_beside_it(node, count, parser):
    pictures = [FilePart.of(PIXEL, mime="image/png", name=name) for name in ("chart.png", "grüße 1.png", "c.png")]
    shown = TextPart(content="![Chart](cid:chart.png)\n\n![Two](<cid:grüße 1.png>)", mime="text/markdown")
    html = TextPart(content='<p>Again: <img src="cid:chart.png" alt="x"></p>', mime="text/html")
    out = sent(NormalizedResponse.to(ASKED, shown, *pictures, html, FilePart.of(b"x", mime="text/csv", name="x.csv")))
    (found,) = read(parser, [out], node)
    inline = [one for one in found["attachments"] if one["disposition"] == "inline"]
    files = [one for one in found["attachments"] if one["disposition"] == "attachment"]
    assert [one["name"] for one in inline] == ["chart.png", "grüße 1.png"]
    assert [one["name"] for one in files] == ["c.png", "x.csv"]
    assert {one["data"] for one in [*inline, files[0]]} == {packed(PIXEL)}
    first, second = (one["cid"].strip("<>") for one in inline)
    assert found["html"].count(f'src="cid:{first}"') == 2
    assert found["html"].count(f'src="cid:{second}"') == 1
    count(len(found["attachments"]))


NAMES = (
    "plain.txt",
    "two words.txt",
    'quote " and \\ back.txt',
    "semi;colon, comma.txt",
    "percent %41 and 'apostrophe'.txt",
    "=?utf-8?q?not_a_word?=.txt",
    "日本語のファイル.txt",
    "emoji 🎉🎉.txt",
    "combining é.txt",
    "long " + "ü" * 100 + ".txt",
    "long " + "a" * 100 + ".txt",
    "name*0*=.txt",
)


@EVERY_PARSER
def test_names_of_files_arrive_as_they_are(node, count, parser):
    # The parsers for JavaScript decode what looks like an encoded word even where none may stand.
    names = [name for name in NAMES if parser == "email" or "=?" not in name]
    parts = [FilePart.of(name.encode(), mime="text/plain", name=name) for name in names]
    out = sent(NormalizedResponse.to(ASKED, "Files:", *parts))
    (found,) = read(parser, [out], node)
    _, *files = found["attachments"]
    assert [(one["name"], base64.b64decode(one["data"]).decode()) for one in files] == [
        (file_name(name), name) for name in names
    ]
    count(len(names))


SUBJECTS = (
    "Rain",
    "Re: Rain",
    "x" * 300,
    "wörter " * 60,
    "🌧" * 90,
    "=?utf-8?q?not=20encoded?=",
    "a: b; c, d <e> (f)",
    "日本" * 70,
    "trailing   and   inner   blanks",
    "Fwd: =?x",
)


@EVERY_PARSER
def test_subjects_arrive_as_they_are(node, count, parser):
    outs, wanted = [], []
    for subject in SUBJECTS:
        asked = replace(ASKED, raw={**ASKED.raw, "parsed": {**ASKED.raw["parsed"], "subject": subject}})
        outs.append(sent(NormalizedResponse.to(asked, "Yes."), asked))
        line = single_line(subject)
        wanted.append(line if line.startswith("Re: ") else f"Re: {line}")
    assert [found["subject"] for found in read(parser, outs, node)] == wanted
    count(len(SUBJECTS))


PEOPLE = (
    "Bob",
    "Bob B. Builder",
    'Bob "the" Builder',
    "Builder, Bob (QA); @home <x>",
    "Bób",
    "ボブ・ビルダー",
    "B" * 200,
    "Bö" * 80,
    "=?utf-8?q?Bob?=",
)


@EVERY_PARSER
def test_names_of_people_arrive_as_they_are(node, count, parser):
    asked = [replace(ASKED, sender=replace(ASKED.sender, display_name=name)) for name in PEOPLE]
    outs = [sent(NormalizedResponse.to(one, "Yes."), one) for one in asked]
    found = [one["to"] for one in read(parser, outs, node)]
    wanted = [[[name, "alice@a.example"]] for name in PEOPLE]
    if parser == "email":  # it puts a blank between the encoded words of a name
        found, wanted = ([[["".join(name.split()), _] for name, _ in one] for one in all_] for all_ in (found, wanted))
    assert found == wanted
    count(len(PEOPLE))


@EVERY_PARSER
def test_a_long_thread_with_many_people_and_parts_is_read(node, count, parser):
    ids = [f"<{number}.{'x' * (number % 50)}@a.example>" for number in range(120)]
    asked = question(
        b"From: alice@a.example\r\nMessage-ID: <q2@a.example>\r\nSubject: " + b"many " * 100 + b"\r\n"
        b"References: " + b"\r\n ".join(one.encode() for one in ids) + b"\r\n\r\nHello\r\n"
    )
    siblings = [f"@agent-{number}@many-agents-{number}.example" for number in range(80)]
    parts = [FilePart.of(b"%d" % number * 2000, mime="application/x-a", name=f"{number}.bin") for number in range(60)]
    texts = [TextPart(content=f"{number} " + "word " * 400) for number in range(40)]
    out = sent(NormalizedResponse.to(asked, *texts, *parts), asked, siblings=siblings)
    (found,) = read(parser, [out], node)
    assert found["references"].split() == [*ids, "<q2@a.example>"]
    mailboxes = [f"agent-{number}@many-agents-{number}.example" for number in range(80)]
    assert [address for _, address in found["to"] + found["cc"]] == ["alice@a.example", *mailboxes]
    assert [one.code for one in out.diagnostics] == ["trace-dropped"]
    assert [one["name"] for one in found["attachments"]] == [f"{number}.bin" for number in range(60)]
    assert lines(found["text"]) == lines("\n\n".join(text.content for text in texts))
    count(len(ids))


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.sampled_from('ab",;:\\()<>@= '), max_size=90
)


@EVERY_PARSER
def test_any_names_and_subjects_arrive(node, count, parser):
    """But for what looks like an encoded word, and for blanks, which parsers take for one."""
    made = [words for words in drawn(st.tuples(WORDS, WORDS, WORDS)) if not any("=?" in word for word in words)]
    outs, wanted = [], []
    for subject, person, file in made:
        raw = {**ASKED.raw, "parsed": {**ASKED.raw["parsed"], "subject": subject}}
        asked = replace(ASKED, raw=raw, sender=replace(ASKED.sender, display_name=person))
        outs.append(sent(NormalizedResponse.to(asked, FilePart.of(b"x", mime="text/csv", name=file)), asked))
        line = single_line(subject)
        while line[:3].lower() == "re:":
            line = line[3:].lstrip()
        wanted.append((f"Re: {line}", single_line(person), file_name(file)))
    for found, expected in zip(read(parser, outs, node), wanted, strict=True):
        ((person, address),) = found["to"]
        *_, file = found["attachments"]
        assert address == "alice@a.example"
        got = (found["subject"], person, file["name"])
        assert [solid(one, parser) for one in got] == [solid(one, parser) for one in expected]
        count()


def solid(text, parser):
    text = text and "".join(text.split())
    return text and text.strip("<>") if parser == "email" else text  # it takes off what stands around a name


@EVERY_PARSER
def test_mailboxes_beyond_ascii_are_read(node, count, parser):
    out = sent(NormalizedResponse.to(ASKED_BY_UTF8, "Grüße"), ASKED_BY_UTF8)
    assert out.smtputf8
    (found,) = read(parser, [out], node)
    ((name, address),) = found["to"]
    address = address.encode("utf-8", "surrogateescape").decode()  # as `email` leaves what is not ASCII
    assert name == "Jürgen"
    assert address in ("jürgen@xn--bcher-kva.example", "jürgen@bücher.example")
    count()


LINES = (
    "\n.\n..\n.\n",
    "From here\n>From there\nFrom\n",
    "-- \nsignature\n--\n--=_b--\n",
    "x" * 3000,
    "ü" * 3000,
    "blanks at the end  \t\nof lines \n\n\n  at the start",
    "=3D =\n=20",
    "tab\there \u2028 separators \u2029 \x85 \x0c \x1b and \u202e bidi",
    "\ufeffmark",
    "nul \0 and bell \x07",
    "cr \r lf \r\n crlf",
)


@EVERY_PARSER
def test_texts_that_are_odd_in_a_mail_arrive(node, count, parser):
    responses = [NormalizedResponse.to(ASKED, TextPart(content=text)) for text in LINES]
    outs = [sent(response) for response in responses]
    for found, out, response in zip(read(parser, outs, node), outs, responses, strict=True):
        assert_read(found, out, response)
        count()


# signatures


def signing_key(kind):
    pem = (KEYS / f"mail-{kind}.pem").read_bytes()
    return SigningKey.from_pem(pem, key_id=f"{kind}._domainkey.{DOMAIN}")


@pytest.mark.parametrize("kind", ["rsa", "ed25519"])
def test_signed_answers_verify_with_others(node, other_python, perl, count, kind):
    key = signing_key(kind)
    now = datetime.now(UTC)
    later = (now + timedelta(seconds=10)).isoformat()
    records = {key.key_id: [mail.dkim_record(key)]}
    responses = [*answers_to(ASKED).values(), *any_answers(ASKED)[:40]]
    responses += [NormalizedResponse.to(ASKED, TextPart(content=text)) for text in LINES]
    cases = [(response, ASKED) for response in responses]
    cases.append((NormalizedResponse.to(ASKED_BY_UTF8, "Grüße"), ASKED_BY_UTF8))
    for response, to in cases:
        facts = {"sender": SENDER, "blobs": BLOBS, "entropy": bytes(32), "settings": mail.Settings(key=key)}
        signed = mail.reply(response, to=to, now=now, **facts).data
        head, gap, body = signed.partition(b"\r\n\r\n")
        forged = [head.replace(b"\r\nTo:", b"\r\nTo: bob@c.example,") + gap + body, signed[:-2] + b"x\r\n"]
        verdicts = [["pass", "fail", "fail"] for _ in range(2)]
        good_and_bad = [packed(raw) for raw in (signed, *forged)]
        with_node = [node("mailauth.verify", message=raw, records=records, now=later) for raw in good_and_bad]
        with_python = [other_python("dkimpy.verify", message=raw, records=records) for raw in good_and_bad]
        assert [[found[0][0] for found in one] for one in (with_node, with_python)] == verdicts
        assert with_node[0] == [["pass", DOMAIN]]
        count(6)
        if kind == "rsa":  # Debian's Mail::DKIM knows RSA alone
            with_perl = [perl("perl.verify", message=raw, records=records) for raw in good_and_bad]
            assert [[found[0][0] for found in with_perl]] == verdicts[:1]
            count(3)
