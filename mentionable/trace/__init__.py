"""The trace: a whole response that travels with its visible text, for readers who can use its structure.

ActivityPub carries it as the address of a link at the end of the text, mail as a part that no mail program shows; A2A
needs none. It is as little to be trusted as its message, and is never what authorizes anything.

Example:
    >>> from mentionable import NormalizedResponse, ToolCallPart, trace
    >>> call = ToolCallPart(id="c1", name="web_search", args={"q": "rain"}, result=[], duration_ms=412)
    >>> written = trace.write(NormalizedResponse(reply_to="m1", parts=(call,)))
    >>> written.text, written.href.partition("#")[0]
    ('[trace: web_search ✓ 412ms]', 'https://mentionable.dev/trace')
    >>> trace.read(written.href).parts[0].args
    {'q': 'rain'}
"""

from __future__ import annotations

from ._anchor import Anchor, find_anchor
from ._payload import Payload, payload_of, read, read_leniently
from ._read import ExtractedTrace, extract
from ._viewer import viewer_of
from ._write import EncodedTrace, write

__all__ = [
    "Anchor",
    "EncodedTrace",
    "ExtractedTrace",
    "Payload",
    "extract",
    "find_anchor",
    "payload_of",
    "read",
    "read_leniently",
    "viewer_of",
    "write",
]
