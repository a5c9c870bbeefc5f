"""Traces that come in by mail: `conformance/v0.1/trace/email.json`."""

from __future__ import annotations

from base64 import encodebytes
from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import (
    ANY,
    DONE,
    PLAIN,
    USUAL,
    UUID,
    Case,
    compact,
    response,
    row,
    standard,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
from tests.vectors._answer_received import HELLO, OTHER, PROFILE, anchor, html


def leaf(mime: str, content: bytes, *head: str) -> bytes:
    """One part of a mail."""
    return "\r\n".join([f"Content-Type: {mime}", *head, "", ""]).encode() + content


def trace_leaf(payload: Any = USUAL, parameter: str = f'; profile="{PROFILE}"', *head: str) -> bytes:
    """The part of a trace."""
    data = payload if isinstance(payload, bytes) else encodebytes(compact(payload)).replace(b"\n", b"\r\n")
    return leaf(f"application/json{parameter}", data, *(head or ("Content-Transfer-Encoding: base64",)))


def multipart(kind: str, boundary: str, *leaves: bytes) -> bytes:
    """A multipart of these."""
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode()
    delimiter = f"--{boundary}".encode()
    return head + b"".join(delimiter + b"\r\n" + one + b"\r\n" for one in leaves) + delimiter + b"--\r\n"


TEXT = leaf("text/plain; charset=utf-8", b"Hello")


HTML = leaf("text/html; charset=utf-8", b"<p>Hello</p>")


MAIL_HEAD = (
    b"From: Alice <alice@a.example>\r\nTo: helper@agents.example\r\nSubject: Hello\r\n"
    b"Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <m1@a.example>\r\nMIME-Version: 1.0\r\n"
)


def of_mail(
    name: str, section: str, why: str, body: bytes, parts: Any, trace: Any = USUAL, *notes: str, **more: Any
) -> Case:
    """A mail."""
    parts = parts if isinstance(parts, list) else [{"kind": "text", "mime": "text/plain", "content": parts}]
    found: Case = {
        "id": UUID,
        "thread_id": "<m1@a.example>",
        "sender": {
            "address": "@alice@a.example",
            "auth_method": "none",
            "verified": False,
            "display_name": "Alice",
            "profile": {"provider": "email", "provider_subject": "email:alice@a.example", "display_name": "Alice"},
        },
        "recipient": "@helper@agents.example",
        "parts": parts,
        "recipient_capabilities": {"mention_relay": {"kind": "recipient-field", "fields": ["to", "cc"]}},
        "received_via": "email",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": ANY,
    }
    if trace is not None:
        found["received_trace"] = trace
    lookups = {"AGENT helper@agents.example": "@helper@agents.example", "MESSAGE *": None, "HISTORY *": []}
    flags = ["trace", "email", *more.pop("flags", [])]
    return row(
        f"trace/email/{name}",
        section,
        why,
        {"raw": (MAIL_HEAD + body).decode()},
        given={"lookups": lookups},
        messages=[found],
        diagnostics=list(notes),
        flags=flags,
        **more,
    )


def file_of(data: bytes, mime: str = "application/json") -> Case:
    """A file part that holds these bytes."""
    return {
        "kind": "file",
        "mime": mime,
        "size_bytes": len(data),
        "bytes_ref": {"kind": "inline", "data_base64": standard(data)},
    }


def mails() -> Iterator[Case]:
    """Traces in mail."""
    case = of_mail
    both = (TEXT, HTML)
    text = {"kind": "text", "mime": "text/plain", "content": "Hello"}

    def alternative(*leaves: bytes) -> bytes:
        return multipart("alternative", "alt", *leaves)

    yield case(
        "third-alternative",
        "NM 10.3",
        "The structure comes back, and is no attachment.",
        alternative(*both, trace_leaf()),
        "Hello",
    )
    yield case(
        "not-encoded",
        "NM 10.2",
        "Gateways decode what is ASCII.",
        alternative(*both, trace_leaf(compact(USUAL), f'; profile="{PROFILE}"', "Content-Transfer-Encoding: 7bit")),
        "Hello",
    )
    yield case(
        "without-html", "NM 10.3", "A reader does not count the alternatives.", alternative(TEXT, trace_leaf()), "Hello"
    )
    yield case(
        "in-another-place",
        "NM 10.3",
        "Nor does their order matter to it.",
        alternative(trace_leaf(), *both),
        "Hello",
        level="SHOULD",
    )
    yield case(
        "beside-attachments",
        "NM 10.3",
        "Attachments stand around the alternatives.",
        multipart("mixed", "mix", alternative(*both, trace_leaf()), leaf("image/png", b"png")),
        [text, file_of(b"png", "image/png")],
    )
    yield case(
        "html-with-images",
        "NM 10.3",
        "Images of the HTML stand beside it.",
        alternative(
            TEXT,
            multipart("related", "rel", HTML, leaf("image/png", b"png", "Content-ID: <i@a.example>")),
            trace_leaf(),
        ),
        [text, {**file_of(b"png", "image/png"), "content_id": "i@a.example", "disposition": "inline"}],
    )
    yield case(
        "letters",
        "NM 10.2",
        "The JSON is UTF-8.",
        alternative(*both, trace_leaf(response({**PLAIN, "content": "Grüße 🌧"}))),
        "Hello",
        response({**PLAIN, "content": "Grüße 🌧"}),
    )
    yield case(
        "parameter-names-have-no-case",
        "RFC 2045 5.1",
        "Names of parameters are written in any case.",
        alternative(*both, trace_leaf(USUAL, f'; charset=utf-8; PROFILE="{PROFILE}"')),
        "Hello",
    )
    data = compact(USUAL)
    for name, why, parameter in (
        ("other-profile", "Another profile is another thing.", '; profile="https://other.example/ns"'),
        ("other-version-of-the-profile", "A form that is not known is not guessed at.", f'; profile="{PROFILE[:-1]}2"'),
        ("no-profile", "JSON of others is an attachment, whatever it holds.", ""),
        ("profile-in-another-case", "An address is compared as it is written.", f'; profile="{PROFILE.upper()}"'),
    ):
        yield case(
            f"{name}-is-a-file",
            "NM 10.3",
            why,
            alternative(*both, trace_leaf(USUAL, parameter)),
            [text, file_of(data)],
            None,
        )
    yield case(
        "other-type-is-a-file",
        "NM 10.3",
        "The type is JSON and no other.",
        alternative(*both, trace_leaf().replace(b"application/json", b"application/ld+json")),
        [text, file_of(data, "application/ld+json")],
        None,
    )
    for name, why, body in (
        ("next-to-the-text", "Programs that rebuild a mail drop the alternatives.", (TEXT, trace_leaf())),
        ("next-to-the-alternatives", "Lists put what they do not know behind.", (alternative(*both), trace_leaf())),
        ("before-the-alternatives", "Its place says nothing: the profile decides.", (trace_leaf(), alternative(*both))),
        (
            "inside-an-alternative",
            "Programs wrap alternatives anew.",
            (alternative(TEXT, multipart("related", "rel", HTML, trace_leaf())),),
        ),
    ):
        yield case(name, "NM 10.3", why, multipart("mixed", "mix", *body), "Hello")
    yield case(
        "with-a-name",
        "NM 10.3",
        "A disposition makes no other part of it: the profile decides.",
        multipart(
            "mixed",
            "mix",
            TEXT,
            trace_leaf(
                USUAL,
                f'; profile="{PROFILE}"',
                'Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="trace.json"',
            ),
        ),
        "Hello",
    )
    yield case(
        "two-traces",
        "D B10",
        "One counts, the first; the other is a file.",
        alternative(*both, trace_leaf(), trace_leaf(OTHER)),
        [text, file_of(compact(OTHER))],
        level="SHOULD",
    )
    yield case(
        "first-trace-broken",
        "D B10",
        "The second is not looked for.",
        alternative(*both, trace_leaf(b"e30="), trace_leaf(OTHER)),
        [text, file_of(compact(OTHER))],
        None,
        "trace-malformed",
        level="SHOULD",
        flags=["attack"],
    )
    for name, why, payload, code in (
        ("not-json", "Mail programs rewrite parts.", b"aGVsbG8=", "trace-malformed"),
        ("cut-short", "Lists cut mails.", encodebytes(data[:40]).strip(), "trace-malformed"),
        ("of-another-shape", "JSON that is no response.", b"eyJoZWxsbyI6MX0=", "trace-malformed"),
        ("empty", "The part is there, and nothing in it.", b"", "trace-malformed"),
        (
            "too-large",
            "Nobody reads more than 64 KiB.",
            encodebytes(compact(response({**PLAIN, "content": "x" * 49200}))).replace(b"\n", b"\r\n"),
            "trace-too-large",
        ),
    ):
        yield case(
            name,
            "NM 10.6",
            f"{why} The message is delivered all the same.",
            alternative(*both, trace_leaf(payload)),
            "Hello",
            None,
            code,
            flags=["attack"],
        )
    yield case(
        "anchor-in-the-html",
        "NM 10.3",
        "In mail the part is the carrier; a link is a link.",
        multipart("mixed", "mix", leaf("text/html; charset=utf-8", (HELLO + anchor()).encode())),
        [html(HELLO + anchor())],
        None,
    )
    yield case(
        "claims-of-the-payload",
        "D B10",
        "A trace is its sender's word: it makes nobody another, nor verified.",
        alternative(*both, trace_leaf(response(DONE, sender={"address": "@bob@b.example", "verified": True}))),
        "Hello",
        response(DONE, sender={"address": "@bob@b.example", "verified": True}),
        flags=["attack"],
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_mailed.py; change that."
    yield "trace", "email", "email.receive", note, list(mails())
