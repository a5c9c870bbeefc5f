"""The messages of an agent before its last one, and how few of them are read."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, WireError
from mentionable.a2a._client import progress
from mentionable.a2a._client.lenient_head import read_answer_head
from mentionable.a2a._client.progress import Progress
from mentionable.a2a._read.parse_context import ParseContext

CONTEXT = ParseContext(Limits(parts=3), is_lenient=True)
CALL = {"data": {"id": "c1", "name": "look", "args": {}}, "metadata": {"adk_type": "function_call"}}
PARTS = st.sampled_from([None, [], 0, [0], [{"text": "a"}], [CALL], [{"data": 0}, {"text": "b"}], [0] * 4, {}])
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["agent", "ROLE_AGENT", "user"])},
    optional={"messageId": st.sampled_from(["1", "2", 3]), "parts": PARTS, "content": PARTS},
)


@given(st.lists(MESSAGES, max_size=6), st.sampled_from([None, "1", "unnamed"]))
def test_reading_few_messages_gives_what_reading_all_gives(history: list[Any], last_id: str | None) -> None:
    quick, whole = Progress(), Progress()
    quick.add_history(history, last_id, "", CONTEXT)
    start = max((index + 1 for index, one in enumerate(history) if one["role"] == "user"), default=0)
    for index in range(start, len(history)):
        try:
            head, _ = read_answer_head(history[index], CONTEXT.limits)
        except WireError:
            continue
        if head.id != last_id:
            whole.add(head, f"/history/{index}", CONTEXT)
    assert (quick.calls, quick.last, quick.last_at) == (whole.calls, whole.last, whole.last_at)


def test_of_very_many_messages_few_are_read(monkeypatch: Any) -> None:
    read: list[Any] = []

    def counted(message: Any, limits: Limits) -> Any:
        read.append(message)
        return read_answer_head(message, limits)

    monkeypatch.setattr(progress, "read_answer_head", counted)
    words = {"role": "agent", "messageId": "1", "parts": [{"text": "a"}]}
    Progress().add_history([{"role": "agent"}] * 50 + [words] * 50 + [{"role": "agent"}] * 50, None, "", CONTEXT)
    assert read == [words]
