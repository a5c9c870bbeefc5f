"""The members of the `configuration` of a request, as each version names them.

A member that cannot be read counts as absent, with a diagnostic: nothing in it decides whether there is an answer.

Spec: A2A 0.3 §7.1.2, `a2a.proto` of A2A 0.3; A2A 1.0 §3.2.2.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..._errors.exceptions import WireError
from ..._flow.settings import DEFAULTS
from ..._model.base import replace
from ..._model.diagnostic import Diagnostic, unread
from ..._wire.strict_json import whole_number
from .._configuration import SendConfiguration
from .._operation import PushNotificationConfig
from .._protocol import Json, Version
from .parameters import parameters_of
from .push_config import read_push_config

_MAX_MODES: Final = 100
_AT: Final = "/configuration"

_MODES: Final = ("acceptedOutputModes", "accepted_output_modes")
_AT_ONCE: Final = ("returnImmediately", "return_immediately")
_LENGTH: Final = ("historyLength", "history_length")
_PUSH: Final = (
    "taskPushNotificationConfig",
    "task_push_notification_config",
    "pushNotificationConfig",
    "push_notification_config",
    "pushNotification",
    "push_notification",
)


class ReadConfiguration(NamedTuple):
    """A configuration, and where in the request its webhook is.

    Attributes:
        value: The configuration.
        push_at: JSON Pointer to the configuration of push notifications; empty where there is none.
    """

    value: SendConfiguration
    push_at: str = ""


_NONE: Final = ReadConfiguration(SendConfiguration())


def read_configuration(configuration: Any, version: Version) -> ReadConfiguration:
    """The configuration in the JSON of a request, of any type, and what of it could not be read.

    v0.3 asks to wait, v1.0 asks not to; and no history at all is what 0 means in v1.0 alone.
    """
    if configuration is None:
        return _NONE
    if configuration.__class__ is not dict:
        return ReadConfiguration(SendConfiguration(diagnostics=(_dropped("", "expected an object"),)))
    modes, odd_modes = _modes(configuration)
    at_once, odd_choice = _at_once(configuration, version)
    length, odd_length = _history_length(configuration, version)
    push, push_at, odd_push = _push(configuration)
    value = SendConfiguration(
        accepted_output_modes=modes,
        return_immediately=at_once,
        history_length=length,
        push=push,
        diagnostics=(*odd_modes, *odd_choice, *odd_length, *odd_push),
    )
    return ReadConfiguration(value, push_at)


def _modes(configuration: Json) -> tuple[tuple[str, ...], list[Diagnostic]]:
    name, modes, odd = _first(configuration, _MODES)
    if modes.__class__ is list and len(modes) <= _MAX_MODES and all(mode.__class__ is str and mode for mode in modes):
        return tuple(modes), odd
    if modes is not None:
        odd.append(_dropped(f"/{name}", f"expected at most {_MAX_MODES} media types"))
    return (), odd


def _at_once(configuration: Json, version: Version) -> tuple[bool, list[Diagnostic]]:
    if version == "0.3":
        return configuration.get("blocking") is False, []
    _, choice, odd = _first(configuration, _AT_ONCE)
    return choice is True, odd


def _history_length(configuration: Json, version: Version) -> tuple[int | None, list[Diagnostic]]:
    name, length, odd = _first(configuration, _LENGTH)
    number = whole_number(length)
    if number is None and length is not None:
        odd.append(_dropped(f"/{name}", "expected a whole number from 0"))
    return number if number or version == "1.0" else None, odd


def _push(configuration: Json) -> tuple[PushNotificationConfig | None, str, list[Diagnostic]]:
    """The webhook, JSON Pointer to it, and what is odd about it."""
    name, push, odd = _first(configuration, _PUSH)
    if push is None:
        return None, "", odd
    at = f"{_AT}/{name}"
    try:
        config, more = read_push_config(parameters_of(push, at, DEFAULTS.limits), task_id=None)
    except WireError as error:
        return None, "", [*odd, unread(error)]
    if config.task_id is not None:  # it could be the task of another caller
        more.append(_dropped(f"/{name}/taskId", "the task is that of the message"))
        config = replace(config, task_id=None)
    return config, at, [*odd, *more]


def _first(configuration: Json, names: tuple[str, ...]) -> tuple[str, Any, list[Diagnostic]]:
    """The first of these members that is there, by its name, and a diagnostic for each other one."""
    there = [name for name in names if configuration.get(name) is not None]
    if not there:
        return names[0], None, []
    return (
        there[0],
        configuration[there[0]],
        [_dropped(f"/{name}", f"{there[0]} is there, and counts") for name in there[1:]],
    )


def _dropped(at: str, detail: str) -> Diagnostic:
    return Diagnostic(code="member-dropped", at=_AT + at, detail=detail)
