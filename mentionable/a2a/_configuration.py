"""What a call asks of its answer, besides the message.

Spec: A2A 0.3 §7.1.2; A2A 1.0 §3.2.2.
"""

from __future__ import annotations

from .._model.base import validated
from .._model.rules import Count, Name
from ._operation import PushNotificationConfig


@validated
class SendConfiguration:
    """What a call asks of its answer.

    Attributes:
        accepted_output_modes: The media types that the client takes, the best first; empty: any.
        return_immediately: Whether the task is answered at once, while the agent is still at work.
        history_length: How many of the last messages of the task to send along; 0: none. None: the agent chooses.
        push: The webhook that gets the updates.

    Example:
        >>> SendConfiguration(return_immediately=True, history_length=0)
        SendConfiguration(return_immediately=True, history_length=0)
    """

    accepted_output_modes: tuple[Name, ...] = ()
    return_immediately: bool = False
    history_length: Count | None = None
    push: PushNotificationConfig | None = None
