"""Frames put together and taken apart, and where a response goes: `conformance/v0.1/response/`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import DONE, FAILED, MARKDOWN, PLAIN, RUNNING, Case, call, response, row

if TYPE_CHECKING:
    from collections.abc import Iterator

START = call()
"""The call of `DONE` while it ran."""


def text(content: str, mime: str = "text/markdown", **extra: Any) -> Case:
    """A piece of text."""
    return {"kind": "text", "mime": mime, "content": content, **extra}


def frame(seq: int, *parts: Case, final: bool = False, stream: str = "s1", **members: Any) -> Case:
    """A frame: the last one is ok, all before it partial."""
    status = members.pop("status", "ok" if final else "partial")
    return {
        **response(*parts, status=status),
        "streaming": {"stream_id": stream, "seq": seq, "final": final},
        **members,
    }


def assembled() -> Iterator[Case]:
    """Frames that make one response, and frames that do not."""

    def makes(name: str, why: str, frames: list[Case], *parts: Case, section: str = "NM 4", **more: Any) -> Case:
        members = more.pop("members", {})
        unit, value = {"frames": frames}, {**response(*parts), **members}
        return row(f"response/assemble/{name}", section, why, unit, value=value, flags=["streaming"], **more)

    def refuses(name: str, why: str, *frames: Case, section: str = "NM 4", **more: Any) -> Case:
        code = more.pop("code", "frame-refused")
        flags = ["streaming", "attack"]
        return row(
            f"response/assemble/{name}",
            section,
            why,
            {"frames": list(frames)},
            rejected={"code": code},
            flags=flags,
            **more,
        )

    yield makes("one-frame", "A stream may be one frame long.", [frame(0, MARKDOWN, final=True)], MARKDOWN)
    yield makes(
        "parts-in-order",
        "What came first stands first.",
        [frame(0, MARKDOWN), frame(1, DONE), frame(2, FAILED, final=True)],
        MARKDOWN,
        DONE,
        FAILED,
    )
    yield makes(
        "gap-in-numbers",
        "Numbers rise; they need not be next to each other.",
        [frame(0, MARKDOWN), frame(7, DONE, final=True)],
        MARKDOWN,
        DONE,
    )
    yield makes(
        "nothing-left",
        "The last frame may carry nothing but that it is the last.",
        [frame(0, MARKDOWN), frame(1, final=True)],
        MARKDOWN,
    )
    yield makes("nothing-at-all", "An acknowledgement may be streamed.", [frame(0), frame(1, final=True)])
    section = "D B16"
    yield makes(
        "text-goes-on",
        "Text comes in pieces, and is one text in the end.",
        [frame(0, text("It will ")), frame(1, text("**ra")), frame(2, text("in**."), final=True)],
        text("It will **rain**."),
        section=section,
    )
    yield makes(
        "text-goes-on-at-the-beginning-only",
        "Two texts in one frame are two.",
        [frame(0, text("One. "), text("Two. ")), frame(1, text("Three."), text("Four."), final=True)],
        text("One. "),
        text("Two. Three."),
        text("Four."),
        section=section,
    )
    yield makes(
        "other-type-begins-anew",
        "Plain text is no continuation of Markdown.",
        [frame(0, text("One")), frame(1, text("Two", "text/plain"), final=True)],
        text("One"),
        text("Two", "text/plain"),
        section=section,
    )
    yield makes(
        "text-after-a-call-begins-anew",
        "What is said after a call stands after it.",
        [frame(0, text("One")), frame(1, DONE), frame(2, text("Two"), final=True)],
        text("One"),
        DONE,
        text("Two"),
        section=section,
    )
    yield makes(
        "text-with-members-begins-anew",
        "Members that only one piece has would be lost or spread.",
        [frame(0, text("One", tone="dry")), frame(1, text("Two"), final=True)],
        text("One", tone="dry"),
        text("Two"),
        section=section,
    )
    yield makes(
        "empty-frames-between",
        "A frame may say that the agent is at work, and nothing else.",
        [frame(0, text("One ")), frame(1), frame(2, text("two"), final=True)],
        text("One two"),
        section=section,
    )
    yield makes(
        "call-is-brought-up-to-date",
        "One part is a call's whole life, told apart by its id.",
        [frame(0, START), frame(1, DONE, final=True)],
        DONE,
        section="NM 3.2",
    )
    yield makes(
        "call-stays-in-its-place",
        "An update is not a second call at the end.",
        [frame(0, START), frame(1, MARKDOWN), frame(2, DONE, final=True)],
        DONE,
        MARKDOWN,
        section="NM 3.2",
    )
    yield makes(
        "calls-end-in-any-order",
        "Calls run beside each other.",
        [frame(0, START, RUNNING), frame(1, {**RUNNING, "result": None}), frame(2, DONE, final=True)],
        DONE,
        {**RUNNING, "result": None},
        section="NM 3.2",
    )
    yield makes(
        "running-call-says-more",
        "While it runs, a call may be told again.",
        [frame(0, call(args={})), frame(1, START), frame(2, DONE, final=True)],
        DONE,
        section="NM 3.2",
    )
    yield makes(
        "ended-call-repeated",
        "A repetition changes nothing, so it harms nothing.",
        [frame(0, DONE), frame(1, DONE, MARKDOWN, final=True)],
        DONE,
        MARKDOWN,
        section="NM 3.2",
    )
    yield makes(
        "call-never-ends",
        "A stream may end before a call does.",
        [frame(0, START), frame(1, final=True)],
        START,
        section="NM 3.2",
    )
    yield makes(
        "update-does-not-part-text",
        "An update stands elsewhere; the text goes on.",
        [frame(0, START, text("One ")), frame(1, DONE), frame(2, text("two"), final=True)],
        DONE,
        text("One two"),
        section=section,
        level="SHOULD",
    )
    failure = {"status": "error", "error": {"code": "failed", "message": "No.", "retriable": False}}
    yield makes(
        "ends-in-an-error",
        "A stream may fail after it said something.",
        [frame(0, MARKDOWN), frame(1, final=True, **failure)],
        MARKDOWN,
        members=failure,
    )
    yield makes(
        "push-back-of-the-last",
        "Where it goes is said by the last frame.",
        [frame(0, MARKDOWN), frame(1, final=True, push_back={"channel": "email"})],
        MARKDOWN,
        members={"push_back": {"channel": "email"}},
    )

    last = frame(1, final=True)
    yield refuses("no-place", "A frame without a place may belong anywhere.", frame(0), response(MARKDOWN))
    yield refuses(
        "starts-late", "What came before the first frame is missing.", frame(1, MARKDOWN), frame(2, final=True)
    )
    yield refuses("number-twice", "A duplicate would double the text.", frame(0, MARKDOWN), frame(0, MARKDOWN), last)
    yield refuses(
        "number-falls",
        "A late frame would stand in the wrong place.",
        frame(0),
        frame(2, MARKDOWN),
        frame(1, DONE),
        frame(3, final=True),
    )
    yield refuses("after-the-end", "Nothing follows the final frame.", frame(0), last, frame(2, MARKDOWN))
    yield refuses("two-ends", "final stands once.", frame(0), last, frame(2, final=True))
    yield refuses(
        "other-stream", "Two streams are two answers.", frame(0), frame(1, MARKDOWN, stream="s2"), frame(2, final=True)
    )
    yield refuses(
        "other-question", "A frame answers what its stream answers.", frame(0), frame(1, final=True, reply_to="m2")
    )
    again = "A call that has ended never runs again, and never ends otherwise."
    yield refuses(
        "ended-call-runs-again", again, frame(0, DONE), frame(1, START), frame(2, final=True), section="NM 3.2"
    )
    yield refuses(
        "ended-call-ends-otherwise",
        again,
        frame(0, DONE),
        frame(1, {**DONE, "result": []}),
        frame(2, final=True),
        section="NM 3.2",
    )
    yield refuses(
        "failed-call-succeeds",
        again,
        frame(0, FAILED),
        frame(1, call("slow_lookup", "c2", {}, result=1)),
        frame(2, final=True),
        section="NM 3.2",
    )
    yield refuses("no-end", "Half an answer is none.", frame(0, MARKDOWN), frame(1, DONE), code="malformed")
    yield refuses("no-frames", "Nothing is no answer.", code="malformed")
    yield refuses(
        "too-many-parts",
        "A stream is bounded as a message is.",
        frame(0, DONE, FAILED),
        frame(1, RUNNING),
        frame(2, final=True),
        code="too-many-parts",
        section="D B16",
        given={"settings": {"limits": {"parts": 2}}},
    )


def pieces() -> Iterator[Case]:
    """Responses taken apart: any split is right that adds up."""

    def splits(name: str, why: str, answer: Case, section: str = "NM 4", **more: Any) -> Case:
        unit = {"response": answer, "stream_id": "s1", **more.pop("unit", {})}
        facts = {
            "whole": answer,
            "numbers_rise_from_0": True,
            "final_is_last": True,
            "partial_before_final": True,
            "stream_ids": ["s1"],
            "replies_to": ["m1"],
            **more.pop("facts", {}),
        }
        return row(f"response/split/{name}", section, why, unit, facts=facts, flags=["streaming"], **more)

    yield splits("text", "One part, whole or in pieces.", response(MARKDOWN))
    yield splits("nothing", "An empty answer has its final frame.", response())
    yield splits(
        "parts-of-every-kind",
        "What is split adds up to the same.",
        response(
            MARKDOWN,
            DONE,
            {"kind": "link", "url": "https://a.example/"},
            FAILED,
            {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "url", "url": "https://files.example/a.png"}},
        ),
    )
    yield splits(
        "neighbouring-texts",
        "Two texts stay two.",
        response(text("One."), text("Two."), text("Three.")),
        section="D B16",
    )
    yield splits(
        "neighbouring-texts-of-two-types", "Texts of two types stay two.", response(PLAIN, MARKDOWN), section="D B16"
    )
    yield splits(
        "texts-with-members",
        "Members that are not known stay where they are.",
        response(text("One.", tone="dry"), text("Two.", tone="warm")),
        section="D B16",
    )
    yield splits(
        "call-runs-first",
        "A reader sees that a call began, and later how it ended.",
        response(DONE, FAILED),
        section="NM 3.2",
        facts={"calls": {"c1": ["running", "ok"], "c2": ["running", "failed"]}},
    )
    yield splits(
        "running-call",
        "A call that has not ended is not said to have.",
        response(RUNNING, MARKDOWN),
        section="NM 3.2",
        facts={"calls": {"c3": ["running"]}},
    )
    failure = {"status": "error", "error": {"code": "failed", "message": "No.", "retriable": True}}
    yield splits("error", "The error is known when it ends.", {**response(MARKDOWN, DONE), **failure})
    yield splits("push-back", "Where it goes is part of it.", response(MARKDOWN, push_back={"thread_ref": "t2"}))
    yield splits("members-not-known", "Members of a later version are kept.", response(MARKDOWN, usage={"tokens": 3}))
    long = text("0123456789" * 10)
    yield splits(
        "long-text-in-pieces",
        "A program that writes as it thinks sends pieces.",
        response(long, DONE, long),
        unit={"text_chars": 7},
        facts={"longest_text": 7, "several": True},
        level="SHOULD",
    )
    yield splits(
        "pieces-that-come-out-even",
        "No empty piece at the end.",
        response(long),
        unit={"text_chars": 50},
        facts={"longest_text": 50},
        level="SHOULD",
    )
    for name, more in (("a-frame", {"streaming": {"stream_id": "s", "seq": 0, "final": True}}), ("partial", {})):
        unit = {"response": {**response(MARKDOWN, status="ok" if more else "partial"), **more}, "stream_id": "s1"}
        yield row(
            f"response/split/{name}",
            "NM 4",
            "What is a frame already is not split into others.",
            unit,
            rejected={"code": "malformed"},
            level="SHOULD",
            flags=["streaming"],
        )


def question(via: str, thread: str, native: str) -> Case:
    """A message as a store has it."""
    relays = {
        "activitypub": {"kind": "addressing", "envelope_fields": ["to", "cc"], "also_inline": True},
        "email": {"kind": "recipient-field", "fields": ["to", "cc"]},
        "a2a": {"kind": "none"},
    }
    return {
        "id": "m1",
        "thread_id": thread,
        "in_reply_to": native,
        "sender": {"address": "@alice@a.example", "auth_method": "none", "verified": False},
        "recipient": "@helper@agents.example",
        "parts": [{"kind": "text", "mime": "text/plain", "content": "Will it rain?"}],
        "recipient_capabilities": {"mention_relay": relays[via]},
        "received_via": via,
        "received_at": "2026-11-21T20:55:00Z",
        "raw": None,
    }


def destinations() -> Iterator[Case]:
    """Where a response goes."""
    asked = {
        "activitypub": ("https://a.example/contexts/1", "https://a.example/notes/1"),
        "email": ("<t1@a.example>", "<m1@a.example>"),
        "a2a": ("task-1", "msg-1"),
    }

    def goes(name: str, why: str, via: str, channel: str, thread: str | None, hint: Any = None, **more: Any) -> Case:
        answer = response(MARKDOWN, **({} if hint is None else {"push_back": hint}))
        unit = {"response": answer, "to": question(via, *asked[via])}
        value = {"channel": channel, "thread_ref": thread}
        return row(f"response/destination/{name}", "NM 4", why, unit, value=value, **more)

    for via, (thread, _) in asked.items():
        yield goes(f"back-to-{via}", "An answer goes back where the question came from.", via, via, thread)
    yield goes("empty-hint", "A hint that says nothing changes nothing.", "email", "email", "<t1@a.example>", {})
    yield goes("same-channel", "The channel of the question, said again.", "a2a", "a2a", "task-1", {"channel": "a2a"})
    yield goes(
        "other-channel",
        "A thread of one protocol means nothing to another.",
        "a2a",
        "email",
        None,
        {"channel": "email"},
    )
    yield goes(
        "other-thread",
        "The agent may name another thread.",
        "email",
        "email",
        "<t9@a.example>",
        {"thread_ref": "<t9@a.example>"},
    )
    yield goes(
        "other-channel-and-thread",
        "Or it may name both.",
        "activitypub",
        "email",
        "<t9@a.example>",
        {"channel": "email", "thread_ref": "<t9@a.example>"},
    )
    yield goes(
        "back-to-activitypub-explicitly",
        "Each of the three may be named.",
        "email",
        "activitypub",
        None,
        {"channel": "activitypub"},
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_streams.py; change that."
    yield "response", "assemble", "response.assemble", note, list(assembled())
    yield "response", "split", "response.split", note, list(pieces())
    yield "response", "destination", "response.destination", note, list(destinations())
