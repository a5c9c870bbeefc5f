"""How a message says whether it is to be answered."""

import pytest

from mentionable import Answerable, NormalizedMessage, decode_trusted, encode, replace
from tests.mail.answering import asked
from tests.samples import MESSAGE


def test_an_answer_is_due_where_nothing_is_said():
    assert MESSAGE.answerable
    assert (MESSAGE.answerable.reason, MESSAGE.answerable.detail) == (None, "")


def test_it_survives_json():
    message = asked("List-Id: <l.example>")
    back = decode_trusted(NormalizedMessage, encode(message))
    assert back.answerable == message.answerable == Answerable(reason="mailing-list", detail="List-Id")


@pytest.mark.parametrize(
    "member",
    [
        None,
        True,
        False,
        "no",
        [],
        {},
        {"reason": None},
        {"reason": 1},
        {"reason": ""},
        {"reason": "Not A Word"},
        {"reason": "a" * 65},
        {"reason": "a-" * 20},
        {"reason": "x\n"},
    ],
)
def test_what_cannot_be_read_is_not_answerable(member):
    found = replace(MESSAGE, extra={"unanswerable": member}).answerable
    assert not found
    assert found.reason == "unknown"


@pytest.mark.parametrize("detail", [None, 7, {}])
def test_a_reason_without_a_readable_detail_is_a_reason(detail):
    found = replace(MESSAGE, extra={"unanswerable": {"reason": "loop", "detail": detail}}).answerable
    assert found == Answerable(reason="loop")


def test_a_word_of_a_later_version_is_kept():
    member = {"reason": "something-new", "detail": "x", "more": 1}
    assert replace(MESSAGE, extra={"unanswerable": member}).answerable.reason == "something-new"


@pytest.mark.parametrize("via", ["activitypub", "a2a", "rest", "connector"])
def test_only_a_mail_of_the_agent_itself_is_its_own(via):
    message = replace(MESSAGE, sender=replace(MESSAGE.sender, address=MESSAGE.recipient))
    assert replace(message, received_via=via).answerable
    assert replace(message, received_via="email").answerable.reason == "own-address"
