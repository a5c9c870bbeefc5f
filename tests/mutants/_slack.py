"""Mutants of the Slack connector: its signature, what becomes a message, and who is a member."""

from __future__ import annotations

from typing import Any

from mentionable.connectors import _deliver, _refusal
from mentionable.connectors.slack import _event, _form, _raw, _receive, _verify
from mentionable.connectors.slack._event import Event
from tests.mutants._answers import swapped, written

AREA = "connectors"
VERIFY = ("slack.verify",)
RECEIVE = ("slack.receive",)
SENDER, HISTORY, PARTS, FILES = ("slack.sender",), ("slack.history",), ("slack.parts",), ("slack.files",)
IN = (*RECEIVE, *SENDER, *HISTORY, *PARTS, *FILES)


def door(ops: tuple[str, ...], name: str, rule: str, *edits: tuple[Any, str, str]) -> None:
    """Registers a mutant: the library with these edits."""
    written(AREA, ops, f"slack-{name}", rule, *edits)


def other(ops: tuple[str, ...], name: str, rule: str, owner: Any, attribute: str, wrong: Any) -> None:
    """Registers a mutant: the library with something exchanged."""
    swapped(AREA, ops, f"slack-{name}", rule, owner, attribute, wrong)


# --- the signature

FAULT, FITS = _refusal.signature_fault, _verify._fits
door(
    VERIFY,
    "unsigned-passes",
    "Takes requests without a signature.",
    (FAULT, "if signed is None:\n        return", "if signed is None:\n        return None\n        return"),
)
door(
    VERIFY,
    "malformed-is-bad",
    "Does not say that a signature is malformed.",
    (FAULT, '"signature-malformed"', '"bad-signature"'),
)
door(VERIFY, "any-signature", "Compares no signatures.", (FITS, "any(fitting)", "True"))
door(VERIFY, "first-secret", "Knows one secret.", (FITS, "for secret in secrets", "for secret in secrets[:1]"))
door(VERIFY, "old-passes", "Takes old requests.", (FAULT, "age > _WINDOW", "False"))
door(VERIFY, "early-passes", "Takes requests of the future.", (FAULT, "age < -_WINDOW", "False"))
door(VERIFY, "four-minutes", "Takes four minutes.", (FAULT, "age > _WINDOW", "age >= _WINDOW"))
door(VERIFY, "no-clock-skew", "Takes nothing of the future.", (FAULT, "age < -_WINDOW", "age <= -_WINDOW"))
door(VERIFY, "time-unsigned", "Does not cover the time.", (FAULT, "time.encode()", 'b"1795294560"'))
door(
    VERIFY,
    "time-optional",
    "Takes requests without a time.",
    (FAULT, "if time is None:", 'time = time or "1795294560"\n    if time is None:'),
)
door(
    VERIFY,
    "any-digits",
    "Reads whatever Python reads as a number.",
    (FAULT, "_SECONDS(time) is None", "not time.lstrip('+').replace('_', '').isdigit()"),
)
door(
    VERIFY,
    "body-as-text",
    "Signs text.",
    (_verify._fault, "unit.body", 'unit.body.decode("ascii", "replace").encode()'),
)
door(VERIFY, "body-left-out", "Cannot sign nothing.", (FAULT, "signed is None", "signed is None or not unit.body"))
door(
    VERIFY,
    "any-size",
    "Reads bodies of any length.",
    (_refusal.refusal_of, "len(unit.body) > max_bytes", "False"),
)
door(RECEIVE, "reads-first", "Reads before it verifies.", (_receive._received, "fault is not None", "False"))

# --- what becomes a message

FOR_AGENT = _receive._check_is_for_agent
door(RECEIVE, "own-words", "Answers itself.", (FOR_AGENT, "event.is_own", "False"))
door(
    RECEIVE,
    "own-by-user",
    "Knows its own words by its user alone.",
    (_event.is_own, "app is not None and", "False and"),
)
door(
    RECEIVE,
    "own-by-app",
    "Knows its own words by its app alone.",
    (_event.is_own, "bot_user is not None and", "False and"),
)
door(
    RECEIVE,
    "own-without-profile",
    "Looks at no profiles of bots.",
    (_event.is_own, ', object_of(message.get("bot_profile")).get("app_id")', ""),
)
door(RECEIVE, "all-bots", "Hears every program.", (FOR_AGENT, "event.bot is not None", "False"))
door(RECEIVE, "no-bots", "Hears no program.", (FOR_AGENT, "if is_mention:", "if is_mention and event.bot is None:"))
door(
    RECEIVE,
    "hears-everything",
    "Hears whole channels.",
    (FOR_AGENT, "not event.is_direct and settings", "False and settings"),
)
door(
    RECEIVE,
    "hears-mentions",
    "Hears mentions alone.",
    (FOR_AGENT, 'settings.hears == "mentions"', "True"),
)
door(
    RECEIVE,
    "mentions-by-event",
    "Sees mentions in events for them alone.",
    (FOR_AGENT, "event.bot_user in _MENTIONED.findall(event.text)", "False"),
)
door(
    RECEIVE,
    "groups-are-direct",
    "Takes conversations of several people for its own.",
    (Event.is_direct, '== "im"', 'in ("im", "mpim")'),
)
other(RECEIVE, "no-subtypes", "Knows plain messages alone.", _event, "MESSAGES", ())
other(
    RECEIVE,
    "all-subtypes",
    "Takes every subtype for a message.",
    _event,
    "MESSAGES",
    (*_event.MESSAGES, "message_changed", "message_deleted", "channel_join"),
)
door(
    RECEIVE,
    "hidden-is-said",
    "Hears what is hidden.",
    (_event._event, 'event.get("hidden") not in (None, False)', "False"),
)
door(
    RECEIVE,
    "reactions-are-said",
    "Takes every event for a message.",
    (_event._event, 'kind not in ("app_mention", "message")', "False"),
)
door(
    RECEIVE, "notices-are-events", "Takes notices for events.", (_event.read_unit, 'kind != "event_callback"', "False")
)
door(RECEIVE, "nobody-says", "Needs nobody who says it.", (_event._event, "user is None and bot is None", "False"))
door(RECEIVE, "empty-is-said", "Takes empty text for a message.", (_receive._said, "if content.strip() else ()", ""))
other(
    RECEIVE,
    "any-id",
    "Takes anything for an id.",
    _event,
    "needed",
    lambda members, name, *_: str(members.get(name) or "T1"),
)
door(
    RECEIVE,
    "text-of-anything",
    "Makes text of anything.",
    (_event._said, "if not isinstance(found, str) or not is_text(found)", "if False"),
)
door(RECEIVE, "thread-of-its-own", "Starts a thread with every message.", (Event.thread_id, "self.thread_ts or ", ""))
door(
    RECEIVE,
    "answers-nothing",
    "Does not say what a message answers.",
    (_receive._heard, "parent_id=root", "parent_id=None"),
)
door(
    RECEIVE,
    "answers-itself",
    "Says of a first message that it answers itself.",
    (Event.root, "None if self.thread_ts == self.ts else self.thread_ts", "self.thread_ts"),
)
door(RECEIVE, "thread-by-name", "Does not look threads up.", (_receive._heard, "() if root is None else (root,)", "()"))
door(
    RECEIVE,
    "user-alone",
    "Does not know the agent of the app.",
    (_receive._candidates, "(event.bot_user, event.app)", "(event.bot_user,)"),
)
door(
    RECEIVE, "no-chain", "Loses the place in the chain.", (_deliver.delivered, "agent_chain=chain", "agent_chain=None")
)
door(
    RECEIVE,
    "thread-secret-kept",
    "Keeps the text in raw.",
    (_raw.raw_of, '"thread_ts": event.thread_ts', '"thread_ts": event.thread_ts or ""'),
)
door(
    RECEIVE,
    "text-alone",
    "Says what stands behind the command.",
    (_event._command, "f\"{command} {fields.get('text', '')}\".strip()", "fields.get('text', '')"),
)
door(RECEIVE, "any-form", "Takes every form for a command.", (_event._command, 'command[:1] != "/"', "False"))
door(RECEIVE, "last-field", "Takes the last of two fields.", (_form.read_form, "if decoded in fields", "if False"))
door(
    RECEIVE,
    "once-more",
    "Takes an event twice.",
    (_receive._once, 'yield from seen_once(f"slack:{event.id}", native_id=event.native_id, until=until)', "pass"),
)
door(RECEIVE, "twice-the-message", "Takes a message twice.", (_receive._once, "if not answer", "if False"))
door(
    RECEIVE,
    "guesses-once",
    "Goes on when the store does not answer.",
    (_receive._once, "if isinstance(answer, Failed)", "if False"),
    (_receive._once, "if not answer", "if answer is False"),
)
door(
    RECEIVE,
    "requires-nothing",
    "Requires no evidence.",
    (_deliver.delivered, "intake.settings.require_verified and not sender.identities", "False"),
)
door(
    RECEIVE,
    "no-redelivery",
    "Gives a retry a new id.",
    (Event.native_id, "self.ts or self.id", 'f"{self.ts}-{self.id}"'),
)


# --- handshakes

door(RECEIVE, "no-challenge", "Does not answer challenges.", (_event.read_unit, 'kind == "url_verification"', "False"))
door(
    RECEIVE,
    "any-challenge",
    "Echoes anything.",
    (_event._is_challenge, "0 < len(found) <= _CHALLENGE_CHARS and found.isascii() and found.isprintable()", "True"),
)
door(
    RECEIVE,
    "long-challenge",
    "Echoes anything of any length.",
    (_event._is_challenge, "0 < len(found) <= _CHALLENGE_CHARS", "True"),
)
door(
    RECEIVE,
    "no-ssl-check",
    "Does not know checks of certificates.",
    (_event.read_unit, '"ssl_check" in fields', "False"),
)
door(
    RECEIVE,
    "no-clicks",
    "Rejects clicks on its own buttons.",
    (_event._interaction, 'payload.get("type") == "block_actions"', "False"),
)
door(
    RECEIVE,
    "any-click",
    "Takes note of every click.",
    (_event._is_link_action, 'found.partition("#")[0] == LINK_ACTION', "True"),
)
door(RECEIVE, "empty-click", "Takes note of clicks on nothing.", (_event._interaction, "and actions and", "and"))
door(
    RECEIVE,
    "dialogs-are-clicks",
    "Takes dialogs for clicks.",
    (_event._interaction, 'payload.get("type") == "block_actions"', "True"),
)
