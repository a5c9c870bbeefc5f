"""Metadata of the contract: what it must have, and what is odd about it all the same."""

import pytest

from mentionable import DecodeError, FilePart, InlineRef, LinkPart, UsageError, decode, encode
from mentionable.ingest import IngestMessage, IngestMetadata, assemble, read_metadata
from tests.ingest.people import BOB, HEADER, OLIVIA

REQUIRED = ("source", "sender_id", "sender_display_name", "sender_type")
OPTIONAL = (
    "channel_external_id",
    "mention_token",
    "thread_context",
    "is_from_me",
    "passive",
    "trigger_rag",
    "recipient_id",
    "subject",
)


def problems(data, **given):
    with pytest.raises(DecodeError) as caught:
        read_metadata(data, **given)
    assert caught.value.code == "malformed"
    return {problem.at for problem in caught.value.problems}


@pytest.mark.parametrize("name", REQUIRED)
def test_four_members_are_required(name):
    without = {**OLIVIA}
    del without[name]
    for wrong in (without, {**OLIVIA, name: None}, {**OLIVIA, name: ""}, {**OLIVIA, name: 7}):
        assert problems(wrong) == {f"/{name}"}


def test_every_fault_is_told_at_once():
    assert problems({}) == {f"/{name}" for name in REQUIRED}


@pytest.mark.parametrize("name", OPTIONAL)
def test_an_optional_member_that_is_null_is_absent(name):
    wanted = {**OLIVIA}
    wanted.pop(name, None)
    assert encode(read_metadata({**OLIVIA, name: None}).metadata) == wanted


@pytest.mark.parametrize("name", OPTIONAL)
def test_an_optional_member_of_another_type_is_refused(name):
    assert problems({**OLIVIA, name: 7}) == {f"/{name}"}


@pytest.mark.parametrize("sender", ["U1", ":U1", "slack:", "sl ack:U1", " :U1"])
def test_an_id_stands_behind_a_namespace(sender):
    assert problems({**OLIVIA, "sender_id": sender}) == {"/sender_id"}


@pytest.mark.parametrize("kind", ["pipeline", "Human", "", None, 7])
def test_a_sender_is_a_person_or_a_program(kind):
    assert problems({**OLIVIA, "sender_type": kind}) == {"/sender_type"}


@pytest.mark.parametrize(
    ("data", "source"),
    [(BOB, None), (BOB, "bluebubbles"), ({**BOB, "source": None}, "bluebubbles")],
)
def test_the_source_may_come_from_the_caller(data, source):
    assert read_metadata(data, source=source) == (IngestMetadata(**BOB), ())


@pytest.mark.parametrize("source", ["slack", ""])
def test_two_sources_are_refused(source):
    assert problems(BOB, source=source) == {"/source"}
    assert problems({**BOB, "source": ["bluebubbles"]}, source="bluebubbles") == {"/source"}


@pytest.mark.parametrize(("data", "source"), [("a", None), (None, None), ([], None), (BOB, 7)])
def test_other_arguments_raise_a_usage_error(data, source):
    with pytest.raises(UsageError, match="read_metadata"):
        read_metadata(data, source=source)


@pytest.mark.parametrize("odd", [b"a", object(), float("nan"), "\ud800", {1: 2}])
def test_what_is_no_json_is_refused(odd):
    problems({**OLIVIA, "x": odd})
    problems({**OLIVIA, "sender_display_name": odd})


def test_names_of_members_that_are_no_text_are_refused():
    problems({**OLIVIA, 1: 2})


@pytest.mark.parametrize(
    ("members", "code", "at"),
    [
        ({"sender_displayname": "O"}, "metadata-near-miss", "/sender_displayname"),
        ({"senderDisplayName": "O"}, "metadata-near-miss", "/senderDisplayName"),
        ({"thread-context": "O"}, "metadata-near-miss", "/thread-context"),
        ({"mentiontoken": "O"}, "metadata-near-miss", "/mentiontoken"),
        ({"pasive": True}, "metadata-near-miss", "/pasive"),
        ({"sender_id": "discord:1"}, "metadata-namespace", "/sender_id"),
        ({"sender_id": "bb:1"}, "metadata-namespace", "/sender_id"),
        ({"mention_token": "<@U 1>"}, "mention-token-refused", "/mention_token"),
        ({"mention_token": "[x]"}, "mention-token-refused", "/mention_token"),
    ],
)
def test_what_is_odd_is_told(members, code, at):
    (note,) = read_metadata({**OLIVIA, **members}).diagnostics
    assert (note.code, note.at) == (code, at)


@pytest.mark.parametrize(
    "members",
    [
        {"message_guid": "g1", "include_in_memory": True, "_": 1, "": 2},
        {"sender_id": "slack:bot:B123"},
        {"mention_token": ""},
        {"sender_displayname" + "_" * 64: 1},
    ],
)
def test_what_is_not_odd_is_not_told(members):
    assert read_metadata({**OLIVIA, **members}).diagnostics == ()


def test_a_namespace_may_be_the_short_name_of_its_source():
    assert read_metadata({**BOB, "sender_id": "bb:1"}).diagnostics == ()
    assert read_metadata({**BOB, "sender_id": "bluebubbles:1"}).diagnostics == ()


def test_only_so_many_names_are_looked_at():
    data = {**OLIVIA, **{f"x{number}": 1 for number in range(100)}, "sender_displayname": "O"}
    assert read_metadata(data).diagnostics == ()


def test_a_long_namespace_is_told_in_short():
    (note,) = read_metadata({**OLIVIA, "sender_id": "a" * 1000 + ":1"}).diagnostics
    assert len(note.detail) == 200


def test_members_of_ones_own_are_kept():
    extra = {"message_guid": None, "nested": {"a": [1]}, "extra": 1, "kind": "x"}
    metadata = read_metadata({**OLIVIA, **extra}).metadata
    assert metadata.extra == extra
    assert encode(metadata) == {**OLIVIA, **extra}


@pytest.mark.parametrize(("name", "header"), [("Olivia", HEADER), (" ", None), ("\u200d", None)])
def test_metadata_know_their_header(name, header):
    assert IngestMetadata(**{**OLIVIA, "sender_display_name": name}).header == header


def test_a_header_without_a_token():
    assert IngestMetadata(**BOB).header == "[Bob]:"


@pytest.mark.parametrize("content", [None, 7, b"a", "\ud800"])
def test_content_is_text(content):
    with pytest.raises(UsageError, match="content"):
        IngestMessage(content=content, metadata=IngestMetadata(**OLIVIA))


FILE = FilePart(mime="text/plain", bytes_ref=InlineRef(data_base64="aGk="))
LINK = LinkPart(url="https://a.example/", title="A")
BLOCK = {"type": "file", "mediaType": "text/plain", "data": "aGk="}


@pytest.mark.parametrize(
    ("content", "attachments", "made"),
    [
        ("hi", None, "hi"),
        ("", None, ""),
        (" hi\n", (), " hi\n"),
        ("hi", (FILE,), [{"type": "text", "text": "hi"}, BLOCK]),
        ("", (FILE,), [BLOCK]),
    ],
)
def test_the_row_of_a_message(content, attachments, made):
    message = IngestMessage(content=content, metadata=IngestMetadata(**OLIVIA), attachments=attachments)
    assert message.row() == {"role": "user", "content": made, "_metadata": OLIVIA}
    assert message.row() is not message.row()
    assert decode(IngestMessage, encode(message)) == message


@pytest.mark.parametrize(
    ("content", "attachments", "typed"), [("hi", (LINK,), "hi"), ("", (FILE, LINK), [BLOCK]), ("", (LINK,), "")]
)
def test_what_is_attached_stands_beside_the_typed_text(content, attachments, typed):
    message = IngestMessage(content=content, metadata=IngestMetadata(**OLIVIA), attachments=attachments)
    line = "A <https://a.example/>"
    assert message.row() == {"role": "user", "content": typed, "_metadata": OLIVIA, "_attached": line}
    (row,) = assemble([message]).rows
    text = f"[Olivia (<@U06STGBF4Q0>)]: {content}".rstrip() + ("\n\n" if content else " ") + line
    assert row["content"] == text if typed != [BLOCK] else row["content"] == [{"type": "text", "text": text}, BLOCK]
    assert "_attached" not in row


def test_members_of_a_message_do_not_reach_its_row():
    message = IngestMessage(
        content="a", metadata=IngestMetadata(**OLIVIA), extra={"_assembled": "turn", "role": "system"}
    )
    assert message.row() == {"role": "user", "content": "a", "_metadata": OLIVIA}


def test_a_missing_member_names_what_may_be_meant_for_it():
    data = {**OLIVIA, "senderDisplayName": "Olivia", "extra": 1}
    del data["sender_display_name"], data["source"]
    with pytest.raises(DecodeError) as caught:
        read_metadata(data)
    assert sorted(map(str, caught.value.problems)) == [
        "/sender_display_name: required; there is 'senderDisplayName'",
        "/source: required",
    ]
