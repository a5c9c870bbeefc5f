"""Mutants of the BlueBubbles connector: the secret, what is a message, whom it names, and the calls that answer."""

from __future__ import annotations

from typing import Any

from mentionable.connectors import _answer, _deliver, _offered, _platform, _refusal
from mentionable.connectors.bluebubbles import _chats, _event, _pseudonym, _receive, _reply, _verify
from tests.mutants._answers import written
from tests.mutants._discord import AREA, kept, with_member

VERIFY, RECEIVE, SENDER = ("bluebubbles.verify",), ("bluebubbles.receive",), ("bluebubbles.sender",)
FILES, REPLY, CHATS = ("bluebubbles.files",), ("bluebubbles.reply",), ("bluebubbles.chats",)
ANY = (*VERIFY, *RECEIVE, *SENDER, *FILES, *CHATS)


def takes(name: str, rule: str, function: Any, old: str, new: str, ops: tuple[str, ...] = ANY) -> None:
    """Registers a mutant that takes webhooks otherwise."""
    written(AREA, ops, f"bluebubbles-{name}", rule, (function, old, new))


def says(name: str, rule: str, function: Any, old: str, new: str) -> None:
    """Registers a mutant that answers otherwise."""
    takes(name, rule, function, old, new, REPLY)


# --- the secret

FAULT, SHOWN = _verify._fault, _verify._shown
takes(
    "no-secret", "Needs no secret.", FAULT, "if not shown:", "if not shown:\n        return None\n    if False:", VERIFY
)
takes("any-secret", "Takes any secret.", FAULT, "if not hmac", "if False and not hmac")
takes("empty-secret", "Takes an empty secret.", FAULT, "if not hmac", "if shown[0] and not hmac")
takes(
    "prefix",
    "Looks at the beginning of the secret.",
    FAULT,
    'shown[0].encode("utf-8", "replace")',
    "shown[0].encode()[:len(settings.secret)]",
)
takes("twice", "Takes the first of two.", FAULT, "if len(shown) > 1:", "if False:")
takes(
    "fragment",
    "Looks into fragments.",
    SHOWN,
    'unit.url.partition("#")[0].partition("?")[2]',
    'unit.url.partition("?")[2]',
)
takes(
    "folded",
    "Knows parameters in any case.",
    SHOWN,
    "if name == settings.secret_parameter",
    "if name.lower() == settings.secret_parameter",
)
takes(
    "either",
    "Takes the secret wherever it stands.",
    SHOWN,
    "return [value for header, value in unit.headers if header == name]",
    "pass",
)
takes(
    "first-parameter",
    "Looks at the first parameter.",
    SHOWN,
    'for pair in query.split("&")]',
    'for pair in query.split("&")[:1]]',
)
takes("never-in-headers", "Knows no headers.", SHOWN, "if settings.secret_header is not None:", "if False:")
takes(
    "any-length",
    "Reads bodies of any length.",
    _refusal.refusal_of,
    "if len(unit.body) > max_bytes:",
    "if False:",
)
takes(
    "reads-first",
    "Reads before it verifies.",
    _receive._received,
    "fault = refusal(",
    "__import__('json').loads(unit.body)\n    fault = refusal(",
)
takes(
    "chats-of-anybody",
    "Tells chats to anybody.",
    _chats.chats,
    "if refusal(unit, settings=settings) is not None:",
    "if False:",
)
takes("no-chats", "Forgets which chat a thread is.", _chats.chats, "event.chat_guid}", "event.chat}")

# --- what is a message

MESSAGE, READ = _event._message_in, _event.read_event
takes("own", "Hears itself.", MESSAGE, 'if message.get("isFromMe") is not False:', "if False:")
takes("maybe-own", "Hears what may be its own.", MESSAGE, "is not False:", "is True:")
takes(
    "reactions",
    "Takes reactions for messages.",
    MESSAGE,
    'message.get("associatedMessageType") not in (None, 0, "0") or',
    "",
)
takes(
    "stickers",
    "Takes what is put on messages for messages.",
    MESSAGE,
    'or message.get("associatedMessageGuid") is not None',
    "",
)
takes("edits", "Takes changes for messages.", MESSAGE, '("dateEdited", "dateRetracted")', '("dateRetracted",)')
takes("retracted", "Takes what was taken back.", MESSAGE, '("dateEdited", "dateRetracted")', '("dateEdited",)')
takes("news", "Takes news of groups for messages.", MESSAGE, 'message.get("itemType", 0) != 0 or', "")
takes("any-event", "Takes any event for a new message.", MESSAGE, 'document.get("type") != NEW_MESSAGE or', "")
takes("groups", "Hears groups.", _receive._received, "if event.is_group and not settings.groups:", "if False:")
takes("no-groups", "Hears no groups.", _receive._received, "and not settings.groups", "")
takes("groups-by-style", "Knows groups by their style alone.", READ, 'or ";+;" in chat_guid', "")
takes(
    "nothing-said",
    "Takes messages that say nothing.",
    _deliver.delivered,
    "if not parts:",
    "if not parts and notes:",
    RECEIVE,
)
takes("placeholders", "Keeps what stands for pictures.", _event._parts, '.replace(_PLACEHOLDER, "")', "")
takes(
    "apps",
    "Says nothing of content of apps.",
    _event._parts,
    'notes.append(Diagnostic(code="part-unsupported"',
    'list[Any]().append(Diagnostic(code="part-unsupported"',
)
takes("nobody", "Takes messages of nobody.", READ, 'facts.get("address")', 'facts.get("address", "nobody")')
takes("first-chat", "Takes the first of two chats.", _event._chat, "len(chats) != 1 or", "")
takes("any-guid", "Takes anything for an id.", READ, "if not is_message_guid(guid):", "if not isinstance(guid, str):")
takes(
    "drops-text",
    "Drops text that is none.",
    _event._parts,
    "if not isinstance(said, (str, type(None))):",
    "said = said if isinstance(said, str) else 'x'\n        if False:",
)
takes("no-subjects", "Drops subjects.", _event._parts, '("subject", "text")', '("text",)')
takes("no-answers", "Forgets what a message answers.", READ, "parent=_parent(message)", "parent=None")
written(
    AREA,
    RECEIVE,
    "bluebubbles-counts-twice",
    "Lets messages count twice.",
    (_platform.seen_once, "if not answer:", "if False:"),
)
takes(
    "requires-nobody",
    "Requires nothing.",
    _deliver.delivered,
    "if intake.settings.require_verified and not sender.identities:",
    "if False:",
    RECEIVE,
)

# --- whom it names

takes(
    "numbers",
    "Shows numbers.",
    READ,
    'person=pseudonym("handle", person, settings=settings)',
    'person="".join(person.split()).lower().strip("+")',
    RECEIVE,
)
takes(
    "bare-hash",
    "Makes pseudonyms that anybody can make.",
    _pseudonym.pseudonym,
    "settings.pseudonym_key",
    "bytes(32)",
    SENDER,
)
takes(
    "spelled",
    "Takes a number for another when it is spelled otherwise.",
    _pseudonym.pseudonym,
    '"".join(text.split())',
    "text",
    SENDER,
)
takes("cased", "Takes addresses for others in other letters.", _pseudonym.pseudonym, ".translate(_LOWER)", "", SENDER)
takes(
    "sms",
    "Believes the numbers of text messages.",
    _receive._heard,
    'is_sure = event.service == "imessage"',
    "is_sure = True",
    RECEIVE,
)
takes(
    "own-issuer",
    "Speaks in some name.",
    _receive.receive,
    "issuer=settings.issuer,",
    'issuer=settings.issuer or "imessage.agents.example",',
    RECEIVE,
)
kept(
    "bluebubbles",
    "inline",
    "Says that mentions are routed.",
    with_member(("recipient_capabilities", "mention_relay", "kind"), "inline"),
)

# --- files

takes(
    "hidden-files",
    "Gives out what people do not see.",
    _event._files,
    'or one.get("hideAttachment") is True',
    "",
    FILES,
)
takes(
    "silent-files",
    "Says nothing of files.",
    _offered.given_out,
    "notes.append(Diagnostic(",
    "list[Any]().append(Diagnostic(",
    FILES,
)

# --- answers

says("no-chat", "Leaves the chat out.", _reply.reply, '{} if chat_guid is None else {"chatGuid": chat_guid}', "{}")
says(
    "thread-as-chat",
    "Takes the thread for a chat.",
    _reply.reply,
    '{} if chat_guid is None else {"chatGuid": chat_guid}',
    '{"chatGuid": chat_guid or to.thread_id}',
)
says(
    "scripted",
    "Knows no private API.",
    _reply.reply,
    '"private-api" if private_api else "apple-script"',
    '"apple-script"',
)
says("unanswered", "Shows no question.", _reply.reply, 'params["selectedMessageGuid"] = own', "pass")
says(
    "errors-untold",
    "Says nothing of errors.",
    _reply._texts,
    "if response.parts and len(attached) == len(response.parts):",
    "if len(attached) == len(response.parts):",
)
says(
    "says-nothing",
    "Sends nothing as something.",
    _reply._texts,
    "if len(whole) <= MOST_MESSAGES:",
    "whole = whole or ['…']\n    if len(whole) <= MOST_MESSAGES:",
)
says("no-files", "Leaves files out.", _reply.reply, "tuple(uploads.items())", "()")
says(
    "files-named",
    "Names files that go along.",
    _reply._texts,
    "if response.parts and len(attached) == len(response.parts):\n        return []",
    "if response.parts and len(attached) == len(response.parts):\n        return ['A file']",
)
says(
    "any-host",
    "Leads people anywhere.",
    _answer._parts,
    "parts.append(evolve(part, policy=policy))",
    "parts.append(part)",
)
says(
    "any-platform",
    "Says nothing of threads that it does not take.",
    _answer._thread,
    'notes.append(Diagnostic(code="part-changed", at="/push_back/thread_ref", detail=detail))',
    "pass",
)
says("floods", "Says everything.", _reply._texts, "if len(whole) <= MOST_MESSAGES:", "if True:")
says("all-at-once", "Shows all of what is partial.", _reply.reply, "posts = posts[:1]", "pass")
says(
    "any-chat",
    "Lets agents choose the chat.",
    _answer._thread,
    "there is not None and there == conversation(own)",
    "there is not None",
)
says(
    "files-missing",
    "Says nothing of files that nobody has.",
    _answer.upload_of,
    'notes.append(Diagnostic(code="part-changed", at=f"/parts/{index}", detail=detail))\n        return None\n    data',
    "return None\n    data",
)
