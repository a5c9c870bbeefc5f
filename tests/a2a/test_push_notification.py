"""An update of a task on its way to a webhook, and how the webhook takes it."""

from __future__ import annotations

import json
from datetime import timedelta
from hashlib import sha256

import pytest

from mentionable import Answered, Answers, Failed, HttpRequest, Limits, SigningKey, UsageError, a2a, drive, replace
from mentionable._model.stored_task import StoredTask
from mentionable.a2a._auth.push_claims import push_claims
from tests.a2a import tokens
from tests.a2a.questions import question
from tests.a2a.tokens import ED, GONE, KEYS, NOW, P256, RSA, changed, signed
from tests.used import remembering

HOOK = "https://client.example/hook"
TOKEN = "a-long-and-random-token"
TO = question()
PLAIN = a2a.PushNotificationConfig(url=HOOK, task_id="t1", token=TOKEN)
SIGNED = replace(PLAIN, token=None)
BASIC = replace(SIGNED, authentication=a2a.PushAuthentication(scheme="Basic", credentials="dTpw"))
AGENT = "https://agents.example"
SIGNER = a2a.PushSigner(issuer=AGENT, key=SigningKey.from_seed(bytes(range(32)), key_id="ed"))
TRUST = tokens.settings(tokens.issuer(issuer=AGENT))
TASK = StoredTask(
    id="t1",
    context_id="c1",
    state="completed",
    updated_at="2026-11-21T20:56:00Z",
    message={"messageId": "m2", "role": "ROLE_AGENT", "parts": [{"text": "It rains."}]},
)
WORKING = {"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}}
CHUNK = {"artifactUpdate": {"taskId": "t1", "artifact": {"artifactId": "a1", "parts": [{"text": "It rains."}]}}}
MESSAGE = {"message": {"messageId": "m1", "taskId": "t1", "role": "ROLE_AGENT", "parts": [{"text": "It rains."}]}}


def push(update=TASK, config=PLAIN, **members):
    """The request that tells a webhook about an update."""
    return a2a.push_notification(config, update, **{"now": NOW, "entropy": bytes(32), **members})


def received(request, config=PLAIN, settings=TRUST, *, now=NOW, answers=None):
    """What the webhook makes of a request."""
    if not settings.token_issuers or config.token is not None:
        settings = replace(settings, token_issuers=())
    flow = a2a.receive_push_notification(request, to=TO, config=config, now=now, settings=settings)
    return drive(flow, answers or Answers())


def code_of(found):
    """Why a notification was refused: the code, and that of the verdict where there is one."""
    return (found.code, found.verdict.code) if found.verdict else found.code


# --- what is sent


def test_a_notification_of_v1_holds_the_task_and_the_token():
    request = push()
    assert (request.method, request.url) == ("POST", HOOK)
    assert dict(request.headers) == {"content-type": "application/a2a+json", "x-a2a-notification-token": TOKEN}
    task = json.loads(request.body)["task"]
    assert (task["id"], task["status"]["state"]) == ("t1", "TASK_STATE_COMPLETED")
    assert task["status"]["message"]["parts"] == [{"text": "It rains."}]


@pytest.mark.parametrize("update", [WORKING, CHUNK, MESSAGE])
def test_an_event_goes_out_as_it_is(update):
    assert json.loads(push(update).body) == update


@pytest.mark.parametrize("update", [TASK, {"task": json.loads(push().body)["task"]}])
@pytest.mark.parametrize("dialect", ["0.3", "0.3-rest"])
def test_a_notification_of_v03_is_the_bare_task(update, dialect):
    request = push(update, dialect=dialect)
    assert request.header("content-type") == "application/json"
    task = json.loads(request.body)
    assert (task["kind"], task["id"], task["status"]["state"]) == ("task", "t1", "completed")
    assert task["status"]["message"]["parts"] == [{"kind": "text", "text": "It rains."}]


def test_the_artifacts_and_the_history_of_a_task_are_those_of_v03():
    turn = {"messageId": "h1", "role": "ROLE_USER", "parts": [{"text": "Will it?"}]}
    task = replace(TASK, artifacts=(CHUNK["artifactUpdate"]["artifact"],), history=(turn,))
    written = json.loads(push(task, dialect="0.3").body)
    [part], [before] = written["artifacts"][0]["parts"], written["history"]
    assert part == {"kind": "text", "text": "It rains."}
    assert (before["kind"], before["role"]) == ("message", "user")


@pytest.mark.parametrize("dialect", ["1.0", "0.3"])
def test_of_a_task_that_is_too_large_the_newest_messages_are_sent(dialect):
    turns = [{"messageId": f"h{n}", "role": "ROLE_USER", "parts": [{"text": "x" * 900}]} for n in range(4)]
    few = replace(TRUST, limits=Limits(a2a_bytes=2_500))
    body = json.loads(push(replace(TASK, history=tuple(turns)), dialect=dialect, settings=few).body)
    assert [turn["messageId"] for turn in body.get("task", body)["history"]] == ["h2", "h3"]
    with pytest.raises(UsageError, match="at most 100"):
        push(settings=replace(TRUST, limits=Limits(a2a_bytes=100)))


def test_the_credentials_that_a_client_asks_for_go_before_a_signature():
    assert push(config=BASIC, signer=SIGNER).header("authorization") == "Basic dTpw"
    asked = replace(SIGNED, authentication=a2a.PushAuthentication(scheme="Basic"))
    assert push(config=asked, signer=SIGNER).header("authorization") is None
    asked = replace(SIGNED, authentication=a2a.PushAuthentication(scheme="bearer"))
    assert push(config=asked).header("authorization") is None
    assert push(config=asked, signer=SIGNER).header("authorization").startswith("Bearer ")


@pytest.mark.parametrize(("key", "algorithm"), [(ED, "EdDSA"), (RSA, "RS256")])
def test_a_signature_is_over_webhook_task_time_and_body(key, algorithm):
    signer = a2a.PushSigner(issuer=AGENT, key=SigningKey._of(key, "k7"))
    request = push(config=SIGNED, signer=signer)
    head, payload, _ = request.bearer_token.split(".")
    assert json.loads(_bytes(head)) == {"alg": algorithm, "kid": "k7", "typ": "JWT"}
    claims = json.loads(_bytes(payload))
    issued = int(NOW.timestamp())
    assert claims.pop("jti") != json.loads(_bytes(_other(signer).bearer_token.split(".")[1]))["jti"]
    assert claims == {
        "iss": AGENT,
        "aud": HOOK,
        "iat": issued,
        "exp": issued + 300,
        "taskId": "t1",
        "request_body_sha256": sha256(request.body).hexdigest(),
    }
    assert "native" not in repr(signer)


def _other(signer):
    return push(config=SIGNED, signer=signer, entropy=bytes(31) + b"1")


def _bytes(segment):
    from base64 import urlsafe_b64decode

    return urlsafe_b64decode(segment + "=" * (-len(segment) % 4))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"config": None}, "config must be PushNotificationConfig"),
        ({"config": replace(PLAIN, url="http://client.example/hook")}, r"config\.url must be https"),
        ({"config": replace(PLAIN, url="https://10.0.0.1/hook")}, r"config\.url must be https"),
        ({"config": replace(PLAIN, url="https://client.local/hook")}, r"config\.url must be https"),
        ({"config": replace(PLAIN, task_id="t2")}, "update is one of another task"),
        ({"update": {}}, "an event is one of"),
        ({"update": "task"}, "update must be a StoredTask"),
        ({"update": {**WORKING, **CHUNK}}, "an event is one of"),
        ({"update": {"status-update": {}}}, "an event is one of"),
        ({"update": {"task": None}}, "task must be an object"),
        ({"update": {"message": {**MESSAGE["message"], "taskId": None}}}, "update names no task"),
        ({"update": {"task": {"id": ""}}}, "task names no task"),
        ({"update": WORKING, "dialect": "0.3"}, r"v0\.3 sends whole tasks"),
        ({"dialect": "2.0"}, r"dialect is one of 1\.0"),
        ({"signer": "secret"}, "signer must be PushSigner"),
        ({"entropy": b""}, "entropy must be"),
        ({"now": NOW.replace(tzinfo=None)}, "now must be aware"),
        ({"settings": None}, "settings must be"),
        ({"update": {"statusUpdate": {**WORKING["statusUpdate"], "x": "x" * 40_000_000}}}, "body"),
    ],
)
def test_what_would_reach_nobody_or_a_stranger_is_not_written(arguments, words):
    with pytest.raises(UsageError, match=words):
        push(**arguments)


def test_a_signer_has_a_name_and_a_key():
    with pytest.raises(UsageError, match="issuer must be str"):
        a2a.PushSigner(issuer=None, key=SIGNER.key)
    with pytest.raises(UsageError, match="key must be a SigningKey"):
        a2a.PushSigner(issuer=AGENT, key="secret")


@pytest.mark.parametrize("secret", ["a\r\nx: y", "a\n", " a", "a ", " ", "é", "\x00"])
def test_a_secret_cannot_be_another_header(secret):
    with pytest.raises(UsageError, match="ASCII text without a blank at its ends"):
        replace(PLAIN, token=secret)
    with pytest.raises(UsageError, match="ASCII text without a blank at its ends"):
        a2a.PushAuthentication(scheme="Bearer", credentials=secret)
    with pytest.raises(UsageError, match="a token of HTTP"):
        a2a.PushAuthentication(scheme=secret)


def test_credentials_may_have_several_words():
    digest = 'username="agent", uri="/hook", response="6629"'
    config = replace(SIGNED, authentication=a2a.PushAuthentication(scheme="Digest", credentials=digest))
    request = push(config=config)
    assert request.header("authorization") == f"Digest {digest}"
    assert isinstance(received(request, config), Answered)


@pytest.mark.parametrize(
    ("config", "code", "at"),
    [
        ({"token": "a\r\nx: y"}, "malformed", "/token"),
        ({"authentication": {"scheme": "Bearer x"}}, "malformed", "/authentication/scheme"),
        ({"authentication": {"scheme": "Basic", "credentials": "a\n"}}, "malformed", "/authentication/credentials"),
        ({"url": "http://client.example/hook"}, "url-refused", "/url"),
        ({"url": "https://127.0.0.1/hook"}, "url-refused", "/url"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_where_it_comes_in(config, code, at):
    params = {"taskId": "t1", "url": HOOK, **config}
    body = {"jsonrpc": "2.0", "id": 1, "method": "CreateTaskPushNotificationConfig", "params": params}
    request = HttpRequest(method="POST", url="https://agents.example/a2a", body=json.dumps(body).encode())
    found = drive(a2a.receive_operation(request, now=NOW), Answers())
    assert (found.code, found.problems[0].at) == (code, f"/params{at}")


# --- what is taken


@pytest.mark.parametrize("dialect", ["1.0", "0.3"])
@pytest.mark.parametrize(("config", "signer"), [(PLAIN, None), (SIGNED, SIGNER), (BASIC, None), (PLAIN, SIGNER)])
def test_what_is_sent_is_taken(config, signer, dialect):
    found = received(push(config=config, signer=signer, dialect=dialect), config)
    assert isinstance(found, Answered)
    assert found.response.extra["a2a"] == {"state": "completed", "task_id": "t1", "context_id": "c1"}
    assert "It rains." in repr(found.response.parts)
    assert found.response.reply_to == TO.id


@pytest.mark.parametrize(("update", "types"), [(WORKING, []), (CHUNK, ["a1"])])
def test_an_event_is_taken_by_itself(update, types):
    found = received(push(update))
    assert ([part.artifact_type for part in found.response.parts], found.response.status) == (types, "partial")
    assert found.response.extra["a2a"]["task_id"] == "t1"


def test_a_message_is_taken_by_itself():
    assert received(push(MESSAGE)).response.parts[0].content == "It rains."


def test_both_a_token_and_a_signature_must_fit_where_both_are_configured():
    both = push(signer=SIGNER)

    def taken(request):
        flow = a2a.receive_push_notification(request, to=TO, config=PLAIN, now=NOW, settings=TRUST)
        return drive(flow, Answers())

    assert isinstance(taken(both), Answered)
    assert code_of(taken(push())) == ("verification-required", "unsigned")
    assert code_of(taken(push(config=SIGNED, signer=SIGNER))) == ("verification-required", "unsigned")


def test_the_task_is_unknown_before_the_answer_to_the_question():
    early = replace(PLAIN, task_id=None)
    assert received(push(config=early), early).response.extra["a2a"]["task_id"] == "t1"


def test_nothing_is_taken_where_nothing_is_configured():
    bare = replace(PLAIN, token=None)
    for config in (bare, replace(bare, token=""), replace(bare, authentication=a2a.PushAuthentication(scheme="x"))):
        found = received(push(config=config), config, a2a.Settings())
        assert (found.code, found.verdict, str(found.problems[0])[:15]) == (
            "verification-required",
            None,
            "neither a token",
        )
    anybody = replace(SIGNED, task_id=None)
    found = received(push(config=anybody, signer=SIGNER), anybody)
    assert (found.code, "config.task_id is missing" in str(found)) == ("verification-required", True)


def bearing(payload=(), header=(), key=ED, algorithm="EdDSA", body=None, **members):
    """A signed notification with these changes of the claims and of the header."""
    body = push().body if body is None else body
    claims = push_claims(AGENT, url=HOOK, task_id="t1", body=body, jti="j1", now=NOW)
    head = {"alg": algorithm, "kid": "ed", "typ": "JWT"}
    text = signed(changed(head, dict(header)), changed(claims, dict(payload)), key, algorithm)
    return HttpRequest(
        method="POST", url=HOOK, headers={"Authorization": f"Bearer {text}"}, body=members.get("sent", body)
    )


OTHER = json.dumps({"task": {"id": "t2", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}}}).encode()
FORGED = push().body.replace(b"rains", b"snows")
T = tokens.T


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (bearing(sent=FORGED), "digest-mismatch"),
        (bearing({"request_body_sha256": GONE}), "claim-missing"),
        (bearing({"request_body_sha256": 5}), "claim-malformed"),
        (bearing({"request_body_sha256": sha256(push().body).hexdigest().upper()}), "digest-mismatch"),
        (bearing(header={"alg": "none"}), "algorithm-refused"),
        (bearing(header={"alg": "HS256"}), "algorithm-refused"),
        (bearing(header={"typ": "at+jwt"}), "token-type-refused"),
        (bearing(header={"typ": "secevent+jwt"}), "token-type-refused"),
        (bearing(header={"kid": "p256"}), "algorithm-refused"),
        (bearing(header={"kid": "other"}), "key-unknown"),
        (bearing(header={"jku": "https://evil.example/jwks"}), "header-forbidden"),
        (bearing(key=tokens.ED_2), "bad-signature"),
        (bearing({"aud": "https://other.example/hook"}), "audience-mismatch"),
        (bearing({"aud": GONE}), "claim-missing"),
        (bearing({"iss": "https://evil.example"}), "issuer-unknown"),
        (bearing({"iat": T - 361, "exp": T + 300}), "expired"),
        (bearing({"iat": T - 600, "exp": T - 300}), "expired"),
        (bearing({"iat": T + 61, "exp": T + 361}), "not-yet-valid"),
        (bearing({"iat": GONE}), "time-missing"),
        (bearing({"exp": GONE}), "time-missing"),
        (bearing({"exp": T + 100_000}), "lifetime-too-long"),
        (bearing({"nonce": "n"}), "token-type-refused"),
        (bearing({"cnf": {"jkt": "x"}}), "proof-unchecked"),
        (bearing({"taskId": 5}), "claim-malformed"),
        (replace(push(), headers=()), "unsigned"),
        (replace(push(), headers=(("authorization", "Basic dTpw"),)), "token-type-refused"),
        (replace(push(), headers=bearing().headers * 2), "signature-ambiguous"),
    ],
)
def test_a_signature_that_does_not_fit_is_refused(request_, code):
    found = received(request_, SIGNED)
    assert code_of(found) == ("verification-required", code)
    assert found.http_status == 401


def test_the_steps_that_passed_are_named():
    assert received(bearing(sent=FORGED), SIGNED).verdict.steps == (
        *("token", "header", "key", "signature", "issuer", "audience", "time", "use"),
    )
    assert received(bearing(header={"alg": "none"}), SIGNED).verdict.steps == ()


@pytest.mark.parametrize(
    ("key", "algorithm", "kid"), [(RSA, "RS256", "k1"), (P256, "ES256", "p256"), (ED, "EdDSA", "ed")]
)
def test_the_algorithms_that_others_sign_with_are_taken(key, algorithm, kid):
    request = bearing({"taskId": GONE, "jti": GONE}, {"kid": kid}, key, algorithm)
    assert isinstance(received(request, SIGNED), Answered)


def test_an_audience_of_the_settings_is_one_too():
    assert isinstance(received(bearing({"aud": tokens.AUDIENCE}), SIGNED), Answered)


def test_published_keys_are_fetched():
    settings = tokens.settings(tokens.issuer(issuer=AGENT, jwks_url=tokens.JWKS_URL))
    world, asked = tokens.published(KEYS)
    assert isinstance(received(bearing(), SIGNED, settings, answers=world), Answered)
    assert asked == [(tokens.JWKS_URL, "jwks", False)]
    found = received(bearing(), SIGNED, settings, answers=Answers(fetch=lambda _: Failed("down")))
    assert code_of(found) == ("lookup-failed", "key-unresolvable")


@pytest.mark.parametrize(
    ("request_", "config"),
    [
        (push(config=replace(PLAIN, task_id="t2"), update={"task": json.loads(OTHER)["task"]}), PLAIN),
        (push({"message": {**MESSAGE["message"], "taskId": "t9"}}, replace(PLAIN, task_id="t9")), PLAIN),
        (replace(push(), body=json.dumps({"message": changed(MESSAGE["message"], {"taskId": GONE})}).encode()), PLAIN),
        (bearing(body=OTHER), SIGNED),
        (bearing({"taskId": "t2"}), SIGNED),
    ],
)
def test_another_task_is_refused(request_, config):
    found = received(request_, config)
    assert code_of(found) == "task-mismatch"


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "unsigned"),
        ({"X-A2A-Notification-Token": "guess"}, "token-mismatch"),
        ({"X-A2A-Notification-Token": ""}, "token-mismatch"),
        ({"X-A2A-Notification-Token": TOKEN.upper()}, "token-mismatch"),
        ({"X-A2A-Notification-Token": f"{TOKEN} "}, "token-mismatch"),
        ({"X-A2A-Notification-Token": "\ud800"}, "token-mismatch"),
        ([("X-A2A-Notification-Token", TOKEN)] * 2, "token-mismatch"),
        ({"Authorization": f"Bearer {TOKEN}"}, "unsigned"),
    ],
)
def test_a_token_that_does_not_fit_is_refused(headers, code):
    request = HttpRequest(method="POST", url=HOOK, headers=headers, body=push().body)
    assert code_of(received(request)) == ("verification-required", code)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "unsigned"),
        ({"Authorization": "Basic guess"}, "token-mismatch"),
        ({"Authorization": "Basic DTPW"}, "token-mismatch"),
        ({"Authorization": "Bearer dTpw"}, "unsigned"),
        ([("Authorization", "Basic dTpw")] * 2, "unsigned"),
        ({"X-A2A-Notification-Token": "dTpw"}, "unsigned"),
    ],
)
def test_credentials_that_do_not_fit_are_refused(headers, code):
    request = HttpRequest(method="POST", url=HOOK, headers=headers, body=push().body)
    assert code_of(received(request, BASIC)) == ("verification-required", code)
    assert isinstance(received(replace(request, headers=(("authorization", "basic dTpw"),)), BASIC), Answered)


def test_a_signature_counts_once_and_what_was_refused_did_not_count():
    used = {}
    store = Answers(use_once=remembering(used))
    once = replace(TRUST, use_once=True)
    assert code_of(received(bearing({"taskId": "t2"}), SIGNED, once, answers=store)) == "task-mismatch"
    assert used == {}
    assert isinstance(received(bearing(), SIGNED, once, answers=store), Answered)
    again = received(bearing(), SIGNED, once, answers=store, now=NOW + timedelta(seconds=1))
    assert code_of(again) == ("verification-required", "replayed")
    assert isinstance(received(bearing({"jti": "j2"}), SIGNED, once, answers=store), Answered)


def test_a_store_that_cannot_be_asked_lets_nothing_pass():
    once = replace(TRUST, use_once=True)
    found = received(bearing(), SIGNED, once, answers=Answers(use_once=lambda _: Failed("down")))
    assert code_of(found) == ("lookup-failed", "replay-unknown")


def test_an_entry_is_kept_as_long_as_the_signature_could_count():
    asked = []
    store = Answers(use_once=lambda ask: asked.append(ask) or "first")
    received(bearing({"exp": T + 900}), SIGNED, replace(TRUST, use_once=True), answers=store)
    assert asked[0].until == NOW + timedelta(seconds=360)
    assert asked[0].key.startswith("a2a-push:")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid-json"),
        (b"{}", "not-a-message"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {}}', "not-a-message"),
        (b'{"task": {"id": "t1"}, "message": {}}', "two-contents"),
        (b'{"task": {"id": "t1", "id": "t2"}}', "duplicate-member"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(body, code):
    assert code_of(received(replace(push(), body=body))) == code


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"request": None}, "request must be an HttpRequest"),
        ({"to": None}, "to must be the NormalizedMessage"),
        ({"config": TOKEN}, "config must be PushNotificationConfig"),
        ({"now": NOW.replace(tzinfo=None)}, "now must be aware"),
        ({"settings": None}, "settings must be"),
        ({"settings": None}, "settings must be Settings"),
    ],
)
def test_the_arguments_are_checked_when_it_is_called(arguments, words):
    given = {"request": push(), "to": TO, "config": PLAIN, "now": NOW, **arguments}
    with pytest.raises(UsageError, match=words):
        a2a.receive_push_notification(given.pop("request"), **given)
