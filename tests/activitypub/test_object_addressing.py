from typing import Any

import pytest

from mentionable import Limits, WireError
from mentionable.activitypub._read.json_ld import read_node
from mentionable.activitypub._read.object import addressed_in, addressing
from tests.activitypub.servers import ALICE, BOB, HELPER, PUBLIC, codes

FOLLOWERS = f"{ALICE}/followers"


def read(
    activity: dict[str, Any], document: dict[str, Any] | None = None
) -> tuple[tuple[str, ...], dict[str, Any], list[str]]:
    nodes = read_node(activity), read_node(document or {})
    to = addressing(*nodes, limits=Limits())
    return to.candidates, {name: iris for name, iris in addressed_in(nodes, to).items() if iris}, codes(to.diagnostics)


def test_everybody_named_by_activity_or_object_is_a_candidate_once() -> None:
    candidates, fields, notes = read(
        {"to": [HELPER, PUBLIC], "cc": FOLLOWERS, "bto": BOB},
        {"to": HELPER, "cc": [FOLLOWERS, BOB], "bcc": {"id": "https://a.example/1"}, "audience": "https://a.example/2"},
    )
    assert candidates == (HELPER, FOLLOWERS, BOB, "https://a.example/1", "https://a.example/2")
    assert fields == {
        "to": [HELPER, PUBLIC],
        "cc": [FOLLOWERS, BOB],
        "bto": [BOB],
        "bcc": ["https://a.example/1"],
        "audience": ["https://a.example/2"],
    }
    assert notes == []


@pytest.mark.parametrize("public", [PUBLIC, "as:Public", "Public"])
def test_the_public_is_nobody_and_is_written_in_full(public: str) -> None:
    tags = [{"type": "Mention", "href": public}]
    assert read({"to": public}, {"tag": tags}) == ((), {"to": [PUBLIC]}, [])


@pytest.mark.parametrize(
    "tag",
    [
        {"type": "Mention", "href": HELPER, "name": "@somebody@else.example"},
        {"type": "as:Mention", "href": HELPER},
        {"type": ["Link", "Mention"], "href": HELPER},
        [{"type": "Mention", "href": HELPER}, {"type": "Mention", "href": HELPER}],
        [
            "x",
            None,
            {"type": "Hashtag", "href": BOB},
            {"href": BOB},
            {"type": "Mention"},
            {"type": "Mention", "href": HELPER},
        ],
    ],
)
def test_a_mention_counts_by_its_href_alone(tag: object) -> None:
    assert read({}, {"tag": tag})[0] == (HELPER,)
    assert read({"tag": tag})[0] == (HELPER,)
    assert read({"to": HELPER, "tag": tag})[0] == (HELPER,)


def test_a_mention_of_nonsense_is_nobody() -> None:
    assert read({"tag": {"type": "Mention", "href": "@helper"}}) == ((), {}, [])


def test_nonsense_in_the_addressing_is_noted_and_dropped() -> None:
    assert read({"to": [HELPER, "", "followers", "javascript:x"]}) == ((HELPER,), {"to": [HELPER]}, ["url-refused"] * 3)


def test_null_names_nobody() -> None:
    assert read({"to": [None, HELPER], "cc": None}) == ((HELPER,), {"to": [HELPER]}, [])


@pytest.mark.parametrize("value", [5, [5], [[HELPER]], {}, True])
def test_a_recipient_that_is_no_id_is_refused(value: object) -> None:
    for at, activity, document in (("/cc", {"cc": value}, {}), ("/object/cc", {}, {"cc": value})):
        with pytest.raises(WireError) as error:
            addressing(read_node(activity), read_node(document), limits=Limits())
        assert (error.value.code, error.value.problems[0].at) == ("wrong-type", at)


def test_too_many_tags_are_refused() -> None:
    with pytest.raises(WireError) as error:
        addressing(read_node({}), read_node({"tag": [{}] * 3}), limits=Limits(tags=2))
    assert (error.value.code, error.value.problems[0].at) == ("too-many-tags", "/object/tag")
