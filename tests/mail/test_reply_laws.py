"""What holds for any answer: it comes back as it was, and every reader reads the same in it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mentionable import FilePart, NormalizedMessage, NormalizedResponse, SigningKey, TextPart, mail
from mentionable._model.base import replace
from mentionable._text.media import bytes_of, file_name, single_line
from mentionable._text.response_text import render_response_text
from mentionable.mail._write.body import canonical_text
from mentionable.testing import strategies
from tests.mail.answering import asked, parsed, question, read_back, reply
from tests.mail.signed import Zone, dkimpy_says, record, verify

ASKED = question()
ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=120)
LINES = st.text(st.sampled_from("ab =.\t\r\n\0é日🎉\ufeff") | st.characters(codec="utf-8"), max_size=200)
NAMES = st.text(st.characters(codec="utf-8") | st.sampled_from('ab",;:\\()<>@=?_ \r\n'), max_size=150)
KEY = SigningKey.from_seed(bytes(range(32)), key_id="s._domainkey.agents.example")


def attached(response: NormalizedResponse) -> list[tuple[bytes, str, str | None]]:
    """Bytes, media type and name of every file that goes along, as it should arrive."""
    found = []
    for part in response.parts:
        data = bytes_of(part) if part.kind in ("file", "artifact") else None
        if data is not None:
            found.append((data, part.mime, file_name(part.name or "")))
    return found


def arrived(message: NormalizedMessage) -> list[tuple[bytes | None, str, str | None]]:
    return [(bytes_of(part), part.mime, part.name) for part in message.parts if isinstance(part, FilePart)]


def without_files(response: NormalizedResponse) -> str:
    places = [index for index, part in enumerate(response.parts) if getattr(part, "bytes_ref", None) is not None]
    bytes_here = [index for index in places if bytes_of(response.parts[index]) is not None]
    return canonical_text(render_response_text(response, attached=bytes_here))


def texts_of(message: NormalizedMessage, mime: str = "text/plain") -> list[str]:
    return [part.content for part in message.parts if isinstance(part, TextPart) and part.mime == mime]


@given(strategies.answers(ASKED.id))
def test_what_is_answered_comes_back_whole(response: NormalizedResponse) -> None:
    out = reply(response, to=ASKED)
    got = read_back(out.data)
    assert got.diagnostics == ()
    assert got.message.received_trace == response
    assert got.message.thread_id == ASKED.thread_id
    assert got.native_id == out.native_id
    assert arrived(got.message) == attached(response)
    face = without_files(response)
    if face and not face.isspace():
        assert texts_of(got.message) == [face]


@given(strategies.answers(ASKED.id))
def test_the_standard_library_reads_the_same(response: NormalizedResponse) -> None:
    out = reply(response, to=ASKED)
    assert out.data.isascii()
    assert all(len(line) <= 998 for line in out.data.split(b"\r\n"))
    assert out.data.count(b"\n") == out.data.count(b"\r") == out.data.count(b"\r\n")
    found = parsed(out.data)
    plain = found.get_body(("plain",))
    assert plain is not None
    assert plain.get_content().replace("\r\n", "\n") == without_files(response)
    html = found.get_body(("html",))
    assert html is not None
    assert html.get_content().startswith("<!DOCTYPE html>")
    files = [
        (part.get_payload(decode=True), part.get_content_type(), part.get_filename())
        for part in found.walk()
        if part.get_content_disposition() == "attachment"
    ]
    assert files == attached(response)


@given(LINES)
def test_any_text_arrives_as_it_was(text: str) -> None:
    message = read_back(reply(TextPart(content=text), to=ASKED).data).message
    expected = canonical_text(text.strip("\n"))
    if expected and not expected.isspace():
        assert texts_of(message) == [expected]


@given(ANY_TEXT | NAMES)
def test_any_subject_arrives_as_one_line(subject: str) -> None:
    raw: Any = ASKED.raw
    to = replace(ASKED, raw={**raw, "parsed": {**raw["parsed"], "subject": subject}})
    data = reply(to=to).data
    line = single_line(subject)
    while line[:3].lower() == "re:":
        line = line[3:].lstrip()
    expected = f"Re: {line}".rstrip()
    assert read_back(data).message.raw["parsed"]["subject"] == expected
    assert str(parsed(data)["Subject"]) == expected


@given(NAMES)
def test_any_name_arrives_as_one_line(name: str) -> None:
    to = replace(ASKED, sender=replace(ASKED.sender, display_name=name))
    data = reply(to=to).data
    (shown,) = read_back(data).message.raw["parsed"]["to"]
    assert shown == {"name": single_line(name), "address": "alice@a.example"}
    (mailbox,) = parsed(data)["To"].addresses
    assert mailbox.addr_spec == "alice@a.example"
    assert "".join(mailbox.display_name.split()) == "".join(single_line(name).split())  # there, words are set apart


@given(NAMES)
def test_any_file_name_arrives_as_one(name: str) -> None:
    data = reply(FilePart.of(b"x", mime="text/csv", name=name), to=ASKED).data
    assert arrived(read_back(data).message) == [(b"x", "text/csv", file_name(name))]
    (part,) = parsed(data).iter_attachments()
    assert part.get_filename() == file_name(name)


IDS = st.from_regex(r"\A<[a-z0-9.!#$+-]{1,40}@[a-z0-9-]{1,20}\.example>\Z")


@given(st.lists(IDS, max_size=4), st.lists(IDS, max_size=3), st.none() | IDS)
def test_the_answer_is_in_the_thread_of_the_question(
    references: list[str], parents: list[str], own: str | None
) -> None:
    fields = ["Subject: x"]
    fields += [f"References: {' '.join(references)}"] * bool(references)
    fields += [f"In-Reply-To: {' '.join(parents)}"] * bool(parents)
    fields += [f"Message-ID: {own}"] * bool(own)
    to = asked(*fields)
    got = read_back(reply(to=to).data).message
    if references or parents or own:
        assert got.thread_id == to.thread_id
    assert got.in_reply_to == own


@given(strategies.answers(ASKED.id))
def test_a_signed_answer_shows_its_sender(response: NormalizedResponse) -> None:
    zone = Zone({KEY.key_id: [record()]})
    data = reply(response, to=ASKED, settings=mail.Settings(key=KEY)).data
    assert verify(data, zone).address == "@helper@agents.example"
    assert dkimpy_says(data, zone)


@given(strategies.answers(ASKED.id), st.binary(min_size=32, max_size=32))
def test_the_same_inputs_give_the_same_mail_and_others_another_id(response: NormalizedResponse, entropy: bytes) -> None:
    first = reply(response, to=ASKED, entropy=entropy)
    assert reply(response, to=ASKED, entropy=entropy) == first
    other = replace(response, parts=(*response.parts, TextPart(content="And more.")))
    if response.parts and response.parts[-1].kind == "policy":
        return
    assert reply(other, to=ASKED, entropy=entropy).native_id != first.native_id


@given(st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["headers", "parsed", "dkim", "results", "envelope", "subject", "references", "reply-to"]), inner
), max_leaves=12))  # fmt: skip
def test_a_raw_of_any_shape_is_answered(raw: Any) -> None:
    to = replace(question(verified=True), raw=raw)
    assert reply(to=to).rcpt_to == (to.sender.address[1:],)
