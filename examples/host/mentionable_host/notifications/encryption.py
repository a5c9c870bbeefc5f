"""Encrypts what is pushed, so that a browser reads it, and its push service does not.

Spec: RFC 8291, RFC 8188.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from typing import Final

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from mentionable import anp

__all__ = ["ENCODING", "encrypted", "is_usable"]

ENCODING: Final = "aes128gcm"
RECORD: Final = 4_096
"""A message is one record, which every push service takes (RFC 8291 §4)."""


def encrypted(
    payload: bytes, keys: anp.PushKeys, *, salt: bytes, own_key: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """A message that the browser with these keys reads.

    Args:
        payload: What it says.
        keys: The keys of the subscription.
        salt: 16 random bytes, fresh for each message.
        own_key: The other half of the agreement; by default a fresh one.

    Raises:
        ValueError: The public key of the subscription is none: see `is_usable`.
    """
    own_key = own_key or ec.generate_private_key(ec.SECP256R1())
    body: bytes = http_ece.encrypt(
        payload,
        salt=salt,
        private_key=own_key,
        dh=_bytes(keys.p256dh),
        auth_secret=_bytes(keys.auth),
        rs=RECORD,
        version=ENCODING,
    )
    return body


def is_usable(keys: anp.PushKeys) -> bool:
    """Whether the public key of a subscription is a point of the curve: not every text that looks like one is."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(keys.p256dh))
    except ValueError:
        return False
    return True


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
