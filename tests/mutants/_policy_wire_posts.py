"""Mutants of policies that go out by mail and ActivityPub."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

from tests.mutants._answers import spoils
from tests.mutants._policy_wire import AREA, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

MAIL, PUB = ("email.reply",), ("activitypub.reply",)
TERM = "mentionablePolicy"
FIELD = b"X-Mentionable-Policy: "


def _mail(name: str, rule: str, change: Callable[[bytes, bytes, Any], bytes]) -> None:
    """Registers a mutant that writes another mail: `change(head, body, unit)`."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        head, _, body = b64decode(value["mail"]).partition(b"\r\n\r\n")
        return {**value, "mail": b64encode(change(head, body, unit)).decode()}

    spoils(AREA, MAIL, f"wire-mail-{name}", rule, changed)


def _split(head: bytes) -> tuple[bytes, bytes]:
    """The head without the field, and the field without folds."""
    before, mark, rest = head.partition(FIELD)
    if not mark:
        return head, b""
    lines = rest.split(b"\r\n")
    end = next((at for at, line in enumerate(lines) if at and line[:1] not in b" \t"), len(lines))
    return before + b"\r\n".join(lines[end:]), b"".join(line.strip() for line in lines[:end])


def _joined(head: bytes, value: bytes, body: bytes) -> bytes:
    fields = head.rstrip(b"\r\n") + (b"\r\n" + FIELD + value if value else b"")
    return fields + b"\r\n\r\n" + body


_mail("no-field", "Tells people alone.", lambda head, body, _: _joined(_split(head)[0], b"", body))
_mail("no-folds", "Writes the field in one line.", lambda head, body, _: _joined(*_split(head), body))
_mail(
    "plain-json",
    "Writes JSON as it is.",
    lambda head, body, _: _joined(_split(head)[0], b64decode(_split(head)[1]), body),
)
_mail(
    "always-a-field",
    "Writes the field though nothing is demanded.",
    lambda head, body, unit: _joined(head, b"" if '"policy"' in text_of(unit["response"]) else b"e30=", body),
)


def _swapped(name: str, rule: str, old: str, new: str) -> None:
    """Registers a mutant of both that shows people other words."""
    _mail(name, rule, lambda head, body, _: head + b"\r\n\r\n" + body.replace(old.encode(), new.encode()))

    def changed(value: Any, _: Any, unit: Any) -> Any:
        note = value["activity"]["object"]
        note["content"] = note["content"].replace(old, new)
        return value

    spoils(AREA, PUB, f"wire-note-{name}", rule, changed)


_swapped("no-host", "Does not show where a link leads.", " (agents.example)", "")
_swapped("no-link", "Does not link to where one acts.", "agents.example/pay", "agents.example/")


def _note(name: str, rule: str, change: Callable[[Any, Any], None]) -> None:
    """Registers a mutant that changes the note or its activity in place: `change(activity, unit)`."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        change(value["activity"], unit)
        return value

    spoils(AREA, PUB, f"wire-note-{name}", rule, changed)


_note("no-policy", "Tells people alone.", lambda activity, _: activity["object"].pop(TERM, None))
_note(
    "policy-as-text",
    "Writes the policy as text.",
    lambda activity, _: (
        activity["object"].update({TERM: text_of(activity["object"][TERM])}) if TERM in activity["object"] else None
    ),
)
_note(
    "no-meaning",
    "Does not say what the word means.",
    lambda activity, _: activity.update({"@context": "https://www.w3.org/ns/activitystreams"}),
)
_note(
    "no-json-type",
    "Lets readers look for other words in the policy.",
    lambda activity, _: activity["@context"][-1][TERM].pop("@type") if isinstance(activity["@context"], list) else None,
)
_note(
    "always-the-word",
    "Explains a word that it does not use.",
    lambda activity, unit: (
        activity.update({"@context": [{TERM: {}}]}) if '"policy"' not in text_of(unit["response"]) else None
    ),
)
_note(
    "message-as-html",
    "Takes the message for HTML.",
    lambda activity, _: activity["object"].update(content=activity["object"]["content"].replace("&lt;", "<")),
)
_note(
    "message-linked",
    "Links what a message says.",
    lambda activity, _: activity["object"].update(
        content=activity["object"]["content"].replace(
            "https://evil.example/", '<a href="https://evil.example/">https://evil.example/</a>'
        )
    ),
)


def _folded(head: bytes, body: bytes, unit: Any) -> bytes:
    """Puts the words of a demand into the head as they are."""
    words = [part["policy"]["message"] for part in unit["response"]["parts"] if part["kind"] == "policy"]
    return head + b"".join(b"\r\nX-Why: " + word.encode() for word in words) + b"\r\n\r\n" + body


_mail("words-in-the-head", "Writes the message into a field.", _folded)
_mail(
    "not-sealed",
    "Signs no fields that are not there.",
    lambda head, body, _: (
        (re.sub(rb"(?i)x-mentionable-policy(?=[:;])", b"x", head) if b"DKIM-" in head else head) + b"\r\n\r\n" + body
    ),
)


# there and back
TRIPS = ("a2a.round_trip", "email.round_trip", "activitypub.round_trip")


def _trip(name: str, rule: str, change: Callable[[Any], Any], ops: tuple[str, ...] = TRIPS) -> None:
    """Registers a mutant of which another policy comes back: `change(policy)`; None for none."""

    def changed(value: Any, *_: Any) -> Any:
        found = [{**part, "policy": change(part["policy"])} if "policy" in part else part for part in value["parts"]]
        return {**value, "parts": [part for part in found if part.get("policy", part)]}

    spoils(AREA, ops, f"wire-trip-{name}", rule, changed)


for _op in TRIPS:
    _trip(f"loses-policies-by-{_op.partition('.')[0]}", "Carries no policies.", lambda _: None, (_op,))
for _name in (
    "code",
    "title",
    "message_translations",
    "url",
    "action_label",
    "data",
    "later",
    "state",
    "com.example.least",
):

    def _less(policy: Any, name: str = _name) -> Any:
        return {member: one for member, one in policy.items() if member != name}

    _trip(f"loses-{re.sub('[^a-z]', '-', _name)}", f"Carries no {_name}.", _less)
