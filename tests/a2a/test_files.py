import hashlib
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable._errors.exceptions import WireError
from mentionable._flow.settings import Limits
from mentionable._model.parts import DigestRef, InlineRef, UrlRef
from mentionable._model.rules import is_base64
from mentionable._text.media import artifact_name
from mentionable.a2a._read.files import (
    declared_size,
    double_base64,
    file_name,
    media_type,
    read_base64,
    read_url,
    refer_to,
    standard_base64,
)
from mentionable.a2a._read.parse_context import ParseContext


@pytest.mark.parametrize(
    ("text", "mime"),
    [
        ("image/PNG", "image/png"),
        ("text/plain; charset=utf-8", "text/plain"),
        (None, "application/octet-stream"),
        ("nonsense", "application/octet-stream"),
        ("", "application/octet-stream"),
        ("image/png;" + "x" * 300, "image/png"),
    ],
)
def test_media_types_are_lower_case_without_parameters(text, mime):
    assert media_type(text) == mime


@pytest.mark.parametrize("read", [media_type, file_name])
def test_types_and_names_must_be_strings(read):
    with pytest.raises(WireError) as caught:
        read(7)
    assert caught.value.code == "wrong-type"


@pytest.mark.parametrize(
    ("text", "name"), [("a.pdf", "a.pdf"), ("../../etc/a.pdf", "a.pdf"), ("C:\\x\\a", "a"), ("x/", None), (None, None)]
)
def test_file_names_have_no_path(text, name):
    assert file_name(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("answer", "answer"),
        ("../../etc/passwd", "passwd"),
        ("a\u202eb\nc", "ab c"),
        ("in / out", "in \u2215 out"),
        ("in / " * 100 + "out.txt", "\u2215 " + "in \u2215 " * 49 + "out.txt"),
        ("..", None),
        ("", None),
    ],
)
def test_names_of_artifacts_may_be_prose_but_have_no_path(text, name):
    assert artifact_name(text) == name


def test_a_url_becomes_a_reference():
    assert read_url("https://f.example/a", {}) == UrlRef(url="https://f.example/a")


@pytest.mark.parametrize("url", ["ftp://f.example/a", "javascript:alert(1)", "/a", "https://u:p@f.example/", ""])
def test_only_web_urls_become_references(url):
    assert read_url(url, {}) is None


def test_a_url_must_be_a_string():
    with pytest.raises(WireError) as caught:
        read_url({}, {})
    assert caught.value.code == "wrong-type"


def test_the_end_of_a_url_is_kept_when_it_is_a_time():
    url = "https://f.example/a"
    assert read_url(url, {"expires_at": "2026-01-01T00:00:00Z"}).expires_at == "2026-01-01T00:00:00Z"
    assert read_url(url, {"expires_at": "soon"}).expires_at is None
    assert read_url(url, {"expires_at": 7}).expires_at is None


def test_a_declared_digest_names_the_bytes():
    digest = "ab" * 32
    url = "https://f.example/a"
    assert read_url(url, {"sha256": digest}) == DigestRef(digest=digest, url=url)
    assert isinstance(read_url(url, {"sha256": digest.upper()}), UrlRef)
    assert isinstance(read_url(url, {"sha256": "ab"}), UrlRef)


@pytest.mark.parametrize(
    ("size", "read"),
    [
        (5, 5),
        (5.0, 5),
        (5.5, None),
        (-1, None),
        (True, None),
        ("5", None),
        (2**53 - 1, 2**53 - 1),
        (2**53, None),
        (1e300, None),
    ],
)
def test_a_declared_size_is_a_whole_number(size, read):
    assert declared_size({"size_bytes": size}) == read


@pytest.mark.parametrize(
    ("text", "standard"),
    [
        ("", ""),
        ("aGk=", "aGk="),
        ("aGk", "aGk="),
        ("-_-_", "+/+/"),
        ("-_8", "+/8="),
        ("+/8", "+/8="),
        ("aGVsbG8=", "aGVsbG8="),
        ("QQ==", "QQ=="),
        ("QQ", "QQ=="),
    ],
)
def test_base64_of_both_alphabets_becomes_standard(text, standard):
    assert standard_base64(text) == standard


@pytest.mark.parametrize(
    "text",
    [
        "***",
        "a",
        "aGk==",
        "QQ=",
        "A=BC",
        "A==B",
        "=",
        "====",
        "AAAA====",
        "aG k=",
        "aGk=\n",
        "+/-_",
        "é",
        "AAAAA===",
        "AAAAA",
    ],
)
def test_anything_else_is_not_base64(text):
    assert standard_base64(text) is None


@pytest.mark.uncounted
@given(st.binary(max_size=100), st.booleans(), st.booleans())
def test_every_encoding_of_bytes_is_read_as_these_bytes(data, url_safe, padded):
    text = b64encode(data, b"-_" if url_safe else None).decode()
    assert standard_base64(text if padded else text.rstrip("=")) == b64encode(data).decode()


@given(st.text(alphabet="AQg+/-_= \n", max_size=12))
def test_what_is_taken_is_always_valid(text):
    standard = standard_base64(text)
    assert standard is None or is_base64(standard)


def test_bytes_stay_inline_with_their_size(context):
    assert read_base64("aGVsbG8=", context) == (InlineRef(data_base64="aGVsbG8="), 5)


@pytest.mark.parametrize(("text", "code"), [("***", "bad-base64"), (7, "wrong-type")])
def test_bad_base64_is_rejected(text, code, context):
    with pytest.raises(WireError) as caught:
        read_base64(text, context)
    assert caught.value.code == code


def test_many_bytes_are_set_apart():
    context = ParseContext(Limits(inline_bytes=4), blobs={})
    digest = hashlib.sha256(b"hello").hexdigest()
    assert read_base64(b64encode(b"hello").decode(), context) == (DigestRef(digest=digest), 5)
    assert context.blobs == {digest: b"hello"}
    assert isinstance(read_base64(b64encode(b"hell").decode(), context)[0], DigestRef)
    assert isinstance(read_base64(b64encode(b"hel").decode(), context)[0], InlineRef)


def test_bytes_made_here_are_kept_in_the_same_way():
    context = ParseContext(Limits(inline_bytes=4), blobs={})
    assert refer_to(b"hel", context) == InlineRef(data_base64="aGVs")
    assert isinstance(refer_to(b"hell", context), DigestRef)


def test_double_base64_is_undone():
    twice = b64encode(b64encode(b"\x89PNG")).decode()
    assert double_base64(twice, "image/png") == "iVBORw=="


@pytest.mark.parametrize("mime", ["text/plain", "application/json", "message/rfc822", "application/atom+xml"])
def test_text_may_consist_of_base64_digits(mime):
    twice = b64encode(b"abcd").decode()
    assert double_base64(twice, mime) is None


@pytest.mark.parametrize("data", [b"\x89PNG", b"abc", b"abcd===", b"ab=d", b""])
def test_single_base64_is_left_alone(data):
    once = b64encode(data).decode()
    assert double_base64(once, "image/png") is None


@pytest.mark.parametrize("odd", [7, "***"])
def test_what_is_not_base64_at_all_is_judged_later(odd):
    assert double_base64(odd, "image/png") is None
