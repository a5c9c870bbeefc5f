from __future__ import annotations

import pytest

from mentionable import AgentChain, Avatar, DigestRef, FilePart, InlineRef, LinkPart, Streaming, ToolCallPart, UrlRef
from mentionable._errors.exceptions import UsageError
from mentionable._model.rules import is_base64, is_media_type, read_media_type

INLINE = InlineRef(data_base64="")


@pytest.mark.parametrize("text", ["text/plain", "image/svg+xml", "application/vnd.x.y-z_1", "x/" + "y" * 127])
def test_media_types(text):
    assert is_media_type(text)


@pytest.mark.parametrize(
    "text",
    ["", "text", "/", "text/", "Text/plain", "text/plain;charset=utf-8", "text/plain\n", "x/" + "y" * 128, "é/x"],
)
def test_what_is_no_media_type(text):
    assert not is_media_type(text)
    with pytest.raises(UsageError, match=r"FilePart\.mime: expected a media type in lower case, and parameters"):
        FilePart(mime=text, bytes_ref=INLINE)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("image/png", "image/png"),
        ("image/PNG", "image/png"),
        (" Text/CSV ;Charset=UTF-8; header=present", "text/csv; charset=UTF-8; header=present"),
        ('a/b; x="plain"', "a/b; x=plain"),
        ('a/b; x="two words"; y=""', 'a/b; x="two words"; y=""'),
        (r'a/b; x="\p\"\\"', r'a/b; x="p\"\\"'),
        ("a/b;;; ", "a/b"),
        ("a/b; x", None),
        ("a/b; x=1 y", None),
        ("a/b; x=é", None),
        ("text/mar\u212adown", None),
        ('a/b; x="', None),
        ("text", None),
        ("a/b; x=" + "y" * 1_024, None),
    ],
)
def test_a_media_type_has_one_spelling(text, canonical):
    assert read_media_type(text) == canonical
    if canonical is not None:
        assert read_media_type(canonical) == canonical
        assert FilePart(mime=canonical, bytes_ref=INLINE).mime == canonical


@pytest.mark.parametrize("text", ["", "aGk=", "aGkh", "aA==", "+/+/"])
def test_base64(text):
    assert is_base64(text)


@pytest.mark.parametrize("text", ["a", "aGk", "aGk==", "aG k=", "aGk=\n", "a===", "-_-_", "====", "aG=k", "éGk="])
def test_what_is_no_base64(text):
    assert not is_base64(text)
    with pytest.raises(UsageError, match=r"InlineRef\.data_base64: expected standard padded base64"):
        InlineRef(data_base64=text)


@pytest.mark.parametrize("digest", ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64, "0" * 64 + "\n"])
def test_a_digest_is_64_lower_case_hex_digits(digest):
    with pytest.raises(UsageError, match=r"DigestRef\.digest: expected 64 lower-case hex digits"):
        DigestRef(digest=digest)


@pytest.mark.parametrize("url", ["", "ftp://a.example", "https://user@a.example/", "javascript:x"])
def test_a_url_is_http_or_https(url):
    for make in (UrlRef, LinkPart, Avatar):
        with pytest.raises(UsageError, match=rf"{make.__name__}\.url: expected an http or https URL"):
            make(url=url)


@pytest.mark.parametrize("time", ["", "2026-11-21", "2026-11-21T20:56:00"])
def test_a_timestamp_has_an_offset(time):
    with pytest.raises(UsageError, match=r"UrlRef\.expires_at: expected an RFC 3339 timestamp with an offset"):
        UrlRef(url="https://a.example/", expires_at=time)


@pytest.mark.parametrize("number", [-1, 2**53])
def test_a_count_is_a_safe_integer_of_0_or_more(number):
    with pytest.raises(UsageError, match=r"expected an integer from 0 to 2\^53-1"):
        Streaming(stream_id="s", seq=number, final=False)
    with pytest.raises(UsageError, match=r"expected an integer from 1 to 2\^53-1"):
        AgentChain(hop=number or 0, max_hops=2**53, is_final=False)


@pytest.mark.parametrize("duration", [-1, -0.5, float("nan"), float("inf"), 2**53])
def test_a_duration_is_a_finite_number_of_0_or_more(duration):
    with pytest.raises(UsageError, match=r"ToolCallPart\.duration_ms: expected a number from 0 to 2\^53-1"):
        ToolCallPart(id="c", name="n", args={}, duration_ms=duration)


@pytest.mark.parametrize("duration", [0, 0.5, 412, 2**53 - 1])
def test_durations_stay_as_they_are(duration):
    assert ToolCallPart(id="c", name="n", args={}, duration_ms=duration).duration_ms == duration
