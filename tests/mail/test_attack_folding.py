"""What a person wrote now, and is taken for quoted, forwarded, a signature or a footer."""

import pytest

from mentionable import TextPart
from mentionable.mail import spans


def kinds_of(text: str, mark: str = "NEW", mime: str = "text/plain") -> set[str]:
    part = TextPart(content=text, mime=mime)
    return {span.kind for span in spans(part) if mark in text[span.start : span.end]}


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><blockquote>q</td></tr></table><p>NEW text</p>",
        "<ul><li><blockquote>q</ul><p>NEW text</p>",
        "<div><blockquote>q</div><p>NEW text</p>",
        '<table><tr><td><div class="gmail_signature">Al</td></tr></table><p>NEW text</p>',
    ],
)
def test_a_quotation_ends_with_the_element_around_it(html: str) -> None:
    assert kinds_of(html, mime="text/html") == {"new"}


def test_any_element_of_class_signature_is_not_the_signature() -> None:
    assert kinds_of('<p>Hi</p><form class="signature">NEW please sign</form>', mime="text/html") == {"new"}
