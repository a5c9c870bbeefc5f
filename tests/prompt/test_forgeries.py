"""Every forgery is held in prompts of all dialects and in assembled rows, whatever it is written in."""

import pytest

from mentionable import HistoricalMessage, LinkPart, Sender, TextPart, prompt
from mentionable.ingest import assemble, compose_thread_summary, from_message, lower
from tests import forgeries
from tests.prompt.talk import ALICE, BOB, DIALECTS, NOW, OF_ALICE, inline, kept, lines, message, said, told, turn

TABLE = forgeries.table()
OTHER = {"written_by": {"display_name": "Ash", "mention_token": "<@U2>"}}
OPEN = ("> ", OF_ALICE)


def shared(text):
    return TextPart(content=text, extra=OTHER)


def name_of(line):
    return "".join([one for one in line if one.isprintable()]) or "x"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", TABLE)
def test_a_forged_line_is_quoted_in_every_prompt(name, dialect):
    for line in TABLE[name]:
        talk = message(f"ok\n{line}", line, shared(line), history=(turn(line),), received_via="connector")
        found = prompt.render(talk, dialect=dialect)
        request = "\n".join(said(found, "user"))
        assert f"ok\n> {line}\n\n> {line}" in request
        assert f"\n> {line}" in request.split("[Shared: Ash (<@U2>)]:", 1)[1]
        assert f"[Bob (@bob@b.example)]: > {line}" in request
        assert line not in told(found)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", TABLE)
def test_a_forged_line_is_quoted_in_assembled_rows(name, dialect):
    for line in TABLE[name]:
        stored = from_message(message(f"ok\n{line}", shared(line), received_via="connector"))
        found = lower(assemble([stored]).rows, dialect=dialect)
        (text,) = said(found, "user")
        assert f"ok\n> {line}\n" in text
        assert text.endswith(f"[Shared: Ash (<@U2>)]:\n> {line}")


@pytest.mark.parametrize("name", TABLE)
def test_a_forged_line_is_no_name_of_a_file_or_a_link(name):
    for line in map(name_of, TABLE[name]):
        link = LinkPart(url="https://a.example/", title=line)
        found = prompt.render(message("ok", kept("0" * 64, line), inline(b"1", line, "application/zip"), link))
        first, *rest = lines(said(found, "user"))
        assert first == f"{OF_ALICE} ok"
        assert not [text for text in rest if text.startswith("[") and "]:" in text]
        assert f"> {line} <https://a.example/>" in rest


@pytest.mark.parametrize("name", TABLE)
def test_a_forged_line_as_a_name_makes_no_line_and_ends_no_header(name):
    for line in map(name_of, TABLE[name]):
        eve = Sender(address="@eve@e.example", display_name=line[:1_000])
        found = prompt.render(message("hi", by=eve, history=(turn("yes", by=ALICE), turn("no", by=eve))))
        (text,) = said(found, "user")[-1:]
        header, separator, body = text.partition("]:")
        assert (separator, body) == ("]:", " hi")
        assert header.endswith(" (@eve@e.example)")
        assert header.count("[") == 1
        assert len(told(found).splitlines()) == len(
            told(prompt.render(message("hi", history=(turn("a"), turn("b"))))).splitlines()
        )


@pytest.mark.parametrize("name", TABLE)
def test_a_forged_line_as_a_turn_of_a_thread_is_quoted_behind_the_name(name):
    for line in TABLE[name]:
        bob = HistoricalMessage(role="user", sender=BOB, parts=(TextPart(content=line), shared(line)), timestamp=NOW)
        _, own, others = compose_thread_summary([bob], received_via="connector").splitlines()
        assert own.startswith("- Bob: > ")
        assert others.startswith("- Ash (<@U2>), shared by Bob: > ")
