from typing import Any

import pytest

from mentionable import FilePart, Limits, Part, TextPart, WireError
from mentionable.activitypub._read.json_ld import read_node
from mentionable.activitypub._read.message import parts_of
from mentionable.activitypub._read.object import Content
from tests.activitypub.servers import NOTE


def parts(kind: str = "Note", **members: Any) -> tuple[Part, ...]:
    node = read_node({"id": NOTE, "type": kind, **members})
    found, diagnostics = parts_of(Content(node=node, id=NOTE, type=kind), limits=Limits())
    assert diagnostics == []
    return found


def texts(kind: str = "Note", **members: Any) -> list[tuple[str, str]]:
    return [(part.content, part.mime) for part in parts(kind, **members) if isinstance(part, TextPart)]


def test_name_and_content_warning_come_before_the_body() -> None:
    assert texts("Article", content="<p>Body</p>", summary="<b>rain</b> &amp; wind", name="Title") == [
        ("Title", "text/plain"),
        ("rain & wind", "text/plain"),
        ("<p>Body</p>", "text/html"),
    ]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"content": "<p>a</p>"}, [("<p>a</p>", "text/html")]),
        ({"content": "a\r\nb\u0000"}, [("a\nb", "text/html")]),
        ({"content": "  a  "}, [("  a  ", "text/html")]),
        ({"content": "*a*", "mediaType": "text/markdown"}, [("*a*", "text/markdown")]),
        ({"content": "a", "mediaType": "text/plain; charset=utf-8"}, [("a", "text/plain")]),
        ({"content": "a", "mediaType": "TEXT/HTML"}, [("a", "text/html")]),
        ({"content": "a", "mediaType": "text/x.misskeymarkdown"}, [("a", "text/plain")]),
        ({"content": "a", "mediaType": "image/png"}, [("a", "text/html")]),
        ({"content": "a", "mediaType": 5}, [("a", "text/html")]),
        ({"contentMap": {"de": "Regen", "en": "rain"}}, [("Regen", "text/html")]),
        ({"contentMap": {}}, []),
        ({"content": "a", "contentMap": {"de": "Regen"}}, [("a", "text/html")]),
        ({"content": ["a", "b"]}, [("a", "text/html")]),
        ({"content": []}, []),
        ({"content": " \n"}, []),
        ({"content": ""}, []),
        ({"content": None}, []),
        ({}, []),
        (
            {"content": "<p>a</p>", "source": {"content": "*a*", "mediaType": "text/markdown"}},
            [("*a*", "text/markdown")],
        ),
        ({"content": "<p>a</p>", "source": {"content": "a\r\n", "mediaType": "text/plain"}}, [("a\n", "text/plain")]),
        (
            {"content": "<p>a</p>", "source": {"content": "[b]a[/b]", "mediaType": "text/bbcode"}},
            [("<p>a</p>", "text/html")],
        ),
        ({"content": "<p>a</p>", "source": {"content": " ", "mediaType": "text/plain"}}, [("<p>a</p>", "text/html")]),
        ({"content": "<p>a</p>", "source": {"content": 5, "mediaType": "text/plain"}}, [("<p>a</p>", "text/html")]),
        ({"content": "<p>a</p>", "source": "a"}, [("<p>a</p>", "text/html")]),
    ],
)
def test_the_body_is_one_part_in_the_form_it_has(members: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert texts(**members) == expected


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"name": "1 < 2 & 3 > 2"}, "1 < 2 & 3 > 2"),
        ({"name": "<b>bold</b> title"}, "bold title"),
        ({"nameMap": {"en": "Title"}}, "Title"),
        ({"summaryMap": {"en": "cw"}}, "cw"),
    ],
)
def test_titles_and_warnings_are_plain_text(members: dict[str, Any], expected: str) -> None:
    assert texts(**members) == [(expected, "text/plain")]


@pytest.mark.parametrize("members", [{"summary": "<img src=x>"}, {"name": "<br>"}, {"summary": ""}, {"name": None}])
def test_a_title_or_warning_that_says_nothing_is_no_part(members: dict[str, Any]) -> None:
    assert parts(**members) == ()


@pytest.mark.parametrize(
    ("members", "at"),
    [
        ({"content": 5}, "/object/content"),
        ({"content": {"en": "a"}}, "/object/content"),
        ({"content": [["a"]]}, "/object/content"),
        ({"contentMap": "a"}, "/object/contentMap"),
        ({"contentMap": {"en": 5}}, "/object/content"),
        ({"summary": True}, "/object/summary"),
        ({"name": 1}, "/object/name"),
    ],
)
def test_text_of_another_type_is_refused_with_its_place(members: dict[str, Any], at: str) -> None:
    with pytest.raises(WireError) as error:
        parts(**members)
    assert (error.value.code, error.value.problems[0].at) == ("wrong-type", at)


def test_a_question_lists_what_one_may_choose() -> None:
    one = [{"type": "Note", "name": "Sun", "replies": {"totalItems": 3}}, {"type": "Note", "name": " Ra\nin "}]
    assert texts("Question", content="Tomorrow?", oneOf=one) == [
        ("Tomorrow?", "text/html"),
        ("One of:\n- Sun\n- Ra in", "text/plain"),
    ]
    assert texts("Question", anyOf={"name": "Sun"}) == [("Any of:\n- Sun", "text/plain")]
    assert texts("Question", oneOf=[{"name": ""}, "Sun", {"name": 5}], anyOf=[]) == []


def test_options_and_times_count_only_where_they_belong() -> None:
    assert texts("Note", oneOf=[{"name": "Sun"}], startTime="2026-12-24T18:00:00Z", url="https://a.example/a.png") == []
    assert parts("Article") == ()


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("Town  hall", "Town hall"),
        ({"type": "Place", "name": "Town hall"}, "Town hall"),
        ({"type": "Place", "name": "Town hall", "address": "Main Street 1"}, "Town hall, Main Street 1"),
        (
            {
                "name": "Town hall",
                "address": {
                    "type": "PostalAddress",
                    "addressCountry": "Utopia",
                    "addressLocality": "Springfield",
                    "streetAddress": "Main Street 1",
                    "postalCode": "12345",
                    "addressRegion": "North",
                },
            },
            "Town hall, Main Street 1, 12345, Springfield, North, Utopia",
        ),
        ({"type": "VirtualLocation", "url": "https://meet.example/1"}, "https://meet.example/1"),
    ],
)
def test_an_event_says_when_and_where(location: object, expected: str) -> None:
    found = texts("Event", startTime="2026-12-24T18:00:00Z", endTime="2026-12-24T20:00:00Z", location=location)
    when = "Start: 2026-12-24T18:00:00Z\nEnd: 2026-12-24T20:00:00Z"
    assert found == [(f"{when}\nPlace: {expected}", "text/plain")]


def test_an_event_without_time_and_place_says_nothing_of_them() -> None:
    assert texts("Event", startTime=5, location=[{}, None, 5]) == []


@pytest.mark.parametrize("kind", ["Audio", "Video", "Image"])
def test_media_objects_carry_their_media_before_attachments(kind: str) -> None:
    found = parts(kind, content="c", url="https://a.example/1.bin", attachment={"url": "https://a.example/2.bin"})
    assert [part.bytes_ref.url for part in found[1:] if isinstance(part, FilePart)] == [  # type: ignore[union-attr]
        "https://a.example/1.bin",
        "https://a.example/2.bin",
    ]


def test_too_many_parts_are_refused_not_cut() -> None:
    content = Content(node=read_node({"url": ["https://a.example/1.png"] * 3}), id=NOTE, type="Image")
    assert len(parts_of(content, limits=Limits(parts=3))[0]) == 3
    with pytest.raises(WireError) as error:
        parts_of(content, limits=Limits(parts=2))
    assert error.value.code == "too-many-parts"
