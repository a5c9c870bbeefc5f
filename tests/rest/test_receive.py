import json
from hashlib import sha256

import pytest

from mentionable import (
    Answers,
    HttpRequest,
    Limits,
    NoRelay,
    Received,
    Rejected,
    Settings,
    StoredMessage,
    UsageError,
    directory,
    drive,
    encode,
    rest,
)
from mentionable.rest import Caller, Field
from tests.rest.asking import FACTS, HELPER, NOW, URL, as_json, asked, body_of, codes, named, posted, take

BOB = "@bob@b.example"


def told(got):
    return [(turn.role, turn.sender.address, [part.content for part in turn.parts]) for turn in got.message.history]


def test_the_text_of_the_user_is_the_message():
    got = take(Field("session", "s1"), "Hi")
    message = got.message
    assert (message.parts[0].content, message.parts[0].mime) == ("Hi", "text/plain")
    assert (message.thread_id, message.recipient, message.received_via) == ("s1", HELPER, "rest")
    assert (message.sender.address, message.sender.auth_method, message.sender.verified) == (
        "@anonymous@rest.invalid",
        "none",
        False,
    )
    assert message.recipient_capabilities.mention_relay == NoRelay()
    assert message.history is None
    assert got.verdict.code == "unsigned"
    assert codes(got) == []


def test_a_request_is_split_and_says_for_whom_it_is():
    request = posted(body_of((named(b"user"), b"Hi")))
    request = HttpRequest(method="POST", url=f"{URL}?a=b#c", headers=request.headers, body=request.body)
    got = drive(rest.receive(request, **FACTS), Answers(find_agent=directory({URL: HELPER})))
    assert got.message.recipient == HELPER


def test_the_request_beside_fields_says_for_whom_they_are():
    got = take("Hi", recipient=None, request=asked(), answers=Answers(find_agent=directory({URL: HELPER})))
    assert got.message.recipient == HELPER


def test_a_form_for_nobody_here_is_rejected():
    assert take("Hi", recipient=None, request=asked(), answers=Answers(find_agent=directory({}))).code == (
        "no-served-recipient"
    )


def test_a_broken_body_is_rejected():
    assert drive(rest.receive(posted(b"x"), recipient=HELPER, **FACTS), Answers()).code == "malformed"


# -- turns


def test_turns_before_the_last_one_are_history():
    got = take("a", "b", Field("assistant", "c"), "d", Field("session", "s1"))
    assert [part.content for part in got.message.parts] == ["d"]
    assert told(got) == [
        ("user", "@anonymous@rest.invalid", ["a", "b"]),
        ("assistant", HELPER, ["c"]),
    ]
    assert {turn.timestamp for turn in got.message.history} == {got.message.received_at}
    assert sorted(codes(got)) == ["history-role", "time-assumed"]
    assert not any(turn.sender.verified for turn in got.message.history)


def test_a_history_without_the_agent_says_nothing_of_it():
    got = take(Field("session", "s1"), Field("parts", '[{"kind":"text","mime":"text/plain","content":"now"}]'), "a")
    assert got.message.history is None
    assert codes(got) == []


@pytest.mark.parametrize(
    "fields", [[], [Field("session", "s1")], [Field("assistant", "a")], ["a", Field("assistant", "b")]]
)
def test_a_form_that_asks_nothing_is_rejected(fields):
    assert take(*fields).code == "missing-member"


def test_typed_parts_may_follow_the_last_turn_of_the_agent():
    got = take("a", Field("assistant", "b"), as_json("parts", []), Field("session", "s"))
    assert got.message.parts == ()
    assert [turn.role for turn in got.message.history] == ["user", "assistant"]


def test_an_empty_text_says_nothing():
    assert take("").message.parts == ()


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html"])
def test_text_keeps_its_media_type(mime):
    got = take(Field("user", b"a\r\nb\0", f"{mime.upper()}; charset=UTF-8"))
    assert (got.message.parts[0].content, got.message.parts[0].mime) == ("a\nb", mime)
    assert codes(got) == ["thread-from-message"]


def test_another_charset_is_told_and_read_as_utf8():
    got = take(Field("user", b"a", "text/plain; charset=latin1; x=y"), Field("session", "s"))
    assert codes(got) == ["charset-unknown"]
    assert take(Field("user", "a", "text/plain; charset=latin1"), Field("session", "s")).diagnostics == ()


@pytest.mark.parametrize(
    ("value", "code"), [(b"\xff", "not-utf8"), ("\udc80", "lone-surrogate")], ids=["bytes", "text"]
)
def test_text_that_is_none_is_rejected(value, code):
    assert take(Field("user", value)).code == code
    assert take("a", Field("session", value)).code == code


# -- files


def test_a_file_stands_in_the_turn_that_it_follows():
    got = take(
        "a",
        Field("user", b"1", "image/png", "../x/1.png"),
        Field("assistant", "b"),
        Field("photo", b"2", "image/png", "2.png"),
        "c",
        Field("any", "3", None, "3.txt"),
        Field("session", "s"),
    )
    assert [getattr(part, "name", None) for part in got.message.parts] == [None, "3.txt"]
    assert got.message.parts[1].mime == "application/octet-stream"
    first, second = got.message.history
    assert (first.parts[1].name, first.parts[1].size_bytes) == ("1.png", 1)
    assert second.parts[1].name == "2.png"


def test_a_file_before_all_turns_belongs_to_the_first_one():
    got = take(Field("photo", b"1", "image/png", "1.png"), "a", Field("session", "s"))
    assert [part.kind for part in got.message.parts] == ["file", "text"]
    alone = take(Field("photo", b"1", "image/png", "1.png"), Field("session", "s"))
    assert [part.kind for part in alone.message.parts] == ["file"]


def test_a_turn_of_another_media_type_is_a_file():
    (part,) = take(Field("user", b"{}", "application/json"), Field("session", "s")).message.parts
    assert (part.mime, part.name) == ("application/json", None)


def test_an_input_where_nobody_chose_a_file_is_nothing():
    empty = Field("photo", b"", "application/octet-stream", "")
    assert [part.kind for part in take("a", empty).message.parts] == ["text"]
    assert take("a", Field("photo", b"", None, "empty.txt")).message.parts[1].size_bytes == 0
    assert take("a", Field("photo", b"x", None, "")).message.parts[1].name is None


def test_a_field_of_another_name_is_told_with_its_name_and_its_place():
    got = take("Hi", Field("prompt", "What about this?"), Field("n" * 1000, "a"), Field("empty", ""))
    assert [part.content for part in got.message.parts] == ["Hi"]
    first, second, thread = got.diagnostics
    assert (first.code, first.at) == ("part-unsupported", "/fields/1")
    assert first.detail == "no part was made of the field 'prompt', whose name means nothing here"
    assert (second.at, len(second.detail)) == ("/fields/2", 143)
    assert thread.code == "thread-from-message"


def test_fields_of_other_names_are_told_up_to_a_number():
    got = take("Hi", *[Field("prompt", "a")] * 200)
    assert codes(got) == ["part-unsupported"] * 99 + ["diagnostics-omitted"]


def test_a_large_file_is_set_apart():
    data = b"x" * 65_536
    got = take("a", Field("user", data, "image/png", "a.png"), Field("user", data[1:], "image/png", "b.png"))
    digest = sha256(data).hexdigest()
    assert encode(got.message.parts[1].bytes_ref) == {"kind": "content_addressed", "algo": "sha256", "digest": digest}
    assert got.message.parts[2].bytes_ref.kind == "inline"
    assert got.blobs == {digest: data}


# -- ids


def test_the_message_names_itself_in_a_field_or_in_a_header():
    by_field = take("a", Field("message_id", "q1"), request=asked(idempotency_key="q2"))
    assert by_field.native_id == "@anonymous@rest.invalid q1"
    assert take("a", request=asked(idempotency_key='"q2"')).native_id.endswith(" q2")
    assert take("a", request=asked(idempotency_key="q2")).native_id.endswith(" q2")
    assert take("a", request=asked(idempotency_key='"')).native_id.endswith(' "')


def test_a_message_without_an_id_gets_one_from_the_entropy():
    first, again, other = take("a"), take("a"), take("a", entropy=bytes([1]) * 32)
    assert first.native_id == again.native_id != other.native_id
    assert first.message.thread_id == first.native_id.partition(" ")[2]
    assert codes(first) == ["thread-from-message"]


def test_an_empty_id_is_none():
    got = take("a", Field("session", ""), Field("message_id", ""), request=asked(idempotency_key='""'))
    assert got.message.thread_id == take("a").message.thread_id


def test_an_id_may_be_so_long():
    limits = Settings(limits=Limits(id_chars=2))
    assert take("a", Field("session", "abc"), settings=limits).code == "id-too-long"
    assert take("a", Field("message_id", "abc"), settings=limits).code == "id-too-long"
    assert take("a", request=asked(idempotency_key="abc"), settings=limits).code == "id-too-long"
    assert take("a", Field("session", "ab"), Field("message_id", "ab"), settings=limits).message.thread_id == "ab"


def test_a_redelivery_keeps_its_id():
    known = StoredMessage(id="known", thread_id="s1", sender=BOB, auth_method="none")
    world = Answers(find_message=lambda ask: known if ask.native_id == f"{BOB} q1" else None)
    got = take("a", Field("message_id", "q1"), caller=Caller(subject=BOB), answers=world)
    assert got.message.id == "known"
    assert "redelivered" in codes(got)


def test_the_same_id_of_another_caller_is_another_message():
    known = StoredMessage(id="known", thread_id="s1", sender=BOB, auth_method="none")
    world = Answers(find_message=lambda ask: known if ask.native_id == f"{BOB} q1" else None)
    assert take("a", Field("message_id", "q1"), answers=world).message.id != "known"


@pytest.mark.parametrize("name", ["session", "message_id", "parts", "history", "identity_evidence"])
def test_a_field_that_must_be_there_once_is_not_taken_twice(name):
    assert take("a", Field(name, "[]"), Field(name, "[]")).code == "malformed"


# -- who


def test_the_caller_is_the_sender_and_never_verified():
    got = take("a", caller=Caller(subject="acct:bob@B.example"), settings=Settings())
    assert (got.message.sender.address, got.message.sender.verified) == (BOB, False)


def test_a_caller_without_an_address_is_nobody():
    got = take("a", Field("session", "s"), caller=Caller(subject="client-7"))
    assert got.message.sender.address == "@anonymous@rest.invalid"
    assert codes(got) == ["caller-not-address"]


def test_whoever_wants_senders_verified_gets_none_by_rest():
    got = take("a", caller=Caller(subject=BOB), settings=Settings(require_verified=True))
    assert isinstance(got, Rejected)
    assert got.code == "verification-required"


def test_an_agent_that_asks_itself_is_the_assistant_of_its_history():
    got = take("a", Field("assistant", "b"), "c", caller=Caller(subject=HELPER))
    assert [turn.role for turn in got.message.history] == ["assistant", "assistant"]


# -- limits


def test_too_much_is_rejected():
    assert take("a", "b", settings=Settings(limits=Limits(parts=1))).code == "too-many-parts"
    assert take("a", settings=Settings(limits=Limits(parts=1))).message
    assert take("ab", "c", settings=Settings(limits=Limits(a2a_bytes=10))).code == "too-large"
    assert take("ab", settings=Settings(limits=Limits(a2a_bytes=6))).message
    assert (
        take(Field("user", "a", "text/plain", "b"), settings=Settings(limits=Limits(a2a_bytes=15))).code == "too-large"
    )
    assert take(Field("user", "a", "text/plain", "b"), settings=Settings(limits=Limits(a2a_bytes=16))).message


# -- mistakes of the program


@pytest.mark.parametrize(
    "facts",
    [
        {"request": "user"},
        {"request": [("user", "Hi")]},
        {"request": iter([])},
        {"recipient": None},
        {"recipient": "helper"},
        {"request": "x", "fields": []},
        {"caller": BOB},
        {"now": NOW.replace(tzinfo=None)},
        {"entropy": b"short"},
        {"settings": None},
        {"request": asked(), "fields": "user"},
    ],
    ids=range(11),
)
def test_arguments_of_the_wrong_kind_are_mistakes_of_the_program(facts):
    given = {"request": [], "recipient": HELPER, **FACTS, **facts}
    with pytest.raises(UsageError):
        rest.receive(**given)


def test_what_is_received_can_be_encoded():
    got = take("a", as_json("parts", [{"kind": "poll", "a": 1}]), Field("x", b"\xff"), Field("session", "s"))
    assert isinstance(got, Received)
    assert json.dumps(encode(got.message))
