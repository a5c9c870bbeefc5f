"""Which body part is text to read, and which is a file (RFC 8621 §4.1.4)."""

import pytest

from tests.mail.receiving import receive
from tests.mail.test_parts import mail, multipart, part

BODY = part("text/plain", "body")
NAMED = part("text/plain; name=a.txt", "named")
INLINE = part("text/plain", "named", "Content-Disposition: inline; filename=a.txt")
ATTACHED = part("text/plain", "named", "Content-Disposition: attachment; filename=a.txt")
OTHER_WORD = part("text/plain", "named", "Content-Disposition: form-data")
HTML = part("text/html; name=a.html", "<p>named")
PICTURE = part("image/png; name=a.png", "x")

ODD_COMBINATIONS = [
    # what stands in the mail, and whether each part is text
    (NAMED, ["text"]),
    (INLINE, ["text"]),
    (HTML, ["text"]),
    (ATTACHED, ["file"]),
    (OTHER_WORD, ["file"]),
    (PICTURE, ["file"]),
    (multipart("mixed", NAMED), ["text"]),
    (multipart("mixed", ATTACHED), ["file"]),
    (multipart("mixed", NAMED, BODY), ["text", "text"]),
    (multipart("mixed", BODY, BODY), ["text", "text"]),
    (multipart("mixed", BODY, NAMED), ["text", "file"]),
    (multipart("mixed", BODY, INLINE), ["text", "file"]),
    (multipart("mixed", BODY, HTML), ["text", "file"]),
    (multipart("mixed", PICTURE, NAMED), ["file", "file"]),
    (multipart("mixed", BODY, part("text/plain", "x", "Content-Disposition: inline")), ["text", "text"]),
    (multipart("mixed", BODY, part("text/csv", "x")), ["text", "file"]),
    (multipart("alternative", part("text/plain", " "), HTML), ["text"]),
    (multipart("alternative", part("text/plain", " "), ATTACHED), ["file"]),
    (
        multipart("alternative", part("text/plain", " "), multipart("mixed", HTML, NAMED, boundary="m")),
        ["text", "file"],
    ),
    (multipart("mixed", BODY, multipart("mixed", NAMED, INLINE, boundary="m")), ["text", "text", "file"]),
    (multipart("related", HTML, PICTURE), ["text", "file"]),
    (multipart("related", PICTURE, HTML), ["file", "file"]),
    (multipart("signed", NAMED, part("application/pgp-signature; name=signature.asc", "x")), ["text", "file"]),
]


@pytest.mark.parametrize(("body", "kinds"), ODD_COMBINATIONS)
def test_a_named_text_is_a_file_unless_it_comes_first_or_is_an_alternative(body: str, kinds: list[str]) -> None:
    assert [one.kind for one in receive(mail(body)).message.parts] == kinds


def test_the_name_of_a_text_is_not_lost() -> None:
    (text,) = receive(mail(NAMED)).message.parts
    assert (text.content, text.extra) == ("named", {"name": "a.txt"})
