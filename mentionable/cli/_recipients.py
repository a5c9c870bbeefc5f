"""Chooses the recipient of a message when neither `--as` nor the table names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._errors.exceptions import WireError
from .._flow.settings import Limits
from .._wire.address import Address, canonical, canonical_domain, canonical_mailbox
from .._wire.http import is_web_url, url_host
from .._wire.strict_json import loads


class FirstMailbox:
    """Serves the first mailbox that `receive` asks for, and no other."""

    def __init__(self) -> None:
        self._is_used = False

    def __call__(self, native_id: str) -> Address | None:
        """The agent under a mailbox."""
        address = None if self._is_used else canonical_mailbox(native_id)
        self._is_used = self._is_used or address is not None
        return address


class FirstMention:
    """Serves the first Mention whose name is `@a@b` on the host of its href, and no other."""

    def __init__(self) -> None:
        self._mention: tuple[str, Address] | None = None

    def learn(self, body: bytes) -> None:
        """Look for the first mention in an activity or an object."""
        limits = Limits()
        try:
            document = loads(body, max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)
        except WireError:
            return  # `receive` rejects it with the reason
        self._mention = self._mention or next(_mentions(document), None)

    def __call__(self, native_id: str) -> Address | None:
        """The agent under an actor's IRI."""
        if self._mention is None or self._mention[0] != native_id:
            return None
        return self._mention[1]


def _mentions(document: Any) -> Iterator[tuple[str, Address]]:
    """The href and the name of every Mention whose name is on the host of its href."""
    if not isinstance(document, dict):
        return
    for holder in (document, document.get("object")):
        for tag in _many(holder.get("tag")) if isinstance(holder, dict) else ():
            if isinstance(tag, dict) and "Mention" in _many(tag.get("type")):
                href, name = tag.get("href"), tag.get("name")
                if isinstance(href, str) and isinstance(name, str) and (address := _agent(href, name)):
                    yield href, address


def _agent(href: str, name: str) -> Address | None:
    """The address that a mention names, if it is on the host of its href. Another host could name any agent."""
    address = canonical(name) if name.startswith("@") else None
    if address is None or not is_web_url(href) or canonical_domain(url_host(href)) != address.domain:
        return None
    return address


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
