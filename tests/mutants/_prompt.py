"""Mutants of prompts: how a message becomes the context of a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from mentionable import _names
from mentionable.ingest import _compose, _message
from mentionable.prompt import _participants, _render
from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import spoils, swapped, written
from tests.mutants._edits import edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

AREA: Final = "prompt"
OPS: Final = ("prompt.render",)
USERS: Final = ("user",)
AGENTS: Final = ("assistant", "model")
_BRACKETS: Final = _names._BRACKETS


def _edits(name: str, rule: str, *edits: Any, central: bool = False) -> None:
    """Registers a mutant: the library with these edits."""
    written(AREA, OPS, name, rule, *edits, central=central)


def _with(name: str, rule: str, owner: Any, attribute: str, wrong: Any) -> None:
    """Registers a mutant: the library with an attribute exchanged."""
    swapped(AREA, OPS, name, rule, owner, attribute, wrong)


def _headed(name: str, rule: str, **wrong: Any) -> None:
    """Registers a mutant that makes headers with other attributes of their module, and remembers none."""
    values = {**wrong, "_remembered": _compose._headers}
    edits(AREA, OPS, name, rule, values={(_compose, attribute): value for attribute, value in values.items()})


def _spoils(name: str, rule: str, change: Any, *, central: bool = False) -> None:
    """Registers a mutant that gives something else: `change(value, given, unit)`."""
    spoils(AREA, OPS, name, rule, change, central=central)


def _takes(name: str, rule: str, member: str) -> None:
    """Registers a mutant that does without an argument where it cannot take it."""

    def run(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Any:
        answer = honest(op, given, unit)
        if "rejected" not in answer or member not in unit:
            return answer
        return honest(op, given, {known: value for known, value in unit.items() if known != member})

    MUTANTS.append(Mutant(name, AREA, rule, run, ops=OPS))


def _retold(change: Callable[[str], str], *roles: str, last: bool = True) -> Any:
    """A change of every text of these roles."""

    def changed(value: Any, *_: Any) -> Any:
        for message in value["messages"] if last else value["messages"][:-1]:
            if message["role"] not in roles:
                continue
            name = "content" if "content" in message else "parts"
            if isinstance(message[name], str):
                message[name] = change(message[name])
            else:
                message[name] = [
                    {**one, "text": change(one["text"])} if "text" in one else one for one in message[name]
                ]
        if value["system"] is not None and "system" in roles:
            value["system"] = change(value["system"])
        return value

    return changed


def _told(find: Callable[[Any, Any], list[str]]) -> Any:
    """Further text where the system speaks: `find(value, unit)`."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        more = "\n\n".join(find(value, unit))
        if value["system"] is not None:
            value["system"] += more
        else:
            value["messages"][0]["content"] += more
        return value

    return changed


def _texts(value: Any, *roles: str) -> list[str]:
    found = [one.get("content", one.get("parts")) for one in value["messages"] if one["role"] in roles]
    return [
        text for one in found for text in ([one] if isinstance(one, str) else [b["text"] for b in one if "text" in b])
    ]


# --- headers

_spoils(
    "name-alone",
    "Names people by their name alone.",
    _retold(lambda text: re.sub(r" \(@[^\s()]*\)\]:", "]:", text), "user"),
    central=True,
)
_edits(
    "no-tokens",
    "Never shows what mentions people.",
    (_render._Names.said, "(metadata.mention_token, address,", "(address,"),
)
_spoils(
    "hides-accounts",
    "Shows no address that stands for an account.",
    _retold(lambda text: re.sub(r" \(@[^\s()]*\.invalid\)\]:", "]:", text), "user"),
)
_with(
    "believes-accounts",
    "Takes every address for that of an account.",
    _message,
    "_is_account_shown",
    lambda *_: True,
)
_with(
    "only-own-accounts",
    "Believes in accounts only where the platform itself was heard.",
    _message,
    "_is_account_shown",
    lambda found, via: (via or found.received_via) == "connector",
)
_spoils(
    "by-name",
    "Takes people of one name for one.",
    _retold(lambda text: text.replace("@alice@other.example", "@alice@a.example"), "user"),
)
_edits(
    "shared-headers",
    "Gives one header to two people.",
    (_render._Names._is_own, " and self._owners.setdefault(label, who) == who", ""),
)
WHO: Final = "who = (address, turn.sender.verified)"
_edits(
    "verified-or-not",
    "Gives one header to whom it verified and whom it did not.",
    (_render._Names.said, WHO, "who = (address, True)"),
)
_spoils(
    "bare-where-long",
    "Leaves the name alone where an address is too long.",
    _retold(lambda text: re.sub(r" \(#\d+\)\]:", "]:", text), "user"),
)

# --- names

_spoils(
    "unknown",
    "Calls whoever has no name unknown.",
    _retold(lambda text: text.replace("[@eve@e.example (", "[unknown ("), "user"),
)
_edits(
    "blank-names",
    "Takes a name that shows nothing for one.",
    (_message.named_sender, "filter(name_of, names)", "filter(None, names)"),
)


def _harmless(brackets: Any, line: Any = _names.one_line) -> Any:
    """The function that makes names harmless, with other brackets or lines."""
    return lambda text: " ".join(line(text).translate(brackets).split())


_headed("brackets", "Leaves brackets in names.", harmless=_harmless({}))
_headed("only-ascii", "Leaves brackets that only look alike.", harmless=_harmless(str.maketrans("[]<>", "()‹›")))
_headed("angles", "Leaves angle brackets in names.", harmless=_harmless(str.maketrans("[]［］", "()()")))
_headed(
    "one-break", "Knows one kind of line break.", harmless=_harmless(_BRACKETS, lambda text: text.replace("\n", " "))
)
_headed(
    "kept-breaks",
    "Knows no line breaks of Unicode in names.",
    name_of=lambda name: " ".join(name.translate(_BRACKETS).split(" ")),
)
_headed(
    "turned",
    "Leaves marks in names that turn letters.",
    harmless=lambda text: ("\u202e" if "\u202e" in text else "") + _names.harmless(text),
)
_headed("long-names", "Shows names of any length.", MAX_NAME=10**6)
_spoils(
    "clean-now",
    "Cleans the name of who asks alone.",
    _retold(lambda text: text.replace("[Eve): (Alice", "[Eve]:\n[Alice"), "user", last=False),
)
_DESCRIBE: Final = _render.describe
_with(
    "raw-names",
    "Lists people by their names as they came.",
    _render,
    "describe",
    lambda recipient, senders: _DESCRIBE(recipient, {one.display_name or one.address: one for one in senders.values()}),
)

# --- who takes part

_edits(
    "nameless-agent",
    "Does not say who the agent is.",
    (_render.render, 'f"You are {message.recipient}.",', ""),
    (_participants.describe, ', f"- {recipient}: you"', ""),
)
_edits(
    "no-method",
    "Does not say how somebody was verified.",
    (_participants._shown, "verified ({sender.auth_method})", "verified"),
)
_edits(
    "any-method",
    "Shows a method that verified nobody.",
    (_participants._shown, 'else "not verified"', 'else f"not verified ({sender.auth_method})"'),
)
_edits(
    "oldest",
    "Shows of people what was shown first.",
    (_render.render, "senders.setdefault(said.label, said.sender)", "senders[said.label] = said.sender"),
)
_edits(
    "once-verified",
    "Takes whom it verified once for verified.",
    (_render._Names.said, WHO, "who = (address, True)"),
    (
        _render.render,
        "senders.setdefault(said.label, said.sender)",
        "senders[said.label] = said.sender if said.sender.verified else senders.get(said.label, said.sender)",
    ),
)
_edits(
    "verified-before",
    "Shows of others what was shown when they wrote.",
    (_participants.describe, "{sender.address}, not verified", "{'; '.join(_shown(sender))}"),
)
_edits("only-who-asks", "Lists only who asks.", (_render.render, "(request, *reversed(history))", "(request,)"))
_with("one-identity", "Shows one identity.", _participants, "_MOST_IDENTITIES", 1)
_edits(
    "no-issuer", "Does not say by whose word.", (_participants._identity, " by the word of {fact(evidence.issuer)}", "")
)
_with(
    "raw-identities",
    "Shows identities as they came.",
    _participants,
    "_identity",
    lambda shown: f"{shown.subject} by the word of {shown.issuer} ({shown.assurance})",
)
_with("semicolons", "Leaves what tells facts apart in facts.", _participants, "fact", _names.harmless)
_edits("no-locale", "Forgets locales.", (_participants._shown, '_LOCALE(profile.locale or "")', "False"))
_edits("no-time-zone", "Forgets time zones.", (_participants._shown, '_TIME_ZONE(profile.timezone or "")', "False"))
_edits(
    "raw-profile",
    "Shows a locale as it came.",
    (_participants._shown, '_LOCALE(profile.locale or "")', "profile.locale"),
)
_edits(
    "raw-time-zone",
    "Shows a time zone as it came.",
    (_participants._shown, '_TIME_ZONE(profile.timezone or "")', "profile.timezone"),
)
_with("long-facts", "Shows facts of any length.", _participants, "_LONGEST", 10**6)

# --- what was said before

_edits(
    "newest-first",
    "Tells the history backwards.",
    (_render._turns, "message.history or ()", "(message.history or ())[::-1]"),
    (_render.render, "iter(history)", "reversed(history)"),
    central=True,
)
_edits(
    "line-for-empty",
    "Sets apart what stands alone.",
    (_render.render, "if message.history:", "if message.history is not None:"),
)
_edits("always-a-line", "Sets every request apart.", (_render.render, "if message.history:", "if True:"))
_edits("no-line", "Sets nothing apart.", (_render.render, "if message.history:", "if False:"))
_edits(
    "texts-of-the-agent",
    "Tells only texts of the agent.",
    (_render._turns, "plain_text(turn)", '"".join([part.content for part in turn.parts if part.kind == "text"])'),
)
_spoils(
    "no-calls-of-the-agent",
    "Leaves out what the agent did.",
    _retold(lambda text: re.sub(r"\n\n🔧.*", "", text), *AGENTS),
)
_edits("silent-turns", "Keeps turns of the agent that say nothing.", (_render._turns, "if text:", "if True:"))
_edits(
    "files-now",
    "Takes bytes for the request alone.",
    (_render._turns, "next(history).stored", "next(history).stored.row()"),
)
_with("markup", "Tells markup as it came.", _message, "typed_text", lambda part: part.content)
_spoils(
    "no-calls-of-people",
    "Leaves out calls that people sent.",
    _retold(lambda text: re.sub(r" ?🔧.*", "", text), "user"),
)
_spoils(
    "one-user",
    "Tells all people as one user.",
    _retold(lambda text: text.replace("[Bob (@bob@b.example)]:", "[Alice (@alice@a.example)]:"), "user"),
    central=True,
)

# --- where it stands


def _joined(value: Any) -> Any:
    for message in value["messages"]:
        if isinstance(message["content"], list):
            message["content"] = "\n\n".join(_texts({"messages": [message]}, message["role"]))
    return value


_edits("any-place", "Has one placement.", (_render.render, "placement=placement", "placement=None"))
_spoils(
    "texts-joined",
    "Joins texts of two people into one.",
    lambda value, _, unit: _joined(value) if unit.get("dialect") == "anthropic" else None,
)
_takes("no-inline", "Puts the line elsewhere where it cannot stand.", "placement")
_takes("usual-dialect", "Writes the usual dialect where it does not know another.", "dialect")
_takes("any-instructions", "Does without instructions that are none.", "instructions")
_spoils(
    "agent-first",
    "Lets the agent speak first.",
    lambda value, *_: (
        {**value, "messages": value["messages"][1:]}
        if "[Earlier messages are not shown.]" in _texts(value, "user")[0]
        else None
    ),
)

# --- what the system says

_edits("no-instructions", "Forgets the instructions.", (_render.render, "        instructions,\n", ""))
_edits(
    "instructions-last",
    "Says the instructions at the end.",
    (_render.render, "        instructions,\n", ""),
    (_render.render, "(message.recipient_capabilities),\n    ]", "(message.recipient_capabilities), instructions]"),
)
_with("no-platform", "Does not say what the platform allows.", _render, "render_recipient_capabilities", lambda _: "")
_spoils(
    "request-in-the-system",
    "Tells the request where the system speaks.",
    _told(lambda value, unit: [str(unit["message"]["parts"])]),
)
_spoils(
    "history-in-the-system",
    "Tells the history where the system speaks.",
    _told(
        lambda value, unit: [
            str(turn["parts"]) for turn in unit["message"].get("history", []) if turn["role"] == "user"
        ]
    ),
)
_spoils(
    "agent-in-the-system",
    "Tells the agent's words where the system speaks.",
    _told(lambda value, _: _texts(value, *AGENTS)),
)
_spoils("raw-in-the-system", "Tells of the native message.", _told(lambda value, unit: [str(unit["message"]["raw"])]))
