"""The calls of answers have the arguments that Slack's own SDK takes for each method."""

from __future__ import annotations

import inspect
import json
import re

import pytest
from slack_sdk import WebClient
from slack_sdk.models.blocks import Block
from slack_sdk.models.messages.chunk import Chunk, MarkdownTextChunk, TaskUpdateChunk

from mentionable import FilePart, NormalizedResponse, TextPart, ToolCallPart
from mentionable.connectors import Choice, slack
from mentionable.policy import AcceptedPayment, ConsentRequired, PaymentRequired
from tests.connectors.slack_workspace import TS, mention, message, said

QUESTION, DIRECT = message(mention()), message(said())
STATE = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"
PAY = PaymentRequired(
    message="Pay.",
    url="https://agents.example/pay",
    state=STATE,
    accepted_payments=(AcceptedPayment(scheme="x402.exact", payload={}),),
)
CONSENT = ConsentRequired(message="Agree?", state=STATE, return_to="https://agents.example/back")
FILE = FilePart.of(b"hi", mime="text/plain", name="a.txt")
CALL = ToolCallPart(id="c1", name="rain", args={}, result=1)
CHOICES = [Choice(label="Yes", value="y")]
MENU = [Choice(label=f"l{number}", value=f"v{number}") for number in range(6)]


def answer(*parts, to=QUESTION, status="ok"):
    return NormalizedResponse.to(to, *parts, status=status)


FIRST = answer("So", status="partial")
STREAM = slack.Stream(ts="1795294501.000100", frame=FIRST)


def every_answer():
    for to in (QUESTION, DIRECT):
        whole = answer("Hi *you*", TextPart(content="_y_"), CALL, FILE, PAY, to=to)
        for options in (
            slack.PostOptions(),
            slack.PostOptions(update=TS),
            slack.PostOptions(broadcast=True),
            slack.PostOptions(ephemeral=True),
        ):
            yield slack.reply(whole, to=to, options=options, choices=CHOICES)
        yield slack.reply(answer("Which?", CONSENT, to=to), to=to, choices=MENU)
        yield slack.typing(to=to)
        yield slack.react("👀", to=to)
        yield slack.unreact("eyes", to=to)
    yield slack.start_stream(FIRST, to=QUESTION)
    yield slack.append_stream(answer("So far", CALL, status="partial"), to=QUESTION, stream=STREAM)
    yield slack.stop_stream(answer("So far", CALL, FILE, PAY), to=QUESTION, stream=STREAM, choices=CHOICES)
    yield slack.stop_stream(answer("Other"), to=QUESTION, stream=STREAM)


CALLS = [call for out in every_answer() for call in out.calls if call.url is None]


def method_of(call):
    return getattr(WebClient, re.sub(r"\.", "_", call.method))


@pytest.mark.parametrize("name", sorted({call.method for call in CALLS}))
def test_the_sdk_takes_every_argument(name):
    for call in CALLS:
        if call.method == name:
            parameters = inspect.signature(method_of(call)).parameters
            named = {name for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY}
            assert call.params.keys() - named <= {"session_status"}, call.method
            inspect.signature(method_of(call)).bind(None, **call.params)
            json.dumps(call.params)


def test_every_method_is_called():
    assert {call.method for call in CALLS} == {
        "assistant.threads.setStatus",
        "chat.appendStream",
        "chat.postEphemeral",
        "chat.postMessage",
        "chat.startStream",
        "chat.stopStream",
        "chat.update",
        "files.completeUploadExternal",
        "files.getUploadURLExternal",
        "reactions.add",
        "reactions.remove",
    }


def test_the_sdk_knows_every_block():
    blocks = [block for call in CALLS for block in call.params.get("blocks", ())]
    assert {block["type"] for block in blocks} >= {"section", "context", "rich_text", "actions"}
    for block in blocks:
        parsed = Block.parse(block)
        assert parsed is not None
        parsed.validate_json()


def test_the_sdk_knows_every_chunk():
    chunks = [Chunk.parse(chunk) for call in CALLS for chunk in call.params.get("chunks", ())]
    assert {type(chunk) for chunk in chunks} == {MarkdownTextChunk, TaskUpdateChunk}
