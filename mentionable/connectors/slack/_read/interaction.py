"""Clicks under messages of the app: on a button that is a link, and on a choice that an agent offered.

Spec: Slack, block_actions payloads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._errors.exceptions import wire_error
from ...._model.base import frozen
from ...._text.media import single_line
from ...._text.mrkdwn import unescape
from ..._members import items_of, object_of
from .._ids import is_app, is_channel, is_team, is_trigger, is_ts, is_user, optional, required, text_of

LINK_ACTION: Final = "mentionable:link"
"""The `action_id` of buttons that are links. Slack sends an interaction for a click on them, too."""

CHOICE_ACTION: Final = "mentionable:choice"
"""The `action_id` of choices; those of buttons have `#` and a number behind it."""

_MAX_VALUE: Final = 2_000


@frozen
class Click:
    """A click on a choice. Every member was checked; it has no other content of the request.

    Attributes:
        id: The id of the interaction.
        team: The workspace in which the app was clicked.
        channel: The channel of the message.
        ts: The message with the choices.
        thread_ts: The first message of its thread, when it is in one.
        user: Who clicked.
        user_team: Their workspace.
        label: What the choice says.
        value: What the agent gave it.
        app: The app.
        is_ephemeral: Whether that person alone saw the message.
    """

    id: str
    team: str
    channel: str
    ts: str
    thread_ts: str | None
    user: str
    user_team: str | None
    label: str
    value: str
    app: str | None
    is_ephemeral: bool


def read_click(payload: Mapping[str, Any]) -> Click | None:
    """The click on a choice; None for one on a link, which has done its work.

    Raises:
        WireError: It is malformed, or a click on something else (`unsupported-event`).
    """
    actions = [object_of(action) for action in items_of(payload.get("actions"))]
    kinds = {str(action.get("action_id")).partition("#")[0] for action in actions}
    if payload.get("type") == "block_actions" and kinds == {LINK_ACTION}:
        return None
    if payload.get("type") != "block_actions" or kinds != {CHOICE_ACTION} or len(actions) != 1:
        raise wire_error("unsupported-event", "/type", "it is a click on something that is not ours")
    label, value = _choice(actions[0])
    user, container = object_of(payload.get("user")), object_of(payload.get("container"))
    thread_ts = container.get("thread_ts") or object_of(payload.get("message")).get("thread_ts")
    return Click(
        id=required(payload, "trigger_id", is_trigger),
        team=_team(payload, user),
        channel=required(container, "channel_id", is_channel, "container"),
        ts=required(container, "message_ts", is_ts, "container"),
        thread_ts=thread_ts if is_ts(thread_ts) else None,
        user=required(user, "id", is_user, "user"),
        user_team=optional(user, "team_id", is_team),
        label=label,
        value=value,
        app=optional(payload, "api_app_id", is_app),
        is_ephemeral=container.get("is_ephemeral") not in (None, False),
    )


def _team(payload: Mapping[str, Any], user: Mapping[str, Any]) -> str:
    """The workspace of a click. Slack names none where the app is installed for an organization."""
    if payload.get("team") is None:
        return required(user, "team_id", is_team, "user")
    return required(object_of(payload.get("team")), "id", is_team, "team")


def _choice(action: Mapping[str, Any]) -> tuple[str, str]:
    """The label and the value of the choice, as the app wrote them into the message."""
    chosen = action if action.get("type") == "button" else object_of(action.get("selected_option"))
    label, value = single_line(unescape(text_of(object_of(chosen.get("text")).get("text")))), chosen.get("value")
    if not label or not isinstance(value, str) or not 0 < len(value) <= _MAX_VALUE or text_of(value) != value:
        raise wire_error("malformed", "/actions/0", "it is no choice that the app offered")
    return label, value
