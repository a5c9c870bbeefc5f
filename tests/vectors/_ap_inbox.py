"""What the cases of inboxes share: activities of alice, what is stored of them, and what a server gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ALICE,
    AS2,
    BOB,
    HELPER,
    NOTE,
    OTHER,
    SERVER,
    Cases,
    actor,
    cavage,
    document,
    post,
    shown,
    unshown,
    without,
    world,
)

if TYPE_CHECKING:
    from tests.vectors._ap import Unit

OP = "activitypub.inbox"
AGENT, ADDRESS = "@helper@agents.example", "@alice@social.example"
SECOND, SECOND_AGENT = "https://agents.example/actors/second", "@second@agents.example"
EVE, OF_EVE, OF_BOB = f"{SERVER}/users/eve", "@eve@social.example", "@bob@other.example"
OURS = "https://agents.example/objects/1"
DONE = f"{SERVER}/activities/0"
NEW = "https://other.example/users/alice"
KNOWN_ID = "019ab1c2-0000-7000-8000-000000000001"
THREAD = "https://agents.example/threads/1"
LONG_AGO = "Sat, 01 Nov 2025 00:00:00 GMT"


def act(kind: str, about: Any = ..., **members: Any) -> dict[str, Any]:
    """An activity of alice that is no message."""
    made = {"@context": AS2, "id": f"{SERVER}/activities/1", "type": kind, "actor": ALICE, "object": about}
    return without(made | members)


def inner(kind: str, about: Any, by: str = ALICE, own: str = DONE) -> dict[str, Any]:
    """An activity inside another one."""
    return {"id": own, "type": kind, "actor": by, "object": about}


def shown_inner(whole: dict[str, Any]) -> dict[str, Any]:
    """The same in the outcome."""
    return {"type": whole["type"], "id": whole["id"], "actor_id": whole["actor"], "object_id": whole["object"]}


def around(who: dict[str, Any] | None = None, **rows: Any) -> dict[str, Any]:
    """Alice's server, where her actor has an inbox, and our agents."""
    server = world(actor(inbox=f"{ALICE}/inbox", **(who or {})))
    agents = {f"AGENT {HELPER}": AGENT, f"AGENT {SECOND}": SECOND_AGENT, "AGENT *": None}
    return {**server, **agents, "MESSAGE *": None, **rows}


def row(sender: str = ADDRESS, **members: Any) -> dict[str, Any]:
    """A stored message."""
    made = {"id": KNOWN_ID, "thread_id": THREAD, "sender": sender, "auth_method": "ap-http-signature"}
    return made | {"verified": True} | members


def stored(about: str, sender: str = ADDRESS, **others: str) -> dict[str, Any]:
    """What the store answers: the message for the agent, and for others by the names of their writers."""
    more = {f"@{name}@agents.example": row(writer) for name, writer in others.items()}
    return {f"MESSAGES {about}": {AGENT: row(sender), **more}}


class Inbox(Cases):
    """Cases of an inbox."""

    def event(
        self,
        variant: str,
        why: str,
        whole: dict[str, Any],
        *,
        authority: str = "own",
        lookups: dict[str, Any] | None = None,
        unit: Unit | None = None,
        facts: dict[str, Any] | None = None,
        **members: Any,
    ) -> None:
        """The delivery, signed by alice, is an activity to act on; `members` are those of the outcome."""
        about = whole.get("object")
        named = about.get("id") if isinstance(about, dict) else about
        made = {
            "type": whole["type"],
            "id": whole["id"],
            "actor": {"address": ADDRESS, "id": ALICE},
            "authority": authority,
            "object_ids": [] if named is None else [named],
            "recipients": [AGENT],
            "stored": {},
        }
        value = {"activity": without(made | members)}
        given = around() if lookups is None else lookups
        self.add(
            variant,
            why,
            unit or cavage(post(whole)),
            value,
            lookups=given,
            **({"verdict": shown(), "level": "SHOULD", "diagnostics": []} | (facts or {})),
        )

    def reject(self, variant: str, why: str, what: dict[str, Any], code: str, **facts: Any) -> None:
        """The delivery is rejected; one that is no request yet is signed by alice."""
        unit: Unit = what if "method" in what else cavage(post(what))
        self.add(variant, why, unit, **({"lookups": around(), "level": "SHOULD", "attack": True} | facts))
        del self.found[-1]["value"]
        self.found[-1]["rejected"] = {"code": code}

    def refuse_claim(self, variant: str, why: str, what: dict[str, Any], code: str, **facts: Any) -> None:
        """The delivery is rejected for what it says itself: nothing is fetched."""
        self.reject(variant, why, what, code, **({"max_asks": 0} | facts))

    def refuse_shown(self, variant: str, why: str, what: dict[str, Any], code: str, **facts: Any) -> None:
        """The delivery is rejected although its sender is shown."""
        self.reject(variant, why, what, code, **({"verdict": shown()} | facts))


def forged(whole: dict[str, Any]) -> Unit:
    """Signed by a key of somebody else."""
    return cavage(post(whole), key=OTHER)


__all__ = [
    "ADDRESS", "AGENT", "ALICE", "AS2", "BOB", "DONE", "EVE", "HELPER", "KNOWN_ID", "LONG_AGO", "NEW", "NOTE", "OF_BOB",
    "OF_EVE", "OP", "OURS", "SECOND", "SECOND_AGENT", "THREAD", "Inbox", "act", "around", "document", "forged",
    "inner", "row", "shown_inner", "stored", "unshown",
]  # fmt: skip
