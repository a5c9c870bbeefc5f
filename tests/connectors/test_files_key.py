import pytest

from mentionable import SigningKey, UsageError
from mentionable.connectors import files
from tests.connectors.capabilities import EDGE_KEY, KEY, PUBLIC_KEY, SIGNING
from tests.vectors import key
from tests.vectors._files_rows import SECRET


def test_the_algorithm_follows_from_the_key():
    assert [one.algorithm for one in (KEY, EDGE_KEY, PUBLIC_KEY)] == ["HS256", "EdDSA", "EdDSA"]
    assert [one.key_id for one in (KEY, EDGE_KEY, PUBLIC_KEY)] == ["2026-11", "edge", "edge"]


@pytest.mark.parametrize("one", [KEY, EDGE_KEY], ids=["secret", "edge"])
def test_a_key_knows_what_it_signed(one):
    signature = one.sign(b"a")
    assert one.fits(signature, b"a")
    assert not one.fits(signature, b"b")
    assert not one.fits(signature[:-1], b"a")


def test_the_public_half_knows_what_the_private_one_signed():
    assert PUBLIC_KEY.fits(EDGE_KEY.sign(b"a"), b"a")
    with pytest.raises(UsageError, match="nothing can be minted with a public key"):
        PUBLIC_KEY.sign(b"a")


@pytest.mark.parametrize(
    "native",
    [b"", bytes(31), b"-----BEGIN PUBLIC KEY-----" + bytes(32), "x" * 32, bytearray(32), None],
    ids=["empty", "short", "pem", "text", "bytearray", "none"],
)
def test_what_is_no_key_is_refused(native):
    with pytest.raises(UsageError):
        files.FileKey(key_id="k", native=native)


@pytest.mark.parametrize("raw", [b"", bytes(31), bytes(32), b"\x01" + bytes(31), "x", None, [1]], ids=repr)
def test_what_is_no_public_key_is_refused(raw):
    with pytest.raises(UsageError, match="raw is the 32 bytes of an Ed25519 key"):
        files.FileKey.from_public_key(raw, key_id="k")


def test_rsa_is_no_key_of_files():
    pem = key("mail-rsa").private_bytes(*_pem())
    with pytest.raises(UsageError, match="Ed25519"):
        files.FileKey.from_signing_key(SigningKey.from_pem(pem, key_id="k"))


def _pem():
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()


@pytest.mark.parametrize("key_id", ["", "k" * 65, "a/b", "a b", "a\n", "\u00e4", None, 7])
def test_the_id_of_a_key_stands_in_a_header(key_id):
    with pytest.raises(UsageError, match="id of a file key"):
        files.FileKey.from_secret(SECRET, key_id=key_id)
    assert files.FileKey.from_secret(SECRET, key_id="A-z_0.9" + "k" * 57).key_id


def test_what_is_no_signing_key_has_no_id():
    with pytest.raises(UsageError):
        files.FileKey.from_signing_key(b"x" * 32)


def test_a_secret_is_never_shown():
    assert repr(KEY) == "FileKey(key_id='2026-11')"
    assert SECRET.decode() not in repr(files.FileKey.from_secret(SECRET, key_id="k"))


def test_keys_are_compared_by_what_they_are():
    assert files.FileKey.from_secret(SECRET, key_id="2026-11") == KEY != EDGE_KEY
    assert files.FileKey.from_signing_key(SIGNING) == EDGE_KEY
