"""Single header fields."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import LimitError
from mentionable.mail._read.header_section import read_date, read_ids, read_line
from mentionable.mail._read.parameters import Structured, file_name, parameter, read_structured


def structured(value: str) -> Structured:
    return read_structured(value, name="content-type", max_parameters=100)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" Hello ", "Hello"),
        ("=?utf-8?q?caf=C3=A9?=", "café"),
        ("a\tb", "a b"),
        ("=?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
        ("a\u202egpj.exe\u200b", "agpj.exe"),
        ("Re: Re: Fwd:", "Re: Re: Fwd:"),
    ],
)
def test_a_subject_is_one_line_of_text(value: str, text: str) -> None:
    assert read_line(value) == text


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("Sat, 21 Nov 2026 10:00:00 +0000", "2026-11-21T10:00:00Z"),
        ("Sat, 21 Nov 2026 10:00:00 +0530", "2026-11-21T04:30:00Z"),
        ("Sat, 21 Nov 2026 10:00:00 -0800 (PST)", "2026-11-21T18:00:00Z"),
        ("21 Nov 2026 10:00 GMT", "2026-11-21T10:00:00Z"),
        ("21 Nov 2026 10:00 EST", "2026-11-21T15:00:00Z"),
        ("21 Nov 2026 10:00 X", "2026-11-21T10:00:00Z"),
        ("21 Nov 2026 10:00", "2026-11-21T10:00:00Z"),
        ("Fri, 21 Nov 97 09:55:06 -0600", "1997-11-21T15:55:06Z"),
        ("Fri, 21 Nov 03 09:55:06 -0000", "2003-11-21T09:55:06Z"),
        ("Saturday, 21-November-2026 10:00:00 +00:00", "2026-11-21T10:00:00Z"),
        ("31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:59Z"),
    ],
)
def test_a_date_becomes_utc(value: str, moment: str) -> None:
    assert read_date(value) == moment


@pytest.mark.parametrize(
    "value",
    ["", "yesterday", "32 Nov 2026 10:00 +0000", "21 Foo 2026 10:00 +0000", "21 Nov 2026", "1 Jan 0001 00:00 +0100"],
)
def test_what_is_no_date_gives_none(value: str) -> None:
    assert read_date(value) is None


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ("<a@b.example>", ["<a@b.example>"]),
        ("<a@b> <c@d>\t<e@f>", ["<a@b>", "<c@d>", "<e@f>"]),
        ("<a@b><c@d>", ["<a@b>", "<c@d>"]),
        ("Your message of Monday <a@b>", ["<a@b>"]),
        ("bob@home wrote <a@b>", ["<a@b>"]),
        ("nonsense <no-at> <two@at@signs> <with blank@x> <ok@x>", ["<two@at@signs>", "<withblank@x>", "<ok@x>"]),
        ("bare@id.example", ["<bare@id.example>"]),
        ("nothing here", []),
        ("<a\x00@b>", []),
        ("", []),
    ],
)
def test_message_ids_keep_their_brackets_and_others_are_skipped(value: str, ids: list[str]) -> None:
    assert read_ids(value, max_chars=2048) == ids


def test_ids_that_are_too_long_are_no_ids() -> None:
    assert read_ids("<long-long@x> <a@b>", max_chars=5) == ["<a@b>"]
    assert read_ids("a@b", max_chars=5) == ["<a@b>"]
    assert read_ids("a@bc", max_chars=5) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text/plain", Structured("text/plain", {}, False)),
        ("Text/HTML ; Charset=UTF-8", Structured("text/html", {"charset": "UTF-8"}, False)),
        ('text/plain; a="x;y"; b="q\\"q"', Structured("text/plain", {"a": "x;y", "b": 'q"q'}, False)),
        ("text/plain (a comment); a=1 (another); b=2", Structured("text/plain", {"a": "1", "b": "2"}, False)),
        ("text/plain; a=1; A=2", Structured("text/plain", {"a": "1"}, True)),
        ("text/plain;;;;", Structured("text/plain", {}, False)),
        ('text/plain; a="never ends', Structured("text/plain", {"a": ""}, False)),
        ('text/plain; a=1"2; b=3', Structured("text/plain", {"a": "1", "b": "3"}, False)),
        ("text/plain; a=1\t2; b=3", Structured("text/plain", {"a": "1", "b": "3"}, False)),
        ("text/plain; a = 1", Structured("text/plain", {"a": "1"}, False)),
        ("", Structured("", {}, False)),
        ("(only a comment)", Structured("", {}, False)),
        ("(a comment) text/plain; a=1", Structured("text/plain", {"a": "1"}, False)),
        ("text/plain(a (comment)); a=1", Structured("text/plain", {"a": "1"}, False)),
    ],
)
def test_a_structured_field_is_split(value: str, expected: Structured) -> None:
    assert structured(value) == expected


def test_a_long_field_is_read_like_a_short_one() -> None:
    assert structured("text/plain; a=" + "x" * 300).parameters == {"a": "x" * 300}


@pytest.mark.parametrize("length", [1, 200])
def test_too_many_parameters_are_refused(length: int) -> None:
    with pytest.raises(LimitError) as caught:
        read_structured("text/plain" + ";" * 4 + " " * length, name="content-type", max_parameters=3)
    assert caught.value.code == "too-many-fields"
    assert caught.value.problems[0].at == "/headers/content-type"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x; name=plain", "plain"),
        ('x; name="=?utf-8?q?caf=C3=A9?="', "café"),
        ("x; name*=utf-8'fr'caf%C3%A9", "café"),
        ("x; name*=iso-8859-1''caf%E9", "café"),
        ("x; name*=''caf%C3%A9", "café"),
        ("x; name*=utf-8''caf%C3%A9%20", "café"),
        ("x; name*=no-quotes%20here", "no-quotes here"),
        ("x; name*0*=utf-8''caf%C3; name*1*=%A9; name*2=.txt", "café.txt"),
        ("x; name*0=a; name*1=b; name*3=d", "ab"),
        ('x; name*0="=?utf-8?q?caf=C3=A9_"; name*1="noir?=.txt"', "café noir.txt"),
        ('x; name*="=?utf-8?q?caf=C3=A9?="', "café"),
        ("x; name==?utf-8?q?caf?= =?utf-8?q?=C3=A9.txt?=", "café.txt"),
        ("x; name*=shift_jis'ja'%93%FA%96%7B.txt", "日本.txt"),
        ("x; name*1=b", None),
        ("x; other=1", None),
    ],
)
def test_a_parameter_is_put_together_from_its_pieces(value: str, text: str | None) -> None:
    assert parameter(structured(value), "name") == text


@pytest.mark.parametrize(
    ("disposition", "content_type", "name"),
    [
        ("attachment; filename=a.txt", "text/plain; name=b.txt", "a.txt"),
        ("attachment", "text/plain; name=b.txt", "b.txt"),
        ("attachment", "text/plain", None),
        ('attachment; filename="../../etc/passwd"', "text/plain", "passwd"),
        ('attachment; filename="C:\\\\boot.ini"', "text/plain", "boot.ini"),
        ('attachment; filename=".."', "text/plain; name=b.txt", "b.txt"),
        ('attachment; filename="/"', "text/plain", None),
        ("attachment; filename*=utf-8''a%0D%0Ab", "text/plain", "a  b"),
        ("attachment; filename=Annual report 2026.pdf; size=1", "text/plain", "Annual report 2026.pdf"),
        ("attachment; filename=Annual report (1).pdf", "text/plain", "Annual report (1).pdf"),
        ("attachment; filename=report.pdf (the new one) ", "text/plain", "report.pdf"),
        ("attachment; filename=Grüße\tan alle.txt", "text/plain", "Grüße an alle.txt"),
        ('attachment; filename=the "new" report.pdf', "text/plain", 'the "new" report.pdf'),
    ],
)
def test_a_file_name_has_no_folders_and_no_control_characters(
    disposition: str, content_type: str, name: str | None
) -> None:
    assert file_name(structured(disposition), structured(content_type)) == name


def test_a_file_name_is_at_most_255_long() -> None:
    assert len(file_name(structured("x; filename=" + "a" * 400), structured("x")) or "") == 255


@given(st.text(alphabet="text/plain;=*0'%\"\\ ()aé", max_size=80))
def test_any_field_is_read(value: str) -> None:
    field = structured(value)
    file_name(field, field)
    assert read_date(value) is None
