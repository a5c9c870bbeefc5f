import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, Settings, UsageError, WireError
from mentionable.rest import Field, fields_of
from tests.rest.asking import BOUNDARY, body_of, named, posted

HI = (named(b"user"), b"Hi")


def fault(request, **limits):
    with pytest.raises(WireError) as caught:
        fields_of(request, settings=Settings(limits=Limits(**limits)))
    return caught.value.code


def test_fields_come_in_order_with_all_that_their_heads_say():
    body = body_of(
        (named(b"session"), b"s1"),
        (named(b"user") + b"\r\nContent-Type: text/markdown", b"*Hi*\r\n"),
        (named(b"photo", b'; filename="a b.png"') + b"\r\ncontent-type:image/png\r\nX-Other: 1", b"\0\r\n--\xff"),
    )
    assert fields_of(posted(body)) == (
        Field("session", b"s1"),
        Field("user", b"*Hi*\r\n", "text/markdown"),
        Field("photo", b"\0\r\n--\xff", "image/png", "a b.png"),
    )


@pytest.mark.parametrize(
    "content_type",
    [
        f"multipart/form-data; boundary={BOUNDARY}",
        f'Multipart/Form-Data ;charset=utf-8; Boundary="{BOUNDARY}"',
    ],
)
def test_the_boundary_may_be_spelled_in_two_ways(content_type):
    assert len(fields_of(posted(body_of(HI), content_type))) == 1


def test_a_quoted_boundary_may_have_what_tokens_have_not():
    body = body_of(HI).replace(BOUNDARY.encode(), b"a b:c")
    assert len(fields_of(posted(body, 'multipart/form-data; boundary="a b:c"'))) == 1


def test_a_form_may_be_empty():
    assert fields_of(posted(body_of())) == ()


@pytest.mark.parametrize(
    "body", [b"\r\n" + body_of(HI), body_of(HI)[:-2], body_of(HI).replace(b"--\r\n", b"-- \t\r\n")]
)
def test_blank_lines_around_a_body_are_nothing(body):
    assert fields_of(posted(body)) == (Field("user", b"Hi"),)


def test_blanks_behind_a_boundary_are_padding():
    body = body_of(HI, HI).replace(BOUNDARY.encode() + b"\r\n", BOUNDARY.encode() + b" \t\r\n")
    assert len(fields_of(posted(body))) == 2


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (b'; filename="%22%0d%0A.txt"', '".txt'.replace('"', '"\r\n')),
        (b'; filename="a\\"b"', 'a"b'),
        (b'; filename="C:\\\\dir\\a.txt"', "C:\\dir\\a.txt"),
        (b"; filename=plain.txt", "plain.txt"),
        (b'; filename=""', ""),
        ('; filename="Grüße.txt"'.encode(), "Grüße.txt"),
        (b"; filename*=utf-8''Gr%C3%BC%C3%9Fe.txt", "Grüße.txt"),
        (b"; filename*=UTF-8'de'a.txt; filename=\"b.txt\"", "b.txt"),
    ],
)
def test_file_names_are_read_as_browsers_and_programs_write_them(written, name):
    (one,) = fields_of(posted(body_of((named(b"user", written), b""))))
    assert one.filename == name


@pytest.mark.parametrize(
    "content_type",
    ["", "application/json", "multipart/mixed; boundary=b0undary", "text/plain", "multipart/form-data2"],
)
def test_another_kind_of_body_is_told(content_type):
    assert fault(posted(body_of(HI), content_type)) == "media-type-unsupported"


@pytest.mark.parametrize(
    "content_type",
    [
        "multipart/form-data",
        "multipart/form-data; boundary",
        'multipart/form-data; boundary=""',
        'multipart/form-data; boundary="a "',
        "multipart/form-data; boundary=a; boundary=b0undary",
        f"multipart/form-data; boundary={'a' * 71}",
        "multipart/form-data; boundary=b0undary, multipart/form-data; boundary=b0undary",
    ],
)
def test_a_boundary_that_is_none_is_malformed(content_type):
    assert fault(posted(body_of(HI), content_type)) == "malformed"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"Hi",
        b"preamble\r\n" + body_of(HI),
        body_of(HI, end=False),
        body_of(HI) + b"epilogue",
        body_of(HI) + body_of(HI),
        body_of(HI).replace(b"\r\n", b"\n"),
        body_of(HI).replace(b"b0undary\r\n", b"b0undaryX\r\n"),
        body_of((b"", b"Hi")),
        body_of((b"\r\nContent-Disposition: form-data", b"Hi")),
        body_of((b"Content-Type: text/plain", b"Hi")),
        body_of((b'Content-Disposition: attachment; name="user"', b"Hi")),
        body_of((b"Content-Disposition: form-data", b"Hi")),
        body_of((named(b"user", b'; name="session"'), b"Hi")),
        body_of((named(b"user", b"; "), b"Hi")),
        body_of((named(b"user", b';filename="a'), b"Hi")),
        body_of((named(b"user") + b"\r\n folded: 1", b"Hi")),
        body_of((named(b"user") + b"\r\nno colon", b"Hi")),
        body_of((named(b"user") + b"\r\nX: a\nb", b"Hi")),
        body_of((named(b"user") + b"\r\n" + named(b"user"), b"Hi")),
        body_of((named(b"user") + b"\r\nContent-Transfer-Encoding: base64", b"SGk=")),
        body_of((named(b"user", b"; filename*=utf-16''a"), b"Hi")),
        body_of((named(b"user", b"; filename*=utf-8''%ff"), b"Hi")),
        body_of((named(b"user") + b"\r\nX: " + b"a" * 8192, b"Hi")),
        b"--b0undary\r\nContent-Disposition: form-data; name=a\r\n--b0undary--",
    ],
    ids=range(25),
)
def test_a_body_that_two_readers_could_split_in_two_ways_is_malformed(body):
    assert fault(posted(body)) == "malformed"


@pytest.mark.parametrize("encoding", [b"7bit", b"8BIT", b"binary"])
def test_encodings_that_change_nothing_are_taken(encoding):
    body = body_of((named(b"user") + b"\r\nContent-Transfer-Encoding: " + encoding, b"Hi"))
    assert len(fields_of(posted(body))) == 1


def test_a_head_that_is_not_utf8_is_told():
    assert fault(posted(body_of((named(b"\xff"), b"Hi")))) == "not-utf8"


def test_too_many_fields_and_too_many_bytes_are_told():
    assert fault(posted(body_of(HI, HI)), parts=1) == "too-many-parts"
    assert len(fields_of(posted(body_of(HI, HI)), settings=Settings(limits=Limits(parts=2)))) == 2
    size = len(body_of(HI))
    assert fault(posted(body_of(HI)), a2a_bytes=size - 1) == "too-large"
    assert len(fields_of(posted(body_of(HI)), settings=Settings(limits=Limits(a2a_bytes=size)))) == 1


@pytest.mark.parametrize(("request_", "settings"), [("x", Settings()), (posted(b""), None)])
def test_arguments_of_the_wrong_kind_are_mistakes_of_the_program(request_, settings):
    with pytest.raises(UsageError):
        fields_of(request_, settings=settings)


pieces = st.sampled_from(
    [
        b"--b0undary",
        b"\r\n",
        b"--",
        b"\n",
        b": ",
        b'Content-Disposition: form-data; name="a"',
        b'"',
        b";",
        b"\xff",
        b"x",
    ]
)


@given(st.lists(pieces, max_size=12).map(b"".join))
def test_any_bytes_are_fields_or_a_documented_error(body):
    try:
        found = {type(one) for one in fields_of(posted(body))}
    except WireError as error:
        found = {error.code}
    assert found <= {Field, "malformed", "not-utf8"}


@given(st.lists(st.binary(max_size=20), max_size=4))
def test_what_stands_between_boundaries_comes_back(values):
    body = body_of(*[(named(b"user"), value) for value in values])
    if not any(BOUNDARY.encode() in value for value in values):
        assert [one.value for one in fields_of(posted(body))] == values
