from base64 import b64encode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable._wire.base64 import base64_decode, base64url_decode


@given(st.binary(max_size=100))
def test_every_text_of_an_encoder_is_read(data):
    assert base64_decode(b64encode(data).decode()) == data
    assert base64url_decode(urlsafe_b64encode(data).decode().rstrip("=")) == data


@pytest.mark.parametrize(
    "text",
    ["QQ", "QQ=", "QR==", "QQ===", "QUI", "QUJ=", "QQ==QQ==", "Q Q==", "QQ==\n", "QUJDRA", "-_-_", "=", "\xe9AAA", "A"],
)
def test_another_spelling_is_none(text):
    assert base64_decode(text) is None


@pytest.mark.parametrize("text", ["QR", "QUJ", "A", "AAAAA", "Q\n", "\xe9A", "Q."])
def test_another_spelling_in_the_other_alphabet_is_none(text):
    assert base64url_decode(text) is None


@given(st.text("AQRg_-", max_size=8))
def test_two_texts_never_stand_for_the_same_bytes(text):
    data = base64url_decode(text)
    assert data is None or urlsafe_b64encode(data).decode().rstrip("=") == text
