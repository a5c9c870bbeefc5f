"""The WebFinger document of an agent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpRequest, Limits, Settings, UsageError, WireError, activitypub
from mentionable.discovery import (
    Link,
    agent_card_url,
    read_jrd,
    read_leniently,
    requested_resource,
    webfinger_response,
    write_jrd,
)
from tests.discovery.cards import ADDRESS, CARD_URL
from tests.discovery.lenient import leniently
from tests.linearity import time_grows_linearly

ACTOR = "https://agents.example/helper"
PAGE = "https://agents.example/@helper"
WHOLE = write_jrd(ADDRESS, agent_card=CARD_URL, actor=ACTOR, profile_page=PAGE, mailto="helper@agents.example")
CANONICAL = "https://mentionable.dev/ns/rel/agent-card"
LEGACY = "https://mentionable.dev/agent-card"
ENDPOINT = "https://agents.example/.well-known/webfinger"


def get(query, *, method="GET", url=ENDPOINT):
    return HttpRequest(method=method, url=f"{url}?{query}")


def read(**document):
    return read_jrd(json.dumps(document).encode())


def link(rel, href, **members):
    return {"rel": rel, "href": href, **members}


def test_the_links_stand_in_their_order():
    assert [one["rel"] for one in WHOLE["links"]] == [
        "self",
        CANONICAL,
        "http://webfinger.net/rel/profile-page",
        "mailto",
    ]
    assert WHOLE["subject"] == "acct:helper@agents.example"
    assert WHOLE["aliases"] == [ACTOR, PAGE]
    assert WHOLE["links"][1] == {"rel": CANONICAL, "type": "application/json", "href": CARD_URL}
    assert WHOLE["links"][3] == {"rel": "mailto", "href": "mailto:helper@agents.example"}


def test_what_is_written_is_read():
    found = read(**WHOLE)
    assert found.subject == ADDRESS
    assert (found.agent_card, found.actor, found.profile_page) == (CARD_URL, ACTOR, PAGE)
    assert found.mailbox == "helper@agents.example"
    assert found.aliases == (ACTOR, PAGE)


def test_only_the_card_must_be_there():
    assert write_jrd(ADDRESS, agent_card=CARD_URL) == {
        "subject": "acct:helper@agents.example",
        "links": [{"rel": CANONICAL, "type": "application/json", "href": CARD_URL}],
    }
    found = read(**write_jrd(ADDRESS, agent_card=CARD_URL, aliases=(PAGE,)))
    assert (found.actor, found.profile_page, found.mailbox, found.aliases) == (None, None, None, (PAGE,))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"address": "helper"}, "not an agent address"),
        ({"address": "@a%b@agents.example"}, "not an agent address"),
        ({"agent_card": "http://agents.example/card"}, "agent_card must be an https URL"),
        ({"agent_card": None}, "agent_card must be an https URL"),
        ({"actor": "https://10.0.0.1/actor"}, "actor must be an https URL"),
        ({"profile_page": "http://agents.example"}, "profile_page must be https"),
        ({"aliases": ("ftp://agents.example",)}, "aliases must be https"),
        ({"mailto": "mailto:helper@agents.example"}, "mailto must be a mailbox"),
        ({"mailto": "a?b@agents.example"}, "mailto must be a mailbox"),
        ({"mailto": 5}, "mailto must be a mailbox"),
    ],
)
def test_only_addresses_and_https_urls_are_written(changes, words):
    arguments = {"address": ADDRESS, "agent_card": CARD_URL, **changes}
    with pytest.raises(UsageError, match=words):
        write_jrd(arguments.pop("address"), **arguments)


def test_the_url_of_a_card_holds_any_local_part():
    assert agent_card_url(ADDRESS) == CARD_URL
    assert agent_card_url("@a/b+c@agents.example") == "https://agents.example/.well-known/agent-card/a%2Fb%2Bc"


# --- reading


def test_the_canonical_relation_wins_over_the_older_one_wherever_they_stand():
    both = [link(LEGACY, "https://agents.example/old"), link(CANONICAL, CARD_URL)]
    assert read(links=both).agent_card == CARD_URL
    assert read(links=both[:1]).agent_card == "https://agents.example/old"
    assert read(links=[link(CANONICAL, "http://agents.example/card"), *both]).agent_card is None
    assert read(links=[link(CANONICAL, CARD_URL), link(CANONICAL, "https://b.example/")]).agent_card == CARD_URL
    assert read(links=[]).agent_card is None


@pytest.mark.parametrize(
    ("media_type", "is_actor"),
    [
        ("application/activity+json", True),
        ("Application/Activity+JSON; charset=utf-8", True),
        ('application/ld+json; profile="https://www.w3.org/ns/activitystreams"', True),
        ("application/ld+json", False),
        ("text/html", False),
    ],
)
def test_an_actor_is_told_by_the_type_of_its_link(media_type, is_actor):
    links = [link("self", "http://agents.example/", type=media_type), link("self", ACTOR, type=media_type)]
    assert read(links=links).actor == (ACTOR if is_actor else None)


def test_a_mailbox_is_one_that_can_be_written_to():
    odd = ["mailto:helper", "mailto:@helper@agents.example", "helper@agents.example", "mailto:a@b.example?subject=x"]
    assert read(links=[link("mailto", href) for href in odd]).mailbox is None
    assert read(links=[link("mailto", "mailto:Helper@Agents.example")]).mailbox is None


def test_a_page_is_https():
    rel = "http://webfinger.net/rel/profile-page"
    assert read(links=[link(rel, "http://a.example"), link(rel, PAGE)]).profile_page == PAGE
    assert read(links=[link(rel, "https://a b.example")]).profile_page is None


def test_the_subject_is_an_address_or_nothing():
    assert read(subject="ACCT:Helper@Agents.EXAMPLE").subject == "@Helper@agents.example"
    assert read(subject="https://agents.example/helper").subject is None
    assert read().subject is None


def copied(document, *tokens):
    """A copy of a document, and the object or array in it at a place."""
    copy = json.loads(json.dumps(document))
    holder = copy
    for token in tokens:
        holder = holder[token]
    return copy, holder


OPTIONAL = [
    *[(("links", index, name), "/links/{1}/{2}") for index in range(4) for name in ("type", "href")],
    *[(("links", index), "/links/{1}") for index in range(4)],
    *[(("links", index, "rel"), "/links/{1}") for index in range(4)],
    *[(("aliases", index), "/aliases/{1}") for index in range(2)],
    *[((name,), "/{0}") for name in ("links", "aliases")],
]
"""Places in a document, and the pointers of what is lost when something odd stands there."""


def without(document, pointer):
    """A document without what a pointer names."""
    tokens = [int(token) if token.isdigit() else token for token in pointer[1:].split("/")]
    copy, holder = copied(document, *tokens[:-1])
    if isinstance(holder, list) or tokens[-1] in holder:
        del holder[tokens[-1]]
    return copy


@pytest.mark.parametrize("odd", [5, True, {"odd": 1}])
def test_an_odd_member_costs_itself(odd):
    for tokens, pattern in OPTIONAL:
        document, holder = copied(WHOLE, *tokens[:-1])
        holder[tokens[-1]] = odd
        at, notes = pattern.format(*tokens), []
        assert leniently(read_jrd, document, notes=notes) == read_jrd(without(WHOLE, at)), tokens
        assert [(note.code, note.at) for note in notes] == [("member-dropped", at)], tokens
        with pytest.raises(WireError) as caught:
            read_jrd(document)
        assert (caught.value.code, [problem.at for problem in caught.value.problems]) == ("malformed", [at])


def test_null_is_absence():
    for tokens in (("links",), ("aliases",), ("links", 1, "type"), ("links", 1, "href")):
        document, holder = copied(WHOLE, *tokens[:-1])
        holder[tokens[-1]] = None
        at = "/" + "/".join(map(str, tokens))
        assert read_jrd(document) == read_jrd(without(WHOLE, at)), tokens
    document, holder = copied(WHOLE, "links")
    holder.append(None)
    notes = []
    assert leniently(read_jrd, document, notes=notes) == read_jrd(WHOLE)
    assert [note.at for note in notes] == ["/links/4"]


def test_a_card_without_a_place_leaves_no_other_in_its_place():
    notes = []
    odd = {"subject": "acct:helper@agents.example", "links": [link(CANONICAL, 5), link(CANONICAL, CARD_URL)]}
    assert leniently(read_jrd, odd, notes=notes).agent_card is None
    assert [note.at for note in notes] == ["/links/0/href"]


def test_what_stands_behind_many_is_left_out_and_named():
    notes = []
    found = leniently(read_jrd, {"links": [link(LEGACY, CARD_URL)] * 300, "aliases": [PAGE] * 257}, notes=notes)
    assert (len(found.links), len(found.aliases)) == (256, 256)
    assert [note.at for note in notes] == ["/links/256", "/aliases/256"]
    assert "300" in notes[0].detail


def test_what_is_left_out_is_named_up_to_a_bound():
    notes = []
    assert leniently(read_jrd, {"links": [5] * 256}, notes=notes).links == ()
    assert len(notes) == 101
    assert (notes[-1].code, notes[-1].detail) == ("diagnostics-omitted", "156 more members do not fit")
    with pytest.raises(WireError) as caught:
        read_jrd({"links": [5] * 256})
    assert len(caught.value.problems) == 100


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[]", "wrong-type"),
        (b"{", "invalid-json"),
        (b'{"subject": 5}', "wrong-type"),
        (b'{"a": 1, "a": 2}', "duplicate-member"),
    ],
)
def test_what_is_no_document_is_refused(body, code):
    with pytest.raises(WireError) as caught:
        leniently(read_jrd, body, notes=[])
    assert caught.value.code == code


def test_limits_hold():
    with pytest.raises(WireError) as caught:
        read_jrd(b"{}" + b" " * 20, settings=Settings(limits=Limits(fetched_bytes=20)))
    assert caught.value.code == "too-large"
    with pytest.raises(UsageError):
        read_jrd(b"{}", settings=None)


# --- serving


@pytest.mark.parametrize(
    "resource",
    [
        "acct:helper@agents.example",
        "acct%3Ahelper%40agents.example",
        "ACCT:Helper@AGENTS.example",
        "https://agents.example/helper",
        "https%3A%2F%2Fagents.example%2F%40helper",
    ],
)
def test_an_agent_is_found_under_its_address_in_any_case_and_under_its_aliases(resource):
    response = webfinger_response(get(f"resource={resource}"), agents=[WHOLE])
    assert response.status == 200
    assert json.loads(response.body) == WHOLE
    assert response.header("content-type") == "application/jrd+json"
    assert response.header("access-control-allow-origin") == "*"
    assert response.header("cache-control") == "public, max-age=300"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "resource=",
        "resource",
        "rel=self",
        "resource=acct:helper@agents.example&resource=acct:other@agents.example",
        "resource=acct:helper@agents.example&resource=acct:helper@agents.example",
        "resource=acct:helper",
        "resource=acct:a@b@agents.example",
        "resource=acct:helper@localhost",
        "resource=acct:h%C3%A9@agents.example",
        "resource=acct:helper@b%C3%BCcher.example",
        "resource=acct:helper%2",
        "resource=acct:helper%zz@agents.example",
        "resource=%FF",
        "resource=acct:é@agents.example",
        "resource=" + "a" * 2048,
        "&".join(["x=1"] * 40) + "&resource=acct:helper@agents.example",
    ],
)
def test_a_malformed_request_is_answered_with_400(query):
    assert webfinger_response(get(query), agents=[WHOLE]).status == 400


@pytest.mark.parametrize(
    "resource", ["acct:other@agents.example", "acct:helper@other.example", "https://agents.example/Helper", "mailto:x"]
)
def test_nobody_is_answered_with_404(resource):
    response = webfinger_response(get(f"resource={resource}"), agents=[WHOLE])
    assert (response.status, response.body) == (404, b"")
    assert response.header("access-control-allow-origin") == "*"


def test_two_agents_whom_case_makes_one_are_nobody():
    upper = write_jrd("@Helper@agents.example", agent_card=CARD_URL)
    for resource in ("acct:helper@agents.example", "acct:Helper@agents.example"):
        assert webfinger_response(get(f"resource={resource}"), agents=[WHOLE, upper]).status == 404
    same = write_jrd("@other@agents.example", agent_card=CARD_URL, aliases=(ACTOR,))
    assert webfinger_response(get(f"resource={ACTOR}"), agents=[WHOLE, same]).status == 404


def test_a_plus_sign_is_one():
    plus = write_jrd("@helper+x@agents.example", agent_card=CARD_URL)
    assert webfinger_response(get("resource=acct:helper+x@agents.example"), agents=[plus]).status == 200
    assert webfinger_response(get("resource=acct:helper%2Bx@agents.example"), agents=[plus]).status == 200


def test_links_are_narrowed_to_what_was_asked_for():
    response = webfinger_response(get("resource=acct:helper@agents.example&rel=mailto&rel=self"), agents=[WHOLE])
    assert [one["rel"] for one in json.loads(response.body)["links"]] == ["self", "mailto"]
    bare = {"subject": "acct:helper@agents.example"}
    response = webfinger_response(get("resource=acct:helper@agents.example&rel=self"), agents=[bare])
    assert json.loads(response.body)["links"] == []


def test_other_methods_and_paths_are_refused():
    query = "resource=acct:helper@agents.example"
    response = webfinger_response(get(query, method="POST"), agents=[WHOLE])
    assert (response.status, response.header("allow")) == (405, "GET, HEAD")
    for url in ("https://agents.example/webfinger", "https://agents.example", f"{ENDPOINT}/x"):
        assert webfinger_response(get(query, url=url), agents=[WHOLE]).status == 404


def test_head_tells_everything_but_the_document():
    query = "resource=acct:helper@agents.example"
    got, head = (webfinger_response(get(query, method=name), agents=[WHOLE]) for name in ("GET", "HEAD"))
    assert (head.headers, head.body) == (got.headers, b"")


@pytest.mark.parametrize("agent", [None, {}, {"subject": 5}])
def test_agents_are_documents(agent):
    with pytest.raises(UsageError, match="write_jrd"):
        webfinger_response(get("resource=acct:helper@agents.example"), agents=[agent])


def test_the_resource_can_be_asked_alone():
    assert requested_resource(get("a=b&resource=acct:x%40y.example&rel=1")) == "acct:x@y.example"
    with pytest.raises(WireError) as caught:
        requested_resource(get("a=b"))
    assert caught.value.code == "resource-malformed"


@given(st.text(max_size=80))
def test_any_query_has_an_answer(query):
    status = webfinger_response(get(query), agents=[WHOLE]).status
    assert status in (200, 400, 404)


@pytest.mark.uncounted
def test_reading_is_linear():
    wide = Settings(limits=Limits(fetched_bytes=100_000_000))
    time_grows_linearly(
        lambda body: leniently(read_jrd, body, settings=wide, notes=[]),
        lambda size: json.dumps({"links": [{"rel": LEGACY}] * size, "aliases": ["x"] * size}).encode(),
    )


def test_a_document_is_read_from_bytes_and_from_json():
    jrd = write_jrd(ADDRESS, agent_card=CARD_URL)
    assert read_jrd(jrd) == read_jrd(json.dumps(jrd).encode())
    assert read_jrd(jrd).links == (Link(rel=CANONICAL, type="application/json", href=CARD_URL),)
    with pytest.raises(WireError, match="malformed"):
        read_jrd({"subject": {1}})


def test_a_document_for_activitypub_is_served_alike():
    jrd = activitypub.webfinger(ADDRESS, url="https://agents.example/helper")
    for resource in ("acct:Helper@agents.example", "https://agents.example/helper"):
        url = f"https://agents.example/.well-known/webfinger?resource={resource}"
        response = webfinger_response(HttpRequest(method="GET", url=url), agents=[jrd])
        assert json.loads(response.body) == jrd


def test_what_cannot_be_read_leniently_is_refused():
    with pytest.raises(UsageError, match="kind is"):
        read_leniently(dict, {})


def test_a_request_is_an_http_request():
    with pytest.raises(UsageError, match="request"):
        webfinger_response(None, agents=[])
    with pytest.raises(UsageError, match="request"):
        requested_resource("resource=acct:a@a.example")
