"""WebFinger: what a domain says about one of its addresses, and whether it says that the address is somebody's.

Spec: RFC 7033; FEP-2c59; WebFinger for Mentionable agents §1, §4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, TypeAlias

from .._crypto.verification import VerificationFailed
from .._errors.exceptions import Problem, WireError, wire_error
from .._flow.asks import Fetch
from .._flow.flow import Failed, Flow
from .._flow.settings import Limits
from .._model.base import frozen, unchecked
from .._model.diagnostic import Diagnostic, left_out
from .._wire.address import Address, canonical
from .._wire.http import is_busy, is_fetchable_url, is_web_url
from .._wire.strict_json import loads

ACCEPT: Final = "application/jrd+json, application/json"
SELF: Final = "self"
AGENT_CARD: Final = "https://mentionable.dev/ns/rel/agent-card"
LEGACY_AGENT_CARD: Final = "https://mentionable.dev/agent-card"
"""An older name of the relation: read, never written."""

PROFILE_PAGE: Final = "http://webfinger.net/rel/profile-page"
MAILTO: Final = "mailto"
ACTIVITY_JSON: Final = "application/activity+json"
_MEDIA: Final = re.compile(r"[ \t]*+application/(?:jrd\+)?json[ \t]*+(?:;.*+)?", re.IGNORECASE).fullmatch
_PLAIN: Final = re.compile(r"[A-Za-z0-9._~!$'()*,;:@-]").match
_MAX_LINKS: Final = 256
_REMEMBERED_BYTES: Final = 16_384


@frozen
class Link:
    """A link of a resource descriptor.

    Attributes:
        rel: What it is to the subject.
        type: Its media type, empty when there is none.
        href: Where it leads, empty when that is nowhere.
    """

    rel: str
    type: str = ""
    href: str = ""


@frozen
class ResourceDescriptor:
    """What a domain says about one of its addresses (a JRD).

    Attributes:
        subject: Of which address it speaks; None when it is none.
        links: Its links, in order.
        aliases: Other names of the subject.

    Spec: RFC 7033 §4.4.
    """

    subject: Address | None
    links: tuple[Link, ...]
    aliases: tuple[str, ...] = ()

    @property
    def agent_card(self) -> str | None:
        """Where the agent card lies, by the canonical relation or else by the older one; None when that is no place."""
        for rel in (AGENT_CARD, LEGACY_AGENT_CARD):
            for link in self.links:
                if link.rel == rel:
                    return link.href if is_fetchable_url(link.href) else None
        return None

    @property
    def actor(self) -> str | None:
        """The id of the ActivityPub actor; None when there is none that may be asked for."""
        for link in self.links:
            if link.rel == SELF and _is_activitystreams(link.type) and is_fetchable_url(link.href):
                return link.href
        return None

    @property
    def profile_page(self) -> str | None:
        """A page for people, by https; None when there is none."""
        for link in self.links:
            if link.rel == PROFILE_PAGE and link.href[:8] == "https://" and is_web_url(link.href):
                return link.href
        return None

    @property
    def mailbox(self) -> str | None:
        """The mailbox `local@domain`; None when there is none."""
        for link in self.links:
            address = canonical(link.href[7:]) if link.rel == MAILTO and link.href[:7] == "mailto:" else None
            if address is not None and address.mailbox == link.href[7:]:
                return address.mailbox
        return None


Description: TypeAlias = "tuple[ResourceDescriptor, tuple[Diagnostic, ...]]"
"""What a domain says about an address, and what of it does not fit and was left out."""


def _is_activitystreams(media_type: str) -> bool:
    """Whether a link says that it leads to ActivityStreams (ActivityPub §3.2)."""
    name, _, parameters = media_type.lower().partition(";")
    is_profiled = "https://www.w3.org/ns/activitystreams" in parameters
    return name.strip() == ACTIVITY_JSON or (name.strip() == "application/ld+json" and is_profiled)


def webfinger_url(address: Address) -> str:
    """Where the domain of `address` tells about it (RFC 7033 §4)."""
    resource = "".join([one if _PLAIN(one) else f"%{ord(one):02X}" for one in f"acct:{address[1:]}"])
    return f"https://{address.domain}/.well-known/webfinger?resource={resource}"


def confirmed(address: Address, *, points: Callable[[Link], bool], limits: Limits) -> Flow[Fetch, tuple[Address, Link]]:
    """The address that `address` stands for, confirmed by its own domain, and the link that confirms it.

    A domain may say that the account is one of another domain; that one is asked then, and no further one.

    Args:
        address: The address as its user gives it.
        points: Whether a link leads to exactly that user.
        limits: The bounds.

    Raises:
        VerificationFailed: `address-unconfirmed`, `address-unresolvable`.
    """
    description, _ = yield from _describe(address, limits=limits)
    if description.subject is not None and description.subject != address:
        address = description.subject
        description, _ = yield from _describe(address, limits=limits)
    if description.subject != address:
        raise VerificationFailed("address-unconfirmed", f"{address.domain} speaks of another address")
    link = next(filter(points, description.links), None)
    if link is None:
        raise VerificationFailed("address-unconfirmed", f"{address.domain} links the address to somebody else")
    return address, link


def described(address: Address, *, limits: Limits) -> Flow[Fetch, Description]:
    """What the domain of `address` says about that very address; in the local part it may differ by case.

    Raises:
        Unproven: `address-unconfirmed`, `address-unresolvable`.

    Spec: WebFinger for Mentionable agents §1.
    """
    descriptor, diagnostics = yield from _describe(address, limits=limits)
    if descriptor.subject is None or descriptor.subject.lower() != address.lower():
        raise VerificationFailed("address-unconfirmed", f"{address.domain} speaks of another address")
    return descriptor, diagnostics


def _describe(address: Address, *, limits: Limits) -> Flow[Fetch, Description]:
    """What the domain of `address` says about it."""
    ask = _ask(address, limits.fetched_bytes)
    if ask is None:
        raise VerificationFailed("address-unconfirmed", "the domain of the address may not be asked")
    answer = yield from ask
    if isinstance(answer, Failed):
        raise VerificationFailed(
            "address-unresolvable", f"{address.domain}: {answer.reason}", temporary=answer.temporary
        )
    if answer.status != 200:
        if is_busy(answer.status):
            raise VerificationFailed(
                "address-unresolvable", f"{address.domain}: status {answer.status}", temporary=True
            )
        raise VerificationFailed("address-unconfirmed", f"{address.domain}: status {answer.status}")
    if not _MEDIA(answer.content_type) or not is_fetchable_url(answer.url):
        raise VerificationFailed(
            "address-unconfirmed", f"{address.domain}: not JSON by its content type, or not from the web"
        )
    descriptor = (_remembered if len(answer.body) <= _REMEMBERED_BYTES else _read)(answer.body, limits)
    if descriptor is None:
        raise VerificationFailed("address-unconfirmed", f"{address.domain}: not a resource descriptor")
    return descriptor


@lru_cache(1024)
def _ask(address: Address, max_bytes: int) -> Fetch | None:
    """What to ask about an address; None when its domain is none that may be asked."""
    url = webfinger_url(address)
    if not is_fetchable_url(url):
        return None
    return Fetch(url=url, accept=ACCEPT, purpose="webfinger", max_bytes=max_bytes)


def read_descriptor(document: Any) -> tuple[ResourceDescriptor, list[Problem]]:
    """The descriptor in a JSON value, and what does not fit and is left out. The subject must fit.

    Raises:
        WireError: It is no object, or its subject is no text.
    """
    if document.__class__ is not dict:
        raise wire_error("wrong-type", "", "a resource descriptor is an object")
    subject: Any = document.get("subject")
    if subject is not None and subject.__class__ is not str:
        raise wire_error("wrong-type", "/subject", "expected a string")
    entries, problems = _array(document, "links")
    links: list[Link] = []
    for index, entry in enumerate(entries):
        link, odd = _link(entry, index)
        problems += odd
        if link is not None:
            links.append(link)
    aliases, odd_aliases = _array(document, "aliases")
    problems += odd_aliases
    for index, alias in enumerate(aliases):
        if alias.__class__ is not str:
            problems.append(Problem(f"/aliases/{index}", "expected a string"))
    descriptor = _new_descriptor(
        subject=canonical(subject) if subject is not None and subject[:5].lower() == "acct:" else None,
        links=tuple(links),
        aliases=tuple([alias for alias in aliases if alias.__class__ is str]),
    )
    return descriptor, problems


def _array(document: dict[str, Any], name: str) -> tuple[list[Any], list[Problem]]:
    """The first entries of an array that need not be there, and what is odd about it."""
    entries = document.get(name)
    if entries is None:
        return [], []
    if entries.__class__ is not list:
        return [], [Problem(f"/{name}", "expected an array")]
    if len(entries) > _MAX_LINKS:
        excess = Problem(f"/{name}/{_MAX_LINKS}", f"at most {_MAX_LINKS} are read, of {len(entries)}")
        return entries[:_MAX_LINKS], [excess]
    return entries, []


def _link(entry: Any, index: int) -> tuple[Link | None, list[Problem]]:
    """One link. Without its relation it is none; without a type or a place it leads nowhere, and still counts."""
    rel = entry.get("rel") if entry.__class__ is dict else None
    if rel.__class__ is not str:
        return None, [Problem(f"/links/{index}", "expected an object with a relation")]
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for name in ("type", "href"):
        text = entry.get(name)
        if text.__class__ is str:
            texts[name] = text
        elif text is not None:
            problems.append(Problem(f"/links/{index}/{name}", "expected a string"))
    return _new_link(rel=rel, **texts), problems


def _read(body: bytes, limits: Limits) -> Description | None:
    """The descriptor in a body, and what was left out of it; or None."""
    try:
        document = loads(body, max_bytes=limits.fetched_bytes, max_depth=limits.json_depth)
        descriptor, problems = read_descriptor(document)
    except WireError:
        return None
    return descriptor, tuple(left_out(problems))


_remembered: Final = lru_cache(256)(_read)

_new_link: Final = unchecked(Link)
_new_descriptor: Final = unchecked(ResourceDescriptor)


def write_descriptor(
    address: Address,
    *,
    agent_card: str | None = None,
    actor: str | None = None,
    profile_page: str | None = None,
    mailbox: str | None = None,
    aliases: Iterable[str] = (),
) -> dict[str, Any]:
    """What the domain of `address` says about it, as JSON; whoever calls has checked the URLs.

    Without other aliases, it may also be asked for by the URLs of its actor and its page.
    """
    named = (
        (SELF, ACTIVITY_JSON, actor),
        (AGENT_CARD, "application/json", agent_card),
        (PROFILE_PAGE, "text/html", profile_page),
    )
    links = [{"rel": rel, "type": media_type, "href": href} for rel, media_type, href in named if href is not None]
    if mailbox is not None:
        links.append({"rel": MAILTO, "href": f"mailto:{mailbox}"})
    others = [*aliases] or [url for url in (actor, profile_page) if url is not None]
    return {"subject": f"acct:{address[1:]}", **({"aliases": others} if others else {}), "links": links}
