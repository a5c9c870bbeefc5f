"""Threads, from ids alone."""

import hashlib
from typing import TYPE_CHECKING

import pytest

from mentionable import Limits
from mentionable.mail._read.header_section import read_header_section
from mentionable.mail._read.message import Thread, read_thread

if TYPE_CHECKING:
    pass


def thread(fields: str, **bounds: int) -> tuple[Thread, list[tuple[str, str]]]:
    headers = read_header_section(f"{fields}\r\n\r\n".encode(), limits=Limits(**bounds))
    parsed = read_thread(headers, limits=Limits(**bounds))
    odd = [(note.code, note.at) for note in (*headers.diagnostics, *parsed.diagnostics)]
    return parsed._replace(diagnostics=()), odd


OWN = "Message-ID: <own@x>"


@pytest.mark.parametrize(
    ("fields", "thread_id", "parent", "joins"),
    [
        (OWN, "<own@x>", None, ()),
        (f"{OWN}\r\nIn-Reply-To: <p@x>", "<p@x>", "<p@x>", ("<p@x>",)),
        (f"{OWN}\r\nReferences: <r@x> <p@x>", "<r@x>", None, ()),
        (f"{OWN}\r\nReferences: <r@x> <p@x>\r\nIn-Reply-To: <p@x>", "<r@x>", "<p@x>", ()),
        (f"{OWN}\r\nReferences: junk <no-at> <r@x>\r\nIn-Reply-To: <p@x>", "<r@x>", "<p@x>", ()),
        (f"{OWN}\r\nIn-Reply-To: <p@x> <q@x>", "<p@x>", "<p@x>", ("<p@x>",)),
        (f"{OWN}\r\nSubject: Re: Something <s@x>", "<own@x>", None, ()),
        (f"{OWN}\r\nIn-Reply-To: Your message of Monday <p@x>", "<p@x>", "<p@x>", ("<p@x>",)),
    ],
)
def test_the_root_of_references_then_in_reply_to_then_the_own_id(
    fields: str, thread_id: str, parent: str | None, joins: tuple[str, ...]
) -> None:
    assert thread(fields) == (Thread("<own@x>", thread_id, parent, joins), [])


def test_fields_without_any_valid_id_are_skipped_and_noted() -> None:
    found, notes = thread(f"{OWN}\r\nReferences: junk\r\nIn-Reply-To: junk")
    assert found == Thread("<own@x>", "<own@x>", None)
    assert notes == [("message-id-malformed", "/headers/in-reply-to"), ("message-id-malformed", "/headers/references")]


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ("Subject: x", ("message-id-missing", "/headers/message-id")),
        ("Message-ID: x", ("message-id-malformed", "/headers/message-id")),
    ],
)
def test_a_mail_without_an_id_gets_one_from_its_bytes(fields: str, note: tuple[str, str]) -> None:
    digest = hashlib.sha256(f"{fields}\r\n\r\n".encode()).hexdigest()[:32]
    made = f"<{digest}@mentionable.invalid>"
    assert thread(fields) == (Thread(made, made, None), [note])


def test_an_id_that_is_too_long_is_none() -> None:
    assert thread(f"{OWN}\r\nReferences: <much-too-long@x> <r@x>", id_chars=8)[0].thread_id == "<r@x>"
