"""From the bytes of a signed mail to the verdict on it, beside the bare verification of dkimpy.

Every function is given the answer of DNS. The floor is what nobody can go below: the two hashes, and the check of the
signature by the `cryptography` package.
"""

from __future__ import annotations

import hashlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.common import FACTS, NOW, message_of, rsa_key, with_module
from benchmarks.mail_payloads import payloads
from benchmarks.timing import Claim, Effort, Function, Functions, Race
from mentionable import Answers, SigningKey, drive, mail
from mentionable._crypto.keys import public_key_of_pem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from mentionable import NormalizedMessage, Verdict

KEY_ID: Final = "2026._domainkey.a.example"
FLOOR: Final = "two hashes and the bare check"
BOUNDS: Final = {  # mail, key → the largest ratio of `verify` to dkimpy, rounds
    ("3 KB plain", "rsa"): (0.6, 200),
    ("3 KB plain", "ed25519"): (1.0, 200),
    ("30 KB newsletter", "rsa"): (0.6, 60),
    ("2 MB attachment", "rsa"): (0.6, 10),
}


class Signed(NamedTuple):
    """A signed mail and what verifies it: the key as its owner has it, and the record that DNS holds."""

    raw: bytes
    key: SigningKey
    record: bytes


def keys() -> dict[str, SigningKey]:
    """A key of each kind."""
    return {"rsa": rsa_key(KEY_ID), "ed25519": SigningKey.from_seed(bytes(32), key_id=KEY_ID)}


def signed(raw: bytes, key: SigningKey) -> Signed:
    """A mail with the signature of a key."""
    return Signed(mail.sign(raw, key=key, now=NOW), key, mail.dkim_record(key).encode())


def verify(one: Signed) -> Verdict:
    """The verdict of this library."""
    verdict = drive(mail.verify(one.raw, now=NOW), Answers(lookup_txt=lambda _: (one.record,)))
    if not verdict.verified:
        raise AssertionError(verdict)
    return verdict


def receive(one: Signed) -> NormalizedMessage:
    """The whole way to a verified message."""
    return message_of(drive(mail.receive(one.raw, **FACTS), Answers(lookup_txt=lambda _: (one.record,))))


def dkimpy(one: Signed) -> Function | None:
    """The answer of dkimpy, as it comes: nothing around it looks at the head or at the sender."""

    def make(dkim: Any) -> Function:
        def run() -> None:
            if not dkim.DKIM(one.raw).verify(dnsfunc=lambda _, timeout=5: one.record):
                raise AssertionError("the sample is refused")

        return run

    return with_module(make, "dkim")


def floor(one: Signed) -> Function:
    """Two hashes and one check of a signature: the least that any verification does."""
    body = one.raw.partition(b"\r\n\r\n")[2]
    data = one.raw[:1_000]
    value, key = one.key.sign(data), public_key_of_pem(one.key.public_pem)
    return lambda: (hashlib.sha256(body).digest(), key.fits(value, data))


def results(effort: Effort) -> Iterator[Result]:
    """Mails of three sizes, one of them by two kinds of key."""
    mails, made = payloads(), keys()
    for (what, kind), (bound, rounds) in BOUNDS.items():
        one, name = signed(mails[what], made[kind]), f"{what}, {kind}: verify"
        whole = f"{what}, {kind}: receive"
        functions: Functions = {
            name: partial(verify, one),
            whole: partial(receive, one),
            FLOOR: floor(one),
            "dkimpy": dkimpy(one),
        }
        claims = (Claim(name, "dkimpy", bound), Claim(name, FLOOR), Claim(whole, FLOOR))
        yield from Race("verify-mail", functions, claims, rounds=rounds).run(effort)
