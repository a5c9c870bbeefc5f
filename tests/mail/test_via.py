"""Mails that a list, a group or a service sent on behalf of another person."""

from typing import Any

import pytest

from mentionable import UsageError, mail, prompt, replace
from mentionable._text.display_names import other_author
from tests.mail.receiving import receive

LIST_FIELDS = "List-Id: The List <list.lists.example>\nList-Post: <mailto:list@lists.example>\n"
ALICE = ("Alice", "alice@a.example")


def message(head: str) -> Any:
    return receive(f"{head}\n\nHello\n".encode()).message


def found(head: str) -> Any:
    via = mail.via(message(head.rstrip("\n")))
    return via and (via.mailbox, via.list_id, via.author_name, via.author, via.is_rewritten)


@pytest.mark.parametrize(
    "head",
    [
        f"From: Alice via List <list@lists.example>\nReply-To: Alice <alice@a.example>\n{LIST_FIELDS}",
        "From: Alice via List <list@lists.example>\n"
        f"Reply-To: list@lists.example, Alice <alice@a.example>\n{LIST_FIELDS}",
        f"From: \"'Alice' via List\" <list@lists.example>\nX-Original-Sender: alice@a.example\n{LIST_FIELDS}",
        f"From: Alice via List <list@lists.example>\nX-Mailman-Original-From: Alice <alice@a.example>\n{LIST_FIELDS}",
        f"From: Alice via List <list@lists.example>\nX-Original-From: Alice <alice@a.example>\n{LIST_FIELDS}",
        f"From: The List <list@lists.example>\nOriginal-From: Alice <alice@a.example>\n{LIST_FIELDS}",
        f"From: The List <list@lists.example>\nAuthor: Alice <alice@a.example>\n{LIST_FIELDS}",
        f"From: List on behalf of Alice <list@lists.example>\nReply-To: alice@a.example\n{LIST_FIELDS}",
        f"From: Alice <List@lists.example>\nReply-To: alice@a.example\n{LIST_FIELDS}",
    ],
)
def test_a_list_that_writes_itself_into_from_is_told_apart(head: str) -> None:
    address, list_id, *author, is_rewritten = found(head)
    assert (address.lower(), list_id, is_rewritten) == ("list@lists.example", "list.lists.example", True)
    assert tuple(author) == ALICE


def test_the_sender_stays_whom_from_names() -> None:
    got = message("From: Alice via List <list@lists.example>\nReply-To: alice@a.example")
    assert got.sender.address == "@list@lists.example"


def test_a_service_without_list_fields_is_told_by_its_name() -> None:
    head = "From: Alice via Network <messages@network.example>"
    assert found(head) == ("messages@network.example", None, "Alice", None, True)


def test_a_list_that_leaves_from_alone_is_named_by_sender() -> None:
    head = f"From: Alice <alice@a.example>\nSender: list-bounces@lists.example\n{LIST_FIELDS}"
    assert found(head) == ("list-bounces@lists.example", "list.lists.example", *ALICE, False)


def test_a_list_without_sender_is_named_by_its_own_fields() -> None:
    assert found(f"From: Alice <alice@a.example>\n{LIST_FIELDS}") == (
        "list@lists.example",
        "list.lists.example",
        *ALICE,
        False,
    )
    assert found("From: Alice <alice@a.example>\nList-Id: <list.lists.example>") == (
        None,
        "list.lists.example",
        *ALICE,
        False,
    )


def test_an_assistant_who_sends_for_another_is_named_by_sender() -> None:
    head = "From: Alice <alice@a.example>\nSender: Bob <bob@a.example>"
    assert found(head) == ("bob@a.example", None, *ALICE, False)


@pytest.mark.parametrize(
    "head",
    [
        "From: Alice <alice@a.example>",
        "From: Alice <alice@a.example>\nSender: Alice <ALICE@a.example>\nReply-To: other@b.example",
        "From: Alice <alice@a.example>\nAuthor: alice@a.example\nX-Original-Sender: alice@a.example",
        "From: Olivia <olivia@a.example>\nList-Id: no id\nList-Post: NO",
        "From: List <list@lists.example>\nList-Post: <mailto:list@lists.example>",
        "From: Alice <alice@a.example>\nSender: " + ", ".join(["x@a.example"] * 6),
        "From: Alice <alice@a.example>\nX-Original-From: " + "x" * 3_000,
    ],
)
def test_an_ordinary_mail_is_sent_for_no_other_person(head: str) -> None:
    assert found(head) is None


def test_what_was_cut_from_raw_says_nothing() -> None:
    got = message("From: Alice via List <list@lists.example>")
    assert mail.via(replace(got, raw=None)) is None
    assert mail.via(replace(got, raw={"headers": {"from": ["List <list@lists.example>"], "list-id": 7}})) is None


def test_a_message_that_is_no_mail_is_sent_for_no_other_person() -> None:
    assert mail.via(replace(message("From: Alice via List <list@lists.example>"), received_via="rest")) is None
    with pytest.raises(UsageError):
        mail.via("From: Alice")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Alice via List", "Alice"),
        ("'Alice' VIA List via Other", "Alice"),
        ("List On Behalf Of Alice", "Alice"),
        ("List (on behalf of Alice)", "Alice"),
        ("List on behalf of Alice (Sales)", "Alice (Sales)"),
        ("Alice (via Docs)", "Alice"),
        ("Alice (Sales) via List", "Alice (Sales)"),
        ("Alice\u00a0via\u00a0List", "Alice"),
        ("Alice\u2003 via List", "Alice"),
        ("Olivia", ""),
        ("Silvia Aviano", ""),
        ("via", ""),
    ],
)
def test_the_name_of_a_list_says_for_which_person_it_writes(name: str, author: str) -> None:
    assert other_author(name) == author


@pytest.mark.parametrize(
    "name", ["Alice via List", "Alice (via List)", "Alice\u00a0via\u00a0List", "Alice\u2003via List"]
)
def test_a_model_reads_that_the_person_is_not_verified(name: str) -> None:
    of_list = str(prompt.render(message(f'From: "{name}" <list@lists.example>')).messages)
    assert "@list@lists.example, not verified; writes for another person, who is not verified" in of_list
    assert "another person, who" not in str(prompt.render(message("From: Alice <alice@a.example>")).messages)
