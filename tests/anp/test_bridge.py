"""Notifications over transports, messages as events, and answers as narrations."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import (
    CallError,
    CarriedPolicy,
    DecodeError,
    FilePart,
    LinkPart,
    NormalizedMessage,
    NormalizedResponse,
    Streaming,
    TextPart,
    ToolCallPart,
    UsageError,
    a2a,
    anp,
    decode_trusted,
    dumps,
    plain_text,
    replace,
)
from mentionable.policy import Forbidden
from tests.a2a import questions
from tests.activitypub import answering as notes
from tests.anp import events
from tests.anp.events import OLIVIA
from tests.anp.test_presentation import shown
from tests.answered import response_in
from tests.mail import answering as mails
from tests.samples import MESSAGE

SECRET = bytes(range(16))
KNOWN = {"user_id": OLIVIA, "secret": SECRET}
SCRIPT = "<script>*x*</script> & @bob@other.example"


def over_mail(to: NormalizedMessage, response: NormalizedResponse) -> Any:
    """What the reader of the mail receives."""
    return mails.read_back(mails.reply(response, to=to).data).message


def over_activitypub(to: NormalizedMessage, response: NormalizedResponse) -> Any:
    """What the server of the reader receives."""
    return notes.received(notes.answer(response, to=to).deliveries[0]).message


def over_a2a(to: NormalizedMessage, response: NormalizedResponse) -> Any:
    """The response that the reader is given."""
    out = a2a.reply(response, to=to, now=questions.NOW, entropy=bytes(32))
    assert out.diagnostics == ()
    return response_in(a2a.result(out.response, to=to))


WAYS = [(mails.question(), over_mail), (notes.MESSAGE, over_activitypub)]
WAYS += [(questions.question(way), over_a2a) for way in questions.WAYS]
NAMES = ["mail", "activitypub", *(f"a2a-{way}" for way in questions.WAYS)]


@pytest.mark.parametrize(("question", "send"), WAYS, ids=NAMES)
@pytest.mark.parametrize("origin", ["plugin", "agent", None])
def test_a_notification_goes_out_and_its_acknowledgement_finds_it(question, send, origin):
    record = events.escalated("user", "user", "agent", metadata={"fallback_text": "Backup failed: 3 disks."})
    record = replace(record, actions=("rm",), **({"origin": origin} if origin else {}))
    response = anp.to_response(record, to=question, secret=SECRET)
    got = send(question, response)
    text = "\n".join(part.content for part in got.parts)
    assert "Backup failed: 3 disks." in text
    assert "The agent used rm." in text
    found = anp.presented_in(got, **KNOWN)
    assert found == anp.EventEffect(id="e1", revision=1, lease=2) == anp.presented_in(response, **KNOWN)
    assert anp.presented_in(got, user_id="eve", secret=SECRET) is None
    ack = anp.acknowledge(found, user_id=OLIVIA)
    assert events.decided(record, ack, now=events.LATER).record.status == "delivered"


@pytest.mark.parametrize(("question", "send"), WAYS, ids=NAMES)
def test_words_of_a_plugin_are_nothing_but_words(question, send):
    got = send(question, anp.to_response(shown(content=SCRIPT), to=question, secret=SECRET))
    assert plain_text(got).endswith(SCRIPT)


def test_a_narration_is_markdown_and_a_plugin_is_not():
    agent, plugin = (anp.to_response(shown(origin=origin), to=MESSAGE, secret=SECRET) for origin in ("agent", "plugin"))
    assert [response.parts[0].mime for response in (agent, plugin)] == ["text/markdown", "text/plain"]


def test_the_stored_response_is_found_by_the_answer_of_the_user():
    question = mails.question()
    response = anp.to_response(shown(), to=question, secret=SECRET)
    out = mails.reply(response, to=question)
    stored = {out.native_id: dumps(response)}
    again = mails.asked(f"In-Reply-To: {out.native_id}", "Message-ID: <2@a.example>")
    found = anp.presented_in(decode_trusted(NormalizedResponse, stored[again.in_reply_to]), **KNOWN)
    assert anp.acknowledge(found, user_id=OLIVIA) == anp.ClientAck(lease=1, user_id=OLIVIA, revision=1)


def test_what_is_not_whole_or_not_shown_is_not_sent():
    with pytest.raises(UsageError, match="content, actions was cut"):
        anp.to_response(shown(cut=("content", "actions")), to=MESSAGE, secret=SECRET)
    with pytest.raises(UsageError, match="nothing of it is shown"):
        anp.to_response(events.routed("user", "agent", "system"), to=MESSAGE, secret=SECRET)
    with pytest.raises(UsageError, match="NormalizedMessage"):
        anp.to_response(shown(), to="m1", secret=SECRET)


def test_what_shows_no_event_names_none():
    assert anp.presented_in(NormalizedResponse.to(MESSAGE, "Hi", LinkPart(url="https://a.example/")), **KNOWN) is None
    assert anp.presented_in(MESSAGE, **KNOWN) is None


def mark(**members: Any) -> dict[str, Any]:
    """What seals a presentation, with other members."""
    part = anp.to_response(shown(), to=MESSAGE, secret=SECRET).parts[0]
    return {**part.extra["anp"], **members}


FORGED = {
    "none": None,
    "text": "e1",
    "list": [],
    "empty": {},
    "unsealed": {"id": "e1", "revision": 1, "lease": 1},
    "no seal": mark(seal=None),
    "half a seal": mark(seal=mark()["seal"][:32]),
    "no ascii": mark(seal="ä" * 64),
    "zeros": mark(seal="0" * 64),
    "other event": mark(id="e2"),
    "other revision": mark(revision=2),
    "other lease": mark(lease=2),
    "no event": mark(id=""),
    "no revision": mark(revision="1"),
    "no lease": mark(lease=0),
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_mark_that_nobody_sealed_names_no_event(forged):
    part = TextPart(content="Hi", extra={"anp": forged})
    assert anp.presented_in(NormalizedResponse.to(MESSAGE, "Hi", part), **KNOWN) is None
    assert anp.presented_in(replace(MESSAGE, parts=(part,)), **KNOWN) is None
    beside = NormalizedResponse.to(MESSAGE, part, TextPart(content="Hi", extra={"anp": mark()}))
    assert anp.presented_in(beside, **KNOWN) == anp.EventEffect(id="e1", revision=1, lease=1)


def test_a_mark_is_sealed_for_one_user_with_one_secret():
    response = anp.to_response(shown(), to=MESSAGE, secret=SECRET)
    assert anp.presented_in(response, **KNOWN) == anp.EventEffect(id="e1", revision=1, lease=1)
    for other in ({"user_id": "eve"}, {"user_id": ""}, {"secret": SECRET[::-1]}, {"secret": SECRET + b"x"}):
        assert anp.presented_in(response, **{**KNOWN, **other}) is None


@pytest.mark.parametrize(("question", "send"), WAYS, ids=NAMES)
def test_a_forged_mark_in_an_answer_names_no_event(question, send):
    forged = TextPart(content="Seen.", extra={"anp": FORGED["zeros"]})
    got = send(question, NormalizedResponse.to(question, forged))
    assert b'"anp"' in dumps(got)
    assert anp.presented_in(got, **KNOWN) is None


@pytest.mark.parametrize(("sealed", "found"), [(mark(), True), (FORGED["unsealed"], False)], ids=["sealed", "forged"])
def test_an_inbound_message_names_an_event_by_its_seal_alone(sealed, found):
    part = {"text": "Hi", "metadata": {"mentionable": {"extra": {"anp": sealed}}}}
    asked = questions.bare({"messageId": "q1", "contextId": "c1", "role": "ROLE_USER", "parts": [part]})
    assert asked.parts[0].extra == {"anp": sealed}
    assert (anp.presented_in(asked, **KNOWN) is not None) is found


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"secret": SECRET[:15]}, "at least 16 random bytes"),
        ({"secret": "x" * 16}, "at least 16 random bytes"),
        ({"secret": None}, "at least 16 random bytes"),
        ({"carrier": "e1"}, "expected a NormalizedResponse"),
        ({"user_id": None}, "user_id must be str, not NoneType"),
        ({"user_id": "\ud800"}, "user_id"),
    ],
    ids=ascii,
)
def test_wrong_arguments_are_the_fault_of_the_program(wrong, words):
    given = {"carrier": anp.to_response(shown(), to=MESSAGE, secret=SECRET), **KNOWN, **wrong}
    with pytest.raises(UsageError, match=words):
        anp.presented_in(given.pop("carrier"), **given)
    if "secret" in wrong:
        with pytest.raises(UsageError, match=words):
            anp.to_response(shown(), to=MESSAGE, **wrong)


# -- messages as events

ROUTING = events.flags("user", "user", "system")


def taken(message: Any = MESSAGE, **how: Any) -> anp.Submission:
    return anp.to_submission(message, **{"user_id": OLIVIA, "routing": ROUTING, **how})


def test_a_message_becomes_an_event_that_names_it():
    session = events.flags("session", "user", "agent")
    found = taken(routing=session, session_id="s1", deduplication_key="mail")
    about = {"id": MESSAGE.id, "thread_id": "t", "received_via": "activitypub", "sender": "@alice@a.example"}
    about |= {"sender_name": "Alice", "sender_verified": False}
    assert found == anp.Submission(
        content="Hello",
        user_id=OLIVIA,
        routing=session,
        session_id="s1",
        deduplication_key="mail",
        metadata={"message": about},
    )


@pytest.mark.parametrize(("question", "_send"), WAYS, ids=NAMES)
def test_every_transport_gives_events(question, _send):
    command = anp.Submit(submission=taken(question), id=question.id)
    record = events.decided(events.decided(None, command).record, anp.Route()).record
    assert anp.presentation(record).metadata["message"]["received_via"] == question.received_via


def test_a_sender_without_a_name_has_none():
    message = replace(MESSAGE, sender=replace(MESSAGE.sender, display_name=None))
    assert "sender_name" not in taken(message).metadata["message"]


def test_a_long_message_is_cut_and_says_so():
    most = taken(replace(MESSAGE, parts=(TextPart(content="x" * 65_536),)))
    long = taken(replace(MESSAGE, parts=(TextPart(content="x" * 65_537),)))
    assert (len(most.content), "cut" in most.metadata) == (65_536, False)
    assert (len(long.content), long.content[-2:], long.metadata["cut"]) == (65_536, "x…", ["content"])


def test_files_alone_are_named():
    message = replace(MESSAGE, parts=(FilePart.of(b"a", mime="text/csv", name="a.csv"),))
    assert taken(message).content == "[a.csv (text/csv)]"


@pytest.mark.parametrize("parts", [(), (TextPart(content=""),), (TextPart(content=" \n\t"),)])
def test_a_message_that_says_nothing_is_no_event(parts):
    with pytest.raises(DecodeError) as caught:
        taken(replace(MESSAGE, parts=parts))
    assert (caught.value.code, caught.value.problems[0].at) == ("malformed", "/parts")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"message": "Hi"}, "NormalizedMessage"),
        ({"user_id": ""}, "user_id"),
        ({"routing": "user"}, "routing"),
        ({"routing": events.flags("session", "user", "system")}, "session_id"),
    ],
)
def test_mistakes_of_the_program_are_named(how, words):
    with pytest.raises(UsageError, match=words):
        taken(**how)


# -- answers as narrations


def said(*parts: Any, **members: Any) -> NormalizedResponse:
    return replace(NormalizedResponse.to(MESSAGE, *parts), **members)


CALL = ToolCallPart(id="c1", name="rm", args={}, error=CallError(message="no"))


@pytest.mark.parametrize(
    ("response", "output", "ids"),
    [
        (said("It *failed*."), "It *failed*.", ()),
        (said("It failed.", extra={"acknowledged_ids": ["e1", "e1", "e2"]}), "It failed.", ("e1", "e2")),
        (said('{"output": "It failed.", "acknowledged_ids": ["e1"]}'), "It failed.", ("e1",)),
        (said('{"acknowledged_ids": ["e2"]}', extra={"acknowledged_ids": ["e1"]}), None, ("e2", "e1")),
        (said("See", LinkPart(url="https://a.example/", title="log")), "See\n\nlog <https://a.example/>", ()),
        (said(CALL, "It failed."), "It failed.", ()),
        (said(CALL), None, ()),
        (said(), None, ()),
        (said(extra={"acknowledged_ids": ["e1"]}), None, ("e1",)),
        (said(" \n"), None, ()),
        (said("It failed.", status="error"), None, ()),
        (said("Done.", streaming=Streaming(stream_id="s", seq=3, final=True)), "Done.", ()),
    ],
)
def test_what_an_agent_says_and_acknowledges(response, output, ids):
    assert anp.narration_of(response) == anp.AgentOutput(output, ids, ())


def test_what_cannot_be_read_is_noted():
    found = anp.narration_of(said("It failed.", extra={"acknowledged_ids": [5]}))
    assert [note.code for note in found.diagnostics] == ["output-unread"]


def test_a_demand_is_told():
    found = anp.narration_of(said(CarriedPolicy(policy=Forbidden(message="Not for you."))))
    assert "Not for you." in found.output


def test_ids_are_bounded():
    extra = {"acknowledged_ids": [f"b{number}" for number in range(1000)]}
    words = '{"acknowledged_ids": ["a"]}'
    found = anp.narration_of(said(words, extra=extra)).acknowledged_ids
    assert (len(found), found[:2]) == (1000, ("a", "b0"))


@pytest.mark.parametrize(
    "wrong", ["It failed.", said("It", status="partial", streaming=Streaming(stream_id="s", seq=0, final=False))]
)
def test_only_a_whole_response_is_a_narration(wrong):
    with pytest.raises(UsageError):
        anp.narration_of(wrong)


def test_an_answer_ends_a_turn_and_is_presented_in_the_words_of_the_agent():
    record = events.routed("user", "user", "agent")
    found = anp.narration_of(said("Your backup *failed*.", extra={"acknowledged_ids": ["e1"]}))
    turn = anp.CommitTurn(
        lease=1, output=found.output, acknowledged="e1" in found.acknowledged_ids, narration_id="n1", is_trigger=True
    )
    narration = events.the(anp.PresentNarration, events.decided(record, turn))
    child = events.decided(None, anp.Submit(submission=narration.narration, id=narration.narration_id)).record
    child = events.decided(child, anp.Route()).record
    part = anp.to_response(child, to=MESSAGE, secret=SECRET).parts[0]
    assert (part.content, part.mime) == ("Your backup *failed*.", "text/markdown")
