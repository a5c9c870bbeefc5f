"""Words of one that a model may take for those of another, or for a line of ours."""

from typing import Any

import pytest

from mentionable import prompt
from mentionable.mail import new_text
from tests.mail.receiving import receive


def text_of(raw: bytes) -> str:
    content: Any = prompt.render(receive(raw, recipient="@helper@agents.example").message).messages[-1]["content"]
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)


def mail(body: str, kind: str = "text/plain", name: str = "Alice") -> bytes:
    return f"From: {name} <alice@a.example>\r\nContent-Type: {kind}; charset=utf-8\r\n\r\n{body}".encode()


@pytest.mark.parametrize("element", ["template"])
def test_what_no_browser_shows_is_not_new_text_because_a_quotation_is_in_it(element: str) -> None:
    html = f"<p>hi</p><{element}>a<blockquote>q</blockquote>SECRET</{element}>"
    raw = mail(html, "text/html")
    assert "SECRET" not in text_of(raw)
    assert "SECRET" not in new_text(receive(raw, recipient="@helper@agents.example").message)
