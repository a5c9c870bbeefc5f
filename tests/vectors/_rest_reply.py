"""Answers: `conformance/v0.1/rest/reply.json`, `negotiation.json`, `demands.json`, `stream.json`, `refuse.json`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import MARKDOWN, answer, call
from tests.vectors._own_words import own_words
from tests.vectors._policy_wire_rows import KINDS, NO, PAY, carried
from tests.vectors._rest_rows import HELPER, MINE, UUID, Case, inline, question, rows, text

if TYPE_CHECKING:
    from collections.abc import Iterator

HELLO: Final = text("Hello!", "text/markdown")
RECEIPT: Final[Case] = {"success": True, "transaction": "0x1", "network": "eip155:8453"}
SETTLED: Final[Case] = {"x402.payment.status": "payment-completed", "x402.payment.receipts": [RECEIPT]}
BROKEN: Final[Case] = {"code": "x", "message": "Broken.", "retriable": False}
STATUSES: Final = {
    "unauthorized": 401,
    "consent": 401,
    "payment": 402,
    "forbidden": 403,
    "limit": 429,
    "legal": 451,
    "outage": 503,
    "unknown": 403,
}
SSE: Final = "text/event-stream"
out, negotiation, demands = rows("reply"), rows("negotiation"), rows("demands")
stream, refuse = rows("stream"), rows("refuse")


def body(*parts: Case, status: str = "ok", **members: Any) -> Case:
    """The JSON of an answer to the usual question."""
    return {
        "v": "v0.1",
        "agent": HELPER,
        "session": "s1",
        "reply_to": "q1",
        "parts": list(parts),
        "status": status,
        "id": UUID,
        **members,
    }


def unit(*parts: Case, accept: str | None = None, **members: Any) -> Case:
    """A response to the usual question."""
    beside = {name: members.pop(name) for name in ("settlement", "blobs") if name in members}
    return {"question": question(accept), "response": answer(*parts, **members), **beside}


def whole() -> Iterator[Case]:
    """Answers in JSON, and their status."""
    running = call("search")
    yield out(
        "json",
        "R46",
        "JSON carries all of the answer; a call that runs has neither result nor error.",
        unit(HELLO, running),
        given=MINE,
        facts={"status": 200, "media_type": "application/json", "json": body(HELLO, running)},
    )
    yield out(
        "members",
        "R46",
        "Members of later versions come through, and never say something else of the answer itself.",
        unit(HELLO, mood="fine", session="s2"),
        given=MINE,
        facts={"json": body(HELLO, mood="fine")},
        diagnostics=["part-changed"],
    )
    yield out(
        "session",
        "NM 4",
        "An agent may send its client on to another conversation.",
        unit(HELLO, push_back={"thread_ref": "s2"}),
        given=MINE,
        facts={"json": {**body(HELLO), "session": "s2"}},
    )
    for name, retriable, status in (("again", True, 503), ("failed", False, 500)):
        error = {**BROKEN, "retriable": retriable}
        yield out(
            f"error-{name}",
            "R32",
            "Programs see by the status alone whether to ask again.",
            unit(status="error", error=error),
            given=MINE,
            facts={"status": status, "json": body(status="error", error=error)},
        )
    yield out(
        "error-in-text",
        "R32",
        "People read why there is no answer, and the status is no success in any form.",
        unit(accept="text/plain", status="error", error=BROKEN),
        given=MINE,
        facts={"status": 500, "text": "Broken."},
    )
    digest = sha256(b"hi").hexdigest()
    named = {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "content_addressed", "algo": "sha256"}}
    named["bytes_ref"]["digest"] = digest
    yield out(
        "file",
        "R31",
        "Bytes that are named by a digest alone go along: the client has no store of the agent.",
        unit(named, blobs={digest: "hi"}),
        given=MINE,
        facts={"json": body({**named, "bytes_ref": inline(b"hi")})},
    )
    yield out(
        "file-without-bytes",
        "R31",
        "A file whose bytes nobody has cannot go out.",
        unit(named),
        given=MINE,
        rejected={"code": "malformed"},
    )
    yield out(
        "frame-unasked",
        "NM 4",
        "A client that takes no stream gets no frame.",
        unit(HELLO, status="partial", streaming={"stream_id": "x", "seq": 0, "final": False}),
        given=MINE,
        rejected={"code": "malformed"},
    )
    yield out(
        "not-cached",
        "R46",
        "An answer to one is not for the next who asks.",
        unit(HELLO),
        given=MINE,
        facts={"cache_control": "no-store", "vary": "accept"},
    )


def liked() -> Iterator[Case]:
    """What clients accept, and what they get."""
    link = {"kind": "link", "url": "https://a.example/", "title": "a"}
    parts = (MARKDOWN, text("2 * 3"), link)
    yield negotiation(
        "markdown",
        "R46",
        "Text that is no Markdown must not become any.",
        unit(*parts, accept="text/markdown"),
        given=MINE,
        facts={"media_type": "text/markdown", "text": "It will **rain**.\n\n2 \\* 3\n\n[a](https://a.example/)"},
    )
    yield negotiation(
        "plain",
        "R46",
        "Plain text says all that can be said in it.",
        unit(*parts, accept="text/plain"),
        given=MINE,
        facts={"media_type": "text/plain", "text": "It will **rain**.\n\n2 * 3\n\na <https://a.example/>"},
    )
    yield negotiation(
        "html",
        "R46",
        "HTML of an agent must not act in the page that shows it.",
        unit(text("<p onclick=x>Hi<script>x</script></p>", "text/html"), accept="text/html"),
        given=MINE,
        facts={"media_type": "text/html", "text": "<p>Hi</p>", "x_content_type_options": "nosniff"},
    )
    for name, accept, media_type in (
        ("anything", "*/*", "application/json"),
        ("nothing", None, "application/json"),
        ("unknown", "image/png", "application/json"),
        ("quality", "application/json;q=0.4, text/plain;q=0.5", "text/plain"),
        ("range", "text/*", "text/markdown"),
        ("specific", "text/*;q=0.5, text/markdown;q=0.1, application/json;q=0.2", "text/html"),
        ("refused", "*/*, application/json;q=0", "text/markdown"),
        ("browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("case", "TEXT/Plain", "text/plain"),
        ("both", f"application/json, {SSE}", "application/json"),
    ):
        yield negotiation(
            name,
            "RFC 9110 12.5.1",
            "A client gets the form that it likes best, and the fullest of several that it likes as well.",
            unit(HELLO, accept=accept),
            given=MINE,
            facts={"media_type": media_type},
        )


def demanded() -> Iterator[Case]:
    """Demands as answers."""
    for name, policy in KINDS.items():
        yield demands(
            name,
            "PP",
            "Clients that know only HTTP do the right thing by the status.",
            unit(carried(policy)),
            given=MINE,
            facts={"status": STATUSES[name], "challenged": STATUSES[name] == 401},
        )
        if name != "unknown":
            yield demands(
                f"status-of-{name}",
                "PP",
                "Whatever else goes with it, the status is that of its kind.",
                unit(carried(policy)),
                given=MINE,
                facts={"status": STATUSES[name]},
            )
    problem = {"type": "https://mentionable.dev/ns/policy/v0.1#forbidden", "status": 403, "detail": "No."}
    yield demands(
        "body",
        "PP",
        "The body is the whole demand, and what else the answer says stands in a member of its own.",
        unit(HELLO, carried(NO)),
        given=MINE,
        facts={"json": {**problem, **NO, "mentionable": body(HELLO)}},
    )
    yield demands(
        "accept",
        "PP",
        "A demand is JSON whatever the client likes better: no other form carries all of it.",
        unit(carried(NO), accept="text/html"),
        given=MINE,
        facts={"status": 403, "media_type": "application/problem+json"},
    )
    yield demands(
        "wait",
        "RFC 9110 10.2.3",
        "Programs wait as long as the header says.",
        unit(carried(KINDS["limit"])),
        given=MINE,
        facts={"retry_after": "30"},
    )
    yield demands(
        "settled",
        "R46",
        "Clients of both versions of x402 learn how their payment ended.",
        unit(HELLO, settlement=SETTLED),
        given=MINE,
        facts={"status": 200, "payment_response": RECEIPT, "x_payment_response": RECEIPT},
    )
    yield demands(
        "settlement-of-another-form",
        "R46",
        "What is no settlement tells clients of money that did not move.",
        unit(HELLO, settlement={"x402.payment.status": "payment-completed"}),
        given=MINE,
        rejected={"code": "malformed"},
    )


def streamed() -> Iterator[Case]:
    """Streams."""
    start = {name: member for name, member in body().items() if name not in ("parts", "status")}
    end = ["end", {"status": "ok"}]
    running = call("search")
    frame = {"stream_id": "x", "seq": 1, "final": False}
    yield stream(
        "whole",
        "R46",
        "Clients that know no events but the usual one read the Markdown.",
        unit(HELLO, running, accept=SSE),
        given=MINE,
        facts={
            "status": 200,
            "media_type": SSE,
            "events": [["start", start], ["message", "Hello!"], ["tool_call", running], end],
        },
    )
    yield stream(
        "frame",
        "NM 4",
        "A frame in the middle is what it adds, and nothing else.",
        unit(HELLO, running, accept=SSE, status="partial", streaming=frame),
        given=MINE,
        facts={"events": [["message", "Hello!"], ["tool_call", running]]},
    )
    yield stream(
        "texts",
        "R46",
        "Two texts are not one, and plain text is no Markdown.",
        unit(HELLO, HELLO, text("c"), accept=SSE),
        given=MINE,
        facts={
            "events": [
                ["start", start],
                ["message", "Hello!"],
                ["text", {"mime": "text/markdown", "continues": False}],
                ["message", "Hello!"],
                ["text", {"mime": "text/plain", "continues": False}],
                ["message", "c"],
                end,
            ]
        },
    )
    yield stream(
        "plain-goes-on",
        "NM 4",
        "Text at the beginning of a frame goes on with what came before.",
        unit(text("c"), accept=SSE, status="partial", streaming=frame),
        given=MINE,
        facts={"events": [["text", {"mime": "text/plain", "continues": True}], ["message", "c"]]},
    )
    link = {"kind": "link", "url": "https://a.example/"}
    yield stream(
        "part",
        "R46",
        "What is no text is JSON in an event of its own.",
        unit(link, accept=SSE, status="partial", streaming=frame),
        given=MINE,
        facts={"events": [["part", link]]},
    )
    yield stream(
        "html",
        "R46",
        "A stream is Markdown: HTML becomes it, and is told.",
        unit(text("<b>a</b>", "text/html"), accept=SSE, status="partial", streaming=frame),
        given=MINE,
        facts={"events": [["message", "**a**"]]},
        diagnostics=["part-changed"],
    )
    yield stream(
        "failed",
        "NM 4",
        "A stream that began cannot change its status; its end says that it failed.",
        unit(accept=SSE, status="error", error=BROKEN, streaming={**frame, "final": True}),
        given=MINE,
        facts={"status": 200, "events": [["end", {"status": "error", "error": BROKEN}]]},
    )
    yield stream(
        "demand",
        "PP",
        "A demand stands in the final frame alone.",
        unit(carried(PAY), accept=SSE, streaming={**frame, "final": True}),
        given=MINE,
        facts={"events": [["policy", PAY], end]},
    )
    yield stream(
        "demand-too-early",
        "PP",
        "A demand before the end would be overtaken by an answer.",
        unit(carried(PAY), accept=SSE, status="partial", streaming=frame),
        given=MINE,
        rejected={"code": "malformed"},
    )


def refused() -> Iterator[Case]:
    """Rejections."""
    for code, status in (
        ("malformed", 422),
        ("no-served-recipient", 404),
        ("too-large", 413),
        ("media-type-unsupported", 415),
        ("lookup-failed", 503),
        ("unsupported-activity", 400),
    ):
        yield refuse(
            code,
            "RFC 9457 3",
            "A client learns what kind of fault it was, and a rejection is never a success.",
            {"code": code},
            facts={"status": status, "media_type": "application/problem+json", "challenged": False},
        )
    yield refuse(
        "verification-required",
        "RFC 9110 15.5.2",
        "A 401 has a challenge.",
        {"code": "verification-required"},
        facts={"status": 401, "challenged": True},
    )
    for suffix, title, level in own_words("A required member is missing."):
        problem = {
            "type": "https://mentionable.dev/ns/transport-rest/v0.1#missing-member",
            "title": title,
            "status": 422,
        }
        yield refuse(
            f"body{suffix}",
            "RFC 9457 3",
            "The peer learns the code, and nothing of what is behind it.",
            {"code": "missing-member"},
            facts={"json": {**problem, "code": "missing-member"}},
            level=level,
        )


def behaviours() -> Iterator[tuple[str, str, str, Any]]:
    """Every behaviour."""
    yield "reply", "rest.reply", "Answers in JSON, and their status.", whole()
    yield "negotiation", "rest.reply", "Answers in the form that the client likes best.", liked()
    yield "demands", "rest.reply", "Demands and payments as answers.", demanded()
    yield "stream", "rest.reply", "Answers as streams.", streamed()
    yield "refuse", "rest.refuse", "What was rejected, answered.", refused()
