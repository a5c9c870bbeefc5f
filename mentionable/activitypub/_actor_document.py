"""The documents that name an agent: its actor, and what its domain answers to WebFinger; and how they are served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .._crypto.keys import SigningKey, check_signing_key
from .._errors.exceptions import UsageError
from .._html.sanitize import plain_to_html
from .._text.media import single_line
from .._transport.webfinger import ACTIVITY_JSON, write_descriptor
from .._wire.address import agent_address
from .._wire.http import HttpResponse, is_web_url
from .._wire.strict_json import dump_line, plain
from ._read.json_ld import ACTORS, AS2, PUBLIC, host_in, many, type_in, without_fragment

_SECURITY: Final = "https://w3id.org/security/v1"
_DID: Final = "https://www.w3.org/ns/did/v1"
_MULTIKEY: Final = "https://w3id.org/security/multikey/v1"
_ADDRESSING: Final = frozenset({"to", "cc", "bto", "bcc", "audience"})
_BLIND: Final = frozenset({"bto", "bcc"})
_UNADDRESSED: Final = ACTORS | {
    *("Collection", "OrderedCollection", "CollectionPage", "OrderedCollectionPage", "Tombstone"),
}
"""The types that are public although they name no recipients: actors, collections, tombstones."""

_INSIDE: Final = ("object", "items", "orderedItems", "first")


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

    Its inbox, outbox, followers and following are `url` with that word behind it. `empty_collections` makes the last
    three.

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
    host = _check_url(url)
    published = _published(_checked(keys, url), url)
    document: dict[str, Any] = {
        "@context": [AS2, *([_SECURITY] if "publicKey" in published else [])]
        + ([_DID, _MULTIKEY] if "assertionMethod" in published else []),
        "id": url,
        "type": "Service",
        "preferredUsername": own.local,
        "inbox": f"{url}/inbox",
        "outbox": f"{url}/outbox",
        "followers": f"{url}/followers",
        "following": f"{url}/following",
    }
    if shared_inbox is not None:
        if host_in(shared_inbox) != host:
            raise UsageError("shared_inbox must be an https URL on the host of url")
        document["endpoints"] = {"sharedInbox": shared_inbox}
    if name is not None:
        document["name"] = single_line(name)
    if summary is not None:
        document["summary"] = plain_to_html(summary)
    if icon is not None:
        document["icon"] = {"type": "Image", "url": _web(icon, "icon")}
    if page is not None:
        document["url"] = _web(page, "page")
    return document | published


def empty_collections(url: str) -> dict[str, dict[str, Any]]:
    """Id → document of the outbox, the followers and the following of an actor, all empty.

    Servers look at them, and some show an agent without them as broken. An agent need not say who follows it.

    Args:
        url: The id of the actor.

    Raises:
        UsageError: It is no such URL.

    Spec: ActivityPub §5.1, §5.3, §5.4.

    Example:
        >>> list(empty_collections("https://agents.example/helper"))[0]
        'https://agents.example/helper/outbox'
    """
    _check_url(url)
    empty = {"type": "OrderedCollection", "totalItems": 0}
    ids = [f"{url}/{name}" for name in ("outbox", "followers", "following")]
    return {one: {"@context": AS2, "id": one, **empty, "orderedItems": []} for one in ids}


def document_response(document: Mapping[str, Any] | None) -> HttpResponse:
    """The response to a GET of a document: your actor, its collections, and what `Outgoing.serve` has.

    Args:
        document: What you have under that URL; None: nothing.

    Returns:
        200 with the document, without `bto` and `bcc` at any depth. 404 where there is none, and for what is not
        public, which need not be fetched: its recipients received the whole object. An activity or a note must name
        the public collection; so must every object inside a document that names recipients.

    Raises:
        UsageError: `document` is neither.

    Spec: ActivityPub §3.2, §6 (Retrieving objects). What WebFinger answers, `discovery.webfinger_response` makes.

    Example:
        >>> note = {"id": "https://agents.example/notes/1", "type": "Note", "to": ["https://social.example/alice"]}
        >>> document_response(note).status
        404
    """
    if document is None:
        return HttpResponse(status=404)
    if not isinstance(document, Mapping):
        raise UsageError("document must be a mapping or None")
    whole = plain(document)
    is_unaddressed = _ADDRESSING.isdisjoint(whole) and type_in(whole.get("type"), _UNADDRESSED) is not None
    if not (is_unaddressed or _is_public(whole)) or not all(map(_may_be_seen, _inside(whole))):
        return HttpResponse(status=404)
    whole = _without_blind(whole)
    return HttpResponse(status=200, headers={"content-type": ACTIVITY_JSON}, body=dump_line(whole).encode())


def _may_be_seen(inner: dict[str, Any]) -> bool:
    """Whether an object inside a document is for all who may see the document."""
    return (_ADDRESSING.isdisjoint(inner) or _is_public(inner)) and all(map(_may_be_seen, _inside(inner)))


def _is_public(node: dict[str, Any]) -> bool:
    readers = (*many(node.get("to")), *many(node.get("cc")))
    return not PUBLIC.isdisjoint(one for one in readers if isinstance(one, str))


def _inside(node: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects that an activity or a collection holds."""
    return [one for name in _INSIDE for one in many(node.get(name)) if isinstance(one, dict)]


def _without_blind(value: Any) -> Any:
    """JSON without the members that name blind recipients (ActivityPub §6)."""
    if isinstance(value, dict):
        return {name: _without_blind(inner) for name, inner in value.items() if name not in _BLIND}
    return [_without_blind(one) for one in value] if isinstance(value, list) else value


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
    _check_url(url)
    return write_descriptor(own, actor=url, profile_page=None if page is None else _web(page, "page"))


def _check_url(url: str) -> str:
    """The host of the id of an actor."""
    host = host_in(url)
    if host is None or "?" in url or "#" in url or url.endswith("/"):
        raise UsageError("url must be https, on a DNS name, without query, fragment and final slash")
    return host


def _checked(keys: SigningKey | Sequence[SigningKey], url: str) -> tuple[SigningKey, ...]:
    """The keys, each with an id of its own that begins with that of the actor."""
    checked = (keys,) if isinstance(keys, SigningKey) else tuple(keys)
    for key in checked:
        check_signing_key(key)
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
