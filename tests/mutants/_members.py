"""Mutants that read members of other types than their own, and members where none belong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._shapes import on_objects

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
MOMENT = "2026-11-21T20:56:00Z"
READERS = {
    "message": ("value.decode", "value.restore"),
    "response": ("value.decode",),
    "policy": ("policy.read", "policy.read_resolution"),
    "anp": ("anp.read_submission", "anp.read_notification"),
}


def reads(area: str, name: str, rule: str, mend: Callable[[Any], Any]) -> None:
    """Registers a mutant that mends what it is given to read."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if op not in READERS[area]:
            return honest(op, given, unit)
        key = "data" if "data" in unit else "value"
        return honest(op, given, {**unit, key: mend(unit[key])})

    wrong.__name__ = f"reads_{name}_of_{area}"
    mutant(area, rule)(wrong)


def among(names: str, is_wrong: Callable[[Any], bool], mend: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`mend` applied to these members wherever they stand and are not of their type."""
    wanted = set(names.split())
    return on_objects(lambda found: {n: mend(v) if n in wanted and is_wrong(v) else v for n, v in found.items()})


def no_text(value: Any) -> bool:
    """Whether a value is no text."""
    return value is not None and not isinstance(value, str)


def is_text(value: Any) -> bool:
    """Whether a value is text."""
    return isinstance(value, str)


PLACES: dict[str, dict[str, str]] = {
    "message": {
        "role": "user", "received_via": "email", "scheme": "x402.exact", "mime": "text/plain", "digest": "ab" * 32,
        "mime_type": "image/png", "address": "@alice@mail.example", "recipient": "@helper@agents.example",
        "verified_by": "nobody", "scope_hash": "ab" * 32, "kind": "none",
    },
    "response": {"status": "ok"},
    "policy": {"scheme": "x402.exact"},
    "anp": {"status": "delivered", "address": "session", "target": "user", "handler": "agent"},
}  # fmt: skip
"""What a reader that counts words takes a number for."""


def _placed(words: dict[str, str]) -> Callable[[Any], Any]:
    def place(found: dict[str, Any]) -> dict[str, Any]:
        made = {n: words[n] if n in words and no_text(v) else v for n, v in found.items()}
        is_resolution = "in_reply_to_state" in found and no_text(found.get("kind"))
        return {**made, "kind": "payment_required"} if is_resolution else made

    return on_objects(place)


IDS = (
    "id thread_id in_reply_to provider_subject key_id subject issuer in_reply_to_state reply_to stream_id"
    " thread_ref user_id session_id deduplication_key scope_hash"
)
SHOWN = (
    "display_name username locale timezone provider name title description message artifact_type code label"
    " action_label content directive tone_hint payer network transaction"
)
TIMES = "fetched_at expires_at started_at timestamp created_at ack_at delivery_deadline"
NUMBERS = "width height duration_ms size_bytes hop max_hops seq owner_lease"
ROOMS = tuple(READERS)

for _area in ROOMS:
    reads(_area, "numbers_as_ids", "Takes a number for an id.", among(IDS, no_text, str))
    reads(_area, "anything_as_words", "Writes anything as the text that people are shown.", among(SHOWN, no_text, str))
    reads(_area, "places_as_words", "Takes a number for the word of a list.", _placed(PLACES[_area]))
for _area in ("message", "policy", "anp"):
    reads(_area, "numbers_as_times", "Takes a number for a time.", among(TIMES, no_text, lambda _: MOMENT))
for _area in ("message", "response", "anp"):
    reads(_area, "halves_as_numbers", "Takes the whole part of a number.", among(NUMBERS, no_text, int))
    reads(_area, "text_as_numbers", "Takes text that looks like a number for one.", among(NUMBERS, is_text, int))
for _area in ("message", "policy"):
    reads(
        _area,
        "any_address",
        "Takes anything for an address of something.",
        among("url", no_text, lambda _: "https://agents.example/x"),
    )

OBJECTS: dict[str, Callable[[Any], Any]] = {
    "profile": lambda _: {},
    "extensions": lambda _: {},
    "avatar": lambda url: {"url": url},
    "bytes_ref": lambda url: {"kind": "url", "url": url},
    "recipient_capabilities": lambda kind: {"mention_relay": {"kind": kind}},
    "agent_chain": lambda items: dict(zip(("hop", "max_hops", "is_final"), items, strict=False)),
    "received_trace": lambda _: {"reply_to": "x", "parts": [], "status": "ok"},
    "error": lambda code: {"code": code, "message": code, "retriable": False},
    "streaming": lambda final: {"stream_id": "s", "seq": 0, "final": final},
    "push_back": lambda channel: {"channel": channel},
    "agent_instructions": lambda text: {"directive": text},
    "metadata": lambda _: {},
    "original_payload": lambda amount: {"amount": amount},
    "policy_resolution": lambda _: None,
    "confirmation": lambda _: {"scheme": "x402.exact", "original_payload": {}, "scope_hash": "ab" * 32},
}
"""What a reader that guesses makes of a member that is no object."""


def _guess(found: dict[str, Any]) -> dict[str, Any]:
    """An object whose members that are none are guessed; null is left out."""
    made = {
        name: OBJECTS[name](value) if name in OBJECTS and value is not None and not isinstance(value, dict) else value
        for name, value in found.items()
    }
    return {name: value for name, value in made.items() if name != "policy_resolution" or value is not None}


LISTS = {
    "fields": lambda word: [word],
    "identities": lambda one: [one],
    "accepted_payments": lambda found: [{"scheme": name, "payload": found[name]} for name in found],
    "parts": lambda _: [],
}
"""What a reader that guesses makes of a member that is no list."""


def _listed(found: dict[str, Any]) -> dict[str, Any]:
    return {n: LISTS[n](v) if n in LISTS and not isinstance(v, list) else v for n, v in found.items()}


def _items(found: dict[str, Any]) -> dict[str, Any]:
    """An object whose lists of objects hold nothing else."""
    made = {
        name: [item for item in value if isinstance(item, dict)] if name in ("history", "accepted_payments") else value
        for name, value in found.items()
        if isinstance(value, list) or name != "history"
    }
    offers = made.get("accepted_payments")
    return {**made, "accepted_payments": offers or [{"scheme": "x", "payload": {}}]} if offers == [] else made


for _area in ROOMS:
    reads(_area, "anything_as_objects", "Makes an object of whatever stands in its place.", on_objects(_guess))
for _area in ("message", "response", "policy"):
    reads(_area, "anything_as_lists", "Makes a list of whatever stands in its place.", on_objects(_listed))
reads("message", "some_turns", "Leaves turns out that are no objects.", on_objects(_items))
reads("policy", "some_offers", "Leaves offers out that are no objects.", on_objects(_items))
reads(
    "policy",
    "words_as_translations",
    "Takes words for a translation.",
    lambda value: (
        {**value, "message_translations": {n: {"message": w} if is_text(w) else w for n, w in found.items()}}
        if isinstance(value, dict) and isinstance(found := value.get("message_translations"), dict)
        else value
    ),
)
reads(
    "message",
    "numbers_in_bytes",
    "Takes a list of numbers for bytes.",
    among("data_base64", no_text, lambda _: "AAAA"),
)
reads(
    "message",
    "sha256_by_default",
    "Takes SHA-256 for the algorithm that is not named.",
    on_objects(
        lambda found: {"algo": "sha256", **found} if found.get("kind") == "content_addressed" else found,
    ),
)
reads(
    "message",
    "digest_of_nothing",
    "Takes an algorithm for a name.",
    on_objects(
        lambda found: {"digest": "ab" * 32, **found} if found.get("kind") == "content_addressed" else found,
    ),
)


def _knows_less(method: str) -> None:
    """Registers a mutant that does not know a method of the contract."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        found = unit["data"].get("sender") if op == "value.restore" and isinstance(unit["data"], dict) else None
        if isinstance(found, dict) and found.get("auth_method") == method:
            return {"rejected": {"code": "malformed"}}
        return honest(op, given, unit)

    wrong.__name__ = f"knows_no_{method.replace('-', '_')}"
    mutant("message", f"Does not know the method {method}.")(wrong)


for _method in ("ap-http-signature", "ap-object-integrity-proof", "a2a-jwt", "a2a-oauth", "email-dkim", "email-dmarc"):
    _knows_less(_method)

# --- members where none belong


@mutant("email", "Takes the role of a turn from the store.")
def roles_of_the_store(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    stored = [turn for key, turns in given["lookups"].items() if key.startswith("HISTORY") for turn in turns or ()]
    if not stored or not answer.get("messages"):
        return answer
    roles = {turn["timestamp"]: turn["role"] for turn in stored}
    return {**answer, "messages": [_with_roles(message, roles) for message in answer["messages"]]}


def _with_roles(message: dict[str, Any], roles: dict[str, str]) -> dict[str, Any]:
    turns = [{**turn, "role": roles.get(turn["timestamp"], turn["role"])} for turn in message.get("history", ())]
    return {**message, "history": turns} if turns else message


@mutant("email", "Joins the thread in which a known parent is stored.")
def thread_of_the_parent(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    known = {
        found["id"]: found for found in given["lookups"].values() if isinstance(found, dict) and "thread_id" in found
    }
    threads = {message: found["thread_id"] for message, found in known.items()}
    moved = [
        {**message, "thread_id": threads.get(message.get("in_reply_to"), message["thread_id"])}
        for message in answer.get("messages", ())
    ]
    return {**answer, "messages": moved} if moved else answer


# --- names on cards

A2A = ("a2a.receive",)


# --- capabilities


@mutant("a2a", "Reads the capabilities of a message over JSON-RPC of v1.0 alone.")
def capabilities_of_one_binding(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    body = unit.get("body")
    is_that = isinstance(body, dict) and body.get("method") == "SendMessage"
    if op != "a2a.receive" or is_that or "messages" not in answer:
        return answer
    none = {"recipient_capabilities": {"mention_relay": {"kind": "none"}}}
    return {**answer, "messages": [{**message, **none} for message in answer["messages"]]}


# --- files


@mutant("connectors", "Downloads the files of a message while it takes it.")
def downloads_files(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if not op.endswith(".receive") or not answer.get("messages"):
        return answer
    kinds = {part["kind"] for message in answer["messages"] for part in message["parts"]}
    asks = [*answer.get("asks", ()), "GET https://files.platform.example/secret"]
    return {**answer, "asks": asks} if "file" in kinds else answer


@mutant("reply", "Sends two calls under one id.")
def two_calls_of_one_id(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    response = unit.get("response")
    parts = response.get("parts", []) if isinstance(response, dict) else []
    calls = [part for part in parts if isinstance(part, dict) and part.get("kind") == "tool_call"]
    if op not in ("email.reply", "a2a.reply") or len({part.get("id") for part in calls}) == len(calls):
        return honest(op, given, unit)
    numbered = [{**part, "id": f"c{place}"} if part in calls else part for place, part in enumerate(parts)]
    return honest(op, given, {**unit, "response": {**response, "parts": numbered}})
