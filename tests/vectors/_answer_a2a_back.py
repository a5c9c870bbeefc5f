"""Asking on A2A, and what comes back: `conformance/v0.1/reply/a2a-*.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import Case, call, row, standard

if TYPE_CHECKING:
    from collections.abc import Iterator
from tests.vectors._answer_a2a import LINK, URL, WAYS, asked, data, slug, text

TO: Final[Case] = {
    "id": "m1",
    "thread_id": "t0",
    "recipient": "@helper@agents.example",
    "sender": {"address": "@alice@a.example", "auth_method": "none", "verified": False},
    "parts": [{"kind": "text", "mime": "text/markdown", "content": "Will it **rain**?"}, LINK],
    "recipient_capabilities": {"mention_relay": {"kind": "none"}},
    "received_via": "email",
    "received_at": "2026-11-21T20:55:00Z",
    "raw": {"private": "a secret"},
}


def calls() -> Iterator[Case]:
    """Asking another agent."""

    def asks(name: str, section: str, why: str, facts: Case, message: Case | None = None, **unit: Any) -> Case:
        inputs = {"message": message or TO, "url": URL, **unit}
        return row(f"reply/a2a-call/{name}", section, why, inputs, facts=facts, flags=["a2a"])

    methods = {
        "1.0": ("SendMessage", "SendStreamingMessage"),
        "0.3": ("message/send", "message/stream"),
        "1.0-rest": (f"{URL}/message:send", f"{URL}/message:stream"),
        "0.3-rest": (f"{URL}/v1/message:send", f"{URL}/v1/message:stream"),
    }
    for way, names in methods.items():
        is_rest = way.endswith("rest")
        parts = [
            text(way, "Will it **rain**?", "text/markdown"),
            data(way, {"url": "https://a.example/", "title": "A", "description": "About"}, kind="link"),
        ]
        for stream in (False, True):
            where = {"url": names[stream]} if is_rest else {"method": names[stream], "url": URL}
            facts = {
                **where,
                "request_parts": parts,
                "request_role": "user" if way == "0.3" else "ROLE_USER",
                "version": None if way[:3] == "0.3" else "1.0",
                "authorization": None,
            }
            yield asks(
                f"{'stream-' if stream else ''}{slug(way)}",
                "D B17",
                "Peers speak one of four ways; the caller chooses by their card.",
                facts,
                dialect=way,
                stream=stream,
            )
    yield asks(
        "token",
        "D B17",
        "A token goes into its header and nowhere else.",
        {"authorization": "Bearer abc.def", "has": {"wire": {"abc.def": True}}},
        token="abc.def",
    )
    yield asks("goes-on", "NM 5.2", "A task goes on by its id.", {"request_task": "t9"}, task_id="t9")
    yield asks(
        "raw-stays",
        "R35",
        "What came with the question stays here.",
        {"has": {"wire": {"a secret": False, "alice": False}}},
    )

    def placed(hop: int) -> Case:
        chain = {"hop": hop, "max_hops": 3, "is_final": hop == 3}
        return {"mention_relay": {"kind": "inline"}, "agent_chain": chain}

    yield asks(
        "capabilities",
        "NM 3.3.4",
        "The platform travels along, and the agent that is asked stands next in the chain.",
        {"request_hints": {"recipient_capabilities": placed(3)}},
        {**TO, "recipient_capabilities": placed(2)},
    )
    yield asks(
        "capabilities-of-a-connector",
        "NM 3.3.5",
        "A connector hands the message to the agent that it is for: the place in it is that agent's.",
        {"request_hints": {"recipient_capabilities": placed(3)}},
        {**TO, "received_via": "connector", "recipient_capabilities": placed(3)},
    )
    yield row(
        "reply/a2a-call/chain-ends",
        "NM 3.3.5",
        "Agents that ask each other beyond the cap never come to an end.",
        {"message": {**TO, "recipient_capabilities": placed(3)}, "url": URL},
        rejected={"code": "malformed"},
        flags=["a2a"],
    )
    turn = {
        "role": "user",
        "sender": {
            "address": "@U1@t1.slack.invalid",
            "profile": {"display_name": "Bob", "provider": "slack"},
            "auth_method": "none",
            "verified": False,
        },
        "parts": [{"kind": "text", "mime": "text/plain", "content": "Before."}],
        "timestamp": "2026-11-21T20:00:00Z",
    }
    yield asks(
        "history",
        "BC",
        "What was said before goes along with how to show who said it, and never as verified.",
        {"request_hints": {"history": [turn]}},
        history=[{**turn, "sender": {**turn["sender"], "auth_method": "email-dkim", "verified": True}}],
    )
    yield asks(
        "nothing-to-say-of-the-platform", "NM 3.3.4", "What is the default is not said.", {"request_hints": None}
    )


def results() -> Iterator[Case]:
    """What comes back."""

    def reads(name: str, section: str, why: str, body: Any, *parts: Case, status: str = "ok", **more: Any) -> Case:
        headers = [["content-type", "application/json"]]
        members = more.pop("members", {})
        value = {"reply_to": "m1", "parts": list(parts), "status": status, **members}
        unit = {"response": {"status": 200, "headers": headers, "body": body}, "to": TO}
        return row(f"reply/a2a-result/{name}", section, why, unit, value=value, flags=["a2a"], **more)

    def fails(name: str, why: str, code: str, body: Any, status: int = 200, **more: Any) -> Case:
        unit = {
            "response": {"status": status, "headers": [["content-type", "application/json"]], "body": body},
            "to": TO,
        }
        return row(f"reply/a2a-result/{name}", "D B17", why, unit, rejected={"code": code}, flags=["a2a"], **more)

    rain = {"kind": "text", "mime": "text/plain", "content": "Rain."}
    message = {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Rain."}]}
    old = {"kind": "message", "messageId": "a1", "role": "agent", "parts": [{"kind": "text", "text": "Rain."}]}
    rest = {"messageId": "a1", "role": "ROLE_AGENT", "content": [{"text": "Rain."}]}
    rpc = {"jsonrpc": "2.0", "id": 1}
    why = "Agents answer in the version that they speak."
    yield reads("message-v1-0", "D B17", why, {**rpc, "result": {"message": message}}, rain)
    yield reads("message-v0-3", "D B17", why, {**rpc, "result": old}, rain)
    yield reads("message-v1-0-rest", "D B17", why, {"message": message}, rain)
    yield reads("message-v0-3-rest", "D B17", why, {"message": rest}, rain)

    def task(name: str, **members: Any) -> Case:
        return {
            **rpc,
            "result": {
                "task": {
                    "id": "t9",
                    "contextId": "c9",
                    "status": {"state": f"TASK_STATE_{name}", "timestamp": "2026-11-21T20:56:00Z", **members},
                }
            },
        }

    def where(state: str) -> Case:
        return {"a2a": {"state": state, "task_id": "t9", "context_id": "c9"}}

    yield reads(
        "task-completed",
        "D B17",
        "What a task says at its end is the answer.",
        task("COMPLETED", message=message),
        rain,
        members=where("completed"),
    )
    produced = task("COMPLETED")
    produced["result"]["task"]["artifacts"] = [{"artifactId": "x1", "name": "answer", "parts": [{"text": "Rain."}]}]
    made = {
        "kind": "artifact",
        "mime": "text/plain",
        "name": "answer",
        "artifact_type": "x1",
        "bytes_ref": {"kind": "inline", "data_base64": standard(b"Rain.")},
    }
    described = {"a2a": {**where("completed")["a2a"], "artifacts": [{"id": "x1", "name": "answer"}]}}
    yield reads("task-artifacts", "NM 3.2", "Artifacts are artifacts.", produced, made, members=described)
    for name, code in (("FAILED", "a2a:failed"), ("REJECTED", "a2a:rejected"), ("CANCELED", "a2a:canceled")):
        error = {"code": code, "message": "Rain.", "retriable": False}
        yield reads(
            f"task-{name.lower()}",
            "R32",
            "What failed is no answer, whatever it says.",
            task(name, message=message),
            rain,
            status="error",
            members={"error": error, **where(name.lower())},
        )
    for name in ("WORKING", "SUBMITTED"):
        yield reads(
            f"task-{name.lower()}",
            "D B17",
            "Who is still at work has not answered.",
            task(name),
            status="partial",
            members=where(name.lower()),
        )
    yield reads(
        "task-input-required",
        "D B17",
        "A question back is an answer that goes on.",
        task("INPUT_REQUIRED", message=message),
        rain,
        members=where("input-required"),
    )
    tool = {"toolCallId": "c1", "toolName": "web_search", "input": {"q": "rain"}}
    twice = {
        **message,
        "parts": [
            {"data": {**tool, "type": "tool-call"}},
            {"text": "Rain."},
            {"data": {"type": "tool-result", "toolCallId": "c1", "output": []}},
        ],
    }
    yield reads(
        "call-and-its-result",
        "NM 3.2",
        "Two events of one call are one call.",
        {**rpc, "result": {"message": twice}},
        call(result=[]),
        rain,
    )
    peer = "An error of the peer is no answer, and says whether later may help."
    yield fails("rpc-error", peer, "peer-error", {**rpc, "error": {"code": -32603, "message": "Internal"}})
    yield fails("server-failed", peer, "peer-error", "Out of order.", 500)
    yield from peers(fails)
    yield fails("busy", peer, "peer-busy", "", 503)
    yield fails("too-many", peer, "peer-busy", "", 429)
    yield fails("moved", "A redirect is not followed: it would take the token elsewhere.", "peer-error", "", 307)
    yield fails("not-json", "A page of HTML is no answer.", "invalid-json", "<html>Hello</html>")
    yield fails(
        "request-as-answer",
        "A request is no answer.",
        "not-a-message",
        {**rpc, "method": "SendMessage", "params": {"message": message}},
    )
    yield fails(
        "both",
        "A message and a task are two answers.",
        "two-contents",
        {**rpc, "result": {"message": message, "task": task("COMPLETED")["result"]["task"]}},
    )


def peers(fails: Any) -> Iterator[Case]:
    """Errors of peers, in every form in which they come."""
    typed = "What went wrong decides what to do next: sign in, pay, ask elsewhere, ask again, or give up."
    rpc = {"jsonrpc": "2.0", "id": 1}
    for status, code in (
        (401, "peer-unauthorized"),
        (402, "peer-payment-required"),
        (403, "peer-forbidden"),
        (404, "peer-not-found"),
        (410, "peer-not-found"),
        (408, "peer-busy"),
        (502, "peer-busy"),
        (504, "peer-busy"),
    ):
        yield fails(f"peer-status-{status}", typed, code, "", status)
    for number, code in ((-32001, "peer-task-not-found"), (-32009, "peer-version-unsupported"), (-32004, "peer-error")):
        slugged = f"peer-number-{-number}"
        yield fails(slugged, typed, code, {**rpc, "error": {"code": number, "message": "No."}})
        old = {"code": number, "message": "No."}
        yield fails(f"{slugged}-v0-3-rest", typed, code, old, 400)
    yield fails(
        "peer-method-unknown",
        "The versions of A2A have other methods: who does not know the one is of the other version.",
        "peer-version-unsupported",
        {**rpc, "error": {"code": -32601, "message": "Method not found"}},
    )
    for reason, name, status, code in (
        ("TASK_NOT_FOUND", "NOT_FOUND", 404, "peer-task-not-found"),
        ("VERSION_NOT_SUPPORTED", "UNIMPLEMENTED", 400, "peer-version-unsupported"),
        (None, "NOT_FOUND", 404, "peer-not-found"),
        (None, "UNAUTHENTICATED", 401, "peer-unauthorized"),
        (None, "PERMISSION_DENIED", 403, "peer-forbidden"),
        (None, "UNAVAILABLE", 503, "peer-busy"),
        (None, "RESOURCE_EXHAUSTED", 429, "peer-busy"),
        (None, "INTERNAL", 500, "peer-error"),
    ):
        kind = "type.googleapis.com/google.rpc.ErrorInfo"
        details = [] if reason is None else [{"@type": kind, "reason": reason, "domain": "a2a-protocol.org"}]
        error = {"code": status, "status": name, "message": "No.", "details": details}
        yield fails(
            f"peer-{(reason or name).lower().replace('_', '-')}-v1-0-rest", typed, code, {"error": error}, status
        )
        if reason is not None:
            error = {"code": -32603, "message": "No.", "data": details}
            yield fails(f"peer-{reason.lower().replace('_', '-')}-v1-0", typed, code, {**rpc, "error": error})


def event(found: Any, end: str = "\n\n") -> str:
    """One event of a stream."""
    return f"data: {json.dumps(found, ensure_ascii=False)}{end}"


def result_streams() -> Iterator[Case]:
    """Streams that come back."""

    def reads(
        name: str, section: str, why: str, chunks: list[str], *parts: Case, status: str = "ok", **more: Any
    ) -> Case:
        value = {"reply_to": "m1", "parts": list(parts), "status": status, **more.pop("members", {})}
        unit = {"chunks": chunks, "to": TO}
        return row(f"reply/a2a-stream-read/{name}", section, why, unit, value=value, flags=["a2a", "streaming"], **more)

    def fails(name: str, why: str, code: str, chunks: list[str], **more: Any) -> Case:
        unit = {"chunks": chunks, "to": TO}
        return row(
            f"reply/a2a-stream-read/{name}",
            "D B17",
            why,
            unit,
            rejected={"code": code},
            flags=["a2a", "streaming"],
            **more,
        )

    here = {"taskId": "t9", "contextId": "c9"}

    def status(name: str, words: str | None = None, **more: Any) -> Case:
        found: Case = {"state": f"TASK_STATE_{name}"}
        if words is not None:
            found["message"] = {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": words}]}
        return {"statusUpdate": {**here, "status": found, **more}}

    def piece(words: str, artifact: str = "x1", **more: Any) -> Case:
        return {"artifactUpdate": {**here, "artifact": {"artifactId": artifact, "parts": [{"text": words}]}, **more}}

    def text_artifact(words: str, artifact: str = "x1") -> Case:
        return {
            "kind": "artifact",
            "mime": "text/plain",
            "artifact_type": artifact,
            "bytes_ref": {"kind": "inline", "data_base64": standard(words.encode())},
        }

    def where(state: str) -> Case:
        return {"a2a": {"state": state, "task_id": "t9", "context_id": "c9"}}

    rain = {"kind": "text", "mime": "text/plain", "content": "Rain."}
    opened, done = (
        event({"task": {"id": "t9", "contextId": "c9", "status": {"state": "TASK_STATE_WORKING"}}}),
        event(status("COMPLETED")),
    )
    section = "D B16"
    message = event({"message": {"messageId": "a1", "role": "ROLE_AGENT", "parts": [{"text": "Rain."}]}})
    yield reads("message", section, "One event may be all.", [message], rain)
    yield reads(
        "any-chunks",
        section,
        "Bytes come in any pieces, letters torn.",
        [message[:3], message[3:40], *message[40:]],
        rain,
    )
    yield reads("line-ends", section, "CR LF ends lines too.", [message.replace("\n", "\r\n")], rain)
    yield reads(
        "comments-and-names",
        section,
        "Comments keep a line open; fields may come before data.",
        [": ping\n\nevent: message\nid: 1\n" + message],
        rain,
    )
    spaced = json.dumps(json.loads(message[6:]), indent=1).split("\n")
    yield reads(
        "several-data-lines",
        section,
        "Some peers print their JSON over many lines.",
        ["".join(f"data: {line}\n" for line in spaced) + "\n"],
        rain,
    )
    rpc = event(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "kind": "message",
                "messageId": "a1",
                "role": "agent",
                "parts": [{"kind": "text", "text": "Rain."}],
            },
        }
    )
    yield reads("message-v0-3", section, "Streams of v0.3 are read too.", [rpc], rain)
    yield reads(
        "pieces",
        section,
        "append adds to what the artifact holds.",
        [opened, event(piece("Ra")), event(piece("in.", append=True, lastChunk=True)), done],
        text_artifact("Rain."),
        members=where("completed"),
    )
    yield reads(
        "replaced",
        section,
        "Without append a piece takes the place of all before it: adding would double it.",
        [opened, event(piece("Ra")), event(piece("in.", append=True)), event(piece("Rain.", lastChunk=True)), done],
        text_artifact("Rain."),
        members=where("completed"),
    )
    yield reads(
        "two-artifacts",
        section,
        "Pieces belong to their own artifact.",
        [opened, event(piece("A")), event(piece("B", "x2")), event(piece("a", append=True)), done],
        text_artifact("Aa"),
        text_artifact("B", "x2"),
        members=where("completed"),
    )
    yield reads(
        "status-replaces",
        section,
        "A status takes the place of the one before: working notes are not the answer.",
        [opened, event(status("WORKING", "Looking …")), event(status("COMPLETED", "Rain."))],
        rain,
        members=where("completed"),
    )
    yield reads(
        "text-told-twice",
        section,
        "Some peers repeat in the end what they streamed.",
        [opened, event(piece("Rain.", lastChunk=True)), event(status("COMPLETED", "Rain."))],
        text_artifact("Rain."),
        members=where("completed"),
    )
    yield reads(
        "after-the-end",
        section,
        "What follows the last word counts for nothing.",
        [opened, event(status("COMPLETED", "Rain.")), event(piece("More"))],
        rain,
        members=where("completed"),
    )
    error = {"code": "a2a:failed", "message": "Rain.", "retriable": False}
    yield reads(
        "failed",
        section,
        "A stream may end in a failure.",
        [opened, event(status("FAILED", "Rain."))],
        rain,
        status="error",
        members={"error": error, **where("failed")},
    )
    yield reads(
        "broken-off",
        section,
        "What came is kept, and is not called whole.",
        [opened, event(piece("Ra"))],
        text_artifact("Ra"),
        status="partial",
        members=where("working"),
    )
    yield fails("nothing", "A stream that says nothing is no answer.", "not-a-message", [""])
    yield fails("not-json", "An event that cannot be read is no answer.", "invalid-json", ["data: {oops\n\n"])
    yield fails("no-event", "An event of no kind that is known is none.", "not-a-message", [event({"hello": 1})])


_PROTOCOL_ERRORS: Final = {
    "task-not-found": (-32001, 404),
    "task-not-cancelable": (-32002, 409),
    "push-not-supported": (-32003, 400),
    "unsupported-operation": (-32004, 400),
    "task-ended": (-32004, 400),
    "part-unsupported": (-32005, 415),
    "extended-card-missing": (-32007, 400),
    "extension-required": (-32008, 400),
    "version-unsupported": (-32009, 400),
    "invalid-request": (-32600, 400),
    "method-unsupported": (-32601, 404),
    "http-method-unsupported": (-32601, 405),
    "page-token-unknown": (-32602, 400),
    "too-many-requests": (-32603, 429),
}
"""Code → its number over JSON-RPC and its status over REST. Spec: A2A 1.0 §5.4, §9.5, §11.6."""


def refusals() -> Iterator[Case]:
    """Error bodies."""

    def says(name: str, why: str, code: str, request: Case, status: int, number: int, **more: Any) -> Case:
        is_rest = "message:" in request["url"]
        told = more.pop("call", None if is_rest else 7)
        facts = {"status": status, "error": {"code": number, "in_words": True, "call": told}, **more.pop("facts", {})}
        unit = {"code": code, "request": request}
        return row(f"reply/a2a-refuse/{name}", "D B17", why, unit, facts=facts, flags=["a2a"], **more)

    peer = "A peer learns what is wrong in the form that it knows."
    for way in WAYS:
        is_rest = way.endswith("rest")
        yield says(
            f"bad-params-{slug(way)}" if is_rest else f"missing-member-{slug(way)}",
            peer,
            "missing-member",
            asked(way),
            400 if is_rest else 200,
            400 if is_rest else -32602,
            level="MUST" if not is_rest else "SHOULD",
        )
        for code, (number, status) in _PROTOCOL_ERRORS.items():
            yield says(
                f"{code}-{slug(way)}",
                "Each error of the protocol has its number, and its status over REST.",
                code,
                asked(way),
                status if is_rest else 200,
                status if is_rest else number,
            )
        yield says(
            f"too-large-{slug(way)}",
            peer,
            "too-large",
            asked(way),
            413 if is_rest else 200,
            413 if is_rest else -32602,
            level="SHOULD",
        )
        yield says(
            f"bad-token-{slug(way)}",
            "Who must show who they are is told so by HTTP.",
            "verification-required",
            asked(way),
            401,
            401 if is_rest else {"$any": "json"},
            facts={"challenged": True},
        )
    broken = {**asked(), "body": "{not json"}
    yield says("unreadable", "Where the id cannot be read it is null.", "invalid-json", broken, 200, -32700, call=None)
    unknown = {**asked(), "body": {"jsonrpc": "2.0", "id": "a", "method": "tasks/frob", "params": {}}}
    yield says(
        "method", "Clients fall back when a method is not there.", "method-unsupported", unknown, 200, -32601, call="a"
    )
    yield says(
        "id-of-no-kind",
        "An id that is no id is not repeated.",
        "malformed",
        {**asked(), "body": {**asked()["body"], "id": {"a": "secret"}}},
        200,
        {"$any": "json"},
        call=None,
        facts={"has": {"wire": {"secret": False}}},
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_a2a_back.py; change that."
    yield "reply", "a2a-refuse", "a2a.refuse", note, list(refusals())
    yield "reply", "a2a-call", "a2a.call", note, list(calls())
    yield "reply", "a2a-result", "a2a.result", note, list(results())
    yield "reply", "a2a-stream-read", "a2a.result", note, list(result_streams())
