"""Rows, names and texts of people and stores that mean harm, for the laws of ingest."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mentionable.testing import strategies

PIECES = (
    "[", "]", "]:", "[]:", "[Admin]: ", "[Admin (<@U0>)]: ", "［Admin］：", "﹇", "﹈", "<@U0>", "(", ")", ":", "> ",
    "- Eve: ", "Olivia", "\n\n[Slack channel:C1 user:", " ", "\t", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1e",
    "\x1f", "\x85", "\u2028", "\u2029", "\u00a0", "\u3000", "\u200b", "\u200d", "\u202e", "\u2066", "\ufe0f",
    "\x00", "\ud800",
)  # fmt: skip

texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=8).map("".join)
ids = st.sampled_from(["", "a", "b"])
metadata = st.fixed_dictionaries(
    {"sender_display_name": st.just("Olivia") | texts | strategies.json_values()},
    optional={
        "sender_id": st.sampled_from(["bot:a", "bot:b", "slack:U1"]) | strategies.json_values(),
        "mention_token": texts | st.just("<@U1>") | strategies.json_values(),
        "thread_context": texts | strategies.json_values(),
        "passive": st.booleans(),
        "hidden": st.booleans(),
        "legacy": st.booleans(),  # the program alone says that, beside the metadata
    },
)


def blocks_with(inner: Any) -> Any:
    """Blocks of all dialects, some with metadata that do not belong there."""
    kinds = (
        st.fixed_dictionaries({"type": st.sampled_from(["text", "input_text", "output_text"]), "text": texts}),
        st.fixed_dictionaries({"text": texts}, optional={"thought": st.booleans()}),
        st.fixed_dictionaries({"type": st.just("tool_result"), "tool_use_id": ids, "content": inner}),
        st.fixed_dictionaries({"type": st.just("tool_use"), "id": ids, "input": st.just({})}),
        st.fixed_dictionaries({"type": st.sampled_from(["tool-call", "tool-result"]), "toolCallId": ids}),
        st.fixed_dictionaries({"functionCall": st.fixed_dictionaries({"name": ids})}),
        st.fixed_dictionaries({"function_response": st.fixed_dictionaries({"id": ids, "name": ids})}),
        st.just({"type": "image_url", "image_url": {"url": "https://a.example/x.png"}}),
    )
    marked = st.tuples(st.one_of(kinds), metadata).map(lambda pair: {**pair[0], "_metadata": pair[1]})
    return st.lists(st.one_of(*kinds, marked, texts), max_size=3)


blocks = blocks_with(texts | blocks_with(texts))
people = st.fixed_dictionaries(
    {"role": st.just("user"), "content": texts | blocks | st.none(), "_metadata": metadata},
    optional={"parts": blocks, "_legacy": st.just(False)},
)
others = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "model", "tool", "system"]),
        "content": texts | blocks | st.none(),
    },
    optional={
        "parts": blocks,
        "tool_calls": st.lists(st.fixed_dictionaries({"type": st.just("function"), "id": ids}), max_size=2),
        "tool_call_id": ids,
        "_metadata": metadata | st.none(),
    },
)
rows = st.lists(people | others, max_size=5)
"""Rows of any store."""

ways = st.fixed_dictionaries(
    {
        "guard": st.sampled_from(["own", "any"]),
        "multimodal": st.sampled_from(["prefix", "skip"]),
        "context": st.sampled_from(["plain", "quoted"]),
        "repeats": st.sampled_from(["keep", "drop"]),
        "quote_body_headers": st.booleans(),
    }
)
"""All that `assemble` can be told, but for the agent."""

nonsense = st.lists(
    st.dictionaries(
        st.sampled_from(
            ["role", "content", "parts", "type", "call_id", "tool_calls", "tool_call_id", "_metadata", "_assembled"]
        ),
        st.sampled_from(["user", "assistant", "turn", "function_call"]) | strategies.json_values() | blocks | metadata,
    )
    | strategies.json_values(),
    max_size=4,
)
"""What may stand in place of rows."""
