"""The configuration in a request of a client.

Spec: A2A 0.3 §7.1.2; A2A 1.0 §3.2.2.
"""

from __future__ import annotations

from .._errors.exceptions import WireError
from .._flow.settings import DEFAULTS, Settings, check_settings, own_settings
from .._model.base import replace
from .._model.diagnostic import unread
from .._transport.json_body import load_body
from .._wire.http import HttpRequest, check_request
from ._configuration import SendConfiguration
from ._protocol import Version
from ._read.configuration import read_configuration
from ._read.envelope import open_envelope
from ._read.push_config import check_webhook
from ._settings import Settings as A2ASettings


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
        return SendConfiguration()
    version: Version = "0.3" if envelope.dialect in ("0.3", "0.3-rest") else "1.0"
    configuration, push_at = read_configuration(envelope.call.configuration, version)
    if configuration.push is None:
        return configuration
    try:
        allows_local = own_settings(A2ASettings, settings).local_webhooks
        check_webhook(configuration.push, push_at, allows_local=allows_local)
    except WireError as error:
        return replace(configuration, push=None, diagnostics=(*configuration.diagnostics, unread(error)))
    return configuration
