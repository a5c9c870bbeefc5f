"""What a person wrote now, and is taken for quoted, forwarded, a signature or a footer."""

import pytest

from mentionable import TextPart
from mentionable.mail import spans


def kinds_of(text: str, mark: str = "NEW", mime: str = "text/plain") -> set[str]:
    part = TextPart(content=text, mime=mime)
    return {span.kind for span in spans(part) if mark in text[span.start : span.end]}


@pytest.mark.parametrize(
    "text",
    [
        "Please order this.\n\n=== Shipping ===\nFrom: Berlin\nTo: Munich\n\nNEW and call Carol today.\n",
        "Dear agent\n--- Meeting ---\nDate: Monday\nTo: discuss the budget\nNEW book a room\n",
        "***Trip***\nFrom: Berlin\nTo: Munich\nNEW book it\n",
    ],
)
def test_a_heading_between_rules_above_a_typed_form_does_not_fold_the_rest_of_the_mail(text: str) -> None:
    assert kinds_of(text) == {"new"}


@pytest.mark.parametrize(
    "text",
    [
        "Please publish this memo:\n\nFrom: Alice\nTo: All\nDate: 21 Nov 2026\nSubject: Policy\n\nNEW text\n",
        "Hallo, bitte buchen:\n\nVon: Berlin\nNach: Rom\nDatum: 21.11.2026\nBetreff: Reise\nNEW danke\n",
        "Data:\nFrom: 2026-01-01\nTo: 2026-02-01\nSent: 2025\nSubject: Physics\nNEW compute\n",
    ],
)
def test_a_typed_form_without_an_address_does_not_fold_the_rest_of_the_mail(text: str) -> None:
    assert kinds_of(text) == {"new"}


@pytest.mark.parametrize("greeting", ["", "Hi,\n\n"])
def test_an_answer_below_lines_with_quote_marks_under_an_original_message_is_new(greeting: str) -> None:
    text = (
        f"{greeting}-----Original Message-----\nFrom: Bob <b@b.example>\nSent: Monday, 10:00\nTo: x\nSubject: y\n\n"
        "> Will you come?\n\nNEW Yes, I come.\n"
    )
    assert kinds_of(text) == {"new"}


@pytest.mark.parametrize(
    "text",
    [
        "I tell you what happened.\nOn 2026-11-20 at 10:15 I saw that Bob <bob@b.example> wrote:\nNEW my own words\n",
        "Am 20. November um 10:15 Uhr habe ich an <bob@b.example> geschrieben:\nNEW ich komme\n",
    ],
)
def test_a_sentence_with_a_time_and_an_address_does_not_fold_the_rest_of_the_mail(text: str) -> None:
    assert kinds_of(text) == {"new"}


@pytest.mark.parametrize(
    "text",
    [
        "NEW Sent from my iPhone it does not work, but from the laptop it does".removeprefix("NEW "),
        "Help please\n\nSent from Outlook the same mail arrives, from Gmail it does not",
    ],
)
def test_a_sentence_about_a_telephone_is_no_signature(text: str) -> None:
    assert kinds_of(text, "Sent from") == {"new"}


@pytest.mark.parametrize(
    "text",
    [
        "Hello\n\nThis email is intended for the confidential board, not privileged people. In error we paid twice.\n"
        "NEW pay back 100 EUR\nNEW today\n",
        "Disclaimer: I am no lawyer, but the contract of the addressee NEW must be signed today. Send it to Bob.\n",
        "Hello\n----------\nPlease unsubscribe me from the mailing list, and NEW send me the report.\n",
        "Agenda\n==========\nNEW item one: lists. of people\n",
    ],
)
def test_typed_words_that_a_footer_has_too_are_no_footer(text: str) -> None:
    assert kinds_of(text) == {"new"}
