from typing import Any

import pytest

from mentionable import WireError
from mentionable.activitypub._context import check_document, check_nested
from tests.activitypub.world import AS2


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
        [AS2, None],
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
        [AS2, {"Other": {"@id": "ex:Other", "@context": [{"Deep": {"@context": {"to": "ex:to"}}}]}}],
    ],
)
def test_contexts_that_redefine_or_leave_out_activitystreams_are_refused(context: object) -> None:
    assert code_of({"@context": context, "type": "Note"}) == "json-ld-refused"


@pytest.mark.parametrize("keyword", ["@graph", "@included", "@reverse"])
def test_a_second_tree_in_a_document_is_refused(keyword: str) -> None:
    assert code_of({"@context": AS2, keyword: []}) == "json-ld-refused"
    with pytest.raises(WireError) as error:
        check_nested({keyword: []}, "/object")
    assert error.value.problems[0].at == f"/object/{keyword}"


def test_an_embedded_object_needs_no_context_but_may_not_redefine() -> None:
    check_nested({"type": "Note"}, "/object")
    check_nested({"@context": None}, "/object")
    check_nested({"@context": ["https://strange.example/context"]}, "/object")
    with pytest.raises(WireError) as error:
        check_nested({"@context": {"content": "ex:x"}}, "/object")
    assert error.value.problems[0].at == "/object/@context"
