"""Writing the trace of a response."""

from __future__ import annotations

from attrs import field

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULT_VIEWER, MAX_TRACE_BYTES, is_viewer
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse
from ._anchor import anchor_html, anchor_text
from ._payload import link_of, payload_of


@frozen
class EncodedTrace:
    """The trace of a response in every form in which it travels.

    Attributes:
        text: What a link to it says.
        data: The JSON that travels in mail; None when the response is too large to have a trace.
        href: The address of the link; None likewise.
        diagnostic: What had to be left out, if anything.
    """

    text: str
    data: bytes | None = field(default=None, repr=False)
    href: str | None = field(default=None, repr=False)
    diagnostic: Diagnostic | None = None

    @property
    def html(self) -> str:
        """The anchor to put at the end of a body; empty when there is no trace."""
        return "" if self.href is None else anchor_html(self.href, self.text)


def write(
    response: NormalizedResponse, *, viewer: str | None = DEFAULT_VIEWER, limit: int = MAX_TRACE_BYTES
) -> EncodedTrace:
    """The trace of a response.

    Args:
        response: The response as it goes out. Nothing but what is in it is written.
        viewer: The https URL of the page that shows traces, or None for none; see `viewer_of`.
        limit: How many characters of base64 it may have, at most 65536.

    Raises:
        UsageError: `viewer` is no https URL.

    Spec: Normalized Message §10.2 to §10.5, §10.7.
    """
    if viewer is not None and not is_viewer(viewer):
        raise UsageError("viewer is the https URL of a page, or None")
    data, diagnostic = payload_of(response, limit=limit)
    href = None if data is None else link_of(data, viewer=viewer)
    return EncodedTrace(text=anchor_text(response), data=data, href=href, diagnostic=diagnostic)
