import pytest

from mentionable._secrets import REDACTED, is_secret_name, redacted

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
    assert redacted([{"a": {name: {"deep": 1}}}]) == [{"a": {name: REDACTED}}]


@pytest.mark.parametrize(
    "name", ["text", "tokens_used", "maxTokens", "author", "keyboard", "secretary", "x402.payment.status", "key", ""]
)
def test_other_names_stay(name):
    assert redacted({name: "x"}) == {name: "x"}


@pytest.mark.parametrize(
    "text", ["Bearer abc.def-123", "bearer\tabc_def/1+~", " Basic QWxhZGRpbg== \n", "DPoP 12345678"]
)
def test_a_credential_with_its_scheme_is_known(text):
    assert redacted({"value": text}) == {"value": REDACTED}
    assert redacted([text]) == [REDACTED]
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
    assert redacted(value) == value


def test_words_are_told_from_other_members_by_their_name():
    credential = "Bearer abcdefgh"
    value = {"text": credential, "content": credential, "value": credential}
    assert redacted(value) == {"text": credential, "content": credential, "value": REDACTED}
    assert redacted({"text": [credential]}) == {"text": [REDACTED]}


def test_a_header_as_a_pair_is_known():
    assert redacted({"headers": [["Authorization", "x"], ["a", "b"]]}) == {
        "headers": [["Authorization", REDACTED], ["a", "b"]]
    }


def test_what_is_given_back_shares_nothing_with_what_was_taken():
    value = {"a": {"token": "x"}, "b": {"c": [1]}}
    got = redacted(value)
    got["b"]["c"].append(2)
    assert value == {"a": {"token": "x"}, "b": {"c": [1]}}


def test_very_long_names_are_judged_too():
    assert redacted({"x" * 1000 + "authorization": 1}) == {"x" * 1000 + "authorization": REDACTED}
    assert redacted({"x" * 1000: 1}) == {"x" * 1000: 1}


@pytest.mark.parametrize("value", [None, 1.5, True, [], {}])
def test_what_holds_nothing_stays(value):
    assert redacted(value) == value


def test_signed_evidence_is_redacted_wherever_it_stands():
    proof = {"type": "signed-attestation", "kid": "k", "value": "c2ln"}
    assert redacted({"x": [{"proof": proof}]}) == {"x": [{"proof": {**proof, "value": REDACTED}}]}
    harmless = {"type": "number", "value": 5}
    assert redacted(harmless) == harmless
    assert redacted({"type": "signed-attestation"}) == {"type": "signed-attestation"}
