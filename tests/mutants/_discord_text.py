"""Mutants of what Discord's messages say, and of the calls that answer them."""

from __future__ import annotations

import re
from typing import Any

from mentionable.connectors import _answer
from mentionable.connectors.discord import _interaction, _markdown, _parts, _reply, _split, _write
from tests.mutants._answers import swapped, written
from tests.mutants._discord import AREA, PARTS, hears

REPLY = ("discord.reply",)


def says(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant that answers otherwise."""
    written(AREA, REPLY, f"discord-{name}", rule, (function, old, new))


# --- marks

WORDS = _markdown._words
hears(
    "ids-for-names",
    "Shows ids for names.",
    _markdown._mention,
    "if name and is_short else",
    "if name and kind != '@' and kind != '@!' else",
)
hears("forgets-ids", "Forgets ids without a name.", _markdown._mention, ":{id}", "")
hears("emoji-as-text", "Leaves emoji as they are.", WORDS, "f\":{mark['emoji']}:\"", "mark[0]")
hears(
    "times-as-text",
    "Leaves times as they are.",
    WORDS,
    'f"{moment[:10]} {moment[11:16]} UTC"',
    "mark[0]",
)
hears("commands-as-text", "Leaves commands as they are.", WORDS, "f\"/{escape_name(mark['command'])}\"", "mark[0]")
hears("reads-code", "Reads marks in code.", _markdown.outside_code, "code_end = code_end_of(mark)", "code_end = 0")
swapped(
    AREA,
    PARTS,
    "discord-reads-blocks",
    "Reads marks in blocks of code.",
    _markdown,
    "_MARKS",
    re.compile(_markdown._MARKS.pattern.replace("`++", "(?<!`)`(?!`)", 1)),
)
hears(
    "open-code",
    "Takes all behind a backtick for code.",
    _markdown._ends_of_code,
    "if same else 0",
    "if same else 10**9",
)
hears(
    "names-as-markup",
    "Lets names be markup.",
    _markdown.escape_name,
    '_SPECIAL.sub(r"\\\\\\g<0>", one_line(name))',
    "one_line(name)",
)
hears("two-ends", "Leaves ends of lines as they are.", _markdown.readable, "text = clean(text)", "text = text")
hears(
    "escapes-all",
    "Escapes Markdown.",
    _parts.read_content,
    "markdown(readable(content, names))",
    "markdown(readable(content, names).replace('*', '\\\\*'))",
)
hears(
    "no-guild-names",
    "Knows nobody by the name in the guild.",
    _parts.names_of,
    "name_of(user, member if isinstance(member, dict) else {})",
    "name_of(user, {})",
)

# --- parts

EMBED = _parts._embed
hears("any-link", "Takes any URL for a link.", EMBED, "if is_shown(url):", "if url[:4].lower() == 'http':")
hears(
    "scripts",
    "Drops what is no link without a word.",
    EMBED,
    'notes.append(Diagnostic(code="url-refused"',
    'list[Any]().append(Diagnostic(code="url-refused"',
)
hears("no-fields", "Drops fields.", EMBED, "words = fields if link else", "words = [] if link else")
hears(
    "no-text",
    "Drops embeds without links.",
    EMBED,
    'else [f"**{title}**" if title.strip() else "", description, *fields]',
    "else []",
)
hears(
    "forwards-as-own",
    "Takes what was forwarded for what was said.",
    _parts._quoted_parts,
    'f"{heading}\\n\\n{quoted(readable(content, names_of(message)))}"',
    "readable(content, names_of(message))",
)
hears(
    "silent-stickers",
    "Says nothing of stickers and polls.",
    _parts.read_content,
    "notes += _not_carried(message, at)",
    "",
)
hears(
    "any-number",
    "Takes any number of parts.",
    _parts.read_content,
    "if len(parts) + len(files) > limits.parts:",
    "if False:",
)

# --- interactions

COMMAND, VALUE = _interaction._command, _interaction._value
hears("prompt-as-option", "Names a prompt, too.", COMMAND, "if len(path) == 1 and", "if False and")
hears("first-option", "Knows one option.", COMMAND, "for option, value in said]]", "for option, value in said[:1]]]")
hears(
    "nameless",
    "Leaves names of commands out.",
    COMMAND,
    "lines = [f\"/{' '.join(path)}\",",
    "lines = [f\"/{' '.join(path[1:])}\",",
)
hears("flat", "Knows no commands in commands.", COMMAND, "and len(path) < _MOST_DEPTH", "and False")
hears(
    "users-as-ids",
    "Shows ids of people in options.",
    VALUE,
    "if kind in (_OF_USERS, _OF_ROLES, _OF_BOTH):",
    "if kind == _OF_ROLES:",
)
hears(
    "roles-as-ids",
    "Shows ids of roles in options.",
    VALUE,
    "if kind in (_OF_USERS, _OF_ROLES, _OF_BOTH):",
    "if kind == _OF_USERS:",
)
hears("channels-as-ids", "Shows ids of channels in options.", VALUE, "if kind == _OF_CHANNELS:", "if False:")
hears("about-nobody", "Knows no commands on people.", COMMAND, 'if data.get("type") == _USER_COMMAND:', "if False:")
hears(
    "about-nothing",
    "Takes what a command is about for what was said.",
    _interaction._about_message,
    "parts += quote_of(message)",
    "parts += [markdown(str(message.get('content')))]",
)
CHOSEN = _interaction._component
hears(
    "button-ids", "Shows the ids of buttons.", CHOSEN, 'said = escape_name(_word(component.get("label")))', "said = ''"
)
hears(
    "choice-ids", "Shows the ids of choices.", _interaction._choice, "labels.get(value) or _word(value)", "_word(value)"
)
FORM = _interaction._form
hears(
    "fields-nameless",
    "Shows no names of fields.",
    FORM,
    'f"{name}: {value}" for name, value in filled',
    "value for name, value in filled",
)
hears("field-named", "Names the one field, too.", FORM, "if len(filled) == 1 else", "if False else")
hears(
    "no-labels",
    "Does not look behind labels.",
    _interaction._inside,
    '[component.get("component"), component.get("accessory")]',
    "[]",
)

# --- answers

says(
    "names-nothing",
    "Names no question.",
    _reply._into_channel,
    "if bodies and own is not None and is_there:",
    "if False:",
)
says(
    "names-commands",
    "Names commands as if they were messages.",
    _reply._into_channel,
    'is_there = found_in(raw, "kind") == "message" and',
    "is_there =",
)
says(
    "new-response",
    "Answers beside the deferred response.",
    _reply._into_interaction,
    'Post(method="PATCH", path=original,',
    'Post(method="POST", path=path,',
)
says(
    "lets-wait",
    "Lets people wait for nothing.",
    _reply._into_interaction,
    'return (Post(method="DELETE", path=original, as_bot=False),)',
    "return ()",
)
says(
    "any-token",
    "Puts anything into a path.",
    _reply._into_interaction,
    "if not isinstance(token, str) or not _TOKEN(token):",
    "if False:",
)
says(
    "messages-by-token",
    "Answers messages by tokens.",
    _reply._into_interaction,
    "if application is None:",
    "application = application or '700'\n    if False:",
)
says(
    "anywhere",
    "Lets agents choose the channel.",
    _answer._thread,
    "there is not None and there == conversation(own)",
    "there is not None",
)
says(
    "any-platform",
    "Says nothing of threads that it does not take.",
    _answer._thread,
    'notes.append(Diagnostic(code="part-changed", at="/push_back/thread_ref", detail=detail))',
    "pass",
)
says(
    "pings",
    "Lets everybody be pinged.",
    _reply._body,
    'allowed: dict[str, Any] = {"parse": []}',
    'allowed: dict[str, Any] = {"parse": ["everyone"] if "@everyone" in content else []}',
)
says("no-siblings", "Brings nobody in.", _reply._mentioning, "if people else (text, [])", "if False else (text, [])")
says("siblings-unallowed", "Mentions without leave.", _reply._body, "if told:", "if False:")
says(
    "plain-is-markup",
    "Takes plain text for Markdown.",
    _write._text_of,
    "case TextPart(content=content):\n            return escape_plain(content)",
    "case TextPart(content=content):\n            return content",
)
says(
    "calls-as-markup",
    "Lets calls be markup.",
    _write._text_of,
    "escape_plain(serialize_tool_call_to_text(part))",
    "serialize_tool_call_to_text(part)",
)
says("links-open", "Writes links without brackets.", _write._link, "](<{url}>)", "]({url})")
says("titles-as-markup", "Lets titles be markup.", _write._link, "escape_name(shown)", "shown")
says("errors-untold", "Says nothing of errors.", _write.written, "escape_plain(why_not(response))", "''")
says(
    "code-open",
    "Leaves code open.",
    _split.messages_of,
    'after = "" if cut is None else f"{line_end}{cut.fence}"',
    "after = ''",
)
says(
    "code-lost",
    "Goes on without code.",
    _split.messages_of,
    'before = "" if cut is None else f"{cut.fence}{cut.info}\\n"',
    "before = ''",
)
says("code-nameless", "Forgets the language of code.", _split.messages_of, "{cut.fence}{cut.info}", "{cut.fence}")
says("counts-letters", "Counts all characters once.", _answer._fitting, "if window.isascii():", "if True:")
says("no-files", "Leaves files out.", _write.written, "files.append(file)", "pass")
says("paths-out", "Sends folders in names.", _answer.upload_of, 'file_name(part.name or "")', "part.name")
says(
    "files-missing",
    "Leaves files out that nobody has.",
    _answer.upload_of,
    'notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))\n        return None\n    data',
    "return None\n    data",
)
says(
    "paths-in-links",
    "Shows folders in names of links.",
    _write._text_of,
    'shown, where = file_name(name or ""), url_of(part)',
    "shown, where = name, url_of(part)",
)
says("buttonless", "Makes no buttons.", _reply._bodies, "if answer.button is not None:", "if False:")
says("long-buttons", "Makes buttons for long URLs.", _write._button, "if len(policy.url) > _MOST_URL:", "if False:")
says(
    "silent-buttons", "Says nothing of buttons that cannot be.", _write._button, "notes.append(", "list[Any]().append("
)
says(
    "any-host",
    "Leads people anywhere.",
    _answer._parts,
    "parts.append(evolve(part, policy=policy))",
    "parts.append(part)",
)
says("floods", "Says everything.", _reply._bodies, "if len(contents) > MOST_MESSAGES:", "if False:")
says("all-at-once", "Shows all of what is partial.", _reply.reply, "bodies = bodies[:1]", "pass")
says(
    "takes-back",
    "Takes back what is not there yet.",
    _reply.reply,
    'if not bodies and response.status == "partial":',
    "if False:",
)
says(
    "other-bytes",
    "Sends any bytes.",
    _answer.upload_of,
    "data = content_of(part, index, blobs)",
    "data = next(iter(blobs.values()), None)",
)
