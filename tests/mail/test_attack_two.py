"""Faults that the second attack found: words of people that are lost, quoted text that is new, answers to programs."""

from typing import Any

import pytest

from mentionable import TextPart, mail, prompt
from tests.mail.answering import question, reply
from tests.mail.receiving import received

NEW = "NEW words."
OLD = "OLD words."


def message(text: str, mime: str = "text/plain") -> Any:
    head = f"From: Alice <alice@a.example>\nTo: helper@agents.example\nContent-Type: {mime}; charset=utf-8\n\n"
    return received(f"{head}{text}".encode()).message


def new_text(text: str, mime: str = "text/plain") -> str:
    return mail.new_text(message(text, mime))


# ------------------------------------------------------------------------------------- the words of a person are there

SHORT_MAILS = {
    "english": "This email is intended for Bob; it is confidential and I sent it in error. Can you forward it?",
    "notice": "Important notice: if you are not the intended recipient of my parcel, please tell the addressee.",
    "german": "Diese Nachricht ist vertraulich. Bitte sag dem Empfänger nichts davon, sondern frag Paul.",
    "german-error": "Dieses E-Mail ging irrtümlich an den falschen Empfänger. Kannst du es zurückholen?",
    "french": "Ce message est pour toi : j’ai fait une erreur, le destinataire n’est pas Paul.",
    "spanish": "Este correo llegó por error a otro destinatario. ¿Puedes reenviarlo a Juan?",
    "italian": "Questo messaggio è riservato: il destinatario è Marco. Inoltralo per favore.",
    "russian": "Это сообщение конфиденциально. Передай его адресату Ивану завтра в 10.",
}
"""The whole of a mail, or all of it below a greeting: no notice of a lawyer."""


@pytest.mark.parametrize("text", SHORT_MAILS.values(), ids=SHORT_MAILS.keys())
def test_the_whole_text_of_a_mail_is_no_legal_footer(text: str) -> None:
    assert new_text(f"{text}\n") == text
    assert text in str(prompt.render(message(f"{text}\n")).messages)


def test_what_is_written_below_a_legal_notice_is_new() -> None:
    notice = "This e-mail may contain privileged information. If you are not the intended recipient, delete it."
    text = f"Hi,\n\nmy lawyer says every mail should end with:\n\n{notice}\n\nShould I add it?\n\nAlice"
    assert "Should I add it" in new_text(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hi\n\n----------\nPlease unsubscribe me from https://lists.x.example/a\n", "Please unsubscribe me"),
        ("Read:\n\n==========\nhttps://groups.google.com/x\n==========\n\nIs that mailing list alive?\n", "alive?"),
        ("Two:\n\n----------\n1. How to unsubscribe? See https://a.example/u\n----------\n2. Who is Bob?\n", "Bob?"),
        ("At 8.\n\n__________\nWhich of the lists at lists.a.example (https://a.example) do I need?\n", "do I need?"),
    ],
)
def test_words_of_a_person_below_a_rule_are_no_footer_of_a_list(text: str, words: str) -> None:
    assert words in new_text(text)


def test_a_sentence_about_a_telephone_is_no_signature() -> None:
    text = "Hallo,\n\nVon meinem iPhone gesendet klappt nicht"
    assert "klappt nicht" in new_text(text)


# --------------------------------------------------------------------------------------------------- quoted is not new

HEADS = {
    "gmx": 'Gesendet: Montag, 23. November 2026 um 10:15 Uhr\nVon: "Bob" <bob@b.example>\nAn: alice@a.example\n'
    "Betreff: Regen",
    "mail.com": 'Sent: Monday, November 23, 2026 at 10:15 AM\nFrom: "Bob" <bob@b.example>\nTo: alice@a.example\n'
    "Subject: Rain",
    "gmx-french": 'Envoyé: lundi 23 novembre 2026 à 10:15\nDe: "Bob" <bob@b.example>\nÀ: alice@a.example\n'
    "Objet: Re: Pluie",
    "date-first": "Date: Mon, 23 Nov 2026 10:15\nFrom: Bob <bob@b.example>\nTo: Alice\nSubject: Rain",
    "yahoo-german": "Am Montag, 23. November 2026 um 10:15:12 MEZ hat Bob <bob@b.example> Folgendes geschrieben: ",
    "dutch": "Op 23 nov. 2026, om 10:15 heeft Bob <bob@b.example> het volgende geschreven:",
    "proton-mobile": "-------- Original Message --------\nOn 23 Nov 2026, 10:15, Bob < bob@b.example> wrote:",
    "android-german": "-------- Ursprüngliche Nachricht --------\nAm 23.11.26 10:15 schrieb Bob < bob@b.example >:",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
def test_text_below_the_head_of_an_earlier_mail_is_not_new(head: str) -> None:
    assert new_text(f"{NEW}\n\n{head}\n\n{OLD}\n") == NEW


def test_what_gmx_quotes_in_html_is_not_new() -> None:
    html = (
        f"<div><div>{NEW}</div><div>&nbsp;<div name='quote' style='margin:10px 5px 5px 10px; padding: 10px 0 10px 10px;"
        " border-left:2px solid #C3D9E5;'><div style='margin:0 0 10px 0;'><b>Gesendet:</b>&nbsp;Montag, 23. November"
        ' 2026 um 10:15 Uhr<br/><b>Von:</b>&nbsp;"Bob" &lt;bob@b.example&gt;<br/><b>An:</b>&nbsp;alice@a.example<br/>'
        f"<b>Betreff:</b>&nbsp;Regen</div><div name='quoted-content'>{OLD}</div></div></div></div>"
    )
    assert new_text(html, "text/html") == NEW


@pytest.mark.parametrize(
    "line",
    [
        "23. Nov. 2026, 10:15 von bob@b.example:",  # Tuta
        "23 Nov 2026, 10:15 by bob@b.example:",
        "Понедельник, 23 ноября 2026, 10:15 +03:00 от Bob <bob@b.example>:",  # Mail.ru
        "Zitat von Bob <bob@b.example>:",  # Horde
        "Quoting Bob <bob@b.example>:",
        "(2026/11/23 10:15), Bob wrote:",  # Thunderbird in Japanese
        "* Bob <bob@b.example> [2026-11-23 10:15]:",  # mutt
        "At Sun, 14 Nov 2010 19:05:02 -0800,\nJoe Perches wrote:",  # Wanderlust: notmuch lkml 001362
        "-------- Original Message --------\nOn 23 Nov 2026, 10:15, Bob < bob@b.example> wrote:\n",  # Proton
    ],
)
def test_the_line_above_a_quotation_is_not_new(line: str) -> None:
    assert new_text(f"{NEW}\n\n{line}\n> {OLD}\n") == NEW


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
