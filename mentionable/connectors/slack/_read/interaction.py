"""Clicks under messages of the app: on a button that is a link, and on a choice that an agent offered.

Spec: Slack, block_actions payloads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._errors.exceptions import wire_error
from ...._flow.outcome import Handshake
from ...._text.media import single_line
from ...._text.mrkdwn import unescape
from ...._wire.http import HttpResponse
from ..._members import items_of, object_of
from .._ids import CHOICE, LINK, is_app, is_channel, is_team, is_trigger, is_ts, is_user, optional, required, text_of
from .event import Event

_MAX_VALUE: Final = 2_000


def read_interaction(payload: Mapping[str, Any]) -> Event | Handshake:
    """A click on a choice. A button that is a link has done its work, and Slack expects no more than status 200.

    Raises:
        WireError: It is malformed, or a click on something else (`unsupported-event`).
    """
    actions = [object_of(action) for action in items_of(payload.get("actions"))]
    kinds = {str(action.get("action_id")).partition("#")[0] for action in actions}
    if payload.get("type") == "block_actions" and kinds == {LINK}:
        return Handshake(response=HttpResponse(status=200))
    if payload.get("type") != "block_actions" or kinds != {CHOICE} or len(actions) != 1:
        raise wire_error("unsupported-event", "/type", "it is a click on something that is not ours")
    label, value = _choice(actions[0])
    user, container = object_of(payload.get("user")), object_of(payload.get("container"))
    thread_ts = container.get("thread_ts") or object_of(payload.get("message")).get("thread_ts")
    clicked = required(container, "message_ts", is_ts, "container")
    user_team = optional(user, "team_id", is_team)
    return Event(
        id=required(payload, "trigger_id", is_trigger),
        kind="block_actions",
        team=_team(payload, user),
        channel=required(container, "channel_id", is_channel, "container"),
        thread_ts=thread_ts if is_ts(thread_ts) else clicked,
        user=required(user, "id", is_user, "user"),
        teams=() if user_team is None else (user_team,),
        is_shared=user_team is None,
        text=label,
        app=optional(payload, "api_app_id", is_app),
        choice=value,
        parent_ts=clicked,
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
