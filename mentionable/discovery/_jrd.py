"""The WebFinger document of an agent: written, read, and served.

Spec: WebFinger for Mentionable agents §1, §4; RFC 7033.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote, unquote_to_bytes

from .._errors.exceptions import UsageError, WireError, wire_error
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.base import replace
from .._model.codec import Decoded
from .._transport.webfinger import ResourceDescriptor, read_descriptor, write_descriptor
from .._wire.address import agent_address, canonical
from .._wire.ascii import ascii_lower
from .._wire.http import HttpRequest, HttpResponse, check_request, is_fetchable_url, is_web_url, path_of, query_of
from .._wire.strict_json import plain
from ._documents import dropped, empty_response, json_of, public_response

JRD_TYPE: Final = "application/jrd+json"
_PATH: Final = "/.well-known/webfinger"
_MAX_LENGTH: Final = 2_048
_MAX_PARAMETERS: Final = 32
_ENCODED: Final = re.compile(r"[!-$&-~]*+(?:%[0-9A-Fa-f]{2}[!-$&-~]*+)*", re.ASCII).fullmatch


def read_jrd(document: bytes | Mapping[str, Any], *, settings: Settings = DEFAULTS) -> ResourceDescriptor:
    """Read what a domain says about one of its addresses: its subject, and where the documents of that subject are.

    It proves nothing by itself: the subject must be the address that was asked for, of the domain that was asked.

    Args:
        document: The document, as bytes or as a JSON parser gave it.
        settings: Limits.

    Raises:
        WireError: `malformed` with every misfit and its place; `wrong-type` when it is no object, or when its subject
            is no text; or why it is no strict JSON, or too large.

    Spec: RFC 7033 §4.4; WebFinger for Mentionable agents §4.

    Example:
        >>> card = {"rel": "https://mentionable.dev/ns/rel/agent-card", "href": "https://agents.example/card"}
        >>> jrd = {"subject": "acct:helper@agents.example", "links": [card]}
        >>> descriptor = read_jrd(jrd)
        >>> descriptor.subject, descriptor.agent_card
        (Address('@helper@agents.example'), 'https://agents.example/card')
    """
    check_settings(settings)
    return decode_jrd(document, settings, lenient=False).value


def decode_jrd(
    document: bytes | Mapping[str, Any], settings: Settings, *, lenient: bool
) -> Decoded[ResourceDescriptor]:
    """Decode the descriptor in a document. Where `lenient`, leave out what is malformed and may be missing."""
    descriptor, problems = read_descriptor(json_of(document, settings, max_bytes=settings.limits.fetched_bytes))
    return Decoded(descriptor, dropped(problems, lenient=lenient))


def write_jrd(
    address: str,
    *,
    agent_card: str,
    actor: str | None = None,
    profile_page: str | None = None,
    mailto: str | None = None,
    aliases: tuple[str, ...] = (),
) -> dict[str, Any]:
    """What your domain says about an agent, for `webfinger_response`.

    Args:
        address: `@agent@domain`. Serve the document on that very domain, at its root.
        agent_card: Where its card lies: `agent_card_url(address)`, or elsewhere.
        actor: The id of its ActivityPub actor.
        profile_page: A page about it, for people.
        mailto: The mailbox `local@domain` that reaches it.
        aliases: Other URLs under which it may be asked for; without any, those of its actor and its page.

    Raises:
        UsageError: An argument is of the wrong kind. URLs are https, without exception.

    Spec: WebFinger for Mentionable agents §4.

    Example:
        >>> card = agent_card_url("@helper@agents.example")
        >>> jrd = write_jrd("@helper@agents.example", agent_card=card, mailto="helper@agents.example")
        >>> [link["rel"] for link in jrd["links"]]
        ['https://mentionable.dev/ns/rel/agent-card', 'mailto']
    """
    own = agent_address(address)
    return write_descriptor(
        own,
        agent_card=_fetchable(agent_card, "agent_card"),
        actor=None if actor is None else _fetchable(actor, "actor"),
        profile_page=None if profile_page is None else _secure(profile_page, "profile_page"),
        mailbox=None if mailto is None else _mailbox(mailto),
        aliases=[_secure(alias, "aliases") for alias in aliases],
    )


def _fetchable(url: object, name: str) -> str:
    if not isinstance(url, str) or not is_fetchable_url(url):
        raise UsageError(f"{name} must be an https URL on the default port of a DNS name")
    return url


def _secure(url: object, name: str) -> str:
    if not isinstance(url, str) or url[:8] != "https://" or not is_web_url(url):
        raise UsageError(f"{name} must be https")
    return url


def _mailbox(mailto: object) -> str:
    address = canonical(mailto) if isinstance(mailto, str) else None
    if address is None or address.mailbox != mailto or not _ENCODED(mailto) or not set(mailto).isdisjoint("%?&#/"):
        raise UsageError("mailto must be a mailbox local@domain that a mailto: URL can hold as it is")
    return mailto


def agent_card_url(address: str) -> str:
    """Where the card of an agent lies when it is served at the root of its domain.

    Readers follow the link of WebFinger, and never guess this URL.

    Raises:
        UsageError: `address` is none.

    Spec: AgentCard v0.1 (Discovery).

    Example:
        >>> agent_card_url("@helper@agents.example")
        'https://agents.example/.well-known/agent-card/helper'
    """
    own = agent_address(address)
    return f"https://{own.domain}/.well-known/agent-card/{quote(own.local, safe='')}"


def requested_resource(request: HttpRequest) -> str:
    """The resource that a WebFinger request asks for, decoded: `acct:agent@domain`, or a URL.

    Raises:
        WireError: `resource-malformed`: there is not exactly one, it is too long, or badly encoded.
        UsageError: `request` is none.

    Spec: RFC 7033 §4.1, §4.2.
    """
    check_request(request)
    return _parameters(request)[0]


def _parameters(request: HttpRequest) -> tuple[str, frozenset[str]]:
    """The resource that is asked for, and the relations of its links; none means all."""
    query = query_of(request.url)
    pairs = [pair.partition("=") for pair in query.split("&", _MAX_PARAMETERS)]
    if len(query) > _MAX_LENGTH or len(pairs) > _MAX_PARAMETERS:
        raise wire_error("resource-malformed", "", "the query is too long")
    parameters = [(_decoded(name), _decoded(text)) for name, _, text in pairs]
    resources = [text for name, text in parameters if name == "resource"]
    if len(resources) != 1 or not resources[0]:
        raise wire_error("resource-malformed", "", "a request asks for exactly one resource")
    return resources[0], frozenset(text for name, text in parameters if name == "rel")


def _decoded(text: str) -> str:
    """A name or value of a query; a plus sign is one."""
    if not _ENCODED(text):
        raise wire_error("resource-malformed", "", "the query is not percent-encoded ASCII")
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise wire_error("resource-malformed", "", "the query is not UTF-8") from None


def webfinger_response(request: HttpRequest, *, agents: Iterable[Mapping[str, Any]]) -> HttpResponse:
    """The response to a request for `/.well-known/webfinger`, whatever was asked.

    An `acct:` is compared without regard to case. Where that makes two agents one, the response is 404: a message to
    one of them must not reach the other. An alias matches only as it is written.

    Args:
        request: The request.
        agents: The documents of your agents, as `write_jrd` or `activitypub.webfinger` made them. Of many, look up
            those that can match: `requested_resource` says which resource is asked for.

    Returns:
        200 with the document, its links narrowed to the relations that were asked for; 400 for a malformed request,
        404 for a resource that you do not serve, 405 for another method than GET and HEAD.

    Raises:
        UsageError: `request` is none, or one of `agents` is no such document.

    Spec: RFC 7033 §4, §5; WebFinger for Mentionable agents §1.

    Example:
        >>> from mentionable import HttpRequest
        >>> jrd = write_jrd("@helper@agents.example", agent_card="https://agents.example/.well-known/agent-card/helper")
        >>> url = "https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example"
        >>> webfinger_response(HttpRequest(method="GET", url=url), agents=[jrd]).status
        200
    """
    # 1. check method and path     3. find the one agent with that name
    # 2. read the query            4. respond with the links that are asked for

    # 1.
    check_request(request)
    if request.method not in ("GET", "HEAD"):
        return empty_response(405, ("allow", "GET, HEAD"))
    if path_of(request.url) != _PATH:
        return empty_response(404)

    # 2.
    try:
        resource, rels = _parameters(request)
    except WireError:
        return empty_response(400)
    name = _folded(resource)
    if name is None:
        return empty_response(400)

    # 3. Two that differ in case alone are ambiguous: a message to one must not reach the other.
    matches = [jrd for jrd in agents if name in _names(jrd)]
    if len(matches) != 1:
        return empty_response(404)

    # 4.
    document: dict[str, Any] = plain(matches[0])
    if rels:
        document["links"] = [link for link in document.get("links") or () if link.get("rel") in rels]
    response = public_response(document, JRD_TYPE)
    return response if request.method == "GET" else replace(response, body=b"")


def _folded(resource: str) -> str | None:
    """The form in which a resource is compared: an address in lower case, anything else as it is; None for no `acct:`.

    A domain must come as A-labels: no Unicode domain is converted here.
    """
    if ascii_lower(resource[:5]) != "acct:":
        return resource
    address = canonical(resource) if resource.isascii() else None
    return None if address is None else address.lower()


def _names(jrd: object) -> tuple[object, ...]:
    """The forms in which a resource is compared that this document is for."""
    subject = jrd.get("subject") if isinstance(jrd, Mapping) else None
    if not isinstance(jrd, Mapping) or not isinstance(subject, str):
        raise UsageError("agents are documents as write_jrd makes them")
    return (_folded(subject), *(jrd.get("aliases") or ()))
