import pytest

from mentionable import _secrets
from mentionable._secrets import REDACTED, holds_secret, is_secret_name, redacted

NAMES = [
    "Authorization",
    "proxy-authorization",
    "access_token",
    "refreshToken",
    "id-token",
    "token",
    "credentials",
    "credential",
    "client_secret",
    "secret",
    "password",
    "apiKey",
    "X-API-Key",
    "private_key",
    "Set-Cookie",
    "identity_evidence",
    "identityEvidence",
    "mentionable.identity_evidence",
    "policy_resolution",
    "verifiable_credentials",
    "jwt",
    "policy resolution",
    "Authori\u200bzation",
    " Pass word",
    "device_token",
    "next-page-token",
    "client_assertion",
    "passphrase",
    "session_id",
    "sessionId",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_secrets_are_known_in_every_spelling(name):
    assert is_secret_name(name)
    assert redacted({name: "x"}) == {name: REDACTED}
    assert holds_secret([{"a": {name: {"deep": 1}}}])


@pytest.mark.parametrize(
    "name", ["text", "tokens_used", "maxTokens", "author", "keyboard", "secretary", "x402.payment.status", "key", ""]
)
def test_other_names_stay(name):
    value = {name: "x"}
    assert redacted(value) is value
    assert not holds_secret(value)


@pytest.mark.parametrize(
    "text", ["Bearer abc.def-123", "bearer\tabc_def/1+~", " Basic QWxhZGRpbg== \n", "DPoP 12345678"]
)
def test_a_credential_with_its_scheme_is_known(text):
    assert redacted({"value": text}) == {"value": REDACTED}
    assert holds_secret({"value": text})
    assert holds_secret([text])
    assert redacted(text) == REDACTED


@pytest.mark.parametrize(
    "text",
    [
        "Bearer",
        "bearers of news",
        "basically",
        "",
        "done",
        "Bearer of bad news",
        "Basic facts",
        "Bearer abcdefgh, twice",
    ],
)
def test_other_text_stays(text):
    value = {"value": text, "list": [text, 1, None, [text]]}
    assert redacted(value) is value
    assert not holds_secret(value)


def test_the_words_of_people_stay():
    value = {"text": "Bearer with me", "content": "Basic facts"}
    assert redacted(value) is value
    assert not holds_secret(value)


def test_words_are_told_from_other_members_by_their_name():
    credential = "Bearer abcdefgh"
    value = {"text": credential, "value": credential}
    assert holds_secret(value)
    assert redacted(value) == {"text": credential, "value": REDACTED}
    assert not holds_secret({"text": credential, "content": credential, "value": 1})


def test_a_header_as_a_pair_is_known():
    assert redacted({"headers": [["Authorization", "x"], ["a", "b"]]}) == {
        "headers": [["Authorization", REDACTED], ["a", "b"]]
    }
    assert holds_secret([["Authorization", "x"]])


def test_only_the_way_to_a_secret_is_copied():
    value = {"a": {"token": "x"}, "b": {"c": 1}}
    assert redacted(value)["b"] is value["b"]
    assert value["a"] == {"token": "x"}


def test_very_long_names_are_judged_too():
    assert holds_secret({"x" * 1000 + "authorization": 1})
    assert not holds_secret({"x" * 1000: 1})
    assert not holds_secret({"x" * 1000: 1})


def test_the_cache_of_names_is_bounded(monkeypatch):
    monkeypatch.setattr("mentionable._secrets._CACHED_NAMES", 0)
    assert not holds_secret({"never seen before": 1})
    assert holds_secret({"never seen before": 1, "token": 1})


def test_the_cache_of_names_forgets_when_it_is_full(monkeypatch):
    monkeypatch.setattr("mentionable._secrets._CACHED_NAMES", 3)
    assert not any(holds_secret({f"name {number}": 1}) for number in range(10))
    assert len(_secrets._INNOCENT) <= 3


def test_numbers_and_null_hold_nothing():
    assert not holds_secret(None)
    assert not holds_secret(1.5)
    assert redacted(None) is None
