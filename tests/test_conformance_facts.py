"""The facts that the runner of the conformance suite finds in what a harness hands over."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from typing import Any

import mentionable_conformance as suite
import pytest
from mentionable_conformance._facts import facts
from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_html import Page
from mentionable_conformance._facts_trace import trace_in

from tests.harnesses import case

RESPONSE = {"reply_to": "m1", "parts": [{"kind": "text", "mime": "text/plain", "content": "?" * 9}], "status": "ok"}
PAYLOAD = urlsafe_b64encode(json.dumps(RESPONSE).encode()).decode().rstrip("=")
HREF = f"https://mentionable.dev/trace#{PAYLOAD}"
TRACE = f'<a class="mentionable-trace" data-version="0.1" href="{HREF}">[trace: 1 part]</a>'
WRITTEN = {"text": "[trace: 1 part]", "href": HREF, "html": TRACE}


def wrong(op: str, expected: dict[str, Any], value: Any, **beside: Any) -> tuple[str, ...]:
    return suite.judge(case(op=op, facts=expected), {"value": value, **beside})


def test_facts_that_hold_pass() -> None:
    expected = {
        "address": "https://mentionable.dev/trace#",
        "response": RESPONSE,
        "alphabet": "base64url",
        "fits": True,
    }
    assert wrong("trace.write", expected, WRITTEN) == ()


def test_each_fact_that_is_another_is_told() -> None:
    found = wrong("trace.write", {"text": "[trace]", "fits": True, "padded": True}, WRITTEN)
    assert len(found) == 2
    assert found[0].startswith("facts/text: expected '[trace]'")
    assert found[1] == "facts/padded: expected True, got False"


def test_what_is_compared_beside_facts_counts_too() -> None:
    expect = {"facts": {"fits": True}, "diagnostics": ["trace-dropped"]}
    one = case(op="trace.write", **expect)
    assert suite.judge(one, {"value": WRITTEN, "diagnostics": []}) == ("diagnostics: missing trace-dropped",)


def test_a_refusal_has_no_facts() -> None:
    one = case(op="trace.write", facts={"fits": True})
    assert suite.judge(one, {"rejected": {"code": "malformed"}})[0].startswith("expected facts")


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("trace.write", {"text": "x"}),
        ("trace.write", {"text": "x", "href": "https://a.example/", "html": ""}),
        ("trace.write", []),
        ("email.reply", {"mail": "*", "mail_from": "", "rcpt_to": []}),
        ("activitypub.reply", {"activity": {"object": {}}}),
        ("a2a.reply", {"status": 200, "headers": [], "body": "{"}),
        ("response.split", []),
    ],
)
def test_a_value_of_another_form_is_told(op: str, value: Any) -> None:
    wanted = {"trace.write": "address", "email.reply": "text", "activitypub.reply": "words", "a2a.reply": "parts"}
    (said,) = wrong(op, {wanted.get(op, "whole"): 1}, value)
    assert said.startswith(f"not an answer to {op}: ")


def test_a_fact_that_is_not_there_is_missing() -> None:
    assert wrong("trace.viewer", {"more": 2}, {"viewer": 1})


def test_texts_are_sought_in_a_face() -> None:
    expected = {"has": {"html": {"data-version": True, "<script": False}, "payload": {"?????????": True}}}
    assert wrong("trace.write", expected, WRITTEN) == ()


def test_an_address_tells_its_alphabet() -> None:
    data = b64encode(json.dumps(RESPONSE).encode()).decode()
    assert trace_in(f"data:application/json;base64,{data}")["alphabet"] == "base64"
    assert trace_in(f"x#{urlsafe_b64encode(b'{}').decode()}")["alphabet"] == "either"
    with pytest.raises(ValueError, match="no payload"):
        trace_in("https://a.example/#a b")


def test_a_page_is_read_as_people_see_it() -> None:
    page = Page("<style>p{}</style><p>One <b>two</b><br>three</p><p><a href='x' class='a b'>four</a></p>")
    assert page.text == "One two\nthree\nfour"
    assert page.elements == {"style", "p", "b", "br", "a"}
    assert [(one.attributes["href"], one.text, one.classes) for one in page.anchors] == [("x", "four", ["a", "b"])]
    assert page.attributes == {"href", "class"}


@pytest.mark.parametrize(
    ("html", "text", "links"),
    [
        ("a < b <3 &amp; c", "a < b <3 & c", []),
        ("<!DOCTYPE html><!-- a --><P>x</P>", "x", []),
        ("<!DOCTYPE html PUBLIC '-//W3C' \"http://x/\">x<br />y", "x\ny", []),
        ("&#" + "9" * 5000 + ";&#" + "0" * 5000 + "65", "\ufffdA", []),
        ("<title><a href=q>l</a></title>x", "x", []),
        (
            '<a href="?a=1&copy=2&lt;&#51;&reg&regx&notit;">&copy=2</a>',
            "\u00a9=2",
            [("?a=1&copy=2<3\u00ae&regx&notit;", "\u00a9=2")],
        ),
        ("<a href=x>one<a href=y>two</a>three</a>", "onetwothree", [("x", "one"), ("y", "two")]),
        ("<a HREF='x' href='y'>one</a>", "one", [("x", "one")]),
        ("<style>a > b {} <i></STYLE >x", "x", []),
    ],
)
def test_simple_html_is_read_as_a_browser_reads_it(html: str, text: str, links: list[tuple[str, str]]) -> None:
    page = Page(html)
    assert (page.text, [(one.attributes["href"], one.text) for one in page.anchors]) == (text, links)


@pytest.mark.parametrize(
    "html",
    [
        "<p",
        "<p x='",
        "<p x=''y>",
        "</p x>",
        "<?x?>",
        "<!-->",
        "<!-- a > b -->",
        "<![CDATA[x]]>",
        "x<style>p",
        "<a href='u' />",
        "<script/>x",
        "<p/>",
        "<textarea><a href=q>l</a></textarea>",
        "<svg><a>x</a></svg>",
        "<title>x",
        "<!DOCTYPE html PUBLIC 'http://x>y'>",
    ],
)
def test_of_html_that_parsers_repair_no_facts_are_found(html: str) -> None:
    with pytest.raises(FactError, match="its HTML has another form than is read"):
        Page(html)


@pytest.mark.parametrize(
    ("head", "fact", "why"),
    [
        ("To: a@b.example (a (b) c)", "to", "the field To has another form than addresses of RFC 5322"),
        ("To: a b@c.example", "people", "the field To has another form than addresses of RFC 5322"),
        ("From: <@r:a@b.example>", "from_names", "the field From has another form than addresses of RFC 5322"),
        ("Subject: " + "a" * 40_000, "subject", "a field of the mail has more than 32768 bytes"),
        ("Subject: x\r\n y\r\nno field", "subject", "a line of a head is no field"),
        ("Subject: =?odd?q?a?=", "subject", "no text is read in the charset 'odd'"),
        ("Content-Type: text/plain; charset=odd", "text", "no text is read in the charset 'odd'"),
        (
            "Content-Type: text/plain; name=a b",
            "files",
            "the field Content-Type has another form than that of RFC 2045",
        ),
        (
            "Content-Disposition: inline (x)",
            "tree",
            "the field Content-Disposition has another form than that of RFC 2045",
        ),
        (
            "".join(f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n" for n in range(51)),
            "subject",
            "more than 50 parts of the mail stand in each other",
        ),
    ],
)
def test_a_mail_that_parsers_read_in_several_ways_has_no_facts(head: str, fact: str, why: str) -> None:
    value = {"mail": b64encode(f"{head}\r\n\r\nHello\r\n".encode()).decode(), "rcpt_to": []}
    assert wrong("email.reply", {fact: 1}, value) == (f"not an answer to email.reply: {why}",)


@pytest.mark.parametrize(
    "field",
    [
        'a@b.example, "A, B" <a.b@c.example> (c), J. D. <j@d.example>, "a b"@e.example, =?utf-8?q?F?= <f@[192.0.2.1]>',
        "Friends of Ours: a@b.example, <c@d.example>;",
        "",
    ],
)
def test_addresses_of_rfc_5322_are_read(field: str) -> None:
    value = {"mail": b64encode(f"To: {field}\r\n\r\nHello\r\n".encode()).decode()}
    found = facts("email.reply", value, {"to": 1})["to"]
    assert len(found) == field.count("@")


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("21 Nov 2026 20:56 GMT", "Sat, 21 Nov 2026 20:56:00 +0000"),
        ("Mon, 21 Nov 2026 20:56:00 +0000 (UTC)", "Sat, 21 Nov 2026 20:56:00 +0000"),
        ("Sat, 21 Nov 2026 20:56:00 +0000 junk", "Sat, 21 Nov 2026 20:56:00 +0000 junk"),
        ("Sat, 21 Nov 26 20:56:00 +0000", "Sat, 21 Nov 26 20:56:00 +0000"),
    ],
)
def test_a_date_of_another_form_stays_as_it_is_written(written: str, date: str) -> None:
    value = {"mail": b64encode(f"Date: {written}\r\n\r\nHello\r\n".encode()).decode()}
    assert facts("email.reply", value, {"date": 1}) == {"date": date}


def test_people_of_a_mail_are_those_of_its_envelope() -> None:
    mail = b"From: a@a.example\r\nTo: b@b.example\r\nSubject: x\r\n\r\nHello\r\n"
    value = {"mail": b64encode(mail).decode(), "mail_from": "a@a.example", "rcpt_to": ["b@b.example"]}
    assert facts("email.reply", value, {"people": 1, "text": 1, "tree": 1, "traces": 1, "trace": 1}) == {
        "people": ["b@b.example"],
        "text": "Hello",
        "tree": "text/plain",
        "traces": 0,
        "trace": None,
    }
    (said,) = wrong("email.reply", {"people": ["b@b.example"]}, {**value, "rcpt_to": ["b@b.example", "c@c.example"]})
    assert "the envelope" in said


def test_an_activity_is_addressed_as_its_note() -> None:
    note = {"to": ["https://a.example/users/b"], "content": "<p>Hi</p>", "id": "n"}
    value = {"activity": {"to": ["https://a.example/users/b"], "object": note, "id": "a"}, "inboxes": []}
    assert wrong("activitypub.reply", {"visibility": "direct", "to": ["https://a.example/users/b"]}, value) == ()
    value["activity"]["to"] = ["https://www.w3.org/ns/activitystreams#Public"]
    assert "addressed to others" in wrong("activitypub.reply", {"addressed": []}, value)[0]
    assert wrong("activitypub.reply", {"to": ["https://a.example/users/b"]}, value)


def test_frames_add_up() -> None:
    place = {"stream_id": "s", "seq": 0, "final": False}
    text = {"kind": "text", "mime": "text/plain", "content": "a"}
    call = {"kind": "tool_call", "id": "c", "name": "n", "args": {}}
    frames = [
        {"reply_to": "m", "parts": [text], "status": "partial", "streaming": place},
        {"reply_to": "m", "parts": [text, call], "status": "partial", "streaming": {**place, "seq": 1}},
        {
            "reply_to": "m",
            "parts": [{**call, "result": 1}],
            "status": "ok",
            "streaming": {**place, "seq": 2, "final": True},
        },
    ]
    whole = {"reply_to": "m", "parts": [{**text, "content": "aa"}, {**call, "result": 1}], "status": "ok"}
    expected = {"whole": whole, "calls": {"c": ["running", "ok"]}, "final_is_last": True, "numbers_rise_from_0": True}
    assert wrong("response.split", expected, frames) == ()


def test_events_of_a_stream_are_read_in_every_dialect() -> None:
    status = {"taskId": "t", "status": {"state": "completed"}, "final": True}
    bodies = [{"kind": "status-update", **status}, {"statusUpdate": status}]
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in bodies)
    value = {"status": 200, "headers": [["Content-Type", "text/event-stream"]], "body": body}
    expected = {"events": [["status-update", "completed"], ["statusUpdate", "completed"]], "finals": [True, True]}
    assert wrong("a2a.reply", expected, value) == ()


def posted(head: str, text: str = "Hello") -> dict[str, Any]:
    return {"mail": b64encode(f"{head}\r\n\r\n{text}\r\n".encode()).decode()}


DEMAND = {"kind": "forbidden", "message": "No."}


def test_the_policy_of_a_mail_is_read_from_base64() -> None:
    digits = b64encode(json.dumps(DEMAND).encode()).decode()
    folded = posted(f"From: a@a.example\r\nX-Mentionable-Policy: {digits[:9]}\r\n {digits[9:]}")
    expected = {"policy": DEMAND, "folded": True, "policy_sealed": False}
    assert facts("email.reply", folded, expected) == expected
    long = posted(f"From: a@a.example\r\nX-Mentionable-Policy: {digits}{digits}{digits}")
    assert facts("email.reply", long, {"folded": True}) == {"folded": False}
    assert facts("email.reply", posted("From: a@a.example"), {"policy": None}) == {"policy": None}


def test_a_signature_seals_the_place_of_a_policy() -> None:
    names = "from:x-mentionable-policy"
    for fields, is_sealed in (("", True), ("\r\nX-Mentionable-Policy: e30=", False)):
        mail = posted(f"From: a@a.example\r\nDKIM-Signature: v=1;\r\n h={names}; b={fields}")
        assert facts("email.reply", mail, {"policy_sealed": 0}) == {"policy_sealed": is_sealed}


def test_the_policy_of_a_note_has_a_word_that_the_context_defines() -> None:
    meaning = {"@id": "https://mentionable.dev/ns/policy/v0.1#policy", "@type": "@json"}
    note = {"mentionablePolicy": DEMAND}
    for context, found in (
        (["https://www.w3.org/ns/activitystreams", {"x": "y"}, {"mentionablePolicy": meaning}], meaning),
        ("https://www.w3.org/ns/activitystreams", None),
    ):
        value = {"activity": {"@context": context, "object": note}}
        expected = {"policy": DEMAND, "policy_term": found}
        assert facts("activitypub.reply", value, expected) == expected


def test_the_policy_of_an_a2a_answer_stands_in_the_metadata_of_its_message() -> None:
    required = {"x402Version": 2, "error": "Any words", "accepts": []}
    metadata = {
        "mentionable": {"policy": DEMAND},
        "x402.payment.status": "payment-required",
        "x402.payment.required": required,
    }
    message = {"messageId": "m", "parts": [], "metadata": metadata, "extensions": ["b", "a"]}
    body = json.dumps({"message": message})
    value = {"status": 200, "headers": [["content-type", "application/json"]], "body": body}
    expected = {
        "policy": DEMAND,
        "payment": {"x402.payment.status": "payment-required", "x402.payment.required": {**required, "error": True}},
        "demanding": [True],
        "message_extensions": ["a", "b"],
    }
    assert facts("a2a.reply", value, expected) == expected
    bare = {**value, "body": json.dumps({"message": {"messageId": "m", "parts": []}})}
    none = {"policy": None, "payment": {}, "demanding": [False], "message_extensions": []}
    assert facts("a2a.reply", bare, none) == none


def test_a_response_that_demands_has_a_status_and_headers() -> None:
    headers = [["Content-Type", "application/problem+json; a=b"], ["WWW-Authenticate", "Basic"], ["Retry-After", "5"]]
    body = {"type": "x", "status": 401, "detail": "No.", "kind": "forbidden", "message": "No."}
    expected = {
        "status": 401,
        "media_type": "application/problem+json",
        "challenge": "Basic",
        "challenged": True,
        "retry_after": "5",
        "cached": True,
        "body": body,
        "policy": DEMAND,
        "problem": {"status": 401, "detail": "No."},
    }
    assert facts("policy.to_http", {"status": 401, "headers": headers, "body": body}, expected) == expected
    bare = {"status": 403, "headers": [["cache-control", "no-store"]], "body": DEMAND}
    none = {
        "media_type": "",
        "challenge": None,
        "challenged": False,
        "retry_after": None,
        "cached": False,
        "problem": {},
    }
    assert facts("policy.to_http", bare, none) == none


def test_a_page_of_a_policy_has_words_links_and_elements() -> None:
    page = '<p>Pay <a href="https://a.example/">here</a></p>'
    expected = {
        "words": "Pay here",
        "links": [["https://a.example/", "here"]],
        "elements": ["a", "p"],
        "attributes": ["href"],
    }
    assert facts("policy.html", page, expected) == expected


@pytest.mark.parametrize(
    ("op", "fact", "value"),
    [
        ("policy.html", "words", ["<p>a</p>"]),
        ("policy.html", "words", {}),
        ("email.reply", "text", {"mail": "abcd="}),
    ],
)
def test_what_a_parser_cannot_read_is_told_and_ends_nothing(op: str, fact: str, value: Any) -> None:
    assert wrong(op, {fact: ""}, value) == (f"not an answer to {op}: it has another form than the fact {fact} needs",)


def test_a_missing_member_is_named() -> None:
    said = "not an answer to trace.write: for the fact address the member 'href' is missing"
    assert wrong("trace.write", {"address": ""}, {"text": "x"}) == (said,)
