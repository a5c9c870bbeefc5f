"""Ids and other IRIs of ActivityStreams documents, judged by their text alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._wire.http import is_fetchable_url, is_web_url

AS2: Final = "https://www.w3.org/ns/activitystreams"
"""The namespace of ActivityStreams 2.0, and its JSON-LD context."""

ACTORS: Final = frozenset({"Person", "Service", "Application", "Group", "Organization"})
PUBLIC: Final = frozenset({f"{AS2}#Public", "as:Public", "Public"})
"""The three ways to write the public collection (ActivityPub §5.6)."""

_HOST: Final = re.compile(r"https://([A-Za-z0-9.-]++)", re.ASCII).match
_LONGEST: Final = 8_192
"""No longer URL is asked for, whatever the limit of ids is."""

_REST: Final = re.compile(r"[!-\"$-;=?-\[\]^-z|~]*+(?:#[!-~]*+)?", re.ASCII).fullmatch
_ABSOLUTE: Final = re.compile(
    r"https?://[!#-;=?-\[\]_a-z~]++"  # Most are plain web URLs, and of these the class is told the fastest.
    r"|(?!(?i:javascript|data|vbscript|file|blob):)[A-Za-z][A-Za-z0-9+.-]{0,31}:[^\s\x00-\x20\x7f-\x9f<>\"\\^`{|}]++"
).fullmatch
_AUTHORITY: Final = re.compile(
    r"(?:https?://|tag:(?:[^@,]{1,64}@)?)([A-Za-z0-9.-]{1,253})(?=[:/?#,]|\Z)", re.ASCII | re.IGNORECASE
).match


_REMEMBERED_CHARS: Final = 512
"""Only ids up to this length are remembered, so that hostile ones cannot fill the memory."""


def host_of(iri: str) -> str | None:
    """The host of an id in lower case; None unless the id is one that may be asked for.

    Ids of one actor come again and again, so the last ones are remembered.
    """
    return _remembered_host(iri) if len(iri) <= _REMEMBERED_CHARS else _host(iri)


def host_in(value: object) -> str | None:
    """The host of an id that a program gave; None for whatever is no id that may be asked for."""
    return host_of(value) if isinstance(value, str) else None


def _host(iri: str) -> str | None:
    found = _HOST(iri) if is_fetchable_url(iri) else None
    return found[1].lower() if found else None


_remembered_host: Final = lru_cache(1024)(_host)


def is_at(iri: str, host: str) -> bool:
    """Whether `iri` is an id that may be asked for at `host`."""
    prefix = f"https://{host}/"
    if iri.startswith(prefix):
        if len(iri) > _LONGEST:
            return False
        return _REST(iri, len(prefix)) is not None
    return _host(iri) == host


def authority_of(iri: str) -> str | None:
    """Whose word an IRI is: the host of an http(s) URL or the authority of a `tag:` URI, or None when it has none."""
    found = _AUTHORITY(iri)
    return found[1].lower() if found else None


def is_opaque_iri(text: str, *, limits: Limits) -> bool:
    """Whether `text` is an absolute IRI that may be carried as an id: not too long, nothing a browser would run."""
    return len(text) <= limits.id_chars and _ABSOLUTE(text) is not None


def web_url(entry: Any) -> str | None:
    """The http(s) URL that an entry of `url` is, or that it has as `href`; None when it has none to show to people."""
    url = entry.get("href") if entry.__class__ is dict else entry
    return url if url.__class__ is str and is_web_url(url) else None


def without_fragment(iri: str) -> str:
    """The IRI of the document that holds `iri`."""
    return iri.partition("#")[0]


def many(value: Any) -> Sequence[Any]:
    """A member that may be one value or an array, as a sequence; nothing for null and for absence."""
    if value.__class__ is list:
        found: list[Any] = value
        return found
    return () if value is None else (value,)


def reference(value: Any) -> str | None:
    """The IRI that one value names: a string, an object's `id`, or a Link's `href`; never more than a claim."""
    if value.__class__ is dict:
        own = value.get("id")
        value = own if own.__class__ is str and own else value.get("href")
    return value if value.__class__ is str else None


def identifier(value: Any, at: str, *, limits: Limits) -> str:
    """The id that a member names: a string, an object with an `id`, or an array of exactly one of these.

    Raises:
        WireError: `missing-member`, `wrong-type`, `id-too-long`. What the id must look like is up to the caller.
    """
    if value.__class__ is list and len(value) == 1:
        value = value[0]
    if value.__class__ is dict:
        value = value.get("id")
    if value is None:
        raise wire_error("missing-member", at, "an id is required")
    if value.__class__ is not str:
        raise wire_error("wrong-type", at, "must name exactly one id, as a string")
    iri: str = value
    if len(iri) > limits.id_chars:
        raise wire_error("id-too-long", at, f"longer than {limits.id_chars} characters")
    return iri


def local_id(value: Any, at: str, host: str, *, limits: Limits) -> str:
    """The id that a member names, which must be of the origin of `host`.

    Raises:
        WireError: As `identifier`; `id-refused` for anything but an https URL on the default port of a DNS name,
            without userinfo; `origin-mismatch` for another host.
    """
    if value.__class__ is str and len(value) <= limits.id_chars and is_at(value, host):
        found: str = value
        return found
    iri = identifier(value, at, limits=limits)
    if not is_at(iri, host):
        if _host(iri) is None:
            raise wire_error("id-refused", at, "must be an https URL on the default port of a DNS name")
        raise wire_error("origin-mismatch", at, "is not of the origin of the actor")
    return iri


def type_in(value: Any, known: frozenset[str]) -> str | None:
    """The first type in `value` (one or an array) that is in `known`; `as:` and the full namespace may precede it."""
    if value.__class__ is str:
        if value in known:
            name: str = value
            return name
        if ":" not in value:
            return None
    for item in many(value):
        if item.__class__ is str:
            name = item.removeprefix("as:").removeprefix(f"{AS2}#")
            if name in known:
                return name
    return None
