import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from mentionable import (
    FilePart,
    Limits,
    NormalizedResponse,
    PushBackHint,
    Settings,
    SigningKey,
    Streaming,
    TextPart,
    ToolCallPart,
    UsageError,
    activitypub,
    replace,
)
from tests.activitypub.answering import (
    ASKER,
    BASE,
    BOB_ACTOR,
    INBOX,
    KEY,
    MESSAGE,
    OBJECTS,
    SHARED,
    answer,
    asked,
    body_of,
    note_in,
    received,
    with_settings,
    without_raw,
)
from tests.activitypub.servers import ALICE, ENTROPY, HELPER, NOW, PUBLIC, actor, codes, create, note

RESPONSE = NormalizedResponse.to(MESSAGE, "Hello")
CALLS = NormalizedResponse.to(MESSAGE, "Hello", ToolCallPart(id="c1", name="look", args={"q": [1]}, result=None))


def test_an_answer_is_a_note_that_everybody_can_find() -> None:
    out = answer("Hello", siblings=[BOB_ACTOR])
    assert out.native_id == note_in(out)["id"]
    assert list(out.serve) == [out.native_id, out.activity["id"]]
    assert out.serve[out.activity["id"]] == out.activity
    served = out.serve[out.native_id]
    assert served == {"@context": "https://www.w3.org/ns/activitystreams", **note_in(out)}
    assert [post.url for post in out.deliveries] == [INBOX, "https://other.example/users/bob/inbox"]
    assert all(body_of(post) == out.activity for post in out.deliveries)
    assert out.diagnostics == ()


def test_a_public_answer_goes_to_shared_inboxes() -> None:
    out = answer("Hello", to=asked(to=[PUBLIC, HELPER]), siblings=[BOB_ACTOR])
    assert [post.url for post in out.deliveries] == [SHARED, "https://other.example/in"]


def test_what_is_handed_out_shares_nothing() -> None:
    out = answer("Hello")
    note_in(out)["to"].clear()
    assert out.activity["to"] == out.serve[out.native_id]["to"] == [ALICE]
    assert out.serve[out.activity["id"]]["object"]["to"] == [ALICE]


def test_a_far_server_takes_it_and_knows_who_sent_it() -> None:
    out = answer(CALLS, settings=activitypub.Settings(object_key=OBJECTS))
    got = received(out.deliveries[0])
    assert got.verdict.method == "ap-object-integrity-proof"
    assert got.message.sender.address == "@helper@agents.example"
    assert got.message.received_trace == CALLS
    assert got.native_id == out.activity["id"]
    assert got.aliases == (out.native_id,)
    assert got.diagnostics == ()


@pytest.mark.parametrize("form", ["cavage", "rfc9421"])
def test_deliveries_are_signed_in_the_form_of_the_settings(form: Any) -> None:
    (post,) = answer("Hello", settings=activitypub.Settings(form=form)).deliveries
    assert (post.header("signature-input") is None) == (form == "cavage")
    assert received(post).verdict.method == "ap-http-signature"


def test_the_room_settings_serve_the_way_in_too() -> None:
    settings = activitypub.Settings(limits=Limits(asks=1))
    assert received(answer("Hello").deliveries[0], settings=settings).verdict.code == "address-unresolvable"


def test_without_a_key_nothing_is_signed() -> None:
    (post,) = answer("Hello", key=None).deliveries
    assert post.header("signature") is None
    assert body_of(post)["actor"] == HELPER
    with pytest.raises(UsageError, match="key is needed"):
        answer("Hello", key=None, base="https://elsewhere.example")


def test_a_proof_alone_names_the_actor() -> None:
    out = answer("Hello", key=None, settings=activitypub.Settings(object_key=OBJECTS))
    assert received(out.deliveries[0]).verdict.verified


def test_the_same_inputs_give_the_same_answer() -> None:
    assert answer("Hello") == answer("Hello")
    ids = {
        answer("Hello").native_id,
        answer("Hello!").native_id,
        answer("Hello", entropy=bytes(range(32))).native_id,
        answer("Hello", now=NOW + timedelta(seconds=1)).native_id,
        answer("Hello", to=replace(MESSAGE, id="other")).native_id,
        answer("Hello", siblings=[BOB_ACTOR]).native_id,
    }
    assert len(ids) == 6


def test_a_base_may_have_a_path() -> None:
    out = answer("Hello", FilePart.of(b"x", mime="text/plain"), base=f"{BASE}/ap/")
    assert out.native_id.startswith(f"{BASE}/ap/objects/")
    assert next(iter(out.files)).startswith(f"{BASE}/ap/files/")


def test_an_asker_without_an_inbox_is_told_of() -> None:
    for message in (asked(who=actor()), asked(who=ASKER | {"inbox": "https://evil.example/"}), without_raw(actor=None)):
        out = answer("Hello", to=message)
        assert codes(out.diagnostics) == ["undeliverable"]
        assert out.deliveries == ()


def test_the_agent_may_name_another_thread() -> None:
    response = replace(RESPONSE, push_back=PushBackHint(thread_ref="https://agents.example/c/9"))
    assert note_in(answer(response))["context"] == "https://agents.example/c/9"
    assert "context" not in note_in(answer(replace(RESPONSE, push_back=PushBackHint(channel="activitypub"))))


def test_an_address_in_the_text_brings_nobody_in() -> None:
    out = answer("Ask @bob@other.example")
    assert codes(out.diagnostics) == ["sibling-unresolved"]
    assert note_in(out)["to"] == [ALICE]


def test_a_trace_that_is_too_large_is_told_of() -> None:
    whole = answer(CALLS)
    assert whole.diagnostics == ()
    out = answer(CALLS, settings=Settings(limits=Limits(trace_bytes=40)))
    assert codes(out.diagnostics) == ["trace-dropped"]
    assert "mentionable-trace" not in note_in(out)["content"]


def test_an_operator_without_a_viewer_has_the_trace_in_the_link() -> None:
    out = answer(CALLS, settings=Settings(trace_viewer=None))
    assert 'href="data:application/json;base64,' in note_in(out)["content"]
    assert received(out.deliveries[0]).message.received_trace == CALLS


def test_what_only_some_readers_use_gives_way_to_the_limit() -> None:
    def size(out: Any) -> int:
        return len(out.deliveries[0].body)

    def limited(most: int, **more: Any) -> Any:
        return answer("Hello " * 200, settings=activitypub.Settings(limits=Limits(activitypub_bytes=most), **more))

    whole = size(answer("Hello " * 200))
    without_source = limited(whole - 1)
    assert "source" not in note_in(without_source)
    assert without_source.diagnostics == ()
    without_trace = limited(size(without_source) - 1)
    assert codes(without_trace.diagnostics) == ["trace-dropped"]
    assert "mentionable-trace" not in note_in(without_trace)["content"]
    with pytest.raises(UsageError, match="parts: the activity would have"):
        limited(size(without_trace) - 1)
    proven = limited(whole + 4_200, object_key=OBJECTS)
    assert size(proven) <= whole + 4_200
    assert "source" in note_in(proven)


def test_a_trace_that_is_not_there_cannot_be_dropped() -> None:
    limits = Limits(trace_bytes=0, activitypub_bytes=2_100)
    out = answer("Hello " * 200, settings=Settings(limits=limits))
    assert codes(out.diagnostics) == ["trace-dropped"]


ELSEWHERE = SigningKey.from_seed(bytes(32), key_id="https://agents.example/actors/other#key")
FRAME = replace(RESPONSE, status="partial", streaming=Streaming(stream_id="s", seq=0, final=False))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"response": "Hello"}, "NormalizedResponse"),
        ({"response": FRAME}, "partial"),
        ({"response": replace(RESPONSE, reply_to="x")}, "reply_to"),
        ({"response": replace(RESPONSE, push_back=PushBackHint(channel="email"))}, "with mail.reply"),
        ({"response": replace(RESPONSE, push_back=PushBackHint(thread_ref="x"))}, "thread_ref"),
        ({"to": replace(MESSAGE, received_via="email")}, r"mail\.reply"),
        ({"to": replace(MESSAGE, raw=None)}, r"to\.raw"),
        ({"base": "http://agents.example"}, "base"),
        ({"base": "https://agents.example?x"}, "base"),
        ({"base": "https://agents.example/#x"}, "base"),
        ({"base": None}, "base"),
        ({"base": "https://elsewhere.example"}, "key_id must be the id of your actor on elsewhere"),
        ({"key": "key"}, "SigningKey"),
        ({"key": SigningKey.from_seed(bytes(32), key_id=HELPER)}, "with a fragment"),
        ({"key": ELSEWHERE, "settings": activitypub.Settings(object_key=OBJECTS)}, "of the same actor"),
        ({"siblings": ["@bob@other.example"]}, "siblings"),
        ({"now": datetime(2026, 11, 21)}, "now"),  # noqa: DTZ001
        ({"entropy": b""}, "entropy"),
        ({"settings": None}, "settings"),
    ],
    ids=range(19),
)
def test_what_the_program_got_wrong_is_named(given: dict[str, Any], words: str) -> None:
    call: dict[str, Any] = {"to": MESSAGE, "base": BASE, "key": KEY, "now": NOW, "entropy": ENTROPY} | given
    response = call.pop("response", RESPONSE)
    with pytest.raises(UsageError, match=words):
        activitypub.reply(response, **with_settings(call))


LATER = NOW + timedelta(minutes=5)


def changed(served: Any, *parts: Any, **given: Any) -> Any:
    call: dict[str, Any] = {"to": MESSAGE, "base": BASE, "key": KEY, "now": LATER, "entropy": bytes(range(32))} | given
    return activitypub.update(NormalizedResponse.to(call["to"], *parts), note=served, **with_settings(call))


def test_an_update_keeps_the_id_and_says_when_it_was_changed() -> None:
    first = answer("Hello")
    out = changed(first.serve[first.native_id], "Hello, alice!")
    note, old = note_in(out), note_in(first)
    assert out.native_id == note["id"] == first.native_id
    assert (note["published"], note["updated"]) == (old["published"], "2026-11-21T21:01:00Z")
    assert out.activity["type"] == "Update"
    assert out.activity["id"].startswith(f"{first.native_id}/updates/")
    assert list(out.serve) == [first.native_id, out.activity["id"]]
    got = received(out.deliveries[0])
    assert got.message.parts == (TextPart(content="Hello, alice!", mime="text/markdown"),)
    assert got.native_id != first.activity["id"]
    again = changed(out.serve[out.native_id], "Hello, alice!", now=LATER + timedelta(minutes=1))
    assert note_in(again)["published"] == old["published"]
    assert again.activity["id"] != out.activity["id"]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"id": "https://elsewhere.example/1"}, "has no id"),
        ({"id": 7}, "has no id"),
        ({"published": None}, "no time"),
        ({"type": "Create"}, "by this agent"),
        ({"attributedTo": ALICE}, "by this agent"),
        ({"inReplyTo": "https://social.example/notes/9"}, "another message"),
    ],
    ids=range(6),
)
def test_only_ones_own_answer_can_be_updated(members: dict[str, Any], words: str) -> None:
    first = answer("Hello")
    with pytest.raises(UsageError, match=words):
        changed({**first.serve[first.native_id], **members}, "x")
    with pytest.raises(UsageError, match="must be the document that is served"):
        changed(json.dumps(first.serve[first.native_id]), "x")


def test_more_files_than_a_note_may_have_are_linked_in_the_text() -> None:
    files = [FilePart.of(bytes([n]), mime="text/plain", name=f"{n}.txt") for n in range(66)]
    out = answer(*files)
    assert len(note_in(out)["attachment"]) == 64
    assert len(out.files) == 66
    assert note_in(out)["content"].count(f'href="{BASE}/files/') == 2
    assert len(received(out.deliveries[0]).message.parts) == 65


def test_an_answer_to_what_came_blind_is_direct() -> None:
    message = without_raw(activity=create(note(to=[ALICE], bto=[HELPER]), to=[ALICE]))
    assert answer("Hello", to=message).activity["to"] == [ALICE]


def test_a_key_of_another_actor_than_was_asked_is_told_of() -> None:
    tag = {"type": "Mention", "href": HELPER, "name": "@helper@agents.example"}
    to = asked(tag=[tag])
    assert answer("Hi", to=to).diagnostics == ()
    other = SigningKey.from_seed(bytes(32), key_id=f"{BASE}/actors/other#main-key")
    out = answer("Hi", to=to, key=other)
    assert [note.code for note in out.diagnostics] == ["key-mismatch"]
    assert out.activity["actor"] == f"{BASE}/actors/other"


def test_two_answers_of_one_entropy_never_share_an_id() -> None:
    settings = activitypub.Settings(limits=Limits(trace_bytes=0))
    files = [FilePart.of(data, mime="text/plain") for data in (b"a", b"b")]
    ids = {answer("Hi", file, settings=settings).native_id for file in files}
    assert len(ids) == 2
