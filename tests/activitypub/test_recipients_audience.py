from typing import Any

import pytest

from mentionable import Limits
from mentionable.activitypub._write.question import question_of
from mentionable.activitypub._write.recipients import Addressees, addressees_of_answer, recipients_of
from tests.activitypub.answering import ASKER, BOB_ACTOR, FOLLOWERS, answer, asked, without_raw
from tests.activitypub.servers import ALICE, BOB, HELPER, PUBLIC, create, note

LIMITS = Limits()


def audience(message: Any) -> Addressees:
    question = question_of(message, limits=LIMITS)
    return addressees_of_answer(question, recipients_of(message, question, [BOB_ACTOR], own=HELPER, limits=LIMITS))


DIRECT = Addressees("direct", [ALICE, BOB], [])


@pytest.mark.parametrize("everybody", [PUBLIC, "as:Public", "Public"])
def test_the_answer_to_a_public_question_is_public(everybody: str) -> None:
    assert audience(asked(to=[everybody], cc=[HELPER])) == Addressees("public", [PUBLIC, ALICE, BOB], [])
    assert audience(asked(to=everybody, cc=None)).visibility == "public"
    assert audience(asked(to={"id": everybody})).visibility == "public"


@pytest.mark.parametrize("everybody", [PUBLIC, "as:Public", "Public"])
def test_the_answer_to_an_unlisted_question_is_unlisted(everybody: str) -> None:
    assert audience(asked(to=[FOLLOWERS], cc=[everybody, HELPER])) == Addressees("unlisted", [ALICE, BOB], [PUBLIC])


def test_the_answer_to_what_followers_see_is_for_the_same_followers() -> None:
    assert audience(asked(to=[FOLLOWERS, HELPER])) == Addressees("followers", [ALICE, BOB], [FOLLOWERS])
    assert audience(asked(to=[HELPER], cc=FOLLOWERS)).visibility == "followers"


@pytest.mark.parametrize("followers", [None, 7, "https://evil.example/followers", "javascript:x"])
def test_followers_of_nobody_are_not_addressed(followers: Any) -> None:
    assert audience(asked(to=[str(followers), HELPER], who=ASKER | {"followers": followers})) == DIRECT


def test_the_answer_to_a_direct_question_is_direct() -> None:
    assert audience(asked(to=[HELPER])) == DIRECT
    assert audience(asked(to=[HELPER, "https://social.example/users/carol/followers"])) == DIRECT


def test_where_activity_and_object_disagree_the_narrower_counts() -> None:
    def visibility(outer: dict[str, Any], inner: dict[str, Any]) -> str:
        return audience(without_raw(activity=create(note(**({"to": ...} | inner)), **({"to": ...} | outer)))).visibility

    assert visibility({"to": [PUBLIC]}, {"to": [HELPER]}) == "direct"
    assert visibility({"to": [HELPER]}, {"to": [PUBLIC]}) == "direct"
    assert visibility({"to": [PUBLIC]}, {"cc": [PUBLIC]}) == "unlisted"
    assert visibility({"to": [PUBLIC]}, {"to": [FOLLOWERS]}) == "followers"
    assert visibility({"to": [PUBLIC]}, {"bto": [HELPER]}) == "direct"
    assert visibility({"to": [PUBLIC]}, {"to": []}) == "public"
    assert visibility({}, {}) == "direct"


@pytest.mark.parametrize("field", ["bto", "bcc", "audience"])
def test_what_stands_elsewhere_makes_nothing_public(field: str) -> None:
    fields: dict[str, Any] = {"to": [HELPER], field: [PUBLIC]}
    message = without_raw(activity=create(note(**fields), **fields))
    assert audience(message) == DIRECT


def test_blind_recipients_are_never_copied() -> None:
    message = without_raw(activity=create(note(bto=[BOB + "2"]), bcc=[BOB + "3"]))
    assert audience(message) == DIRECT


@pytest.mark.parametrize("blind", ["bto", "bcc"])
def test_who_was_told_without_a_word_answers_without_witnesses(blind: str) -> None:
    for to in (
        asked(create(note(to=[PUBLIC]), **{blind: [HELPER]})),
        asked(create(note(**{blind: [HELPER]}), to=[PUBLIC])),
    ):
        assert PUBLIC not in str(answer("Hi", to=to).activity)
