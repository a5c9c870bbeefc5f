"""Mutants of REST: what stands beside the turns of a form, and what is said of it."""

from __future__ import annotations

from typing import Any

from tests.mutants._answers import quiet
from tests.mutants._rest import AREA, RECEIVE, wrongs

# --- beside the turns

quiet(
    AREA,
    RECEIVE,
    "sidecar-malformed",
    "charset-unknown",
    "thread-from-message",
    "time-assumed",
    "history-role",
    "caller-not-address",
    "redelivered",
    "native-id-reused",
    "evidence-refused",
    "receipt-malformed",
    "policy-malformed",
    "history-turn-dropped",
)


def _changed(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that changes the message: `change(message, unit)`."""

    def changed(answer: Any, _: Any, unit: Any) -> Any:
        if not answer.get("messages"):
            return None
        change(answer["messages"][0], unit)
        return answer

    wrongs(RECEIVE, name, rule, changed)


def _turns(message: Any) -> Any:
    return message.get("history") or ()


def _boasts(message: Any, unit: Any) -> None:
    for turn in _turns(message):
        if "email-dkim" in str(unit):
            turn["sender"] |= {"verified": True, "auth_method": "email-dkim"}


_changed("turns-verified", "Believes turns that call themselves verified.", _boasts)


def _roles(message: Any, unit: Any) -> None:
    for turn in _turns(message):
        if '"role":"assistant"' in str(unit):
            turn["role"] = "assistant"


_changed("roles-as-told", "Takes the role that a turn says.", _roles)


def _profiles(message: Any, _: Any) -> None:
    message["sender"].pop("profile", None)


_changed("no-profile", "Does not show what evidence says of somebody.", _profiles)


def _own(message: Any, unit: Any) -> None:
    if "caller" in unit and unit["caller"]["subject"] == message["recipient"]:
        for turn in _turns(message):
            turn["role"] = "user"


_changed("own-turns-are-users", "Takes an agent that asks itself for a user.", _own)


def _session(message: Any, unit: Any) -> None:
    if ["session", "s1"] in unit.get("fields", ()) and len(unit["fields"]) < 3:
        message["thread_id"] = "other"


_changed("no-session", "Does not know sessions of short forms.", _session)
