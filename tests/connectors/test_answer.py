"""What the answers of all connectors share."""

from __future__ import annotations

from mentionable.connectors._answer import MAX_MESSAGES, cap_messages


def test_messages_that_fit_all_go_out() -> None:
    assert cap_messages(["a"] * MAX_MESSAGES, "…") == (["a"] * MAX_MESSAGES, ())


def test_one_message_too_many_is_told() -> None:
    messages, [diagnostic] = cap_messages(["a"] * (MAX_MESSAGES + 1), "…")
    assert (messages, diagnostic.code) == ([*["a"] * MAX_MESSAGES, "…"], "part-changed")
