from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import FilePart, Limits, Part, TextPart, WireError
from mentionable.activitypub._read import message
from mentionable.activitypub._read.json_ld import read_node
from mentionable.activitypub._read.message import parts_of
from mentionable.activitypub._read.object import Content
from tests.activitypub.servers import NOTE


def read(kind: str = "Note", **members: Any) -> tuple[tuple[Part, ...], list[tuple[str, str]]]:
    """The parts, and the codes and places of the diagnostics."""
    node = read_node({"id": NOTE, "type": kind, **members})
    found, diagnostics = parts_of(Content(node=node, id=NOTE, type=kind), limits=Limits())
    return found, [(one.code, one.at) for one in diagnostics]


def parts(kind: str = "Note", **members: Any) -> tuple[Part, ...]:
    found, diagnostics = read(kind, **members)
    assert diagnostics == []
    return found


def purposes(kind: str = "Note", **members: Any) -> list[tuple[str, Any]]:
    """The texts, and what they are for."""
    found = parts(kind, **members)
    return [(part.content, part.extra.get("purpose")) for part in found if isinstance(part, TextPart)]


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
        ({"content": ["a"]}, [("a", "text/html")]),
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


@pytest.mark.parametrize("member", ["name", "summary", "content"])
def test_only_the_first_of_several_texts_is_read_and_that_is_reported(member: str) -> None:
    found, diagnostics = read(**{member: ["a", "b", "c"]})
    assert [part.content for part in found if isinstance(part, TextPart)] == ["a"]
    assert diagnostics == [("member-dropped", f"/object/{member}/1")]


@pytest.mark.parametrize(
    ("kind", "members", "purpose"),
    [
        ("Note", {}, "content-warning"),
        ("Question", {}, "content-warning"),
        ("Video", {"sensitive": True}, "content-warning"),
        ("Review", {}, "content-warning"),
        ("Article", {}, "abstract"),
        ("Page", {"sensitive": False}, "abstract"),
        ("Article", {"sensitive": True}, "content-warning"),
        ("Page", {"sensitive": "true"}, "content-warning"),
    ],
)
def test_a_summary_is_a_content_warning_or_an_abstract(kind: str, members: dict[str, Any], purpose: str) -> None:
    found, _ = read(kind, summary="rain", name="Title", **members)
    texts = [(part.content, part.extra.get("purpose")) for part in found if isinstance(part, TextPart)]
    assert texts == [("Title", None), ("rain", purpose)]


@pytest.mark.parametrize("member", ["sensitive", "as:sensitive", "https://www.w3.org/ns/activitystreams#sensitive"])
@pytest.mark.parametrize("value", [True, "true", " TRUE ", "1", 1], ids=repr)
def test_the_body_and_the_files_of_a_sensitive_object_say_so(member: str, value: object) -> None:
    found = parts(content="a", attachment={"type": "Image", "url": "https://a.example/1.png"}, **{member: value})
    assert [part.extra for part in found] == [{"sensitive": True}, {"sensitive": True}]


@pytest.mark.parametrize("value", [False, None, "false", "0", 0], ids=repr)
def test_what_is_not_sensitive_says_nothing(value: object) -> None:
    assert [part.extra for part in parts(content="a", sensitive=value)] == [{}]


@pytest.mark.parametrize("value", ["yes", 2, 1.0, [True], {}, "", []], ids=repr)
def test_an_odd_sensitive_costs_only_itself(value: object) -> None:
    for kind in ("Note", "Article"):
        found, diagnostics = read(kind, content="a", sensitive=value)
        assert [part.extra for part in found] == [{}]
        assert diagnostics == [("member-dropped", "/object/sensitive")]


def test_a_question_lists_what_one_may_choose() -> None:
    one = [{"type": "Note", "name": "Sun"}, {"type": "Note", "nameMap": {"en": " Ra\nin "}}]
    assert texts("Question", content="Tomorrow?", oneOf=one) == [
        ("Tomorrow?", "text/html"),
        ("One of:\n- Sun\n- Ra in", "text/plain"),
    ]
    assert texts("Question", anyOf={"name": "Sun"}) == [("Any of:\n- Sun", "text/plain")]


def test_options_without_a_name_are_reported() -> None:
    found, diagnostics = read("Question", oneOf=[{"name": ""}, "Sun", {"name": 5}, {"name": "Rain"}], anyOf=[])
    assert found == (TextPart(content="One of:\n- Rain"),)
    assert diagnostics == [("member-dropped", f"/object/oneOf/{index}") for index in range(3)]


def counted(name: str, count: object) -> dict[str, Any]:
    return {"type": "Note", "name": name, "replies": {"type": "Collection", "totalItems": count}}


def test_a_poll_says_when_it_ends_and_a_part_of_its_own_how_it_stands() -> None:
    found = purposes(
        "Question",
        oneOf=[counted("Sun", 2), counted("Rain", 0)],
        endTime="2026-11-21T08:00:00Z",
        votersCount=2,
        closed="2026-11-20T08:00:00Z",
    )
    assert found == [
        ("One of:\n- Sun\n- Rain\nEnds: 2026-11-21T08:00:00Z", None),
        ("Votes so far:\n- Sun: 2\n- Rain: 0\nVoters: 2\nClosed: 2026-11-20T08:00:00Z", "tally"),
    ]


def test_votes_change_no_part_but_the_tally() -> None:
    before = parts("Question", content="a", oneOf=[counted("Sun", 2)], votersCount=2)
    after = parts("Question", content="a", oneOf=[counted("Sun", 3)], votersCount=3, closed=True)
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, True, False]
    assert after[2].extra == {"purpose": "tally"}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"closed": True}, [("Closed", "tally")]),
        ({"closed": {"type": "Link", "href": "https://a.example/end"}}, [("Closed: https://a.example/end", "tally")]),
        ({"closed": False, "votersCount": None, "endTime": None}, []),
        ({"votersCount": 0}, [("Voters: 0", "tally")]),
    ],
)
def test_a_poll_is_closed_at_a_time_or_just_closed(members: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert purposes("Question", **members) == expected


@pytest.mark.parametrize(
    ("members", "at"),
    [
        ({"closed": 5}, "/object/closed"),
        ({"closed": ""}, "/object/closed"),
        ({"votersCount": -1}, "/object/votersCount"),
        ({"votersCount": True}, "/object/votersCount"),
        ({"endTime": 5}, "/object/endTime"),
        ({"oneOf": [counted("Sun", "2")]}, "/object/oneOf/0/replies/totalItems"),
        ({"anyOf": [counted("Sun", -2)]}, "/object/anyOf/0/replies/totalItems"),
    ],
)
def test_an_odd_count_or_end_costs_only_itself(members: dict[str, Any], at: str) -> None:
    found, diagnostics = read("Question", content="a", **members)
    assert isinstance(found[0], TextPart)
    assert found[0].content == "a"
    assert diagnostics == [("member-dropped", at)]


def test_any_object_may_have_a_place() -> None:
    assert purposes(location={"type": "Place", "name": "Town hall"}) == [("Place: Town hall", None)]
    assert read(location=5) == ((), [("member-dropped", "/object/location/0")])


def test_a_preview_is_no_part_and_is_reported() -> None:
    found, diagnostics = read("Article", preview={"type": "Note", "content": "in short"})
    assert (found, diagnostics) == ((), [("part-unsupported", "/object/preview")])


def test_how_to_support_the_author_of_a_video_is_text_of_the_author() -> None:
    assert purposes("Video", support="Buy **me** tea") == [("Buy **me** tea", "support")]
    assert purposes("Note", support="Buy me tea") == []


def test_an_object_of_an_unknown_type_is_read_like_a_note_and_says_what_is_not_read() -> None:
    node = read_node({"type": "Review", "name": "Wet", "content": "a", "rating": 4, "<b>": 1, "oneOf": {"name": "Sun"}})
    found, diagnostics = parts_of(Content(node=node, id=NOTE, type="Review"), limits=Limits())
    assert [part.content for part in found if isinstance(part, TextPart)] == ["Wet", "a", "One of:\n- Sun"]
    assert [(one.code, one.at, one.detail) for one in diagnostics] == [
        ("type-unknown", "/object/type", "Review is read like a Note; not read: rating")
    ]
    node = read_node({"type": "Review", "content": "a"})
    _, diagnostics = parts_of(Content(node=node, id=NOTE, type="Review"), limits=Limits())
    assert [one.detail for one in diagnostics] == ["Review is read like a Note"]


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
        (
            {"name": "Online", "url": [{"type": "Link", "href": "https://meet.example/1"}]},
            "Online, https://meet.example/1",
        ),
    ],
)
def test_an_event_says_when_and_where(location: object, expected: str) -> None:
    found = texts("Event", startTime="2026-12-24T18:00:00Z", endTime="2026-12-24T20:00:00Z", location=location)
    when = "Start: 2026-12-24T18:00:00Z\nEnd: 2026-12-24T20:00:00Z"
    assert found == [(f"{when}\nPlace: {expected}", "text/plain")]


def test_an_odd_time_or_place_of_an_event_is_reported() -> None:
    assert texts("Event") == []
    found, diagnostics = read("Event", startTime=5, location=[{}, None, 5])
    places = ["/object/startTime", *(f"/object/location/{index}" for index in range(3))]
    assert (found, diagnostics) == ((), [("member-dropped", at) for at in places])


@pytest.mark.parametrize("kind", ["Audio", "Video", "Image"])
def test_media_objects_carry_their_media_before_attachments(kind: str) -> None:
    found = parts(kind, content="c", url="https://a.example/1.bin", attachment={"url": "https://a.example/2.bin"})
    assert [part.bytes_ref.url for part in found[1:] if isinstance(part, FilePart)] == [  # type: ignore[union-attr]
        "https://a.example/1.bin",
        "https://a.example/2.bin",
    ]


def test_too_many_parts_are_refused_not_cut() -> None:
    node = read_node({"content": "a", "attachment": ["https://a.example/1"] * 2})
    content = Content(node=node, id=NOTE, type="Note")
    assert len(parts_of(content, limits=Limits(parts=3))[0]) == 3
    with pytest.raises(WireError) as error:
        parts_of(content, limits=Limits(parts=2))
    assert error.value.code == "too-many-parts"


VALUES = st.sampled_from([
    None, False, True, 0, "", "a", "<b>a</b>", "https://a.example/1", "text/plain", "Emoji", 5, ["a", "b"],
    {"de": "Regen"}, {"type": "Image", "url": "https://a.example/1.png", "name": "a"}, {"type": "Mention"},
    {"type": ["Link"], "href": "https://a.example/2", "rel": "https://misskey-hub.net/ns#_misskey_quote"},
])  # fmt: skip
MEMBERS = st.sampled_from([
    *("name", "nameMap", "summary", "summaryMap", "content", "contentMap", "mediaType", "source", "sensitive", "tag"),
    *("as:sensitive", "attachment", "location", "image", "icon", "preview", "quoteUrl", "_misskey_quote", "oneOf"),
])  # fmt: skip


def outcome(members: dict[str, Any]) -> Any:
    try:
        return read(**members)
    except WireError as error:
        return error.code, error.problems


@pytest.mark.uncounted
@settings(max_examples=300)
@given(st.dictionaries(MEMBERS, st.one_of(VALUES, st.lists(VALUES, max_size=3)), min_size=1, max_size=3))
def test_a_plain_note_reads_as_it_would_among_all_others(members: dict[str, Any]) -> None:
    quick = outcome(members)
    with patch.object(message, "_is_plain", return_value=False):
        assert outcome(members) == quick
