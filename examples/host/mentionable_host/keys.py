"""The keys of an agent, in files that its owner alone may read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from attrs import frozen
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from mentionable import SigningKey

from mentionable_host.config import Config, ConfigError

__all__ = ["Keys", "make_keys"]

PrivateKey: TypeAlias = rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey

FOLDER: Final = "keys"
_MAKERS: Final[dict[str, Callable[[], PrivateKey]]] = {
    "actor": lambda: rsa.generate_private_key(65537, 2048),
    "mail": lambda: rsa.generate_private_key(65537, 2048),
    "card": ed25519.Ed25519PrivateKey.generate,
    "object": ed25519.Ed25519PrivateKey.generate,
}


@frozen(kw_only=True)
class Keys:
    """The keys in use.

    Attributes:
        actor: Signs requests to other servers of the Fediverse.
        mail: Signs mail (DKIM).
        card: Signs the agent card, and webhooks of A2A.
        object: Signs activities, so that who gets them from others can verify them.
    """

    actor: SigningKey
    mail: SigningKey
    card: SigningKey
    object: SigningKey

    @classmethod
    def load(cls, config: Config) -> Keys:
        """Reads the keys of a project.

        Raises:
            ConfigError: One is missing, or others than its owner may read it.
        """
        actor, selector = actor_url(config), config.mail.selector if config.mail else "mentionable"
        names = {
            "actor": f"{actor}#main-key",
            "mail": f"{selector}._domainkey.{config.agent.domain}",
            "card": f"{config.origin}/.well-known/jwks.json#card",
            "object": f"{actor}#ed25519-key",
        }
        return cls(**{name: _read(config.folder / FOLDER / f"{name}.pem", key_id) for name, key_id in names.items()})


def actor_url(config: Config) -> str:
    """The URL of the agent's actor."""
    return f"{config.origin}/actors/{config.agent.name}"


def make_keys(folder: Path) -> list[Path]:
    """Makes the keys that are not there, in `folder`/keys; which ones."""
    place = folder / FOLDER
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = []
    for name, maker in _MAKERS.items():
        path = place / f"{name}.pem"
        if path.exists():
            continue
        pem = maker().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
        made.append(path)
    return made


def _read(path: Path, key_id: str) -> SigningKey:
    try:
        mode, pem = path.stat().st_mode, path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}. `mentionable-host keys` makes it.") from error
    if mode & 0o077:
        raise ConfigError(f"others may read {path}: run `chmod 600 {path}`")
    return SigningKey.from_pem(pem, key_id=key_id)
