"""The work of reading a webhook of BlueBubbles grows with the webhook, and no faster."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import Limits
from mentionable.connectors.bluebubbles._read.content import read_content
from tests.linearity import steps_grow_linearly, time_grows_linearly

LIMITS = Limits(parts=10**9)
MESSAGES: dict[str, Any] = {
    "placeholders": lambda size: {"text": "\ufffc\r\n" * size},
    "runs": lambda size: {"attributedBody": [{"runs": [{"attributes": {"IMAudioTranscription": "x"}}] * size}]},
    "previews": lambda size: {"payloadData": {"urlData": [{"title": "x", "url": "https://a.example/"}] * size}},
    "apps": lambda size: {"payloadData": [{"appData": [{"ldtext": "x"}]}] * size},
    "files": lambda size: {"attachments": [{"guid": "a", "transferName": "x/" * 9}] * size},
    "effect": lambda size: {"expressiveSendStyleId": "com.apple.messages.effect.CK" + "a" * size, "text": "x"},
}


@pytest.mark.parametrize("name", MESSAGES)
def test_reading_a_message_is_linear(name):
    steps_grow_linearly(lambda message: read_content(message, limits=LIMITS), MESSAGES[name])
    time_grows_linearly(lambda message: read_content(message, limits=LIMITS), MESSAGES[name])
