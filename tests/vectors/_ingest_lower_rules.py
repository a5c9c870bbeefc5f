"""What providers and frameworks take: `conformance/v0.1/ingest/lower-rules.json` and `lower-frameworks.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._ingest_lower import (
    BESIDE,
    CALLS,
    CONTEXT,
    DIALECTS,
    I16,
    IMAGES,
    PNG,
    RESULTS,
    answer,
    blocks,
    given,
    unit,
    words,
)
from tests.vectors._ingest_rows import ASH, BOB, MALFORMED, Case, agent, rows, system, text, user

if TYPE_CHECKING:
    from collections.abc import Iterator

rules, frameworks = rows("lower-rules"), rows("lower-frameworks")

UNANSWERED: Final = "[The tool has not answered.]"
NOTHING_NEWER: Final = "[There is no newer message.]"
ASK: Final = user("sum", BOB)
FIRST: Final = "[Bob]: sum"
PDF: Final = "JVBERi0x"
TAKEN: Final = "get_sum_k7qbcjke4dnko"
"""How a tool `get sum` is called where names have no blanks."""

TAKEN_TWICE: Final = f"{TAKEN}_fgz4dsegx6c72"
"""How a tool is called whose own name is `TAKEN`."""

STORED: Final = (ASK, CALLS["anthropic"], RESULTS["anthropic"])
"""A call and its result, as they were stored."""


def written(value: Any, old: str, new: str) -> Any:
    """Messages in which one word is another."""
    return json.loads(json.dumps(value).replace(json.dumps(old), json.dumps(new)))


def failed(dialect: str) -> Case:
    """The result of a call that has none."""
    made = written(RESULTS[dialect], "2", UNANSWERED)
    if dialect == "anthropic":
        made["content"][0]["is_error"] = True
    elif dialect == "gemini":
        made["parts"][0]["function_response"]["response"] = {"error": UNANSWERED}
    elif dialect == "bedrock":
        made["content"][0]["toolResult"]["status"] = "error"
    elif dialect == "vercel":
        made["content"][0]["output"]["type"] = "error-text"
    return made


def compact(dialect: str, messages: list[Any]) -> dict[str, Any]:
    """Messages, and the same with shorter JSON in the arguments: blanks in it are free."""
    short = json.loads(json.dumps(messages).replace('{\\"a\\": 1}', '{\\"a\\":1}'))
    first = given(words(dialect, FIRST), *messages)
    second = given(words(dialect, FIRST), *short)
    return first if first == second else {"any_of": [first, second]}


def calls() -> Iterator[Case]:
    """Calls without results, and names and ids that a provider does not take."""
    for dialect in DIALECTS:
        outcome = compact(dialect, [CALLS[dialect], failed(dialect)])
        for one in outcome.get("any_of", [outcome]):
            one["diagnostics"] = ["call-unanswered"]
        yield rules(
            f"{dialect}-unanswered-call",
            I16,
            "Providers refuse a call without a result, so that it gets one which says so; the program is told.",
            unit(dialect, ASK, CALLS[dialect]),
            **outcome,
        )
        twice = [CALLS[dialect], RESULTS[dialect]]
        second = [written(one, "c1", "call_1") for one in twice]
        yield rules(
            f"{dialect}-id-twice",
            I16,
            "An id that two calls have leads from a result to either; the second call gets another.",
            unit(dialect, *STORED, *STORED[1:]),
            **compact(dialect, [*twice, *second]),
        )
    for dialect, id in (("openai", "c" * 41), ("openai-responses", "c" * 65), ("anthropic", "a.b"), ("bedrock", "a b")):
        yield rules(
            f"{dialect}-id-refused",
            I16,
            "An id in a form that the provider refuses becomes another, at the call and at its result.",
            unit(dialect, *[written(one, "c1", id) for one in STORED]),
            **compact(dialect, [written(one, "c1", "call_1") for one in (CALLS[dialect], RESULTS[dialect])]),
        )
    for dialect in DIALECTS:
        name = "get sum" if dialect == "vercel" else TAKEN
        yield rules(
            f"{dialect}-name-refused",
            I16,
            "A name that a provider refuses becomes one that it takes, with a digest: no other tool has it.",
            unit(dialect, *[written(one, "add", "get sum") for one in STORED]),
            level="SHOULD",
            **compact(dialect, [written(one, "add", name) for one in (CALLS[dialect], RESULTS[dialect])]),
        )
    renamed = [written(one, "add", "get sum") for one in STORED]
    outcome = given(words("anthropic", FIRST), *[written(one, "add", TAKEN) for one in STORED[1:]])
    outcome["value"]["names"] = {TAKEN: "get sum"}
    yield rules(
        "names-told",
        I16,
        "A call that comes back has the written name, so that the program needs its own.",
        {**unit("anthropic", *renamed), "names": True},
        level="SHOULD",
        **outcome,
    )
    yield rules(
        "name-like-a-digest",
        I16,
        "A tool that is called like the written name of another one would get its calls.",
        unit("anthropic", *[written(one, "add", TAKEN) for one in STORED]),
        level="SHOULD",
        **given(
            words("anthropic", FIRST),
            *[written(one, "add", TAKEN_TWICE) for one in STORED[1:]],
        ),
    )
    deep = json.loads('{"a":[' * 60 + "]}" * 60)
    called = agent([{"type": "tool_use", "id": "c1", "name": "add", "input": deep}])
    for dialect in ("anthropic", "openai", "vercel"):
        yield rules(
            f"{dialect}-arguments-too-deep",
            I16,
            "JSON that is nested deeper than readers go is refused here: the reader of the provider may fail at it.",
            unit(dialect, ASK, called),
            level="SHOULD",
            flags=["limits"],
            **MALFORMED,
        )


def ends() -> Iterator[Case]:
    """The last turn."""
    for dialect in BESIDE:
        yield rules(
            f"{dialect}-agent-last",
            I16,
            "A conversation ends with a person there; the line says that nothing came after.",
            unit(dialect, user("a", BOB), agent("Hello! ")),
            **given(words(dialect, "[Bob]: a"), answer(dialect, "Hello! "), words(dialect, NOTHING_NEWER)),
        )


def refused_files() -> Iterator[Case]:
    """Files of a kind, a scheme or a number that a provider does not take."""
    why = "A provider refuses the whole request for one such file; it is named in its place, and told."
    image = {"type": "image", "source": {"type": "url", "url": "http://a.example/a.png"}}
    line = "[file (image/png)] <http://a.example/a.png>"
    for dialect in ("anthropic", "bedrock"):
        yield rules(
            f"{dialect}-scheme",
            I16,
            why,
            unit(dialect, user([text("look"), image], BOB)),
            **given(blocks(dialect, "[Bob]: look", line), notes=["part-unsupported"]),
        )
    bitmap = {"type": "image_url", "image_url": {"url": "data:image/bmp;base64,Qk0="}}
    for dialect in ("openai", "openai-responses", "gemini"):
        yield rules(
            f"{dialect}-media-type",
            I16,
            why,
            unit(dialect, user([text("look"), bitmap], BOB)),
            **given(blocks(dialect, "[Bob]: look", "[file (image/bmp)]"), notes=["part-unsupported"]),
        )
    many = user([text("look"), *[IMAGES["anthropic"]] * 21], BOB)
    yield rules(
        "bedrock-too-many",
        I16,
        "Of too many files the newest are given; the older ones are named.",
        unit("bedrock", many),
        **given(
            user([{"text": "[Bob]: look"}, {"text": "[file (image/png)]"}, *[IMAGES["bedrock"]] * 20]),
            notes=["file-over-limit"],
        ),
    )
    pdf = {"type": "file", "mediaType": "application/pdf", "data": PDF, "filename": "a_b.pdf"}
    document = {"format": "pdf", "source": {"bytes": PDF}}
    yield rules(
        "bedrock-names",
        I16,
        "Documents have names of few characters there, and each another one.",
        unit("bedrock", user([text("read"), pdf, pdf], BOB)),
        **given(
            user(
                [
                    {"text": "[Bob]: read"},
                    {"document": {**document, "name": "a b pdf"}},
                    {"document": {**document, "name": "a b pdf (2)"}},
                ]
            )
        ),
    )
    yield rules(
        "openai-responses-document",
        I16,
        "Items take documents of many kinds.",
        unit("openai-responses", user([text("read"), {**pdf, "mediaType": "text/csv", "filename": "a.csv"}], BOB)),
        **given(
            user(
                [
                    text("[Bob]: read", "input_text"),
                    {"type": "input_file", "filename": "a.csv", "file_data": f"data:text/csv;base64,{PDF}"},
                ]
            )
        ),
    )


def request(*found: Any) -> Case:
    """A request of pydantic-ai."""
    return {"kind": "request", "parts": list(found)}


def message(kind: str, content: Any, **members: Any) -> Case:
    """A message of LangChain."""
    return {"type": kind, "data": {"type": kind, "content": content, **members}}


def in_frameworks() -> Iterator[Case]:
    """A conversation with a picture, a call and its result, as each framework keeps it."""
    stored = [
        system("Be kind."),
        user([text("look"), IMAGES["openai"]], {**ASH, "thread_context": CONTEXT}),
        agent([text("hm"), *CALLS["anthropic"]["content"]]),
        RESULTS["anthropic"],
    ]
    why = "A framework reads its own history again: nothing of the conversation is lost in it."
    look = "[Ash (<@U03ASH>)]: look"
    picture = {"kind": "binary", "data": PNG, "media_type": "image/png"}
    yield frameworks(
        "pydantic-ai",
        I16,
        why,
        unit("pydantic-ai", *stored),
        **given(
            request(
                {"part_kind": "system-prompt", "content": "Be kind."},
                {"part_kind": "system-prompt", "content": CONTEXT},
                {
                    "part_kind": "user-prompt",
                    "content": [look, picture],
                },
            ),
            {
                "kind": "response",
                "parts": [
                    {"part_kind": "text", "content": "hm"},
                    {"part_kind": "tool-call", "tool_name": "add", "tool_call_id": "c1", "args": {"a": 1}},
                ],
            },
            request({"part_kind": "tool-return", "tool_name": "add", "tool_call_id": "c1", "content": "2"}),
        ),
    )
    yield frameworks(
        "langchain",
        I16,
        why,
        unit("langchain", *stored),
        **given(
            message("system", "Be kind."),
            message("system", CONTEXT),
            message("human", [text(look), {"type": "image", "base64": PNG, "mime_type": "image/png"}]),
            message(
                "ai", [text("hm")], tool_calls=[{"type": "tool_call", "id": "c1", "name": "add", "args": {"a": 1}}]
            ),
            message("tool", "2", tool_call_id="c1", name="add", status="success"),
        ),
    )
    items = [
        system("Be kind."),
        system(CONTEXT),
        user([text(look, "input_text"), IMAGES["openai-responses"]]),
        agent("hm"),
        CALLS["openai-responses"],
        RESULTS["openai-responses"],
    ]
    short = json.loads(json.dumps(items).replace('{\\"a\\": 1}', '{\\"a\\":1}'))
    yield frameworks("openai-agents", I16, why, unit("openai-agents", *stored), any_of=[given(*items), given(*short)])
    for dialect in ("pydantic-ai", "langchain", "openai-agents"):
        yield frameworks(
            f"{dialect}-name",
            I16,
            "A framework that takes any name keeps it; the items of one provider take no blanks.",
            unit(dialect, *[written(one, "add", "get sum") for one in STORED]),
            level="SHOULD",
            **framework_call(dialect),
        )


def framework_call(dialect: str) -> dict[str, Any]:
    """A call of a tool whose name has a blank."""
    if dialect == "openai-agents":
        made = [CALLS["openai-responses"], RESULTS["openai-responses"]]
        return compact("openai-responses", [written(one, "add", TAKEN) for one in made])
    if dialect == "langchain":
        return given(
            message("human", FIRST),
            message("ai", "", tool_calls=[{"type": "tool_call", "id": "c1", "name": "get sum", "args": {"a": 1}}]),
            message("tool", "2", tool_call_id="c1", name="get sum", status="success"),
        )
    ids = {"tool_name": "get sum", "tool_call_id": "c1"}
    return given(
        request({"part_kind": "user-prompt", "content": FIRST}),
        {"kind": "response", "parts": [{"part_kind": "tool-call", **ids, "args": {"a": 1}}]},
        request({"part_kind": "tool-return", **ids, "content": "2"}),
    )


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The files of what providers and frameworks take."""
    op = "ingest.lower"
    note = "What a provider would refuse is repaired, or named and told."
    yield "lower-rules", op, note, [*calls(), *ends(), *refused_files()]
    yield "lower-frameworks", op, "Frameworks read the history that they are given.", list(in_frameworks())
