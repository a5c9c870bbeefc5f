"""Clicks on choices that an agent offered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._slack_rows import TRIGGER, TS, Case, case, form, message, raw, sender

if TYPE_CHECKING:
    from collections.abc import Iterator

BUTTON: Final[Case] = {
    "type": "button",
    "action_id": "mentionable:choice#0",
    "block_id": "b1",
    "text": {"type": "plain_text", "text": "Yes &amp; *now*", "emoji": False},
    "value": "y",
    "action_ts": "1795294560.100000",
}
MENU: Final[Case] = {
    "type": "static_select",
    "action_id": "mentionable:choice",
    "block_id": "b1",
    "selected_option": {"text": {"type": "plain_text", "text": "Rain", "emoji": False}, "value": "r"},
    "action_ts": "1795294560.100000",
}


def click(*actions: Any, **more: Any) -> Case:
    """The input of a case: a click; None takes a member away."""
    payload = {
        "type": "block_actions",
        "user": {"id": "U1", "username": "alice", "team_id": "T1"},
        "api_app_id": "A1",
        "token": "xoxb-canary",
        "container": {"type": "message", "message_ts": TS, "channel_id": "C1", "is_ephemeral": False},
        "trigger_id": TRIGGER,
        "team": {"id": "T1", "domain": "canary"},
        "channel": {"id": "C1", "name": "canary"},
        "message": {"type": "message", "user": "UBOT", "ts": TS, "text": "canary"},
        "response_url": "https://hooks.slack.example/actions/T1/1/secret",
        "actions": list(actions or [BUTTON]),
        **more,
    }
    return form(payload=json.dumps({name: one for name, one in payload.items() if one is not None}))


def picked(content: str, value: str, **more: Any) -> Case:
    """The message of a click."""
    part = {"kind": "text", "content": content, "mime": "text/plain", "choice": value}
    facts = {"type": "block_actions", "event_id": TRIGGER, "ts": None, "thread_ts": TS, "parent_ts": TS}
    parent = f"slack:T1/C1/{TS}"
    return message(part, in_reply_to=parent, raw=raw(**facts, **more), sender=sender(id=f"slack:{TRIGGER}"))


def clicks() -> Iterator[Case]:
    """Clicks that are messages."""

    def one(name: str, why: str, unit: Case, value: Case, **more: Any) -> Case:
        return case("slack-click", name, why, unit, messages=[value], diagnostics=[], **more)

    thread = {"CALL conversations.replies C1": {"ok": True, "messages": []}}
    yield one("button", "A click is a message of who clicked.", click(), picked("Yes & *now*", "y"), world=thread)
    yield one("menu", "So is what was picked from a menu.", click(MENU), picked("Rain", "r"), world=thread)
    again = {**thread, "ONCE *": "same"}
    value = picked("Yes & *now*", "y")
    why = "A click that was sent again is a redelivery."
    yield case("slack-click", "again", why, click(), messages=[value], diagnostics=["redelivered"], world=again)
    container = {"message_ts": TS, "channel_id": "C1", "is_ephemeral": True}
    yield one(
        "ephemeral",
        "Of a message that the asker alone saw, that is kept.",
        click(container=container),
        picked("Yes & *now*", "y", is_ephemeral=True),
        world=thread,
    )


def rejections() -> Iterator[Case]:
    """Clicks that are none of ours."""
    rows: tuple[tuple[str, str, str, Case], ...] = (
        ("other", "unsupported-event", "A click on a button of somebody else's.", {**BUTTON, "action_id": "theirs"}),
        ("no-value", "malformed", "A click on a choice without a value.", {**BUTTON, "value": None}),
        ("no-label", "malformed", "A click on a choice without words.", {**BUTTON, "text": None}),
        ("long-value", "malformed", "A value that no choice can have.", {**BUTTON, "value": "v" * 2_001}),
    )
    for name, code, why, action in rows:
        yield case("slack-click-rejected", name, why, click(action), rejected={"code": code})
    yield case(
        "slack-click-rejected",
        "two",
        "A click is on one choice.",
        click(BUTTON, BUTTON),
        rejected={"code": "unsupported-event"},
    )
    yield case(
        "slack-click-rejected",
        "modal",
        "A modal is none of ours.",
        click(type="view_submission"),
        rejected={"code": "unsupported-event"},
    )
    yield case(
        "slack-click-rejected",
        "no-trigger",
        "A click that cannot be used once counts for nothing.",
        click(trigger_id=None),
        rejected={"code": "missing-member"},
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-click", "slack.receive", "Clicks on choices that an agent offered.", clicks()
    yield "slack-click-rejected", "slack.receive", "Clicks that become no message.", rejections()
