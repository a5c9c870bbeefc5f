"""What comes back: `conformance/v0.1/rest/result.json`, `result-stream.json`, `round-trip.json`."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import answer, call, standard
from tests.vectors._own_words import own_words
from tests.vectors._policy_wire_rows import KINDS, NO, PAY, REQUIRED, carried
from tests.vectors._rest_call import asks, chain
from tests.vectors._rest_rows import BOB, HELPER, MINE, Case, becomes, file, question, raw, rows, text, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

JSON: Final = "application/json"
HELLO: Final = text("Hello!", "text/markdown")
UNREAD: Final = "The agent demands something that cannot be read."
BROKEN: Final[Case] = {"code": "x", "message": "Broken.", "retriable": True}
TO: Final[Case] = asks()["message"]
SSE: Final = "text/event-stream"
SESSION: Final[Case] = {"rest": {"session": "s1"}}
SESSION_9: Final[Case] = {"rest": {"session": "s9"}}
START: Final[Case] = {"v": "v0.1", "agent": HELPER, "session": "s9"}
back, stream, trip = rows("result"), rows("result-stream"), rows("round-trip")


def got(body: Any, status: int = 200, media_type: str | None = JSON, **headers: str) -> Case:
    """What an HTTP response comes in as."""
    named = [[name.replace("_", "-"), value] for name, value in headers.items()]
    typed = [] if media_type is None else [["content-type", media_type]]
    return {"to": TO, "response": {"status": status, "headers": [*typed, *named], "body": body}}


def says(*parts: Case, **members: Any) -> Case:
    """The JSON of an answer."""
    return {"v": "v0.1", "agent": HELPER, "parts": list(parts), **members}


def read(*parts: Case, status: str = "ok", **members: Any) -> Case:
    """The response that is read."""
    return {"reply_to": "m1", "parts": list(parts), "status": status, **members}


def whole() -> Iterator[Case]:
    """Whole answers."""
    running = call("search")
    yield back(
        "json",
        "R46",
        "JSON is the whole response; of what the peer says of itself only the session is kept, to go on with.",
        got(says(HELLO, running, id="a1", session="s9", reply_to="q1", mood="fine")),
        value=read(HELLO, running, mood="fine") | SESSION_9,
    )
    yield back(
        "json-without-version",
        "R46",
        "The oldest peers say no version.",
        got({"parts": [HELLO]}, media_type="application/json; charset=utf-8"),
        value=read(HELLO),
    )
    yield back(
        "json-later-version",
        "R46",
        "Another version may mean another thing.",
        got({"v": "v1.0", "parts": []}),
        rejected={"code": "unknown-value"},
    )
    yield back(
        "json-without-parts",
        "R46",
        "JSON without parts is no answer.",
        got({"v": "v0.1"}),
        rejected={"code": "malformed"},
    )
    yield back("json-array", "R46", "JSON that is no object is no answer.", got([]), rejected={"code": "not-a-message"})
    yield back("json-broken", "R46", "JSON that is none is no answer.", got("{"), rejected={"code": "invalid-json"})
    yield back(
        "json-canonical",
        "NM 7",
        "Text of a peer has the one form, and names of files lead nowhere.",
        got(says(text("a\r\nb"), file(b"1", "../1.png"))),
        value=read(text("a\nb"), file(b"1", "1.png")),
    )
    yield back(
        "too-many-parts",
        "R46",
        "Answers are bounded as questions are.",
        got(says(HELLO, HELLO)),
        rejected={"code": "too-many-parts"},
        given={"settings": {"limits": {"parts": 1}}},
    )
    for mime in ("text/plain", "text/markdown", "text/html"):
        yield back(
            mime.partition("/")[2],
            "R46",
            "Peers that know no JSON answer in text.",
            got("a\r\nb", media_type=f"{mime}; charset=utf-8"),
            value=read(text("a\nb", mime)),
        )
    yield back(
        "not-utf8", "R46", "Text that cannot be read is none.", got(raw(b"\xff"), media_type="text/plain"),
        rejected={"code": "not-utf8"},
    )  # fmt: skip
    yield back(
        "other-type",
        "R46",
        "What is neither JSON nor text nor a stream is not guessed at.",
        got("x", media_type="image/png"),
        rejected={"code": "media-type-unsupported"},
    )
    yield back("empty", "R46", "An answer may be empty.", got("", 204, None), value=read())
    yield back(
        "error",
        "R32",
        "Why there is no answer comes through.",
        got(says(status="error", error=BROKEN), 503),
        value=read(status="error", error=BROKEN),
    )
    yield back(
        "error-by-status",
        "R32",
        "An answer with an error status is no success, whatever it says.",
        got(says(HELLO), 500),
        value=read(HELLO, status="error"),
    )
    for status, code in ((302, "peer-error"), (408, "peer-busy")):
        yield back(
            f"status-{status}",
            "R46",
            "Programs must know whether to ask again.",
            got("x", status, "text/html"),
            rejected={"code": code},
        )
    for status, code in ((404, "peer-not-found"), (500, "peer-error"), (502, "peer-busy")):
        yield back(
            f"peer-status-{status}",
            "R46",
            "What went wrong decides whether to ask again, elsewhere or not at all.",
            got("x", status, "text/plain"),
            rejected={"code": code},
        )


def demanded() -> Iterator[Case]:
    """Demands."""
    yield back(
        "demand",
        "PP",
        "A demand is the last part, behind what else the answer says, with the session to go on with.",
        got({**NO, "mentionable": says(HELLO, session="s9")}, 403),
        value=read(HELLO, carried(NO)) | SESSION_9,
    )
    yield back(
        "demand-alone",
        "PP",
        "Peers that know policies and not this library say the demand alone.",
        got(KINDS["limit"], 429, "application/problem+json"),
        value=read(carried(KINDS["limit"])),
    )
    yield back(
        "demand-elsewhere-named",
        "PP",
        "A demand leads to the agent that makes it, never to anybody else, and the link that is gone is named.",
        got({**NO, "url": "https://evil.example/pay"}, 403),
        value=read(carried(NO)),
        diagnostics=["url-refused"],
    )
    yield back(
        "demand-among-parts-named",
        "PP",
        "A demand among the parts of an answer leads nowhere else either.",
        got(says(HELLO, carried({**NO, "url": "https://evil.example/pay"}))),
        value=read(HELLO, carried(NO)),
        diagnostics=["url-refused"],
    )
    yield back(
        "demand-behind-broken-parts",
        "R54",
        "Whoever looks for what was wrong must find it where the peer wrote it.",
        got(says(7, HELLO, 7, carried({**NO, "url": "https://evil.example/pay"}))),
        value=read(HELLO, carried(NO)),
        diagnostics=["member-dropped", "member-dropped", "url-refused"],
    )
    yield back(
        "call-again-behind-broken-parts",
        "R54",
        "A call that comes again is left out, and named where it stands, not where it would stand without the others.",
        got(says(7, 7, call(), call(), HELLO)),
        value=read(call(), HELLO),
        diagnostics=["member-dropped"] * 3,
    )
    yield back(
        "demand-and-broken-parts",
        "R54",
        "What else an answer says stands in a member of the demand, and so does what is wrong with it.",
        got({**NO, "mentionable": says(7, HELLO)}, 403),
        value=read(HELLO, carried(NO)),
        diagnostics=["member-dropped"],
    )
    error = {"code": "rest:policy-malformed", "message": "Hello!", "retriable": False}
    unread = read(HELLO, status="error", error=error)
    for name, why, response, found in (
        (
            "demand-not-last-named",
            "A demand in front of an answer makes nobody know whether it is one: it is no success, and the words stay.",
            got(says(carried(NO), HELLO)),
            ["policy-malformed"],
        ),
        (
            "demand-broken-named",
            "A demand that cannot be read is never a success, and what is wrong with it is named. The words stay.",
            got(says(HELLO, carried({}))),
            ["policy-malformed"],
        ),
        (
            "attack-demands-twice",
            "Of two demands none counts: readers would take the one or the other.",
            got(says(HELLO, carried(NO), carried(PAY))),
            ["policy-malformed"],
        ),
        (
            "attack-demand-mended",
            "A good demand mends no broken one.",
            got(says(HELLO, carried({}), carried(NO))),
            ["policy-malformed", "member-dropped"],
        ),
        (
            "attack-demand-and-another",
            "Of two demands none counts, wherever the answer has them.",
            got({**NO, "mentionable": says(HELLO, carried(NO))}, 403),
            ["policy-malformed"],
        ),
        (
            "attack-demand-and-broken-one",
            "A good demand mends no broken one, wherever the answer has them.",
            got({**NO, "mentionable": says(HELLO, carried({}))}, 403),
            ["policy-malformed", "policy-malformed"],
        ),
        (
            "demand-broken-and-answer",
            "What else an answer says stays, though its demand cannot be read.",
            got({"kind": "payment_required", "message": "Pay.", "mentionable": says(HELLO)}, 402),
            ["policy-malformed"],
        ),
    ):
        yield back(name, "PP", why, response, value=unread, diagnostics=found)
    yield back(
        "demand-of-another-status",
        "PP",
        "A demand that contradicts its status is none.",
        got(NO, 402),
        rejected={"code": "malformed"},
    )
    wait = "Sat, 21 Nov 2026 20:57:00 GMT"
    for suffix, words, level in own_words("There were too many requests."):
        limit = {"kind": "too_many_requests", "message": words}
        yield back(
            f"wait-until{suffix}",
            "RFC 9110 10.2.3",
            "A date to wait for is read against the date of the same response.",
            got("", 429, None, retry_after=wait, date="Sat, 21 Nov 2026 20:56:00 GMT"),
            value=read(carried({**limit, "retry_after_seconds": 60})),
            level=level,
        )
        yield back(
            f"wait-without-date{suffix}",
            "RFC 9110 10.2.3",
            "Without a date of the response nobody knows how long that is.",
            got("", 429, None, retry_after=wait),
            value=read(carried(limit)),
            level=level,
        )
    required = REQUIRED[2]
    yield back(
        "x402",
        "X402",
        "Sellers that know x402 alone say in a header field what is to be paid.",
        got("", 402, None, payment_required=standard(required)),
        facts={"status": "ok", "reply_to": "m1"},
    )
    yield back(
        "nothing-to-pay",
        "X402",
        "A 402 that offers no way to pay is none.",
        got("", 402, None),
        rejected={"code": "missing-member"},
    )


def event(name: str | None, value: Any) -> str:
    """An event of a stream."""
    data = value if isinstance(value, str) else json.dumps(value)
    return (f"event: {name}\n" if name else "") + f"data: {data}\n\n"


def told(*events: str) -> Case:
    """A stream as it comes in."""
    return {"to": TO, "chunks": list(events)}


def streamed() -> Iterator[Case]:
    """Streams."""
    end = event("end", {"status": "ok"})
    start = event("start", START)
    running, done = call("search"), call("search", result=1)
    yield stream(
        "markdown",
        "R46",
        "A stream of others is Markdown to its end.",
        told(event(None, "Hel"), event(None, "lo!")),
        value=read(HELLO),
    )
    yield stream(
        "ours",
        "R46",
        "A stream of this protocol says how it began and how it ended.",
        told(start, event(None, "Hello!"), end + event(None, "late")),
        value=read(HELLO) | SESSION_9,
    )
    yield stream(
        "broke-off",
        "NM 4",
        "A stream that broke off is not the whole answer.",
        told(start, event(None, "Hello!")),
        value=read(HELLO, status="partial") | SESSION_9,
    )
    yield stream(
        "whole-response",
        "R46",
        "A stream that was collected is read like one that comes.",
        got(event(None, "Hello!"), media_type=SSE),
        value=read(HELLO),
    )
    yield stream(
        "calls",
        "NM 3.2",
        "A call is told twice, as running and as it ended; one that has ended never changes.",
        told(event("tool_call", running), event("tool_call", done), event("tool_call", {**running, "result": 2})),
        value=read(done),
    )
    yield stream(
        "call-without-kind",
        "R46",
        "The name of the event says what it is.",
        told(event("tool_call", {name: member for name, member in done.items() if name != "kind"})),
        value=read(done),
    )
    link = {"kind": "link", "url": "https://a.example/"}
    yield stream("part", "R46", "Other parts are JSON.", told(event("part", link)), value=read(link))
    plain = event("text", {"mime": "text/plain", "continues": False})
    more = event("text", {"mime": "text/plain", "continues": True})
    own = event("text", {"mime": "text/markdown", "continues": False})
    yield stream(
        "texts",
        "R46",
        "Two texts are not one, and plain text is no Markdown.",
        told(event(None, "Hello!"), own, event(None, "Hello!"), plain, event(None, "c"), more, event(None, "d")),
        value=read(HELLO, HELLO, text("cd")),
    )
    yield stream(
        "unknown-events",
        "R46",
        "Events of later versions change nothing.",
        told(event("ping", "x"), event(None, "Hello!")),
        value=read(HELLO),
    )
    yield stream(
        "failed",
        "NM 4",
        "A stream says at its end that it failed.",
        told(start, event("end", {"status": "error", "error": BROKEN})),
        value=read(status="error", error=BROKEN) | SESSION_9,
    )
    yield stream(
        "demand-named",
        "PP",
        "A demand is the last part, and leads to its agent alone.",
        told(start, event("policy", {**NO, "url": "https://evil.example/"}), end),
        value=read(carried(NO)) | SESSION_9,
        diagnostics=["url-refused"],
    )
    yield stream(
        "demand-broken-named",
        "PP",
        "A demand that cannot be read is never a success, and what is wrong with it is named.",
        told(event(None, "Pay."), event("policy", {})),
        value=read(
            text("Pay.", "text/markdown"),
            status="error",
            error={"code": "rest:policy-malformed", "message": "Pay.", "retriable": False},
        ),
        diagnostics=["policy-malformed"],
    )
    for suffix, words, level in own_words(UNREAD):
        unread = read(status="error", error={"code": "rest:policy-malformed", "message": words, "retriable": False})
        for variant, why, first, *found in (
            ("attack-demands-twice", "Of two demands none counts: readers would take the one or the other.", PAY),
            ("attack-demand-mended", "A good demand mends no broken one.", {}, "policy-malformed"),
        ):
            twice = told(event("policy", first), event("policy", NO), end)
            told_of = [*found, "policy-malformed"]
            yield stream(f"{variant}{suffix}", "PP", why, twice, value=unread, diagnostics=told_of, level=level)
    odd = event("part", {"kind": "text", "mime": "text/plain", "content": 5})
    yield stream(
        "broken-parts",
        "R54",
        "A part that cannot be read costs itself, and is named by its event.",
        told(event("part", link), odd, event(None, "Hello!"), odd),
        value=read(link, HELLO),
        diagnostics=["member-dropped"] * 2,
    )
    yield stream(
        "many-broken-parts",
        "R54",
        "Of very many broken parts the first are named, and that there were more.",
        told(odd * 99, event(None, "Hello!"), odd * 2),
        value=read(HELLO),
        diagnostics=[*["member-dropped"] * 99, "diagnostics-omitted"],
    )
    yield stream(
        "broken-parts-count",
        "R54",
        "Parts that cannot be read are parts too: nobody makes a reader look at any number of them.",
        told(odd, odd, event("part", link)),
        rejected={"code": "too-many-parts"},
        given={"settings": {"limits": {"parts": 2}}},
    )
    yield stream(
        "nothing", "R46", "A stream that says nothing is no answer.", told(), rejected={"code": "not-a-message"}
    )
    yield stream(
        "broken-event",
        "R54",
        "An event that cannot be read costs itself, and the answer is not called whole.",
        told(event(None, "a"), event("part", "{")),
        value=read(text("a", "text/markdown"), status="partial"),
        diagnostics=["invalid-json"],
    )
    for name, mime in (("array", []), ("object", {}), ("number", 5)):
        yield stream(
            f"media-type-{name}",
            "R46",
            "What the next text is must be said in words: anything else is a fault of the stream, not of its reader.",
            told(event("text", {"mime": mime})),
            rejected={"code": "unknown-value"},
        )
    yield stream(
        "too-many-parts",
        "R46",
        "Streams are bounded as bodies are.",
        told(event("part", link), event("part", link)),
        rejected={"code": "too-many-parts"},
        given={"settings": {"limits": {"parts": 1}}},
    )


def trips() -> Iterator[Case]:
    """There and back."""
    digest = sha256(b"hi").hexdigest()
    named: Case = {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "content_addressed", "algo": "sha256"}}
    named["bytes_ref"]["digest"] = digest
    link = {"kind": "link", "url": "https://a.example/"}
    parts = (
        HELLO,
        text("a", api="b"),
        file(b"1", "1.png"),
        link,
        call("search", result=None),
        {"kind": "poll", "a": 1},
    )
    yield trip(
        "call",
        "R46",
        "All parts of a call reach the other agent as they are.",
        asks(*parts, named, session="s1", blobs={digest: "hi"}),
        **becomes(*parts, named, thread_id="s1"),
    )
    told_turns = [turn("a", address=BOB), turn("b", "assistant", HELPER, parts=[link])]
    yield trip(
        "history",
        "R46",
        "Turns reach the other agent with who wrote them.",
        asks(HELLO, history=told_turns, session="s1"),
        **becomes(HELLO, history=told_turns, notes=["history-role"]),
    )
    yield trip(
        "history-of-a-user-last",
        "R46",
        "What somebody else said last is no part of the message: in plain fields the two would be one turn.",
        asks(HELLO, history=told_turns[:1], session="s1"),
        **becomes(HELLO, history=told_turns[:1]),
    )
    yield trip(
        "chain",
        "NM 3.3.5",
        "The next agent knows its place.",
        asks(HELLO, session="s1", recipient_capabilities=chain(1)),
        **becomes(HELLO, recipient_capabilities=chain(2)),
    )
    inside = {**named, "bytes_ref": {"kind": "inline", "data_base64": "aGk="}}
    yield trip(
        "answer",
        "R46",
        "All parts of an answer in JSON come back as they are.",
        {"question": question(), "response": answer(*parts, named, mood="fine"), "blobs": {digest: "hi"}},
        given=MINE,
        facts={"parts": [*parts, inside], "status": "ok", "mood": "fine", **SESSION},
    )
    for name, policy in KINDS.items():
        yield trip(
            f"demand-{name}",
            "PP",
            "Every demand comes back whole.",
            {"question": question("text/html"), "response": answer(HELLO, carried(policy))},
            given=MINE,
            facts={"parts": [HELLO, carried(policy)], "status": "ok", **SESSION},
        )

    def frame(seq: int, *said: Case, **members: Any) -> Case:
        place = {"stream_id": "x", "seq": seq, "final": "status" not in members}
        return {"status": "ok", **answer(*said, **members), "streaming": place}

    yield trip(
        "frames",
        "NM 4",
        "Frames come back as the answer that they are.",
        {
            "question": question(SSE),
            "frames": [
                frame(0, text("Hel", "text/markdown"), status="partial"),
                frame(1, text("lo!", "text/markdown"), call("search"), status="partial"),
                frame(2, call("search", result=1), text("c"), link),
            ],
        },
        given=MINE,
        facts={"parts": [HELLO, call("search", result=1), text("c"), link], "status": "ok", **SESSION},
    )


def behaviours() -> Iterator[tuple[str, str, str, Any]]:
    """Every behaviour."""
    yield "result", "rest.result", "Answers as they come back.", [*whole(), *demanded()]
    yield "result-stream", "rest.result", "Streams as they come back.", streamed()
    yield "round-trip", "rest.round_trip", "Calls and answers, there and back.", trips()
