"""Nothing that a person wrote is lost in silence: it is in a part, or a diagnostic names its place."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import encode
from mentionable.activitypub._read.json_ld import OBJECTS
from tests.activitypub.servers import World, create, note, taken

KINDS = sorted({*OBJECTS, "Review", "Quotation", "Album"} - {"ChatMessage"})
PNG = "https://files.example/a.png"
OTHER = "https://other.example"


def attached(member: str, kind: str = "Image", **facts: Any) -> Callable[[str], Any]:
    return lambda word: [{"type": kind, "url": PNG, member: word, **facts}]


def option(word: str) -> list[dict[str, Any]]:
    return [{"type": "Note", "name": word, "replies": {"type": "Collection", "totalItems": 2}}]


def place(**members: str) -> Callable[[str], Any]:
    return lambda word: {"type": "Place", **{name: member.format(word) for name, member in members.items()}}


WRITTEN: dict[str, tuple[str, Callable[[str], Any]]] = {
    **{member: (member, str) for member in ("name", "summary", "content")},
    **{f"{member} in HTML": (member, "<p>{}</p>".format) for member in ("name", "summary", "content")},
    **{f"{member} in two": (member, lambda word: ["first", word]) for member in ("name", "summary", "content")},
    **{f"{member}Map": (f"{member}Map", lambda word: {"en": word}) for member in ("name", "summary", "content")},
    "source": ("source", lambda word: {"content": word, "mediaType": "text/markdown"}),
    "alt text": ("attachment", attached("name")),
    "alt text by language": (
        "attachment",
        attached("nameMap") and (lambda word: [{"url": PNG, "nameMap": {"en": word}}]),
    ),
    "alt text with slashes": ("attachment", lambda word: [{"type": "Image", "url": PNG, "name": f"{word}/b"}]),
    "path": ("attachment", lambda word: [{"type": "Image", "url": PNG, "name": f"a {word}/b\\c"}]),
    "summary of a picture": ("attachment", attached("summary")),
    "name and summary of a picture": ("attachment", attached("summary", name="a.png")),
    "title of a link": ("attachment", attached("name", "Page")),
    "summary of a link": ("attachment", attached("summary", "Page")),
    "attachment without a URL": ("attachment", lambda word: [{"type": "Note", "content": word}]),
    "attachment of another scheme": ("attachment", lambda word: [{"type": "Image", "url": f"x:{word}", "name": word}]),
    "image": ("image", attached("name")),
    "icon": ("icon", attached("name")),
    "icon in text": ("icon", lambda word: f"https://files.example/{word}.png"),
    "preview": ("preview", lambda word: {"type": "Note", "content": word}),
    **{f"{member} named": (member, lambda word: f"{OTHER}/{word}") for member in ("quote", "quoteUrl", "quoteUri")},
    "_misskey_quote": ("_misskey_quote", lambda word: f"{OTHER}/{word}"),
    "quote in text": ("quote", "<p>{}</p>".format),
    "quote of another scheme": ("quote", "at://{}".format),
    "tag of a quote": (
        "tag",
        lambda word: [{"type": "Link", "mediaType": "application/activity+json", "href": OTHER, "name": word}],
    ),
    "place": ("location", place(name="{}")),
    "place and page": ("location", place(name="Online", url=f"{OTHER}/{{}}")),
    "address": ("location", lambda word: {"type": "Place", "name": "Hall", "address": {"addressLocality": word}}),
    "place in text": ("location", str),
    "odd place": ("location", lambda word: [{"type": "Place", "summary": word}]),
}
"""What people write in any object: title → its member, and its value with a word in it."""

OF_A_QUESTION: dict[str, tuple[str, Callable[[str], Any]]] = {
    "option": ("oneOf", option),
    "one of several options": ("anyOf", option),
    "odd option": ("anyOf", lambda word: [word]),
    "end": ("endTime", str),
    "closed": ("closed", str),
}
OF_AN_EVENT: dict[str, tuple[str, Callable[[str], Any]]] = {"start": ("startTime", str), "end": ("endTime", str)}
OF_MEDIA: dict[str, tuple[str, Callable[[str], Any]]] = {
    "file": ("url", lambda word: [{"type": "Link", "mediaType": "video/mp4", "href": f"{OTHER}/{word}"}]),
    "page": ("url", lambda word: [{"type": "Link", "mediaType": "text/html", "href": OTHER, "name": word}]),
    "torrent": (
        "url",
        lambda word: [{"type": "Link", "mediaType": "application/x-bittorrent", "href": f"{OTHER}/{word}"}],
    ),
    "subtitles": ("subtitleLanguage", lambda word: [{"identifier": "en", "name": word, "url": f"{OTHER}/1.vtt"}]),
    "subtitles without a file": ("subtitleLanguage", lambda word: [{"identifier": "en", "name": word}]),
    "support": ("support", str),
}
OF_A_PAGE: dict[str, tuple[str, Callable[[str], Any]]] = {"shared page": ("url", lambda word: f"{OTHER}/{word}")}
OF: dict[str, dict[str, tuple[str, Callable[[str], Any]]]] = {
    "Question": OF_A_QUESTION,
    "Event": OF_AN_EVENT,
    **dict.fromkeys(("Audio", "Video", "Image"), OF_MEDIA),
    "Page": OF_A_PAGE,
}


FORMS = {"source": "content", "contentMap": "content", "nameMap": "name", "summaryMap": "summary"}
"""Members that hold the same text in another form: of these, one is read."""


def with_written(kind: str, written: dict[str, Any]) -> dict[str, Any]:
    """A Create of an object that has what was written, and a body unless it has one."""
    body = ... if "contentMap" in written else "<p>Hello</p>"
    return create(note(**{"type": kind, "content": body} | written))


def check(activity: dict[str, Any], words: dict[str, str]) -> None:
    """Each word is in a part, or a diagnostic names the member that holds it."""
    got = taken(World().receive(activity))
    visible = json.dumps(encode(got.message)["parts"])
    places = [diagnostic.at for diagnostic in got.diagnostics]
    for word, member in words.items():
        assert word in visible or any(at.startswith(f"/object/{member}") for at in places), (word, member)


@st.composite
def objects(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, str]]:
    """A Create of an object of any kind, and each word in it with the member that holds it."""
    kind = draw(st.sampled_from(KINDS))
    known = WRITTEN | OF.get(kind, {})
    members = {title: member for title, (member, _) in known.items()}
    titles = draw(
        st.lists(
            st.sampled_from(sorted(known)),
            max_size=8,
            unique_by=lambda title: FORMS.get(members[title], members[title]),
        )
    )
    words = {f"canary{number}": members[title] for number, title in enumerate(titles)}
    written = {members[title]: known[title][1](word) for title, word in zip(titles, words, strict=True)}
    flags = {"sensitive": draw(st.sampled_from([True, False, None, "true", "odd"]))}
    return with_written(kind, written | flags), words


@pytest.mark.uncounted
@settings(deadline=None, max_examples=400)
@given(objects())
def test_whatever_a_person_wrote_is_in_a_part_or_named_by_a_diagnostic(
    drawn: tuple[dict[str, Any], dict[str, str]],
) -> None:
    check(*drawn)


@pytest.mark.parametrize("kind", KINDS)
def test_each_of_them_alone(kind: str) -> None:
    for member, value in (WRITTEN | OF.get(kind, {})).values():
        check(with_written(kind, {member: value("canary")}), {"canary": member})
