from hashlib import sha256
from typing import Any

import pytest

from mentionable import (
    ArtifactPart,
    DigestRef,
    FilePart,
    Limits,
    LinkPart,
    NormalizedResponse,
    TextPart,
    UrlRef,
    UsageError,
)
from mentionable.activitypub import ServedFile
from mentionable.activitypub._write.note import Attachments, attachments_of
from tests.activitypub.answering import answer

PNG = b"\x89PNG"
DIGEST = sha256(PNG).hexdigest()
SERVED = f"https://agents.example/files/{DIGEST}.png"


def attached(*parts: Any, blobs: Any = (), limits: Limits = Limits()) -> Attachments:  # noqa: B008
    response = NormalizedResponse(reply_to="m1", parts=parts)
    return attachments_of(response, base="https://agents.example", blobs=dict(blobs), limits=limits)


def test_bytes_are_served_under_their_digest() -> None:
    found = attached(TextPart(content="x"), FilePart.of(PNG, mime="image/png", name="a.png"))
    assert found.entries == [{"type": "Image", "mediaType": "image/png", "url": SERVED, "name": "a.png"}]
    assert found.files == {SERVED: ServedFile(mime="image/png", data=PNG)}
    assert found.places == {1}


def test_the_same_bytes_are_served_once() -> None:
    part = FilePart.of(PNG, mime="image/png")
    found = attached(part, part)
    assert [entry["url"] for entry in found.entries] == [SERVED, SERVED]
    assert len(found.files) == 1


def test_what_has_a_url_keeps_it() -> None:
    url = "https://files.example/a"
    found = attached(
        FilePart(mime="video/mp4", bytes_ref=UrlRef(url=url)),
        ArtifactPart(mime="audio/x-odd", bytes_ref=DigestRef(digest=DIGEST, url=url), name=" a\u202eb\n"),
    )
    assert found.entries == [
        {"type": "Video", "mediaType": "video/mp4", "url": url},
        {"type": "Audio", "mediaType": "audio/x-odd", "url": url, "name": "ab"},
    ]
    assert found.files == {}


def test_what_is_named_by_its_digest_is_taken_from_the_blobs() -> None:
    part = ArtifactPart(mime="application/x-odd", bytes_ref=DigestRef(digest=DIGEST))
    found = attached(part, blobs={DIGEST: PNG})
    assert found.entries[0] == {
        "type": "Document",
        "mediaType": "application/x-odd",
        "url": SERVED.removesuffix(".png"),
    }
    with pytest.raises(UsageError, match=r"parts\[0\]\.bytes_ref"):
        attached(part)
    with pytest.raises(UsageError, match="blobs holds other bytes"):
        attached(part, blobs={DIGEST: b"other"})


def test_more_files_than_a_note_may_have_are_linked() -> None:
    link = LinkPart(url="https://a.example/")
    part = FilePart.of(PNG, mime="image/png")
    found = attached(part, link, part, limits=Limits(attachments=1))
    assert len(found.entries) == 1
    assert found.response.parts == (
        part,
        link,
        FilePart(mime="image/png", bytes_ref=UrlRef(url=SERVED), size_bytes=4),
    )


@pytest.mark.parametrize(
    ("mime", "shown"),
    [
        ("image/png", "inline"),
        ("audio/mpeg", "inline"),
        ("video/mp4", "inline"),
        ("image/svg+xml", "attachment"),
        ("text/html", "attachment"),
    ],
)
def test_nothing_that_is_served_acts(mime: str, shown: str) -> None:
    headers = dict(ServedFile(mime=mime, data=b"").headers)
    assert headers == {
        "content-type": mime,
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "content-disposition": shown,
    }


def test_the_same_bytes_as_two_types_are_two_files() -> None:
    mimes = ("text/plain", "application/x-odd", "application/x-odder", "application/x-odd")
    out = answer(*[FilePart.of(b"x", mime=mime) for mime in mimes])
    assert sorted(file.mime for file in out.files.values()) == sorted(set(mimes))
    attached = {entry["url"]: entry["mediaType"] for entry in out.activity["object"]["attachment"]}
    assert attached == {url: file.mime for url, file in out.files.items()}
