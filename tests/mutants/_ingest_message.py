"""Mutants of what is stored of messages, of prior turns, and of rows from before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable.ingest import _compose, _message
from tests.mutants._answers import spoils, takes
from tests.mutants._ingest import AREA, edits

if TYPE_CHECKING:
    from collections.abc import Callable

STORED, BACK, SUMMARY, LEGACY = (
    ("ingest.message",),
    ("ingest.turn",),
    ("ingest.thread_summary",),
    ("ingest.strip_legacy",),
)
FROM, PLACE, NAMED, ID = _message.from_message, _message._place, _message.named_sender, _message._sender_id
PROGRAM, SOURCE, CHANNEL, BOT = _message._is_program, _message._source_of, _message._channel_of, _message._is_bot


def stores(name: str, rule: str, *changes: Any, **values: Any) -> None:
    """Registers a mutant of storing messages: edits, and other values of `_message`."""
    edits(STORED, f"message-{name}", rule, *changes, values={(_message, key): one for key, one in values.items()})


def gives(ops: tuple[str, ...], name: str, rule: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that gives another value: `change(value)` changes it."""

    def spoil(value: Any, *_: Any) -> Any:
        change(value)
        return value

    spoils(AREA, ops, name, rule, spoil)


# --- who

stores(
    "slack-no-tokens",
    "Writes no tokens of Slack.",
    (NAMED, 'f"<@{address.local}>" if is_account and _SLACK_USER(address.local) else ""', '""'),
)
NO_BOTS: Final = (FROM, ' and not (kind == "bot" and source in _NO_TOKENS_OF_BOTS)', "")
BOTS: Final = (NAMED, "is_account and _SLACK_USER(address.local)", "is_account")
WEBHOOKS: Final = (NAMED, "is_account and not _is_bot(sender)", "is_account")
stores("bots-have-tokens", "Writes tokens of bots.", BOTS, NO_BOTS)
stores("webhooks-have-tokens", "Writes tokens of webhooks.", WEBHOOKS, NO_BOTS)
stores("slack-bots-have-tokens", "Writes tokens of bots of Slack.", _NO_TOKENS_OF_BOTS=("discord",))
stores("discord-bots-have-tokens", "Writes tokens of bots of Discord.", _NO_TOKENS_OF_BOTS=("slack",))
stores(
    "no-bot-has-a-token",
    "Writes no tokens of programs at all.",
    (FROM, 'kind == "bot" and source in _NO_TOKENS_OF_BOTS', 'kind == "bot"'),
)
stores("discord-no-tokens", "Writes no tokens of Discord.", (NAMED, 'platform == "discord"', "False"))
stores("fediverse-no-tokens", "Writes no tokens of the Fediverse.", (NAMED, 'platform == "activitypub"', "False"))
stores(
    "everywhere-tokens",
    "Writes the token of any platform.",
    (
        NAMED,
        "token = str(address)",
        'token = str(address)\n    elif platform not in ("", "email") and is_account and platform != '
        '"bluebubbles":\n        token = f"<@{address.local}>"',
    ),
)
stores(
    "mail-has-tokens",
    "Writes addresses of mail as tokens.",
    (NAMED, 'platform == "activitypub"', 'platform in ("activitypub", "email")'),
)
stores(
    "bluebubbles-has-tokens",
    "Writes tokens of iMessage.",
    (NAMED, 'platform == "activitypub"', 'platform in ("activitypub", "bluebubbles")'),
)
stores(
    "rest-has-tokens",
    "Writes addresses of forms as tokens.",
    (NAMED, 'platform == "activitypub"', 'platform == "activitypub" or (platform == "" and sender.display_name)'),
)
stores(
    "tokens-of-strangers",
    "Writes tokens of accounts that nobody showed.",
    (FROM, "is_told = _is_account_shown(message, received_via) and", "is_told ="),
)
stores(
    "tokens-of-connectors-alone",
    "Knows accounts that connectors bring alone.",
    (_message._is_account_shown, "for shown in sender.identities or ()", "for shown in ()"),
)
stores(
    "tokens-by-any-evidence",
    "Lets evidence of one account show another.",
    (_message._is_account_shown, " and shown.subject.startswith(start) and shown.subject.endswith(end)", ""),
)
stores(
    "nobody-unknown",
    "Calls who has no name unknown.",
    (NAMED, "next(filter(name_of, names), None)", 'next(filter(name_of, names), "unknown")'),
)
stores(
    "no-profiles",
    "Does not look for names in profiles.",
    (NAMED, '(profile.display_name if profile is not None else None) or ""', '""'),
)
stores(
    "blank-names", "Takes a name that shows nothing for one.", (NAMED, "filter(name_of, names)", "filter(None, names)")
)
stores(
    "bots-by-id",
    "Calls bots as people are called.",
    (NAMED, 'f"bot:{address.local}" if _is_bot(sender) else address.local', "address.local"),
)
stores(
    "local-names",
    "Calls agents by the first part of their address.",
    (NAMED, 'str(address) if platform == "" else address.local', "address.local"),
)
stores(
    "cleans-names",
    "Cleans names before they are stored.",
    (FROM, "sender_display_name=named.name", "sender_display_name=name_of(named.name)"),
)
stores(
    "no-bot-namespace",
    "Writes ids of bots as those of people.",
    (ID, '"bot:" if source == "slack" and _is_bot(sender) else ""', '""'),
)
stores("long-namespaces", "Does not know the short namespace.", NAMESPACES={})
stores(
    "ids-are-addresses",
    "Writes addresses of accounts for ids.",
    (ID, "_platform_of(sender) != source or ", "source != 'discord' or "),
)
stores(
    "ids-are-local",
    "Writes the first part of an address for an id.",
    (ID, 'return f"{source}:{address}"', 'return f"{source}:{address.local}"'),
)
stores(
    "discord-guild-ids",
    "Writes ids of Discord with the guild.",
    (
        ID,
        "of_bot = ",
        'if source == "discord":\n        return '
        'f"discord:{address.domain.split(chr(46))[0]}/{address.local}"\n    of_bot = ',
    ),
)
stores(
    "source-of-account",
    "Takes the platform of an address for the source.",
    (SOURCE, 'via == "connector"', "True"),
)
stores(
    "source-connector",
    "Takes connectors for a source.",
    (SOURCE, 'via == "connector"', "False"),
)
stores(
    "source-unknown",
    "Does not know the source of prior turns.",
    (SOURCE, "received_via if isinstance", "None if isinstance"),
)
stores(
    "source-believed",
    "Believes the platform of a prior turn of which nobody knows how it came.",
    (SOURCE, 'via == "connector"', 'via in ("connector", None)'),
)
stores(
    "known-platforms",
    "Knows three platforms.",
    (SOURCE, 'or "unknown"', 'or "unknown" if _platform_of(message.sender) != "chat" else "connector"'),
)
stores("channel-of-slack", "Knows channels of Slack alone.", _CHANNELS=("channel",))
stores("channel-of-discord", "Knows channels of Discord alone.", _CHANNELS=("channel_id",))
stores("channel-of-chats", "Knows chats alone.", _CHANNELS=("chat",))
stores("recipient-lost", "Forgets whom a message is for.", (PLACE, '"recipient_id": str(message.recipient),', ""))
stores(
    "recipient-of-turns",
    "Makes a recipient of prior turns up.",
    (PLACE, "return {}", 'return {"recipient_id": "@helper@agents.example"}'),
)

# --- persons and programs

for _name in ("Service", "Application"):
    stores(
        f"{_name.lower()}-is-human",
        f"Takes {_name} for a person.",
        _PROGRAMS=tuple({"Service", "Application"} - {_name}),
    )
stores(
    "person-is-bot", "Takes actors that say their type for programs.", _PROGRAMS=("Service", "Application", "Person")
)
stores("mail-human", "Takes all mail for that of people.", (PROGRAM, 'case "email":', 'case "e-mail":'))
stores(
    "mail-auto-no",
    "Takes every mail with that field for a program's.",
    (PROGRAM, 'str(submitted).partition(";")[0].strip().lower() != "no"', "True"),
)
stores(
    "mail-auto-generated",
    "Knows one word for mail of programs.",
    (PROGRAM, 'str(submitted).partition(";")[0].strip().lower() != "no"', 'submitted == "auto-generated"'),
)
stores(
    "mail-field-raw",
    "Compares the field as it stands.",
    (PROGRAM, 'str(submitted).partition(";")[0].strip().lower() != "no"', 'str(submitted)[:4] == "auto"'),
)
stores("agents-human", "Takes agents for people.", (PROGRAM, 'case "a2a":', 'case "a2a-2":'))
stores(
    "agents-all-bots",
    "Takes all that comes over A2A for programs'.",
    (PROGRAM, 'not any(shown.assurance == "platform" for shown in sender.identities or ())', "True"),
)
stores("bots-by-account", "Knows bots of Slack by their account alone.", (PROGRAM, 'bool(raw.get("bot")) or ', ""))
stores(
    "bots-by-raw",
    "Knows bots by what the event says alone.",
    (PROGRAM, 'bool(raw.get("bot")) or _is_bot(sender)', 'bool(raw.get("bot"))'),
)
stores("webhooks-human", "Takes webhooks for people.", (BOT, 'case "discord":', 'case "discord-2":'))
stores(
    "turns-human",
    "Takes all prior turns for those of people.",
    (PROGRAM, 'return message.role == "assistant" or _is_bot(sender)', "return False"),
)
stores("sender-type-ignored", "Does not ask the program.", (FROM, "sender_type or (", "("))
stores(
    "forms-are-bots",
    "Takes forms for those of programs.",
    (
        PROGRAM,
        "case _:\n            return False",
        'case "rest":\n            return True\n        case _:\n            return False',
    ),
)

# --- words and what came along

stores("strips", "Strips what was typed.", (FROM, '"\\n\\n".join(typed)', '"\\n\\n".join(typed).strip()'))
stores("joins", "Writes several texts as one line.", (FROM, '"\\n\\n".join(typed)', '" ".join(typed)'))
stores(
    "html-raw",
    "Stores tags.",
    (_message.typed_text, 'part_text(part) if part.mime == "text/html" else part.content', "part.content"),
)
stores(
    "plain-alone",
    "Stores plain text alone.",
    (FROM, "if isinstance(part, TextPart)]\n", 'if isinstance(part, TextPart) and part.mime == "text/plain"]\n'),
)
stores("no-attachments", "Forgets what came along.", (FROM, "attachments=others or None", "attachments=None"))
stores(
    "attachments-named",
    "Names what came along among the words.",
    (
        FROM,
        "for part in message.parts if isinstance(part, TextPart)]",
        "for part in message.parts if isinstance(part, TextPart)] + [part_text(part) for part in "
        "message.parts if not isinstance(part, TextPart)]",
    ),
)
stores(
    "attachment-placeholder",
    "Writes words that nobody typed.",
    (FROM, '"\\n\\n".join(typed)', '"\\n\\n".join(typed) or "(see attached image(s))"'),
)

# --- what was said before, and what the program says

WANTED: Final = "message.received_via in _PLATFORM_TELLS if with_history is None else with_history"
stores("history-always", "Tells all that was said before.", (PLACE, WANTED, "True"))
stores("history-never", "Tells nothing that was said before.", (PLACE, WANTED, "False"))
stores("history-of-connectors", "Tells what connectors say alone.", _PLATFORM_TELLS=("connector",))
stores("history-of-fediverse", "Tells what the Fediverse says alone.", _PLATFORM_TELLS=("activitypub",))
stores(
    "history-unasked", "Does not let the program choose.", (PLACE, WANTED, "message.received_via in _PLATFORM_TELLS")
)
stores(
    "history-of-strangers",
    "Writes tokens of accounts that a caller forwarded.",
    (_message.compose_thread_summary, 'named if is_shown else named._replace(token="")', "named"),
)
for _name in _message._OF_THE_SENDER:
    takes(
        AREA,
        STORED,
        f"message-hint-{_name.replace('_', '-')}",
        f"Lets hints change {_name}.",
        lambda *_: {},
        "malformed",
        when=lambda unit, name=_name: name in unit.get("hints", {}),
    )
takes(
    AREA,
    STORED,
    "message-hint-types",
    "Takes hints of any type.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "passive" in unit.get("hints", {}),
)
takes(
    AREA,
    STORED,
    "message-any-sender-type",
    "Takes any kind of sender.",
    lambda *_: {},
    "malformed",
    when=lambda unit: "sender_type" in unit,
)
stores("hints-lost", "Takes no hints.", (FROM, "**plain(hints or {})", ""))
stores(
    "hints-first",
    "Lets the message change hints.",
    (
        FROM,
        "{**_place(message, with_history), **plain(hints or {})}",
        "{**plain(hints or {}), **_place(message, with_history)}",
    ),
)
stores("no-address", "Forgets the address.", (FROM, "address=message.sender.address", "address=None"))
stores("hints-known-alone", "Takes hints of the contract alone.", (FROM, "if name not in MEMBERS}", "if name in ()}"))

# --- back to a turn

ADDRESS, TURN = _message._address_of, _message.to_turn
edits(
    BACK,
    "turn-known-alone",
    "Makes no address of an account.",
    (ADDRESS, "f\"@{known.removeprefix('bot:')}@unknown.{metadata.source}.invalid\"", '"x"'),
)
KNOWN: Final = "known if metadata.source in _TRANSPORTS else account"
edits(BACK, "turn-no-addresses", "Does not know addresses.", (ADDRESS, KNOWN, "account"))
edits(
    BACK,
    "turn-any-address",
    "Takes any id that looks like an address for one.",
    (ADDRESS, KNOWN, "known if canonical(known) else account"),
)
edits(BACK, "turn-address-lost", "Forgets the address.", (TURN, "message.address or _address_of", "_address_of"))
SUBJECT: Final = 'metadata.sender_id if metadata.sender_type == "human" else None'
edits(BACK, "turn-no-subject", "Forgets the id of a person.", (TURN, SUBJECT, "None"))
edits(BACK, "turn-subject-of-bots", "Takes programs for members.", (TURN, SUBJECT, "metadata.sender_id"))
edits(
    BACK,
    "turn-first-colon",
    "Takes all of an id for the account.",
    (ADDRESS, "known.removeprefix('bot:')", "known.replace(':', '-')"),
)
edits(
    BACK,
    "turn-last-colon",
    "Takes the last piece of an id for the account.",
    (ADDRESS, "known.removeprefix('bot:')", "known.rpartition(':')[2]"),
)
edits(
    BACK,
    "turn-nobody-is-somebody",
    "Makes an address of any id.",
    (ADDRESS, 'f"@{digest[:_DIGITS]}@unknown.invalid"', '"@somebody@unknown.invalid"'),
)
edits(BACK, "turn-no-attachments", "Forgets what came along.", (TURN, "*(message.attachments or ())", ""))
edits(
    BACK, "turn-strips", "Strips what was typed.", (TURN, "content=message.content", "content=message.content.strip()")
)
edits(BACK, "turn-empty-text", "Makes a text of no words.", (TURN, "if message.content else ()", "if True else ()"))
edits(BACK, "turn-no-ids", "Forgets ids.", (TURN, "id=id", "id=None"))
takes(AREA, BACK, "turn-any-time", "Takes any time.", lambda *_: {}, "malformed")

# --- summaries

SUM, LINE, BLOCK = _message.compose_thread_summary, _compose.line_of, _compose.context_of
CLEAN: Final = '_CONTROLS.sub("", well_formed(text.strip()[: 4 * MAX_LINE]))'


def sums(name: str, rule: str, *changes: Any, **values: Any) -> None:
    """Registers a mutant of summaries: edits, and other values of `_compose`."""
    edits(SUMMARY, f"summary-{name}", rule, *changes, values={(_compose, key): one for key, one in values.items()})


sums("no-tokens", "Shows no tokens.", (LINE, "headers.whole[1:-2]", "headers.own[1:-2]"))
sums(
    "bots-by-id",
    "Calls bots as people are called.",
    (NAMED, 'f"bot:{address.local}" if _is_bot(sender) else address.local', "address.local"),
)
sums("bots-have-tokens", "Shows tokens of bots.", BOTS)
sums("webhooks-have-tokens", "Shows tokens of webhooks.", WEBHOOKS)
sums("colons", "Leaves colons in names.", (LINE, "_COLON('', who)", "who"))
sums("heading-alone", "Writes a heading without lines.", (BLOCK, "if found else None", "if True else None"))
sums("empty", "Gives an empty text for nothing.", (BLOCK, "if found else None", 'if found else ""'))
sums("blank-lines", "Writes lines of nothing.", (LINE, "if not said:", "if False:"))
FIRST: Final = (SUM, "THREAD_HEADING, reversed(lines)", "THREAD_HEADING, lines")
sums("oldest", "Tells the oldest.", (SUM, "for turn in reversed(found):", "for turn in found:"), FIRST)
sums("newest-first", "Tells the newest first.", FIRST)
sums("any-number", "Tells all.", (SUM, "len(lines) == MOST_THREAD", "False"))
sums(
    "fifteen-turns",
    "Counts turns without words.",
    (SUM, "for turn in reversed(found):", "for turn in reversed(found[-MOST_THREAD:]):"),
)
sums("any-length", "Cuts no line.", (LINE, "len(said) <= MAX_LINE", "True"))
sums("length-399", "Cuts lines too early.", (LINE, "len(said) <= MAX_LINE", "len(said) < MAX_LINE"))
sums("no-ellipsis", "Cuts lines in silence.", (LINE, " + ELLIPSIS", ""))
sums(
    "several-lines",
    "Leaves line breaks.",
    (LINE, f'" ".join({CLEAN}.split())', "text.strip()"),
)
sums("newlines-alone", "Knows newlines alone.", (LINE, ".split())", '.replace("\\n", " ").split(" ")).strip()'))
sums(
    "blank-lines-alone",
    "Leaves single line breaks.",
    (
        LINE,
        f'" ".join({CLEAN}.split())',
        'text.strip().replace("\\n\\n", " ")',
    ),
)
sums("with-controls", "Leaves controls.", (LINE, CLEAN, "text"))
sums("raw-names", "Leaves names as they are.", (LINE, "headers.whole[1:-2]", "named.name + ' (' + named.token + ')'"))
sums(
    "texts-alone",
    "Tells texts alone.",
    (SUM, "plain_text(turn)", 'plain_text(turn) if not plain_text(turn).startswith("https://") else ""'),
)
