"""The HTTP responses to a fetch: headers for a file, and one error response for every rejection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from ..._errors.exceptions import UsageError
from ..._flow.outcome import Rejected
from ..._flow.settings import check_kind
from ..._text.media import OCTET_STREAM, file_name, media_type
from ..._wire.http import HttpResponse
from ..._wire.strict_json import well_formed

RESPONSE_HEADERS: Final[tuple[tuple[str, str], ...]] = (
    ("cache-control", "no-store"),
    ("content-disposition", "attachment"),
    ("content-security-policy", "default-src 'none'; sandbox"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
)
"""The headers of every response under a capability URL: no cache, no rendering, no script, no referrer.

`response_headers` gives them with the name and the type of a file.
"""

REFUSAL: Final = b"The file is not available.\n"
_NAME_CHARS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_ ")


def response_headers(*, name: str | None = None, mime: str | None = None) -> tuple[tuple[str, str], ...]:
    r"""The headers for a file: `RESPONSE_HEADERS` with its type, and a name that is safe to save it under.

    Args:
        name: What the platform calls the file. Folders, controls and what turns or hides characters are taken out.
        mime: Its media type; what is none becomes `application/octet-stream`.

    Spec: decisions C1; RFC 6266, RFC 8187.

    Example:
        >>> dict(response_headers(name="../Jahres\u00fcbersicht.pdf", mime="application/pdf"))["content-disposition"]
        'attachment; filename="Jahres_bersicht.pdf"; filename*=UTF-8\'\'Jahres%C3%BCbersicht.pdf'
    """
    if not all(text is None or isinstance(text, str) for text in (name, mime)):
        raise UsageError("name and mime are text, or None")
    headers: Mapping[str, str] = {
        **dict(RESPONSE_HEADERS),
        "content-disposition": _disposition(file_name(well_formed(name)) if name else None),
        "content-type": (media_type(mime) if mime else None) or OCTET_STREAM,
    }
    return tuple(sorted(headers.items()))


def _disposition(name: str | None) -> str:
    """The value of Content-Disposition for a name on one line without folders."""
    if name is None:
        return "attachment"
    plain = "".join(char if char in _NAME_CHARS else "_" for char in name)
    if plain == name:
        return f'attachment; filename="{name}"'
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def error_response(rejected: Rejected) -> HttpResponse:
    """The response to a rejected fetch. All bodies are the same; only the status differs.

    404: there is no such file. 403: not for you, or not now, or not so much. 410: it is over. 503: try again.

    Raises:
        UsageError: It is no `Rejected`.
    """
    check_kind(rejected, Rejected, "rejected")
    headers = (*RESPONSE_HEADERS, ("content-type", "text/plain; charset=utf-8"))
    return HttpResponse(status=rejected.http_status, headers=headers, body=REFUSAL)
