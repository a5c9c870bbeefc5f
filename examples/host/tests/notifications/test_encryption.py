import json
import os
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st
from mentionable import anp
from push_service import decrypted, point, raw, unpadded

from mentionable_host.notifications.encryption import encrypted, is_usable

# RFC 8291 §5 and Appendix A.
SALT = raw("DGv6ra1nlYgDCS1FRnbzlw")
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
TEXT = b"When I grow up, I want to be a watermelon"

READER = Path(__file__).with_name("read_push.js")


def key_of(secret):
    return ec.derive_private_key(int.from_bytes(raw(secret)), ec.SECP256R1())


def keys_of(key, auth):
    return anp.PushKeys(p256dh=unpadded(point(key)), auth=unpadded(auth))


def test_the_example_of_the_standard_is_written_byte_for_byte():
    keys = anp.PushKeys(p256dh=PUBLIC, auth=AUTH)

    assert unpadded(encrypted(TEXT, keys, salt=SALT, own_key=key_of(SENDER))) == BODY
    assert decrypted(raw(BODY), key=key_of(RECEIVER), auth=raw(AUTH)) == TEXT


@given(st.binary(min_size=1, max_size=3_993), st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_whatever_is_pushed_the_browser_reads_in_one_record(payload, salt, auth):
    key = key_of(RECEIVER)
    body = encrypted(payload, keys_of(key, auth), salt=salt)

    assert len(body) <= 4_096
    assert decrypted(body, key=key, auth=auth) == payload


def test_each_message_has_a_key_of_its_own():
    keys = anp.PushKeys(p256dh=PUBLIC, auth=AUTH)

    assert encrypted(TEXT, keys, salt=SALT) != encrypted(TEXT, keys, salt=SALT)


def test_a_point_beside_the_curve_is_no_key():
    assert is_usable(anp.PushKeys(p256dh=PUBLIC, auth=AUTH))
    assert not is_usable(anp.PushKeys(p256dh=unpadded(b"\4" + b"\1" * 64), auth=AUTH))


@pytest.mark.storm
def test_the_cryptography_of_a_browser_reads_it():
    key, auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    numbers = key.private_numbers()
    jwk = {
        name: unpadded(value.to_bytes(32))
        for name, value in (
            ("x", numbers.public_numbers.x),
            ("y", numbers.public_numbers.y),
            ("d", numbers.private_value),
        )
    }
    payload = "Grüße ✓ \x02\x00".encode()
    body = encrypted(payload, keys_of(key, auth), salt=os.urandom(16))
    given_ = json.dumps([{"kty": "EC", "crv": "P-256", **jwk}, unpadded(auth), unpadded(body)])
    done = subprocess.run(["node", str(READER), given_], capture_output=True, check=True, timeout=60)
    assert done.stdout == payload
