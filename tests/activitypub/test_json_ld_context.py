from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import WireError
from mentionable.activitypub._read import json_ld
from mentionable.activitypub._read.json_ld import check_document, check_nested
from tests.activitypub.servers import AS2


def code_of(document: dict[str, Any]) -> str | None:
    try:
        check_document(document)
    except WireError as error:
        return error.code
    return None


@pytest.mark.parametrize(
    "context",
    [
        AS2,
        [AS2],
        ["https://join-lemmy.org/context.json", AS2],
        ["http://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
        [AS2, {"toot": "http://joinmastodon.org/ns#", "focalPoint": {"@container": "@list", "@id": "toot:focalPoint"}}],
        [AS2, {"as": f"{AS2}#", "id": "@id", "type": "@type", "content": "as:content"}],
        [AS2, {"actor": {"@id": "as:actor", "@type": "@id"}, "name": f"{AS2}#name"}],
        [AS2, {"location": {"@id": "sc:location", "@type": "sc:Place"}, "likes": {"@id": "as:likes", "@type": "@id"}}],
        [AS2, {"Hashtag": {"@id": "as:Hashtag", "@context": {"href": "as:href"}}}],
        [AS2, {"@language": "und", "@version": 1.1, "@protected": True}],
    ],
)
def test_contexts_of_honest_servers_pass(context: object) -> None:
    assert code_of({"@context": context, "type": "Note"}) is None


@pytest.mark.parametrize(
    "context",
    [
        None,
        "https://strange.example/context",
        {"@vocab": f"{AS2}#"},
        [],
        5,
        [AS2, {"content": "https://evil.example/#content"}],
        [AS2, {"content": None}],
        [AS2, {"actor": {"@id": "as:attributedTo"}}],
        [AS2, {"actor": {"@reverse": "as:actor"}}],
        [AS2, {"as": "https://evil.example/#"}],
        [AS2, {"type": "@id"}],
        [{"attributedTo": 5}, AS2],
        [AS2, {"Note": {"@id": "as:Note", "@context": {"content": "ex:x"}}}],
        [AS2, None],
        [AS2, {"Other": {"@id": "ex:Other", "@context": None}}],
        [AS2, {"words": "@graph"}],
        [AS2, {"words": {"@id": "@included"}}],
        [AS2, {"words": "@nest"}],
        [AS2, {"words": "@context"}],
        [AS2, {"uri": "@id"}],
        [AS2, {"uri": "id"}],
        [AS2, {"kind": {"@id": "@type"}}],
        [AS2, {"words": {"@id": "ex:words", "@nest": "properties"}}],
        [AS2, {"wroteThis": {"@reverse": "as:attributedTo"}}],
        [AS2, {"Other": {"@id": "ex:Other", "@context": [{"Deep": {"@context": {"to": "ex:to"}}}]}}],
    ],
)
def test_contexts_that_redefine_or_leave_out_activitystreams_are_refused(context: object) -> None:
    assert code_of({"@context": context, "type": "Note"}) == "json-ld-refused"


@pytest.mark.parametrize("keyword", ["@graph", "@included", "@reverse", "@nest", "@id", "@type", "@set", "as:content"])
def test_a_member_that_json_ld_reads_as_another_is_refused(keyword: str) -> None:
    assert code_of({"@context": AS2, keyword: []}) == "json-ld-refused"
    with pytest.raises(WireError) as error:
        check_nested({keyword: []}, "/object")
    assert error.value.problems[0].at == f"/object/{keyword}"


@pytest.mark.parametrize("name", [f"{AS2}#content", "http://www.w3.org/ns/activitystreams#content"])
def test_a_word_of_activitystreams_in_full_is_refused(name: str) -> None:
    with pytest.raises(WireError) as error:
        check_nested({"content": "one", name: "two"}, "/object")
    assert error.value.code == "json-ld-refused"
    assert error.value.problems[0].at == "/object/" + name.replace("/", "~1")


def test_an_embedded_object_may_not_drop_the_context() -> None:
    with pytest.raises(WireError, match="null"):
        check_nested({"@context": None}, "/object")


def test_an_embedded_object_needs_no_context_but_may_not_redefine() -> None:
    check_nested({"type": "Note"}, "/object")
    check_nested({"@context": ["https://strange.example/context"]}, "/object")
    with pytest.raises(WireError) as error:
        check_nested({"@context": {"content": "ex:x"}}, "/object")
    assert error.value.problems[0].at == "/object/@context"


@given(st.one_of(st.sampled_from(["id", "type", "@id", "@id:", "@", ":", "", "as:id"]), st.text("@:aid", max_size=4)))
def test_a_term_is_refused_exactly_where_it_stands_for_a_keyword(meaning: str) -> None:
    expected = "json-ld-refused" if meaning.startswith("@") or meaning in ("id", "type") else None
    for definition in (meaning, {"@id": meaning}, {"@id": meaning, "@type": "@id"}):
        assert code_of({"@context": [AS2, {"words": definition}]}) == expected


DEFINITIONS = st.sampled_from(
    ["ex:x", "as:content", f"{AS2}#content", "@id", "@type", "id", None, 1, True, {"@id": "ex:x"}, {"@id": "@id"}]
)


@given(st.lists(st.dictionaries(st.sampled_from(["content", "id", "words", "x"]), DEFINITIONS, min_size=1), max_size=4))
def test_a_context_is_judged_alike_whatever_was_accepted_before(contexts: list[dict[str, Any]]) -> None:
    documents = [{"@context": [AS2, context]} for context in contexts]
    remembered = [code_of(document) for document in documents]
    anew = []
    for document in documents:
        json_ld._accepted.clear()
        anew.append(code_of(document))
    assert remembered == anew


def test_few_and_short_contexts_are_remembered() -> None:
    for number in range(2 * json_ld.REMEMBERED_CONTEXTS):
        check_document({"@context": [AS2, {f"term{number}": "ex:term"}]})
    assert 0 < len(json_ld._accepted) <= json_ld.REMEMBERED_CONTEXTS
    check_document({"@context": [AS2, {"long": "ex:" + "x" * 5_000}]})
    assert ("long",) not in json_ld._accepted


def test_a_scoped_context_is_remembered_with_the_one_around_it_alone() -> None:
    """Each level would be written anew otherwise: 60 of them took 16 times as long as none."""
    scoped: dict[str, Any] = {"words": "ex:words"}
    for number in range(60):
        scoped = {f"outer{number}": {"@id": "ex:outer", "@context": scoped}}
    json_ld._accepted.clear()
    check_document({"@context": [AS2, scoped]})
    assert list(json_ld._accepted) == [("outer59",)]


def test_what_is_remembered_of_a_context_does_not_change_with_the_document() -> None:
    context = {"words": {"@id": "ex:words"}}
    check_document({"@context": [AS2, context]})
    context["words"]["@id"] = "@graph"
    assert code_of({"@context": [AS2, context]}) == "json-ld-refused"
