"""Where Discord holds the files of an event: for the endpoint of the connector that gives them out, and nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._wire.http import is_fetchable_url, url_host
from .._ids import snowflake
from .parts import objects

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
    data = event.get("data")
    resolved = data.get("resolved") if isinstance(data, Mapping) else None
    given = resolved.get("attachments") if isinstance(resolved, Mapping) else None
    target = resolved.get("messages") if isinstance(resolved, Mapping) else None
    found = objects(list(given.values()) if isinstance(given, Mapping) else None)
    for message in [event, *_forwarded(event), *(target.values() if isinstance(target, Mapping) else ())]:
        found += objects(message.get("attachments")) if isinstance(message, Mapping) else []
    urls = {}
    for one in found:
        own, url = snowflake(one.get("id")), one.get("url")
        if own is not None and isinstance(url, str) and is_fetchable_url(url) and url_host(url) in _HOSTS:
            urls[own] = url
    return urls


def _forwarded(event: Mapping[str, Any]) -> list[Any]:
    return [snapshot.get("message") for snapshot in objects(event.get("message_snapshots"))]
