"""IRIs, addresses of the web in any script, as URIs."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from .address import canonical_domain

_PARTS: Final = re.compile(r"([A-Za-z]+://(?:[^/?#@]*@)?)([^/?#@:]+)(.*)", re.DOTALL).fullmatch
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]++")
_DOTS: Final = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))  # dots to browsers, in links alone


def to_uri(iri: str) -> str:
    """An IRI as a URI: its host in A-labels, every other character beyond ASCII percent-encoded.

    A host that is no domain name is percent-encoded too: its letters may look like those of another, and programs
    that follow the link may read them so.

    Spec: RFC 3987 §3.1.
    """
    if iri.isascii():
        return iri
    if parts := _PARTS(iri):
        front, host, rest = parts.groups()
        iri = front + (host if host.isascii() else canonical_domain(host.translate(_DOTS)) or host) + rest
    return _BEYOND_ASCII.sub(lambda match: quote(match[0], errors="replace"), iri)
