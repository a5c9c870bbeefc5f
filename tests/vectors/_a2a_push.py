"""Cases of push notifications: what goes to a webhook, and what a webhook takes."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import KEYS
from tests.vectors._a2a_tokens import (
    ED,
    GONE,
    NOW,
    OTHER,
    P256,
    RSA,
    RSA_OTHER,
    T,
    as_bytes,
    changed,
    issuer,
    jwk,
    keys,
    signed,
)
from tests.vectors._answer_a2a_back import TO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._a2a_rows import Case

HOOK: Final = "https://client.example/hook"
TOKEN: Final = "a-long-and-random-token"
AGENT: Final = "https://agents.example"
SENT: Final = "A2A 1.0 4.3.3"
SAFE: Final = "A2A 1.0 13.2"
OLD: Final = "A2A 0.3 9.5"

PLAIN: Final[Case] = {"url": HOOK, "task_id": "t1", "token": TOKEN}
SIGNED: Final[Case] = {"url": HOOK, "task_id": "t1"}
BASIC: Final[Case] = {**SIGNED, "authentication": {"scheme": "Basic", "credentials": "dTpw"}}
SIGNER: Final[Case] = {"issuer": AGENT, "key": {"pem": (KEYS / "a2a-ed25519.pem").read_text(), "key_id": "ed"}}
WORDS: Final[Case] = {"messageId": "m2", "role": "ROLE_AGENT", "parts": [{"text": "It rains."}]}
STATUS: Final[Case] = {"state": "TASK_STATE_COMPLETED", "message": WORDS}
TASK: Final[Case] = {"task": {"id": "t1", "contextId": "c1", "status": STATUS}}
WORKING: Final[Case] = {"statusUpdate": {"taskId": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_WORKING"}}}
CHUNK: Final[Case] = {
    "artifactUpdate": {
        "taskId": "t1",
        "contextId": "c1",
        "artifact": {"artifactId": "a1", "parts": [{"text": "It rains."}]},
    }
}
OLD_TASK: Final[Case] = {
    "kind": "task",
    "id": "t1",
    "contextId": "c1",
    "status": {
        "state": "completed",
        "message": {
            "kind": "message",
            "messageId": "m2",
            "role": "agent",
            "parts": [{"kind": "text", "text": "It rains."}],
        },
    },
}


def _case(kind: str, name: str, section: str, why: str, unit: Any, **beside: Any) -> Case:
    flags = ["a2a", beside.pop("flag", "honest")]
    return {
        "id": f"a2a/push-{kind}/{name}",
        "section": section,
        "level": beside.pop("level", "MUST"),
        "why": why,
        "flags": flags,
        "given": beside.pop("given", {"now": NOW}),
        "input": unit,
        **beside,
    }


def sent() -> Iterator[Case]:
    """What goes to a webhook."""

    def sends(name: str, section: str, why: str, unit: Any, **value: Any) -> Case:
        usual = {
            "method": "POST",
            "url": HOOK,
            "content_type": "application/a2a+json",
            "token": None,
            "authorization": None,
            "jwt": None,
            "body": TASK,
        }
        return _case("sent", name, section, why, {"config": PLAIN, "update": TASK, **unit}, value={**usual, **value})

    yield sends("token", SENT, "The webhook knows by its token that the notification is meant.", {}, token=TOKEN)
    for name, update in (("status", WORKING), ("artifact", CHUNK)):
        why = "An event goes out as a stream would have it."
        yield sends(name, SENT, why, {"update": update}, token=TOKEN, body=update)
    yield sends(
        "v03",
        OLD,
        "v0.3 sends the whole task, and nothing around it.",
        {"dialect": "0.3"},
        token=TOKEN,
        content_type="application/json",
        body=OLD_TASK,
    )
    yield sends(
        "credentials",
        SENT,
        "The client said how its webhook wants to be authenticated.",
        {"config": BASIC},
        authorization="Basic dTpw",
    )
    asked = {**SIGNED, "authentication": {"scheme": "Bearer"}}
    yield sends("no-credentials", SENT, "A scheme without credentials is no header.", {"config": asked})
    jwt = {
        "header": {"alg": "EdDSA", "kid": "ed", "typ": "JWT"},
        "claims": {"iss": AGENT, "aud": HOOK, "iat": T, "exp": T + 300, "taskId": "t1"},
        "has_jti": True,
        "covers_body": True,
    }
    why = "A JWT proves who sends it, to whom, when and what."
    for name, config in (("jwt", SIGNED), ("jwt-as-asked", asked)):
        yield sends(name, SAFE, why, {"config": config, "signer": SIGNER}, jwt=jwt)
    yield sends(
        "jwt-not-asked",
        SAFE,
        "There is one Authorization field, and the client said what stands in it.",
        {"config": BASIC, "signer": SIGNER},
        authorization="Basic dTpw",
    )

    def refused(name: str, section: str, why: str, unit: Case) -> Case:
        unit = {"config": PLAIN, "update": TASK, **unit}
        return _case("sent", name, section, why, unit, rejected={"code": "malformed"}, flag="attack")

    inner = "A webhook must not lead into the network of the agent."
    for name, url in (
        ("http", "http://client.example/hook"),
        ("address", "https://192.0.2.1/hook"),
        ("port", "https://client.example:8443/hook"),
        ("local", "https://client.local/hook"),
        ("userinfo", "https://client.example@evil.example/hook"),
    ):
        yield refused(f"to-{name}", SAFE, inner, {"config": {**PLAIN, "url": url}})
    for name, secret in (("line-end", "a\r\nx-evil: 1"), ("blank", "a "), ("nul", "a\x00")):
        why = "What stands in a header cannot be another header."
        yield refused(f"token-{name}", SAFE, why, {"config": {**PLAIN, "token": secret}})
    why = "Nobody learns of another task."
    yield refused("other-task", SAFE, why, {"config": {**PLAIN, "task_id": "t2"}})


def _bearer(text: str) -> list[list[str]]:
    return [["authorization", f"Bearer {text}"]]


def jwt(header: Any = (), private: Any = ED, algorithm: str = "EdDSA", *, body: Any = TASK, **claims: Any) -> str:
    """The JWT of a notification, but for these members of its header and these claims."""
    digest = hashlib.sha256(as_bytes(body)).hexdigest()
    usual = {"iss": AGENT, "aud": HOOK, "iat": T, "exp": T + 300, "jti": "j1", "taskId": "t1"}
    head = {"alg": "EdDSA", "kid": "ed", "typ": "JWT"}
    payload = changed({**usual, "request_body_sha256": digest}, claims)
    return signed(changed(head, dict(header)), payload, private, algorithm)


def _unit(headers: Any, config: Case = SIGNED, body: Any = TASK) -> Case:
    text = as_bytes(body).decode()
    return {"method": "POST", "url": HOOK, "headers": headers, "body": text, "config": config, "to": TO}


KEYS_OF_AGENT: Final = keys(jwk(RSA, "k1"), jwk(P256, "p256"), jwk(ED, "ed"))


def _trusting(lookups: Any = None, **settings: Any) -> Case:
    found: Case = {"now": NOW, "settings": {"token_issuers": [issuer(issuer=AGENT, keys=KEYS_OF_AGENT)], **settings}}
    return found | ({} if lookups is None else {"lookups": lookups})


ANSWER: Final[Case] = {
    "reply_to": "m1",
    "parts": [{"kind": "text", "mime": "text/plain", "content": "It rains."}],
    "status": "ok",
    "a2a": {"task_id": "t1", "context_id": "c1", "state": "completed"},
}
NO_TOKEN: Final[list[list[str]]] = []
HAS_TOKEN: Final = [["x-a2a-notification-token", TOKEN]]


def taken() -> Iterator[Case]:
    """What a webhook takes."""

    def takes(name: str, section: str, why: str, unit: Case, given: Case | None = None, **value: Any) -> Case:
        around = given or {"now": NOW}
        return _case("taken", name, section, why, unit, given=around, value={**ANSWER, **value})

    yield takes("token", SENT, "The token says that the notification is meant.", _unit(HAS_TOKEN, PLAIN))
    yield takes("v03", OLD, "v0.3 sends the whole task.", _unit(HAS_TOKEN, PLAIN, OLD_TASK))
    yield takes(
        "status",
        SENT,
        "One event says what is new.",
        _unit(HAS_TOKEN, PLAIN, WORKING),
        parts=[],
        status="partial",
        a2a={**ANSWER["a2a"], "state": "working"},
    )
    early = {"url": HOOK, "token": TOKEN}
    yield takes(
        "early", SENT, "A notification may come before the answer that names the task.", _unit(HAS_TOKEN, early)
    )
    basic = [["authorization", "Basic dTpw"]]
    yield takes("credentials", SENT, "The agent shows what it was asked to show.", _unit(basic, BASIC), _trusting())
    why = "A JWT proves who sends it, to whom, when and what."
    yield takes("jwt", SAFE, why, _unit(_bearer(jwt())), _trusting())
    for name, kid, key, algorithm in (("rs256", "k1", RSA, "RS256"), ("es256", "p256", P256, "ES256")):
        text = jwt({"alg": algorithm, "kid": kid}, key, algorithm)
        yield takes(f"jwt-{name}", SAFE, "Agents sign with what they have.", _unit(_bearer(text)), _trusting())
    text = jwt(jti=GONE, taskId=GONE)
    yield takes("jwt-least", SAFE, "The body names the task, too.", _unit(_bearer(text)), _trusting())
    both = [*HAS_TOKEN, *_bearer(jwt())]
    yield takes("both", SAFE, "Everything that is configured is there.", _unit(both, PLAIN), _trusting())
    once = _trusting(use_once=True)
    yield takes("once", SAFE, "The first time counts.", _unit(_bearer(jwt())), once)


def refused() -> Iterator[Case]:
    """What a webhook refuses."""

    def refuses(name: str, code: str, why: str, unit: Case, given: Case | None = None, **beside: Any) -> Case:
        """Whose sender is not proven, by this code of the verdict."""
        outcome = {
            "rejected": {"code": beside.pop("rejected", "verification-required")},
            "verdict": _verdict(code, temporary=beside.pop("temporary", False)),
        }
        around = _trusting() if given is None else given
        return _case("refused", name, SAFE, why, unit, given=around, flag="attack", **outcome)

    def mismatched(name: str, code: str, why: str, unit: Case) -> Case:
        """What cannot be taken, whoever sends it."""
        return _case("refused", name, SAFE, why, unit, given=_trusting(), rejected={"code": code}, flag="attack")

    bare = {"now": NOW}
    guess = "Whoever guesses a token proves nothing."
    for name, code, headers in (
        ("token-missing", "unsigned", NO_TOKEN),
        ("token-forged", "token-mismatch", [["x-a2a-notification-token", "guess"]]),
        ("token-empty", "token-mismatch", [["x-a2a-notification-token", ""]]),
        ("token-other-case", "token-mismatch", [["x-a2a-notification-token", TOKEN.upper()]]),
        ("token-prefix", "token-mismatch", [["x-a2a-notification-token", TOKEN[:-1]]]),
        ("token-twice", "token-mismatch", [*HAS_TOKEN, ["x-a2a-notification-token", "guess"]]),
        ("token-as-bearer", "unsigned", _bearer(TOKEN)),
    ):
        yield refuses(name, code, guess, _unit(headers, PLAIN), bare)
    for name, code, value in (
        ("credentials-missing", "unsigned", None),
        ("credentials-forged", "token-mismatch", "Basic guess"),
        ("credentials-other-case", "token-mismatch", "Basic DTPW"),
        ("credentials-other-scheme", "unsigned", "Bearer dTpw"),
    ):
        yield refuses(name, code, guess, _unit([["authorization", value]] if value else [], BASIC), bare)

    whole = "The signature is over these very bytes."
    other = {"task": {**TASK["task"], "id": "t2"}}
    snow = as_bytes(TASK).replace(b"rains", b"snows").decode()
    yield refuses("body-changed", "digest-mismatch", whole, _unit(_bearer(jwt()), body=snow))
    yield refuses("body-reordered", "digest-mismatch", whole, _unit(_bearer(jwt()), body=as_bytes(TASK).decode() + " "))
    yield refuses("no-digest", "claim-missing", whole, _unit(_bearer(jwt(request_body_sha256=GONE))))
    yield refuses("digest-number", "claim-malformed", whole, _unit(_bearer(jwt(request_body_sha256=1))))
    for name, code, text, why in (
        ("alg-none", "algorithm-refused", jwt({"alg": "none"}, algorithm="none"), "No signature proves nothing."),
        ("alg-secret", "algorithm-refused", jwt({"alg": "HS256"}, b"k", "HS256"), "A public key is no secret."),
        ("other-key", "bad-signature", jwt({"alg": "RS256", "kid": "k1"}, RSA_OTHER, "RS256"), "Another key signed."),
        ("key-unknown", "key-unknown", jwt({"kid": "k9"}), "The issuer has no such key."),
        ("access-token", "token-type-refused", jwt({"typ": "at+jwt"}), "An access token is for another use."),
        ("id-token", "token-type-refused", jwt(nonce="n"), "An ID token is for another use."),
        ("issuer-unknown", "issuer-unknown", jwt(iss=OTHER), "A stranger can sign whatever it likes."),
        ("other-audience", "audience-mismatch", jwt(aud="https://other.example/hook"), "It is for another webhook."),
        ("no-audience", "claim-missing", jwt(aud=GONE), "A JWT for nobody is a JWT for everybody."),
        ("late", "expired", jwt(iat=T - 361, exp=T + 300), "What is old may be a recording, whatever exp says."),
        ("expired", "expired", jwt(iat=T - 300, exp=T - 61), "What is old may be a recording."),
        ("from-the-future", "not-yet-valid", jwt(iat=T + 61, exp=T + 361), "Nobody signs tomorrow."),
        ("no-iat", "time-missing", jwt(iat=GONE), "Without a time it would count for ever."),
        ("no-exp", "time-missing", jwt(exp=GONE), "Without an end it would count for ever."),
        ("bound-to-a-key", "proof-unchecked", jwt(cnf={"jkt": "x"}), "Nobody checked the proof."),
    ):
        yield refuses(name, code, why, _unit(_bearer(text)))
    yield refuses("no-signature", "unsigned", "Who is configured to sign must sign.", _unit(NO_TOKEN))
    why = "Everything that is configured must be there."
    yield refuses("token-without-jwt", "unsigned", why, _unit(HAS_TOKEN, PLAIN))
    yield refuses("jwt-without-token", "unsigned", why, _unit(_bearer(jwt()), PLAIN))
    replay = _trusting(use_once=True, lookups={"ONCE *": False})
    yield refuses("replayed", "replayed", "It counts once.", _unit(_bearer(jwt())), replay)
    down = _trusting(use_once=True, lookups={"ONCE *": {"failed": "down", "temporary": True}})
    yield refuses(
        "replay-unknown",
        "replay-unknown",
        "Whether it was used could not be found out just now.",
        _unit(_bearer(jwt())),
        down,
        rejected="lookup-failed",
        temporary=True,
    )

    why = "A notification is about the task that was asked about."
    yield mismatched("other-task", "task-mismatch", why, _unit(_bearer(jwt(body=other)), body=other))
    yield mismatched("other-task-signed", "task-mismatch", why, _unit(_bearer(jwt(taskId="t2"))))
    both = [*HAS_TOKEN, *_bearer(jwt(body=other))]
    yield mismatched("other-task-with-token", "task-mismatch", why, _unit(both, PLAIN, other))
    message = {"message": WORDS}
    yield mismatched("no-task", "task-mismatch", why, _unit(_bearer(jwt(body=message)), body=message))
    yield mismatched("no-json", "invalid-json", "Only JSON says anything.", _unit(_bearer(jwt(body="x")), body="x"))
    asking = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": TASK}
    why = "A request is no notification."
    yield mismatched("a-request", "not-a-message", why, _unit(_bearer(jwt(body=asking)), body=asking))
    for name, unit, around in (
        ("nothing-configured", _unit(NO_TOKEN), bare),
        ("empty-token", _unit([["x-a2a-notification-token", ""]], {**SIGNED, "token": ""}), bare),
        ("whose-task", _unit(_bearer(jwt()), {"url": HOOK}), _trusting()),
    ):
        why = "What nobody can prove is refused, not taken."
        outcome: Case = {"rejected": {"code": "verification-required"}}
        yield _case("refused", name, SAFE, why, unit, given=around, flag="attack", **outcome)


def _verdict(code: str, *, temporary: bool) -> Case:
    return {
        "method": "none",
        "verified": False,
        "address": None,
        "key_id": None,
        "code": code,
        "temporary": temporary,
    }
