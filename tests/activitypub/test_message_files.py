from typing import Any

import pytest

from mentionable import FilePart, Limits, LinkPart, UrlRef, WireError
from mentionable.activitypub._read.files import (
    Files,
    attachment_parts,
    file_name,
    media_parts,
    page_link,
    picture_parts,
    subtitle_parts,
    without_repeats,
)
from mentionable.activitypub._read.json_ld import media_type, read_node
from tests.activitypub.servers import codes

PNG = "https://files.example/a.png"


def attached(attachment: Any) -> tuple[list[FilePart | LinkPart], list[str]]:
    parts, diagnostics = attachment_parts(read_node({"attachment": attachment}), limits=Limits())
    return parts, codes(diagnostics)


def a_file(mime: str = "application/octet-stream", url: str = PNG, **members: Any) -> FilePart:
    return FilePart(mime=mime, bytes_ref=UrlRef(url=url), **members)


@pytest.mark.parametrize(
    ("attachment", "part"),
    [
        ({"type": "Document", "mediaType": "image/png", "url": PNG}, a_file("image/png")),
        ({"type": "Image", "url": PNG, "name": "A cloud"}, a_file(name="A cloud")),
        ({"type": "Document", "href": PNG}, a_file()),
        ({"url": PNG}, a_file()),
        (
            {"type": "Video", "mediaType": "Video/MP4; codecs=x", "url": PNG, "size": 12},
            a_file("video/mp4", size_bytes=12),
        ),
        ({"type": "Image", "url": {"type": "Link", "href": PNG, "mediaType": "image/png"}}, a_file("image/png")),
        ({"type": "Image", "mediaType": "image/png", "url": [{"href": PNG}]}, a_file("image/png")),
        (
            {
                "type": "Video",
                "size": 1,
                "url": [{"href": "magnet:?x"}, {"href": PNG, "mediaType": "video/mp4", "size": 2}],
            },
            a_file("video/mp4", size_bytes=2),
        ),
        ({"type": "Image", "url": [5, PNG]}, a_file()),
        ({"type": "Image", "url": "http://files.example/a.png"}, a_file(url="http://files.example/a.png")),
        ({"type": "Link", "href": "https://a.example/"}, LinkPart(url="https://a.example/")),
        (
            {"type": "Page", "url": "https://a.example/", "name": " Rain\n", "summary": "About \u202erain"},
            LinkPart(url="https://a.example/", title="Rain", description="About rain"),
        ),
        ({"type": "Note", "url": "https://a.example/", "name": 5}, LinkPart(url="https://a.example/")),
        ("https://a.example/", LinkPart(url="https://a.example/")),
    ],
)
def test_an_attachment_of_any_shape_becomes_a_file_or_a_link(attachment: Any, part: FilePart | LinkPart) -> None:
    assert attached(attachment) == ([part], [])
    assert attached([attachment, attachment]) == ([part, part], [])


@pytest.mark.parametrize(
    ("attachment", "code"),
    [
        ("javascript:alert(1)", "url-refused"),
        ({"type": "Image", "url": "data:image/png;base64,AA=="}, "url-refused"),
        ({"type": "Link", "href": "payto://iban/DE75512108001245126199"}, "url-refused"),
        ({"type": "Image", "url": "https://alice@files.example/a.png"}, "url-refused"),
        ({"type": "Image", "url": [5, {"href": 5}]}, "url-refused"),
        ({"type": "PropertyValue", "name": "Pronouns", "value": "she"}, "part-unsupported"),
        ({"type": "Note", "content": "inline"}, "part-unsupported"),
        ({"type": "Image", "url": []}, "part-unsupported"),
        (5, "part-unsupported"),
        ([[PNG]], "part-unsupported"),
    ],
)
def test_an_attachment_without_a_url_to_show_is_dropped_with_a_note(attachment: Any, code: str) -> None:
    assert attached(attachment) == ([], [code])


def test_no_attachment_no_part() -> None:
    assert attached(None) == attached([]) == ([], [])


def test_a_dropped_attachment_is_named_by_its_place() -> None:
    _, diagnostics = attachment_parts(read_node({"attachment": [PNG, "x:y"]}), limits=Limits())
    assert diagnostics[0].at == "/object/attachment/1"


def test_too_many_attachments_are_refused_not_cut() -> None:
    node = read_node({"attachment": [PNG] * 3})
    assert len(attachment_parts(node, limits=Limits(attachments=3))[0]) == 3
    with pytest.raises(WireError) as error:
        attachment_parts(node, limits=Limits(attachments=2))
    assert error.value.code == "too-many-attachments"


@pytest.mark.parametrize("size", [-1, True, 1.5, "12", 2**53, None])
def test_a_size_counts_only_when_it_is_sane(size: object) -> None:
    assert attached({"url": PNG, "size": size}) == ([a_file()], [])


def media(document: dict[str, Any], **limits: int) -> tuple[list[FilePart | LinkPart], list[tuple[str, str]]]:
    parts, diagnostics = media_parts(read_node(document), limits=Limits(**limits))
    return parts, [(one.code, one.at) for one in diagnostics]


def test_the_links_of_a_video_become_what_they_are() -> None:
    document = {
        "type": "Video",
        "mediaType": "text/markdown",
        "url": [
            {"type": "Link", "mediaType": "text/html", "href": "https://tube.example/w/1", "name": "Watch\nit"},
            {"type": "Link", "mediaType": "video/mp4", "href": "https://tube.example/1.mp4", "size": 7, "name": "720p"},
            {"type": "Link", "mediaType": "application/x-bittorrent", "href": "magnet:?xt=1"},
            {"type": "Link"},
            "https://tube.example/1.webm",
            {"type": "Link", "mediaType": "application/x-bittorrent", "href": "https://tube.example/1.torrent"},
            {"type": "Link", "rel": ["tracker", "http"], "href": "https://tube.example/announce"},
            {"type": "Link", "rel": "metadata", "mediaType": "application/json", "href": "https://tube.example/m/1"},
        ],
    }
    assert media(document) == (
        [
            LinkPart(url="https://tube.example/w/1", title="Watch it"),
            a_file("video/mp4", "https://tube.example/1.mp4", size_bytes=7, name="720p"),
            a_file(url="https://tube.example/1.webm"),
        ],
        [
            ("url-refused", "/object/url/2"),
            ("url-refused", "/object/url/3"),
            *(("part-unsupported", f"/object/url/{index}") for index in (5, 6, 7)),
        ],
    )


def test_a_stream_brings_its_files() -> None:
    tags = [
        {"type": "Infohash", "name": "51a4"},
        {"type": "Link", "name": "sha256", "mediaType": "application/json", "href": "https://tube.example/1.json"},
        {"type": "Link", "mediaType": "video/mp4", "href": "https://tube.example/1-f.mp4"},
        5,
    ]
    stream = {"type": "Link", "mediaType": "application/x-mpegURL", "href": "https://tube.example/1.m3u8", "tag": tags}
    assert media({"url": stream}) == (
        [
            a_file("application/x-mpegurl", "https://tube.example/1.m3u8"),
            a_file("video/mp4", "https://tube.example/1-f.mp4"),
        ],
        [("part-unsupported", "/object/url/0/tag/1")],
    )
    assert len(media({"url": stream}, parts=3)[0]) == 2
    with pytest.raises(WireError) as error:
        media({"url": stream}, parts=2)
    assert error.value.code == "too-many-parts"


def test_a_picture_says_its_media_type_itself() -> None:
    assert media({"mediaType": "image/png", "url": PNG}) == ([a_file("image/png")], [])
    assert media({"url": PNG}) == ([a_file()], [])
    assert media({}) == ([], [])


@pytest.mark.parametrize("member", ["image", "icon"])
def test_pictures_of_an_object_say_that_they_are_no_attachments(member: str) -> None:
    entries = [PNG, {"type": "Image", "url": "https://files.example/b.png", "name": "A cloud"}, {"type": "Image"}]
    parts, diagnostics = picture_parts(read_node({member: entries}), member, limits=Limits())
    assert parts == [
        a_file(extra={"purpose": member}),
        a_file(url="https://files.example/b.png", name="A cloud", extra={"purpose": member}),
    ]
    assert [(one.code, one.at) for one in diagnostics] == [("part-unsupported", f"/object/{member}/2")]
    with pytest.raises(WireError) as error:
        picture_parts(read_node({member: entries}), member, limits=Limits(attachments=2))
    assert error.value.problems[0].at == f"/object/{member}"


def test_a_picture_that_is_an_attachment_already_is_one_part_unless_it_has_a_name_of_its_own() -> None:
    known = [a_file(), LinkPart(url="https://a.example/")]
    named, repeated, new = a_file(name="A cloud"), a_file(), a_file(url="https://files.example/b.png")
    link = LinkPart(url="https://a.example/")
    assert without_repeats(Files([named, repeated, new, link], []), known) == Files([named, new, link], [])


def test_subtitles_are_files_named_by_their_language() -> None:
    entries = [
        {"identifier": "en", "name": "English", "url": "https://tube.example/1-en.vtt"},
        {
            "identifier": "fr",
            "name": "Français",
            "url": [{"mediaType": "text/vtt", "href": "https://tube.example/1-fr.vtt"}],
        },
        {"identifier": "de", "name": "Deutsch"},
    ]
    parts, diagnostics = subtitle_parts(read_node({"subtitleLanguage": entries}), limits=Limits())
    extra = {"purpose": "subtitles"}
    assert parts == [
        a_file("text/vtt", "https://tube.example/1-en.vtt", name="English", extra=extra),
        a_file("text/vtt", "https://tube.example/1-fr.vtt", name="Français", extra=extra),
    ]
    assert [(one.code, one.at) for one in diagnostics] == [("part-unsupported", "/object/subtitleLanguage/2")]


@pytest.mark.parametrize(
    ("url", "shared"),
    [
        ("https://news.example/rain", ["https://news.example/rain"]),
        ({"type": "Link", "href": "https://news.example/rain"}, ["https://news.example/rain"]),
        (["https://lemmy.example/post/1", "https://news.example/rain"], ["https://news.example/rain"]),
        ("https://lemmy.example/m/rain/t/1", []),
        (None, []),
    ],
)
def test_a_page_shares_what_is_on_another_server(url: Any, shared: list[str]) -> None:
    node = read_node({"id": "https://lemmy.example/post/1", "url": url})
    assert page_link(node) == Files([LinkPart(url=one) for one in shared], [])


def test_the_address_of_a_page_must_be_a_web_url() -> None:
    parts, diagnostics = page_link(read_node({"url": "javascript:alert(1)"}))
    assert (parts, [(one.code, one.at) for one in diagnostics]) == ([], [("url-refused", "/object/url/0")])


@pytest.mark.parametrize(
    ("members", "name", "description"),
    [
        ({"name": "A cat\nand a dog"}, "A cat and a dog", None),
        ({"name": "A cat and/or a dog"}, "A cat and\u2215or a dog", "A cat and/or a dog"),
        ({"name": "cat/dog"}, "dog", "cat/dog"),
        ({"nameMap": {"en": "A cat"}}, "A cat", None),
        ({"summary": "A cat"}, "A cat", None),
        ({"summary": "cat/dog"}, "dog", "cat/dog"),
        ({"name": "cat.png", "summary": "A cat\non a mat"}, "cat.png", "A cat\non a mat"),
        ({"name": "../cat.png", "summary": "A cat"}, "cat.png", "../cat.png\nA cat"),
        ({"name": "/", "summary": "A \u202ecat"}, "A cat", "/"),
        ({"name": 5, "summary": ["A cat"]}, None, None),
    ],
)
def test_what_describes_a_picture_reaches_a_reader(
    members: dict[str, Any], name: str | None, description: str | None
) -> None:
    extra = {} if description is None else {"description": description}
    assert attached({"type": "Image", "url": PNG, **members}) == ([a_file(name=name, extra=extra)], [])


def test_an_attachment_may_be_sensitive_alone() -> None:
    entries = [{"type": "Image", "url": PNG, "sensitive": True}, {"type": "Image", "url": PNG, "sensitive": "so"}]
    parts, diagnostics = attachment_parts(read_node({"attachment": entries}), limits=Limits())
    assert [part.extra for part in parts] == [{"sensitive": True}, {}]
    assert [(one.code, one.at) for one in diagnostics] == [("member-dropped", "/object/attachment/1/sensitive")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cloud.png", "cloud.png"),
        ("A cat and/or a dog", "A cat and\u2215or a dog"),
        ("C:\\temp dir\\x", "C:\u2216temp dir\u2216x"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("/etc/", None),
        ("a/..", None),
        ("..", None),
        (".", None),
        ("", None),
        (" \n", None),
        (None, None),
        (5, None),
        ("line\none\u2028two", "line one two"),
        ("exe\u202egnp.a", "exegnp.a"),
        ("\x00a\x9f", "a"),
    ],
)
def test_a_file_name_is_one_line_and_no_path(name: object, expected: str | None) -> None:
    assert file_name(name) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("Image/PNG; q=1", "image/png"), ("image", None), ("a/" + "b" * 600, None), (5, None), (None, None)],
)
def test_a_media_type_is_bare_and_lower_case(value: object, expected: str | None) -> None:
    assert media_type(value) == expected
