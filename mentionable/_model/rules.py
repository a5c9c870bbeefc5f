"""The kinds of text and number that members of the contract may hold: types with a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

from .._wire.address import canonical_domain, is_canonical
from .._wire.http import is_web_url
from .._wire.strict_json import MAX_SAFE_INTEGER as _MOST
from .._wire.time import is_time, utc_text
from .annotation import Rule

_TYPE: Final = "[a-z0-9!#$&^_.+-]{1,127}/[a-z0-9!#$&^_.+-]{1,127}"
_MEDIA_TYPE: Final = re.compile(_TYPE).fullmatch
_PARAMETER: Final = r"""; [a-z0-9!#$%&'*+.^_`|~-]+=(?:[A-Za-z0-9!#$%&'*+.^_`|~-]+|"(?:[\t -!#-[\]-~]|\\[\t -~])*")"""
_TYPE_WITH_PARAMETERS: Final = re.compile(f"{_TYPE}(?:{_PARAMETER})*").fullmatch
_NEXT_PARAMETER: Final = re.compile(
    r"""[\t ]*;[\t ]*(?:([A-Za-z0-9!#$%&'*+.^_`|~-]+)=([A-Za-z0-9!#$%&'*+.^_`|~-]+|"(?:[\t -!#-[\]-~]|\\[\t -~])*"))?"""
).match
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]*+={0,2}").fullmatch  # of a multiple of four
_MOST_OF_TYPE: Final = 1_024
"""Characters of a media type with its parameters."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch
_STATE: Final = re.compile(r"[A-Za-z0-9_-]{22,128}").fullmatch
_SHA256: Final = re.compile(r"[0-9a-f]{64}").fullmatch


def is_media_type(text: str) -> bool:
    """Whether `text` is a media type in lower case without parameters."""
    return _MEDIA_TYPE(text) is not None


def _has_type_form(text: str) -> bool:
    return len(text) <= _MOST_OF_TYPE and _TYPE_WITH_PARAMETERS(text) is not None


def read_media_type(text: str) -> str | None:
    """A media type in any spelling as `type/subtype; name=value`; None when it is none.

    Names are in lower case, values as they came, without quotes that they do not need.

    Spec: RFC 9110 §8.3.1.
    """
    if len(text) > _MOST_OF_TYPE or not text.isascii():  # the lower case of some other letters is ASCII
        return None
    if _MEDIA_TYPE(text):
        return text
    kind, semicolon, _ = text.partition(";")
    written = [kind.strip("\t ").lower()]
    at = len(kind)
    while semicolon and (match := _NEXT_PARAMETER(text, at)) is not None:
        at = match.end()
        if match[1] is not None:
            written.append(f"{match[1].lower()}={_plain_value(match[2])}")
    canonical = "; ".join(written)
    return canonical if not text[at:].strip("\t ") and _has_type_form(canonical) else None


def _plain_value(value: str) -> str:
    """A parameter's value without quotes that it does not need."""
    if value[0] != '"':
        return value
    plain = re.sub(r"\\(.)", r"\1", value[1:-1])
    if is_token(plain):
        return plain
    return '"' + re.sub(r'([\\"])', r"\\\1", plain) + '"'


def bare_type(text: str) -> str:
    """The media type without its parameters: what programs compare."""
    kind = text.partition(";")[0].strip("\t ")
    return kind.lower() if kind.isascii() else kind  # the lower case of some other letters is ASCII


def is_domain(text: object) -> bool:
    """Whether something is a domain in lower case and A-labels."""
    return isinstance(text, str) and canonical_domain(text) == text


def is_base64(text: str) -> bool:
    """Whether `text` is standard padded base64 (RFC 4648 §4) without blanks."""
    return len(text) % 4 == 0 and _BASE64(text) is not None


def _is_sha256(text: str) -> bool:
    return _SHA256(text) is not None


def is_state(text: str) -> bool:
    """Whether `text` can be a state that was issued here: 22 to 128 characters of base64url, 128 bits or more."""
    return _STATE(text) is not None


def is_token(text: str) -> bool:
    """Whether `text` is a word of an HTTP header field (RFC 9110 §5.6.2)."""
    return _TOKEN(text) is not None


Name: TypeAlias = Annotated[str, Rule("a non-empty string", bool, {"minLength": 1})]
"""Opaque text that must not be empty: ids, names."""

_A_TIMESTAMP: Final = ("an RFC 3339 timestamp with an offset", is_time, {"format": "date-time"})

Timestamp: TypeAlias = Annotated[str, Rule(*_A_TIMESTAMP, read=utc_text, is_normal=True)]
"""A moment as RFC 3339 text in UTC. Constructors and readers take any offset, and hold what `format_time` writes."""

ExactTimestamp: TypeAlias = Annotated[str, Rule(*_A_TIMESTAMP)]
"""A moment as RFC 3339 text, to the letter: where it is signed."""

CanonicalDomain: TypeAlias = Annotated[str, Rule("a domain in lower case and A-labels", is_domain, {})]
"""A domain, canonical."""

CanonicalAddress: TypeAlias = Annotated[
    str, Rule("a canonical address @local@domain", is_canonical, {"pattern": "^@[^@\\s]{1,765}@[a-z0-9._-]{3,253}$"})
]
"""`@local@domain`, canonical."""

WebUrl: TypeAlias = Annotated[str, Rule("an http or https URL", is_web_url, {"pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"})]
"""An http or https URL that may become a link."""

SecureUrl: TypeAlias = Annotated[
    str,
    Rule("an https URL", lambda text: text[:8] == "https://" and is_web_url(text), {"pattern": "^https://"}),
]
"""An https URL that may become a link."""

Token: TypeAlias = Annotated[str, Rule("a token of HTTP", is_token, {"pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"})]
"""A word of an HTTP header field. Spec: RFC 9110 §5.6.2."""

MediaType: TypeAlias = Annotated[
    str,
    Rule(
        "a media type in lower case, and parameters as `; name=value`",
        _has_type_form,
        {"pattern": f"^{_TYPE}(?:{_PARAMETER})*$"},
        read=read_media_type,
    ),
]
"""`type/subtype; name=value`: names in lower case, parameters where there are some."""

TEXT_TYPE: Final = Rule("a media type of text", bool, {}, read=bare_type)
"""The spellings of the three media types of text: parameters say nothing of text that is Unicode already."""

Base64: TypeAlias = Annotated[
    str, Rule("standard padded base64", is_base64, {"pattern": "^[A-Za-z0-9+/]*={0,2}$", "contentEncoding": "base64"})
]
"""Bytes as standard padded base64."""

Sha256: TypeAlias = Annotated[str, Rule("64 lower-case hex digits", _is_sha256, {"pattern": "^[0-9a-f]{64}$"})]
"""A SHA-256 digest in hex."""

Count: TypeAlias = Annotated[
    int, Rule("an integer from 0 to 2^53-1", lambda n: 0 <= n <= _MOST, {"minimum": 0, "maximum": _MOST})
]
"""A number of things."""

Ordinal: TypeAlias = Annotated[
    int, Rule("an integer from 1 to 2^53-1", lambda n: 1 <= n <= _MOST, {"minimum": 1, "maximum": _MOST})
]
"""A place in an order that begins with 1."""

Duration: TypeAlias = Annotated[
    int | float, Rule("a number from 0 to 2^53-1", lambda n: 0 <= n <= _MOST, {"minimum": 0, "maximum": _MOST})
]
"""A length of time."""

Json: TypeAlias = Any
"""Any JSON value. Taken as a fresh plain copy."""

JsonObject: TypeAlias = Mapping[str, Any]
"""Any JSON object. Taken as a fresh plain copy."""
