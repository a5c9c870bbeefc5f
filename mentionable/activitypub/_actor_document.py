"""The documents that name an agent: its actor, and what its domain answers to WebFinger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from .._crypto.keys import SigningKey
from .._errors.exceptions import UsageError
from .._flow.settings import check_kind, items_of
from .._html.sanitize import plain_to_html
from .._text.media import single_line
from .._transport.webfinger import write_descriptor
from .._wire.address import address_of_name, agent_address
from .._wire.http import is_web_url
from ._read.json_ld import AS2, host_in, without_fragment
from ._write.context import DID, MULTIKEY, SECURITY, terms_of

COLLECTIONS: Final = ("outbox", "followers", "following", "featured")
"""The collections of an actor: each has the id of the actor and its name behind it."""


def actor(
    address: str,
    *,
    url: str,
    keys: SigningKey | Sequence[SigningKey],
    name: str | None = None,
    summary: str | None = None,
    icon: str | None = None,
    page: str | None = None,
    shared_inbox: str | None = None,
) -> dict[str, Any]:
    """The actor document of an agent, to be served at `url` as `application/activity+json`.

    Its inbox, outbox, followers, following and featured objects are `url` with that word behind it. `collection` makes
    each, and `empty_collections` all but the inbox at once.

    Args:
        address: `@agent@domain`. Where the domain is another than the host of `url`, serve `webfinger` on both.
        url: The id of the actor: https, without query and fragment.
        keys: Whose public halves to publish; each `key_id` is `url` and a fragment. An RSA key is what every server
            takes for requests; an Ed25519 key signs objects.
        name: What to call it.
        summary: What it does, in plain text.
        icon: The URL of its picture.
        page: The URL of a page about it, for people.
        shared_inbox: One inbox for all agents of the host.

    Raises:
        UsageError: An argument does not fit the others.

    Spec: ActivityPub §4.1; FEP-521a (Multikey); W3ID Security Vocabulary v1.

    Example:
        >>> from mentionable import SigningKey
        >>> key = SigningKey.from_seed(bytes(32), key_id="https://agents.example/helper#objects")
        >>> document = actor("@helper@agents.example", url="https://agents.example/helper", keys=key)
        >>> document["type"], document["preferredUsername"], document["inbox"]
        ('Service', 'helper', 'https://agents.example/helper/inbox')
    """
    own = agent_address(address)
    username = own.local.replace("%25", "%")
    if address_of_name(username, own.domain) != own:
        raise UsageError(f"an actor has a name of plain ASCII, and no quotes: {own}")
    host = check_actor_url(url)
    published = _published(_checked(keys, url), url)
    document: dict[str, Any] = {
        "@context": [
            AS2,
            *([SECURITY] if "publicKey" in published else []),
            *([DID, MULTIKEY] if "assertionMethod" in published else []),
            terms_of(COLLECTIONS),
        ],
        "id": url,
        "type": "Service",
        "preferredUsername": username,
        "inbox": f"{url}/inbox",
        **{name: f"{url}/{name}" for name in COLLECTIONS},
    }
    if shared_inbox is not None:
        if host_in(shared_inbox) != host:
            raise UsageError("shared_inbox must be an https URL on the host of url")
        document["endpoints"] = {"sharedInbox": shared_inbox}
    if name is not None:
        check_kind(name, str, "name")
        document["name"] = single_line(name)
    if summary is not None:
        check_kind(summary, str, "summary")
        document["summary"] = plain_to_html(summary)
    if icon is not None:
        document["icon"] = {"type": "Image", "url": _web(icon, "icon")}
    if page is not None:
        document["url"] = _web(page, "page")
    return document | published


def webfinger(address: str, *, url: str, page: str | None = None) -> dict[str, Any]:
    """What the domain of `address` answers at `/.well-known/webfinger`, as `application/jrd+json`.

    `discovery.webfinger_response` serves it, for `resource=acct:agent@domain` and for `resource=<url>`. An agent that
    has a card too is described by `discovery.write_jrd(..., actor=url)`.

    Args:
        address: `@agent@domain`.
        url: The id of its actor.
        page: The URL of a page about it, for people.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: RFC 7033 §4.4, §5.

    Example:
        >>> webfinger("@helper@agents.example", url="https://agents.example/helper")["subject"]
        'acct:helper@agents.example'
    """
    own = agent_address(address)
    check_actor_url(url)
    return write_descriptor(own, actor=url, profile_page=None if page is None else _web(page, "page"))


def check_actor_url(url: str) -> str:
    """The host of the id of an actor."""
    host = host_in(url)
    if host is None or "?" in url or "#" in url or url.endswith("/"):
        raise UsageError("url must be https, on a DNS name, without query, fragment and final slash")
    return host


def _checked(keys: SigningKey | Sequence[SigningKey], url: str) -> tuple[SigningKey, ...]:
    """The keys, each with an id of its own that begins with that of the actor."""
    checked = (keys,) if isinstance(keys, SigningKey) else tuple(items_of(keys, SigningKey, "keys", what="SigningKey"))
    for key in checked:
        if "#" not in key.key_id or without_fragment(key.key_id) != url:
            raise UsageError(f"key_id must be {url} and a fragment, such as #main-key")
    if not checked or len({key.key_id for key in checked}) < len(checked):
        raise UsageError("keys must hold one key or several, each with a key_id of its own")
    return checked


def _published(keys: Sequence[SigningKey], url: str) -> dict[str, Any]:
    """The members that hold the public halves. One RSA key is no array: older servers read none there."""
    of_requests = [
        {"id": key.key_id, "owner": url, "publicKeyPem": key.public_pem} for key in keys if key.kind == "rsa"
    ]
    of_objects = [
        {"id": key.key_id, "type": "Multikey", "controller": url, "publicKeyMultibase": key.public_multikey}
        for key in keys
        if key.kind == "ed25519"
    ]
    members: dict[str, Any] = {}
    if of_requests:
        members["publicKey"] = of_requests if len(of_requests) > 1 else of_requests[0]
    if of_objects:
        members["assertionMethod"] = of_objects
    return members


def _web(url: object, name: str) -> str:
    if not isinstance(url, str) or not is_web_url(url):
        raise UsageError(f"{name} must be an http or https URL")
    return url
