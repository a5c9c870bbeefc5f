"""The members of the `configuration` of a request, as each version names them.

A member that cannot be read counts as absent, with a diagnostic: nothing in it decides whether there is an answer.

Spec: A2A 0.3 §7.1.2; A2A 1.0 §3.2.2.
"""

from __future__ import annotations

from typing import Any, Final

from ..._errors.exceptions import WireError
from ..._flow.settings import DEFAULTS
from ..._model.diagnostic import Diagnostic
from ..._wire.strict_json import whole_number
from .._protocol import Json, Version
from .parameters import parameters_of
from .push_config import read_push_config

_MAX_MODES = 100
_AT = "/configuration"

PUSH: Final = ("taskPushNotificationConfig", "task_push_notification_config", "pushNotificationConfig")
"""The names that the configuration of push notifications has, of which the first one counts."""


def read_configuration(configuration: Any, version: Version) -> tuple[Json, tuple[Diagnostic, ...]]:
    """The members of a configuration by the names of `SendConfiguration`, and what could not be read.

    v0.3 asks to wait, v1.0 asks not to; and no history at all is what 0 means in v1.0 alone.
    """
    if configuration is None:
        return {}, ()
    if configuration.__class__ is not dict:
        return {}, (_dropped("", "expected an object"),)
    read: Json = {}
    diagnostics: list[Diagnostic] = []
    modes = _either(configuration, "acceptedOutputModes", "accepted_output_modes")
    if modes.__class__ is list and len(modes) <= _MAX_MODES and all(mode.__class__ is str and mode for mode in modes):
        read["accepted_output_modes"] = tuple(modes)
    elif modes is not None:
        diagnostics.append(_dropped("/acceptedOutputModes", f"expected at most {_MAX_MODES} media types"))
    read["return_immediately"] = (
        configuration.get("blocking") is False
        if version == "0.3"
        else _either(configuration, "returnImmediately", "return_immediately") is True
    )
    length = _either(configuration, "historyLength", "history_length")
    number = whole_number(length)
    if number is None and length is not None:
        diagnostics.append(_dropped("/historyLength", "expected a whole number from 0"))
    elif number or version == "1.0":
        read["history_length"] = number
    for name in PUSH:
        push = configuration.get(name)
        if push is None:
            continue
        if "push" in read:
            diagnostics.append(_dropped(f"/{name}", "there is a configuration already"))
            continue
        try:
            members = parameters_of(push, f"{_AT}/{name}", DEFAULTS.limits)
            read["push"], odd = read_push_config(members, task_id=None)
            diagnostics += odd
        except WireError as error:
            diagnostics += [Diagnostic(code=error.code, at=at, detail=rule) for at, rule in error.problems]
    return read, tuple(diagnostics)


def _either(members: Json, camel: str, snake: str) -> Any:
    """A member by its name in one of two spellings."""
    value = members.get(camel)
    return members.get(snake) if value is None else value


def _dropped(at: str, detail: str) -> Diagnostic:
    return Diagnostic(code="member-dropped", at=_AT + at, detail=detail)
