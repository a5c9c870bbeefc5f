"""The rules that agents keep: `conformance/v0.1/policy/agent*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._policy_rows import (
    HOST,
    STATE,
    Case,
    agreed,
    consent,
    key,
    one,
    payment,
    resolved,
    state,
    stored,
    turn,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT: Case = {"kind": "text", "mime": "text/plain", "content": "Here you are."}


def _carried(policy: Case) -> Case:
    return {"kind": "policy", "policy": policy}


def _no(**members: Any) -> Case:
    return {"kind": "forbidden", "message": "No.", **members}


def _answer(*parts: Case, **members: Any) -> Case:
    return {"reply_to": "m1", "parts": list(parts), "status": "ok", **members}


def _judged(name: str, section: str, why: str, response: Case, *places: str, **more: Any) -> Case:
    """An answer, and where it breaks a rule."""
    unit = {"message": turn(**more.pop("message", {})), "response": response}
    unit |= {member: more.pop(member) for member in ("record", "resumed") if member in more}
    behaviour = "agent" if not places else "agent-faults"
    return one(behaviour, name, section, why, unit, value=list(places), **more)


def kept() -> Iterator[Case]:
    """Answers that may go out."""
    paying, asking = payment(state=STATE), consent(state=STATE)
    record, asked = stored(), stored("consent_required")
    failed = {"status": "error", "error": {"code": "x", "message": "No.", "retriable": False}}
    yield _judged("text", "NM 8", "Most answers demand nothing.", _answer(TEXT))
    yield _judged("nothing", "NM 8", "An agent may just listen.", _answer())
    yield _judged(
        "refusal", "PP", "A refusal leads to the agent's host.", _answer(TEXT, _carried(_no(url=f"https://{HOST}/")))
    )
    yield _judged("payment", "D B11", "What is demanded is stored.", _answer(_carried(paying)), record=record)
    yield _judged("consent", "D B11", "What is demanded is stored.", _answer(_carried(asking)), record=asked)
    settings = {"settings": {"policy_hosts": ["pay.example"]}}
    other = _answer(_carried(_no(url="https://pay.example/7")))
    yield _judged("host-of-operator", "D B11", "The operator may name other hosts.", other, given=settings)
    unknown = {"kind": "example:age_check", "message": "How old?", "state": "x"}
    yield _judged("unknown-kind", "PP 3.6", "Other kinds have rules of their own.", _answer(_carried(unknown)))
    done = {"policy_resolution": resolved()}
    yield _judged(
        "resumed", "NM 8", "The state is consumed, the agent may act.", _answer(TEXT), message=done, resumed=True
    )
    done = {"policy_resolution": agreed()}
    yield _judged(
        "resumed-consent",
        "NM 8",
        "The state is consumed, the agent may act.",
        _answer(TEXT),
        message=done,
        resumed=True,
    )
    why = "Who did not resume demands again."
    again = payment(state=state("again"))
    anew = stored(key=key(again["state"]))
    yield _judged("demanded-again", "D B3", why, _answer(_carried(again)), message=done, record=anew)
    why = "Who did not resume may say that it failed."
    yield _judged("failed", "D B3", why, _answer(**failed), message=done)


def broken() -> Iterator[Case]:
    """Answers that break a rule, and where."""
    paying, record = payment(state=STATE), stored()
    yield _judged(
        "other-question", "NM 8", "An answer answers what was asked.", _answer(TEXT, reply_to="m0"), "/reply_to"
    )
    why = "A policy ends an answer."
    yield _judged("before-the-end", "R40", why, _answer(_carried(_no()), TEXT), "/parts/0")
    yield _judged("two", "R40", "There is one policy.", _answer(_carried(_no()), _carried(_no())), "/parts/0")
    partial = _answer(_carried(_no()), status="partial", streaming={"stream_id": "s", "seq": 0, "final": False})
    yield _judged("in-a-partial-frame", "R40", "Only the final frame has a policy.", partial, "/parts/0")
    evil = _no(url="https://evil.example/")
    yield _judged(
        "elsewhere",
        "PP",
        "People are led to the agent's own host.",
        _answer(TEXT, _carried(evil)),
        "/parts/1/policy/url",
    )
    params = {"realm": "x", "authorization_uri": "https://evil.example/"}
    challenge = {"kind": "unauthorized", "message": "Who?", "auth_challenges": [{"scheme": "Bearer", "params": params}]}
    at = "/parts/0/policy/auth_challenges/0/params/authorization_uri"
    yield _judged("challenge-elsewhere", "D B11", "Nobody shall sign in elsewhere.", _answer(_carried(challenge)), at)
    settings = {"settings": {"policy_hosts": ["pay.example"]}}
    below = _answer(_carried(_no(url="https://a.pay.example/7")))
    why = "Hosts of the operator count exactly."
    yield _judged("below-host-of-operator", "D B11", why, below, "/parts/0/policy/url", given=settings)
    at = "/parts/0/policy/state"
    why = "Without a state nobody can complete it."
    yield _judged("no-state", "D B11", why, _answer(_carried(payment())), at, record=record)
    why = "What was not stored cannot be completed."
    yield _judged("not-stored", "D B11", why, _answer(_carried(paying)), at)
    why = "What was stored is of another demand."
    for name, wrong in (
        ("state", stored(key=key(state("other")))),
        ("kind", stored("consent_required")),
        ("question", stored(message_id="m0")),
    ):
        yield _judged(f"stored-of-another-{name}", "D B11", why, _answer(_carried(paying)), at, record=wrong)
    why = "A demand that was issued and not made leaves people waiting."
    yield _judged("not-demanded", "D B11", why, _answer(TEXT), "/parts", record=record)
    done = {"policy_resolution": resolved()}
    why = "Presence is not proof: who acts has consumed the state."
    yield _judged("acted-without-resuming", "NM 8", why, _answer(TEXT), "/policy_resolution", message=done)
    why = "What was resumed is what was shown."
    other = resolved(transaction="tx2")
    yield _judged("resumed-another", "NM 8", why, _answer(TEXT), "/policy_resolution", message=done, resumed=other)


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "policy", "agent", "policy.check_response", "Answers that may go out.", list(kept())
    yield "policy", "agent-faults", "policy.check_response", "Answers that may not.", list(broken())
