"""Signing: a raw mail with a DKIM-Signature on top, and the record under which its key is published."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from ..._crypto.keys import SigningKey, check_signing_key
from ..._crypto.verification import VerificationFailed
from ..._errors.exceptions import UsageError, WireError
from ..._flow.settings import Limits, check_now
from .._read.header_section import POLICY, check_mail, read_header_section
from .dkim import MAX_BYTES, ambiguous_bytes, relaxed_body, signed_fields, signer, signing_input, split_fields

_LINE: Final = 78
_ADVISED: Final = (
    "from", "reply-to", "subject", "date", "to", "cc", "resent-date", "resent-from", "resent-to", "resent-cc",
    "in-reply-to", "references", "list-id", "list-help", "list-unsubscribe", "list-unsubscribe-post", "list-subscribe",
    "list-post", "list-owner", "list-archive", "sender", "message-id", "mime-version", "content-type",
    "content-transfer-encoding", "content-disposition", "supersedes",
)  # fmt: skip
_SEALED: Final = (
    b"from", b"to", b"cc", b"subject", b"date", b"message-id", b"in-reply-to", b"references", b"reply-to",
    b"mime-version", b"content-type", b"content-transfer-encoding", b"content-disposition", POLICY.encode(),
)  # fmt: skip
"""Fields that are listed once more than they occur, so that an attacker cannot add another one (RFC 6376 §8.15)."""

_OWN_PREFIX: Final = b"x-mentionable-"
_LIMITS: Final = Limits()


def sign(raw: bytes, *, key: SigningKey, now: datetime, lifetime: timedelta | None = None) -> bytes:
    r"""The same mail with a DKIM-Signature on top: `relaxed/relaxed`, over the fields that RFC 6376 advises to sign.

    Signing is deterministic. A mail whose lines all end in LF comes back with CRLF, as it is sent.

    Args:
        raw: The whole mail, with one From field.
        key: The key, with the id `<selector>._domainkey.<domain>`.
        now: The time, aware.
        lifetime: After how long the signature expires; None: never.

    Raises:
        UsageError: An argument is of the wrong kind, the key has another id, or the mail is ambiguous.

    Spec: RFC 6376 §5; RFC 8463.

    Example:
        >>> from datetime import UTC, datetime
        >>> from mentionable import SigningKey
        >>> key = SigningKey.from_seed(bytes(32), key_id="2026._domainkey.a.example")
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> sign(b"From: alice@a.example\n\nHello\n", key=key, now=now).splitlines()[0]
        b'DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed; d=a.example; s=2026;'
    """
    # RFC 6376 §5:
    #   1. check the arguments           4. write the tags, b= last and empty
    #   2. read the mail                 5. sign the canonical fields, this one included
    #   3. choose the fields to sign     6. put the signature into b=

    # 1.
    domain, selector = _signer_of(key)
    check_now(now)
    if lifetime is not None and lifetime < timedelta(seconds=1):
        raise UsageError("lifetime is a second or more")
    check_mail(raw, None)

    # 2. What readers may read differently is not signed.
    raw, body = _plain(bytes(raw))
    fields = split_fields(raw[:body])
    if len(fields.get(b"from", ())) != 1:
        raise UsageError("a mail to sign has one From field")

    # 3.
    names = [name for name in _names(fields) for _ in fields[name]] + [*_SEALED]

    # 4.
    created_at = int(now.timestamp())
    words = [
        "v=1;",
        f"a={key.kind}-sha256;",
        "c=relaxed/relaxed;",
        f"d={domain};",
        f"s={selector};",
        f"t={created_at};",
    ]
    if lifetime is not None:
        words.append(f"x={created_at + int(lifetime.total_seconds())};")
    listed = [f"{name.decode()}:" for name in names]
    listed[0] = f"h={listed[0]}"
    listed[-1] = f"{listed[-1][:-1]};"
    words += [*listed, f"bh={b64encode(hashlib.sha256(relaxed_body(raw[body:])).digest()).decode()};", "b="]
    field = _folded(words)

    # 5.
    signed = signed_fields(fields, names, field, relaxed=True)
    value = b64encode(key.sign(signing_input(key.kind, signed)))

    # 6.
    field += b"".join([b"\r\n\t" + value[at : at + 72] for at in range(0, len(value), 72)])
    if len(field) > MAX_BYTES:
        raise UsageError("a mail with so many fields to sign would not be verified by others")
    return field + b"\r\n" + raw


def dkim_record(key: SigningKey) -> str:
    """What to publish as TXT record under `key.key_id`. Zone files want it in strings of at most 255 characters.

    Raises:
        UsageError: The key has another id than `<selector>._domainkey.<domain>`.

    Spec: RFC 6376 §3.6.1; RFC 8463 §4.

    Example:
        >>> from mentionable import SigningKey
        >>> dkim_record(SigningKey.from_seed(bytes(32), key_id="2026._domainkey.a.example"))
        'v=DKIM1; k=ed25519; p=O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik='
    """
    _signer_of(key)
    return f"v=DKIM1; k={key.kind}; p={key.public_base64}"


def _signer_of(key: SigningKey) -> tuple[str, str]:
    """The domain and the selector in the id of a key."""
    check_signing_key(key)
    selector, separator, domain = key.key_id.partition("._domainkey.")
    try:
        if separator:
            return signer({"d": domain, "s": selector})
    except VerificationFailed:
        pass
    raise UsageError("the id of a key for mail is <selector>._domainkey.<domain>")


def _plain(raw: bytes) -> tuple[bytes, int]:
    """The mail as it is sent, and where its body begins."""
    try:
        headers = read_header_section(raw, limits=_LIMITS)
    except WireError as error:
        raise UsageError(f"not a mail: {error}") from None
    odd = headers.diagnostics
    ambiguity = odd[0].detail or odd[0].code if odd else ambiguous_bytes(headers.raw, headers.body)
    if ambiguity:
        raise UsageError(f"the mail is ambiguous: {ambiguity}")
    return headers.raw, headers.body


def _names(fields: dict[bytes, list[bytes]]) -> list[bytes]:
    """Which fields to sign, out of those that are there."""
    advised = [name.encode() for name in _ADVISED]
    return [name for name in advised if name in fields] + [name for name in fields if name.startswith(_OWN_PREFIX)]


def _folded(words: Sequence[str]) -> bytes:
    """The field in lines that are not too long. Names in h= follow each other without a blank."""
    lines = ["DKIM-Signature:"]
    for word in words:
        glue = "" if lines[-1].endswith(":") and lines[-1] != "DKIM-Signature:" else " "
        if word != "b=" and len(lines[-1]) + len(glue) + len(word) <= _LINE:
            lines[-1] += glue + word
        else:
            lines.append("\t" + word)
    return "\r\n".join(lines).encode("ascii")
