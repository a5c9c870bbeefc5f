"""Calls that need what the platform answered to an earlier one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from mentionable import HttpResponse, UsageError, WireError
from mentionable.connectors import ApiRequest, Outgoing, Placeholder, retry_after

NEEDS = (Placeholder(name="channel", call=0, member="id"), Placeholder(name="upload", call=0, member="url"))
SECOND = ApiRequest(
    method="POST",
    path="/channels/{channel}/messages",
    params={"files": [{"id": "{channel}", "size": 3}], "text": "in {channel}"},
    url="{upload}",
    placeholders=NEEDS,
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


def test_an_answer_that_is_not_given_is_the_fault_of_the_program() -> None:
    with pytest.raises(UsageError, match="call 0"):
        OUTGOING.request(1, [])


@pytest.mark.parametrize("id", [None, 7, "", ".", "..", "a/../b", "a" * 129, "https://files.example/a"])
def test_an_answer_that_names_no_id_stops_the_call(id: Any) -> None:
    with pytest.raises(WireError, match="malformed"):
        OUTGOING.request(1, [{"id": id, "url": "https://files.example/a"}])


@pytest.mark.parametrize("url", [None, "77", "http://files.example/a", "https://10.0.0.1/a"])
def test_an_answer_that_names_no_url_stops_the_call(url: Any) -> None:
    with pytest.raises(WireError, match="malformed"):
        OUTGOING.request(1, [{"id": "77", "url": url}])


NOW = datetime(2026, 11, 21, tzinfo=UTC)


def wait(status: int = 429, body: bytes = b"", **headers: str) -> float | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    found = retry_after(HttpResponse(status=status, headers=named, body=body), now=NOW)
    return None if found is None else found.total_seconds()


@pytest.mark.parametrize(
    ("facts", "seconds"),
    [
        ({"retry_after": "30"}, 30),
        ({"retry_after": "0"}, 1),
        ({"retry_after": "Sat, 21 Nov 2026 00:00:20 GMT"}, 20),
        ({"retry_after": "Sat, 21 Nov 2020 00:00:20 GMT"}, 1),
        ({"retry_after": "999999999"}, 86_400),
        ({"retry_after": "9" * 100_000}, 86_400),
        ({"retry_after": "soon"}, 1),
        ({}, 1),
        ({"body": b'{"message": "slow", "retry_after": 64.57, "global": false}', "retry_after": "65"}, 65),
        ({"body": b'{"retry_after": 2.5}'}, 2.5),
        ({"body": b'{"retry_after": 123456789012}'}, 86_400),
        ({"body": b'{"retry_after": -5}'}, 1),
        ({"body": b'{"retry_after": true}'}, 1),
        ({"body": b'{"retry_after": 1e400}'}, 1),
        ({"body": b"<html>"}, 1),
        ({"status": 200, "body": b'{"ok": false, "error": "ratelimited"}', "retry_after": "7"}, 7),
        ({"status": 503, "retry_after": "9"}, 9),
        ({"status": 200, "body": b'{"ok": true}', "retry_after": "7"}, None),
        ({"status": 200, "body": b'{"ok": false, "error": "channel_not_found"}'}, None),
        ({"status": 500}, None),
    ],
)
def test_the_host_learns_when_to_try_again(facts: dict[str, Any], seconds: float | None) -> None:
    assert wait(**facts) == seconds


def test_a_wait_takes_a_response_and_a_time() -> None:
    with pytest.raises(UsageError):
        retry_after(HttpResponse(status=429), now=datetime(2026, 11, 21))  # noqa: DTZ001
    with pytest.raises(UsageError):
        retry_after(429, now=NOW)  # type: ignore[arg-type]
