import pytest

from mentionable import UsageError
from mentionable.a2a import Caller


def test_nobody_known_is_anonymous(take, message):
    sender = take(message()).message.sender
    assert (sender.address, sender.auth_method, sender.verified) == ("@anonymous@a2a.invalid", "none", False)


@pytest.mark.parametrize("subject", ["@alice@a.example", "alice@a.example", "acct:alice@A.example"])
def test_a_caller_with_an_address_is_the_sender_unverified(take, message, codes, subject):
    got = take(message(), caller=Caller(subject=subject))
    assert (got.message.sender.address, got.message.sender.verified) == ("@alice@a.example", False)
    assert codes(got) == []


def test_a_caller_without_an_address_is_anonymous_with_a_note(take, message, codes):
    got = take(message(), caller=Caller(subject="user-7"))
    assert got.message.sender.address == "@anonymous@a2a.invalid"
    assert codes(got) == ["caller-not-address"]


def test_a_result_comes_from_its_peer(take, message, task):
    for unit in (task(), message(role="ROLE_AGENT")):
        got = take(unit, peer="peer@agents.example")
        assert got.message.sender.address == "@peer@agents.example"
        assert not got.message.sender.verified


def test_caller_and_peer_exclude_each_other(take, message):
    with pytest.raises(UsageError, match="not both"):
        take(message(), caller=Caller(subject="x"), peer="@peer@agents.example")


def test_a_peer_must_be_an_address(take, message):
    with pytest.raises(UsageError):
        take(message(), peer="peer")
