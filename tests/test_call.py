from __future__ import annotations

import pytest

from mentionable import UsageError, a2a, rest
from mentionable._transport.call import check_call
from tests.rest.asking import message

ASKS = (a2a.call, rest.call)


@pytest.mark.parametrize("call", ASKS, ids=["a2a", "rest"])
@pytest.mark.parametrize(
    "url",
    [
        "https://agents.example/writer",
        "HTTPS://agents.example",
        "http://127.0.0.1:8000",
        "http://localhost/a",
        "http://LocalHost",
        "http://[::1]:8000/a?b",
        "http://localhost?b",
    ],
)
def test_a_token_goes_over_https_or_stays_on_this_machine(call, url):
    assert (
        call(message(), url=url, context=a2a.CallContext(token="abc"), entropy=bytes(32)).header("authorization")
        == "Bearer abc"
    )


@pytest.mark.parametrize("call", ASKS, ids=["a2a", "rest"])
@pytest.mark.parametrize(
    "url",
    [
        "http://agents.example/writer",
        "http://localhost.evil.example/",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.2/",
        "http://[::1%25a]/",
        "http://[::2]/",
        "http://evil.example/http://localhost/",
        "http://localhost@evil.example/",
        "http://localhost:80@evil.example/",
    ],
)
def test_a_token_never_goes_in_the_clear(call, url):
    with pytest.raises(UsageError, match=r"url must|token: over http"):
        call(message(), url=url, context=a2a.CallContext(token="abc"), entropy=bytes(32))


@pytest.mark.parametrize("call", ASKS, ids=["a2a", "rest"])
def test_without_a_token_http_will_do(call):
    assert call(message(), url="http://agents.example/writer", entropy=bytes(32)).header("authorization") is None


RIGHT = {"url": "https://agents.example/", "context": a2a.CallContext()}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"message": None}, "message must"),
        ({"url": "ftp://agents.example/"}, "url must"),
        ({"url": "https://agents.example/#a"}, "url must"),
        ({"url": 7}, "url must"),
        ({"context": {}}, "context must"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_the_callers_fault(wrong, reason):
    arguments = {"message": message(), **RIGHT, **wrong}
    with pytest.raises(UsageError, match=reason):
        check_call(arguments.pop("message"), **arguments)


@pytest.mark.parametrize(
    "wrong",
    [{"evidence": ({},)}, {"evidence": []}, {"token": "a b"}, {"token": 7}, {"history": []}, {"history": ({},)}],
    ids=repr,
)
def test_a_member_of_the_wrong_kind_is_the_callers_fault(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        a2a.CallContext(**wrong)


def test_a_token_is_not_printed():
    assert "abc" not in repr(a2a.CallContext(token="abc"))
