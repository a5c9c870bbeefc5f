"""What the one who fetches is answered: headers for a file, and one refusal for everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from ..._errors.exceptions import UsageError
from ..._flow.outcome import Rejected
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
"""The headers of every answer under a capability URL: nobody keeps it, shows it, runs it or is told the URL.

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
    _check_text(name)
    _check_text(mime)
    headers: Mapping[str, str] = {
        **dict(RESPONSE_HEADERS),
        "content-disposition": _disposition(file_name(well_formed(name)) if name else None),
        "content-type": (media_type(mime) if mime else None) or OCTET_STREAM,
    }
    return tuple(sorted(headers.items()))


def _check_text(text: object) -> None:
    if text is not None and not isinstance(text, str):
        raise UsageError("name and mime are text, or None")


def _disposition(name: str | None) -> str:
    """The value of Content-Disposition for a name that is one line without folders."""
    if name is None:
        return "attachment"
    plain = "".join(char if char in _NAME_CHARS else "_" for char in name)
    if plain == name:
        return f'attachment; filename="{name}"'
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def error_response(rejected: Rejected) -> HttpResponse:
    """The answer to a fetch that is refused. All refusals read the same; only the status tells what to do about it.

    404: there is no such file. 403: not for you, or not now, or not so much. 410: it is over. 503: try again.

    Raises:
        UsageError: It is no `Rejected`.
    """
    if not isinstance(rejected, Rejected):
        raise UsageError("rejected must be Rejected")
    headers = (*RESPONSE_HEADERS, ("content-type", "text/plain; charset=utf-8"))
    return HttpResponse(status=rejected.http_status, headers=headers, body=REFUSAL)
