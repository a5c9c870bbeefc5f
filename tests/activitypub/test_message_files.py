from typing import Any

import pytest

from mentionable import FilePart, Limits, LinkPart, UrlRef, WireError
from mentionable.activitypub._read.json_ld import media_type, read_node
from mentionable.activitypub._read.message import attachment_parts, file_name, media_parts
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


def test_media_become_files_in_order() -> None:
    document = {
        "type": "Video",
        "mediaType": "text/markdown",
        "url": [
            {"type": "Link", "mediaType": "text/html", "href": "https://tube.example/w/1"},
            {"type": "Link", "mediaType": "video/mp4", "href": "https://tube.example/1.mp4", "size": 7, "name": "720p"},
            {"type": "Link", "mediaType": "application/x-bittorrent", "href": "magnet:?xt=1"},
            {"type": "Link"},
            "https://tube.example/1.webm",
        ],
    }
    parts, diagnostics = media_parts(read_node(document))
    assert parts == [
        a_file("text/html", "https://tube.example/w/1"),
        a_file("video/mp4", "https://tube.example/1.mp4", size_bytes=7, name="720p"),
        a_file(url="https://tube.example/1.webm"),
    ]
    assert [(one.code, one.at) for one in diagnostics] == [
        ("url-refused", "/object/url/2"),
        ("url-refused", "/object/url/3"),
    ]


def test_a_picture_says_its_media_type_itself() -> None:
    assert media_parts(read_node({"mediaType": "image/png", "url": PNG})) == ([a_file("image/png")], [])
    assert media_parts(read_node({"url": PNG})) == ([a_file()], [])
    assert media_parts(read_node({})) == ([], [])


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
