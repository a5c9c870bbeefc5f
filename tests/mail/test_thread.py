"""Threads, from ids alone."""

import pytest

from mentionable import Limits
from mentionable.mail._read.header_section import read_header_section
from mentionable.mail._read.identification import made_id
from mentionable.mail._read.message import Thread, read_thread


def thread(fields: str, **bounds: int) -> tuple[Thread, list[tuple[str, str]]]:
    headers = read_header_section(f"{fields}\r\n\r\n".encode(), limits=Limits(**bounds))
    parsed = read_thread(headers, limits=Limits(**bounds))
    odd = [(note.code, note.at) for note in (*headers.diagnostics, *parsed.diagnostics)]
    return parsed._replace(diagnostics=()), odd


OWN = "Message-ID: <own@x>"


@pytest.mark.parametrize(
    ("fields", "thread_id", "parents", "joins"),
    [
        ("", "<own@x>", (), ()),
        ("In-Reply-To: <p@x>", "<p@x>", ("<p@x>",), ("<p@x>",)),
        ("References: <r@x> <p@x>", "<r@x>", (), ("<p@x>", "<r@x>")),
        ("References: <r@x> <p@x>\r\nIn-Reply-To: <p@x>", "<r@x>", ("<p@x>",), ("<p@x>", "<r@x>")),
        ("References: junk <no-at> <r@x>\r\nIn-Reply-To: <p@x>", "<r@x>", ("<p@x>",), ("<p@x>", "<r@x>")),
        ("References: <no-at> <r@x>", "<no-at>", (), ("<r@x>", "<no-at>")),
        ("References: <own@x> <r@x> <own@x> <r@x>", "<r@x>", (), ("<r@x>",)),
        ("References: <own@x>", "<own@x>", (), ()),
        ("In-Reply-To: <own@x> <p@x>", "<p@x>", ("<p@x>",), ("<p@x>",)),
        ("In-Reply-To: <p@x> <q@x> <p@x>", "<p@x>", ("<p@x>", "<q@x>"), ("<p@x>", "<q@x>")),
        ("Subject: Re: Something <s@x>", "<own@x>", (), ()),
        ("In-Reply-To: Your message of Monday <p@x>", "<p@x>", ("<p@x>",), ("<p@x>",)),
    ],
)
def test_the_root_of_references_then_in_reply_to_then_the_own_id(
    fields: str, thread_id: str, parents: tuple[str, ...], joins: tuple[str, ...]
) -> None:
    assert thread(f"{OWN}\r\n{fields}".rstrip()) == (Thread("<own@x>", thread_id, parents, joins), [])


def test_fields_without_any_valid_id_are_skipped_and_noted() -> None:
    found, notes = thread(f"{OWN}\r\nReferences: junk\r\nIn-Reply-To: junk")
    assert found == Thread("<own@x>", "<own@x>")
    assert notes == [("message-id-malformed", "/headers/in-reply-to"), ("message-id-malformed", "/headers/references")]


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ("Subject: x", ("message-id-missing", "/headers/message-id")),
        ("Message-ID: x", ("message-id-malformed", "/headers/message-id")),
    ],
)
def test_a_mail_without_an_id_gets_one_from_what_its_author_wrote(fields: str, note: tuple[str, str]) -> None:
    found, notes = thread(fields)
    name, value = fields.split(": ")
    made = made_id([(name.lower(), name, value)], b"")
    assert (found, notes) == (Thread(made, made), [note])


def test_an_id_that_is_too_long_is_none() -> None:
    assert thread(f"{OWN}\r\nReferences: <much-too-long@x> <r@x>", id_chars=8)[0].thread_id == "<r@x>"
