from typing import Any

import pytest

from mentionable import Limits, LinkPart, TextPart
from mentionable.activitypub._read.json_ld import read_node
from mentionable.activitypub._read.quotes import QUOTES, quotes_of

ONE = "https://other.example/notes/1"
TWO = "https://other.example/notes/2"
LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
RELATION = "https://misskey-hub.net/ns#_misskey_quote"


def links(**members: Any) -> list[LinkPart]:
    quotes = quotes_of(read_node(members), limits=Limits())
    assert (quotes.texts, quotes.diagnostics) == ([], [])
    return quotes.links


def quote(url: str = ONE, **members: Any) -> LinkPart:
    return LinkPart(**{"url": url, "title": "Quote", "extra": {"purpose": "quote"}} | members)


def tag(**members: Any) -> dict[str, Any]:
    return {"type": "Link", "mediaType": LD, "href": ONE} | members


@pytest.mark.parametrize("member", QUOTES)
@pytest.mark.parametrize("value", [ONE, [ONE], {"id": ONE, "type": "Note"}, {"type": "Link", "href": ONE}])
def test_each_member_that_quotes_becomes_a_link(member: str, value: Any) -> None:
    assert links(**{member: value}) == [quote()]


@pytest.mark.parametrize("member", QUOTES)
def test_a_quote_that_is_null_or_empty_is_none(member: str) -> None:
    assert links(**{member: None}) == links(**{member: ""}) == links(**{member: []}) == []


def test_one_object_is_one_link_however_many_members_name_it() -> None:
    assert links(**dict.fromkeys(QUOTES, ONE), tag=[tag(rel=RELATION), tag()]) == [quote()]


def test_different_objects_are_links_in_the_documented_order() -> None:
    found = links(_misskey_quote=f"{ONE}/d", quoteUri=f"{ONE}/c", quoteUrl=f"{ONE}/b", quote=f"{ONE}/a", tag=tag())
    assert [link.url for link in found] == [*(f"{ONE}/{letter}" for letter in "abcd"), ONE]


@pytest.mark.parametrize("kind", [LD, "application/activity+json", "Application/Activity+JSON; charset=utf-8"])
def test_a_link_to_an_object_in_the_text_is_no_quote_unless_it_says_so(kind: str) -> None:
    plain = LinkPart(url=ONE, title="the bug", extra={"purpose": "object"})
    assert links(tag=[tag(mediaType=kind, name=" the bug")]) == [plain]
    assert links(tag=[tag(mediaType=kind)]) == [LinkPart(url=ONE, extra={"purpose": "object"})]
    for relation in (RELATION, ["x", 5, RELATION], "https://w3id.org/fep/044f#quote"):
        assert links(tag=[tag(mediaType=kind, rel=relation)]) == [quote()]
    assert links(tag=[tag(mediaType=None, rel=RELATION)]) == [quote()]


def test_what_a_tag_calls_an_object_counts_also_where_a_member_names_it() -> None:
    named = tag(name="RE: it rains", content="<p>Rain &amp;<br>wind</p>", summary=5)
    assert links(quote=ONE, tag=[named]) == [quote(title="RE: it rains", description="Rain & wind")]


@pytest.mark.parametrize(
    "other",
    [
        {"type": "Mention", "mediaType": LD, "href": ONE},
        tag(mediaType="text/html"),
        tag(mediaType="application/ld+json"),
        tag(mediaType=5),
        ONE,
    ],
)
def test_other_tags_name_no_object(other: Any) -> None:
    assert links(tag=[other]) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [("<p>It rained &amp;<br>again.</p>", "It rained &\nagain."), ("It rained.\r\n", "It rained."), ("<Rain>", None)],
)
def test_a_quote_that_is_text_is_text(value: str, text: str | None) -> None:
    found = quotes_of(read_node({"quote": value}), limits=Limits())
    assert [part.content for part in found.texts] == ([text] if text else [])
    assert all(part == TextPart(content=part.content, extra={"purpose": "quote"}) for part in found.texts)
    assert [(one.code, one.at) for one in found.diagnostics] == ([] if text else [("url-refused", "/object/quote")])


@pytest.mark.parametrize(
    "value",
    [
        "javascript:alert(1)",
        "at://did:plc:1/app.bsky.feed.post/1",
        "Rain",
        5,
        {},
        "https://a@b.example/",
        f"{ONE}{'a' * 9_000}",
    ],
)
def test_a_quote_that_names_nothing_on_the_web_is_reported(value: Any) -> None:
    found = quotes_of(read_node({"quoteUrl": value, "quote": TWO}), limits=Limits())
    assert found.links == [quote(TWO)]
    assert [(one.code, one.at) for one in found.diagnostics] == [("url-refused", "/object/quoteUrl")]
