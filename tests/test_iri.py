"""IRIs in links become the URIs that they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import html_to_markdown, html_to_text
from mentionable._wire.http import is_web_url
from mentionable._wire.iri import to_uri

URI = "https://xn--r8jz45g.jp/%E3%83%91%E3%82%B9"


@pytest.mark.parametrize(
    ("iri", "uri"),
    [
        ("https://a.example/x?y=%20#z", "https://a.example/x?y=%20#z"),
        ("https://例え.jp/パス", URI),
        ("HTTPS://例え.JP:8080?q=値#断", "HTTPS://xn--r8jz45g.jp:8080?q=%E5%80%A4#%E6%96%AD"),
        ("http://例え。jp/", "http://xn--r8jz45g.jp/"),
        ("https://a.example/パス", "https://a.example/%E3%83%91%E3%82%B9"),
        ("https://ü@bücher.example/", "https://%C3%BC@xn--bcher-kva.example/"),
        ("https://a.example/\u202egpj.exe", "https://a.example/%E2%80%AEgpj.exe"),
        ("https://\u0430pple.example/", "https://xn--pple-43d.example/"),
        ("https://😀.example/é", "https://%F0%9F%98%80.example/%C3%A9"),
        ("mailto:ü@a.example", "mailto:%C3%BC@a.example"),
        ("é", "%C3%A9"),
    ],
)
def test_an_iri_stands_for_a_uri(iri: str, uri: str) -> None:
    assert to_uri(iri) == uri


@pytest.mark.parametrize("host", ["bank.example\uff0f\u00e9.evil.example", "\u212fvil.example", "a\u200bb.example"])
def test_no_link_shows_a_host_with_letters_that_look_like_others(host: str) -> None:
    text = html_to_text(f'<a href="https://{host}/">here</a>')
    assert text.isascii()
    assert "%" in text


@given(st.text(max_size=20))
def test_every_text_becomes_ascii(text: str) -> None:
    assert to_uri(text).isascii()


@given(st.text(max_size=20))
def test_any_text_behind_a_host_becomes_ascii(text: str) -> None:
    uri = to_uri(f"https://例え.jp/{text}")
    assert uri.isascii()
    assert to_uri(uri) == uri


def test_a_link_is_written_as_a_uri() -> None:
    html = '<a href="https://例え.jp/パス">here</a>'
    assert html_to_text(html) == f"here ({URI})"
    assert html_to_markdown(html) == f"[here]({URI})"
    assert is_web_url(URI)


@pytest.mark.parametrize("visible", ["https://例え.jp/パス", "例え.jp/パス", "例え.jp/パス/", URI])
def test_the_text_of_a_link_may_be_its_iri(visible: str) -> None:
    html = f'<a href="https://例え.jp/パス">{visible}</a>'
    assert html_to_text(html) == URI
    assert html_to_markdown(html) == f"<{URI}>"


def test_the_iri_of_another_place_is_shown_with_the_place_itself() -> None:
    html = '<a href="https://\u0430pple.example/">https://apple.example/</a>'
    assert html_to_text(html) == "https://apple.example/ (https://xn--pple-43d.example/)"
