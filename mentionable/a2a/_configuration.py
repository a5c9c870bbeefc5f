"""What a client wants of an answer: the `configuration` of a request that sends a message.

Spec: A2A 0.3 §7.1.2; A2A 1.0 §3.2.2.
"""

from __future__ import annotations

from .._model.base import validated
from .._model.diagnostic import Diagnostic
from .._model.rules import Count, Name, bare_type
from ._operation import PushNotificationConfig


@validated
class SendConfiguration:
    """What a client asks of an answer, besides the message: `call` sends it, and `configuration_of` reads it.

    Attributes:
        accepted_output_modes: The media types that the client takes, the best first; empty: any.
        return_immediately: Whether the task is answered at once, while the agent is still at work.
        history_length: How many of the last messages of the task to send along; 0: none. None: the agent chooses.
        push: The webhook that gets the updates of the task of the message. One that came in names no task.
        diagnostics: What of a configuration that came in could not be read.

    Example:
        >>> SendConfiguration(return_immediately=True, history_length=0)
        SendConfiguration(return_immediately=True, history_length=0)
    """

    accepted_output_modes: tuple[Name, ...] = ()
    return_immediately: bool = False
    history_length: Count | None = None
    push: PushNotificationConfig | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    def accepts(self, media_type: str) -> bool:
        """Whether the client takes content of this media type.

        Example:
            >>> configuration = SendConfiguration(accepted_output_modes=("text/*", "application/json"))
            >>> configuration.accepts("text/markdown"), configuration.accepts("image/png")
            (True, False)
        """
        kind = bare_type(media_type)
        family = kind.partition("/")[0]
        accepted = {bare_type(mode) for mode in self.accepted_output_modes}
        return not accepted or not accepted.isdisjoint((kind, family, f"{family}/*", "*/*", "*"))
