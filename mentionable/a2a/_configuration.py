"""What a client wants of an answer: the `configuration` of a request that sends a message.

Spec: A2A 0.3 §7.1.2; A2A 1.0 §3.2.2.
"""

from __future__ import annotations

from typing import Any, Final

from .._errors.exceptions import WireError
from .._flow.settings import DEFAULTS, Settings, check_settings, own_settings
from .._model.base import replace, validated
from .._model.diagnostic import Diagnostic
from .._model.rules import Count, Name, bare_type
from .._transport.json_body import load_body
from .._wire.http import HttpRequest, check_request
from .._wire.strict_json import dig
from ._operation import PushNotificationConfig
from ._protocol import Version
from ._read.configuration import PUSH, read_configuration
from ._read.envelope import open_envelope
from ._read.push_config import check_webhook
from ._settings import Settings as A2ASettings


@validated
class SendConfiguration:
    """What a client asks of an answer, besides the message: `call` sends it, and `configuration_of` reads it.

    Attributes:
        accepted_output_modes: The media types that the client takes, the best first; empty: any.
        return_immediately: Whether the task is answered at once, while the agent is still at work.
        history_length: How many of the last messages of the task to send along; 0: none. None: the agent chooses.
        push: The webhook that gets the updates.
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


_NOTHING: Final = SendConfiguration()


def configuration_of(request: HttpRequest, *, settings: Settings = DEFAULTS) -> SendConfiguration:
    """What the client wants of the answer to a message that it sends. Nothing in the request makes it raise.

    `reply` sends plain text where the client takes no other, and as much of the history as it wants. To return at once,
    and to send push notifications, is yours.

    Args:
        request: The request that `receive` took.
        settings: Has the limits.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: A2A 0.3 §7.1.2; A2A 1.0 §3.2.2.

    Example:
        >>> body = (
        ...     b'{"message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]},'
        ...     b' "configuration": {"returnImmediately": true, "acceptedOutputModes": ["text/plain"]}}'
        ... )
        >>> request = HttpRequest(method="POST", url="https://a.example/a2a/message:send", body=body)
        >>> configuration = configuration_of(request)
        >>> configuration.return_immediately, configuration.accepts("text/markdown")
        (True, False)
    """
    check_request(request)
    check_settings(settings)
    try:
        envelope = open_envelope(load_body(request.body, settings.limits), request=request)
    except WireError:
        return _NOTHING
    version: Version = "0.3" if envelope.dialect in ("0.3", "0.3-rest") else "1.0"
    configuration = _configuration(envelope.around["configuration"], version)
    if configuration.push is None:
        return configuration
    try:
        allows_local = own_settings(A2ASettings, settings).local_webhooks
        name = next(name for name in PUSH if envelope.around["configuration"].get(name) is not None)
        check_webhook(configuration.push, f"/configuration/{name}", allows_local=allows_local)
    except WireError as error:
        refused = [Diagnostic(code=error.code, at=at, detail=rule) for at, rule in error.problems]
        return replace(configuration, push=None, diagnostics=(*configuration.diagnostics, *refused))
    return configuration


def configuration_in_raw(raw: Any, version: Version) -> SendConfiguration:
    """The configuration in the `raw` of a question, where secrets of webhooks are left out."""
    configuration = dig(raw, "envelope", "configuration")
    return _NOTHING if configuration is None else _configuration(configuration, version)


def _configuration(configuration: Any, version: Version) -> SendConfiguration:
    """The configuration in the JSON of a request, of any type."""
    members, diagnostics = read_configuration(configuration, version)
    return SendConfiguration(**members, diagnostics=diagnostics)
