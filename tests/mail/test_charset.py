"""Character sets: labels, and what becomes of bytes that do not fit them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.mail._read.charset import _CHARSETS, decode_text


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
        # the extensions of NEC and IBM, in rows 13, 89 to 92, and 115 to 119
        (b"\x1b$B-!-j|b\x1b(B", "iso-2022-jp", "①㈱髙"),
        (b"\x1b$B\x93!\x93=\x96~\x97,\x1b(B", "iso-2022-jp", "ⅰ纊髙黑"),
        (b"\xad\xa1\xad\xea\xfc\xe2", "euc-jp", "①㈱髙"),
        (b"\x87@\x87\x8a\xfb\xfc", "shift_jis", "①㈱髙"),
        # other sets of Japanese mail
        (b"\x1b(I123\x1b(B a", "iso-2022-jp", "ｱｲｳ a"),
        (b"a\x0e123\x0fb\x0e1\nc", "cp50222", "aｱｲｳbｱ\nc"),
        (b"\x1b(J\\100~\x1b(B", "iso-2022-jp", "¥100‾"),
        (b"\x1b(J\\100~\x1b(I1", "iso-2022-jp", "¥100‾ｱ"),
        (b"\x1b$(D0!\x1b(B", "iso-2022-jp-1", "丂"),
        (b"\x8f\xb0\xa1\x8f\xa2\xb7", "euc-jp", "丂～"),
        (b"\x1b$ADc\x1b$(C0!\x1b(B", "iso-2022-jp-2", "你가"),
        (b"\x1b.AGr\x1bN|e \x1b.F\x1bNa", "iso-2022-jp-2", "Grüe α"),
        (b'\x1b$(Q.!\x1b$(O."\x1b$(P!!\x1b(B', "iso-2022-jp-2004", "俱\U0002000b\U00020089"),
        (b"\x1b$(BF|\x1b(B", "iso-2022-jp", "日"),
        # one word after another, each with its switches; a line that forgets to switch back
        (b"\x1b$BF|\x1b(B\x1b$BK\\\x1b(B", "iso-2022-jp", "日本"),
        (b"\x1b$BF|\r\nK\\\x1b(B", "iso-2022-jp", "日\r\n本"),
        # Chinese and Korean
        (b"\x80100", "gb2312", "€100"),
        (b"\xa6\xd9\xa8\xbc\x815\xf47", "gb18030", "︐ḿ\ue7c7"),
        (b"\xa3\xe1\x87z\xa1\x45\xa2A", "big5", "€㡵‧∕"),
        (b"\x94\xee\xc0\xbd", "ks_c_5601-1987", "뷁음"),
        (b'\x1b$)C\x0e0!0"\x0fa\x0e0!\nb', "iso-2022-kr", "가각a가\nb"),
        (b"\x1b$)A\x0eDc:C\x0f a", "iso-2022-cn", "你好 a"),
        (b"a~{Dc:C~}~~b~\nc ~x~{Dc\nd~{Dc", "hz", "a你好~bc ~x你\nd你"),
        (b"~{#~~}#~{Dc~}:~{:C", "hz", "￣#你:好"),
        # single bytes
        (b"\xca\x81", "windows-1255", "\u05ba\x81"),
        (b"\xae\xbe", "koi8-ru", "ўЎ"),
        (b"a\xff", "x-user-defined", "a\uf7ff"),
    ],
)
def test_text_is_read_by_its_label(data: bytes, label: str, text: str) -> None:
    assert decode_text(data, label) == (text, None)


@pytest.mark.parametrize("label", ["", "unknown-8bit"])
def test_unlabelled_bytes_that_are_not_utf8_are_read_as_windows_1252_and_noted(label: str) -> None:
    assert decode_text(b"\x93caf\xe9\x94", label) == ("“café”", "charset-broken")


def test_an_unknown_label_is_read_as_utf8_and_noted() -> None:
    assert decode_text(b"caf\xc3\xa9 \xff", "x-unknown") == ("café \ufffd", "charset-unknown")


@pytest.mark.parametrize("label", ["utf-7", "unicode-1-1-utf-7", "csUnicode11UTF7", "utf7"])
def test_utf7_is_never_decoded(label: str) -> None:
    assert decode_text(b"+ADw-script+AD4-", label) == ("+ADw-script+AD4-", "charset-unknown")


@pytest.mark.parametrize("label", ["base64", "rot13", "idna", "punycode", "unicode_escape", "zlib", "undefined", "\0"])
def test_a_label_never_picks_a_codec_by_itself(label: str) -> None:
    assert decode_text(b"\\x41", label) == ("\\x41", "charset-unknown")


@pytest.mark.parametrize("label", sorted(_CHARSETS))
def test_every_label_of_the_table_reads_ascii_letters(label: str) -> None:
    data = "hi".encode("utf-16-be" if _CHARSETS[label] == "utf-16-be" else "utf-16-le")
    assert decode_text(data if _CHARSETS[label].startswith("utf-16") else b"hi", label) == ("hi", None)


@given(st.binary(), st.sampled_from(sorted(_CHARSETS)) | st.text(max_size=12))
def test_any_bytes_in_any_set_give_text_without_surrogates(data: bytes, label: str) -> None:
    decode_text(data, label)[0].encode()


@pytest.mark.parametrize(
    ("data", "label", "text"),
    [
        (b"\x93\xfa\xff\x96{", "shift_jis", "日\ufffd本"),
        (b"\x93\xfa\x81\n\x96{", "shift_jis", "日\ufffd\n本"),
        (b"\xc6\xfc\xff\xcb\xdc", "euc-jp", "日\ufffd本"),
        (b"\xc6\xfc\xa9\xa1\xcb\xdc", "euc-jp", "日\ufffd本"),
        (b"\x8f", "euc-jp", "\ufffd"),
        (b"a\xff\xffb", "euc-jp", "a\ufffd\ufffdb"),
        (b"\xc4\xe3\xff\xba\xc3", "gb2312", "你\ufffd好"),
        (b"\xa7A\xff\xa6n\xa2A", "big5", "你\ufffd好∕"),
        (b"\xc7\xd1\xff\xb1\xb9", "euc-kr", "한\ufffd국"),
        (b"\x1b$BF|\xffK\\\x1b(B", "iso-2022-jp", "日\ufffd本"),
        (b"\x1b$BF|)!K\\\x1b(B\xffa", "iso-2022-jp", "日\ufffd本\ufffda"),
        (b"\x1b$BF|\x1bK\\\x1b(B", "iso-2022-jp", "日\ufffd本"),
        (b"\x1b$(D\x80!\x1b$(O\x80!\x1b$A\x80!", "iso-2022-jp", "\ufffd\ufffd\ufffd"),
        (b"\x1b%G\x1bNa\x0f", "iso-2022-jp", "\ufffd%G\ufffd"),
        (b"\x1b$)G\x0eDc\x0f a\x1b$*H\x1bNDcb", "iso-2022-cn", "\ufffd a\ufffdb"),
        (b"\xc7\xd1a", "iso-2022-kr", "\ufffd\ufffda"),
        (b"a\x1b.F\x1bN.b", "iso-2022-jp", "a\ufffdb"),
        (b"\xa1\xa5", "iso-8859-3", "Ħ\ufffd"),
        (b"a\0\x00\xd8b\0c", "utf-16", "a\ufffdb\ufffd"),
        (b"\xe6\x97\xa5\xe6\xe6\x9c\xac", "utf-8", "日\ufffd本"),
        ("日本".encode() + b"\xe6", "", "日本\ufffd"),
    ],
)
def test_a_byte_that_fits_nothing_costs_itself_and_is_noted(data: bytes, label: str, text: str) -> None:
    assert decode_text(data, label) == (text, "charset-broken")


@pytest.mark.parametrize("label", ["gb2312", "euc-jp", "shift_jis", "big5", "euc-kr", "iso-2022-jp", "iso-8859-3"])
@pytest.mark.parametrize("text", ["你好吗", "Ħ 日本語, 你好吗, 한국\u2005\u0b85"])
def test_bytes_in_a_wrong_set_that_are_utf8_are_read_as_that(label: str, text: str) -> None:
    assert decode_text(text.encode(), label) == (text, "charset-broken")


def test_seven_bit_text_is_not_taken_for_utf8() -> None:
    assert decode_text(b"\x1b$BF|\x1b(B\x1b", "iso-2022-jp") == ("日\ufffd", "charset-broken")


def test_faults_far_from_each_other_leave_long_text_between_them() -> None:
    text = "日本語のテキスト。\n" * 500
    data = text.encode("euc_jp")
    assert (
        decode_text(data + b"\xff\xff" + data + b"\xad\xa1" + data, "euc-jp")[0] == f"{text}\ufffd\ufffd{text}①{text}"
    )


def test_many_faults_in_a_row_are_each_one_replacement_character() -> None:
    assert decode_text(b"\xff" * 200_000 + b"a", "gb18030")[0] == "\ufffd" * 200_000 + "a"


ENCODERS = {
    "big5": "big5", "big5-hkscs": "big5hkscs", "euc-jp": "euc_jp", "euc-kr": "cp949", "gb18030": "gb18030",
    "gb2312": "gb2312", "gbk": "gbk", "hz": "hz", "iso-2022-jp": "iso2022_jp", "iso-2022-jp-1": "iso2022_jp_1",
    "iso-2022-kr": "iso2022_kr", "shift_jis": "cp932", "koi8-r": "koi8_r", "windows-1251": "cp1251", "utf-16": "utf-16",
    "windows-1253": "cp1253", "iso-8859-2": "iso8859_2",
}  # fmt: skip
IN_LINES = "①今日〜\r\n㈱明日−\r\n"


def in_codec(text: str, codec: str, extended: dict[str, bytes]) -> bytes:
    """The text in a codec that lacks some characters, which have the given bytes."""
    switch, back = (b"\x1b$B", b"\x1b(B") if codec == "iso2022_jp" else (b"", b"")
    pieces = [switch + extended[char] + back if char in extended else char.encode(codec) for char in text]
    return b"".join(pieces).replace(back + switch, b"") if switch else b"".join(pieces)


EUC = ("euc-jp", "euc_jp", {"①": b"\xad\xa1", "㈱": b"\xad\xea", "\ufffd": b"\xad\xfe"})
ISO = ("iso-2022-jp", "iso2022_jp", {"①": b"-!", "㈱": b"-j", "\ufffd": b"-~"})


@pytest.mark.parametrize(("label", "codec", "extended"), [EUC, ISO], ids=["euc-jp", "iso-2022-jp"])
def test_characters_of_writers_are_read_among_those_of_the_standard(
    label: str, codec: str, extended: dict[str, bytes]
) -> None:
    for text in (IN_LINES * 3, f"〓{IN_LINES}", f"{IN_LINES}①〓"):
        data = in_codec(text, codec, extended)
        assert decode_text(data, label) == (text.replace("〜", "～").replace("−", "－"), None)
    broken = in_codec(f"①\ufffd{IN_LINES}", codec, extended)
    assert decode_text(broken, label)[0] == f"①\ufffd{IN_LINES}".replace("〜", "～").replace("−", "－")


ALPHABET = "aZ09 .,@~\\|\n日本語の文字カナ漢你好吗开会한국어글привітřžšαβγ①㈱"


SWITCHES = (
    b"(B", b"(H", b"(I", b"(J", b"$@", b"$A", b"$B",
    *[b"$(" + bytes((final,)) for final in b"@BCDOPQ"],
    *[b"$" + group + bytes((final,)) for group in (b")", b"*") for final in b"ACEGHIJKLM"], b".A", b".F",
)  # fmt: skip


@pytest.mark.parametrize("label", ["iso-2022-jp", "iso-2022-kr", "iso-2022-cn"])
@pytest.mark.parametrize("switch", SWITCHES)
def test_any_byte_behind_any_switch_and_shift_is_read(label: str, switch: bytes) -> None:
    for shift in (b"", b"\x0e", b"\x1bN"):
        for byte in range(256):
            text, _ = decode_text(b"\x1b" + switch + shift + bytes((byte,)) + b"!\n\x1b(Bend", label)
            assert text.endswith("\nend")


@given(st.text(ALPHABET), st.sampled_from(sorted(ENCODERS)))
def test_text_that_was_written_well_is_read_back(text: str, label: str) -> None:
    data = text.encode(ENCODERS[label], "ignore")
    assert decode_text(data, label) == (data.decode(ENCODERS[label]), None)
