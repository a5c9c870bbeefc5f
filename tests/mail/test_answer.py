"""An answer to a mail: its fields, its thread, its id."""

from datetime import timedelta
from typing import Any

import pytest

from mentionable import NormalizedResponse, PushBackHint, TextPart, UsageError
from mentionable._model.base import replace
from tests.mail.answering import asked, fields, header, question, read_back, reply
from tests.mail.door import NOW

ASKED = question()


def response(**members: Any) -> NormalizedResponse:
    return NormalizedResponse(reply_to=ASKED.id, parts=(TextPart(content="Yes."),), **members)


def test_an_answer_has_the_fields_that_an_answer_has():
    out = reply()
    assert fields(out.data) == [
        "From", "To", "Subject", "Date", "In-Reply-To", "References", "Message-ID", "Auto-Submitted",
        "X-Auto-Response-Suppress", "MIME-Version", "Content-Type",
    ]  # fmt: skip
    assert header(out.data, "From") == "helper@agents.example"
    assert header(out.data, "To") == "Alice <alice@a.example>"
    assert header(out.data, "Date") == "Sat, 21 Nov 2026 20:56:00 +0000"
    assert header(out.data, "Auto-Submitted") == "auto-replied"
    assert out.data.endswith(b"--\r\n")


@pytest.mark.parametrize(
    ("subject", "answer"),
    [
        ("Rain", "Re: Rain"),
        ("Re: Rain", "Re: Rain"),
        ("RE: re:Re:  Rain", "Re: Rain"),
        ("Rere: Rain", "Re: Rere: Rain"),
        ("Re:", "Re:"),
        ("AW: Regen", "Re: AW: Regen"),
    ],
)
def test_a_subject_has_one_mark_of_an_answer(subject, answer):
    assert header(reply(to=asked(f"Subject: {subject}")).data, "Subject") == answer


def test_a_question_without_a_subject_is_answered_all_the_same():
    assert header(reply(to=asked("Message-ID: <m@a.example>")).data, "Subject") == "Re:"


def test_the_thread_goes_on():
    to = asked("Message-ID: <m@a.example>", "References: <r@a.example> <s@a.example>")
    data = reply(to=to).data
    assert header(data, "In-Reply-To") == "<m@a.example>"
    assert header(data, "References") == "<r@a.example> <s@a.example> <m@a.example>"


def test_a_question_without_ids_starts_no_thread():
    data = reply(to=asked("Subject: x")).data
    assert not {"In-Reply-To", "References"} & {*fields(data)}


def test_a_question_that_names_a_thread_and_not_itself_is_answered_in_it():
    data = reply(to=asked("References: <r@a.example>")).data
    assert header(data, "References") == "<r@a.example>"
    assert header(data, "In-Reply-To") is None


def test_of_a_long_thread_the_root_and_the_end_stay():
    ids = [f"<{number:0>40}@a.example>" for number in range(300)]
    to = asked("Message-ID: <m@a.example>", *[f"References: {' '.join(ids)}"])
    found = str(header(reply(to=to).data, "References")).split(" ")
    assert found[0] == ids[0]
    assert found[1:] == [*ids, "<m@a.example>"][1 - len(found) :]
    assert 7_900 < len(" ".join(found)) <= 8_000


def test_the_agent_may_name_another_thread():
    data = reply(response(push_back=PushBackHint(thread_ref="<other@a.example>"))).data
    assert header(data, "In-Reply-To") == header(data, "References") == "<other@a.example>"


def test_the_own_thread_by_name_is_the_own_thread():
    hint = PushBackHint(channel="email", thread_ref=ASKED.thread_id)
    assert header(reply(response(push_back=hint)).data, "In-Reply-To") == "<q@a.example>"


@pytest.mark.parametrize("thread_ref", ["task 7", "", "<a@b>\r\nBcc: x@y.example", "<ä@b>"])
def test_a_thread_is_named_by_a_message_id(thread_ref):
    with pytest.raises(UsageError, match=r"push_back\.thread_ref"):
        reply(response(push_back=PushBackHint(thread_ref=thread_ref)))


def test_an_answer_to_a_program_is_written_with_a_warning():
    out = reply(to=asked("Auto-Submitted: auto-generated"))
    assert [(note.code, note.detail) for note in out.diagnostics] == [("loop-risk", "Auto-Submitted: auto-generated")]


def test_our_own_answers_are_known_as_those_of_a_program():
    answer = read_back(reply().data).message
    assert [note.code for note in reply(to=answer).diagnostics] == ["loop-risk"]


def test_two_answers_never_share_an_id():
    texts = ["Yes.", "No."]
    others = [replace(ASKED, id="m2"), replace(ASKED, recipient="@other@agents.example")]
    ids = [reply(text).native_id for text in texts]
    ids += [reply(NormalizedResponse.to(to, "Yes."), to=to).native_id for to in others]
    ids.append(reply(now=NOW + timedelta(milliseconds=1)).native_id)
    assert len(set(ids)) == 5
