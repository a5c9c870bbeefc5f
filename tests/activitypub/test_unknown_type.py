"""Which objects are read: those of known types, and those of unknown types that are nothing else to any reader."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Limits, WireError
from mentionable.activitypub._read.json_ld import AS2, EXCLUDED_TYPES, NO_CONTENT, OBJECTS, unknown_type
from mentionable.activitypub._read.object import read_activity, read_object
from tests.activitypub.servers import World, codes, create, note, refused, taken

UNKNOWN = ("Review", "Comment", "Quotation", "Album", "Track", "Status", "bw:Review", "https://v.example/ns#Review")
OTHERS = (
    *("Activity", "Actor", "Bite", "CacheFile", "Document", "Emoji", "EmojiReact", "Hashtag", "Place", "Profile"),
    *("QuoteAuthorization", "QuoteRequest", "Relationship", "Vote", "ReplyAuthorization", "LikeApproval"),
    *("CryptographicKey", "PlaylistCollection", "RsaSignature2017", "DataIntegrityProof", "BotActor"),
)


def is_read(**members: Any) -> bool:
    return unknown_type({"id": "x", "type": "Review", "content": "a"} | members) is not None


@pytest.mark.parametrize("kind", UNKNOWN)
def test_an_object_of_an_unknown_type_with_text_is_a_message(kind: str) -> None:
    got = taken(World().receive(create(note(type=kind))))
    assert codes(got.diagnostics) == ["type-unknown"]
    assert len(got.message.parts) == 1


@pytest.mark.parametrize(
    "members",
    [
        {"content": "a"},
        {"contentMap": {"en": "a"}},
        {"name": "a", "content": None},
        {"nameMap": {"en": "a"}},
        {"content": ["a"]},
        {"type": ["Review", "Comment"], "content": "a"},
        {"type": ["Review", 5], "content": "a"},
    ],
)
def test_text_makes_it_content(members: dict[str, Any]) -> None:
    assert unknown_type({"type": "Review"} | members) == "Review"


@pytest.mark.parametrize(
    "members", [{}, {"content": " "}, {"content": 5}, {"contentMap": "a"}, {"summary": "a"}, {"contentMap": {"en": 5}}]
)
def test_without_text_it_is_none(members: dict[str, Any]) -> None:
    assert unknown_type({"type": "Review"} | members) is None


@pytest.mark.parametrize("kind", sorted({*NO_CONTENT, *OTHERS} - OBJECTS))
def test_what_is_something_else_to_another_reader_is_no_message(kind: str) -> None:
    for spelled in (kind, f"as:{kind}", f"{AS2}#{kind}", f"x:{kind}", f"https://v.example/{kind}", kind.upper()):
        assert not is_read(type=spelled)
        assert not is_read(type=["Review", spelled])
        assert refused(World().receive(create(note(type=["Review", spelled])))) == "unsupported-object"


@pytest.mark.parametrize("kind", sorted({*EXCLUDED_TYPES, "Follow", "EmojiReact", "Person", "OrderedCollection"}))
def test_a_known_type_next_to_another_thing_is_refused_too(kind: str) -> None:
    assert refused(World().receive(create(note(type=["Note", kind])))) == "unsupported-object"


@pytest.mark.parametrize(
    "member",
    [
        *(
            "actor",
            "object",
            "target",
            "inbox",
            "publicKey",
            "preferredUsername",
            "items",
            "orderedItems",
            "totalItems",
        ),
        *("first", "formerType", "href"),
    ],
)
def test_what_has_the_shape_of_something_else_is_no_message(member: str) -> None:
    assert is_read()
    assert not is_read(**{member: None})


@pytest.mark.parametrize(
    "types", [[], [5], None, {}, "", "Re view", "<b>", "R" * 201, ["Review"] * 17, ["Review", "<script>"]], ids=repr
)
def test_what_is_no_name_of_a_type_is_no_type(types: Any) -> None:
    assert not is_read(type=types)


@pytest.mark.parametrize(
    "context",
    [
        {"Review": "as:Delete"},
        {"Review": f"{AS2}#Person"},
        {"Review": "x:Delete", "x": f"{AS2}#"},
        {"Review": {"@id": "as:OrderedCollection"}},
        {"Review": "Other", "Other": "as:Undo"},
        {"Review": "ext:EmojiReact", "ext": f"{AS2}#"},
    ],
)
def test_no_context_makes_an_unknown_type_stand_for_something_else(context: dict[str, Any]) -> None:
    for activity in (
        create(note(type="Review"), **{"@context": [AS2, context]}),
        create(note(type="Review", **{"@context": context})),
    ):
        head = read_activity(as_bytes(activity), limits=Limits())
        with pytest.raises(WireError) as error:
            read_object(activity["object"], head, limits=Limits())
        assert error.value.code == "json-ld-refused"


def as_bytes(document: Any) -> bytes:
    return json.dumps(document).encode()


@given(st.sampled_from(sorted(NO_CONTENT)), st.text("abcXYZ019:/#._-", max_size=12), st.booleans())
def test_no_spelling_of_a_closed_type_opens_it(kind: str, prefix: str, is_first: bool) -> None:
    spelled = f"{prefix}:{kind}"
    types = [spelled, "Review"] if is_first else ["Review", spelled]
    assert not is_read(type=types)
