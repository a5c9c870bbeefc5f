"""What people see of an agent while it works: status, reactions and answers that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._slack_reply import CHANNEL, CONSENT, DIRECT, PROGRAM, QUIET, markdown, post, private, section, words
from tests.vectors._slack_rows import TS, Case, bare, case, command

if TYPE_CHECKING:
    from collections.abc import Iterator

STREAM: Final = "1795294501.000100"
FOR_ALICE: Final[Case] = {"recipient_team_id": "T1", "recipient_user_id": "U1"}


def partial(*parts: Any) -> Case:
    return {"parts": list(parts), "status": "partial"}


def final(*parts: Any) -> Case:
    return {"parts": list(parts), "status": "ok"}


def call(method: str, **params: Any) -> Case:
    return {"method": method, "params": params}


def text(words: str) -> Case:
    return {"type": "markdown_text", "text": words}


def presence() -> Iterator[Case]:
    """Status and reactions."""
    status = call("assistant.threads.setStatus", channel_id="C1", thread_ts=TS, status="reads the map")
    gone = call("assistant.threads.setStatus", channel_id="C1", thread_ts=TS, status="")
    add = call("reactions.add", channel="C1", timestamp=TS, name="eyes")
    away = call("reactions.remove", channel="C1", timestamp=TS, name="eyes")
    for name, why, unit, value, codes in (
        ("status", "People see what the agent does.", {"status": "reads the\nmap"}, [status], []),
        ("status-cleared", "An empty status is taken away.", {"status": ""}, [gone], []),
        ("reaction", "A reaction has a name in Slack.", {"emoji": "👀"}, [add], []),
        ("reaction-removed", "It can be taken away.", {"emoji": ":eyes:", "remove": True}, [away], []),
    ):
        made: Any = {"value": value, "diagnostics": codes}
        yield case("slack-presence", name, why, {"question": CHANNEL, **unit}, **made)
    why = "A command is no message that could have a reaction."
    unit = {"question": command(), "emoji": "eyes"}
    yield case("slack-presence", "command", why, unit, value=[], diagnostics=["part-changed"])


def streams() -> Iterator[Case]:
    """Answers that grow."""

    def one(name: str, why: str, frames: list[Case], value: list[list[Case]], **more: Any) -> Case:
        question = more.pop("question", CHANNEL)
        unit = {"question": question, "ts": STREAM, "frames": frames, **more.pop("facts", {})}
        return case("slack-stream", name, why, unit, **{"value": value, "diagnostics": [], "section": "NM 4", **more})

    place = {"channel": "C1", "thread_ts": TS}
    start = call("chat.startStream", **place, **FOR_ALICE, chunks=[text("It **wi")])
    append = call("chat.appendStream", channel="C1", ts=STREAM, chunks=[text("ll**")])
    stop = call("chat.stopStream", channel="C1", ts=STREAM, chunks=[text(" rain.")])
    frames = [partial(markdown("It **wi")), partial(markdown("It **will**")), final(markdown("It **will** rain."))]
    yield one("grows", "What is new is appended.", frames, [[start], [append], [stop]])
    direct = call("chat.startStream", channel="D1", thread_ts=TS, chunks=[text("a")])
    end = call("chat.stopStream", channel="D1", ts=STREAM)
    frames = [partial(markdown("a")), final(markdown("a"))]
    yield one("direct", "In a direct message nobody is named.", frames, [[direct], [end]], question=DIRECT)
    begun = call("chat.startStream", **place, **FOR_ALICE, chunks=[text("a")])
    frames = [partial(markdown("a")), final(markdown("a"), CONSENT)]
    stopped = [call("chat.stopStream", channel="C1", ts=STREAM), private("Agree?", words("Agree?"))]
    yield one("demand", "A demand is never in a stream.", frames, [[begun], stopped], flags=["attack"])
    frames = [partial(markdown("a")), partial(markdown("b")), final(markdown("b"))]
    new = {"channel": "C1", "ts": STREAM, "text": "b", "blocks": [section("b")], **QUIET}
    replaced = [call("chat.stopStream", channel="C1", ts=STREAM), {"method": "chat.update", "params": new}]
    told: Any = {"diagnostics": ["part-changed"]}
    yield one("other-words", "Words that were taken back are replaced at the end.", frames, [[begun], [], replaced],
              **told)  # fmt: skip
    running = {"kind": "tool_call", "id": "c1", "name": "rain", "args": {"q": 1}}
    task = {"type": "task_update", "id": "c1", "title": 'rain({"q":1})', "status": "in_progress"}
    done = {**task, "status": "complete", "output": "wet"}
    frames = [partial(running), final({**running, "result": "wet"})]
    first = call("chat.startStream", **place, **FOR_ALICE, chunks=[task])
    last = call("chat.stopStream", channel="C1", ts=STREAM, chunks=[{**done, "output": '"wet"'}])
    yield one("task", "A tool call is a task that changes.", frames, [[first], [last]])
    kept = call("chat.startStream", **place, **FOR_ALICE, chunks=[text("<\u2060!channel> <\u2060@U2> .")])
    frames = [partial(markdown("<!channel> <@U2> .")), final(markdown("<!channel> <@U2> ."))]
    end = call("chat.stopStream", channel="C1", ts=STREAM)
    yield one("forged", "No stream wakes people by itself.", frames, [[kept], [end]], flags=["attack"])
    plain = {"kind": "text", "mime": "text/plain", "content": "*a* :b:"}
    kept = call("chat.startStream", **place, **FOR_ALICE, chunks=[text("\\*a\\* :\u2060b:")])
    yield one("plain", "Plain text has no markup.", [partial(plain), final(plain)], [[kept], [end]])
    begin = call("chat.startStream", **place, **FOR_ALICE, chunks=[text("1 ")])
    rest = call("chat.stopStream", channel="C1", ts=STREAM, chunks=[text("\\< 2")])
    frames = [partial({**plain, "content": "1 <"}), final({**plain, "content": "1 < 2"})]
    why = "What may begin a mention waits, with what escapes it."
    yield one("open-mention", why, frames, [[begin], [rest]])
    frames = [partial(markdown("a")), final(markdown("ab"))]
    new = {"channel": "C1", "ts": STREAM, "text": "ab", "blocks": [section("ab")], **QUIET}
    updates = [[post("a")], [{"method": "chat.update", "params": new}]]
    why = "Where a program asked, Slack has no stream: a message is updated."
    yield one("program", why, frames, updates, question=PROGRAM)


def waits() -> Iterator[Case]:
    """When a platform takes a call again."""
    rows: tuple[tuple[str, str, Case, float | None], ...] = (
        ("seconds", "A header says how long.", {"status": 429, "headers": [["Retry-After", "30"]], "body": ""}, 30),
        (
            "date",
            "A header may be a date.",
            {"status": 503, "headers": [["Retry-After", "Sat, 21 Nov 2026 20:56:20 GMT"]], "body": ""},
            20,
        ),
        ("member", "Discord says it in JSON.", {"status": 429, "headers": [], "body": '{"retry_after": 2.5}'}, 2.5),
        (
            "ratelimited",
            "Slack may say it with status 200.",
            {"status": 200, "headers": [["Retry-After", "7"]], "body": '{"ok": false, "error": "ratelimited"}'},
            7,
        ),
        ("silent", "A platform that does not say it gets a second.", {"status": 429, "headers": [], "body": ""}, 1),
        ("long", "Nobody waits for more than a day.", {"status": 429, "headers": [["Retry-After", "99999999"]],
         "body": ""}, 86_400),
        ("endless", "However many digits a wait has, it is a long one.",
         {"status": 429, "headers": [["Retry-After", "9" * 40]], "body": ""}, 86_400),
        ("taken", "What was taken is not made again.", {"status": 200, "headers": [["Retry-After", "7"]],
         "body": '{"ok": true}'}, None),
    )  # fmt: skip
    for name, why, unit, value in rows:
        yield bare("retry-after", name, why, unit, value=value)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-presence", "slack.presence", "Status and reactions.", presence()
    yield "slack-stream", "slack.stream", "Answers that grow.", streams()
    yield "retry-after", "connectors.retry_after", "When a platform takes a call again.", waits()
