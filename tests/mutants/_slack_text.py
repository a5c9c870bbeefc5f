"""Mutants of the Slack connector: texts, both ways, and the calls that carry answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mentionable.connectors import _answer, _deliver, _refusal
from mentionable.connectors.slack import _blocks, _mrkdwn, _people, _policy, _reply, _write
from tests.mutants._answers import spoils
from tests.mutants._slack import AREA, PARTS, RECEIVE, SENDER, VERIFY, door, other

if TYPE_CHECKING:
    from collections.abc import Callable

READ, WRITE, REPLY = ("slack.mrkdwn_to_markdown",), ("slack.markdown_to_mrkdwn",), ("slack.reply",)
ATTEST, URL = ("slack.attest",), ("slack.response_url",)
SAID = (
    "return Said(_Writer(names, is_markdown=is_markdown).write(blocks),"
    ' "text/markdown" if is_markdown else "text/plain")'
)
WRITER, WALK, LINE = _mrkdwn._Writer, _write._Walk, _write._Line


def shown(ops: tuple[str, ...], name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that gives another value: `change(value, unit)`."""
    spoils(AREA, ops, f"slack-{name}", rule, lambda value, _, unit: change(value, unit))


# --- what Slack sends

other(READ, "marks-as-they-are", "Leaves marks as they are.", _mrkdwn, "_MARKDOWN_OF", {"*": "*", "_": "_", "~": "~"})
other(READ, "no-nesting", "Knows bold text alone.", _mrkdwn, "_MARKS", re.compile(r"[*~]"))
door(
    READ,
    "crossing",
    "Lets marks cross.",
    (_mrkdwn._partners, "while order and order[-1] >= opener:", "while order and order[-1] == opener:"),
)
door(
    READ,
    "unmatched",
    "Takes every mark for markup.",
    (_mrkdwn._matched, "token.kind in _MARK_KINDS and place not in partners", "False"),
)
door(READ, "unescaped", "Escapes nothing.", (_mrkdwn._escaped, "_is_markup(text, place)", "False"))
door(
    READ,
    "marks-in-words",
    "Escapes marks in words.",
    (_mrkdwn._is_markup, "not (before.isalnum() and after.isalnum()) and", ""),
)
door(
    READ,
    "lone-marks",
    "Escapes marks between blanks.",
    (
        _mrkdwn._is_markup,
        'case "*":\n            return not (before.isspace() and after.isspace())',
        'case "*":\n            return True',
    ),
)
door(READ, "all-backslashes", "Escapes every backslash.", (_mrkdwn._is_markup, "after in _AFTER_BACKSLASH", "True"))
door(
    READ,
    "all-ampersands",
    "Escapes every ampersand.",
    (_mrkdwn._is_markup, "_REFERENCE.match(text, place) is not None", "True"),
)
door(READ, "all-brackets", "Escapes every bracket.", (_mrkdwn._is_markup, 'after in ("", "(", "[", ":")', "False"))
door(READ, "titles", "Takes signs for titles.", (WRITER._line, "_TITLE(said)", "False"))
door(READ, "rules", "Takes lines for rules.", (WRITER._line, '_RULE(said) and ("-" in said or "=" in said)', "False"))
door(
    READ,
    "code-is-text",
    "Escapes what stands in code.",
    (WRITER._token, "`{self._verbatim(token.text)}`", "`{self._words(token.text)}`"),
)
door(
    READ,
    "fences-in-line",
    "Leaves blocks of code in the line.",
    (
        WRITER._code_block,
        '"{_FENCE}\\n{self._verbatim(block.text).strip(chr(10))}\\n{_FENCE}"',
        '"{_FENCE}{self._verbatim(block.text)}{_FENCE}"',
    ),
)
door(READ, "open-fences", "Takes every fence for code.", (_mrkdwn._blocks, "len(pieces) % 2 == 0", "False"))
door(READ, "no-quotes", "Knows no quotations.", (_mrkdwn._lines, "is_all_quoted or quote is not None", "False"))
door(READ, "one-quote", "Quotes one line.", (_mrkdwn._lines, "is_all_quoted or quote[1] is not None", "False"))
door(READ, "no-bullets", "Knows no bullets.", (WRITER._line, 'bullet = f"{found[1]}- "', 'bullet = f"{found[0]}"'))
door(
    READ,
    "escapes-kept",
    "Leaves escapes.",
    (_mrkdwn.unescape, 'text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")', "text"),
)
door(
    READ,
    "escapes-twice",
    "Reads escapes twice.",
    (
        _mrkdwn.unescape,
        'text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")',
        'text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")',
    ),
)
door(READ, "any-link", "Links whatever it is told.", (_mrkdwn._entity, "is_web_url(url) or _MAIL(url)", "True"))
door(READ, "no-links", "Shows the words of links alone.", (WRITER._link, "if _has_words(token)", "if False"))
door(
    READ,
    "targets-alone",
    "Shows the targets of links alone.",
    (WRITER._link, "if _has_words(token)", "if False"),
    (WRITER._link, "words or url.removeprefix", "url.removeprefix"),
)
door(
    READ,
    "typed-links",
    "Links what was typed.",
    (_mrkdwn._has_words, '("", rest, scheme + separator + rest)', '("", scheme + separator + rest)'),
)
door(READ, "bare-links", "Does not mark bare links.", (WRITER._link, "shown == url", "False"))
door(READ, "ids-for-names", "Shows ids.", (WRITER._mention, "self._names.get(token.target) or token.text or ", ""))
door(READ, "no-known-names", "Knows no names.", (WRITER._mention, "self._names.get(token.target) or ", ""))
door(READ, "names-of-slack", "Knows no names but those of Slack.", (WRITER._mention, "or token.text ", ""))
door(
    READ,
    "names-are-markup",
    "Takes names for markup.",
    (WRITER._token, "self._words(self._mention(token))", "self._mention(token)"),
)
door(
    READ,
    "channel-ids",
    "Shows ids of channels.",
    (_mrkdwn._entity, "(label or target[1:]).removeprefix", "target[1:].removeprefix"),
)
door(
    READ,
    "no-channel-ids",
    "Shows names of channels alone.",
    (_mrkdwn._entity, "(label or target[1:]).removeprefix", "label.removeprefix"),
)
door(READ, "no-notices", "Leaves notices out.", (_mrkdwn._special, "(label or rest or kind)", "label"))
door(
    READ,
    "dates-by-seconds",
    "Shows dates as seconds.",
    (_mrkdwn._special, 'label or rest.partition("^")[0]', 'rest.partition("^")[0]'),
)
shown(READ, "emoji", "Takes emoji out.", lambda value, _: re.sub(r":[a-z]+:", "", value))
shown(
    READ,
    "mail-links",
    "Links mail addresses.",
    lambda value, unit: f"<{value}>" if unit["text"].startswith("<mailto") else value,
)

# --- what was typed

door(
    PARTS,
    "always-markdown",
    "Takes every text for Markdown.",
    (_mrkdwn.read_text, "any(map(_is_marked, blocks))", "True"),
)
door(
    PARTS,
    "never-markdown",
    "Takes no text for Markdown.",
    (
        _mrkdwn.read_text,
        SAID,
        'return Said(_Writer(names, is_markdown=True).write(blocks), "text/plain")',
    ),
)
door(
    PARTS,
    "raw-text",
    "Leaves text as it is.",
    (
        _mrkdwn.read_text,
        SAID,
        'return Said(text, "text/plain")',
    ),
)

# --- what agents write

ESCAPE = _write.escape
door(WRITE, "ampersands", "Does not escape ampersands.", (ESCAPE, '.replace("&", "&amp;")', ""))
door(WRITE, "forged", "Lets agents mention everybody.", (_write._users, "text = escape(text)", "pass"))
door(WRITE, "forged-in-code", "Lets agents mention everybody in code.", (_write._code, "escape(text)", "text"))
door(
    WRITE,
    "forged-in-line-code",
    "Lets agents mention everybody in code in a line.",
    (_write._inline, "`{escape(token.content)}`", "`{token.content}`"),
)
door(
    WRITE, "forged-in-links", "Lets agents mention everybody in links.", (_write.link, "|{escape(label)}>", "|{label}>")
)
door(
    WRITE, "mentions-all", "Lets agents mention whom they like.", (_write._users, "found[1] in mentions.users", "True")
)
door(WRITE, "mentions-nobody", "Lets agents mention nobody.", (_write._users, "not mentions.users", "True"))
door(
    WRITE,
    "no-emphasis",
    "Shows no emphasis.",
    (LINE.open, "if mark not in self._open", "if False"),
    (LINE.close, "if mark not in self._open", "if False"),
)
door(
    WRITE,
    "no-boundaries",
    "Puts marks into words.",
    (LINE.open, "self._last.isalnum()", "False"),
    (LINE.add, "self._is_closed and text[0].isalnum()", "False"),
)
door(WRITE, "marks-over-lines", "Lets marks go over lines.", (LINE.end, "list(dict.fromkeys(self._open))", "[]"))
door(WRITE, "no-titles", "Shows titles as text.", (WALK._paragraph, "is_bold=self._is_heading", "is_bold=False"))
door(WRITE, "flat-lists", "Shows lists in lists as one.", (WALK._paragraph, '"    " * (len(self._lists) - 1)', '""'))
door(WRITE, "numbers-from-one", "Numbers from one.", (WALK._open_or_close, "_List(token.start if", "_List(1 if"))
door(
    WRITE,
    "first-line-quoted",
    "Quotes one line.",
    (WALK._paragraph, 'lines = ["> " + line for line in lines]', 'lines[0] = "> " + lines[0]'),
)
door(WRITE, "code-ends", "Ends code too soon.", (_write._inline, 'if "`" in token.content', "if False"))
door(
    WRITE,
    "tables-in-a-line",
    "Shows tables in a line.",
    (WALK.chunks, '"\\n".join(self._rows or ())', '" ".join(self._rows or ())'),
)
other(WRITE, "no-rules", "Shows no rules.", _write, "_RULE", " ")
door(
    WRITE,
    "language",
    "Shows the language of code.",
    (WALK.chunks, 'token.content.strip("\\n")', '"code\\n" + token.content.strip("\\n")'),
)
door(WRITE, "links-anywhere", "Links anywhere.", (_write.link, "is_web_url(url) or _MAIL(url)", "True"))
door(
    WRITE,
    "links-by-target",
    "Shows targets of links alone.",
    (_write.link, 'label not in ("", url) else f"<{target}>"', 'False else f"<{target}>"'),
)
door(WRITE, "bars-in-links", "Leaves bars in links.", (_write.link, '.replace("|", "%7C")', '.replace("%7C", "|")'))
door(
    WRITE,
    "images-by-name",
    "Shows the names of images alone.",
    (_write._inline, "link(token.url, token.content, mentions)", "token.content"),
)
shown(WRITE, "ends-of-lists", "Shows the ends of lists twice.", lambda value, _: value.replace("◦ b\n", "◦ b\n\n"))

door(
    WRITE,
    "words-for-bare-links",
    "Shows bare links twice.",
    (
        _write.link,
        'made = f"<{target}|{escape(label)}>" if label not in ("", url)',
        'made = f"<{target}|{escape(label)}>" if label != ""',
    ),
)

# --- where answers go

door(
    REPLY,
    "no-direct-threads",
    "Answers direct messages outside of threads.",
    (_reply._post, "place.thread_ts is not None", "place.thread_ts is not None and not place.is_direct"),
)
door(
    REPLY,
    "any-channel",
    "Lets agents choose the channel.",
    (_answer._thread, "there is not None and there == conversation(own)", "there is not None"),
)
door(
    REPLY,
    "any-team-of-a-channel",
    "Does not look at workspaces.",
    (_reply._channel, "found.groups()[:2]", "found[2]"),
)
door(
    REPLY,
    "one-thread",
    "Knows the thread of the question alone.",
    (_answer._thread, "return wanted", "return own"),
)
door(
    REPLY,
    "command-threads",
    "Answers commands in threads.",
    (_reply._place, "there[3] if _MOMENT(there[3]) else None", "there[3]"),
)
door(
    REPLY,
    "all-see-it",
    "Shows everybody what is for one.",
    (_reply._post, "is_private = is_ephemeral and", "is_private = False and"),
)
door(REPLY, "direct-ephemeral", "Hides answers in direct messages.", (_reply._post, "not place.is_direct and ", ""))
door(
    REPLY,
    "all-private",
    "Hides all answers.",
    (_reply._post, "is_private = is_ephemeral and", "is_private = is_ephemeral or"),
)
door(REPLY, "no-updates", "Answers again and again.", (_reply.reply, "update is not None and calls", "False"))
door(
    REPLY,
    "no-response-url",
    "Answers commands in the channel.",
    (_reply.reply, "if response_url is not None", "if False"),
)
door(REPLY, "unfurls", "Lets Slack fetch links.", (_reply._post, "{**params, **_NOTHING_UNFURLED}", "params"))
shown(
    REPLY,
    "direct-elsewhere",
    "Answers direct messages elsewhere.",
    lambda value, _: [
        {**one, "params": {**one["params"], "channel": "C9"}}
        if str(one["params"].get("channel")).startswith("D")
        else one
        for one in value
    ],
)

# --- what answers show

CHUNKS = _reply._chunks
door(REPLY, "forged-answers", "Lets answers mention everybody.", (_write._users, "text = escape(text)", "pass"))
door(REPLY, "no-mentions", "Mentions nobody.", (_reply._mentions, "users=named", "users=frozenset()"))
door(REPLY, "no-siblings", "Brings nobody in.", (_write.words, "if user is not None", "if False"))
door(
    REPLY,
    "plain-is-markdown",
    "Takes plain text for Markdown.",
    (CHUNKS, "return plain_chunks(content, mentions)", "return markdown_chunks(content, mentions)"),
)
door(
    REPLY,
    "plain-unlinked",
    "Links nothing in plain text.",
    (_write.plain_chunks, "link(url, url, mentions)", "words(url, mentions)"),
)
door(REPLY, "html-is-text", "Shows HTML.", (CHUNKS, "html_to_markdown(content)", "content"))
door(
    REPLY,
    "untitled-links",
    "Shows no titles of links.",
    (CHUNKS, 'link(url, one_line(title or ""), mentions)', 'link(url, "", mentions)'),
)
door(REPLY, "no-files", "Shows no files.", (_reply._file_line, "{link(url, name, mentions)}", "{name}"))
door(
    REPLY,
    "quiet-about-bytes",
    "Says nothing of bytes that stay.",
    (_reply._file_line, 'notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))', "pass"),
)
door(
    REPLY,
    "quiet-about-parts",
    "Says nothing of parts that it does not know.",
    (CHUNKS, 'notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))', "pass"),
)
door(
    REPLY,
    "forged-calls",
    "Lets tool calls mention everybody.",
    (_reply._tool_line, "return escape(short)", "return short"),
)
door(REPLY, "quiet-errors", "Does not say what failed.", (_reply._shown, "if not is_said", "if False"))
door(
    REPLY,
    "always-says",
    "Says something in any case.",
    (
        _reply._shown,
        "yield from sections(plain_chunks(why_not(response)))",
        'yield from sections(plain_chunks(why_not(response) or "…"))',
    ),
)
other(REPLY, "longer-sections", "Writes longer sections.", _blocks, "SECTION", 6_000)
other(REPLY, "longer-messages", "Writes longer messages.", _blocks, "MESSAGE", 60_000)

# --- what answers demand

door(
    REPLY,
    "policies-for-all",
    "Shows everybody what is demanded.",
    (_reply.reply, "_post(place, blocks, is_ephemeral=True)", "_post(place, blocks, is_ephemeral=ephemeral)"),
)
door(REPLY, "no-button", "Shows no button.", (_policy.policy_blocks, "policy.url is not None", "False"))
door(
    REPLY,
    "no-host",
    "Does not show where a button leads.",
    (_policy._button, 'yield from context([f"Opens {host}"])', "return"),
)
door(REPLY, "one-label", "Calls every button alike.", (_policy._button, '_OPEN.get(policy.kind, "Open")', '"Open"'))
door(REPLY, "no-offers", "Shows no offers.", (_policy.policy_blocks, "if offers:", "if False:"))
door(
    REPLY,
    "no-policy-titles",
    "Shows no titles.",
    (_policy.policy_blocks, '_short(one_line(policy.title or ""), at, notes)', '""'),
)
door(
    REPLY,
    "policies-are-markup",
    "Takes what is demanded for markup.",
    (_blocks.plain_sections, '"text": plain_text(piece)', '"text": {"type": "mrkdwn", "text": piece}'),
)
door(
    REPLY,
    "known-policies",
    "Knows some demands.",
    (
        _policy.policy_blocks,
        "harmless(policy.message).strip() or policy.kind",
        'harmless(policy.message).strip() if ":" not in policy.kind else "OK"',
    ),
)
shown(
    REPLY, "no-refusals", "Softens refusals.", lambda value, unit: [] if "No *way*" in str(unit["response"]) else value
)

door(
    REPLY,
    "any-policy-url",
    "Leads people anywhere.",
    (_answer._parts, "parts.append(evolve(part, policy=policy))", "parts.append(part)"),
)

# --- the rest

door(URL, "any-response-url", "Gives any URL.", (_reply.response_url, "is_fetchable_url(found)", '"://" in found'))
door(URL, "no-command-url", "Gives no URL.", (_reply.response_url, "is_fetchable_url(found)", "False"))
door(URL, "empty-response-url", "Gives nothing for a URL.", (_reply.response_url, "else None", 'else ""'))
shown(
    ATTEST,
    "long-lived",
    "Lets evidence hold for an hour.",
    lambda value, _: [{**one, "expires_at": "2026-11-21T21:56:00Z"} for one in value],
)
shown(ATTEST, "anybody", "Attests whoever it is.", lambda value, _: value or [{"subject": "slack:T1/U1"}])
shown(
    ATTEST,
    "for-the-asked",
    "Makes evidence for whoever was asked.",
    lambda value, _: [{**one, "audience": "@helper@agents.example"} for one in value],
)
door(
    VERIFY,
    "refuses-all",
    "Refuses requests of this very second.",
    (_refusal.signature_fault, "age > _WINDOW", "age > _WINDOW or not age"),
)
door(
    SENDER,
    "errors-are-quiet",
    "Says nothing of errors.",
    (_people.answered, "notes.append(_unanswered(ask, detail, temporary", "(_unanswered(ask, detail, temporary"),
)
door(
    RECEIVE,
    "serves-everybody",
    "Serves apps without an agent.",
    (
        _deliver.agent_for,
        "agents = yield from served(candidates, limits=intake.settings.limits)",
        "from mentionable import Address\n    agents = (Address('@helper@agents.example'),)\n    yield from ()",
    ),
)
