from typing import Any

import pytest

from mentionable import Avatar, Failed, Limits, SenderProfile
from mentionable.activitypub._read import documents as _sender
from mentionable.activitypub._read.documents import ADDRESSLESS, Actor, Unreadable, read_actor
from tests.activitypub.servers import ALICE, actor, codes, fetched

LIMITS = Limits()


def read(**members: Any) -> Actor:
    found = read_actor(fetched(actor(**members)), ALICE, limits=LIMITS)
    assert isinstance(found, Actor), found
    return found


def profile(**members: Any) -> SenderProfile:
    found = read(**members).sender.profile
    assert found is not None
    return found


def test_the_address_is_the_username_at_the_host_of_the_id_unverified() -> None:
    sender = read(preferredUsername="Alice.B").sender
    assert (sender.address, sender.auth_method, sender.verified, sender.key_id) == (
        "@Alice.B@social.example",
        "none",
        False,
        None,
    )


def test_the_profile_is_projected_from_the_document() -> None:
    assert profile(
        name="Alice",
        url="https://social.example/@alice",
        icon={
            "type": "Image",
            "mediaType": "image/png",
            "url": "https://files.example/a.png",
            "width": 64,
            "height": 32,
        },
    ) == SenderProfile(
        display_name="Alice",
        username="alice",
        url="https://social.example/@alice",
        avatar=Avatar(url="https://files.example/a.png", mime_type="image/png", width=64, height=32),
        provider="activitypub",
        provider_subject=ALICE,
    )


@pytest.mark.parametrize(
    ("members", "name"),
    [
        ({"name": "Alice \U0001f308"}, "Alice \U0001f308"),
        ({"name": " A\nli\tce\u202e "}, "A li ce"),
        ({"name": "\u200b"}, None),
        ({"name": None, "nameMap": {"en": "Alice"}}, "Alice"),
        ({"name": None, "nameMap": {}}, None),
        ({"name": None, "nameMap": "Alice"}, None),
        ({"name": "alice @ work"}, "alice @ work"),
        ({"name": "@alice@social.example"}, "@alice@social.example"),
        ({"name": "Alice <alice@social.example>"}, "Alice <alice@social.example>"),
    ],
)
def test_a_display_name_is_one_visible_line(members: dict[str, Any], name: str | None) -> None:
    found = read(**members)
    assert (found.sender.display_name, codes(found.diagnostics)) == (name, [])
    assert found.sender.profile is not None
    assert found.sender.profile.display_name == name


@pytest.mark.parametrize(
    "name", ["@bob@bank.example", "bob (bob@bank.example)", "bob\uff20bank.example", "b@ bank\u3002example"]
)
def test_a_display_name_that_shows_another_address_is_noted(name: str) -> None:
    found = read(name=name)
    assert (found.sender.display_name, codes(found.diagnostics)) == (name, ["name-holds-address"])
    assert found.sender.address == "@alice@social.example"


def test_a_display_name_without_end_is_dropped() -> None:
    assert read(name="a" * 1024).diagnostics == ()
    found = read(name="a" * 1025)
    assert (found.sender.display_name, codes(found.diagnostics)) == (None, ["name-too-long"])


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://social.example/@alice", "https://social.example/@alice"),
        ({"type": "Link", "href": "https://social.example/@alice"}, "https://social.example/@alice"),
        (
            ["https://social.example/feed", {"mediaType": "text/html", "href": "https://social.example/@alice"}],
            "https://social.example/@alice",
        ),
        (["javascript:x", {"href": 5}, "http://social.example/@alice"], "http://social.example/@alice"),
        (None, None),
        ([], None),
    ],
)
def test_the_page_is_the_first_html_link_or_the_first_url(url: object, expected: str | None) -> None:
    found = read(url=url)
    assert found.sender.profile is not None
    assert (found.sender.profile.url, codes(found.diagnostics)) == (expected, [])


@pytest.mark.parametrize(
    ("icon", "expected"),
    [
        ("https://files.example/a.png", Avatar(url="https://files.example/a.png")),
        ({"href": "https://files.example/a.png", "width": None}, Avatar(url="https://files.example/a.png")),
        (
            {"mediaType": "image/png", "url": {"href": "https://files.example/a.png", "height": 5}},
            Avatar(url="https://files.example/a.png", mime_type="image/png", height=5),
        ),
        (
            ["x:y", 5, {"url": ["x:y", {"href": "https://files.example/a.png", "mediaType": "image/webp"}]}],
            Avatar(url="https://files.example/a.png", mime_type="image/webp"),
        ),
        (None, None),
    ],
)
def test_the_avatar_is_the_first_icon_that_may_be_shown(icon: object, expected: Avatar | None) -> None:
    found = read(icon=icon)
    assert found.sender.profile is not None
    assert (found.sender.profile.avatar, codes(found.diagnostics)) == (expected, [])


@pytest.mark.parametrize(
    ("members", "at"),
    [
        ({"name": 5}, "/actor/name"),
        ({"name": ["Alice"]}, "/actor/name"),
        ({"icon": {"url": "https://files.example/a.png", "mediaType": 5}}, "/actor/icon/mediaType"),
        ({"icon": {"href": "https://files.example/a.png", "width": "5"}}, "/actor/icon/width"),
        ({"icon": ["x:y", {"url": "https://files.example/a.png", "height": -1}]}, "/actor/icon/1/height"),
        ({"icon": {"url": [{"href": "https://files.example/a.png", "width": True}]}}, "/actor/icon/url/0/width"),
    ],
)
def test_an_odd_member_of_a_profile_costs_itself(members: dict[str, Any], at: str) -> None:
    found = read(**members)
    assert [(note.code, note.at) for note in found.diagnostics] == [("member-dropped", at)]
    avatar = None if found.sender.profile is None else found.sender.profile.avatar
    assert avatar == (Avatar(url="https://files.example/a.png") if "icon" in members else None)


def test_a_bad_page_or_avatar_is_dropped_with_a_note() -> None:
    found = read(url="javascript:x", icon={"type": "Image"})
    assert [(note.code, note.at) for note in found.diagnostics] == [
        ("url-refused", "/actor/url"),
        ("url-refused", "/actor/icon"),
    ]
    assert all(note.detail for note in found.diagnostics)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Failed("timeout"), "not answered: timeout"),
        (fetched(actor(), status=404), "status 404"),
        (
            fetched(actor("https://social.example/users/eve"), "https://social.example/users/eve"),
            "it is the document of another id",
        ),
        (fetched(actor(f"{ALICE}#me"), ALICE), "it is the document of another id"),
        (fetched(actor(type="Note")), "it is no actor"),
        (fetched(actor(type=None)), "it is no actor"),
    ],
)
def test_an_unusable_document_says_why(answer: Any, reason: str) -> None:
    found = read_actor(answer, ALICE, limits=LIMITS)
    assert isinstance(found, Unreadable)
    assert found.reason == reason


@pytest.mark.parametrize("username", [None, 5, "", "a b", "a@b", "a/b", "a\u202eb", "\u0430lice", "a" * 256, "a..b"])
def test_a_username_that_makes_no_address_is_told_apart(username: object) -> None:
    answer = fetched(actor(preferredUsername=username))
    assert read_actor(answer, ALICE, limits=LIMITS) is ADDRESSLESS


def test_the_same_bytes_are_read_once_and_never_shared() -> None:
    first, second = read(name="Once"), read(name="Once")
    assert first is second
    _sender._remembered.cache_clear()
    assert read(name="Once") is not first


def test_large_documents_are_not_remembered() -> None:
    answer = fetched(actor(summary="x" * _sender.REMEMBERED_BYTES))
    before = _sender._remembered.cache_info().currsize
    found = read_actor(answer, ALICE, limits=LIMITS)
    assert isinstance(found, Actor)
    assert read_actor(answer, ALICE, limits=LIMITS) is not found
    assert _sender._remembered.cache_info().currsize == before
    read_actor(fetched(actor(), "https://social.example/" + "a" * 2048), ALICE, limits=LIMITS)
    assert _sender._remembered.cache_info().currsize == before
    assert isinstance(read_actor(fetched(actor(), content_type="x" * 300), ALICE, limits=LIMITS), Unreadable)
