"""What must never be passed on: credentials, identity evidence and policy resolutions, known by their names.

Spec: Normalized Message §6; decisions B3, B13.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from binascii import a2b_base64
from functools import lru_cache
from typing import Any, Final

from .._wire.jwk import private_members
from .._wire.strict_json import pointer

REDACTED: Final = "[redacted]"

_FILLING: Final = re.compile(r"[^a-z0-9]++")
_NAME: Final = re.compile(
    r"(?:bearer|passwd|pwd|jwt|credential|tokens|identities)\Z"
    r"|.*(?:authorization|credentials|cookie|identityevidence|policyresolution|verifiablecredential"
    r"|x402paymentpayload|ap2mandatespaymentmandate|(?:access|refresh|id|bearer|auth|session)token|token\Z|sessionid\Z|secret\Z|client(?:secret|assertion)"
    r"|pass(?:word|phrase)|(?:api|private|secret|signing)key|secretaccesskey|(?:webhook|response)url\Z)"
).match
_SCHEME: Final = re.compile(
    r"\s*+(?:bearer|basic|dpop)\s++[A-Za-z0-9._~+/=-]{8,}+\s*+\Z", re.ASCII | re.IGNORECASE
).match
_SCHEME_STARTS: Final = frozenset("bBdD \t\r\n\v\f")
_REMEMBERED: Final = 64
"""Only names up to this length are remembered, so that hostile ones cannot fill the memory."""

_ATTESTATION: Final = "signed-attestation"
_PROSE: Final = frozenset({"text", "content"})
"""Members of people's words. They may speak of tokens, and the message carries them anyhow."""


def is_secret_name(name: str) -> bool:
    """Whether the name of a member says that its value authorizes somebody, however it is spelled.

    Case, punctuation, blanks and invisible characters make no difference.
    """
    return _remembered(name) if len(name) <= _REMEMBERED else _is_secret_name(name)


def _is_secret_name(name: str) -> bool:
    return _NAME(_FILLING.sub("", name.lower())) is not None


_remembered: Final = lru_cache(4096)(_is_secret_name)


def is_secret_text(text: str) -> bool:
    """Whether text is a credential as it stands in a header: a scheme, and one token up to the end."""
    return text[:1] in _SCHEME_STARTS and _SCHEME(text) is not None


def redacted(value: Any) -> Any:
    """A copy of a JSON value without secrets; it shares no array and no object with `value`."""
    kind = value.__class__
    if kind is str:
        return REDACTED if is_secret_text(value) else value
    if kind is dict:
        known = {
            name: REDACTED if is_secret_name(name) else redacted(member) if _is_judged(name, member) else member
            for name, member in value.items()
        }
        if value.get("type") == _ATTESTATION and "value" in value:  # evidence, wherever it stands
            known["value"] = REDACTED
        return known | dict.fromkeys(_private_members(value), REDACTED)
    if kind is list:
        return [value[0], REDACTED] if _is_header(value) else [redacted(item) for item in value]
    return value


def _is_judged(name: str, member: Any) -> bool:
    """Whether a member may be a credential by what it says: people's words are none."""
    return member.__class__ is not str or name not in _PROSE


def _is_header(items: list[Any]) -> bool:
    """Whether an array is a secret header as a pair of name and value."""
    return len(items) == 2 and items[0].__class__ is str and is_secret_name(items[0])


_MIN_PIN: Final = 1_000
"""Lower numbers count something: how many tokens there are is no secret."""


def _private_members(value: dict[str, Any]) -> list[str]:
    """The private members of an object that is a JWK: elsewhere names as short as theirs say nothing."""
    return private_members(value) if value.get("kty").__class__ is str else []


_TOKEN: Final = re.compile(
    r"xox[a-z]-[A-Za-z0-9-]{8}"  # Slack, whatever stands before it
    r"|(?i:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers|actions|commands)/[A-Z0-9]{1,40}/)"
    r"|(?i:discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/[A-Z0-9_-]{8})"
    r"|(?<![A-Za-z0-9])(?:"
    r"xox[a-z]-[A-Za-z0-9]|xoxe\.xox|xapp-[0-9]"  # Slack
    r"|gh[pousr]_[A-Za-z0-9]{16}|github_pat_[A-Za-z0-9_]{16}|gl(?:pat|ptt|dt|rt|ft|cbt|soat)-[A-Za-z0-9_-]{16}"
    r"|sk-[A-Za-z0-9_-]{0,40}[A-Za-z0-9_]{20}|[sr]k_(?:live|test)_[A-Za-z0-9]{8}|whsec_[A-Za-z0-9+/]{16}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|ya29\.[A-Za-z0-9_-]{16}|AIza[A-Za-z0-9_-]{35}"
    r"|EAA[A-Za-z0-9]{40}|hf_[A-Za-z0-9]{30}|npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{32}"
    r"|[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}"  # a bot of Discord
    r"|[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"  # a bot of Telegram
    r")|-----BEGIN [A-Z0-9 ]{1,40}-----"
).search
"""How credentials of platforms begin, and keys in PEM. Patterns are bounded, so that looking takes linear time."""

_GAP: Final = r"[\s\u00ad\u200b-\u200f\u2060\ufeff]{1,8}"
"""Blanks and invisible characters."""
_IN_WORDS: Final = re.compile(
    rf"(?<![A-Za-z0-9])(?:bearer|dpop){_GAP}(?=[A-Za-z0-9._~+/=-]{{8}})(\S{{1,200}})", re.I
).finditer
_BASIC: Final = re.compile(rf"(?<![A-Za-z0-9])basic{_GAP}([A-Za-z0-9+/]{{4,2000}}={{0,2}})", re.I).finditer
_COMPACT: Final = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{4,}+(?=\.[A-Za-z0-9_-]*+\.)").finditer
"""The first segment of what may be a JWS (three segments) or a JWE (five)."""


def credential_in(value: Any, at: str = "") -> str | None:
    """The JSON pointer to the first credential in a JSON value; None where there is none.

    A credential is a string that looks like one, as a value or as a name, what stands under a name that authorizes
    somebody (also as a pair of name and value), or the private half of a key (JWK). The pointer names the object where
    a name itself is the credential: nothing of it is repeated.
    """
    if value.__class__ is str:
        return at if looks_like_credential(value) else None
    if value.__class__ is dict:
        for name in _private_members(value):
            return at + pointer(name)
        for name, member in value.items():
            if looks_like_credential(name):
                return at
            below = at + pointer(name)
            if _can_be_secret(member) and is_secret_name(name):
                return below
            if (credential := credential_in(member, below)) is not None:
                return credential
    elif value.__class__ is list:
        if _is_header(value) and value[1].__class__ is str and value[1]:
            return at + pointer(1)
        for number, item in enumerate(value):
            if (credential := credential_in(item, at + pointer(number))) is not None:
                return credential
    return None


def _can_be_secret(member: Any) -> bool:
    """Whether a value can be a secret: text, anything made of others, and a number as long as a PIN."""
    if member.__class__ in (int, float):
        return abs(member) >= _MIN_PIN
    return bool(member) and member.__class__ is not bool


def looks_like_credential(text: str) -> bool:
    """Whether text holds a platform's token or webhook, an authorization as in a header, a JWT (JWS or JWE), or PEM.

    What only could be one (a long word, a hash, an id) is none: names, URLs and ids must pass.
    """
    if _TOKEN(text) is not None:
        return True
    if is_secret_text(text) and text.lstrip()[:5].lower() != "basic":
        return True
    if any(len(match[1]) >= 20 or _DIGIT(match[1]) is not None for match in _IN_WORDS(text)):
        return True
    return any(map(_is_user_and_password, _BASIC(text))) or any(map(_is_jose_header, _COMPACT(text)))


_DIGIT: Final = re.compile(r"[0-9]").search


def _is_user_and_password(match: re.Match[str]) -> bool:
    """Whether `Basic …` goes on as RFC 7617 says: words alone do not decode to `user:password`."""
    try:
        decoded = a2b_base64(match[1] + "=" * (-len(match[1]) % 4)).decode()
    except ValueError:
        return False
    return ":" in decoded


def _is_jose_header(match: re.Match[str]) -> bool:
    """Whether a first segment is an object of JSON, or ends in one that names an algorithm: then a word precedes it."""
    segment = match[0]
    try:
        header = json.loads(urlsafe_b64decode(segment + "=" * (-len(segment) % 4)))
    except (ValueError, RecursionError):
        header = None
    return header.__class__ is dict or any(_ends_in_header(segment[start:]) for start in range(4))


def _ends_in_header(segment: str) -> bool:
    """Whether a JOSE header stands at the end of what is decoded; anything may stand before it."""
    if len(segment) % 4 == 1:
        return False
    decoded = urlsafe_b64decode(segment + "=" * (-len(segment) % 4)).rstrip()
    return decoded[-1:] == b"}" and b'"alg"' in decoded
