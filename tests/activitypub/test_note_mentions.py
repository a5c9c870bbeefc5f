import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Address, Diagnostic
from mentionable.activitypub._write.note import mention_tags, with_mentions
from mentionable.activitypub._write.recipients import Recipient
from tests.linearity import steps_grow_linearly, time_grows_linearly

ALICE = Recipient(
    Address("@alice@social.example"), "https://social.example/users/alice", "https://social.example/@a", None, None
)
BOB = Recipient(Address("@bob@other.example"), "https://other.example/bob", "https://other.example/bob", None, None)


def link(person: Recipient, shown: str | None = None) -> str:
    return (
        f'<span class="h-card"><a class="u-url mention" href="{person.page}">'
        f"@<span>{(shown or person.address)[1:]}</span></a></span>"
    )


def mentioned(html: str, *people: Recipient) -> tuple[str, list[Diagnostic]]:
    return with_mentions(html, people or (ALICE,), own="@helper@agents.example")


def strangers(html: str) -> list[str]:
    return [note.detail for note in mentioned(html)[1]]


def test_who_is_missing_comes_first() -> None:
    assert mentioned("<p>Hello</p><p>x</p>", ALICE, BOB) == (f"<p>{link(ALICE)} {link(BOB)} Hello</p><p>x</p>", [])
    assert mentioned("<h1>Hello</h1>") == (f"<p>{link(ALICE)}</p>\n<h1>Hello</h1>", [])
    assert mentioned("") == (f"<p>{link(ALICE)}</p>", [])


def test_who_is_in_the_text_is_linked_there() -> None:
    html = "<p>Ask @bob@other.example, @ALICE@Social.Example! or (@bob@other.example).</p>"
    shown = link(ALICE, "@ALICE@Social.Example")
    assert mentioned(html, ALICE, BOB)[0] == f"<p>Ask {link(BOB)}, {shown}! or ({link(BOB)}).</p>"


@pytest.mark.parametrize(
    "html",
    [
        '<p><a href="https://evil.example/">@alice@social.example</a></p>',
        "<p><code>@alice@social.example</code></p>",
        "<p><code>x<kbd>y</kbd>@alice@social.example</code></p>",
        "<p>x@alice@social.example</p>",
        "<p>@alice@social.example@evil.example</p>",
        "<p>https://evil.example/@alice@social.example</p>",
        "<p>alice@social.example</p>",
        "<p>@alice@social.examples</p>",
        "<p>@alice@<b>social.example</b></p>",
    ],
    ids=range(9),
)
def test_what_only_looks_like_a_mention_is_left_alone(html: str) -> None:
    assert mentioned(html)[0] == html.replace("<p>", f"<p>{link(ALICE)} ", 1)


def test_an_end_tag_too_many_hides_nothing() -> None:
    assert mentioned("<p></a>@alice@social.example</p>")[0] == f"<p></a>{link(ALICE)}</p>"


def test_another_address_stays_text_and_is_told_once() -> None:
    html = f"<p>{link(ALICE)} @eve@evil.example. @eve@evil.example, @helper@agents.example @x@y</p>"
    found, notes = mentioned(html)
    assert "@eve@evil.example. @eve@evil.example, @helper@agents.example @x@y" in found
    assert notes == [Diagnostic(code="sibling-unresolved", at="/object/content", detail="@eve@evil.example")]


def test_what_no_address_can_be_is_not_told() -> None:
    assert strangers("<p>@a..b@evil.example @a@-x.example @a@1.2.3.4 @a@evil.123</p>") == []
    assert strangers("<p>@a@b\u00fccher.example</p>") == ["@a@xn--bcher-kva.example"]


def test_strangers_are_told_of_in_bounded_number() -> None:
    found = mentioned("<p>" + " ".join(f"@a@x{number}.example" for number in range(20)) + "</p>")[1]
    assert [note.code for note in found] == ["sibling-unresolved"] * 16 + ["diagnostics-omitted"]
    assert found[-1].detail == "4 more addresses"


def test_a_page_cannot_break_out_of_its_link() -> None:
    odd = ALICE._replace(page="https://social.example/?a='&b=<")
    assert 'href="https://social.example/?a=\'&amp;b=&lt;"' in mentioned("", odd)[0]


def test_a_tag_names_the_actor_and_the_whole_address() -> None:
    assert mention_tags([ALICE]) == [
        {"type": "Mention", "href": "https://social.example/users/alice", "name": "@alice@social.example"}
    ]


@given(st.lists(st.sampled_from(["@", "alice", "bob", "social.example", "<p>", "</p>", "<code>", "</code>", " ", "."])))
def test_the_asker_is_always_mentioned_and_no_text_is_lost(pieces: list[str]) -> None:
    html = "".join(pieces)
    found, _ = mentioned(html)
    assert 'class="u-url mention"' in found
    assert bare(found).removeprefix(bare(ALICE.address)) in (bare(html), bare(html).removeprefix(bare(ALICE.address)))


def bare(html: str) -> str:
    """The text of HTML without its blanks."""
    return re.sub(r"<[^<>]*>|\s", "", html)


@pytest.mark.uncounted
@pytest.mark.parametrize("text", ["@a@b.example ", "@a@", "@a", "<code>@a@b", "@a@b.", "@a@b@", "<a "])
def test_mentions_are_found_in_linear_time(text: str) -> None:
    def find(html: str) -> Any:
        return mentioned(html)

    steps_grow_linearly(find, lambda size: text * size)
    time_grows_linearly(find, lambda size: text * size)
