"""The keys of an agent, in files that its owner alone may read.

The key of the actor changes without an interruption: the new one is published a day before it signs, so that no server
has an older actor document in its cache then, and the old one stays published for a week after that, for what is still
on its way. When a file was made is in its name, `actor-20261127T120000Z.pem`; the first one has none. So the names
alone say which key signs at a time, and which are published.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Final, TypeAlias

from attrs import frozen
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from mentionable import SigningKey, UsageError

from mentionable_host.config import Config, ConfigError

__all__ = [
    "FOLDER",
    "ActorKey",
    "Keys",
    "Rotation",
    "actor_key_names",
    "load_actor_keys",
    "make_key",
    "make_keys",
    "pem_of",
    "published_keys",
    "rotate_keys",
    "signing_key",
]

PrivateKey: TypeAlias = rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey

FOLDER: Final = "keys"

PUBLISHED_BEFORE: Final = timedelta(days=1)
"""So long a key of the actor is published before it signs."""

PUBLISHED_AFTER: Final = timedelta(days=7)
"""So long a key of the actor stays published after another one has begun to sign."""

MAX_ACTOR_KEYS: Final = 16

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_MAKERS: Final[dict[str, Callable[[], PrivateKey]]] = {
    "actor": lambda: rsa.generate_private_key(65537, 2048),
    "mail": lambda: rsa.generate_private_key(65537, 2048),
    "card": ed25519.Ed25519PrivateKey.generate,
    "object": ed25519.Ed25519PrivateKey.generate,
    "vapid": lambda: ec.generate_private_key(ec.SECP256R1()),  # RFC 8292 §2 knows this curve alone
}


@frozen(kw_only=True)
class ActorKey:
    """A key of the actor.

    Attributes:
        key: The key.
        made_at: When it was made, and so published; None: with the agent.
    """

    key: SigningKey
    made_at: datetime | None = None


@frozen(kw_only=True)
class Rotation:
    """What `rotate_keys` did.

    Attributes:
        made: The new file.
        signs_from: When its key begins to sign.
        removed: Files of keys that are published no more.
    """

    made: Path
    signs_from: datetime
    removed: tuple[Path, ...]


@frozen(kw_only=True)
class Keys:
    """The keys in use.

    Attributes:
        actor: Signs requests to other servers of the Fediverse; the oldest, where there are `later` ones.
        mail: Signs mail (DKIM).
        card: Signs the agent card, and webhooks of A2A.
        object: Signs activities, so that who gets them from others can verify them.
        later: The keys that take the place of `actor`, the oldest first: `signing_key` says which one signs.
    """

    actor: SigningKey
    mail: SigningKey
    card: SigningKey
    object: SigningKey
    later: tuple[ActorKey, ...] = ()

    @property
    def actors(self) -> tuple[ActorKey, ...]:
        """All keys of the actor, the oldest first."""
        return (ActorKey(key=self.actor), *self.later)

    @classmethod
    def load(cls, config: Config) -> Keys:
        """Reads the keys of a project.

        Raises:
            ConfigError: One is missing, or others than its owner may read it.
        """
        actor, selector = actor_url(config), config.mail.selector if config.mail else "mentionable"
        names = {
            "mail": f"{selector}._domainkey.{config.agent.domain}",
            "card": f"{config.origin}/.well-known/jwks.json#card",
            "object": f"{actor}#ed25519-key",
        }
        first, *later = load_actor_keys(config)
        others = {name: _read(config.folder / FOLDER / f"{name}.pem", key_id) for name, key_id in names.items()}
        return cls(actor=first.key, later=tuple(later), **others)


def actor_url(config: Config) -> str:
    """The URL of the agent's actor."""
    return f"{config.origin}/actors/{config.agent.name}"


def actor_key_names(folder: Path) -> list[str]:
    """The names of the files of the actor's keys in `folder`/keys, the oldest first."""
    names = sorted(path.name for path in (folder / FOLDER).glob("actor-*.pem") if _made_at(path.name) is not None)
    has_first = (folder / FOLDER / "actor.pem").exists() or not names
    return [*(["actor.pem"] if has_first else []), *names][-MAX_ACTOR_KEYS:]


def load_actor_keys(config: Config) -> list[ActorKey]:
    """Reads the keys of the actor, the oldest first.

    Raises:
        ConfigError: There is none, or others than its owner may read one.
    """
    actor, keys = actor_url(config), []
    for name in actor_key_names(config.folder):
        made_at = _made_at(name)
        fragment = "main-key" if made_at is None else f"key-{made_at.strftime(_STAMP)}"
        key = _read(config.folder / FOLDER / name, f"{actor}#{fragment}")
        keys.append(ActorKey(key=key, made_at=made_at))
    return keys


def signing_key(keys: Sequence[ActorKey], now: datetime) -> SigningKey:
    """The key of the actor that signs: the newest that was published for long enough."""
    return next((one.key for one in reversed(keys) if _signs_from(one) <= now), keys[0].key)


def published_keys(keys: Sequence[ActorKey], now: datetime) -> tuple[SigningKey, ...]:
    """The keys that the actor document has, first the one that signs: some servers read no other."""
    signing = signing_key(keys, now)
    others = [
        one.key
        for one, successor in zip(keys, [*keys[1:], None], strict=True)
        if one.key is not signing and (successor is None or now < _signs_from(successor) + PUBLISHED_AFTER)
    ]
    return (signing, *others)


def rotate_keys(folder: Path, *, now: datetime) -> Rotation:
    """Makes the key that takes the place of the actor's in a day, and removes those that are published no more.

    Args:
        folder: The folder of the project.
        now: The time, aware.

    Raises:
        ConfigError: The last one does not sign yet.
    """
    place = folder / FOLDER
    names = actor_key_names(folder)
    times = [_made_at(name) for name in names]
    if times and times[-1] is not None and now < times[-1] + PUBLISHED_BEFORE:
        begins = times[-1] + PUBLISHED_BEFORE
        raise ConfigError(f"{place / names[-1]} does not sign before {begins:%Y-%m-%d %H:%M} UTC: rotate after that")
    removed = []
    for name, successor in zip(names, times[1:], strict=False):
        if successor is not None and now >= successor + PUBLISHED_BEFORE + PUBLISHED_AFTER:
            (place / name).unlink(missing_ok=True)
            removed.append(place / name)
    made_at = now.astimezone(UTC).replace(microsecond=0)
    path = place / f"actor-{made_at.strftime(_STAMP)}.pem"
    _write(path, _MAKERS["actor"]())
    return Rotation(made=path, signs_from=made_at + PUBLISHED_BEFORE, removed=tuple(removed))


def make_keys(folder: Path) -> list[Path]:
    """Makes the keys that are not there, in `folder`/keys; which ones."""
    place = folder / FOLDER
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = []
    for name, maker in _MAKERS.items():
        path = place / f"{name}.pem"
        if path.exists() or (name == "actor" and actor_key_names(folder) != ["actor.pem"]):
            continue
        _write(path, maker())
        made.append(path)
    return made


def make_key(folder: Path, name: str) -> None:
    """Makes one of the keys in `folder`/keys, unless another process is faster: whoever reads the file finds all of it.

    Raises:
        OSError: The folder cannot be written to.
    """
    place = folder / FOLDER
    path, own = place / f"{name}.pem", place / f".{name}-{token_hex(8)}.pem"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(own, _MAKERS[name]())
    try:
        with suppress(FileExistsError):
            os.link(own, path)
    finally:
        own.unlink()


def _signs_from(one: ActorKey) -> datetime:
    return datetime.min.replace(tzinfo=UTC) if one.made_at is None else one.made_at + PUBLISHED_BEFORE


def _made_at(name: str) -> datetime | None:
    """When a file of a key was made, by its name; None: it has no such name."""
    try:
        return datetime.strptime(name, f"actor-{_STAMP}.pem").replace(tzinfo=UTC)
    except ValueError:
        return None


def _write(path: Path, key: PrivateKey) -> None:
    """Writes a new file that its owner alone may read."""
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem)


def pem_of(path: Path) -> bytes:
    """What is in the file of a key.

    Raises:
        ConfigError: It is not there, or others than its owner may read it.
    """
    try:
        mode, pem = path.stat().st_mode, path.read_bytes()
    except PermissionError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}. Run this as the user who owns it.") from error
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read: {error.strerror}.\n"
            "Put it back from your backup if peers know the agent already. Else `mentionable-host keys` makes one."
        ) from error
    if mode & 0o077:
        raise ConfigError(f"others may read {path}: run `chmod 600 {path}`")
    return pem


def _read(path: Path, key_id: str) -> SigningKey:
    pem = pem_of(path)
    try:
        return SigningKey.from_pem(pem, key_id=key_id)
    except UsageError as error:
        raise ConfigError(
            f"{path} is no private key in PEM: put it back from your backup.\n"
            "Without a backup, remove the file: `mentionable-host keys` makes another, which no peer knows yet."
        ) from error
