"""What of a mail is new: signatures, footers, inline answers, what only resembles a mark, and laws for every text."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    FilePart,
    NoRelay,
    NormalizedMessage,
    RecipientCapabilities,
    Sender,
    TextPart,
    UsageError,
    mail,
)
from mentionable._html.tokens import _ends_of
from mentionable._text.mail_phrases import BEGIN_FORWARDED, HEADER_ROLES, LEGAL_STARTS, SENT_FROM
from mentionable._text.marks import first_mark
from tests.mail.receiving import receive
from tests.mail.test_spans_shapes import ATTRIBUTIONS, FORWARDED, HEADS, ORIGINAL, pieces

QUOTED = "On 6 May 2024 at 10:00, Bob <bob@b.example> wrote:\n> Will you?\n"


def message_with(content: str, mime: str) -> NormalizedMessage:
    return NormalizedMessage(
        id="m1",
        thread_id="t1",
        sender=Sender(address="@alice@a.example"),
        recipient="@helper@agents.example",
        parts=(TextPart(content=content, mime=mime),),
        recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
        received_via="email",
        received_at="2026-11-21T20:56:00Z",
        raw=None,
    )


def kinds(content: str, mime: str = "text/plain") -> list[str]:
    return [kind for kind, _ in pieces(content, mime)]


# ------------------------------------------------------------------------------------------------- quotations


def test_answers_between_quotations_are_new():
    assert pieces(f"{QUOTED}\nYes.\n\n> And Ann?\nShe too.\n") == [
        ("quoted", f"{QUOTED}\n"),
        ("new", "Yes.\n\n"),
        ("quoted", "> And Ann?\n"),
        ("new", "She too.\n"),
    ]


def test_a_signature_takes_no_answer_that_follows_it():
    assert pieces(f"Hi\n-- \nAlice\n\n{QUOTED}Yes.\n") == [
        ("new", "Hi\n"),
        ("signature", "-- \nAlice\n\n"),
        ("quoted", QUOTED),
        ("new", "Yes.\n"),
    ]


def test_quotations_may_be_nested():
    assert kinds("Yes.\n\n> Bob\n>> Ann\n> > > Eve\n>\n> Bob\n") == ["new", "quoted"]


def test_a_line_that_an_archive_has_escaped_is_new():
    assert pieces(">From here on we go.\nYes.\n") == [("new", ">From here on we go.\nYes.\n")]
    assert kinds(">From here\n> quoted\n") == ["quoted"]


def test_an_attribution_and_text_that_is_not_marked_below_it_is_quoted():
    earlier = "On Monday, May 6, 2024 at 10:00:00 AM GMT+2, Bob <bob@b.example> wrote:\n\nWill you?\n\nBob\n"
    assert pieces(f"Yes.\n\n{earlier}") == [("new", "Yes.\n\n"), ("quoted", earlier)]


@pytest.mark.parametrize(
    "text",
    [
        "On Monday we wrote:\nthe thing is done.\n",
        "On the other hand, you wrote:\n> this\n",
        "I disagree with what you wrote:\n> this\n",
        "He wrote:\n> this\n",
        "This is what Bob Berg wrote:\n> this\n",
        "On this point Bob Berg wrote:\n> this\n",
        "See the text of\nBob Berg said:\n> this\n",
        "On 6 May 2024 at 10:00 Bob wrote:\nthat he comes.\n",
        "As we know, in 2024 Bob wrote: no\n> this\n",
        "Travel\nFrom: Berlin\nTo: Munich\nDate: 6 May 2024\n",
        "From: Bob\nSubject: nothing\nmore\n",
        "Begin forwarded message:\nsays nothing more\n",
        "-----Original Message-----\nis what old programs write.\n",
        "----- Part one -----\nText\n",
        "Sent from my iPhone, so it is short.\n",
        "I wrote it on the train.\n\nSent from my iPhone yesterday.\n",
        "Sent from my iPhone\nand then more.\n",
        "Sent from my heart\n",
        "This email is intended as a test.\n",
        "Disclaimer: I like rain.\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "Title\n---\ntext\n\n***\n\nmore\n\n___\n\nend\n",
        "_______________\nsigned\n",
        "-- \n" + "line\n" * 40,
        "--\n" + "line\n" * 12,
        "a -- b\n--option\n---\n",
        "--\n" + "line\n" * 7,
        "--\n" + "line " * 17 + "\n",
        "Options:\n--\nThe sea\n",
        "Options:\n\n--\nThe sea\n",
        "Mo told me:\nit rains\n",
        # words between rules, and fields that a person writes
        "Order.\n\n=== Shipping ===\nFrom: Berlin\nTo: Munich\n\nand call Carol.\n",
        "Dear agent\n--- Meeting ---\nDate: Monday\nTo: discuss the budget\nbook a room\n",
        "***Trip***\nFrom: Berlin\nTo: Munich\nbook it\n",
        "Publish:\n\nFrom: Alice\nTo: All\nDate: 21 Nov 2026\nSubject: Policy\n\ntext\n",
        "Bitte:\n\nVon: Berlin\nNach: Rom\nDatum: 21.11.2026\nBetreff: Reise\ndanke\n",
        "Data:\nFrom: 2026-01-01\nTo: 2026-02-01\nSent: 2025\nSubject: Physics\ncompute\n",
        # sentences with a time and an address
        "It was so.\nOn 2026-11-20 at 10:15 I saw that Bob <bob@b.example> wrote:\nmy own words\n",
        "Am 20. November um 10:15 Uhr habe ich an <bob@b.example> geschrieben:\nich komme\n",
        "Bob <bob@b.example> told me at 10:15 what he wrote:\nI come\n",
        "Look, Bob <bob@b.example> at 10:15 saw what she wrote:\nI come\n",
        "2026-11-20 Bob <bob@b.example>\n\n> wrote this\n",
        # sentences about telephones, and words that a footer has too
        "Sent from my iPhone it does not work, but from the laptop it does",
        "Help\n\nSent from Outlook the same mail arrives, from Gmail it does not",
        "Hello\n\nThis email is intended for the confidential board, not privileged people. In error we paid.\nPay.\n",
        "Disclaimer: I am no lawyer, but the contract of the addressee must be signed today. Send it to Bob.\n",
        "Hello\n----------\nPlease unsubscribe me from the mailing list, and send me the report.\n",
        "Agenda\n==========\nitem one: lists. of people\n",
        "Bob <bob@b.example> says 10:00:\n",
        # what is an attribution above a quotation alone, or above its text with words that are missing here
        "* Bob <bob@b.example> [2026-11-23 10:15]:\nwe met\n",
        "Zitat von Bob <bob@b.example>:\nes regnet\n",
        "Am 23. November 2026 um 10:15 hat Bob <bob@b.example> mir geschrieben:\nich komme\n",
        "-----Original Message-----\nis what I wrote:\nit rains\n",
        "-----Part one-----\nOn 23 Nov 2026, 10:15, Bob wrote:\nit rains\n",
        "-----Original Message-----\n",
        # fields above From
        "Data: 2026\nFrom: 2026-01-01\nTo: 2026-02-01\nSubject: Physics\n",
        "Date: 23 Nov 2026\nFrom: Bob <bob@b.example>\nTo: Alice\n\nSubject: Rain\n",
        "Date: 23 Nov 2026\nFrom: Bob <bob@b.example>\nSubject: Rain\n",
        "Refused:\n\nMessage-ID: <1@a.example>\nDate: 23 Nov 2026\nFrom: Bob <b@b.example>\nTo: a\nSubject: x\n",
        "Mend this:\n\nDate: 23 Nov 2026\nFrom: Bob <bob@b.example>\nTo: Alice\nSubject: Rain\n",
        "Date: 23 Nov 2026\nDate: 24 Nov 2026\nFrom: Bob\nTo: Alice\nSubject: Rain\n",
        "\n\n",
    ],
)
def test_what_only_resembles_a_mark_is_new(text):
    assert "".join(piece for kind, piece in pieces(text) if kind in ("new", "quoted")) == text
    assert pieces(text.partition("\n>")[0] + "\n") == [("new", text.partition("\n>")[0] + "\n")]


YAHOO = "--- On Wed, 4/4/12, Bob Berg <bob@b.example> wrote:\n\nWill you?\n"
NO_TIME = "On Wed, 4 April 2012, Bob Berg <bob@b.example> wrote:\n\nWill you?\n"
NAME_FIRST = "Bob van Berg <bob@b.example> 于2024年5月6日周一 10:00写道：\nWill you?\n"


@pytest.mark.parametrize(("earlier", "kind"), [(YAHOO, "quoted"), (NAME_FIRST, "quoted"), (NO_TIME, "new")])
def test_text_that_is_not_marked_is_quoted_below_an_attribution_that_is_no_sentence(earlier, kind):
    assert kinds(f"Yes.\n\n{earlier}") == ([kind] if kind == "new" else ["new", kind])


def test_the_day_and_the_address_right_above_a_quotation_belong_to_it():
    quoted = "2012/4/4 bob <bob@b.example>\n> Will you?\n"
    assert pieces(f"Yes.\n\n{quoted}") == [("new", "Yes.\n\n"), ("quoted", quoted)]


@pytest.mark.parametrize("greeting", ["", "Hi,\n\n"])
@pytest.mark.parametrize(
    "head", ["-----Original Message-----\n", "-----Original Message-----\n\n", "____________\n", ""]
)
def test_an_answer_below_or_between_the_quoted_lines_of_an_earlier_mail_is_new(greeting, head):
    earlier = f"{head}From: Bob <b@b.example>\nSent: Monday, 6 May 2024, 10:00\nTo: x\nSubject: y\n\n> Will you?\n"
    assert pieces(f"{greeting}{earlier}Yes.\n> And Ann?\nShe too.\n") == [
        *[("new", greeting)] * bool(greeting),
        ("quoted", earlier),
        ("new", "Yes.\n"),
        ("quoted", "> And Ann?\n"),
        ("new", "She too.\n"),
    ]


def test_the_quotation_in_an_earlier_mail_that_is_not_marked_ends_nothing():
    earlier = f"-----Original Message-----\nFrom: Bob\nSent: Monday\n\n{QUOTED}I will.\n"
    assert pieces(f"Hi\n\n{earlier}") == [("new", "Hi\n\n"), ("quoted", earlier)]


def test_the_head_of_an_earlier_mail_is_short():
    earlier = "-----Original Message-----\nFrom: Bob\nSent: Monday\n" + "To: x\n" * 20 + "> a\nb\n"
    assert pieces(f"Hi\n\n{earlier}") == [("new", "Hi\n\n"), ("quoted", earlier)]


def test_fields_end_where_those_of_another_mail_begin():
    assert kinds("Hi\nFrom: a@a.example\nFrom: b@b.example\nSent: 6 May 2024\nSubject: x\n") == ["new", "quoted"]


def test_a_heading_of_markdown_is_no_signature():
    assert kinds("Title\n--\ntext\n", "text/markdown") == ["new"]
    assert kinds("Title\n\n--\nAlice\n", "text/markdown") == ["new", "signature"]


# ------------------------------------------------------------------------------------------- signatures and footers


def test_a_signature_begins_at_its_separator():
    assert pieces("Yes.\n-- \nAlice\nA Street 1\n") == [("new", "Yes.\n"), ("signature", "-- \nAlice\nA Street 1\n")]
    assert kinds("Yes.\n\n--\nAlice\n") == ["new", "signature"]


def test_a_telephone_may_sign_above_a_signature():
    assert kinds("Yes.\n\nSent from my iPhone\n-- \nAlice\n") == ["new", "signature"]


def test_a_mail_of_a_signature_alone_has_nothing_new():
    assert kinds("-- \nAlice\n") == ["signature"]


@pytest.mark.parametrize(
    "footer",
    [
        "_______________________________________________\nusers mailing list\nusers@lists.b.example\n",
        "-- \nusers mailing list\nusers@lists.b.example\n",
        "-- \nYou received this message because you are subscribed to the Google Groups group.\nhttps://groups.example/a\n",
        "--~--~---------~--~----~\nTo unsubscribe from this group, send a mail to a@groups.example.\n",
        "-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group: www.groups.example.\n",
    ],
)
def test_the_footer_of_a_mailing_list_is_told_from_the_signature(footer):
    assert pieces(f"Yes.\n-- \nAlice\n{footer}") == [
        ("new", "Yes.\n"),
        ("signature", "-- \nAlice\n"),
        ("footer", footer),
    ]


@pytest.mark.parametrize(
    "notice",
    [
        "This email and any attachments are confidential and intended solely for the addressee. If you have received "
        "it in error, please tell the sender and delete it.\n",
        "CONFIDENTIALITY NOTICE: This message is for the intended recipient only. If you are not the intended "
        "recipient, please delete it and all copies of it.\n",
        "Diese E-Mail enthält vertrauliche Informationen. Sind Sie nicht der richtige Empfänger, so informieren Sie "
        "bitte den Absender und löschen Sie diese E-Mail.\n",
        "Ce message et toutes les pièces jointes sont confidentiels et établis à l'intention de ses destinataires. Si "
        "vous le recevez par erreur, merci de le détruire.\n",
        "Este mensaje es confidencial y para su destinatario. Si lo ha recibido por error, notifíquelo al remitente y "
        "bórrelo, por favor, sin hacer copias de él.\n",
        "本邮件及其附件含有保密信息，仅限于发送给上面地址中列出的个人或群组。禁止任何其他人以任何形式使用本邮件中的信息。如果您错收了本邮件，请您立即删除。\n",
    ],
)
def test_the_notice_of_a_lawyer_is_a_footer(notice):
    assert pieces(f"Yes.\n\n{notice}\nB Ltd, A Street 1\n") == [
        ("new", "Yes.\n\n"),
        ("footer", f"{notice}\n"),
        ("new", "B Ltd, A Street 1\n"),
    ]
    more = "Notice:\n\nThe addressee may read it.\n"
    assert pieces(f"Yes.\n\n{notice}\n{more}") == [("new", "Yes.\n\n"), ("footer", f"{notice}\n{more}")]
    assert kinds(f"Yes.\n\n{notice}\nIs the addressee you?\n") == ["new", "footer", "new"]
    assert kinds(f"Yes.\n\n{notice}\n-- \nAlice\n") == ["new", "footer", "signature"]


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
def test_the_whole_text_of_a_mail_is_no_legal_footer(text):
    for above in ("", "Hi Bob,\n\n"):
        for more in ("", f" {text}" * 2):
            assert kinds(f"{above}{text}{more}\n") == ["new"]
    assert kinds(f"Hello Bob. It rains here.\n\n{text}\n") == ["new"]


def test_what_is_written_below_a_legal_notice_is_new():
    notice = "This e-mail may contain privileged information. If you are not the intended recipient, "
    notice += "please tell the sender of it, and delete it with all of its copies."
    text = f"Hi,\n\nmy lawyer says every mail should end with:\n\n{notice}\n\nShould I add it?\n\nAlice"
    assert kinds(text) == ["new"]


@pytest.mark.parametrize(
    "text",
    [
        "Hi\n\n----------\nPlease unsubscribe me from https://lists.x.example/a\n",
        "Read:\n\n==========\nhttps://groups.google.com/x\n==========\n\nIs that mailing list alive?\n",
        "Two:\n\n----------\n1. How to unsubscribe? See https://a.example/u\n----------\n2. Who is Bob?\n",
        "At 8.\n\n__________\nWhich of the lists at lists.a.example (https://a.example) do I need?\n",
        "At 8.\n\n__________\nI read the mailing list at https://a.example.\n",
        "At 8.\n\n__________\nMailing list: https://a.example\n----------\nSee you.\n",
        "Links:\n----------\nTo unsubscribe users we call https://api.a.example\n",
        "At 8.\n\n==========\nThe mailing list is at https://a.example\n",
    ],
)
def test_words_of_a_person_below_a_rule_are_no_footer_of_a_list(text):
    assert kinds(text) == ["new"]


def test_a_sentence_about_a_telephone_is_no_signature():
    assert kinds("Hallo,\n\nVon meinem iPhone gesendet klappt nicht") == ["new"]
    assert kinds("Hallo,\n\nVon meinem iPhone klappt es") == ["new"]
    assert kinds("Hello,\n\nSent from my iPhone is not good") == ["new"]


# ------------------------------------------------------------------------------------------------------------- HTML

GMAIL = (
    '<div dir="ltr">Yes.<div><br></div></div><br><div class="gmail_quote gmail_quote_container">'
    '<div dir="ltr" class="gmail_attr">On Mon, 6 May 2024 at 10:00, Bob &lt;bob@b.example&gt; wrote:<br></div>'
    '<blockquote class="gmail_quote" style="margin:0"><div>Will you?<div>Bob</div></div></blockquote></div>'
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (GMAIL, ["new", "quoted"]),
        (
            GMAIL.replace("</blockquote>", "</blockquote>I will.<blockquote>And Ann?</blockquote>"),
            ["new", "quoted", "new", "quoted"],
        ),
        (
            "<div><div>Yes.</div><div>&nbsp;<div name='quote' style='margin:10px'><div><b>Gesendet:</b>&nbsp;Montag"
            "<br/><b>Von:</b>&nbsp;Bob</div><div name='quoted-content'>Will you?</div></div></div></div>",
            ["new", "quoted"],
        ),
        ("<div>Yes.</div><div name='quotes'>No.</div><p name=quote>No.</p>", ["new"]),
        (GMAIL.replace("On Mon, 6 May 2024 at 10:00, Bob", "In words of no language, Bob"), ["new", "quoted"]),
        (
            '<div>Yes.</div><div><br></div>-- <br><div dir="ltr" class="gmail_signature" '
            'data-smartmail="gmail_signature"><div>Alice</div></div>',
            ["new", "signature"],
        ),
        (
            '<div>See.</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>'
            "From: Bob<br>Date: 6 May 2024<br>Subject: Party<br></div><u></u><div>Will you?</div></div>",
            ["new", "forwarded"],
        ),
        (
            '<div class="WordSection1"><p class="MsoNormal">Yes.<o:p></o:p></p><div><div style="border:none;border-top:'
            'solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> Bob<br><b>Sent:</b> '
            "Monday, May 6, 2024 10:00 AM<br><b>To:</b> Alice<br><b>Subject:</b> Party</p></div></div>"
            '<p class="MsoNormal">Will you?</p></div>',
            ["new", "quoted"],
        ),
        (
            '<div>Yes.</div><div id="ms-outlook-mobile-signature"><div>Alice</div></div><div id="appendonsend"></div>'
            '<hr><div id="divRplyFwdMsg"><b>In words of no language:</b> Bob<br></div><div>Will you?</div>',
            ["new", "signature", "quoted"],
        ),
        ('<div>Yes.</div><div id="x_divRplyFwdMsg">Von: Bob</div><div>Will you?</div>', ["new", "quoted"]),
        (
            '<div>Yes.</div><br class="Apple-interchange-newline"><div><br><blockquote type="cite"><div>On 6 May 2024, '
            "Bob wrote:</div><div>Will you?</div></blockquote></div>",
            ["new", "quoted"],
        ),
        (
            '<p>Yes.</p><div class="moz-cite-prefix">Words of no language:<br></div>'
            '<blockquote type="cite" cite="mid:1@b.example"><p>Will you?</p></blockquote><p>Inline.</p>'
            '<pre class="moz-signature" cols="72">-- \nAlice</pre>',
            ["new", "quoted", "new", "signature"],
        ),
        (
            '<p>See.</p><div class="moz-forward-container">-------- Forwarded Message --------<table><tr><th>Subject: '
            "</th><td>Party</td></tr></table><p>Will you?</p></div>",
            ["new", "forwarded"],
        ),
        (
            '<div>Yes.</div><div id="ydp1yahoo_quoted_12" class="ydp1yahoo_quoted"><div>On Monday Bob wrote:</div>'
            "<div><div>Will you?</div></div></div>",
            ["new", "quoted"],
        ),
        (
            '<div>Yes.</div><div class="protonmail_signature_block"><div>Sent with Proton Mail</div></div>'
            '<div class="protonmail_quote">On Monday, 6 May 2024 at 10:00, Bob &lt;bob@b.example&gt; wrote:<br>'
            '<blockquote class="protonmail_quote" type="cite">Will you?</blockquote><br></div>',
            ["new", "signature", "quoted"],
        ),
        (
            '<div>Yes.</div><div class="zmail_extra"><div>---- On Mon wrote ----</div><div>Will you?</div></div>',
            ["new", "quoted"],
        ),
        (
            '<div>Yes.</div><div id="composer_signature"><div>Sent from my Galaxy</div></div><div>-------- Original '
            "message --------</div><div>From: Bob</div><div>Date: 6 May 2024</div><div>Will you?</div>",
            ["new", "signature", "quoted"],
        ),
        ("<p>One.</p><blockquote>Two.</blockquote><p>Three.</p>", ["new", "quoted", "new"]),
        ("<p>One.</p><blockquote>Two.<blockquote>Three.</blockquote>Two.</blockquote>Four.", ["new", "quoted", "new"]),
        ('<p>One.</p><blockquote style="margin:0 0 0 40px;border:none">My own.</blockquote>', ["new"]),
        (
            "<pre>Yes.\n\nOn 6 May 2024 at 10:00, Bob &lt;bob@b.example&gt; wrote:\n</pre><blockquote>x</blockquote>",
            ["new", "quoted"],
        ),
        ("<pre>Yes.\n-- \nAlice</pre>", ["new", "signature"]),
        (
            "<p>Yes.</p><p>This email and any files are confidential and intended solely for the addressee. If you "
            "have received it in error, please tell the sender, and delete it.</p>",
            ["new", "footer"],
        ),
        ("<div class=gmail_signature>Alice<div>A Street</div><blockquote>Will you?", ["signature", "quoted"]),
        ("<div class=gmail_signature><div>Alice</div></div><div>Yes.</div>", ["signature", "new"]),
        ("<blockquote>", ["new"]),
        ("<blockquote></blockquote>x", ["new"]),
        ("<p>Yes.</p>\n<p>No.</p>", ["new"]),
        ("<a <b>x", ["new"]),
        ("Yes.<span class=gmail_signature>Alice</span>", ["new", "signature"]),
        ("<b>On 6 May 2024</b> <i>10:00,</i> Bob wrote:<blockquote>a</blockquote>", ["quoted"]),
        ("<p></p>", ["new"]),
        ("<!-- x -->", ["new"]),
    ],
)  # fmt: skip
def test_the_elements_of_mail_programs_say_what_is_quoted(html, expected):
    assert kinds(html, "text/html") == expected


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><blockquote>q</td></tr></table><p>New.</p>", "<ul><li><blockquote>q</ul><p>New.</p>",
        "<div><blockquote>q</div><p>New.</p>", "<div><blockquote><ul>q</blockquote><p>New.</p></div>",
        "<table><tr><td><div><table><tr><td><blockquote>q</div></table></table><p>New.</p>",
    ],
)  # fmt: skip
def test_a_quotation_ends_with_the_element_around_it(html):
    assert kinds(f"<p>Yes.</p>{html}", "text/html") == ["new", "quoted", "new"]


@pytest.mark.parametrize("name", ["x(", "x[", "x-quote", "x*"])
def test_a_quotation_may_be_in_an_element_of_any_name(name):
    html = f'<p>Yes.</p><{name} class="yahoo_quoted">q</{name}><p>New.</p>'
    kept = _ends_of.cache_info().currsize
    assert kinds(html, "text/html") == ["new", "quoted", "new"]
    assert _ends_of.cache_info().currsize == kept


def test_a_signature_ends_with_the_element_around_it():
    html = '<p>Yes.</p><table><tr><td><div class="gmail_signature">Alice</td></tr></table><p>New.</p>'
    assert kinds(html, "text/html") == ["new", "signature", "new"]


def test_the_end_tag_of_an_element_around_a_cell_does_not_end_a_quotation_in_it():
    html = "<p>Yes.</p><div><table><tr><td><blockquote>q</div>r</blockquote></td></tr></table></div>"
    assert kinds(html, "text/html") == ["new", "quoted"]


def test_a_form_of_class_signature_is_not_the_signature():
    assert kinds('<p>Hi</p><form class="signature">please sign</form>', "text/html") == ["new"]


# --------------------------------------------------------------------------------------------------------- new text


def test_the_new_text_is_what_the_sender_wrote():
    assert mail.new_text(message_with(f"Hi\n\n{QUOTED}\nYes.\n-- \nAlice\n", "text/plain")) == "Hi\n\nYes."
    assert mail.new_text(message_with(GMAIL, "text/html")) == "Yes."


def test_a_mail_of_quotations_alone_has_no_new_text():
    assert mail.new_text(message_with(QUOTED, "text/plain")) == ""
    assert mail.new_text(message_with("", "text/plain")) == ""


@pytest.mark.parametrize("argument", ["Hi", None, FilePart.of(b"", mime="a/b")])
def test_what_is_no_text_of_a_mail_has_no_spans(argument):
    for read in (mail.spans, mail.new_text):
        with pytest.raises(UsageError, match="must be"):
            read(argument)


# ------------------------------------------------------------------------------------------------------- long texts


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (">\na\n" * 30_000, "new"),
        (QUOTED + "a\n" * 60_000 + QUOTED, "new"),
        ("a\n-----Original Message-----\nFrom: Bob\nSent: 6 May 2024\n" + "a\n" * 60_000 + QUOTED, "quoted"),
        ("a<br>" * 60_000 + "<blockquote>b</blockquote>", "new"),
    ],
)
def test_what_is_behind_the_first_lines_of_a_long_text_is_one_piece(text, end):
    part = TextPart(content=text, mime="text/html" if "<br>" in text else "text/plain")
    found = mail.spans(part)
    assert (found[-1].kind, found[-1].end) == (end, len(text))
    assert found[-1].end - found[-1].start > 9_000


def test_a_pyramid_of_a_hundred_thousand_quoted_lines_is_quoted_to_its_end():
    said = "".join(f"{'>' * (number % 200 + 1)} line {number}\n" for number in range(100_000))
    message = receive(f"From: a@a.example\n\nAnd you?\n\n{said}".encode()).message
    (part,) = message.parts
    assert part.content.endswith("> line 99999\n")
    assert [(span.kind, span.end - span.start) for span in mail.spans(part)] == [("new", 10), ("quoted", len(said))]
    assert mail.new_text(message) == "And you?"


# ------------------------------------------------------------------------------------------------------------- laws

NOTICE = "Disclaimer: " + "for the intended recipient, confidential; " * 4
WORDS = [
    *list(ATTRIBUTIONS.values())[::6], *FORWARDED[::5], *ORIGINAL[::5], "> a", ">", "> >", "-- ", "--", "", "", "a",
    "b", "From: Bob", "Sent: 6 May 2024", "Date: 10:00", "To: a", "Subject: x", "_" * 47, "mailing list",
    "Sent from my iPhone", "This email and any attachments are confidential and intended solely for the addressee.",
    "wrote:", "\xa0", "\r", NOTICE,
]  # fmt: skip
TAGS = [
    "<div>", "</div>", "<blockquote>", "</blockquote>", "<br>", "<p>", "</p>", "<pre>", "</pre>",
    '<div class="gmail_quote">', '<div class="gmail_attr">', '<div class="gmail_signature">',
    '<div id="divRplyFwdMsg">', "<td>", "</td>", "<table>", '<span style="display:none">', "</span>",
    '<div style="color:#fff">', "<b hidden>", "</b>", "<!-- ", " -->", "<style>", ".a{display:none}", "</style>",
    '<i class="a">', "</i>", "<a ", "&lt;", "&gt;", "<![CDATA[", "]]>", '<div class="yahoo_quoted">',
]  # fmt: skip
texts = st.lists(st.sampled_from(WORDS), max_size=25).map("\n".join) | st.text()
documents = st.lists(st.sampled_from(WORDS) | st.sampled_from(TAGS) | st.text(max_size=3), max_size=25).map("".join)


@given(texts | documents, st.sampled_from(["text/plain", "text/markdown", "text/html"]))
def test_spans_cover_every_text_in_order(content, mime):
    found = mail.spans(TextPart(content=content, mime=mime))
    assert "".join(content[span.start : span.end] for span in found) == content
    assert all(span.start < span.end for span in found)
    assert all(one.end == other.start and one.kind != other.kind for one, other in pairwise(found))
    assert found == mail.spans(TextPart(content=content, mime=mime))


@given(texts | documents, st.sampled_from(["text/plain", "text/html"]))
def test_every_text_has_a_new_text(content, mime):
    assert isinstance(mail.new_text(message_with(content, mime)), str)


# ------------------------------------------------------------------------------------------- where the marks begin

LINES = "So we said.\n" * 40
BEGINNINGS = [
    *[f"{phrase} x" for phrase in (*SENT_FROM, *LEGAL_STARTS, *sorted(BEGIN_FORWARDED))],
    *[f"{name}: Bob" for name, role in HEADER_ROLES.items() if role == "from"],
]


@pytest.mark.parametrize("before", ["", "*", " \u200f", "> "])
def test_no_line_that_may_be_a_mark_is_passed_by(before):
    for beginning in BEGINNINGS:
        for line in (beginning, beginning.upper(), beginning.title()):
            assert first_mark(f"{LINES}{before}{line}\n") < len(LINES), line
            assert first_mark(f"{before}{line}\n") == 0, line


def test_each_form_of_a_letter_is_known():
    letters = "".join(sorted({letter for beginning in BEGINNINGS for letter in beginning if letter.islower()}))
    forms = [chr(code) for code in range(0x20000) if chr(code).casefold().replace("\u0307", "") in [*letters]]
    assert [form for form in forms if re.match(f"(?i:[{letters}])", form) is None] == []


@pytest.mark.parametrize("mark", ["> Yes", "-- ", "___", "İletilen ileti başlangıcı:", "Bob <bob@b.example> wrote:"])
def test_a_look_begins_some_lines_before_the_first_mark(mark):
    content = f"{LINES}\n\n{mark}\n{LINES}"
    begin = first_mark(content)
    assert len(LINES) - 200 < begin < len(LINES)
    assert content.startswith("So we said.", begin)


@pytest.mark.parametrize("line", ["____________", "Yes."])
def test_fields_above_from_begin_below_a_rule_or_an_empty_line(line):
    assert kinds(f"Yes.\n{line}\n{HEADS['gmx']}\n\nWill you?\n") == ["new", "quoted"][: 1 + (line != "Yes.")]


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_look_begins_above_the_head_of_an_earlier_mail(head):
    content = f"{LINES}\n{head}\n\nWill you?\n"
    assert first_mark(content) <= len(LINES) + 1
    assert pieces(content) == [("new", f"{LINES}\n"), ("quoted", f"{head}\n\nWill you?\n")]


def test_a_text_without_marks_is_new_to_its_end():
    assert first_mark(LINES) == len(LINES)
    plain = "- one\n- two\n<b>no address</b>\nThis is:\n"
    assert first_mark(plain) == len(plain)
    assert kinds(LINES) == ["new"]


def test_empty_lines_above_a_quotation_belong_to_it_however_many_they_are():
    assert pieces("\n" * 30 + "> Yes\n") == [("quoted", "\n" * 30 + "> Yes\n")]


def test_spans_are_in_order_where_a_quotation_begins_in_hidden_text():
    content = ';<pre style="font-size:0"><blockquote>SECRET</pre><hr>9'
    found = mail.spans(TextPart(content=content, mime="text/html"))
    assert all(span.start < span.end for span in found)
    assert [span.end for span in found] == [*[span.start for span in found[1:]], len(content)]
    assert "SECRET" not in "".join(content[span.start : span.end] for span in found if span.kind != "hidden")


def test_a_line_of_very_many_pieces_is_all_new():
    assert kinds("<p>" + "a<b>b</b>" * 2_000 + "</p>", "text/html") == ["new"]
