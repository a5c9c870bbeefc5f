from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, WireError
from mentionable.activitypub._read import json_ld as _iri
from tests.activitypub.servers import AS2

LIMITS = Limits()


@pytest.mark.parametrize(
    ("iri", "host"),
    [
        ("https://social.example/users/alice", "social.example"),
        ("https://SOCIAL.example:443/users/alice#me", "social.example"),
        ("https://social.example", "social.example"),
        ("http://social.example/users/alice", None),
        ("https://social.example:8443/users/alice", None),
        ("https://alice@social.example/users/alice", None),
        ("https://127.0.0.1/users/alice", None),
        ("https://localhost/users/alice", None),
        ("tag:social.example,2026:1", None),
    ],
)
def test_only_ids_that_may_be_asked_for_have_a_host(iri: str, host: str | None) -> None:
    assert _iri.host_of(iri) == host


def test_long_ids_are_never_remembered() -> None:
    before = _iri._remembered_host.cache_info().currsize
    assert _iri.host_of("https://social.example/#" + "a" * 512) == "social.example"
    assert _iri.host_of("https://social.example/#" + "a" * 100_000) is None
    assert _iri._remembered_host.cache_info().currsize == before


@pytest.mark.parametrize(
    ("iri", "expected"),
    [
        ("https://social.example/notes/1#x", True),
        ("https://SOCIAL.example:443/notes/1", True),
        ("https://social.example", True),
        ("https://social.example/notes/1\\..", False),
        ("https://social.example/notes/ 1", False),
        ("https://social.example.evil.example/notes/1", False),
        ("https://social.example@evil.example/notes/1", False),
        ("https://social.example.:443/notes/1", False),
        ("https://social.example/" + "a" * 8169, True),
        ("https://social.example/" + "a" * 8170, False),
    ],
)
def test_an_origin_is_compared_whole(iri: str, expected: bool) -> None:
    assert _iri.is_at(iri, "social.example") is expected


@pytest.mark.parametrize(
    ("iri", "authority"),
    [
        ("https://Social.example/contexts/1", "social.example"),
        ("http://social.example", "social.example"),
        ("tag:social.example,2026-11-21:objectId=1:objectType=Conversation", "social.example"),
        ("tag:alice@social.example,2026:1", "social.example"),
        ("urn:uuid:0", None),
        ("https://social.example@evil.example/", None),
    ],
)
def test_the_authority_of_an_iri_is_its_host(iri: str, authority: str | None) -> None:
    assert _iri.authority_of(iri) == authority


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://social.example/notes/é", True),
        ("tag:social.example,2026:1", True),
        ("urn:uuid:0", True),
        ("javascript:alert(1)", False),
        ("DATA:text/html,x", False),
        ("no-scheme", False),
        ("https://social.example/a b", False),
        ("https://social.example/\u0085", False),
        ("https://social.example/" + "a" * 2048, False),
    ],
)
def test_an_opaque_iri_is_absolute_short_and_inert(text: str, expected: bool) -> None:
    assert _iri.is_opaque_iri(text, LIMITS) is expected


@pytest.mark.parametrize("value", [None, False, 0, "", "a", [], [None], ["a", "b"], {}, {"id": "a"}, 5])
def test_each_member_of_a_node_is_the_sequence_that_many_makes(value: object) -> None:
    assert all(member == _iri.many(value) for member in _iri.read_node(dict.fromkeys(_iri._SEQUENCES, value))[1:])
    assert set(_iri.read_node({})[1:]) == {()}


def test_many_makes_a_sequence_of_anything() -> None:
    assert [list(_iri.many(value)) for value in (None, "a", ["a", "b"], {"id": "a"})] == [
        [],
        ["a"],
        ["a", "b"],
        [{"id": "a"}],
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [("a", "a"), ({"id": "a"}, "a"), ({"href": "b"}, "b"), ({"id": None, "href": "b"}, "b"), ({}, None), (5, None)],
)
def test_a_reference_is_a_string_an_id_or_an_href(value: object, expected: str | None) -> None:
    assert _iri.reference(value) == expected


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "missing-member"),
        ({}, "missing-member"),
        ({"id": None}, "missing-member"),
        (5, "wrong-type"),
        (["https://a.example/1", "https://a.example/2"], "wrong-type"),
        ([], "wrong-type"),
        ("https://a.example/" + "a" * 2048, "id-too-long"),
    ],
)
def test_an_identifier_is_exactly_one_string(value: object, code: str) -> None:
    with pytest.raises(WireError) as error:
        _iri.identifier(value, "/id", limits=LIMITS)
    assert error.value.code == code
    assert error.value.problems[0].at == "/id"


@pytest.mark.parametrize(
    "value", ["https://a.example/1", {"id": "https://a.example/1"}, [{"id": "https://a.example/1"}]]
)
def test_an_identifier_may_be_wrapped(value: object) -> None:
    assert _iri.identifier(value, "/id", limits=LIMITS) == "https://a.example/1"


@pytest.mark.parametrize(
    ("value", "code"), [("http://a.example/1", "id-refused"), ("https://b.example/1", "origin-mismatch")]
)
def test_a_local_id_is_of_the_origin_of_the_actor(value: str, code: str) -> None:
    with pytest.raises(WireError) as error:
        _iri.local_id(value, "/id", "a.example", limits=LIMITS)
    assert error.value.code == code
    assert _iri.local_id("https://a.example/1", "/id", "a.example", limits=LIMITS) == "https://a.example/1"


@pytest.mark.parametrize("value", [["https://a.example/1"], {"id": "https://a.example/1"}, [], {}])
def test_a_local_id_is_written_as_one_string(value: object) -> None:
    with pytest.raises(WireError, match="must be one id, as a string"):
        _iri.local_id(value, "/id", "a.example", limits=LIMITS)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Note", "Note"),
        ("as:Note", "Note"),
        (f"{AS2}#Note", "Note"),
        (["Recipe", 5, "Note"], "Note"),
        ("note", None),
        (None, None),
        (5, None),
        ({"id": "Note"}, None),
    ],
)
def test_a_type_may_be_one_or_many_and_carry_its_namespace(value: object, expected: str | None) -> None:
    assert _iri.type_in(value, frozenset({"Note"})) == expected


def test_a_document_is_named_without_the_fragment() -> None:
    assert _iri.without_fragment("https://a.example/1#x#y") == "https://a.example/1"


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("https://media.example/1", "https://media.example/1"),
        ({"href": "http://media.example/1"}, "http://media.example/1"),
        ({"url": "https://media.example/1"}, None),
        ({"href": {"href": "https://media.example/1"}}, None),
        ("javascript:alert(1)", None),
        (None, None),
    ],
)
def test_an_entry_is_a_web_url_or_has_one_as_href(entry: Any, url: str | None) -> None:
    assert _iri.web_url(entry) == url


PATHS = st.text(st.sampled_from("aZ09/-._~%!$&'()*+,;=:@?#[]\"<>\\^`{|} \x7f\u00e9"), max_size=8)


@given(st.sampled_from(["https://social.example/", "https://SOCIAL.example:443/", "https://other.example/"]), PATHS)
def test_a_local_id_is_one_that_may_be_carried_at_its_host(start: str, path: str) -> None:
    iri = start + path
    limits = Limits(id_chars=len("https://social.example/") + 6)
    try:
        found = _iri.local_id(iri, "/id", "social.example", limits=limits) == iri
    except WireError:
        found = False
    assert found is (_iri.is_opaque_iri(iri, limits) and _iri.is_at(iri, "social.example"))
