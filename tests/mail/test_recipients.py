"""The sender and the recipients of an answer."""

import pytest

from mentionable import Limits, NormalizedMessage, UsageError
from mentionable.mail._read.header_section import Mailbox
from mentionable.mail._write.question import question_of
from mentionable.mail._write.recipients import Recipients, _comparison_key, author_of, recipients_of
from tests.mail.answering import asked, question

ALICE = Mailbox("Alice", "alice@a.example")
ASKED = question()


def recipients(to: NormalizedMessage, *siblings: str, sender: str | None = None) -> tuple[Recipients, list[str]]:
    """The recipients of the answer, and the codes of what was odd."""
    limits = Limits()
    author, reply_to = author_of(sender, to=to), question_of(to, limits=limits).reply_to
    result = recipients_of(reply_to, author=author, to=to, siblings=siblings, limits=limits)
    return result, [diagnostic.code for diagnostic in result.diagnostics]


def addresses(result: Recipients) -> tuple[str, ...]:
    return tuple(mailbox.address for mailbox in (*result.to, *result.cc))


@pytest.mark.parametrize(
    ("sender", "author"),
    [
        (None, Mailbox(None, "helper@agents.example")),
        ("@bot@b.example", Mailbox(None, "bot@b.example")),
        ("bot@B.example", Mailbox(None, "bot@b.example")),
        ("Bot <bot@b.example>", Mailbox("Bot", "bot@b.example")),
        ('"Bot, the" <bot@b.example>', Mailbox("Bot, the", "bot@b.example")),
        ("jörg@b.example", Mailbox(None, "jörg@b.example")),
        ("@j%C3%B6rg@b.example", Mailbox(None, "jörg@b.example")),
        ("Bot <a.@b.example>", Mailbox("Bot", '"a."@b.example')),
        ("Bücherei <bot@b.example>", Mailbox("Bücherei", "bot@b.example")),
        ("<bot@b.example>", Mailbox(None, "bot@b.example")),
    ],
)
def test_an_answer_is_from_the_agent_or_as_the_program_says(sender, author):
    assert author_of(sender, to=ASKED) == author


@pytest.mark.parametrize(
    "sender",
    ["", "Bot", "a@b.example, c@d.example", "x: a@b.example;", "a@b.example (Bot)", "Bot\r\nBcc: <a@b.example>", 7,
     "a\u2028b@b.example", "x" * 3_000],
)  # fmt: skip
def test_another_sender_is_a_mistake_of_the_program(sender):
    with pytest.raises(UsageError, match="sender is 'Name"):
        author_of(sender, to=ASKED)


def test_the_answer_goes_to_the_asker_with_their_name():
    result, codes = recipients(ASKED)
    assert (result.to, result.cc, codes) == ((ALICE,), (), [])
    assert addresses(result) == ("alice@a.example",)


def test_a_name_that_is_too_long_is_none():
    result, _ = recipients(asked(f"From: {'x' * 201} <alice@a.example>"))
    assert result.to == (Mailbox(None, "alice@a.example"),)


def test_other_recipients_of_the_question_get_nothing():
    result, _ = recipients(asked("To: helper@agents.example, bob@b.example", "Cc: carol@c.example"))
    assert addresses(result) == ("alice@a.example",)


def test_reply_to_of_an_unknown_sender_counts_within_their_domain():
    result, codes = recipients(asked("Reply-To: Al <al@A.example>, al@a.example, jörg@a.example"))
    assert result.to == (Mailbox("Al", "al@a.example"), Mailbox(None, "jörg@a.example"))
    assert codes == []


@pytest.mark.parametrize(
    "fields",
    [
        ("Reply-To: evil@e.example",),
        ("Reply-To: al@a.example, evil@e.example",),
        ("Reply-To: al@a.example", "Reply-To: evil@a.example"),
    ],
)
def test_an_attacker_cannot_have_the_answer_of_another_person_sent_to_themselves(fields):
    result, codes = recipients(asked(*fields))
    assert (result.to, codes) == ((ALICE,), ["reply-to-unsigned"])


@pytest.mark.parametrize("own", ["Helper@agents.example", "helper+x@agents.example"])
def test_the_agent_does_not_write_to_itself_by_another_spelling(own):
    result, codes = recipients(asked(f"Reply-To: {own}"), f"@{own}")
    assert (addresses(result), codes) == (("alice@a.example",), ["reply-to-refused"])


def test_unsigned_reply_to_of_a_verified_sender_does_not_count():
    result, codes = recipients(asked("Reply-To: b@b.example", verified=True))
    assert (result.to, codes) == ((ALICE,), ["reply-to-unsigned"])


def test_reply_to_the_asker_changes_nothing():
    result, codes = recipients(asked("Reply-To: Ali <alice@a.example>", verified=True))
    assert (addresses(result), codes) == (("alice@a.example",), [])


@pytest.mark.parametrize("field", ["nobody:;", "helper@agents.example", "b@localhost", ", ".join(["b@b.example"] * 6)])
def test_reply_to_that_no_mail_can_be_sent_to_does_not_count(field):
    result, codes = recipients(asked(f"Reply-To: {field}"))
    assert (result.to, codes) == ((ALICE,), ["reply-to-refused"])


def test_siblings_are_in_cc_once_and_neither_we_nor_the_asker_are():
    siblings = ("@b@c.example", "d@C.example", "@b@c.example", "@helper@agents.example", "@alice@a.example",
                "@bot@b.example")  # fmt: skip
    result, codes = recipients(ASKED, *siblings, sender="bot@b.example")
    assert result.cc == (Mailbox(None, "b@c.example"), Mailbox(None, "d@c.example"))
    assert addresses(result) == ("alice@a.example", "b@c.example", "d@c.example")
    assert codes == []


def test_a_sibling_that_gets_the_answer_by_reply_to_is_not_in_cc():
    result, _ = recipients(asked("Reply-To: b@a.example"), "@b@a.example", "@alice@a.example")
    assert (addresses(result), result.cc) == (("b@a.example",), ())


@pytest.mark.parametrize("siblings", ["@b@c.example", b"@b@d.example", None, 7])
def test_siblings_are_a_list(siblings):
    arguments = {"author": ALICE, "to": ASKED, "siblings": siblings, "limits": Limits()}
    with pytest.raises(UsageError, match="siblings is a list"):
        recipients_of(None, **arguments)


@pytest.mark.parametrize("sibling", ["b", "@b", "b@localhost", "@b@c.example\r\nBcc: x@y.example", 7])
def test_a_sibling_is_an_address(sibling):
    with pytest.raises(UsageError, match="not an agent address"):
        recipients(ASKED, sibling)


def test_siblings_fit_into_one_field():
    with pytest.raises(UsageError, match="more than one field"):
        recipients(ASKED, *[f"@{number}@c.example" for number in range(900)])


def test_letters_that_only_a_fold_makes_equal_are_two_mailboxes() -> None:
    assert _comparison_key("Straße@a.example") == _comparison_key("straße+x@a.example")
    assert _comparison_key("straße@a.example") != _comparison_key("strasse@a.example")
