"""Bodies that are split: `conformance/v0.1/rest/split.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._rest_rows import BOUNDARY, Case, posted, posted_as, raw, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

USER: Final = '; name="user"'
MULTIPART: Final = "RFC 2046 5.1"
HEAD: Final = "RFC 7578 4.2"
split = rows("split")


def bodies() -> Iterator[Case]:
    """Bodies, and the fields in them."""
    yield split(
        "fields",
        MULTIPART,
        "Bytes between boundaries are nobody's business: none is added, none is lost.",
        posted((USER, b"Hi\r\n"), ('; name="photo"; filename="a b.png"\r\nContent-Type: image/png', b"\0--\xff")),
        value=[["user", "Hi\r\n", None, None], ["photo", raw(b"\0--\xff"), "image/png", "a b.png"]],
    )
    yield split("empty", MULTIPART, "A form may have no field.", posted(), value=[])
    yield split(
        "quoted-boundary",
        MULTIPART,
        "A boundary may hold characters that must be quoted.",
        posted_as(
            b'--a b\r\nContent-Disposition: form-data; name="user"\r\n\r\nHi\r\n--a b--',
            'multipart/form-data; boundary="a b"',
        ),
        value=[["user", "Hi", None, None]],
    )
    yield split(
        "padding",
        MULTIPART,
        "Blanks behind a boundary are padding of the transport.",
        posted_as(f"--{BOUNDARY} \t\r\nContent-Disposition: form-data{USER}\r\n\r\nHi\r\n--{BOUNDARY}--".encode()),
        value=[["user", "Hi", None, None]],
    )
    yield split(
        "browser-name",
        HEAD,
        "Browsers write quotes and line ends of a name in percent.",
        posted(('; name="a"; filename="%22%0D%0A.txt"', b"")),
        value=[["a", "", None, '"\r\n.txt']],
    )
    yield split(
        "escaped-name",
        HEAD,
        "Programs escape quotes with a backslash; one in front of anything else is one.",
        posted(('; name="a"; filename="a\\"b\\c"', b"")),
        value=[["a", "", None, 'a"b\\c']],
    )
    yield split(
        "extended-name",
        HEAD,
        "Some programs write names beyond ASCII in the extended form.",
        posted(("; name=a; filename*=utf-8''Gr%C3%BC%C3%9Fe.txt", b"")),
        value=[["a", "", None, "Grüße.txt"]],
    )
    wrong: tuple[tuple[str, str, str, Any], ...] = (
        ("cut-off", MULTIPART, "A body that was cut off must not pass for a whole one.", posted((USER, b"Hi"), end="")),
        (
            "preamble",
            MULTIPART,
            "What stands before the first boundary is read by some and not by others.",
            posted_as(f"Hi\r\n--{BOUNDARY}--".encode()),
        ),
        (
            "epilogue",
            MULTIPART,
            "What stands behind the last boundary is read by some and not by others.",
            posted((USER, b"Hi"), end=f"--{BOUNDARY}--\r\n--{BOUNDARY}--\r\n"),
        ),
        (
            "line-ends",
            MULTIPART,
            "Lines of another kind are boundaries to some and data to others.",
            posted_as(f"--{BOUNDARY}\nContent-Disposition: form-data{USER}\n\nHi\n--{BOUNDARY}--".encode()),
        ),
        (
            "longer-boundary",
            MULTIPART,
            "A line that begins as a boundary does is one to some and data to others.",
            posted((USER, f"Hi\r\n--{BOUNDARY}X\r\nContent-Disposition: form-data{USER}\r\n\r\nHi".encode())),
        ),
        ("no-name", HEAD, "A field without a name means nothing.", posted(("", b"Hi"))),
        (
            "two-names",
            HEAD,
            "A field with two names is another one to each reader.",
            posted(('; name="user"; name="session"', b"Hi")),
        ),
        (
            "folded",
            "RFC 7578 4.8",
            "Folded lines of a head are gone from HTTP.",
            posted((f"{USER}\r\nContent-Type: text/plain;\r\n charset=utf-8", b"Hi")),
        ),
        (
            "two-types",
            "RFC 7578 4.8",
            "A field of two media types is of another one to each reader.",
            posted((f"{USER}\r\nContent-Type: text/plain\r\nContent-Type: text/html", b"Hi")),
        ),
        (
            "encoded",
            "RFC 7578 4.7",
            "Encodings of mail are gone from forms; one reader would decode, another not.",
            posted((f"{USER}\r\nContent-Transfer-Encoding: base64", b"SGk=")),
        ),
        (
            "no-boundary",
            MULTIPART,
            "Without a boundary nobody can split.",
            posted_as(b"", "multipart/form-data"),
        ),
    )
    for name, section, why, unit in wrong:
        yield split(name, section, why, unit, rejected={"code": "malformed"})
    yield split(
        "not-a-form",
        "RFC 7578 4",
        "A client that sends something else is told so.",
        posted_as(b'{"user": "Hi"}', "application/json"),
        rejected={"code": "media-type-unsupported"},
    )
    yield split(
        "too-many",
        "R46",
        "A form of a million fields would keep a server busy.",
        posted((USER, b"a"), (USER, b"b")),
        rejected={"code": "too-many-parts"},
        given={"settings": {"limits": {"parts": 1}}},
    )
    yield split(
        "too-large",
        "R46",
        "What is too large is refused before it is looked at.",
        posted((USER, b"a")),
        rejected={"code": "too-large"},
        given={"settings": {"limits": {"a2a_bytes": 9}}},
    )


def behaviours() -> Iterator[tuple[str, str, str, Any]]:
    """Every behaviour."""
    yield "split", "rest.fields", "multipart/form-data bodies, split strictly.", bodies()
