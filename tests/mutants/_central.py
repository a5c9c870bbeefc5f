"""Mutants of what nearly all cases of an area rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def gives(area: str, name: str, rule: str, change: Callable[[Any], Any], *, ops: str = "") -> None:
    """Registers a mutant that gives another value."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return {**answer, "value": change(answer["value"])} if "value" in answer and op.startswith(ops) else answer

    wrong.__name__ = name
    mutant(area, rule, central=True)(wrong)


def refuses_nothing(area: str, taken: Any) -> None:
    """Registers a mutant that takes whatever should be refused."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        return {"value": taken} if "rejected" in answer else answer

    wrong.__name__ = "refuses-nothing"
    mutant(area, "Refuses nothing.", central=True)(wrong)


for _area, _taken in {
    "address": "@unknown@invalid.example",
    "json": None,
    "time": "1970-01-01T00:00:00Z",
    "response": {},
    "message": {},
}.items():
    refuses_nothing(_area, _taken)

gives("address", "leaves-the-mark-off", "Gives addresses without their mark.", lambda value: value[1:])
gives("json", "gives-lists", "Gives every document as a list.", lambda value: [value])
gives("time", "gives-seconds", "Gives times without a fraction.", lambda value: value[:19] + "Z")
gives("history", "newest-first", "Gives the newest turn first.", lambda value: value[::-1])
gives("history", "forgets-newest", "Leaves the newest turn out.", lambda value: value[:-1] if value else None)
gives("render", "plain-arrow", "Writes another arrow.", lambda value: value.replace("→", "->"), ops="render.tool_call")
gives(
    "render",
    "other-bullets",
    "Writes other bullets.",
    lambda value: value.replace("•", "-"),
    ops="render.mention_relay",
)
gives(
    "render",
    "other-bullets-in-block",
    "Writes other bullets in the block.",
    lambda value: value.replace("•", "-"),
    ops="render.capabilities",
)
gives(
    "render",
    "third-person",
    "Speaks of the agent in the third person.",
    lambda value: value and value.replace("You are", "It is"),
    ops="render.agent_chain",
)
gives(
    "render",
    "hops-from-zero",
    "Counts hops from zero.",
    lambda value: value and {**value, "hop": value["hop"] - 1},
    ops="capabilities",
)
gives(
    "response",
    "forgets-what-it-answers",
    "Drops what a response answers.",
    lambda value: {name: value[name] for name in value if name != "reply_to"},
    ops="value",
)
gives("response", "doubts-every-stream", "Calls a whole stream broken.", lambda value: False, ops="response.stream")
gives("message", "forgets-raw", "Drops raw.", lambda value: {name: value[name] for name in value if name != "raw"})


@mutant("message", "Passes the sender through unread.")
def passes_sender_through(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    sender = unit["data"].get("sender") if isinstance(unit["data"], dict) else None
    if op != "value.decode" or "value" not in answer or not isinstance(sender, dict):
        return answer
    return (
        {"value": {**answer["value"], "sender": {**answer["value"]["sender"], **sender}}}
        if len(sender) > 2
        else {"value": {**answer["value"], "sender": sender}}
    )


def receives(area: str, name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that reports each message otherwise."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        if "messages" not in answer:
            return answer
        return {**answer, "messages": [change(one) for one in answer["messages"]]}

    wrong.__name__ = name
    mutant(area, rule, central=True)(wrong)


def without_texts(most: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A message without texts of so few characters."""
    return lambda one: {
        **one,
        "parts": [part for part in one["parts"] if part["kind"] != "text" or len(part["content"]) > most],
    }


receives("a2a", "drops-short-texts", "Drops texts of two letters.", without_texts(2))
receives(
    "a2a",
    "forgets-tools",
    "Calls every tool unknown.",
    lambda one: {
        **one,
        "parts": [{**part, "name": "unknown"} if part["kind"] == "tool_call" else part for part in one["parts"]],
    },
)
receives(
    "a2a",
    "files-are-octets",
    "Calls every file and artifact a stream of bytes of no size.",
    lambda one: {
        **one,
        "parts": [{**part, "mime": "x/x"} if part["kind"] in ("file", "artifact") else part for part in one["parts"]],
    },
)
receives("email", "drops-short-texts", "Drops texts of two letters and a line end.", without_texts(3))
receives(
    "email",
    "files-are-octets",
    "Calls every file a stream of bytes.",
    lambda one: {
        **one,
        "parts": [{**part, "mime": "x/x"} if part["kind"] == "file" else part for part in one["parts"]],
    },
)
receives(
    "activitypub",
    "threads-by-object",
    "Starts threads under the object instead of the activity.",
    lambda one: {**one, "thread_id": one["thread_id"].removesuffix("/activity")},
)
receives(
    "activitypub",
    "files-are-octets",
    "Calls every file a stream of bytes.",
    lambda one: {
        **one,
        "parts": [{**part, "mime": "x/x"} if part["kind"] in ("file", "link") else part for part in one["parts"]],
    },
)
receives(
    "email",
    "cuts-last-line-end",
    "Takes the last line end off texts of several lines.",
    lambda one: {
        **one,
        "parts": [
            {**part, "content": part["content"].rstrip("\n")} if part.get("content", "").count("\n") > 1 else part
            for part in one["parts"]
        ],
    },
)
receives(
    "email",
    "never-without-parts",
    "Makes an empty text of no text.",
    lambda one: {**one, "parts": one["parts"] or [{"kind": "text", "mime": "text/plain", "content": ""}]},
)
gives("id", "uuid-4", "Gives UUIDs of version 4.", lambda value: f"{value[:14]}4{value[15:]}")
