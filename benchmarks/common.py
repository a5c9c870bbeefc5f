"""What the scripts share: the time, the arguments of every entry point, the samples, keys, and modules of peers."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mentionable import HttpRequest, SigningKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from mentionable import NormalizedMessage

NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ENTROPY: Final = bytes(range(32))
HELPER: Final = "@helper@agents.example"
FACTS: Final[dict[str, Any]] = {"recipient": HELPER, "now": NOW, "entropy": ENTROPY}

SAMPLES: Final = Path(__file__).parent / "samples"
CREATE: Final = (SAMPLES / "activitypub_create.json").read_bytes()
ACTOR: Final = (SAMPLES / "activitypub_actor.json").read_bytes()


SMALL_MAIL: Final = (
    b"From: Alice <alice@a.example>\r\nTo: helper@agents.example\r\nSubject: Rain\r\n"
    b"Date: Sat, 21 Nov 2026 20:55:00 +0000\r\nMessage-ID: <1@a.example>\r\n\r\nHi\r\n"
)


def message_of(outcome: Any) -> NormalizedMessage:
    """The message of what was received. A refusal has none, so that no benchmark measures one unseen."""
    message: NormalizedMessage = outcome.message
    return message


def posted(url: str, body: bytes, **headers: str) -> HttpRequest:
    """A request with a body."""
    names = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return HttpRequest(method="POST", url=url, headers=names, body=body)


def rsa_key(key_id: str) -> SigningKey:
    """A new RSA key."""
    from cryptography.hazmat.primitives.asymmetric import rsa  # what measures memory has no use for it
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    native = rsa.generate_private_key(65_537, 2_048)
    return SigningKey.from_pem(native.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), key_id=key_id)


def with_module(make: Callable[..., Callable[..., object]], *names: str) -> Callable[..., object] | None:
    """What `make` gives for some modules of a peer, or None where it is not installed."""
    try:
        return make(*map(import_module, names))
    except ImportError:
        return None
