"""Mutants of rows from before: what comes off, and what stays."""

from __future__ import annotations

import re
from typing import Any, Final

from mentionable.ingest import _legacy
from tests.mutants._answers import takes
from tests.mutants._ingest import AREA, edits

LEGACY: Final = ("ingest.strip_legacy",)
# --- rows from before

STRIP, SLACK, SPEAKER, THREAD = (
    _legacy.strip_legacy,
    _legacy._of_slack,
    _legacy._speaker_of_slack,
    _legacy._behind_thread,
)
DISCORD, BLUE, NAMED_END, FIRST_END = (
    _legacy._of_discord,
    _legacy._of_bluebubbles,
    _legacy._end_behind,
    _legacy._first_end,
)


def strips(name: str, rule: str, *changes: Any, **values: Any) -> None:
    """Registers a mutant of taking prefixes off: edits, and other values of `_legacy`."""
    edits(LEGACY, f"legacy-{name}", rule, *changes, values={(_legacy, key): one for key, one in values.items()})


def _match(pattern: str) -> Any:
    return re.compile(pattern).match


IDS: Final = _legacy._USER_ID
strips("no-user-id", "Does not know the oldest shape.", (SLACK, "_SLACK_USER_ID(content)", "None"))
strips("no-user", "Does not know ids of users.", (SPEAKER, "_SLACK_USER(content, start)", "None"))
strips(
    "no-names",
    "Does not know names of Slack.",
    (SPEAKER, '_first_end(content, start, "]", _NAME_END)', "None"),
    (SPEAKER, "_end_behind(content, start, name, _NAME_END)", "None"),
)
strips(
    "no-mentions",
    "Does not know names with tokens.",
    (SPEAKER, '_first_end(content, start, " (<@", _SLACK_MENTION_END)', "None"),
)
strips(
    "quoted-mentions",
    "Takes the token of a row that is quoted for that of the sender.",
    (SPEAKER, "mention and not is_quoted", "mention"),
)
strips("no-threads", "Does not know summaries.", (SLACK, "content.startswith(THREAD_HEADING)", "False"))
strips("no-bots", "Does not know bots.", (SLACK, "_SLACK_BOT(content)", "None"))
strips(
    "no-echoes",
    "Does not know the later form of bots.",
    _SLACK_BOT=_match(r"\[Slack channel:[^\s\]]{1,64} bot:[^\s\]]{1,64}\](?: |\Z)"),
)
strips(
    "echoes-alone",
    "Knows the later form of bots alone.",
    _SLACK_BOT=_match(r"\[channel:[^\s\]]{1,64} bot:[^\s\]]{1,64}\](?: |\Z)"),
)
strips(
    "no-discord",
    "Does not know rows of Discord.",
    _READERS={name: read for name, read in _legacy._READERS.items() if name != "discord"},
)
strips(
    "no-bluebubbles",
    "Does not know rows of iMessage.",
    _READERS={name: read for name, read in _legacy._READERS.items() if name != "bluebubbles"},
)
strips(
    "no-me",
    "Does not know Me.",
    (BLUE, "return _Found", 'if content.startswith("[Me]"):\n        return None\n    return _Found'),
)
strips(
    "no-phones",
    "Does not know numbers.",
    (BLUE, "return _Found", 'if content.startswith("[+"):\n        return None\n    return _Found'),
)
AGE: Final = "if created_at >= cutoff:"
for _name, _when in {
    "slack": 'source == "slack"',
    "discord": 'source == "discord"',
    "bluebubbles": 'source == "bluebubbles"',
}.items():
    strips(
        f"any-age-{_name}",
        f"Does not look at the age of rows of {_name}.",
        (STRIP, AGE, f"if created_at >= cutoff and not ({_when}):"),
    )
strips("cutoff-itself", "Takes the first day for one before.", (STRIP, AGE, "if created_at > cutoff:"))
strips("own-cutoff-ignored", "Knows one day alone.", (STRIP, AGE, "if created_at >= CONTRACT_SINCE:"))
strips(
    "unknown-is-new",
    "Takes rows of unknown age for new ones.",
    (STRIP, "if content[:1] !=", "if created_at is None or content[:1] !="),
)
strips(
    "unknown-is-old",
    "Takes rows of unknown age for old ones.",
    (STRIP, '(source == "bluebubbles" and created_at is None)', "False"),
)
strips(
    "unknown-own-name",
    "Takes its own name off rows of unknown age.",
    (
        STRIP,
        '(source == "bluebubbles" and created_at is None)',
        '(source == "bluebubbles" and created_at is None and not (sender_name and '
        'content.startswith(f"[{sender_name}]:")))',
    ),
)
strips("names-unused", "Does not use the name.", (NAMED_END, "if not name or", "if True or"))
strips(
    "names-alone",
    "Knows the name that it is told alone.",
    (FIRST_END, "at = content.find(sign, start + 1, limit)\n    while", "at = -1\n    while"),
)
strips(
    "names-without-token",
    "Uses the name where there is no token alone.",
    (SPEAKER, "_end_behind(content, start, name, _SLACK_MENTION_END)", "None"),
)
strips(
    "names-with-brackets",
    "Uses names without brackets alone.",
    (SPEAKER, "start = head.end()", 'if "]" in name:\n        return None\n    start = head.end()'),
)
strips(
    "names-of-discord",
    "Does not use the name on Discord.",
    (DISCORD, "_end_behind(content, start, name, _NAME_END) or ", ""),
)
strips(
    "names-of-imessage",
    "Does not use the name on iMessage.",
    (BLUE, "_end_behind(content, 1, name, _SPEAKER_END) or ", ""),
)
strips(
    "ids-before-names",
    "Takes a name for an id.",
    (
        SPEAKER,
        "start = head.end()",
        "start = head.end()\n    if found := _SLACK_USER(content, start):\n        return "
        '_Found("slack-user", found.end())',
    ),
)
strips("capitals-are-ids", "Takes capital letters for an id.", _SLACK_USER=_match(r"[UW][A-Z0-9]+\](?: |\Z)"))
strips(
    "names-no-brackets",
    "Takes no names with brackets.",
    (FIRST_END, "at = content.find(sign, at + 1, limit)", "return None"),
    (
        SPEAKER,
        '_first_end(content, start, " (<@", _SLACK_MENTION_END)',
        '"]" not in content[start : content.find(" (<@", start)] and _first_end(content, start, " (<@", '
        "_SLACK_MENTION_END)",
    ),
)
strips(
    "thread-first",
    "Ends a summary at the first such line.",
    (THREAD, "(end := _end_behind(content, head.end(), name, _SLACK_MENTION_END))", "(end := None)"),
)
strips(
    "thread-context-lost",
    "Loses the summary.",
    (THREAD, 'return _Found("slack-thread", end, content[:at])', 'return _Found("slack-thread", end)'),
    (THREAD, 'first = _Found("slack-thread", found.end, content[:at])', 'first = _Found("slack-thread", found.end)'),
)
strips(
    "thread-any-shape",
    "Ends a summary at any shape.",
    (THREAD, 'found is not None and found.shape == "slack-mention"', "found is not None"),
)
strips(
    "thread-any-heading",
    "Takes any heading.",
    (SLACK, "content.startswith(THREAD_HEADING)", 'content.startswith("[Thread context")'),
)
strips(
    "thread-one-newline",
    "Takes one newline.",
    (
        SLACK,
        "return _behind_thread(content, name)",
        'found = _behind_thread(content, name)\n        at = content.find("\\n[Slack channel:")\n        '
        "return found or (_speaker_of_slack(content, at + 1, name) if at > 0 else None)",
    ),
)
strips(
    "thread-alone",
    "Takes a summary off without a name.",
    (
        SLACK,
        "return _behind_thread(content, name)",
        'at = content.rfind("\\n\\n")\n        return _behind_thread(content, name) or '
        '(_Found("slack-thread", at + 2) if "[Slack" not in content else None)',
    ),
)
CUT: Final = "Stripped(content[found.end :], found.shape, found.context, content[: found.end])"
for _name, _what in {
    "blanks": "content[found.end :].lstrip(' ')",
    "newlines": "content[found.end :].lstrip('\\n')",
    "tabs": "content[found.end :].lstrip('\\t')",
    "wide-blanks": "content[found.end :].lstrip('\\xa0')",
}.items():
    strips(
        f"eats-{_name}",
        f"Takes {_name} off that were typed.",
        (STRIP, CUT, CUT.replace("content[found.end :]", _what, 1)),
    )
strips(
    "empty-is-null",
    "Gives null for no words.",
    (STRIP, CUT, CUT.replace("content[found.end :]", "content[found.end :] or None", 1)),
)
strips(
    "twice",
    "Takes prefixes off twice.",
    (
        STRIP,
        f"return {CUT}",
        "once = "
        + CUT
        + '\n    more = read(once.text, sender_name or "")'
        + "\n    if more is None:\n        return once"
        + "\n    end = found.end + more.end"
        + "\n    return Stripped(once.text[more.end :], more.shape, more.context, content[:end])",
    ),
)
strips("no-end", "Needs a blank behind.", _SLACK_MENTION_END=_match(rf" \(<@{IDS}>\)\] "))
for _name, _values in {
    "mention": {"_SLACK_MENTION_END": _match(rf" \(<@{IDS}>\)\] ?")},
    "name": {"_NAME_END": _match(r"\] ?")},
    "speaker": {"_SPEAKER_END": _match(r"\]: ?")},
}.items():
    strips(f"{_name}-no-blank", "Needs no blank behind.", **_values)
strips("no-colon", "Needs no colon.", _SPEAKER_END=_match(r"\]:?(?: |\Z)"))
strips("bare-empty", "Takes empty brackets.", (BLUE, "_first_end(content, 1,", "_first_end(content, 0,"))
strips(
    "empty-names",
    "Takes empty names.",
    (SPEAKER, '_first_end(content, start, "]", _NAME_END)', '_first_end(content, start - 1, "]", _NAME_END)'),
)
strips("any-channel", "Takes any channel.", _SLACK_HEAD=_match(r"\[Slack channel:[^\s\]]{0,64} user:"))
strips("any-case", "Takes any case.", _SLACK_HEAD=_match(r"(?i)\[Slack channel:[^\s\]]{1,64} user:"))
strips("over-lines", "Takes names over several lines.", (FIRST_END, "limit = limit if line < 0 else line", "pass"))
strips("any-user-id", "Takes any word for an id.", _SLACK_USER_ID=_match(r"\[Slack user_id: \w+\](?: |\Z)"))
strips(
    "empty-bots",
    "Takes bots without a name.",
    _SLACK_BOT=_match(r"\[(?:Slack )?channel:[^\s\]]{1,64} bot:[^\s\]]{0,64}\](?: |\Z)"),
)
SIGN: Final = 'content[:1] != "["'
CHECKED: Final = 'check_now(cutoff, "cutoff")'
strips(
    "blank-first",
    "Looks behind blanks.",
    (STRIP, CHECKED, f'{CHECKED}\n    content = content.lstrip(" ")'),
)
strips(
    "newline-first",
    "Looks behind newlines.",
    (STRIP, CHECKED, f'{CHECKED}\n    content = content.lstrip("\\n")'),
)
strips(
    "anywhere",
    "Looks anywhere.",
    (STRIP, SIGN, '"[" not in content'),
    (STRIP, 'read(content, sender_name or "")', 'read(content[content.find("[") :], sender_name or "")'),
)
strips(
    "links",
    "Takes links off.",
    (
        SLACK,
        "return _speaker_of_slack(content, 0, name)",
        'return _speaker_of_slack(content, 0, name) or (_Found("name", content.find(" ") + 1) if "](" in '
        "content else None)",
    ),
)
strips(
    "not-closed",
    "Takes what is not closed off.",
    (
        SLACK,
        "return _speaker_of_slack(content, 0, name)",
        'return _speaker_of_slack(content, 0, name) or (_Found("slack-name", len(content)) if '
        '_SLACK_HEAD(content, 0) and "]" not in content else None)',
    ),
)
strips(
    "words-are-null",
    "Gives null for a row without words.",
    (STRIP, "return Stripped(content)\n    read", "return Stripped(content or None)\n    read"),
)
strips(
    "words-are-named",
    "Names a shape where there is none.",
    (
        STRIP,
        "return Stripped(content)\n    read",
        'return Stripped(content, "name" if content == "hi" else None)\n    read',
    ),
)


def _both(name: str, other: str) -> Any:
    """A reader that knows the shapes of two integrations."""
    one, two = _legacy._READERS[name], _legacy._READERS.get(other)
    return lambda content, sender: (two(content, sender) if two else None) or one(content, sender)


for _name, _other in (
    ("slack", "discord"),
    ("discord", "slack"),
    ("bluebubbles", "slack"),
    ("bluebubbles", "discord"),
    ("slack", "web"),
    ("bluebubbles", "email"),
    ("slack", "Slack"),
):
    strips(
        f"{_name}-in-{_other if _other != 'Slack' else 'any-case'}",
        f"Looks for shapes of {_name} in rows of {_other}.",
        _READERS={**_legacy._READERS, _other: _both(_name, _other)},
    )
for _name, _is in {
    "content": lambda unit: unit["content"] == 5,
    "source": lambda unit: unit["source"] is None,
    "time": lambda unit: unit.get("created_at") == "yesterday",
}.items():
    takes(AREA, LEGACY, f"legacy-any-{_name}", f"Takes any {_name}.", lambda *_: {}, "malformed", when=_is)
