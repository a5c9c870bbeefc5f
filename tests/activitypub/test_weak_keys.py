"""An RSA key that is short counts, and the host hears of it."""

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from mentionable import SigningKey, activitypub
from tests.activitypub.servers import ALICE, ENTROPY, NOW, RSA, codes, keyed, taken
from tests.activitypub.signing import signed, verdict, world


@pytest.mark.parametrize(("bits", "expected"), [(1_024, ["key-weak-rsa"]), (2_047, ["key-weak-rsa"]), (2_048, [])])
def test_a_short_key_has_a_diagnostic(bits: int, expected: list[str]) -> None:
    key = SigningKey(key_id=RSA.key_id, kind="rsa", native=rsa.generate_private_key(65_537, bits))
    where = world(keyed(publicKey={"id": key.key_id, "owner": ALICE, "publicKeyPem": key.public_pem}))
    request = signed(key=key)
    assert verdict(request, where).verified
    got = taken(where.drive(activitypub.receive(request, now=NOW, entropy=ENTROPY)))
    assert codes(got.diagnostics) == expected
    assert got.message.sender.verified
    assert all(str(bits) in one.detail for one in got.diagnostics)
