"""The part tree of a mail that is sent."""

from mentionable.mail._write.body import Faces, File, Piece, boundary_of, write_body

SEED = bytes(range(32))
IMAGE = File("image/png", b"\x89PNG", "sun.png", "1@b.example")
CSV = File("text/csv", b"a,b\n", "a.csv")


def outline(faces: Faces) -> list[str]:
    """The media types of a body in order, as its heads name them."""
    head, body = write_body(faces, seed=SEED)
    lines = (head + b"\r\n" + body).decode().split("\r\n")
    return [line.split(" ")[1].rstrip(";") for line in lines if line.startswith("Content-Type:")]


def test_the_three_faces_stand_side_by_side_in_their_order():
    assert outline(Faces("Hi", "<p>Hi</p>", b"{}")) == [
        "multipart/alternative", "text/plain", "text/html", "application/json",
    ]  # fmt: skip


def test_a_trace_that_is_too_large_is_not_there():
    assert outline(Faces("Hi", "<p>Hi</p>")) == ["multipart/alternative", "text/plain", "text/html"]


def test_images_stand_beside_the_html_and_files_beside_all():
    assert outline(Faces("Hi", "<p>Hi</p>", b"{}", (IMAGE,), (CSV, CSV))) == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
        "application/json", "text/csv", "text/csv",
    ]  # fmt: skip


def test_the_root_of_related_parts_is_named():
    assert b'multipart/related; type="text/html";' in write_body(Faces("Hi", "Hi", None, (IMAGE,)), seed=SEED).body


def test_the_trace_is_base64_with_its_profile():
    body = write_body(Faces("Hi", "Hi", b"{}"), seed=SEED).body
    assert (
        b"Content-Type: application/json;\r\n"
        b' profile="https://mentionable.dev/ns/normalized-message/v0.1"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\ne30=\r\n--"
    ) in body


def test_the_body_is_framed_by_its_boundary():
    head, body = write_body(Faces("Hi", "<p>Hi</p>"), seed=SEED)
    boundary = head.partition(b'boundary="')[2].rstrip(b'"')
    assert body == (
        b"--%b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\nHi\r\n"
        b"--%b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n<p>Hi</p>\r\n--%b--"
    ) % (boundary, boundary, boundary)


def test_a_boundary_that_occurs_in_a_part_is_passed_over():
    first = boundary_of("mixed", [], seed=SEED)
    assert boundary_of("mixed", [Piece(b"", b"Hi")], seed=SEED) == first
    in_body = boundary_of("mixed", [Piece(b"", b"--" + first.encode())], seed=SEED)
    in_head = boundary_of("mixed", [Piece(first.encode(), b"")], seed=SEED)
    assert in_body == in_head != first
    assert len({boundary_of(kind, [], seed=SEED) for kind in ("mixed", "related", "alternative")}) == 3


def test_boundaries_hold_what_no_encoding_writes():
    assert boundary_of("mixed", [], seed=SEED).startswith("=_")
