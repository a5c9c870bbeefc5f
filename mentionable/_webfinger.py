"""WebFinger: whether the domain of an address says that it belongs to somebody.

Spec: RFC 7033; FEP-2c59.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ._address import canonical
from ._asks import Failed, Fetch
from ._errors import WireError
from ._http import is_busy, is_fetchable_url
from ._json import loads
from ._verification import Unproven

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._address import Address
    from ._asks import Flow
    from ._settings import Limits

ACCEPT: Final = "application/jrd+json, application/json"
_MEDIA: Final = re.compile(r"[ \t]*+application/(?:jrd\+)?json[ \t]*+(?:;.*+)?", re.IGNORECASE).fullmatch
_PLAIN: Final = re.compile(r"[A-Za-z0-9._~!$'()*,;:@-]").match
_MAX_LINKS: Final = 256
_REMEMBERED_BYTES: Final = 16_384


class Link(NamedTuple):
    """A link of a resource descriptor.

    Attributes:
        rel: What it is to the subject.
        type: Its media type, empty when there is none.
        href: Where it leads.
    """

    rel: str
    type: str
    href: str


class Descriptor(NamedTuple):
    """What a domain says about one of its addresses.

    Attributes:
        subject: Of which address it speaks; None when it is none.
        links: Its links.
    """

    subject: Address | None
    links: tuple[Link, ...]


def webfinger_url(address: Address) -> str:
    """Where the domain of `address` tells about it (RFC 7033 §4)."""
    resource = "".join([one if _PLAIN(one) else f"%{ord(one):02X}" for one in f"acct:{address.mailbox}"])
    return f"https://{address.domain}/.well-known/webfinger?resource={resource}"


def confirmed(address: Address, *, points: Callable[[Link], bool], limits: Limits) -> Flow[Fetch, Address]:
    """The address that stands behind `address`, confirmed by its own domain.

    A domain may say that the account is one of another domain; that one is asked then, and no further one.

    Args:
        address: The address as its user tells it.
        points: Whether a link leads to exactly that user.
        limits: The bounds.

    Raises:
        Unproven: `address-unconfirmed`, `address-unresolvable`.
    """
    found = yield from _describe(address, limits=limits)
    if found.subject is not None and found.subject != address:
        address = found.subject
        found = yield from _describe(address, limits=limits)
    if found.subject != address:
        raise Unproven("address-unconfirmed", f"{address.domain} speaks of another address")
    if not any(map(points, found.links)):
        raise Unproven("address-unconfirmed", f"{address.domain} links the address to somebody else")
    return address


def _describe(address: Address, *, limits: Limits) -> Flow[Fetch, Descriptor]:
    """What the domain of `address` says about it."""
    ask = _ask(address, limits.fetched_bytes)
    if ask is None:
        raise Unproven("address-unconfirmed", "the domain of the address may not be asked")
    answer = yield from ask
    if isinstance(answer, Failed):
        raise Unproven("address-unresolvable", f"{address.domain}: {answer.reason}", temporary=answer.temporary)
    if answer.status != 200:
        if is_busy(answer.status):
            raise Unproven("address-unresolvable", f"{address.domain}: status {answer.status}", temporary=True)
        raise Unproven("address-unconfirmed", f"{address.domain}: status {answer.status}")
    if not _MEDIA(answer.content_type) or not is_fetchable_url(answer.url):
        raise Unproven("address-unconfirmed", f"{address.domain}: not JSON by its content type, or not from the web")
    found = (_remembered if len(answer.body) <= _REMEMBERED_BYTES else _read)(answer.body, limits)
    if found is None:
        raise Unproven("address-unconfirmed", f"{address.domain}: not a resource descriptor")
    return found


@lru_cache(1024)
def _ask(address: Address, max_bytes: int) -> Fetch | None:
    """What to ask about an address; None when its domain is none that may be asked."""
    url = webfinger_url(address)
    if not is_fetchable_url(url):
        return None
    return Fetch(url=url, accept=ACCEPT, purpose="webfinger", max_bytes=max_bytes)


def _read(body: bytes, limits: Limits) -> Descriptor | None:
    """The descriptor in a body, or None."""
    try:
        document = loads(body, max_bytes=limits.fetched_bytes, max_depth=limits.json_depth)
    except WireError:
        return None
    if document.__class__ is not dict:
        return None
    subject: Any = document.get("subject")
    links = document.get("links")
    is_account = subject.__class__ is str and subject[:5].lower() == "acct:"
    listed = links[:_MAX_LINKS] if links.__class__ is list else []
    return Descriptor(
        canonical(subject) if is_account else None,
        tuple([_link(link) for link in listed if link.__class__ is dict]),
    )


_remembered: Final = lru_cache(256)(_read)


def _link(link: dict[str, Any]) -> Link:
    return Link(*[found if (found := link.get(name)).__class__ is str else "" for name in ("rel", "type", "href")])
