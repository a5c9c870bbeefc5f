"""How a message reads on a terminal."""

from __future__ import annotations

from mentionable import (
    Diagnostic,
    DigestRef,
    FilePart,
    HistoricalMessage,
    LinkPart,
    NoRelay,
    NormalizedMessage,
    Problem,
    Received,
    RecipientCapabilities,
    Rejected,
    Sender,
    TextPart,
    UnknownPart,
    UrlRef,
    Verdict,
)
from mentionable.cli._lines import json_text, one_line, printable
from mentionable.cli._show import outcome_lines

ALICE = Sender(address="@alice@a.example", display_name="Alice\x1b[2J")
UNSIGNED = Verdict(method="none", verified=False, code="unsigned")


def shown(*parts, verdict=UNSIGNED, sender=ALICE, diagnostics=(), **more) -> str:
    message = NormalizedMessage(
        id="1",
        thread_id="t",
        sender=sender,
        recipient="@helper@agents.example",
        parts=parts,
        raw=None,
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via="email",
        received_at="2026-11-21T20:56:00Z",
        **more,
    )
    got = Received(messages=(message,), native_id="n", verdict=verdict, diagnostics=diagnostics)
    return "\n".join(outcome_lines(got))


def test_every_kind_of_part_is_named():
    text = shown(
        TextPart(content="<p>a<br>b</p>", mime="text/html"),
        TextPart(content=""),
        LinkPart(url="https://a.example/"),
        FilePart(mime="image/png", bytes_ref=DigestRef(digest="0" * 64)),
        FilePart(mime="image/png", bytes_ref=UrlRef(url="https://a.example/x.png"), name="x.png"),
        FilePart.of(b"\0\1", mime="image/png"),
        FilePart.of(b"x" * 300, mime="text/plain"),
        UnknownPart(kind="hologram"),
    )
    assert "    │ a\\\n    │ b\n" in text
    assert "link, no title\n    │ https://a.example/" in text
    assert "stored separately, sha256 000" in text
    assert "file, image/png, x.png\n    │ at https://a.example/x.png" in text
    assert "│ 2 bytes in the message\n" in text
    assert "│ 300 bytes in the message\n" in text
    assert "part        hologram" in text


def test_long_lines_are_wrapped():
    assert max(map(len, shown(TextPart(content="word " * 200)).splitlines())) < 110


def test_what_a_terminal_would_obey_is_escaped():
    text = shown(TextPart(content="\x1b]0;title\x07 x"))
    assert "\x1b" not in text
    assert "\\x1b]0;title\\x07 x" in text
    assert "Alice\\x1b[2J" in text


def test_a_verified_sender_fails():
    sender = Sender(address="@a@a.example", verified=True, auth_method="email-dkim")
    verdict = Verdict(method="email-dkim", verified=True, address="@alice@a.example")
    assert "verified    yes, by email-dkim" in shown(sender=sender, verdict=verdict)
    unlike = shown(sender=ALICE, verdict=verdict)
    assert "verified    no\n" in unlike


def test_history_and_diagnostics_are_told():
    turn = HistoricalMessage(role="user", sender=ALICE, parts=(), timestamp="2026-11-21T20:00:00Z")
    note = Diagnostic(code="redelivered", detail="to @x@y.example")
    text = shown(history=(turn,), diagnostics=(note,), in_reply_to="<0@a.example>")
    assert "history     user @alice@a.example, 0 parts" in text
    assert "in reply to <0@a.example>" in text
    assert "diagnostic  redelivered: to @x@y.example" in text


def test_a_refusal_is_one_line():
    got = Rejected(code="malformed", problems=(Problem("/a", "is\nwrong"),))
    assert list(outcome_lines(got)) == ["  rejected    malformed; /a: is\\nwrong"]


def test_lines_are_cut_and_stay_lines():
    assert one_line("x" * 600) == "x" * 500 + "…"
    assert one_line("a\r\n\u202eb") == "a\\r\\n\\u202eb"
    assert printable("a\n\tb\x9b") == "a\n\tb\\x9b"


def test_json_is_for_people_or_on_one_line():
    assert json_text({"a": ["é\x85"]}, compact=True) == '{"a":["é\\u0085"]}'
    assert json_text({"a": 1}, compact=False) == '{\n  "a": 1\n}'
