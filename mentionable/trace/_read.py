"""Taking a trace out of the body that it came in."""

from __future__ import annotations

import re
from typing import Final

from .._errors.exceptions import WireError
from .._model.base import frozen
from .._model.diagnostic import Diagnostic, unread
from .._model.message import NormalizedResponse
from ._anchor import Anchor, check_version, find_anchor
from ._payload import read_leniently

_REFERENCE: Final = re.compile(r"&#?[A-Za-z0-9]{0,32}\Z").search


@frozen
class ExtractedTrace:
    """A body, and the trace that was in it.

    Attributes:
        html: The body, without the anchor when it could be read.
        response: The response that it carried; None without an anchor, or when it cannot be read.
        href: The address that carried it, when it could be read.
        diagnostics: Why it cannot be read, or what of the response was left out; each `at` is relative to it. The
            message stays valid.
    """

    html: str
    response: NormalizedResponse | None = None
    href: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def extract(html: str) -> ExtractedTrace:
    """The body of a message without its trace, and the trace.

    Only the first anchor counts. One that cannot be read stays where it is.

    Spec: Normalized Message §10.3, §10.6, §10.8.

    Example:
        >>> from mentionable import NormalizedResponse, TextPart
        >>> from mentionable.trace import extract, write
        >>> response = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
        >>> extracted = extract("<p>Hello</p><p>" + write(response).html + "</p>")
        >>> extracted.html, extracted.response == response
        ('<p>Hello</p>', True)
    """
    anchor = find_anchor(html)
    if anchor is None:
        return ExtractedTrace(html=html)
    try:
        check_version(anchor)
        response, diagnostics = read_leniently(anchor.href)
    except WireError as error:
        return ExtractedTrace(html=html, diagnostics=(unread(error),))
    return ExtractedTrace(html=_without(html, anchor), response=response, href=anchor.href, diagnostics=diagnostics)


def _without(html: str, anchor: Anchor) -> str:
    """The HTML around an anchor. What stood apart is not joined to a tag or a character reference."""
    before = html[: anchor.start]
    is_open = before.rfind("<") > before.rfind(">") or _REFERENCE(before) is not None
    return before + ("<!---->" if is_open else "") + html[anchor.end :]
