"""Cases of whole messages: what a verified sender looks like, and what a token that failed costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._a2a_introspection import SERVER, said
from tests.vectors._a2a_rows import fetched, given, published, request
from tests.vectors._a2a_tokens import (
    ALICE,
    AUDIENCE,
    BOT,
    CLAIMS,
    ISSUER,
    RSA_OTHER,
    T,
    issuer,
    keys,
    token,
)

if TYPE_CHECKING:
    from tests.vectors._a2a_rows import Case

HELPER = "@helper@agents.example"
ANONYMOUS = {"address": "@anonymous@a2a.invalid", "auth_method": "none", "verified": False}
MESSAGE = {"messageId": "m1", "taskId": "t1", "role": "ROLE_USER", "parts": [{"text": "hi"}]}
GOOD = token()
EXPIRED = token(exp=T - 3_600, iat=T - 7_200)
ANY = {"$any": "json"}


def _unit(found: Any, **beside: Any) -> Case:
    """A request with a token, and the usual message in it."""
    unit = found if isinstance(found, dict) else request(found)
    headers = [["a2a-version", "1.0"], *unit["headers"]]
    return {**unit, "headers": headers, "body": {"message": MESSAGE}, **beside}


def _evidence(method: str = "a2a-jwt", subject: str = ALICE, key_id: str | None = "k1", **more: Any) -> Case:
    return {
        "subject": subject,
        "issuer": ISSUER,
        "method": f"urn:mentionable:auth:{method}:v0.1",
        "assurance": "agent" if method == "a2a-jwt" else "oauth",
        "audience": HELPER,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "a2a"} | ({} if key_id is None else {"key_id": key_id}),
        **more,
    }


def _sender(address: str = ALICE, method: str = "a2a-jwt", key_id: str | None = "k1", **more: Any) -> Case:
    found: Case = {"address": address, "auth_method": method, "verified": True}
    return found | ({} if key_id is None else {"key_id": key_id}) | {"identities": [ANY]} | more


def _message(sender: Case, raw: Any = ANY) -> Case:
    return {
        "id": {"$any": "uuid7"},
        "thread_id": "t1",
        "sender": sender,
        "recipient": HELPER,
        "parts": [{"kind": "text", "mime": "text/plain", "content": "hi"}],
        "recipient_capabilities": {"mention_relay": {"kind": "none"}},
        "received_via": "a2a",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": raw,
    }


def _verdict(
    code: str | None = None, *, temporary: bool = False, address: str = ALICE, method: str = "a2a-jwt"
) -> Case:
    if code is not None:
        return {"method": "none", "verified": False, "address": None, "code": code, "temporary": temporary}
    return {"method": method, "verified": True, "address": address, "code": None, "temporary": False}


def _case(name: str, section: str, why: str, unit: Case, around: Case, **expected: Any) -> Case:
    lookups = {"MESSAGE *": None, **around.get("lookups", {})}
    around = {**around, "recipient": HELPER, "lookups": lookups}
    case = {
        "id": f"a2a/verify-received/{name}",
        "section": section,
        "level": "MUST",
        "why": why,
        "flags": ["a2a", *expected.pop("flags", [])],
        "given": around,
        "input": unit,
    }
    return case | expected


def _got(sender: Case, code: str | None = None, *, raw: Any = ANY, notes: tuple[str, ...] = (), **verdict: Any) -> Case:
    """What is expected of a message with this sender."""
    return {"messages": [_message(sender, raw)], "verdict": _verdict(code, **verdict), "diagnostics": list(notes)}


def received() -> list[Case]:
    """Every case of whole messages."""
    return [*_shown(), *_not_shown(), *_beside_others(), *_once()]


def _shown() -> list[Case]:
    """Senders who are shown."""
    acting = token(sub="user-7", act={"sub": BOT, "name": "Bot"})
    principals = {"on_behalf_of": [f"{ISSUER}#user-7"], "claims": {"sub": "user-7", "act": {"sub": BOT}}}
    profiled = token(name="Alice", picture="https://a.example/alice.png", locale="de", zoneinfo="Europe/Berlin")
    profile = {
        "display_name": "Alice",
        "avatar": {"url": "https://a.example/alice.png"},
        "locale": "de",
        "timezone": "Europe/Berlin",
        "provider": "oauth",
    }
    secret = token(access_token="canary-7f3a", act={"sub": BOT, "id_token": "canary-7f3a"})
    raw = {
        "message": MESSAGE,
        "auth": {
            "kind": "jwt",
            "subject": ALICE,
            "token_claims": {
                **CLAIMS,
                "access_token": "[redacted]",
                "act": {"sub": BOT, "id_token": "[redacted]"},
            },
        },
        "envelope": ANY,
    }
    opaque = _unit(said())
    shared = token(aud=["https://other.example", AUDIENCE])
    oauth: dict[str, Any] = {"method": "a2a-oauth"}
    by_server = _sender(**oauth, key_id=None, identities=[_evidence("a2a-oauth", key_id=None)])
    return [
        _case(
            "verified",
            "NM 5",
            "The sender is shown, and by which key and whose word.",
            _unit(GOOD),
            given(),
            **_got(_sender(identities=[_evidence()])),
        ),
        _case(
            "verified-by-server",
            "NM 5",
            "The sender is shown by the word of the authorization server, and by no key.",
            opaque,
            given(SERVER),
            **_got(by_server, **oauth),
        ),
        _case(
            "verified-without-request",
            "NM 5",
            "A host that has only the message can hand in what the server said.",
            {"message": MESSAGE, "introspection": said()["introspection"]},
            given(SERVER),
            **_got(by_server, **oauth),
        ),
        _case(
            "keys-asked-for",
            "NM 5",
            "The keys are asked for once, whoever of the steps needs them.",
            _unit(GOOD),
            given(fetched(), lookups=published({"json": keys()})),
            **_got(_sender()),
            max_asks=1,
        ),
        _case(
            "on-behalf-of",
            "RFC 8693 4.1",
            "The agent is the sender; the user for whom it acts stands in the evidence.",
            _unit(acting),
            given(),
            **_got(
                _sender(
                    BOT,
                    display_name="Bot",
                    profile={"display_name": "Bot", "provider": "oauth"},
                    identities=[_evidence(subject=BOT, **principals)],
                ),
                address=BOT,
            ),
        ),
        _case(
            "profile",
            "R23",
            "What the issuer says of the sender is for people to see.",
            _unit(profiled),
            given(),
            **_got(_sender(display_name="Alice", profile=profile)),
        ),
        _case(
            "name-of-another-domain",
            "R23",
            "A name that looks like another address would fool people.",
            _unit(token(name="ceo@bank.example")),
            given(),
            **_got(_sender(display_name="ceo@bank.example", profile=ANY), notes=("name-holds-address",)),
        ),
        _case(
            "no-token-in-raw-typed",
            "R9",
            "The claims are kept, without secrets; the token itself is kept nowhere.",
            _unit(secret),
            given(),
            **_got(_sender(BOT), raw=raw, address=BOT),
            flags=["canary"],
        ),
        _case(
            "audience-shared",
            "RFC 8725 3.9",
            "Every service that the token names could have sent this, and the host should know.",
            _unit(shared),
            given(),
            **_got(_sender(), notes=("audience-shared",)),
        ),
        _case(
            "native-id",
            "NM 5",
            "The id of a message is unique for its sender alone: two agents may both say m1.",
            _unit(GOOD),
            given(
                lookups={
                    "MESSAGE m1": {"id": "m0", "thread_id": "t0", "sender": "@bob@a.example"},
                    "MESSAGE *": None,
                    f"MESSAGE {ALICE} m1": {"id": "m7", "thread_id": "t1", "sender": ALICE, "auth_method": "a2a-jwt"},
                }
            ),
            messages=[{**_message(_sender()), "id": "m7"}],
            diagnostics=["redelivered"],
        ),
        _case(
            "after-other-words-unshown",
            "R4",
            "Whoever knows an id beforehand must not keep a message from its answer.",
            _unit(GOOD),
            given(
                lookups={
                    "MESSAGE *": None,
                    f"MESSAGE {ALICE} m1": {
                        "id": "m7",
                        "thread_id": "t1",
                        "sender": ALICE,
                        "verified": False,
                        "digest": "0" * 64,
                    },
                }
            ),
            **_got(_sender(), notes=("native-id-reused",)),
        ),
    ]


def _not_shown() -> list[Case]:
    """Tokens that show nobody: the message comes all the same."""
    costs = "A bad token costs the proof, not the message: its sender is nobody."
    raw = {"message": MESSAGE, "envelope": ANY}
    required = "Where only senders who are shown are taken, the sender must hear that."
    demanding = {"require_verified": True}
    rows = [
        ("expired", EXPIRED, "expired"),
        ("forged", token(private=RSA_OTHER), "bad-signature"),
        ("malformed", "canary-7f3a", "signature-malformed"),
        ("subject-elsewhere", token(sub="@alice@b.example"), "subject-not-authorized"),
    ]
    down = published({"failed": "timed out", "temporary": True})
    stored = {"MESSAGE *": {"id": "m7", "thread_id": "t1", "sender": ALICE, "auth_method": "a2a-jwt"}}
    return [
        *(
            _case(
                f"{name}-typed", "R21", costs, _unit(text), given(), **_got(ANONYMOUS, code, raw=raw), flags=["attack"]
            )
            for name, text, code in rows
        ),
        _case(
            "no-keys-now",
            "R21",
            "The message comes now; the host may verify it later.",
            _unit(GOOD),
            given(fetched(), lookups=down),
            **_got(ANONYMOUS, "key-unresolvable", temporary=True),
        ),
        _case(
            "weaker-than-before",
            "R21",
            "Who once was shown cannot be replaced by somebody who is not.",
            _unit(EXPIRED, caller={"subject": ALICE}),
            given(lookups=stored),
            **_got({**ANONYMOUS, "address": ALICE}, "expired", notes=("native-id-reused",)),
            flags=["attack"],
        ),
        _case("required-and-shown", "R21", required, _unit(GOOD), given(**demanding), **_got(_sender())),
        _case(
            "required-and-failed",
            "R21",
            required,
            _unit(EXPIRED),
            given(**demanding),
            rejected={"code": "verification-required"},
            verdict=_verdict("expired"),
            flags=["attack"],
        ),
        _case(
            "required-and-unsigned",
            "R21",
            required,
            _unit(request()),
            given(**demanding),
            rejected={"code": "verification-required"},
            verdict=_verdict("unsigned"),
            flags=["attack"],
        ),
        _case(
            "required-and-no-keys-now",
            "R21",
            "Who could not be checked just now may try again.",
            _unit(GOOD),
            given(fetched(), lookups=down, **demanding),
            rejected={"code": "lookup-failed"},
            verdict=_verdict("key-unresolvable", temporary=True),
        ),
    ]


def _beside_others() -> list[Case]:
    """Tokens beside what the host says."""
    caller = {"subject": "bob@a.example", "claims": {"via": "mtls"}}
    bob = {"address": "@bob@a.example", "auth_method": "none", "verified": False}
    peer = {"address": "@peer@a.example", "auth_method": "none", "verified": False}
    raw = {
        "message": MESSAGE,
        "auth": {"subject": "bob@a.example", "token_claims": {"via": "mtls"}},
        "envelope": ANY,
    }
    return [
        _case(
            "caller-differs",
            "NM 5",
            "What is shown counts more than what is said, and the host should know that both differ.",
            _unit(GOOD, caller=caller),
            given(),
            **_got(_sender(), notes=("caller-differs",)),
        ),
        _case(
            "caller-agrees",
            "NM 5",
            "The host knows the same sender as the token.",
            _unit(GOOD, caller={"subject": "acct:alice@a.example"}),
            given(),
            **_got(_sender()),
        ),
        _case(
            "caller-beside-failed-token-typed",
            "R21",
            "Whom the host names is the sender, and not shown; why not is in the verdict.",
            _unit(EXPIRED, caller=caller),
            given(),
            **_got(bob, "expired", raw=raw),
        ),
        _case(
            "peer",
            "NM 3.1",
            "A result is from whom was asked; a token in it shows nobody.",
            _unit(GOOD, peer="@peer@a.example"),
            given(),
            **_got(peer, "unsigned"),
            flags=["attack"],
        ),
        _case(
            "two-tokens",
            "RFC 6750 2.1",
            "With two tokens a proxy before you may have checked the other one.",
            _unit(request(GOOD, EXPIRED)),
            given(),
            **_got(ANONYMOUS, "signature-ambiguous"),
            flags=["attack"],
        ),
        _case(
            "server-says-no",
            "RFC 7662 2.2",
            "What the server says counts, however well the token is signed.",
            _unit(said(GOOD, active=False)),
            given(issuer()),
            **_got(ANONYMOUS, "token-inactive"),
            flags=["attack"],
        ),
        _case(
            "signed-beside-server",
            "RFC 7662 2.2",
            "The host asked; so its server's word is what shows the sender.",
            _unit(said(GOOD)),
            given(issuer()),
            **_got(_sender(method="a2a-oauth", key_id=None), method="a2a-oauth"),
        ),
        _case(
            "failed-token-and-no-address",
            "R21",
            "A name of another system is no address, with a token or without.",
            _unit(EXPIRED, caller={"subject": "user-7"}),
            given(),
            **_got(ANONYMOUS, "expired", notes=("caller-not-address",)),
        ),
    ]


def _once() -> list[Case]:
    """Tokens that count once."""
    once = {"use_once": True}
    stolen = "Whoever reads a token on the way could send another message with it."
    return [
        _case(
            "once-free",
            "R25",
            "A token that nobody used yet shows its sender.",
            _unit(GOOD),
            given(**once),
            **_got(_sender()),
        ),
        _case(
            "once-taken",
            "R25",
            stolen,
            _unit(GOOD),
            given(lookups={"ONCE *": False}, **once),
            **_got(ANONYMOUS, "replayed"),
            flags=["attack"],
        ),
        _case(
            "once-same",
            "R70",
            "The same message comes again with its token: it is a redelivery, also where no message is stored.",
            _unit(GOOD),
            given(lookups={"ONCE *": "same"}, **once),
            **_got(_sender(), notes=("redelivered",)),
        ),
        _case(
            "once-other",
            "R70",
            stolen,
            _unit(GOOD),
            given(lookups={"ONCE *": "other"}, **once),
            **_got(ANONYMOUS, "replayed"),
            flags=["attack"],
        ),
        _case(
            "once-unknown",
            "R25",
            "Whether it was used could not be found out just now.",
            _unit(GOOD),
            given(lookups={"ONCE *": {"failed": "down", "temporary": True}}, **once),
            **_got(ANONYMOUS, "replay-unknown", temporary=True),
            flags=["attack"],
        ),
        _case(
            "once-required",
            "R25",
            stolen,
            _unit(GOOD),
            given(lookups={"ONCE *": False}, require_verified=True, **once),
            rejected={"code": "verification-required"},
            verdict=_verdict("replayed"),
            flags=["attack"],
        ),
        _case(
            "once-not-wanted",
            "R25",
            "Many issuers give one token for many messages; counting is the host's choice.",
            _unit(GOOD),
            given(lookups={"ONCE *": False}),
            **_got(_sender()),
            must_not_ask=["ONCE *"],
        ),
        _case(
            "once-not-for-a-failed-token",
            "R25",
            "A token that shows nobody uses nothing up: else anybody could use up another's.",
            _unit(token(private=RSA_OTHER)),
            given(**once),
            **_got(ANONYMOUS, "bad-signature"),
            must_not_ask=["ONCE *"],
            flags=["attack"],
        ),
        _case(
            "once-by-server",
            "R25",
            stolen,
            _unit(said()),
            given(SERVER, lookups={"ONCE *": False}, **once),
            **_got(ANONYMOUS, "replayed"),
            flags=["attack"],
        ),
    ]
