"""The URLs of an event's files at Discord: for the connector's own file endpoint, never passed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._wire.http import is_fetchable_url, url_host
from ..._members import items_of, object_of, objects_of
from .._ids import snowflake

_HOSTS: Final = frozenset({"cdn.discordapp.com", "media.discordapp.net"})


def sources(event: Mapping[str, Any]) -> dict[str, str]:
    """Id of each file of an event → the URL at which Discord holds it.

    The URL opens the file for whoever has it, for about a day. Keep it in your connector, under the id of the file,
    which is `scope.file` of the capability that an agent shows you; never pass it on, and never log it.

    Args:
        event: The interaction or message as Discord sent it, verified, without the envelope of the gateway.

    Spec: Building a Connector §Lazy File Capabilities.

    Example:
        >>> sources({"attachments": [{"id": "8", "url": "https://cdn.discordapp.com/attachments/5/8/a.pdf?hm=1"}]})
        {'8': 'https://cdn.discordapp.com/attachments/5/8/a.pdf?hm=1'}
    """
    resolved = object_of(object_of(event.get("data")).get("resolved"))
    attachments = [*object_of(resolved.get("attachments")).values()]
    messages = [event, event.get("referenced_message"), *object_of(resolved.get("messages")).values()]
    for message in map(object_of, messages):
        forwarded = [snapshot.get("message") for snapshot in objects_of(message.get("message_snapshots"))]
        for one in (message, *map(object_of, forwarded)):
            attachments += items_of(one.get("attachments"))
    urls = {}
    for attachment in map(object_of, attachments):
        own, url = snowflake(attachment.get("id")), attachment.get("url")
        if own is not None and isinstance(url, str) and is_fetchable_url(url) and url_host(url) in _HOSTS:
            urls[own] = url
    return urls
