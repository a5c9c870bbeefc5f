from base64 import b64encode, urlsafe_b64encode

import pytest

from mentionable._text.redaction import REDACTED, credential_in, is_secret_name, looks_like_credential, redacted

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


def segment(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


JOSE = segment(b'{ "alg": "EdDSA" }')
CREDENTIALS = {
    "slack-bot": "xoxb-1234567890-abc",
    "slack-user": "xoxp-1",
    "slack-app": "xapp-1-A1-2-ab",
    "slack-rotated": "xoxe.xoxb-1-ab",
    "github": "ghp_" + "aB3" * 12,
    "github-fine": "github_pat_" + "aB3_" * 8,
    "github-app": "gho_" + "aB3" * 12,
    "gitlab": "glpat-" + "aB3-" * 5,
    "openai": "sk-" + "aB3" * 16,
    "anthropic": "sk-ant-api03-" + "aB3_" * 12,
    "stripe": "sk_live_" + "aB3" * 8,
    "stripe-restricted": "rk_test_" + "aB3" * 8,
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "aws-temporary": "ASIAIOSFODNN7EXAMPLE",
    "google": "ya29." + "aB3_" * 8,
    "google-key": "AIza" + "aB3-" * 9,
    "facebook": "EAA" + "aB3" * 20,
    "hugging-face": "hf_" + "aB3" * 11,
    "npm": "npm_" + "aB3" * 12,
    "pypi": "pypi-AgE" + "aB3_" * 12,
    "discord": "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "telegram": "123456789:AA" + "aB3" * 11,
    "bearer": "Bearer abcdefgh",
    "bearer-in-words": "sent with bearer  a1b2c3d4, and more",
    "basic": "Basic " + b64encode(b"alice:secret").decode(),
    "basic-in-words": "use basic " + b64encode(b"a:b").decode().rstrip("="),
    "jws": f"{JOSE}.{segment(b'{}')}.{segment(bytes(64))}",
    "jws-detached": f"see {JOSE}..{segment(bytes(64))}!",
    "jwe": f"{JOSE}.{segment(b'key')}.{segment(b'iv')}.{segment(b'text')}.{segment(b'tag')}",
    "jwe-direct": f"{JOSE}..{segment(b'iv')}.{segment(b'text')}.{segment(b'tag')}",
    "pem": "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----",
    "pem-certificate": "x\n-----BEGIN CERTIFICATE-----",
    "in-a-url": "https://a.example/?key=xoxb-12-ab",
}
HONEST = [
    "Alice Müller",
    "Basic Instincts",
    "Basic question",
    "Basic",
    "Basic abcd",
    "basic éabcd",
    "Bearer of bad news",
    "the bearer certainly agrees",
    "Bearer",
    "Dpop Smith",
    "sk-learn and sk-hynix-2023-annual-report-of-the-group",
    "risk-management-of-everything-that-is-there-today",
    "ghp_short",
    "AKIA",
    "BAKIAIOSFODNN7EXAMPLE",
    "EAAST London",
    "slack:T123/U456",
    "xox-1",
    "foxob-1234",
    "https://a.example/avatars/2026/11/eyes.large.png?size=512&v=1.2.3",
    "https://avatars.slack-edge.com/2019-10-01/785374592324_9f3d5b0f4e0f6e0d4c3b_512.png",
    "mail.google.com",
    "eyes.nose.mouth",
    "a.b.c.d.e",
    "urn:mentionable:auth:slack-workspace-member:v0.1",
    "0190163d-8694-739b-aea5-966c26f8ad91",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
    "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
    "Europe/Berlin",
    "MjAyNg.2026-11.21",
    "12345678:30:15",
    "W10.e30.e30",
    "-----BEGIN-----",
    "",
]


@pytest.mark.parametrize("name", CREDENTIALS)
def test_a_credential_is_known_by_its_look(name):
    text = CREDENTIALS[name]
    assert looks_like_credential(text)
    assert credential_in({"a": [1, {"b/c": text}]}) == "/a/1/b~1c"
    assert credential_in({"a": {text: 1}}, "/claims") == "/claims/a"


@pytest.mark.parametrize("text", HONEST)
def test_names_urls_and_ids_are_no_credentials(text):
    assert not looks_like_credential(text)
    assert credential_in({"profile": [text, {"name": text}], "n": 1, "x": None}) is None


def test_text_under_the_name_of_a_credential_is_one():
    assert credential_in({"slack": {"access_token": "opaque"}}) == "/slack/access_token"
    assert credential_in({"cookie": "", "token": 7, "secret": True}) is None


def test_looking_for_credentials_takes_linear_time():
    for text in (
        "sk-" * 300_000,
        "bearer " * 100_000,
        "basic YTpi" * 80_000,
        "a.-" * 300_000,
        "eyJ." * 200_000,
        "1" * 900_000,
    ):
        looks_like_credential(text)


JWT = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJjYW5hcnkifQ.AAAA"


@pytest.mark.parametrize(
    "text",
    [
        *(before + JWT for before in ("x", "xy", "xyz", "a-", "a.", "a_b.c-")),
        "Basic w6R4OmNhbmFyeQ==",
        "Bearer\u00a0canary1234567890",
        "Bearer\u200bcanary1234567890",
        "abcxoxb-1234567890-canary",
        "https://hooks.slack.com/services/T00000000/B00000000/canary",
        "https://discord.com/api/webhooks/123456789012345678/canary-canary",
    ],
)
def test_what_stands_around_hides_no_credential(text):
    assert looks_like_credential(text)


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ({"password": {"value": "x"}}, "/password"),
        ({"token": ["abc", "def"]}, "/token"),
        ({"password": 12345678}, "/password"),
        ({"headers": [["Authorization", "abcdef"]]}, "/headers/0/1"),
        ({"kty": "OKP", "x": "A", "d": "B"}, "/d"),
        ({"kty": "oct", "k": "B"}, "/k"),
        ({"kty": "RSA", "n": "A", "q": "B"}, "/q"),
        ({"kty": "OKP", "x": "A"}, None),
        ({"d": "B"}, None),
    ],
)
def test_a_secret_in_any_form_is_found(value, at):
    assert credential_in(value) == at


@pytest.mark.parametrize(
    "name",
    ["signing_secret", "secret_key", "SecretAccessKey", "signingKey", "tokens", "pwd", "webhook_url", "response_url"],
)
def test_these_names_are_secret_as_well(name):
    assert redacted({name: "x"}) == {name: REDACTED}
    assert redacted({"kty": "OKP", "x": "A", "d": "B"}) == {"kty": "OKP", "x": "A", "d": REDACTED}


@pytest.mark.parametrize("name", ["max_tokens", "secretary", "url", "keyword", "input_tokens"])
def test_these_names_are_not(name):
    assert redacted({name: 5}) == {name: 5}
