"""Documents that were asked for: taken only when they are what their URL promised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import WireError
from ..._flow.asks import Fetch, Fetched
from ..._flow.flow import Failed
from ..._flow.settings import Limits
from ..._model.base import frozen, unchecked
from ..._model.diagnostic import Diagnostic
from ..._model.sender import Avatar, Sender, SenderProfile
from ..._text.display_names import display_name
from ..._text.media import single_line
from ..._wire.address import Address, address_of_name
from ..._wire.http import is_busy, is_gone, is_web_url
from ..._wire.strict_json import MAX_SAFE_INTEGER, loads
from .json_ld import (
    ACTORS,
    AS2,
    PUBLIC,
    check_document,
    host_of,
    is_at,
    is_opaque_iri,
    many,
    media_type,
    natural_value,
    type_in,
    web_url,
    without_fragment,
)

ACCEPT: Final = f'application/activity+json, application/ld+json; profile="{AS2}"'
"""What to ask a server for (ActivityPub §3.2)."""

GONE: Final = 410
"""The status of what was there and is gone for good; 404 does not say that (RFC 9110 §15.5.11)."""

_ACTIVITY_JSON: Final = re.compile(r"[ \t]*+application/activity\+json[ \t]*+(?:;.*+)?", re.IGNORECASE).fullmatch
_LD_JSON: Final = re.compile(r"[ \t]*+application/ld\+json[ \t]*+(?=;)", re.IGNORECASE).match
_PARAMETER: Final = re.compile(
    r";[ \t]*+(?:([!#$%&'*+.^_`|~0-9A-Za-z-]++)=(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\"|([^\";]*+)))?[ \t]*+(?=;|\Z)"
).match


REMEMBERED_ACTORS: Final = 256
"""How many actor documents stay read in memory."""

REMEMBERED_BYTES: Final = 16_384
"""Only documents up to this size are remembered, so that hostile ones cannot fill the memory."""

_avatar = unchecked(Avatar)

_profile = unchecked(SenderProfile)

_sender = unchecked(Sender)


class Unreadable(NamedTuple):
    """A document that cannot be used.

    Attributes:
        reason: Why, in words.
        temporary: Whether asking again later may help.
        is_gone: Whether its server says that there is none.
    """

    reason: str
    temporary: bool = False
    is_gone: bool = False

    def diagnostic(self, what: str) -> Diagnostic:
        """The diagnostic that `what`, an ancestor or an author of one, could not be had."""
        detail = f"{what}: {self.reason}"
        return Diagnostic(code="lookup-unanswered", at="/object/inReplyTo", detail=detail, temporary=self.temporary)


def fetch(url: str, purpose: str, *, fresh: bool = False, limits: Limits) -> Fetch:
    """The ask for an ActivityStreams document. `url` must have passed `is_fetchable_url`."""
    return _fetch(url, purpose, fresh, limits.fetched_bytes)


@lru_cache(1024)
def _fetch(url: str, purpose: str, fresh: bool, max_bytes: int) -> Fetch:
    """The same document is asked for again and again; an ask never changes, so it need not be made anew."""
    return Fetch(url=url, accept=ACCEPT, purpose=purpose, fresh=fresh, max_bytes=max_bytes)


def read_document(answer: Fetched | Failed, asked: str, limits: Limits) -> dict[str, Any] | Unreadable:
    """The document that came for `asked`, or why it cannot be used.

    It must be ActivityStreams by its content type, come from the origin that was asked, and call itself by the URL
    that it came from, so that no upload, redirect or copy can speak for another id. Its `id`, fragment included,
    is checked, so callers may use it as it is.
    """
    fetched = read_object_of(answer, asked, limits)
    if isinstance(fetched, Unreadable):
        return fetched
    document, url = fetched
    try:
        check_document(document)
    except WireError as error:
        return Unreadable(str(error))
    own = document.get("id")
    if own.__class__ is not str or without_fragment(own) != without_fragment(url):
        return Unreadable("its id is not the URL that it came from")
    if not is_opaque_iri(own, limits) or host_of(own) != host_of(asked):
        return Unreadable("its id is none that may be carried")
    return document


def read_object_of(answer: Fetched | Failed, asked: str, limits: Limits) -> tuple[dict[str, Any], str] | Unreadable:
    """The JSON object that came for `asked` from its origin, by its content type ActivityStreams; and its final URL.

    The caller must check that the document may speak for its id.
    """
    if isinstance(answer, Failed):
        return Unreadable(f"not answered: {answer.reason}", answer.temporary)
    if answer.status != 200:
        return Unreadable(f"status {answer.status}", is_busy(answer.status), is_gone(answer.status))
    if not is_activitystreams(answer.content_type):
        return Unreadable("not ActivityStreams by its content type")
    host = host_of(asked)
    if host is None or not is_at(answer.url, host):
        return Unreadable("it came from another origin")
    try:
        document = loads(answer.body, max_bytes=limits.fetched_bytes, max_depth=limits.json_depth)
    except WireError as error:
        return Unreadable(str(error))
    if document.__class__ is not dict:
        return Unreadable("not a JSON object")
    return document, answer.url


def is_activitystreams(content_type: str) -> bool:
    """Whether a content type is one of the two of ActivityStreams (ActivityPub §3.2)."""
    if _ACTIVITY_JSON(content_type):
        return True
    match = _LD_JSON(content_type)
    is_profiled = False
    while match is not None and match.end() < len(content_type):
        match = _PARAMETER(content_type, match.end())
        if match is not None and (match[1] or "").lower() == "profile":
            is_profiled |= AS2 in (match[2] or match[3] or "").split()
    return is_profiled and match is not None


ADDRESSLESS: Final = Unreadable("its preferredUsername and its host make no address")
"""The document is an actor's, but the actor has no address."""


@frozen
class Actor:
    """An actor document that was read, shared between calls.

    Attributes:
        sender: Who they are, unverified.
        document: The document as it came; it must not be changed.
        diagnostics: What could not be read.
    """

    sender: Sender
    document: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...]


def read_actor(answer: Fetched | Failed, actor: str, limits: Limits) -> Actor | Unreadable:
    """The actor whose document came for the id `actor`, or why it cannot be used.

    The same bytes for the same id are read once: small documents are remembered, a bounded number of them. The next
    activity of a sender whose document the caller has cached then costs no parsing.

    Spec: Normalized Message §3.1 (sender.address, sender.profile), §5.
    """
    if isinstance(answer, Failed):
        return Unreadable(f"not answered: {answer.reason}", answer.temporary)
    if len(answer.body) <= REMEMBERED_BYTES and len(answer.content_type) <= 256 and len(answer.url) <= 2_048:
        return _remembered(answer, actor, limits)
    return _read(answer, actor, limits)


def _read(answer: Fetched, actor: str, limits: Limits) -> Actor | Unreadable:
    """The actor in a document that says it is `actor`, exactly: the same host is not the same person."""
    document = read_document(answer, actor, limits)
    if isinstance(document, Unreadable):
        return document
    if document["id"] != actor:
        return Unreadable("it is the document of another id")
    if type_in(document.get("type"), ACTORS) is None or actor in PUBLIC:
        return Unreadable("it is no actor")
    username = document.get("preferredUsername")
    if username.__class__ is not str or "/" in username:
        return ADDRESSLESS
    host = host_of(actor) or ""
    address = address_of_name(username, host)
    if address is None:
        return ADDRESSLESS
    name, name_diagnostics = _display_name(document, address)
    page, page_diagnostics = _page(many(document.get("url")))
    avatar, avatar_diagnostics = _picture(document.get("icon"))
    profile = _profile(
        display_name=name,
        username=username,
        url=page,
        avatar=avatar,
        provider="activitypub",
        provider_subject=actor,
    )
    return Actor(
        sender=_sender(address=address, display_name=name, profile=profile),
        document=document,
        diagnostics=(*name_diagnostics, *page_diagnostics, *avatar_diagnostics),
    )


_remembered = lru_cache(REMEMBERED_ACTORS)(_read)


def _display_name(document: dict[str, Any], address: Address) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The name of an actor on one line, without invisible characters; and diagnostics."""
    _, value = natural_value(document, "name")
    if value is None:
        return None, ()
    if value.__class__ is not str:
        return None, (Diagnostic(code="member-dropped", at="/actor/name", detail="expected a string"),)
    return display_name(single_line(value), address, at="/actor/name")


def _page(urls: Sequence[Any]) -> tuple[str | None, Sequence[Diagnostic]]:
    """The page about an actor: the first link to HTML, else the first URL of any kind; and diagnostics."""
    links = [entry for entry in urls if entry.__class__ is dict]
    pages = [link for link in links if media_type(link.get("mediaType")) == "text/html"]
    for entry in (*pages, *urls):
        url = web_url(entry)
        if url is not None:
            return url, ()
    if urls:
        return None, [Diagnostic(code="url-refused", at="/actor/url", detail="no http(s) URL of a page")]
    return None, ()


def _picture(icon: Any) -> tuple[Avatar | None, Sequence[Diagnostic]]:
    """The first icon with a web URL, which is never fetched; and diagnostics."""
    if icon.__class__ is dict:
        url = icon.get("url")
        if url.__class__ is str and is_web_url(url):  # what nearly all servers send
            return _described_picture(url, icon, icon, "/actor/icon")
    icons = _with_pointers(icon, "/actor/icon")
    for pointer, image in icons:
        whole = image if image.__class__ is dict else {}
        targets = _with_pointers(whole.get("url"), f"{pointer}/url")
        targets = targets or _with_pointers(whole.get("href"), f"{pointer}/href")
        for target_pointer, target in targets if whole else [(pointer, image)]:
            link_pointer, link = (target_pointer, target) if target.__class__ is dict else (pointer, whole)
            url = web_url(target)
            if url is not None:
                return _described_picture(url, link, whole, link_pointer)
    if icons:
        return None, [Diagnostic(code="url-refused", at="/actor/icon", detail="no http(s) URL of a picture")]
    return None, ()


def _described_picture(
    url: str, link: dict[str, Any], whole: dict[str, Any], pointer: str
) -> tuple[Avatar, Sequence[Diagnostic]]:
    """The picture at `url`, which `link` (at `pointer`: the icon, or one of its URLs) describes; and diagnostics."""
    mime = media_type(link.get("mediaType")) or media_type(whole.get("mediaType"))
    width, height = _pixels(link.get("width")), _pixels(link.get("height"))
    diagnostics: list[Diagnostic] = []
    for name, value in (("mediaType", mime), ("width", width), ("height", height)):
        if value is None and link.get(name) is not None:
            diagnostics.append(Diagnostic(code="member-dropped", at=f"{pointer}/{name}", detail="it does not fit"))
    return _avatar(url=url, mime_type=mime, width=width, height=height), diagnostics


def _with_pointers(value: Any, pointer: str) -> list[tuple[str, Any]]:
    """The values of a member that may be one or an array, each with its pointer."""
    if value.__class__ is not list:
        return [] if value is None else [(pointer, value)]
    return [(f"{pointer}/{index}", one) for index, one in enumerate(value)]


def _pixels(value: Any) -> int | None:
    return value if value.__class__ is int and 0 < value <= MAX_SAFE_INTEGER else None
