"""From the bytes of a signed mail to the verdict on it, beside the bare verification of dkimpy.

Every function is given the answer of DNS. The floor is what nobody can go below: the two hashes, and the check of the
signature by the `cryptography` package. The extra is what this library needs beyond that, in microseconds.

Usage: python benchmarks/verify_mail.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import hashlib
import sys
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.mail_payloads import payloads
from benchmarks.timing import Timing, above, measure, table
from mentionable import Answers, SigningKey, drive, mail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ENTROPY: Final = bytes(range(32))
KEY_ID: Final = "2026._domainkey.a.example"
BOUNDS: Final = {  # mail, key → the largest ratio of `verify` to dkimpy, rounds
    ("3 KB plain", "rsa"): (0.6, 200),
    ("3 KB plain", "ed25519"): (1.0, 200),
    ("30 KB newsletter", "rsa"): (0.6, 60),
    ("2 MB attachment", "rsa"): (0.6, 10),
}
ATTEMPTS: Final = 3


class Signed(NamedTuple):
    """A signed mail and what verifies it: the key as its owner has it, and the record that DNS holds."""

    raw: bytes
    key: SigningKey
    record: bytes


def keys() -> dict[str, SigningKey]:
    """A key of each kind."""
    native = generate_private_key(65_537, 2_048)
    pem = native.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return {
        "rsa": SigningKey.from_pem(pem, key_id=KEY_ID),
        "ed25519": SigningKey.from_seed(bytes(32), key_id=KEY_ID),
    }


def verify(signed: Signed) -> Any:
    """The verdict of this library."""
    return drive(mail.verify(signed.raw, now=NOW), Answers(lookup_txt=lambda _: (signed.record,)))


def receive(signed: Signed) -> Any:
    """The whole way to a verified message."""
    flow = mail.receive(signed.raw, recipient="@helper@agents.example", now=NOW, entropy=ENTROPY)
    return drive(flow, Answers(lookup_txt=lambda _: (signed.record,)))


def dkimpy(signed: Signed) -> bool:
    """The answer of dkimpy, as it comes: nothing around it looks at the head or at the sender."""
    fits: bool = import_module("dkim").DKIM(signed.raw).verify(dnsfunc=lambda _, timeout=5: signed.record)
    return fits


def floor(signed: Signed) -> Callable[[], object]:
    """Two hashes and one check of a signature: the least that any verification does."""
    from mentionable._keys import public_key_of_pem

    body = signed.raw.partition(b"\r\n\r\n")[2]
    data = signed.raw[:1_000]
    value, key = signed.key.sign(data), public_key_of_pem(signed.key.public_pem)
    return lambda: (hashlib.sha256(body).digest(), key.fits(value, data))


def judge(name: str, kind: str, signed: Signed) -> list[str]:
    """Prints a row; what is beyond its bound, measured again while anything is."""
    bound, rounds = BOUNDS[name, kind]
    if not (dkimpy(signed) and verify(signed).verified and receive(signed).message.sender.verified):
        return [f"{name}, {kind}: not verified by all"]
    functions = {
        "dkimpy": partial(dkimpy, signed),
        "verify": partial(verify, signed),
        "receive": partial(receive, signed),
        "floor": floor(signed),
    }
    problems: list[str] = []
    for _ in range(ATTEMPTS):  # only a busy machine can do better next time
        timings = measure(functions, rounds=rounds)
        problems = above(timings, {"verify": bound})
        if not problems:
            break
    print(f"\n{name}, {kind}, {len(signed.raw)} bytes, at most {bound}\n{table(timings)}\n{_extra(timings)}")
    return [f"{name}, {kind}: {problem}" for problem in problems]


def _extra(timings: Sequence[Timing]) -> str:
    best = {timing.name: timing.best * 1e6 for timing in timings}
    return f"extra of verify beyond the floor: {best['verify'] - best['floor']:.1f} µs"


def main(arguments: list[str]) -> int:
    """Prints every row; 1 when `--check` is given and a bound is broken."""
    try:
        import_module("dkim")
    except ImportError:
        print("dkimpy is not installed: pip install mentionable[bench]")
        return 0
    problems: list[str] = []
    mails, made = payloads(), keys()
    for name, kind in BOUNDS:
        key = made[kind]
        signed = Signed(mail.sign(mails[name], key=key, now=NOW), key, mail.dkim_record(key).encode())
        problems += judge(name, kind, signed)
    print("", *problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
