"""Answers that grow: what is begun, appended and ended, and where Slack has no stream."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    CallError,
    CarriedPolicy,
    FilePart,
    LinkPart,
    NormalizedResponse,
    Settings,
    TextPart,
    ToolCallPart,
    UnanswerableError,
    UrlRef,
    UsageError,
    replace,
)
from mentionable.connectors import Choice, slack
from mentionable.connectors.slack import Stream
from mentionable.connectors.slack._write.inline import Mentions
from mentionable.connectors.slack._write.stream import chunks_of
from mentionable.policy import ConsentRequired
from tests.connectors.slack_workspace import command_unit, mention, message, outcome, said
from tests.linearity import time_grows_linearly

QUESTION, DIRECT = message(mention()), message(said())
BOT = message(mention(bot_id="B2", user=None))
COMMAND = outcome(command_unit()).message
PRIVATE = replace(QUESTION, raw={**QUESTION.raw, "is_ephemeral": True})
TS = "1795294501.000100"
JOIN = "\u2060"
CONSENT = ConsentRequired(message="canary", state="c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz", return_to="https://a.example/")
RUNNING = ToolCallPart(id="c1", name="rain", args={"q": 1})
DONE = replace(RUNNING, result=["*wet*"])


def frame(*parts, to=QUESTION, status="partial"):
    return NormalizedResponse.to(to, *parts, status=status)


def final(*parts, to=QUESTION):
    return frame(*parts, to=to, status="ok")


def append(before, after, **facts):
    to = facts.pop("to", QUESTION)
    return slack.append_stream(after, to=to, stream=Stream(ts=TS, frame=before), **facts)


def stop(before, after, **facts):
    to = facts.pop("to", QUESTION)
    return slack.stop_stream(after, to=to, stream=Stream(ts=TS, frame=before), **facts)


def text_of(out):
    return "".join(
        chunk["text"] for call in out.calls for chunk in call.params.get("chunks", ()) if chunk["type"] != "task_update"
    )


def test_a_stream_in_a_channel_is_for_the_asker():
    post = slack.start_stream(frame("It"), to=QUESTION)
    assert post.method == "chat.startStream"
    assert post.params == {
        "channel": "C1",
        "thread_ts": "1795294500.000100",
        "recipient_team_id": "T1",
        "recipient_user_id": "U1",
        "chunks": [{"type": "markdown_text", "text": "It"}],
    }


def test_a_stream_in_a_direct_message_names_no_recipient():
    post = slack.start_stream(frame(to=DIRECT), to=DIRECT)
    assert post.params == {"channel": "D1", "thread_ts": "1795294500.000100"}


def test_what_is_new_is_appended():
    post = append(frame("It **wi"), frame("It **will** rain"))
    assert post.method == "chat.appendStream"
    assert post.params == {
        "channel": "C1",
        "ts": TS,
        "chunks": [{"type": "markdown_text", "text": "ll** rain"}],
    }


def test_nothing_new_is_no_call():
    assert append(frame("It"), frame("It")).calls == ()


def test_parts_stand_apart():
    assert text_of(append(frame("a"), frame("a", "b"))) == "\n\nb"


def test_a_tool_call_is_a_task_that_changes():
    first = append(frame("a"), frame("a", RUNNING)).params["chunks"]
    assert first == [{"type": "task_update", "id": "c1", "title": 'rain({"q":1})', "status": "in_progress"}]
    (second,) = append(frame("a", RUNNING), frame("a", DONE)).params["chunks"]
    assert second == {**first[0], "status": "complete", "output": f'["{JOIN}*{JOIN}wet{JOIN}*{JOIN}"]'}
    failed = replace(RUNNING, error=CallError(message="<!channel>"))
    (third,) = append(frame("a", RUNNING), frame("a", failed)).params["chunks"]
    assert (third["status"], third["output"]) == ("error", f"<{JOIN}!channel>")
    assert append(frame(DONE), frame(DONE)).calls == ()


def test_the_end_brings_the_rest_and_the_choices():
    post = stop(frame("So"), final("So?"), choices=[Choice(label="Yes", value="y")])
    assert post.method == "chat.stopStream"
    assert post.params["chunks"] == [{"type": "markdown_text", "text": "?"}]
    assert [block["type"] for block in post.params["blocks"]] == ["actions"]
    assert stop(frame("So"), final("So")).params == {"channel": "C1", "ts": TS}


def test_the_policies_of_a_stream_are_for_the_asker():
    stopped, demanded = stop(frame("So"), final("So", CONSENT)).calls
    assert (stopped.method, demanded.method) == ("chat.stopStream", "chat.postEphemeral")
    assert "canary" not in json.dumps(stopped.params)
    for out in (
        slack.start_stream(frame("So", CONSENT), to=QUESTION),
        append(frame("So"), frame("So on", CONSENT)),
    ):
        assert "canary" not in json.dumps([call.params for call in out.calls])
    with pytest.raises(UnanswerableError):
        stop(frame("So", to=BOT), final("So", CONSENT, to=BOT), to=BOT)


def test_the_files_of_a_stream_are_uploaded_at_its_end():
    file = FilePart.of(b"hi", mime="text/plain", name="a.txt")
    assert text_of(append(frame("a"), frame("a", file, "b"))) == "\n\nb"
    assert [call.method for call in stop(frame("a"), final("a", file)).calls] == [
        "chat.stopStream",
        "files.getUploadURLExternal",
        "upload_url",
        "files.completeUploadExternal",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (frame("It will"), frame("It may")),
        (frame("a", RUNNING), frame("a", "b", RUNNING)),
        (frame("a"), frame("a" * 12_001)),
    ],
    ids=["other words", "a task elsewhere", "too long"],
)
def test_what_does_not_go_on_waits_for_the_end(before, after):
    post = append(before, after)
    assert (post.calls, [note.code for note in post.diagnostics]) == ((), ["part-changed"])
    calls = stop(before, replace(after, status="ok", streaming=None)).calls
    assert [call.method for call in calls[:2]] == ["chat.stopStream", "chat.update"]
    assert (calls[0].params, calls[1].params["ts"]) == ({"channel": "C1", "ts": TS}, TS)


@pytest.mark.parametrize("to", [BOT, COMMAND], ids=["a program asked", "no thread"])
def test_where_slack_has_no_stream_a_message_is_updated(to):
    first = frame("So", to=to)
    assert slack.start_stream(first, to=to).method == "chat.postMessage"
    assert append(first, frame("So on", to=to), to=to).method == "chat.update"
    assert stop(first, final("So on.", to=to), to=to).method == "chat.update"


def test_a_beginning_that_is_too_long_is_a_message():
    first = frame("a " * 7_000)
    assert slack.start_stream(first, to=QUESTION).method == "chat.postMessage"
    assert append(first, frame("a " * 8_000)).method == "chat.update"


def test_what_the_asker_alone_saw_is_answered_at_the_end():
    assert slack.start_stream(frame("So"), to=PRIVATE).calls == ()
    assert slack.stop_stream(final("So."), to=PRIVATE, stream=None).method == "chat.postEphemeral"


def test_a_stream_that_never_began_is_an_answer():
    assert slack.stop_stream(final("So."), to=QUESTION, stream=None).method == "chat.postMessage"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (TextPart(content="*a* _b_ :c: <@U9>"), f"\\*a\\* \\_b\\_ :{JOIN}c: \\<{JOIN}@U9\\>"),
        (TextPart(content="  a\n\tb"), f"{JOIN}  a\n{JOIN}\tb"),
        (TextPart(content="<p>a <b>b</b></p>", mime="text/html"), "a **b**"),
        (TextPart(content="<!channel> **a**", mime="text/markdown"), f"<{JOIN}!channel> **a**"),
        (LinkPart(url="https://a.example/", title="A"), "[A](https://a.example/)"),
        (LinkPart(url="https://a.example/", title="A", description="*x*"), "[A](https://a.example/)\n\n\\*x\\*"),
        (
            FilePart(mime="text/csv", name="a.csv", bytes_ref=UrlRef(url="https://a.example/f")),
            "[a.csv](https://a.example/f) (text/csv)",
        ),
        (CarriedPolicy(policy=CONSENT), ""),
    ],
)
def test_every_kind_of_part_is_markdown(part, text):
    assert text_of(stop(frame(), final(part))) == text


def test_who_is_named_is_mentioned():
    parts = ("<@U1> <@U2> @rain@agents.example.", TextPart(content="<@U1>"))
    post = stop(frame(), final(*parts), mentions=["U1"], siblings={"@rain@agents.example": "U7"})
    assert text_of(post) == f"<@U1> <{JOIN}@U2> <@U7>.\n\n<@U1>"


def test_a_copied_token_mentions_its_person_as_in_other_answers():
    assert text_of(slack.start_stream(frame("Yes, <@U1>, <@U2>. "), to=QUESTION)) == f"Yes, <@U1>, <{JOIN}@U2>. "
    assert text_of(append(frame("Yes. "), frame("Yes. <@U1> "), to=QUESTION)) == "<@U1> "
    off = {"settings": Settings(mention_participants=False)}
    assert text_of(stop(frame(), final("<@U1>"), **off)) == f"<{JOIN}@U1>"


def test_a_word_that_may_become_a_mention_waits():
    facts = {"mentions": ["U1"]}
    first = frame("ask <@U")
    assert text_of(slack.start_stream(first, to=QUESTION, **facts)) == "ask "
    assert text_of(append(first, frame("ask <@U1> now"), **facts)) == "<@U1> now"


def test_an_answer_without_content_says_why():
    failed = NormalizedResponse.failed(QUESTION, "Out of *order*.", code="x")
    assert text_of(stop(frame(), failed)) == "Out of \\*order\\*\\."
    assert text_of(stop(frame("a"), final("a", RUNNING))) == ""


@given(st.text(alphabet="a *_`<>@!#U1:\n -.&\\", max_size=60), st.data())
@pytest.mark.parametrize("mime", ["text/plain", "text/markdown"])
def test_the_pieces_of_a_stream_are_the_whole(mime, text, data):
    check_pieces(mime, text, sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4))))


@pytest.mark.parametrize("text", ["<@U1>", "a \\<@U1>", "\\", "<b", "@U1"])
@pytest.mark.parametrize("mime", ["text/plain", "text/markdown"])
def test_a_sign_that_may_begin_a_mention_waits_with_what_escapes_it(mime, text):
    for cuts in combinations_with_replacement(range(len(text) + 1), 2):
        check_pieces(mime, text, cuts)


def check_pieces(mime, text, cuts):
    frames = [frame(TextPart(content=text[:cut], mime=mime)) for cut in cuts]
    whole = final(TextPart(content=text, mime=mime))
    pieces = []
    shown = frames[0] if frames else frame()
    pieces.append(text_of(slack.start_stream(shown, to=QUESTION, mentions=["U1"])))
    for one in frames[1:]:
        out = append(shown, one, mentions=["U1"])
        pieces.append(text_of(out))
        shown = one if out.calls else shown
    pieces.append(text_of(stop(shown, whole, mentions=["U1"])))
    assert "".join(pieces) == text_of(stop(frame(), whole, mentions=["U1"]))


def test_wrong_arguments_are_the_callers_fault():
    for wrong in (
        lambda: slack.start_stream(final("x"), to=QUESTION),
        lambda: append(frame("x"), final("x")),
        lambda: stop(frame("x"), frame("x")),
        lambda: Stream(ts="x", frame=frame("x")),
        lambda: Stream(ts=TS, frame=None),
        lambda: slack.append_stream(frame("x"), to=QUESTION, stream=None),
        lambda: slack.stop_stream(final("x"), to=QUESTION, stream=TS),
    ):
        with pytest.raises(UsageError):
            wrong()


@pytest.mark.uncounted
@pytest.mark.parametrize("piece", ["*", "<@", ":a", "\n ", "@a@b", "a "])
def test_writing_a_stream_is_linear(piece):
    allowed = Mentions(users=frozenset({"U1"}))
    time_grows_linearly(
        lambda text: chunks_of(frame(TextPart(content=text)), allowed, None),
        lambda size: piece * size,
        largest=1 << 13,
    )


@pytest.mark.uncounted
@pytest.mark.parametrize("piece", ["*a ", "> \n", ":a:", "`", "https://a.example "])
def test_showing_plain_text_is_linear(piece):
    time_grows_linearly(
        lambda text: slack.reply(final(TextPart(content=text)), to=QUESTION), lambda size: piece * size, largest=1 << 13
    )
