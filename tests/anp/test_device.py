"""A device of a person."""

from __future__ import annotations

from typing import Any

import pytest

from mentionable import DecodeError, UsageError, anp, decode, decode_trusted, dumps

SUBSCRIPTION: dict[str, Any] = {
    "endpoint": "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
    "expirationTime": None,
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}


def test_its_cursor_never_goes_back():
    device = anp.Device(id="d1", user_id="olivia", cursor=5)
    assert [device.read_to(place).cursor for place in (4, 5, 6)] == [5, 5, 6]
    for wrong in (-1, "6", True, 2**53):
        with pytest.raises(UsageError, match="place must be"):
            device.read_to(wrong)


def test_a_subscription_of_a_browser_is_read_and_comes_back_from_the_store():
    push = decode(anp.PushSubscription, SUBSCRIPTION)
    device = anp.Device(id="d1", user_id="olivia", push=push)
    assert decode_trusted(anp.Device, dumps(device)) == device
    assert push.keys.auth == SUBSCRIPTION["keys"]["auth"]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://push.example.net:8443/x",
        "https://user@push.example.net/x",
        "https://push.internal/x",
        f"https://push.example.net/{'x' * 2048}",
        "",
    ],
)
def test_no_browser_names_a_place_inside_the_network_of_the_host(endpoint):
    with pytest.raises(DecodeError, match="/endpoint"):
        decode(anp.PushSubscription, {**SUBSCRIPTION, "endpoint": endpoint})


@pytest.mark.parametrize("member", ["p256dh", "auth"])
@pytest.mark.parametrize("wrong", ["", "AAAA", "!" * 87, "A" * 88, None, 7])
def test_keys_have_their_form(member, wrong):
    with pytest.raises(DecodeError, match=f"/keys/{member}"):
        decode(anp.PushSubscription, {**SUBSCRIPTION, "keys": {**SUBSCRIPTION["keys"], member: wrong}})
