"""Which published type stands where in the expectation of a case, and what the cases contradict."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from . import events, evidence, ingest, message, policy
from ._check import HTTPS, NUMBER, TEXT, Type, listed, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_RESPONSE: Final = ("value", message.RESPONSE)
_RESOLUTION: Final = ("value", policy.RESOLUTION)
_ANSWER: Final = (("facts.parts", message.PARTS), ("facts.status", message.STATUS))

PLACES: Final[Mapping[str, tuple[tuple[str, Type], ...]]] = {
    "*.receive": (("messages.*", message.RECEIVED),),
    "*.complete": (("messages.*", message.RECEIVED),),
    "value.* NormalizedMessage": (("value", message.MESSAGE),),
    "value.* NormalizedResponse": (_RESPONSE,),
    "rest.round_trip": (("messages.*", message.RECEIVED), *_ANSWER),
    "*.sender": (("value", message.SENDER),),
    "*.history": (("value", message.TURNS),),
    "*.parts": (("value", message.PARTS),),
    "*.files": (("value", message.PARTS),),
    "history.trim": (("value", message.TURNS),),
    "ingest.turn": (("value", message.TURN),),
    "capabilities.next_hop": (("value", message.CHAIN),),
    "a2a.result": (_RESPONSE,),
    "a2a.receive_push_notification": (_RESPONSE,),
    "rest.result": (_RESPONSE, ("facts.status", message.STATUS)),
    "a2a.round_trip": (_RESPONSE, *_ANSWER),
    "response.assemble": (_RESPONSE,),
    "response.split": (("facts.whole", message.RESPONSE),),
    "response.destination": (("value.channel", message.CHANNEL), ("value.thread_ref", TEXT)),
    "trace.read": (_RESPONSE,),
    "trace.write": (
        ("facts.response", message.RESPONSE),
        ("facts.text", message.ANCHOR_TEXT),
        ("facts.anchor", message.ANCHOR),
    ),
    "render.tool_call": (("value", message.TOOL_LINE),),
    "activitypub.round_trip": (
        ("facts.parts", message.PARTS),
        ("facts.received_trace", message.RESPONSE),
        ("facts.received_via", message.CHANNEL),
        ("facts.recipient", message.ADDRESS),
    ),
    "email.round_trip": (
        ("facts.parts", message.PARTS),
        ("facts.received_trace", message.RESPONSE),
        ("facts.received_via", message.CHANNEL),
        ("facts.recipient", message.ADDRESS),
    ),
    "activitypub.*": (("facts.trace", message.RESPONSE), ("facts.policy", policy.POLICY)),
    "email.reply": (("facts.trace", message.RESPONSE), ("facts.policy", policy.POLICY)),
    "a2a.reply": (("facts.policy", policy.POLICY), ("facts.parts.*.data", message.TOOL_EVENT)),
    "rest.reply": (("facts.json.parts", message.PARTS), ("facts.json.reply_to", TEXT)),
    "a2a.call": (
        ("facts.request_metadata.mentionable.policy_resolution", policy.RESOLUTION),
        ("facts.request_hints.policy_resolution", policy.RESOLUTION),
        ("facts.request_hints.recipient_capabilities", message.CAPABILITIES),
        ("facts.request_hints.history", message.TURNS),
    ),
    "rest.call": (
        ("facts.parts", message.PARTS),
        ("facts.history", message.TURNS),
        ("facts.recipient_capabilities", message.CAPABILITIES),
        ("facts.identity_evidence", listed(evidence.EVIDENCE)),
        ("facts.policy_resolution", policy.RESOLUTION),
    ),
    "policy.read": (("value.policy", policy.POLICY),),
    "policy.from_http": (("value.policy", policy.POLICY),),
    "policy.x402_demand": (("value.policy", policy.POLICY),),
    "policy.localize": (("value", policy.POLICY),),
    "policy.issue": (("value.part", policy.POLICY),),
    "policy.to_http": (("facts.policy", policy.POLICY), ("facts", policy.STATUS)),
    "policy.accept": (_RESOLUTION,),
    "policy.resume": (_RESOLUTION,),
    "policy.declare": (("value", policy.CARD),),
    "slack.attest": (("value.*", evidence.EVIDENCE), ("value.*", evidence.ATTESTATION)),
    "discord.attest": (("value.*", evidence.EVIDENCE), ("value.*", evidence.ATTESTATION)),
    "identity.attest": (("value", evidence.EVIDENCE), ("value", evidence.ATTESTATION)),
    "identity.profile": (("value", evidence.PROFILE),),
    "identity.verify_all": (
        ("value.evidence", listed(evidence.EVIDENCE)),
        ("value.profile", evidence.PROFILE),
    ),
    "identity.trust_policy": (("value.entries", evidence.TRUST),),
    "ingest.metadata": (("value", ingest.METADATA),),
    "ingest.message": (("value", ingest.ROW),),
    "ingest.header": (("value", ingest.HEADER),),
    "ingest.thread_summary": (("value", ingest.SUMMARY),),
    "files.mint": (("value.url", HTTPS),),
    "anp.decide": (
        ("facts.record", events.EVENT),
        ("facts.changed", events.CHANGED),
        ("facts.narration", events.SUBMITTED),
        ("facts.notice", events.SUBMITTED),
        ("facts.path", events.PATH),
    ),
    "anp.dispatch": (("facts.changed", events.CHANGED), ("facts.path", events.PATH)),
    "anp.story": (("facts.paths.*", events.PATH), ("facts.statuses.*", events.STATUS)),
    "anp.commit_turn": (("facts.paths.*", events.PATH),),
    "anp.turn": (
        ("facts.made.*", events.EVENT),
        ("facts.changed.*", events.CHANGED),
        ("facts.last.*", events.PATH),
        ("facts.paths.*.*", events.PATH),
        ("facts.statuses.*", events.STATUS),
        ("facts.leases.*", events.LEASE),
    ),
    "anp.read_notification": (("facts.record", events.EVENT),),
    "anp.read_submission": (("value", events.SUBMITTED),),
    "anp.read_cloudevent": (("value.routing", events.ROUTING),),
    "anp.route_table": (("value.channel", events.CHANNEL),),
    "anp.classify": (("value", events.CLASS),),
    "anp.actions": (("value.*", events.CLASS),),
    "anp.read_output": (("value", record("Turn", {"acknowledged_ids": listed(TEXT)})),),
    "anp.presentation": (("facts.lease", NUMBER), ("facts.id", TEXT), ("facts.content", TEXT)),
}

FREE: Final = (
    # What goes to another protocol has that protocol's types, and text has none.
    *("a2a.refuse", "rest.refuse", "rest.fields", "*.reply", "*.chats", "*.defer", "*.response_url", "discovery.*"),
    *("*.claim", "*.deliveries", "slack.stream", "slack.presence", "*.retry_after"),
    *("render.*", "text.*", "prompt.*", "slack.mark*", "slack.mrk*", "trace.viewer", "policy.html", "policy.markdown"),
    *(
        "policy.text",
        "ingest.assemble",
        "ingest.context",
        "ingest.lower",
        "ingest.read_messages",
        "ingest.strip_legacy",
    ),
    "ingest.tool_name",
    *(
        "json.loads",
        "address.parse",
        "id.uuid7",
        "time.parse",
        "*.thread_id",
        "*.verify",
        "email.report",
        "trace.left_out",
    ),
    # What the documents leave to every program: records, verdicts, tokens, cards of connectors, steps.
    *("policy.*", "identity.*", "files.*", "response.stream", "a2a.*operation*", "a2a.push_notification"),
    "a2a.replace_artifact",
    *("anp.cloudevent", "anp.web_push", "anp.lane", "anp.next_deadline", "anp.prompt", "anp.receive_presentation"),
    *("anp.client_message", "anp.stream", "anp.resume"),
)
"""The operations, or globs, whose answers no document gives a type."""


def _at(found: Any, steps: list[str]) -> Iterator[Any]:
    """What stands at a path; nothing where it is not there, or null."""
    if not steps:
        yield from () if found is None else (found,)
    elif steps[0] == "*":
        under = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        yield from chain.from_iterable(_at(one, steps[1:]) for one in under)
    elif isinstance(found, dict) and steps[0] in found:
        yield from _at(found[steps[0]], steps[1:])


def is_placed(operation: str) -> bool:
    """Whether it is known which types an operation answers with, or that it has none."""
    return any(fnmatchcase(operation, glob) for glob in (*PLACES, *FREE))


def named(operation: str, case: Mapping[str, Any]) -> str:
    """The operation of a case; what reads and writes values has the name of the value behind it."""
    return f"{operation} {case['input']['type']}" if operation.startswith("value.") else operation


def _placed(operation: str, case: Mapping[str, Any]) -> Iterator[tuple[str, str, Type, Any]]:
    """What a case expects where a type is known: the glob, the path, the type, the value."""
    operation = named(operation, case)
    for glob, places in PLACES.items():
        for path, kind in places if fnmatchcase(operation, glob) else ():
            for outcome in (case, *case.get("any_of", ())):
                for value in _at(outcome, path.split(".")):
                    yield glob, path, kind, value


def contradictions(operation: str, case: Mapping[str, Any]) -> set[str]:
    """The members of published types that the expectation of a case contradicts."""
    return {name for _, path, kind, value in _placed(operation, case) for name in kind(value, path)}


def idle_places(cases: Iterable[tuple[str, Mapping[str, Any]]]) -> set[tuple[str, str]]:
    """The places in which no case has anything."""
    seen = {found[:2] for operation, case in cases for found in _placed(operation, case)}
    return {(glob, path) for glob, places in PLACES.items() for path, _ in places} - seen
