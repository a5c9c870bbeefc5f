"""The configuration of push notifications, as each version writes it.

Spec: A2A 0.3 §6.8 to §6.10; A2A 1.0 §4.3.
"""

from __future__ import annotations

from typing import Final

from ..._errors.exceptions import wire_error
from ..._model.diagnostic import Diagnostic
from ..._model.rules import is_token
from ..._wire.http import is_web_url
from .._operation import PushAuthentication, PushNotificationConfig, is_field_value, is_webhook
from .parameters import Parameters

_KNOWN: Final = frozenset({"id", "taskId", "url", "token", "authentication"})
_OF_AUTHENTICATION: Final = frozenset({"scheme", "credentials"})


def read_push_config(
    members: Parameters, *, task_id: str | None, config_id: str | None = None
) -> tuple[PushNotificationConfig, list[Diagnostic]]:
    """The configuration in an object, and what is odd about it.

    Args:
        members: The object.
        task_id: The task, where something around the object names it.
        config_id: The id of the configuration, where the object names none.

    Raises:
        WireError: `missing-member`, `wrong-type`, `id-too-long`; `url-refused` for what is no URL of the web;
            `malformed` for what would not stay one header field of a notification.
    """
    url = members.own_id("url", "the webhook")
    if not is_web_url(url):
        raise wire_error("url-refused", members.pointer("url"), "must be a URL of the web")
    authentication, odd = _read_authentication(members)
    extra, more = members.others(_KNOWN, PushNotificationConfig)
    config = PushNotificationConfig(
        url=url,
        id=members.id("id") or config_id,
        task_id=task_id or members.id("taskId"),
        token=_field_value(members.id("token"), members.pointer("token")),
        authentication=authentication,
        extra=extra,
    )
    return config, [*odd, *more]


def check_webhook(config: PushNotificationConfig, pointer: str, *, allows_local: bool) -> None:
    """Raises `url-refused`, at the pointer to a configuration, unless this server may send to its URL."""
    if not is_webhook(config.url, allows_local=allows_local):
        raise wire_error("url-refused", f"{pointer}/url", "must be https on the default port of a DNS name")


def _read_authentication(members: Parameters) -> tuple[PushAuthentication | None, list[Diagnostic]]:
    """How the webhook wants to be authenticated. v0.3 names several schemes, of which the first counts."""
    if not members.members.get("authentication"):
        return None, []
    inner = members.object("authentication")
    schemes = inner.members.get("schemes")
    scheme, known = inner.id("scheme"), _OF_AUTHENTICATION
    if scheme is None and schemes.__class__ is list and schemes and schemes[0].__class__ is str:
        scheme = schemes[0]
        if len(schemes) == 1:
            known |= {"schemes"}
    if not scheme:
        raise wire_error("missing-member", inner.pointer("scheme"), "the authentication must name a scheme")
    if not is_token(scheme):
        raise wire_error("malformed", inner.pointer("scheme"), "must be a token of HTTP")
    credentials = _field_value(inner.text("credentials"), inner.pointer("credentials"))
    extra, odd = inner.others(known, PushAuthentication)
    return PushAuthentication(scheme=scheme, credentials=credentials, extra=extra), odd


def _field_value(text: str | None, pointer: str) -> str | None:
    """A secret that goes into a header field as it is."""
    if text is not None and not is_field_value(text):
        raise wire_error("malformed", pointer, "must be ASCII text without a blank at its ends")
    return text
