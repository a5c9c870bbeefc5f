"""The law of what people see in iMessage: each word is in a part, in `raw`, or named; and no other is anywhere."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mentionable import Received
from tests.connectors.bluebubbles_events import FILES, OTHER, received, settings, told
from tests.connectors.canaries import Canaries, leaked, lost

OWN = settings(groups=True, own_messages=True, files=FILES)


def webhook(canaries: Canaries) -> dict[str, Any]:
    """A webhook with a canary in each member."""
    word, secret, maybe = canaries.word, canaries.secret, canaries.maybe

    def attachment() -> dict[str, Any]:
        file = {"guid": secret() if maybe(0.8) else f"a/{secret()}", "transferName": f"{word()}.heic", "uti": secret()}
        if maybe(0.2):
            return {**file, "transferName": f"{secret()}.heic", "hideAttachment": True}
        return {**file, "mimeType": "image/heic", "totalBytes": 9, "metadata": {"x": secret()}}

    def preview() -> dict[str, Any]:
        texts = {"title": word(), "summary": word(), "siteName": word(), "imageMetadata": {"url": secret()}}
        return {**texts, "url": f"https://{word()}.example/"} if maybe() else {**texts, "url": secret()}

    def app() -> dict[str, Any]:
        info = {"caption": word(), "subcaption": word(), "image-title": word(), "tertiary-subcaption": word()}
        return {"appName": word(), "ldtext": word(), "url": secret(), "userInfo": info, "session": secret()}

    def run() -> dict[str, Any]:
        attributes = {"__kIMMentionConfirmedMention": secret(), "__kIMMessagePartAttributeName": 0}
        return {"attributes": {**attributes, "IMAudioTranscription": word()} if maybe() else attributes}

    number = f"+1555{secret()}"
    chat: dict[str, Any] = {"guid": f"iMessage;+;{secret()}", "style": 43, "participants": [{"address": secret()}]}
    changes: dict[str, Any] = {
        "text": f"\ufffc{word()} {word()}\r\n{word()}" if maybe() else "\ufffc",
        "subject": word() if maybe() else None,
        "handle": {"address": number, "service": "iMessage", "uncanonicalizedId": secret()},
        "chats": [{**chat, "displayName": word()} if maybe() else {**chat, "style": 45}],
        "attachments": canaries.several(attachment),
        "attributedBody": [{"string": secret(), "runs": canaries.several(run)}],
        "payloadData": {"urlData": canaries.several(preview), "appData": canaries.several(app)} if maybe() else None,
        "expressiveSendStyleId": "com.apple.messages.effect.CKEchoEffect" if maybe() else secret(),
        "isFromMe": maybe(0.2),
        "threadOriginatorGuid": OTHER if maybe() else None,
        "error": secret(),
    }
    unit = told(**changes)
    canaries.forget_unused(unit)
    return unit


def check(got: Any, canaries: Canaries, unit: dict[str, Any]) -> None:
    if isinstance(got, Received):
        files = {
            file["guid"] for file in unit["data"]["attachments"]
        }  # those of files are in the URLs of the connector
        hidden = [word for word in leaked(got, canaries) if not any(word in guid for guid in files)]
        assert (lost(got, canaries), hidden) == ([], [])
    else:
        assert got.code in ("unsupported-event", "part-unsupported")


@given(st.integers(0, 2**32))
def test_each_word_that_people_see_is_read_or_named(seed):
    canaries = Canaries(Random(seed))
    unit = webhook(canaries)
    check(received(unit, own=OWN), canaries, unit)


@given(st.integers(0, 2**32))
def test_no_word_is_lost_where_no_file_can_be_given_out(seed):
    canaries = Canaries(Random(seed))
    unit = webhook(canaries)
    check(received(unit, own=settings(groups=True, own_messages=True)), canaries, unit)


def test_the_grammar_is_read_as_a_whole():
    outcomes = [received(webhook(Canaries(Random(seed))), own=OWN) for seed in range(200)]
    assert sum(isinstance(got, Received) for got in outcomes) > 180
