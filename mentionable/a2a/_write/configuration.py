"""The `configuration` of a call in each dialect.

Spec: A2A 0.3 §7.1.2, `a2a.proto` of A2A 0.3; A2A 1.0 §3.2.2.
"""

from __future__ import annotations

from .._configuration import SendConfiguration
from .._protocol import Json
from .dialects import Dialect
from .push_config import push_config_in


def configuration_in(configuration: SendConfiguration, dialect: Dialect, *, stream: bool) -> Json:
    """The configuration: only what is asked.

    v0.3 answers before the task is done unless it must wait; v1.0 waits unless it must not. A stream
    brings everything as it happens.
    """
    is_old = dialect.version == "0.3"
    written: Json = {}
    if configuration.accepted_output_modes:
        written["acceptedOutputModes"] = list(configuration.accepted_output_modes)
    if is_old and not stream:
        written["blocking"] = not configuration.return_immediately
    elif configuration.return_immediately and not stream:
        written["returnImmediately"] = True
    # In v0.3 no length and 0 mean all of the history.
    if configuration.history_length is not None and not (is_old and configuration.history_length == 0):
        written["historyLength"] = configuration.history_length
    if configuration.push is not None:
        push = push_config_in(configuration.push, dialect)
        if not is_old:
            written["taskPushNotificationConfig"] = push
        else:
            name = "pushNotificationConfig" if dialect.has_kind else "pushNotification"
            written[name] = push["pushNotificationConfig"]
    return written
