"""Answers on A2A: `conformance/v0.1/reply/a2a-*.json`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _answer_shared as shared
from tests.vectors._answer_rows import (
    ANY,
    DONE,
    FAILED,
    MARKDOWN,
    PLAIN,
    RUNNING,
    UUID,
    Case,
    answer,
    call,
    row,
    standard,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

WAYS: Final = ("1.0", "1.0-rest", "0.3", "0.3-rest")
EVENTS: Final = "https://mentionable.dev/ns/a2a-tool-events/v0.1"
URL: Final = "https://agents.example/helper"
IMAGE: Final = {
    "kind": "file",
    "mime": "image/png",
    "name": "a.png",
    "bytes_ref": {"kind": "inline", "data_base64": "AAEC"},
}
HOSTED: Final = {
    "kind": "file",
    "mime": "image/png",
    "name": "b.png",
    "bytes_ref": {"kind": "url", "url": "https://files.example/b.png"},
}
TABLE: Final = {
    "kind": "artifact",
    "mime": "text/csv",
    "name": "t.csv",
    "artifact_type": "table",
    "bytes_ref": {"kind": "inline", "data_base64": "YSxiCg=="},
}
LINK: Final = {"kind": "link", "url": "https://a.example/", "title": "A", "description": "About"}
ERROR: Final = {"status": "error", "error": {"code": "busy", "message": "Try again later.", "retriable": True}}


def slug(way: str) -> str:
    """A way as it stands in an id."""
    return f"v{way.replace('.', '-')}"


def asked(way: str = "1.0", *, stream: bool = False, **members: Any) -> Case:
    """A question in one of the four ways."""
    is_old, is_rest = way[:3] == "0.3", way.endswith("rest")
    text: Case = {"text": "Will it rain? (a secret)"}
    message: Case = {"messageId": "q1", "contextId": "ctx", "role": "ROLE_USER"}
    if is_old and not is_rest:
        message = {"kind": "message", **message, "role": "user"}
        text = {"kind": "text", **text}
    message["content" if is_old and is_rest else "parts"] = [text]
    message |= members
    headers = [["content-type", "application/json"], *([] if is_old else [["a2a-version", "1.0"]])]
    if is_rest:
        path = f"{'/v1' if is_old else ''}/message:{'stream' if stream else 'send'}"
        return {"method": "POST", "url": URL + path, "headers": headers, "body": {"message": message}}
    method = {"1.0": ("SendMessage", "SendStreamingMessage"), "0.3": ("message/send", "message/stream")}[way][stream]
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {"message": message}}
    return {"method": "POST", "url": URL, "headers": headers, "body": body}


def case(name: str, section: str, why: str, said: Any, question: Case | None = None, **more: Any) -> Case:
    """An answer, and facts about what goes out."""
    said = said if isinstance(said, dict) else answer(*said)
    given: Case = {"recipient": "@helper@agents.example", "lookups": {"MESSAGE *": None}}
    if "settings" in more:
        given["settings"] = more.pop("settings")
    inputs = {"question": question or asked(), "response": said, **more.pop("unit", {})}
    if "facts" in more:
        more.setdefault("diagnostics", [])
    flags = ["reply", "a2a", *more.pop("flags", [])]
    return row(f"reply/a2a-{name}", section, why, inputs, given=given, flags=flags, **more)


def refused(name: str, section: str, why: str, said: Any, **more: Any) -> Case:
    """A response that may not go out."""
    return case(name, section, why, said, rejected={"code": "malformed"}, **more)


def spelled(way: str, kind: str) -> Case:
    """By what readers tell the dialects apart."""
    names = {"status": ("statusUpdate", "status-update")}.get(kind, (kind, kind))
    is_bare = way == "0.3"
    return {
        "kind": names[is_bare],
        "wrapped": not is_bare,
        "marked": names[1] if is_bare else None,
        "role": "agent" if is_bare else "ROLE_AGENT",
        "parts": "content" if way == "0.3-rest" else "parts",
    }


def state(way: str, name: str) -> str:
    """A state as the dialect spells it."""
    return name if way == "0.3" else f"TASK_STATE_{name.upper().replace('-', '_')}"


def text(way: str, content: str, mime: str = "text/plain") -> Case:
    """A text part as the dialect writes it."""
    part: Case = {"kind": "text", "text": content} if way == "0.3" else {"text": content}
    if mime == "text/plain":
        return part
    return {**part, **({"mediaType": mime} if way[:3] == "1.0" else {"metadata": {"mimeType": mime}})}


def data(way: str, found: Any, **hints: Any) -> Case:
    """A data part."""
    part: Case = {"kind": "data", "data": found} if way == "0.3" else {"data": found}
    if way == "0.3-rest":
        part = {"data": {"data": found}}
    return {**part, "metadata": {"mentionable": hints}} if hints else part


def file(way: str, name: str, content: str, mime: str, *, is_url: bool = False, **hints: Any) -> Case:
    """A file part."""
    member = {"0.3": ("bytes", "uri"), "0.3-rest": ("fileWithBytes", "fileWithUri")}.get(way, ("raw", "url"))[is_url]
    if way[:3] == "1.0":
        part: Case = {member: content, "filename": name, "mediaType": mime}
    else:
        part = {"file": {member: content, "mimeType": mime, "name": name}}
        if way == "0.3":
            part = {"kind": "file", **part}
    return {**part, "metadata": {"mentionable": hints}} if hints else part


def messages() -> Iterator[Case]:
    """Answers that are one message, and the parts in them."""
    for way in WAYS:
        said = "A peer reads the version that it spoke, and no other."
        yield case(
            f"message/{slug(way)}",
            "D B17",
            said,
            [MARKDOWN, PLAIN],
            asked(way),
            facts={
                "spelling": spelled(way, "message"),
                "context": "ctx",
                "call": None if way.endswith("rest") else 7,
                "parts": [text(way, "It will **rain**.", "text/markdown"), text(way, "It will rain.")],
                "status": 200,
                "content_type": "application/a2a+json" if way == "1.0-rest" else "application/json",
                "message_id": UUID if way == "1.0" else ANY,
            },
        )
    yield case(
        "message/call-id-of-text",
        "D B17",
        "A JSON-RPC id comes back as it was.",
        [PLAIN],
        {**asked(), "body": {**asked()["body"], "id": "a-7"}},
        facts={"call": "a-7"},
    )
    yield case(
        "message/nothing",
        "NM 4",
        "A message has a part, and an empty answer a message.",
        [],
        facts={"parts": [{"text": "", "metadata": {"mentionable": {"kind": "none"}}}]},
        level="SHOULD",
    )
    yield case(
        "message/question-not-quoted",
        "R35",
        "Nothing of the question is sent on.",
        [PLAIN],
        facts={"has": {"wire": {"a secret": False}}},
        flags=["attack"],
    )
    yield case(
        "message/no-trace",
        "NM 10.3",
        "A2A carries the structure itself: there is no annotation.",
        [PLAIN, DONE],
        facts={"has": {"wire": {"mentionable-trace": False, "base64,": False}}},
    )
    digest = hashlib.sha256(b"PNG").hexdigest()
    named = {"kind": "content_addressed", "algo": "sha256", "digest": digest}
    for way in ("1.0", "0.3", "0.3-rest"):

        def has(name: str, section: str, why: str, part: Case, written: Case, way: str = way, **more: Any) -> Case:
            facts = {"parts": [written], **more.pop("facts", {})}
            return case(f"parts/{name}-{slug(way)}", section, why, [part], asked(way), facts=facts, **more)

        yield has(
            "html",
            "D B5",
            "Text keeps its media type.",
            {"kind": "text", "mime": "text/html", "content": "<p>Hi</p>"},
            text(way, "<p>Hi</p>", "text/html"),
        )
        events = "Calls travel as structure, never as a line of text."
        tool: Case = {"toolCallId": "c1", "toolName": "web_search", "input": {"q": "rain"}}
        header = {"x-a2a-extensions" if way[:3] == "0.3" else "a2a-extensions": [EVENTS]}
        yield has(
            "call",
            "NM 3.2",
            events,
            DONE,
            data(way, {**tool, "type": "tool-result", "output": [{"title": "Rain"}]}),
            facts={"extensions": header},
        )
        yield has(
            "call-null",
            "NM 3.2",
            "A result of null is a result.",
            call(result=None),
            data(way, {**tool, "type": "tool-result", "output": None}),
        )
        yield has(
            "failed-call",
            "NM 3.2",
            events,
            FAILED,
            data(
                way,
                {
                    "type": "tool-error",
                    "toolCallId": "c2",
                    "toolName": "slow_lookup",
                    "input": {},
                    "error": {"message": "timed out"},
                },
            ),
        )
        yield has(
            "running-call",
            "NM 3.2",
            events,
            RUNNING,
            data(way, {"type": "tool-call", "toolCallId": "c3", "toolName": "file_write", "input": {"path": "a.txt"}}),
        )
        yield has(
            "link",
            "D B5",
            "A2A has no links: they are data that says so.",
            LINK,
            data(way, {"url": "https://a.example/", "title": "A", "description": "About"}, kind="link"),
        )
        yield has("file", "D B5", "Bytes stay inside.", IMAGE, file(way, "a.png", "AAEC", "image/png"))
        yield has(
            "hosted-file",
            "D B5",
            "An address stays one.",
            HOSTED,
            file(way, "b.png", "https://files.example/b.png", "image/png", is_url=True),
        )
        expires = "2026-12-01T00:00:00Z"
        ends = {**HOSTED, "bytes_ref": {**HOSTED["bytes_ref"], "expires_at": expires}}
        yield has(
            "file-that-expires",
            "NM 3.2",
            "A URL that will end says when.",
            ends,
            file(way, "b.png", "https://files.example/b.png", "image/png", is_url=True, expires_at=expires),
        )
        yield has(
            "file-by-digest",
            "R31",
            "Bytes that are named by their digest go along, and say which.",
            {**IMAGE, "bytes_ref": named},
            file(way, "a.png", standard(b"PNG"), "image/png", sha256=digest),
            unit={"blobs": {digest: {"$base64": standard(b"PNG")}}},
        )
    yield case(
        "parts/no-calls-no-extension",
        "D B17",
        "An extension that is not used is not named.",
        [PLAIN],
        facts={"extensions": {}},
    )


def tasks() -> Iterator[Case]:
    """Answers that are tasks."""
    for way in WAYS:
        done = {"spelling": spelled(way, "task"), "task": "t1", "context": "ctx"}
        yield case(
            f"task/completed-{slug(way)}",
            "NM 5.2",
            "A question of a task is answered as that task.",
            [PLAIN],
            asked(way, taskId="t1"),
            facts={**done, "state": state(way, "completed"), "parts": [text(way, "It will rain.")], "artifacts": []},
        )
        yield case(
            f"task/failed-{slug(way)}",
            "R32",
            "An error is a failed task, and its words are for people.",
            answer(**ERROR),
            asked(way, taskId="t1"),
            facts={**done, "state": state(way, "failed"), "parts": [text(way, "Try again later.")]},
        )
        yield case(
            f"task/artifact-{slug(way)}",
            "R32",
            "What the agent produced are artifacts of the task.",
            [PLAIN, TABLE],
            asked(way, taskId="t1"),
            facts={
                **done,
                "state": state(way, "completed"),
                "parts": [text(way, "It will rain.")],
                "artifacts": [
                    {
                        "name": "t.csv",
                        "parts": [file(way, "t.csv", "YSxiCg==", "text/csv", kind="artifact", artifact_type="table")],
                    }
                ],
            },
        )
    yield case(
        "task/error-without-a-task",
        "R32",
        "Only a task can fail: one is made.",
        answer(**ERROR),
        facts={"spelling": spelled("1.0", "task"), "state": "TASK_STATE_FAILED", "context": "ctx"},
    )
    yield case(
        "task/error-with-parts",
        "R32",
        "Where the agent says something, that is what people read.",
        answer(PLAIN, **ERROR),
        facts={"state": "TASK_STATE_FAILED", "parts": [{"text": "It will rain."}]},
    )
    yield case(
        "task/other-thread",
        "R31",
        "The agent may name another task.",
        answer(PLAIN, push_back={"thread_ref": "t9"}),
        asked(taskId="t1"),
        facts={"task": "t9"},
    )
    demands: dict[str, tuple[str, Case]] = {
        "payment": (
            "input-required",
            {
                "kind": "payment_required",
                "url": "https://agents.example/pay",
                "accepted_payments": [{"scheme": "x402.exact", "payload": {}}],
            },
        ),
        "authorization": ("auth-required", {"kind": "unauthorized", "auth_challenges": []}),
        "consent": (
            "auth-required",
            {"kind": "consent_required", "state": "x" * 32, "return_to": "https://agents.example/b"},
        ),
        "refusal": ("rejected", {"kind": "forbidden"}),
        "unknown": ("failed", {"kind": "example:new"}),
    }
    for name, (expected, policy) in demands.items():
        part = {"kind": "policy", "policy": {**policy, "message": "Please."}}
        for way in ("1.0", "0.3"):
            yield case(
                f"policy/{name}-{slug(way)}",
                "D B11",
                "A demand is a state that clients stop at, never a success.",
                [part],
                asked(way, taskId="t1"),
                facts={"state": state(way, expected), "task": "t1"},
            )


def frame(seq: int, *parts: Case, final: bool = False, **members: Any) -> Case:
    """A frame of a stream."""
    said = answer(*parts, status=members.pop("status", "ok" if final else "partial"), **members)
    return {**said, "streaming": {"stream_id": "s1", "seq": seq, "final": final}}


def streams() -> Iterator[Case]:
    """Answers that are streams."""
    for way in WAYS:
        names = ("statusUpdate", "artifactUpdate") if way != "0.3" else ("status-update", "artifact-update")
        status, piece = names
        ends = [None if way[:3] == "1.0" else True]
        working, done = state(way, "working"), state(way, "completed")
        yield case(
            f"stream/whole-{slug(way)}",
            "NM 4",
            "Who asked for a stream gets one, of one event if need be.",
            [PLAIN],
            asked(way, stream=True),
            facts={
                "content_type": "text/event-stream",
                "events": [["message"]],
                "spelling": spelled(way, "message"),
                "parts": [text(way, "It will rain.")],
            },
        )
        yield case(
            f"stream/whole-task-{slug(way)}",
            "NM 4",
            "A whole answer is told as a stream: its end is marked in v0.3 and known by the state in v1.0.",
            [PLAIN, TABLE],
            asked(way, stream=True, taskId="t1"),
            facts={
                "events": [["task", working], [piece, "lastChunk"], [status, done]],
                "finals": ends,
                "task": "t1",
                "parts": [text(way, "It will rain.")],
            },
        )
        yield case(
            f"stream/first-frame-{slug(way)}",
            "NM 4",
            "The first frame opens the task.",
            frame(0, PLAIN),
            asked(way, stream=True, taskId="t1"),
            facts={
                "events": [["task", working], [piece]],
                "pieces": [[text(way, "It will rain.")]],
                "one_artifact": True,
            },
        )
        yield case(
            f"stream/next-frame-{slug(way)}",
            "NM 4",
            "Later frames are appended.",
            frame(1, DONE),
            asked(way, stream=True, taskId="t1"),
            facts={"events": [[piece, "append"]], "finals": []},
        )
        yield case(
            f"stream/last-frame-{slug(way)}",
            "NM 4",
            "The last one ends artifact and task.",
            frame(2, MARKDOWN, final=True),
            asked(way, stream=True, taskId="t1"),
            facts={"events": [[piece, "append", "lastChunk"], [status, done]], "finals": ends},
        )
        yield case(
            f"stream/failed-{slug(way)}",
            "NM 4",
            "A stream may end in an error.",
            frame(2, final=True, **ERROR),
            asked(way, stream=True, taskId="t1"),
            facts={"state": state(way, "failed"), "finals": ends, "parts": [text(way, "Try again later.")]},
        )
    separators = "\u0085\u2028\u2029"
    for way in WAYS:
        yield case(
            f"stream/line-separators-{slug(way)}",
            "D B17",
            "Readers of streams that take them for line ends lose the whole answer.",
            [{**PLAIN, "content": f"a{separators}b"}],
            asked(way, stream=True),
            facts={
                "has": {"wire": dict.fromkeys(separators, False)},
                "parts": [text(way, f"a{separators}b")],
            },
        )
    yield refused("stream/not-asked-for", "R31", "Who asked for one answer cannot read frames.", frame(0, PLAIN))
    yield refused(
        "stream/frame-without-a-place",
        "NM 4",
        "A frame says where it stands.",
        answer(PLAIN, status="partial"),
        question=asked(stream=True),
    )
    yield from shared.refusals(refused, said=PLAIN, image=IMAGE, other="email", name="mail")
    yield refused(
        "refused/inline-too-large",
        "NM 3.2",
        "Inline content is small.",
        [{**IMAGE, "bytes_ref": {"kind": "inline", "data_base64": standard(b"x" * 300)}}],
        settings={"limits": {"inline_bytes": 300}},
    )
    yield refused("refused/result-and-error", "NM 3.2", "A call has not both.", [{**DONE, "error": {"message": "x"}}])


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_a2a.py; change that."
    files: dict[str, list[Case]] = {}
    for cases in (messages, tasks, streams):
        for one in cases():
            files.setdefault(one["id"].split("/")[1], []).append(one)
    for behaviour, found in files.items():
        yield "reply", behaviour, "a2a.reply", note, found
