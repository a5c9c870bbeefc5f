"""Character sets: labels, and what becomes of bytes that do not fit them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.mime import _CODECS, decode_text


@pytest.mark.parametrize(
    ("data", "label", "text"),
    [
        (b"caf\xc3\xa9", "utf-8", "café"),
        (b"caf\xe9", "iso-8859-1", "café"),
        (b"\x93hi\x94", "iso-8859-1", "“hi”"),
        (b"\x93hi\x94\x81", "windows-1252", "“hi”\x81"),
        ("丂".encode("gbk"), "gb2312", "丂"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        ("日本".encode("iso2022_jp"), "iso-2022-jp", "日本"),
        ("한국".encode("cp949"), "ks_c_5601-1987", "한국"),
        ("привет".encode("koi8-r"), "koi8-r", "привет"),
        ("hi".encode("utf-16-le"), "utf-16", "hi"),
        (b"\xfe\xff" + "hi".encode("utf-16-be"), "utf-16", "hi"),
        (b"\xff\xfe" + "hi".encode("utf-16-le"), "utf-16", "hi"),
        (b"\xef\xbb\xbfhi", "utf-8", "hi"),
        (b"caf\xc3\xa9", "", "café"),
        (b"caf\xc3\xa9", "us-ascii", "café"),
        (b"hi", " UTF-8 ", "hi"),
    ],
)
def test_text_is_read_by_its_label(data: bytes, label: str, text: str) -> None:
    assert decode_text(data, label) == (text, None)


def test_unlabelled_bytes_that_are_not_utf8_are_read_as_windows_1252_and_noted() -> None:
    assert decode_text(b"\x93caf\xe9\x94", "") == ("“café”", "charset-broken")


def test_an_unknown_label_is_read_as_utf8_and_noted() -> None:
    assert decode_text(b"caf\xc3\xa9 \xff", "x-unknown") == ("café \ufffd", "charset-unknown")


def test_bytes_outside_their_set_that_are_utf8_are_read_as_that() -> None:
    assert decode_text("你好吗".encode(), "gb2312") == ("你好吗", "charset-broken")


def test_bytes_that_fit_nothing_become_replacement_characters() -> None:
    assert decode_text(b"a\xff\xffb", "euc-jp") == ("a\ufffd\ufffdb", "charset-broken")


@pytest.mark.parametrize("label", ["utf-7", "unicode-1-1-utf-7", "csUnicode11UTF7", "utf7"])
def test_utf7_is_never_decoded(label: str) -> None:
    assert decode_text(b"+ADw-script+AD4-", label) == ("+ADw-script+AD4-", "charset-unknown")


@pytest.mark.parametrize("label", ["base64", "rot13", "idna", "punycode", "unicode_escape", "zlib", "undefined", "\0"])
def test_a_label_never_picks_a_codec_by_itself(label: str) -> None:
    assert decode_text(b"\\x41", label) == ("\\x41", "charset-unknown")


@pytest.mark.parametrize("label", sorted(_CODECS))
def test_every_label_of_the_table_reads_ascii_letters(label: str) -> None:
    data = "hi".encode("utf-16-be" if _CODECS[label] == "utf-16-be" else "utf-16-le")
    assert decode_text(data if _CODECS[label].startswith("utf-16") else b"hi", label) == ("hi", None)


@given(st.binary(), st.sampled_from(sorted(_CODECS)) | st.text(max_size=12))
def test_any_bytes_in_any_set_give_text_without_surrogates(data: bytes, label: str) -> None:
    decode_text(data, label)[0].encode()
