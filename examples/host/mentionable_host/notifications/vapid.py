"""Says to push services which host sends a message: a token of a key that browsers know when they subscribe.

Spec: RFC 8292.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

import jwt
from attrs import field, frozen
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from mentionable_host.config import Config, ConfigError
from mentionable_host.keys import FOLDER, make_key, pem_of

__all__ = ["Vapid"]

NAME: Final = "vapid"
LIFETIME: Final = timedelta(hours=12)
"""So long a token counts; no push service takes one of more than a day (§2)."""


@frozen(kw_only=True)
class Vapid:
    """The key by which push services know this host.

    Attributes:
        key: The key, of P-256.
        contact: Where its operator is reached: a `mailto:` or an https URL.
    """

    key: ec.EllipticCurvePrivateKey = field(repr=False)
    contact: str

    @classmethod
    def load(cls, config: Config) -> Vapid:
        """Reads the key, and makes it where it is missing.

        Raises:
            ConfigError: It cannot be read or made, or others than its owner may read it.
        """
        path = config.folder / FOLDER / f"{NAME}.pem"
        if not path.exists():
            try:
                make_key(config.folder, NAME)
            except OSError as error:
                raise ConfigError(f"{path} cannot be made: {error.strerror}. Run `mentionable-host keys`.") from error
        try:
            key = load_pem_private_key(pem_of(path), password=None)
        except (ValueError, TypeError) as error:
            raise _no_key(path) from error
        if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
            raise _no_key(path)
        contact = config.notifications.contact or config.origin
        return cls(key=key, contact=f"mailto:{contact}" if ":" not in contact else contact)

    @property
    def public_key(self) -> str:
        """The public half, as a browser takes it (`applicationServerKey`)."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode("ascii")

    def authorization(self, endpoint: str, *, now: datetime) -> str:
        """The header field `Authorization` of a message to a push service.

        Args:
            endpoint: The URL of a subscription.
            now: The time, aware.
        """
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int((now + LIFETIME).timestamp()),
            "sub": self.contact,
        }
        return f"vapid t={jwt.encode(claims, self.key, algorithm='ES256')}, k={self.public_key}"


def _no_key(path: object) -> ConfigError:
    return ConfigError(
        f"{path} is no private key of P-256 in PEM: put it back from your backup.\n"
        "Without a backup, remove the file: another is made, and devices are told of nothing until they subscribe anew."
    )
