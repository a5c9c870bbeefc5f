"""Calls that need what the platform answered to an earlier one."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import WireError
from mentionable.connectors import ApiRequest, Need, Outgoing

NEEDS = (Need(name="channel", call=0, member="id"), Need(name="upload", call=0, member="url"))
SECOND = ApiRequest(
    method="POST",
    path="/channels/{channel}/messages",
    params={"files": [{"id": "{channel}", "size": 3}], "text": "in {channel}"},
    url="{upload}",
    needs=NEEDS,
)
OUTGOING = Outgoing(thread="t", calls=(ApiRequest(method="POST", path="/users/@me/channels"), SECOND))


def test_a_call_is_made_with_what_the_answer_to_an_earlier_one_says() -> None:
    request = OUTGOING.request(1, [{"id": "77", "url": "https://files.example/a"}])
    assert request == ApiRequest(
        method="POST",
        path="/channels/77/messages",
        params={"files": [{"id": "77", "size": 3}], "text": "in {channel}"},
        url="https://files.example/a",
    )


def test_a_call_without_needs_is_made_as_it_is() -> None:
    assert OUTGOING.request(0, []) is OUTGOING.calls[0]


@pytest.mark.parametrize("id", [None, 7, "", "a/../b", "a" * 129, "http://files.example/a"])
def test_an_answer_that_names_no_id_stops_the_call(id: Any) -> None:
    with pytest.raises(WireError, match="malformed"):
        OUTGOING.request(1, [{"id": id, "url": "https://files.example/a"}])
