"""Taking a trace out of the body that it came in."""

from __future__ import annotations

import re
from typing import Final

from .._errors.exceptions import WireError
from .._model.base import frozen
from .._model.diagnostic import Diagnostic, unread
from .._model.message import NormalizedResponse
from ._anchor import Anchor, check_version, find_anchor
from ._payload import read

_REFERENCE: Final = re.compile(r"&#?[A-Za-z0-9]{0,32}\Z").search


@frozen
class ExtractedTrace:
    """What became of the trace in a body.

    Attributes:
        html: The body, without the anchor when it could be read.
        response: The response that it carried.
        href: The address that carried it, when it could be read.
        diagnostic: Why it could not be read, with the place in the response. The message is none the worse for it.
        notes: What of the response was left out; each `at` is relative to it.
    """

    html: str
    response: NormalizedResponse | None = None
    href: str | None = None
    diagnostic: Diagnostic | None = None
    notes: tuple[Diagnostic, ...] = ()


def extract(html: str) -> ExtractedTrace:
    """The body of a message without its trace, and the trace.

    Only the first anchor counts. One that cannot be read stays where it is.

    Spec: Normalized Message §10.3, §10.6, §10.8.

    Example:
        >>> from mentionable import NormalizedResponse, TextPart
        >>> from mentionable.trace import extract, write
        >>> response = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
        >>> found = extract("<p>Hello</p><p>" + write(response).html + "</p>")
        >>> found.html, found.response == response
        ('<p>Hello</p>', True)
    """
    anchor = find_anchor(html)
    if anchor is None:
        return ExtractedTrace(html=html)
    notes = list[Diagnostic]()
    try:
        check_version(anchor)
        response = read(anchor.href, notes=notes)
    except WireError as error:
        return ExtractedTrace(html=html, diagnostic=unread(error))
    return ExtractedTrace(html=_without(html, anchor), response=response, href=anchor.href, notes=tuple(notes))


def _without(html: str, anchor: Anchor) -> str:
    """The HTML around an anchor. What stood apart is not joined to a tag or a character reference."""
    before = html[: anchor.start]
    is_open = before.rfind("<") > before.rfind(">") or _REFERENCE(before) is not None
    return before + ("<!---->" if is_open else "") + html[anchor.end :]
