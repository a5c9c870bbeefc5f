"""What comes along with answers on A2A, whole and streamed: `conformance/v0.1/reply/a2a-answered.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_a2a import URL, WAYS, asked, data, slug, text
from tests.vectors._answer_a2a_back import TO, event
from tests.vectors._answer_rows import Case, call, row

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE: Final[Case] = {"task_id": "t9", "context_id": "c9"}
WHERE_ASKED: Final[Case] = {"context_id": "c1"}
RAIN: Final[Case] = {"kind": "text", "mime": "text/plain", "content": "Rain."}
KINDS: Final = {
    "task": "task",
    "message": "message",
    "statusUpdate": "status-update",
    "artifactUpdate": "artifact-update",
}


def message(way: str, *parts: Case, number: str = "a1", role: str = "agent", **members: Any) -> Case:
    """A message in one of the four ways."""
    spelled: Case = {"messageId": number, "role": role if way == "0.3" else f"ROLE_{role.upper()}"}
    spelled["content" if way == "0.3-rest" else "parts"] = list(parts)
    return {**spelled, **({"kind": "message"} if way == "0.3" else {}), **members}


def status(way: str, state: str, found: Case | None = None) -> Case:
    """A status."""
    spelled = state if way == "0.3" else f"TASK_STATE_{state.upper().replace('-', '_')}"
    return {"state": spelled, **({} if found is None else {"message": found})}


def task(way: str, state: str, found: Case | None = None, **members: Any) -> Case:
    """A task."""
    return {"id": "t9", "contextId": "c9", "status": status(way, state, found), **members}


def update(way: str, state: str, found: Case | None = None, **members: Any) -> Case:
    """An event that tells a status."""
    final = {"final": state in ("completed", "failed")} if way[:3] == "0.3" else {}
    return {"taskId": "t9", "contextId": "c9", "status": status(way, state, found), **final, **members}


def wrapped(way: str, member: str, found: Any, call_id: Any = 1) -> Case:
    """An object as its binding sends it."""
    if way == "0.3":
        return {"jsonrpc": "2.0", "id": call_id, "result": {"kind": KINDS[member], **found}}
    return {member: found} if way.endswith("rest") else {"jsonrpc": "2.0", "id": call_id, "result": {member: found}}


def behaviours_of(way: str) -> Iterator[Case]:
    """What comes along in one of the four ways."""

    def is_read(name: str, why: str, unit: Case, *parts: Case, status: str = "ok", **more: Any) -> Case:
        place = more.pop("place", None)
        value = {"reply_to": "m1", "parts": list(parts), "status": status, **({"a2a": place} if place else {})}
        flags = ["a2a", *(["streaming"] if "chunks" in unit else [])]
        outcome = {"value": value, **more} if "rejected" not in more else more
        return row(f"reply/a2a-answered/{name}-{slug(way)}", "D B17", why, {**unit, "to": TO}, flags=flags, **outcome)

    def whole(member: str, found: Any, **facts: Any) -> Case:
        body = wrapped(way, member, found, **facts)
        return {"response": {"status": 200, "headers": [["content-type", "application/json"]], "body": body}}

    def stream(*events: tuple[str, Any]) -> Case:
        return {"chunks": [event(wrapped(way, member, found)) for member, found in events]}

    def where(state: str, **more: Any) -> Case:
        return {"state": state, **HERE, **more}

    words = text(way, "Rain.")
    started = {"id": "c1", "name": "web_search", "args": {"q": "rain"}}
    ended = {"id": "c1", "name": "web_search", "response": {"rain": True}}
    calls = message(way, {**data(way, started), "metadata": {"adk_type": "function_call"}}, number="s1")
    results = message(way, {**data(way, ended), "metadata": {"adk_type": "function_response"}}, number="s2")
    question = message(way, text(way, "Will it rain?"), number="q1", role="user")
    used = call(result={"rain": True})
    opened = ("task", task(way, "submitted", history=[question]))

    why = "What an agent did on the way is part of its answer, wherever it tells it."
    history = [question, calls, results]
    found = task(way, "completed", message(way, words), history=history)
    yield is_read("calls-in-history", why, whole("task", found), used, RAIN, place=where("completed"))
    updates = [("statusUpdate", update(way, "working", one)) for one in (calls, results)]
    done = ("statusUpdate", update(way, "completed", message(way, words)))
    yield is_read(
        "calls-on-the-way", why, stream(opened, *updates, done), used, RAIN, place=where("completed"), diagnostics=[]
    )
    before = [calls, results, question]
    found = task(way, "completed", message(way, words), history=before)
    yield is_read(
        "calls-of-another-turn",
        "What was done for an earlier question is no part of this answer.",
        whole("task", found),
        RAIN,
        place=where("completed"),
    )

    why = "Some servers keep the last words in the history alone."
    said = message(way, words, number="s3")
    found = task(way, "completed", history=[*history, said])
    yield is_read("words-in-history", why, whole("task", found), used, RAIN, place=where("completed"))
    updates.append(("statusUpdate", update(way, "working", said)))
    events = [opened, *updates, ("statusUpdate", update(way, "completed"))]
    yield is_read("words-on-the-way", why, stream(*events), used, RAIN, place=where("completed"), diagnostics=[])

    why = "What cannot be read costs itself, and is named."
    broken = {"kind": "text", "text": 7} if way == "0.3" else {"text": 7}
    mixed = message(way, broken, words)
    yield is_read("broken-part", why, whole("message", mixed), RAIN, diagnostics=["wrong-type"])
    found = task(way, "completed", mixed, artifacts=[{"parts": [words]}])
    odd = ["wrong-type", "missing-member"]
    yield is_read("broken-in-task", why, whole("task", found), RAIN, place=where("completed"), diagnostics=odd)
    yield is_read("no-parts", why, whole("message", message(way)), diagnostics=["missing-member"])
    linked = {"kind": "file", "file": {"uri": "s3://b/a"}} if way == "0.3" else {"url": "s3://b/a"}
    if way == "0.3-rest":
        linked = {"file": {"fileWithUri": "s3://b/a"}}
    found = message(way, words, linked)
    yield is_read("file-elsewhere", why, whole("message", found), RAIN, diagnostics=["url-refused"])

    why = "What came before the stream broke is kept, and is not called whole."
    piece = {"taskId": "t9", "contextId": "c9", "artifact": {"artifactId": "x1", "parts": [words]}}
    unit = stream(opened, ("artifactUpdate", piece))
    made = {"kind": "artifact", "mime": "text/plain", "artifact_type": "x1"}
    made["bytes_ref"] = {"kind": "inline", "data_base64": "UmFpbi4="}
    parts = {"status": "partial", "place": where("submitted")}
    unit["chunks"].append("data: [DONE]\n\n")
    yield is_read("done-mark", why, unit, made, **parts, diagnostics=["invalid-json"])
    error: Case = {"code": -32603, "message": "Out of paper."}
    failed = {"error": error} if way.endswith("rest") else {"jsonrpc": "2.0", "id": 1, "error": error}
    unit = stream(opened, ("artifactUpdate", piece))
    unit["chunks"].append(event(failed))
    yield is_read("error-after-content", why, unit, made, **parts, diagnostics=["peer-error"])

    why = "An event of another task is no part of the answer."
    other = {**update(way, "completed", message(way, text(way, "Snow."))), "taskId": "t8"}
    events = [opened, ("statusUpdate", other), done]
    odd = ["task-mismatch"]
    yield is_read("event-of-another-task", why, stream(*events), RAIN, place=where("completed"), diagnostics=odd)
    why = "Another context than before is odd, and loses nothing."
    other = {**update(way, "completed", message(way, words)), "contextId": "c8"}
    events = [opened, ("statusUpdate", other)]
    yield is_read("event-in-another-context", why, stream(*events), RAIN, place=where("completed"), diagnostics=odd)

    why = "An answer under another task or context than was asked goes on there, and says so."
    request = asked(way, taskId="t1", contextId="c1")
    found = whole("task", task(way, "completed", message(way, words)), call_id=7)
    place = where("completed")
    odd = ["task-mismatch"] * 2
    yield is_read("elsewhere", why, {**found, "request": request}, RAIN, place=place, diagnostics=odd)
    why = "A message that names no context is in the one that was asked."
    found = whole("message", message(way, words), call_id=7)
    yield is_read("context-of-the-question", why, {**found, "request": request}, RAIN, place=WHERE_ASKED)
    if not way.endswith("rest"):
        why = "An answer to another call may be meant for another caller."
        found = whole("message", message(way, words), call_id=8)
        yield is_read("another-call", why, {**found, "request": request}, rejected={"code": "call-mismatch"})
        why = "Some servers write ids as text."
        found = whole("message", message(way, words), call_id="7")
        yield is_read("id-as-text", why, {**found, "request": request}, RAIN, place=WHERE_ASKED, diagnostics=[])
        why = "An answer without an id is odd."
        found = whole("message", message(way, words), call_id=None)
        odd = ["call-mismatch"]
        yield is_read("no-id", why, {**found, "request": request}, RAIN, place=WHERE_ASKED, diagnostics=odd)

    why = "What only this protocol knows of an answer is there for programs that look for it."
    knows = {"metadata": {"mood": "fine"}, "extensions": ["https://e.example/x"], "referenceTaskIds": ["t1"]}
    artifact = {"artifactId": "x1", "name": "answer", "description": "What the sky does", "parts": [words]}
    found = task(way, "completed", message(way, words, **knows), artifacts=[artifact])
    told: Case = {"metadata": {"mood": "fine"}, "extensions": ["https://e.example/x"], "reference_task_ids": ["t1"]}
    told["artifacts"] = [{"id": "x1", "name": "answer", "description": "What the sky does"}]
    yield is_read(
        "what-else-is-known", why, whole("task", found), {**made, "name": "answer"}, place=where("completed", **told)
    )


def calls() -> Iterator[Case]:
    """Going on."""
    for way in WAYS:
        for name, ids in (("context", {"context_id": "c9"}), ("task", {"context_id": "c9", "task_id": "t9"})):
            facts = {"request_context": "c9", "request_task": ids.get("task_id")}
            yield row(
                f"reply/a2a-goes-on/{name}-{slug(way)}",
                "NM 5.2",
                "A conversation goes on by its context, and a task by both ids.",
                {"message": TO, "url": URL, "dialect": way, **ids},
                facts=facts,
                flags=["a2a"],
            )


def configured() -> Iterator[Case]:
    """What is asked of the answer."""
    why = "What is asked of the answer stands where each version looks for it."
    wanted = {"accepted_output_modes": ["text/plain"], "return_immediately": True, "history_length": 3}
    for way in WAYS:
        modes = {"acceptedOutputModes": ["text/plain"], "historyLength": 3}
        soon = {"blocking": False} if way[:3] == "0.3" else {"returnImmediately": True}
        waits = {"blocking": True} if way[:3] == "0.3" else None
        for name, configuration, stream, written in (
            ("all", wanted, False, {**modes, **soon}),
            ("stream", wanted, True, modes),
            ("nothing", {}, False, waits),
            ("no-history", {"history_length": 0}, True, None if way[:3] == "0.3" else {"historyLength": 0}),
        ):
            unit = {"message": TO, "url": URL, "dialect": way, "stream": stream, "configuration": configuration}
            facts = {"request_configuration": written}
            yield row(f"reply/a2a-configured/{name}-{slug(way)}", "D B17", why, unit, facts=facts, flags=["a2a"])


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The file."""
    note = "Written by tests/vectors/_answer_a2a_kept.py; change that."
    found = [case for way in WAYS for case in behaviours_of(way)]
    yield "reply", "a2a-answered", "a2a.result", note, found
    yield "reply", "a2a-goes-on", "a2a.call", note, list(calls())
    yield "reply", "a2a-configured", "a2a.call", note, list(configured())
