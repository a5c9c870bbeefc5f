"""Faults that the second attack found: words of people that are lost, quoted text that is new, answers to programs."""

from typing import Any

import pytest

from mentionable import TextPart, mail, prompt
from tests.mail.answering import question, reply
from tests.mail.receiving import received


def message(text: str, mime: str = "text/plain") -> Any:
    head = f"From: Alice <alice@a.example>\nTo: helper@agents.example\nContent-Type: {mime}; charset=utf-8\n\n"
    return received(f"{head}{text}".encode()).message


# ------------------------------------------------------------------------------------------------ answers to programs


@pytest.mark.parametrize("address", ["no-reply@a.example", "mailer-daemon@a.example", "list-request@a.example"])
def test_no_answer_goes_to_a_program_that_reply_to_names(address: str) -> None:
    asked = question(f"From: Shop <info@a.example>\r\nReply-To: {address}\r\n\r\nYour order\r\n".encode())
    assert not asked.answerable or address not in reply(to=asked).rcpt_to


@pytest.mark.parametrize(
    "field",
    [
        "X-Precedence: bulk",
        "Preference: auto_reply",
        "X-FC-MachineGenerated: true",
        "X-POST-MessageClass: 9; Autoresponder",
        "X-Amz-Auto-Reply: yes",
        "X-RT-Loop-Prevention: help.example",
        "X-OTRS-Loop: otrs@a.example",
    ],
)
def test_fields_that_autoresponders_and_help_desks_write_are_signs(field: str) -> None:
    asked = question(f"From: Help <help@a.example>\r\n{field}\r\n\r\nWe have your request.\r\n".encode())
    assert not asked.answerable


# -------------------------------------------------------------------------------------------------------- hidden text

HIDDEN = ';<pre style="font-size:0"><blockquote>SECRET</pre><hr>9'
"""A quotation that is not closed begins in hidden text, and a rule is behind it."""


def test_spans_are_in_order_where_a_quotation_begins_in_hidden_text() -> None:
    found = mail.spans(TextPart(content=HIDDEN, mime="text/html"))
    assert all(span.start < span.end for span in found)
    assert [span.end for span in found] == [span.start for span in found[1:]] + [len(HIDDEN)]


def test_hidden_text_in_which_a_quotation_begins_stays_hidden() -> None:
    assert "SECRET" not in str(prompt.render(message(HIDDEN, "text/html"), quoted="show").messages)
