import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError, Verdict, activitypub
from mentionable.activitypub import Reader
from tests.activitypub.servers import ALICE, AS2, BOB, HELPER

PRIVATE = (("cache-control", "private, no-store"), ("vary", "signature, signature-input"))
EVERYBODY = f"{AS2}#Public"


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ({"id": HELPER, "type": "Service"}, 200),
        ({"to": [EVERYBODY]}, 200),
        ({"to": EVERYBODY}, 200),
        ({"to": ["https://social.example/users/alice"], "cc": ["as:Public"]}, 200),
        ({"to": ["https://social.example/users/alice"], "cc": []}, 404),
        ({"to": [], "cc": None}, 404),
        ({"to": [{"id": EVERYBODY}, 7]}, 404),
        ({"bto": [EVERYBODY]}, 404),
        ({"audience": EVERYBODY}, 404),
        (None, 404),
        ({"type": "Note", "content": "a draft"}, 404),
        ({"type": ["x", "OrderedCollection"], "orderedItems": [{"type": "Note"}, "https://a.example/1"]}, 200),
        ({"type": "OrderedCollection", "orderedItems": [{"to": ["https://a.example/alice"]}]}, 404),
        ({"type": "OrderedCollection", "first": {"type": "OrderedCollectionPage", "items": {"bto": "x"}}}, 404),
        ({"type": "Create", "object": {"to": [EVERYBODY]}}, 404),
        ({"type": "Create", "to": EVERYBODY, "object": {"to": [EVERYBODY]}}, 200),
        ({"type": "Create", "to": EVERYBODY, "object": {"to": ["https://a.example/alice"]}}, 404),
        ({"type": "Service", "to": ["https://a.example/alice"]}, 404),
    ],
    ids=range(18),
)
def test_a_document_is_served_to_all_when_it_is_for_all(found: dict[str, Any] | None, status: int) -> None:
    response = activitypub.document_response(found)
    assert response.status == status
    if status == 200:
        assert response.header("content-type") == "application/activity+json"
        assert json.loads(response.body) == found
    else:
        assert (response.headers, response.body) == (PRIVATE, b"")


def test_nobody_learns_of_blind_recipients() -> None:
    note = {"to": [EVERYBODY], "bcc": ["https://a.example/alice"], "tag": [{"bto": "x", "name": "y"}]}
    response = activitypub.document_response({**note, "object": note})
    seen = {"to": [EVERYBODY], "tag": [{"name": "y"}]}
    assert json.loads(response.body) == {**seen, "object": seen}
    assert note["bcc"] == ["https://a.example/alice"]


@pytest.mark.parametrize("found", [[], "{}", {"id": object()}])
def test_what_is_no_document_is_not_served(found: Any) -> None:
    with pytest.raises(UsageError):
        activitypub.document_response(found)


FOLLOWERS = f"{HELPER}/followers"
HIDDEN = activitypub.document_response(None)
A_READER = Reader(
    verdict=Verdict(method="ap-http-signature", verified=True, address="@alice@social.example"),
    id=ALICE,
)
UNVERIFIED = Reader(verdict=Verdict(method="none", verified=False, code="expired"))


@pytest.mark.parametrize("member", ["to", "cc", "bto", "bcc", "audience"])
@pytest.mark.parametrize("value", [ALICE, [BOB, ALICE]])
def test_a_document_is_served_to_the_reader_whom_it_names(member: str, value: Any) -> None:
    note = {"id": f"{HELPER}/notes/1", "type": "Note", "content": "<p>Hello</p>", member: value}
    response = activitypub.document_response(note, reader=A_READER)
    assert (response.status, response.headers) == (200, (("content-type", "application/activity+json"), *PRIVATE))
    expected = {name: kept for name, kept in note.items() if name not in ("bto", "bcc")}
    assert json.loads(response.body) == expected
    for reader in (None, UNVERIFIED):
        assert activitypub.document_response(note, reader=reader) == HIDDEN


@pytest.mark.parametrize(
    "note",
    [
        {"to": [BOB]},
        {"to": [f"{ALICE}/"]},
        {"to": [ALICE.upper()]},
        {"to": [{"id": ALICE}]},
        {"to": FOLLOWERS},
        {"type": "Note", "attributedTo": ALICE, "actor": ALICE},
        {"type": "Create", "to": [ALICE], "object": {"type": "Note", "to": [BOB]}},
        {"type": "Create", "to": [ALICE], "object": {"type": "Create", "object": [{"bcc": [BOB]}]}},
        {"type": "OrderedCollection", "orderedItems": [{"to": [ALICE]}, {"to": [BOB]}]},
        {"type": "Tombstone", "to": [BOB]},
    ],
    ids=range(10),
)
def test_what_is_for_others_is_hidden_from_a_reader_as_if_it_did_not_exist(note: dict[str, Any]) -> None:
    assert activitypub.document_response(note, reader=A_READER) == HIDDEN


def test_a_follower_sees_what_is_for_followers_when_the_program_says_that_they_follow() -> None:
    note = {"type": "Create", "to": [FOLLOWERS], "object": {"type": "Note", "cc": FOLLOWERS}}
    assert activitypub.document_response(note, reader=A_READER).status == 404
    assert activitypub.document_response(note, reader=A_READER, member_of={FOLLOWERS}).status == 200
    assert activitypub.document_response(note, reader=A_READER, member_of=[f"{BOB}/followers"]).status == 404
    for reader in (None, UNVERIFIED):
        assert activitypub.document_response(note, reader=reader, member_of={FOLLOWERS}) == HIDDEN


def test_what_is_public_is_the_same_for_each_reader_and_may_be_cached() -> None:
    note = {"to": [EVERYBODY], "bcc": [ALICE]}
    response = activitypub.document_response(note)
    assert response.header("cache-control") is None
    assert activitypub.document_response(note, reader=A_READER) == response


def test_an_object_for_one_reader_in_a_public_document_makes_it_private() -> None:
    create = {"type": "Create", "to": [EVERYBODY], "object": {"type": "Note", "to": [ALICE]}}
    assert activitypub.document_response(create) == HIDDEN
    assert activitypub.document_response(create, reader=A_READER).header("cache-control") == "private, no-store"


@pytest.mark.parametrize(("addressing", "reader"), [({}, None), ({"to": EVERYBODY}, None), ({"to": [ALICE]}, A_READER)])
def test_what_was_deleted_is_gone_with_its_tombstone(addressing: dict[str, Any], reader: Reader | None) -> None:
    tombstone = {"@context": AS2, "id": f"{HELPER}/notes/1", "type": "Tombstone", "formerType": "Note", **addressing}
    response = activitypub.document_response(tombstone, reader=reader)
    assert (response.status, json.loads(response.body)) == (410, tombstone)


NAMES = st.sampled_from([ALICE, BOB, FOLLOWERS, EVERYBODY, "as:Public", "", None, 7])
ADDRESSINGS = st.dictionaries(st.sampled_from(["to", "cc", "bto", "bcc", "audience"]), NAMES | st.lists(NAMES))


@given(outer=ADDRESSINGS, inner=ADDRESSINGS, reader=st.sampled_from([None, UNVERIFIED, A_READER]))
def test_nobody_sees_what_names_neither_them_nor_everybody(
    outer: dict[str, Any], inner: dict[str, Any], reader: Reader | None
) -> None:
    create = {"type": "Create", **outer, "object": {"type": "Note", **inner}}
    response = activitypub.document_response(create, reader=reader)

    def names(node: dict[str, Any], member: str) -> list[Any]:
        value = node.get(member)
        return value if isinstance(value, list) else [value]

    def is_public(node: dict[str, Any]) -> bool:
        return any(one in (EVERYBODY, "as:Public") for member in ("to", "cc") for one in names(node, member))

    def is_for_alice(node: dict[str, Any]) -> bool:
        return is_public(node) or any(ALICE in names(node, member) for member in node)

    allowed = is_for_alice if reader is A_READER else is_public
    assert (response.status == 200) == (allowed(outer) and (not inner or allowed(inner)))
    assert b"bto" not in response.body
    assert b"bcc" not in response.body
    is_everybodys = response.status == 200 and is_public(outer) and (not inner or is_public(inner))
    assert (response.header("cache-control") is None) == is_everybodys


@pytest.mark.parametrize(
    "given",
    [{"reader": ALICE}, {"reader": A_READER.verdict}, {"member_of": FOLLOWERS}, {"member_of": None}],
    ids=range(4),
)
def test_what_is_no_reader_is_the_programs_fault(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        activitypub.document_response({"to": [ALICE]}, **given)


@pytest.mark.parametrize(
    "given",
    [
        {"verdict": A_READER.verdict},
        {"verdict": UNVERIFIED.verdict, "id": ALICE},
        {"verdict": None, "id": ALICE},
    ],
    ids=range(3),
)
def test_a_reader_has_an_id_exactly_when_verified(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="verify_reader makes one"):
        Reader(**given)
