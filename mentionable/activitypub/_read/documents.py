"""Documents that were asked for: taken only when they are what their URL promised."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import WireError
from ..._flow.ask import Failed
from ..._flow.asks import Fetch, Fetched
from ..._flow.settings import Limits
from ..._model.diagnostic import Diagnostic
from ..._wire.http import is_busy, is_gone
from ..._wire.strict_json import loads
from .context import check_document
from .iri import AS2, host_of, is_at, is_opaque_iri, without_fragment

ACCEPT: Final = f'application/activity+json, application/ld+json; profile="{AS2}"'
"""What to ask a server for (ActivityPub §3.2)."""

_ACTIVITY_JSON: Final = re.compile(r"[ \t]*+application/activity\+json[ \t]*+(?:;.*+)?", re.IGNORECASE).fullmatch
_LD_JSON: Final = re.compile(r"[ \t]*+application/ld\+json[ \t]*+(?=;)", re.IGNORECASE).match
_PARAMETER: Final = re.compile(
    r";[ \t]*+(?:([!#$%&'*+.^_`|~0-9A-Za-z-]++)=(?:\"([^\"\\]*+(?:\\.[^\"\\]*+)*)\"|([^\";]*+)))?[ \t]*+(?=;|\Z)"
).match


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

    def note(self, what: str) -> Diagnostic:
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


def read_document(answer: Fetched | Failed, asked: str, *, limits: Limits) -> dict[str, Any] | Unreadable:
    """The document that came for `asked`, or why it cannot be used.

    It must be ActivityStreams by its content type, come from the origin that was asked, and call itself by the URL
    that it came from, so that no upload, redirect or copy can speak for another id. Its `id` may be carried as it is:
    the fragment too keeps to the rules of ids.
    """
    found = read_object_of(answer, asked, limits=limits)
    if isinstance(found, Unreadable):
        return found
    document, url = found
    try:
        check_document(document)
    except WireError as error:
        return Unreadable(str(error))
    own = document.get("id")
    if own.__class__ is not str or without_fragment(own) != without_fragment(url):
        return Unreadable("its id is not the URL that it came from")
    if not is_opaque_iri(own, limits=limits) or host_of(own) != host_of(asked):
        return Unreadable("its id is none that may be carried")
    return document


def read_object_of(answer: Fetched | Failed, asked: str, *, limits: Limits) -> tuple[dict[str, Any], str] | Unreadable:
    """The JSON object that came for `asked` from its origin, by its content type ActivityStreams; and its final URL.

    Whose word it is must be looked at by whoever reads it.
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
    found = _LD_JSON(content_type)
    is_profiled = False
    while found is not None and found.end() < len(content_type):
        found = _PARAMETER(content_type, found.end())
        if found is not None and (found[1] or "").lower() == "profile":
            is_profiled |= AS2 in (found[2] or found[3] or "").split()
    return is_profiled and found is not None
