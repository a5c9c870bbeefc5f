"""Mutants of the Discord connector: signatures, what is a message, who wrote it, and what is kept."""

from __future__ import annotations

import copy
import re
from datetime import timedelta
from typing import Any

from mentionable.connectors import _deliver, _offered, _platform, _refusal
from mentionable.connectors.discord import (
    _history,
    _interaction,
    _message,
    _people,
    _receive,
    _verify,
)
from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import quiet, spoils, swapped, takes, written

AREA = "connectors"
VERIFY, RECEIVE, SENDER = ("discord.verify",), ("discord.receive",), ("discord.sender",)
PARTS, HISTORY, FILES, ATTEST = ("discord.parts",), ("discord.history",), ("discord.files",), ("discord.attest",)
DEFER = ("discord.defer",)
ANY = (*RECEIVE, *SENDER, *PARTS, *HISTORY, *FILES, *ATTEST)


def judges(name: str, rule: str, old: str, new: str, function: Any = _refusal.signature_fault) -> None:
    """Registers a mutant that looks at signatures otherwise."""
    written(AREA, (*VERIFY, *RECEIVE), f"discord-{name}", rule, (function, old, new))


def fits(name: str, rule: str, new: str) -> None:
    """Registers a mutant that takes signatures otherwise."""
    judges(name, rule, FITS, new, _verify._fits)


def hears(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant that takes events otherwise."""
    written(AREA, ANY, f"discord-{name}", rule, (function, old, new))


# --- signatures

KEY = "public_key_of_raw(bytes.fromhex(public_key))"
FITS = f"{KEY}.fits(bytes.fromhex(signature), time + body)"
fits("any-signature", "Takes any signature.", "True")
fits("signs-body", "Looks at the body alone.", f"{KEY}.fits(bytes.fromhex(signature), body)")
fits(
    "signs-padded",
    "Takes a body with blanks behind it for the same.",
    f"{FITS} or {KEY}.fits(bytes.fromhex(signature), time + body + b' ')",
)
fits(
    "signs-any-time",
    "Takes another time for the one that was signed.",
    f"any([{KEY}.fits(bytes.fromhex(signature), str(int(time) + more).encode() + body) for more in (0, -1)])",
)
fits(
    "other-key",
    "Knows a key of another application, too.",
    FITS + " or public_key_of_raw(bytes.fromhex("
    "'3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29')).fits(bytes.fromhex(signature), time + body)",
)
fits(
    "strips-body",
    "Signs the text without blanks around it.",
    f"{KEY}.fits(bytes.fromhex(signature), time + body.decode().encode('ascii', 'ignore'))",
)
judges(
    "unsigned-passes", "Lets pass what nobody signed.", 'return "unsigned", f"there is no {signature}"', "return None"
)
judges(
    "time-assumed",
    "Assumes that it was signed now.",
    'return "time-missing", f"there is no {timestamp}"',
    "time = str(int(now.timestamp()))",
)
swapped(
    AREA,
    VERIFY,
    "discord-any-case",
    "Takes hex in any case.",
    _verify,
    "_SIGNATURE",
    re.compile("[0-9a-fA-F]{128}").fullmatch,
)
swapped(
    AREA,
    VERIFY,
    "discord-short",
    "Takes signatures of any length.",
    _verify,
    "_SIGNATURE",
    re.compile("[0-9a-f]*").fullmatch,
)
swapped(
    AREA,
    VERIFY,
    "discord-signed-time",
    "Takes a sign before the time.",
    _refusal,
    "_SECONDS",
    re.compile(r"\+?(?:0|[1-9]\d{0,10})").fullmatch,
)
swapped(
    AREA,
    VERIFY,
    "discord-padded-time",
    "Takes zeros before the time.",
    _refusal,
    "_SECONDS",
    re.compile(r"\d{1,11}").fullmatch,
)
swapped(
    AREA, VERIFY, "discord-short-window", "Lets requests take four minutes.", _refusal, "_WINDOW", timedelta(minutes=4)
)
judges("any-age", "Takes requests of any age.", "if age > _WINDOW:", "if False:")
judges("any-future", "Takes requests of the future.", "if age < -_WINDOW:", "if False:")
judges("old-edge", "Lets requests take less than five minutes.", "if age > _WINDOW:", "if age >= _WINDOW:")
judges("future-edge", "Lets clocks differ by less.", "if age < -_WINDOW:", "if age <= -_WINDOW:")
written(
    AREA,
    VERIFY,
    "discord-any-length",
    "Reads bodies of any length.",
    (_refusal.refusal_of, "if len(unit.body) > max_bytes:", "if False:"),
)
written(
    AREA,
    RECEIVE,
    "discord-reads-first",
    "Reads before it verifies.",
    (_receive._received, "fault = refusal(", "_document(unit, settings)\n        fault = refusal("),
    when=lambda unit: "request" in unit,
)
written(
    AREA,
    RECEIVE,
    "discord-forgets-broken",
    "Takes broken JSON for an empty object.",
    (_deliver.object_of_body, "found = loads(", "found = {} if body == b'{' else loads("),
)

# --- at once

hears("no-pong", "Takes a ping for an event.", _receive._handshake, "if kind == PING:", "if False:")
hears("no-choices", "Takes what is typed for a message.", _receive._handshake, "if kind == AUTOCOMPLETE:", "if False:")
hears("true-is-one", "Takes true for a number.", _receive._handshake, "if kind.__class__ is not int:", "if False:")
hears(
    "gateway-ping",
    "Answers pings of the gateway.",
    _receive._received,
    "if isinstance(unit, HttpRequest) else None",
    "if True else None",
)
spoils(AREA, DEFER, "discord-always-public", "Shows all answers to all.", lambda value, _, unit: {"type": 5})
spoils(
    AREA,
    DEFER,
    "discord-always-private",
    "Shows answers to the asker alone.",
    lambda value, _, unit: {"type": 5, "data": {"flags": 64}},
)

# --- what is a message

hears("own", "Hears itself.", _message.read_message, "if is_own(message, head.author, settings):", "if False:")
hears(
    "own-answers",
    "Knows its own messages by the id of the bot alone.",
    _message.is_own,
    "or (author.is_program and settings.application_id in ids)",
    "",
)
hears(
    "all",
    "Hears all.",
    _receive._check_is_for_agent,
    "if not event.is_addressed and not is_heard:",
    "if not event.author.is_program and False:",
)
hears(
    "any-answer",
    "Takes every answer for one to itself.",
    _message._is_addressed,
    'return isinstance(author, dict) and author.get("id") == settings.bot',
    "return isinstance(author, dict)",
)
hears(
    "programs",
    "Hears programs as it hears people.",
    _receive._check_is_for_agent,
    "and not event.author.is_program",
    "",
)
hears("joins", "Takes what Discord says for messages.", _message.read_head, "or kind not in _SAID", "")
hears("edits", "Takes any event for a message.", _receive._event, 'document["t"] not in _DISPATCHES or', "")
hears(
    "no-envelope",
    "Knows events without envelope.",
    _receive._event,
    'if "t" in document and "d" in document:',
    "if False:",
)
hears(
    "nothing-said",
    "Takes messages that say nothing.",
    _deliver.delivered,
    "if not parts:",
    "if not parts and notes:",
)
hears("stickers", "Takes stickers for words.", _deliver.delivered, '"part-unsupported" if is_lost else', "")
hears(
    "numbers",
    "Takes numbers for ids.",
    _message.read_head,
    'snowflake(message.get("id"))',
    'snowflake(str(message.get("id")))',
)
hears(
    "nobody",
    "Takes messages of nobody.",
    _people.author_of,
    'own = snowflake(facts.get("id"))',
    'own = snowflake(facts.get("id", "1"))',
)
hears(
    "drops-content",
    "Drops content that is no text.",
    _message.read_message,
    "said = read_content(message",
    "said = read_content({**message, 'content': str(message.get('content') or '')}",
)
hears(
    "any-application",
    "Takes events of other applications.",
    _interaction.read_interaction,
    'document.get("application_id") != settings.application_id',
    "False",
)
written(
    AREA,
    RECEIVE,
    "discord-any-interaction",
    "Takes interactions of any type for commands.",
    (
        _interaction.read_interaction,
        'kind = document.get("type")',
        "kind = document.get('type') if document.get('type') in _KINDS else 2",
    ),
)
hears(
    "serves-anybody",
    "Serves whoever is asked for.",
    _deliver.agent_for,
    "agents = yield from served(candidates, limits=intake.settings.limits)",
    "from mentionable import FindAgent\n"
    "    found = yield from FindAgent(native_id=candidates[0])\n"
    "    agents = (agent_address(found or '@helper@agents.example'),)",
)
ONCE = (_platform.seen_once, "if not answer:", "if False:")
UNKNOWN = (_platform.seen_once, "if isinstance(answer, Failed):", "if False:")
written(AREA, RECEIVE, "discord-counts-twice", "Lets events count twice.", ONCE)
written(AREA, RECEIVE, "discord-unknown-is-new", "Takes what nobody knows for new.", UNKNOWN)
hears(
    "requires-nobody",
    "Takes programs where senders must be shown.",
    _deliver.delivered,
    "if intake.settings.require_verified and not sender.identities:",
    "if False:",
)


def kept(room: str, name: str, rule: str, change: Any) -> None:
    """Registers a mutant that makes another message: `change(message)`."""
    ops = (f"{room}.receive",)

    def wrong(honest: Any, op: str, given: Any, unit: Any) -> Any:
        answer = honest(op, given, unit)
        if op not in ops or "messages" not in answer:
            return answer
        return {**answer, "messages": [change(copy.deepcopy(one)) for one in answer["messages"]]}

    MUTANTS.append(Mutant(f"{room}-{name}", AREA, rule, wrong, ops=ops))


def with_member(path: tuple[str, ...], value: Any) -> Any:
    """Gives a message another member somewhere."""

    def change(message: Any) -> Any:
        found = message
        for name in path[:-1]:
            found = found[name]
        found[path[-1]] = value
        return message

    return change


kept("discord", "never-answers", "Forgets what a message answers.", lambda one: {**one, "in_reply_to": None})
kept(
    "discord",
    "no-chain",
    "Forgets the chain.",
    with_member(("recipient_capabilities",), {"mention_relay": {"kind": "inline"}}),
)
hears(
    "new-each-time",
    "Gives a redelivery a new id.",
    _receive._heard,
    "native_id=event.native_id",
    "native_id=event.native_id + 'x'",
)
hears(
    "keeps-names",
    "Keeps the names of commands out.",
    _interaction.read_interaction,
    'for name in ("name", "custom_id"):',
    "for name in ():",
)
hears(
    "unwraps-nothing",
    "Keeps what Discord says of a token.",
    _interaction.read_interaction,
    '"id": own,',
    '"id": own, "token": document.get("token"),',
)
hears(
    "keeps-nonces",
    "Keeps the whole of a message.",
    _message.read_message,
    '"id": head.id,',
    '**message, "id": head.id,',
)
hears(
    "dm-is-a-guild",
    "Makes members of people in direct messages.",
    _people.author_of,
    "GUILD_MEMBER if guild else USER",
    "GUILD_MEMBER",
)

# --- people

PROGRAM = 'is_program = webhook is not None or facts.get("bot") is True or facts.get("system") is True'
hears("bots", "Takes bots for people.", _people.author_of, PROGRAM, "is_program = webhook is not None")
hears("webhooks", "Takes webhooks for people.", _people.author_of, PROGRAM, 'is_program = facts.get("bot") is True')
hears("members", "Makes members of all.", _people.author_of, "guild is None or isinstance(member, dict)", "True")
NAMES = '(member.get("nick"), user.get("global_name"), user.get("username"))'
hears("no-nicknames", "Knows no nicknames.", _people.name_of, NAMES, '(user.get("global_name"), user.get("username"))')
hears(
    "no-display-names", "Knows no display names.", _people.name_of, NAMES, '(member.get("nick"), user.get("username"))'
)
hears("no-user-names", "Knows no user names.", _people.name_of, NAMES, '(member.get("nick"), user.get("global_name"))')
hears("raw-names", "Shows names as they are.", _people.name_of, "one_line(name) if", "name if")
quiet(AREA, SENDER, "loop-risk", "evidence-withheld", "name-holds-address")

# --- evidence

spoils(
    AREA,
    ATTEST,
    "discord-for-ever",
    "Signs for an hour.",
    lambda value, _, unit: [{**one, "expires_at": "2026-11-21T21:56:00Z"} for one in value],
)
spoils(
    AREA,
    ATTEST,
    "discord-drops-claims",
    "Says nothing of the profile.",
    lambda value, _, unit: [{**one, "claims": {}} for one in value],
)
spoils(
    AREA,
    ATTEST,
    "discord-attests-anybody",
    "Attests whoever it is.",
    lambda value, _, unit: value or [{"subject": f"discord:300/{unit['event']['author']['id']}"}],
)
takes(
    AREA,
    ATTEST,
    "discord-any-audience",
    "Takes any audience.",
    lambda given, unit: {},
    "malformed",
    when=lambda unit: unit["audience"][:1] != "@",
)

# --- files

GIVEN = _offered.given_out
spoils(
    AREA,
    FILES,
    "discord-own-urls",
    "Gives out what Discord says.",
    lambda value, _, unit: [
        {**one, "bytes_ref": {"kind": "url", "url": "https://files.discord.example/8?hm=canary"}} for one in value
    ],
)
hears(
    "no-guild",
    "Gives files of direct messages out of no guild.",
    _receive._heard,
    "event.guild or DIRECT",
    'event.guild or "0"',
)
hears(
    "silent-files",
    "Says nothing of files that are not given out.",
    GIVEN,
    "notes.append(Diagnostic(",
    "list[Any]().append(Diagnostic(",
)
hears("paths", "Keeps folders in names.", _offered.offered, "file_name(name) if", "name if")
hears(
    "no-files-of-commands",
    "Forgets files of commands.",
    _interaction._command,
    'return _Words((markdown("\\n".join(lines)),), tuple(files))',
    'return _Words((markdown("\\n".join(lines)),))',
)

# --- history

TURNS = _history.ask_history
hears("newest-first", "Gives the newest turn first.", TURNS, "tuple(reversed(kept))", "tuple(kept)")
hears("keeps-everything", "Says nothing of what is no turn.", TURNS, "if dropped:", "if False:")
hears(
    "silent-about-calls",
    "Says nothing of calls that fail.",
    TURNS,
    'notes.append(Diagnostic(code="lookup-unanswered"',
    'list[Any]().append(Diagnostic(code="lookup-unanswered"',
)
hears(
    "of-any-channel",
    "Takes turns of other channels.",
    _history._turn,
    "head.channel != event.channel or head.id == event.id",
    "False",
)
hears("itself", "Takes the message for its own history.", _history._turn, "or head.id == event.id", "")
written(
    AREA,
    HISTORY,
    "discord-asks-always",
    "Asks for history that nobody wants.",
    (TURNS, "if not settings.history.max_messages:", "if False:"),
)
hears(
    "all-are-users",
    "Takes itself for somebody else.",
    _history._turn,
    "is_agent = is_own(message, head.author, settings)",
    "is_agent = False",
)
