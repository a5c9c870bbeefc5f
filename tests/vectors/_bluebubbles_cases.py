"""Webhooks of BlueBubbles and the calls that answer them."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import answer
from tests.vectors._bluebubbles_rows import (
    AGENT,
    CHAT,
    FILES,
    GUID,
    ISSUER,
    OTHER,
    PHONE,
    ROOM,
    SECRET,
    SETTINGS,
    Case,
    case,
    evidence,
    posted,
    pseudonym,
    sender,
    told,
)
from tests.vectors._own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterator

VERDICT: Case = {"method": "none", "verified": False, "code": "platform-only"}


def text(content: str, **extra: Any) -> Case:
    """A text part; `written_by` and `native_text` are members of it."""
    return {"kind": "text", "mime": "text/plain", "content": content, **extra}


def secrets() -> Iterator[Case]:
    """Whether a request shows the secret."""
    behaviour = "bluebubbles-secret"
    shown = f"?secret={SECRET}"
    header = {**SETTINGS, "secret_header": "X-Secret"}
    for name, why, unit in (
        (
            "in-the-url",
            "The secret stands in the URL that the server was given.",
            posted(told(), query=f"?a=1&secret={SECRET}"),
        ),
        (
            "in-a-header",
            "A proxy may put it into a header.",
            posted(told(), query="", headers={"x-secret": SECRET}, settings=header),
        ),
    ):
        yield case(behaviour, name, why, unit, value=True)
    for name, code, why, unit in (
        ("missing", "unsigned", "Nobody knows who sent it.", posted(told(), query="")),
        ("in-the-fragment", "unsigned", "A fragment is no part of a request.", posted(told(), query=f"#{shown}")),
        ("wrong", "bad-signature", "Another secret is none.", posted(told(), query=f"{shown}x")),
        ("empty", "bad-signature", "An empty secret is none.", posted(told(), query="?secret=")),
        (
            "twice",
            "signature-ambiguous",
            "Programs differ in which one counts.",
            posted(told(), query=f"{shown}&secret={SECRET}"),
        ),
        ("elsewhere", "unsigned", "It counts where it was agreed.", posted(told(), query=shown, settings=header)),
        ("other-case", "unsigned", "Names of parameters have a case.", posted(told(), query=f"?Secret={SECRET}")),
    ):
        outcome: Any = {"rejected": {"code": "request-unverified"}, "verdict": {"code": code}, "flags": ["attack"]}
        yield case(behaviour, name, why, unit, **outcome)
    unit = posted(told(), settings={**SETTINGS, "body_bytes": 9})
    yield case(behaviour, "too-large", "A body may have any length.", unit, rejected={"code": "too-large"})


def messages() -> Iterator[Case]:
    """Webhooks that become messages, whole."""
    raw = {
        "platform": "bluebubbles",
        "kind": "message",
        "type": "new-message",
        "id": GUID,
        "chat": ROOM,
        "is_group": False,
        "service": "imessage",
        "timestamp": "2026-11-21T20:56:00Z",
    }
    made = {
        "id": {"$any": "uuid7"},
        "thread_id": f"bluebubbles:{ROOM}",
        "sender": sender(),
        "recipient": AGENT,
        "parts": [text("Will it rain?")],
        "recipient_capabilities": {"mention_relay": {"kind": "none"}},
        "received_via": "connector",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": raw,
    }

    def one(name: str, why: str, unit: Case, message: Case, **more: Any) -> Case:
        outcome: Any = {"messages": [message], "verdict": VERDICT, "diagnostics": [], **more}
        return case("bluebubbles-message", name, why, unit, **outcome)

    why = "Of a number nothing is left but a word that only this connector can make."
    yield one("message", why, posted(told()), made, flags=["attack"])
    why = "A webhook that comes again is a redelivery, also where no message is stored."
    same = {f"ONCE bluebubbles:message:{GUID} home": "same"}
    yield one("again", why, posted(told()), made, world=same, diagnostics=["redelivered"], section="R70")
    why = "An answer names the message that it answers."
    yield one("answer", why, posted(told(replyToGuid=OTHER)), {**made, "in_reply_to": f"bluebubbles:{OTHER}"})
    group = [{"guid": "iMessage;+;chat1", "style": 43}]
    unit = posted(told(chats=group), settings={**SETTINGS, "groups": True})
    chat = pseudonym("chat", "iMessage;+;chat1")
    shown = sender()
    shown["identities"] = [{**evidence(), "source": {**evidence()["source"], "channel": chat}}]
    grouped = {
        **made,
        "thread_id": f"bluebubbles:{chat}",
        "sender": shown,
        "raw": {**raw, "chat": chat, "is_group": True},
    }
    yield one("group", "Group chats are heard where that is set.", unit, grouped)
    sms = {"address": PHONE, "service": "SMS"}
    plain = {**made, "sender": sender(shown=False), "raw": {**raw, "service": "sms"}}
    why = "The number of a text message is whatever its sender says."
    yield one("sms", why, posted(told(handle=sms)), plain, diagnostics=["evidence-withheld"], flags=["attack"])
    own = {name: member for name, member in SETTINGS.items() if name != "issuer"}
    nobody = {**made, "sender": sender(shown=False)}
    why = "Without an issuer there is nobody in whose name evidence could be made."
    yield one("no-issuer", why, posted(told(), settings=own), nobody, diagnostics=["evidence-withheld"])
    parts = [text("Rain"), text("Soon")]
    unit = posted(told(subject="Rain", text="\ufffcSoon"))
    yield one("subject", "A message may have a subject.", unit, {**made, "parts": parts})
    group = [{"guid": "iMessage;+;chat1", "style": 43, "displayName": "The crew"}]
    unit = posted(told(chats=group), settings={**SETTINGS, "groups": True})
    named = {**grouped, "raw": {**grouped["raw"], "group_name": "The crew"}}
    yield one("group-with-name", "What people call a group is in raw.", unit, named)
    profile = {"display_name": "Me"}
    me = {"address": "@me@home.bluebubbles.invalid", "auth_method": "none", "verified": False, "profile": profile}
    own_row = {
        **made,
        "sender": {**me, "display_name": "Me"},
        "raw": {**raw, "is_from_me": True},
        "unanswerable": {"reason": "own-message", "detail": {"$any": "json"}},
    }
    why = "What the account itself writes is a row of the conversation, by no person and never to be answered."
    unit = posted(told(isFromMe=True), settings={**SETTINGS, "own_messages": True})
    yield one("own", why, unit, own_row, diagnostics=["evidence-withheld"], section="MI", flags=["attack"])


def rejected() -> Iterator[Case]:
    """Webhooks that are no messages for the agent."""
    rows: tuple[tuple[str, str, str, Case], ...] = (
        ("own", "own-message", "An agent that answers itself never ends.", told(isFromMe=True)),
        ("unknown-whose", "own-message", "What may be the agent's own is taken for it.", told(isFromMe=None)),
        ("reaction", "unsupported-event", "A heart is no question.", told(associatedMessageType="love")),
        (
            "sticker-on-it",
            "unsupported-event",
            "What is put on a message is none.",
            told(associatedMessageGuid=f"p:0/{OTHER}"),
        ),
        ("edited", "unsupported-event", "A change is no new message.", told(dateEdited=1)),
        ("retracted", "unsupported-event", "What was taken back was not said.", told(dateRetracted=1)),
        ("renamed", "unsupported-event", "News of a group are no message.", told(itemType=2)),
        ("updated", "unsupported-event", "Not every event is a new message.", told("updated-message")),
        (
            "group",
            "unsupported-event",
            "A group talks to itself.",
            told(chats=[{"guid": "iMessage;+;chat1", "style": 43}]),
        ),
        (
            "group-by-its-name",
            "unsupported-event",
            "A group is known by its name, too.",
            told(chats=[{"guid": "iMessage;+;chat1"}]),
        ),
        (
            "group-by-neither",
            "unsupported-event",
            "What does not say that two people are alone is a group.",
            told(chats=[{"guid": "chat1", "style": "43"}]),
        ),
        ("empty", "unsupported-event", "A picture that is not there says nothing.", told(text="\ufffc")),
        ("app", "part-unsupported", "An agent cannot read the content of an app.", told(text="", balloonBundleId="x")),
        ("no-handle", "missing-member", "Somebody must have written it.", told(handle=None)),
        ("two-chats", "missing-member", "A message is of one chat.", told(chats=[{"guid": CHAT}, {"guid": CHAT}])),
        ("number-for-guid", "missing-member", "A number must not become an id.", told(guid=PHONE)),
        ("text-no-text", "wrong-type", "Text is text.", told(text=5)),
    )
    for name, code, why, event in rows:
        yield case("bluebubbles-rejected", name, why, posted(event), rejected={"code": code})
    outcome: Any = {"rejected": {"code": "request-unverified"}, "verdict": {"code": "unsigned"}, "flags": ["attack"]}
    yield case(
        "bluebubbles-rejected", "unread", "Nothing is read without the secret.", posted("{", query=""), **outcome
    )
    outcome = {"rejected": {"code": "verification-required"}, "common": {"require_verified": True}}
    unit = posted(told(handle={"address": PHONE, "service": "SMS"}))
    yield case(
        "bluebubbles-rejected",
        "nobody-shown",
        "Who wants to know who asks is not told.",
        unit,
        verdict=VERDICT,
        **outcome,
    )
    outcome = {
        "rejected": {"code": "unsupported-event"},
        "world": {f"ONCE bluebubbles:message:{GUID} home": "other"},
        "flags": ["attack"],
    }
    yield case("bluebubbles-rejected", "used-by-another", "A message counts once.", posted(told()), **outcome)


def people() -> Iterator[Case]:
    """What stands for people and chats."""
    behaviour = "bluebubbles-sender"
    spelled = {"address": " +1 555 0100 ", "service": "iMessage"}
    why = "A number is the same however it is spelled."
    yield case(behaviour, "spelling", why, posted(told(handle=spelled)), value=sender(), diagnostics=[])
    mail = {"address": "Alice@Private.example", "service": "iMessage"}
    person = pseudonym("handle", "alice@private.example")
    why = "A mail address is nobody else's business, either."
    yield case(
        behaviour, "mail", why, posted(told(handle=mail)), value=sender(person), diagnostics=[], flags=["attack"]
    )
    key = "01" * 32
    person = pseudonym("handle", PHONE, key)
    made = sender(person)
    made["identities"][0]["source"]["channel"] = pseudonym("chat", CHAT, key)
    unit = posted(told(), settings={**SETTINGS, "pseudonym_key": key})
    why = "Without the key nobody can try numbers out."
    yield case(behaviour, "key", why, unit, value=made, diagnostics=[], flags=["attack"])


def chats() -> Iterator[Case]:
    behaviour = "bluebubbles-chats"
    why = "The connector itself must know which chat a thread is."
    yield case(behaviour, "chat", why, posted(told()), value={f"bluebubbles:{ROOM}": CHAT})
    why = "Nothing is read without the secret."
    yield case(behaviour, "unverified", why, posted(told(), query=""), value={}, flags=["attack"])


def files() -> Iterator[Case]:
    behaviour = "bluebubbles-files"
    held = {"guid": "at_0_ABC", "transferName": "IMG_1.heic", "mimeType": "image/heic", "totalBytes": 9}
    hidden = {**held, "guid": "B", "hideAttachment": True}
    url = f"https://{ISSUER}/api/bluebubbles/files/"
    made = {
        "kind": "file",
        "mime": "image/heic",
        "name": "IMG_1.heic",
        "size_bytes": 9,
        "bytes_ref": {"kind": "url", "url": url, "expires_at": "2026-11-21T21:01:00Z"},
        "claims": {
            "iss": ISSUER,
            "aud": AGENT,
            "turn": f"bluebubbles:{GUID}",
            "scope": {"workspace": "home", "channel": ROOM, "file": "at_0_ABC"},
            "max_bytes": 9,
        },
    }
    unit = posted(told(attachments=[held, hidden]), settings=FILES)
    why = "An agent fetches a file through the connector, and nothing that people do not see."
    yield case(behaviour, "given-out", why, unit, value=[made], diagnostics=[], flags=["attack"])
    unit = posted(told(attachments=[held]))
    why = "A connector without a key gives nothing out, and says so."
    yield case(behaviour, "no-key", why, unit, value=[], diagnostics=["part-unsupported"])


def parts() -> Iterator[Case]:
    """What people see of a message."""
    behaviour = "bluebubbles-parts"

    def one(name: str, why: str, changes: Case, value: list[Case], *notes: str, **more: Any) -> Case:
        return case(behaviour, name, why, posted(told(**changes)), value=value, diagnostics=list(notes), **more)

    made = [text("Hi\nyou", native_text="Hi\r\nyou")]
    why = "Lines end in one way, and what was typed is there byte for byte."
    yield one("lines", why, {"text": "\ufffcHi\r\nyou"}, made, section="R63")
    changes: Case = {"text": "Hi", "expressiveSendStyleId": "com.apple.messages.effect.CKConfettiEffect"}
    made = [text("Hi", native_text="Hi"), text("[effect: Confetti]")]
    yield one("effect", "An effect is its name.", changes, made)
    changes = {"text": "Hi", "expressiveSendStyleId": "canary"}
    yield one("effect-unknown", "What has no name is named.", changes, [text("Hi")], "part-unsupported")
    runs = [{"attributes": {"IMAudioTranscription": "Will it rain?", "__kIMMentionConfirmedMention": "canary"}}]
    changes = {"text": "\ufffc", "isAudioMessage": True, "attributedBody": [{"string": "\ufffc", "runs": runs}]}
    made = [text("[voice message]\n[voice message] Will it rain?")]
    yield one("voice", "A voice message says its words.", changes, made, flags=["attack"])
    by: Case = {"written_by": {"display_name": "news.example"}}
    preview = {"url": "https://news.example/", "title": "Rain", "summary": "It will.", "siteName": "Alice"}
    made = [text("look"), {"kind": "link", "url": "https://news.example/", **by}, text("Alice\nRain\nIt will.", **by)]
    why = "The preview of a link is by its site, whatever it calls itself."
    yield one("preview", why, {"text": "look", "payloadData": {"urlData": [preview]}}, made, flags=["attack"])
    app = {"appName": "Chess", "ldtext": "Your move", "userInfo": {"caption": "e4"}, "url": "canary"}
    changes = {"text": "", "balloonBundleId": "x", "payloadData": {"appData": [app]}}
    made = [text("Your move\ne4", written_by={"display_name": "Chess"})]
    yield one("app", "What an app shows is by the app.", changes, made, flags=["attack"])
    why = "A member that is odd costs itself."
    yield one("subject-no-text", why, {"text": "Hi", "subject": 5}, [text("Hi")], "wrong-type", section="R54")
    held = {"guid": "at_0_ABC", "transferName": "a.pdf", "mimeType": "application/pdf", "totalBytes": 9}
    unit = posted(told(text="Hi", subject="Rain", attachments=[held] * 3), settings=FILES)
    why = "What is too much is left out, and counted: nothing is rejected that people can read."
    outcome: Any = {"value": [text("Rain")], "diagnostics": ["too-many-parts"], "common": {"limits": {"parts": 1}}}
    yield case(behaviour, "too-many", why, unit, **outcome)


def replies() -> Iterator[Case]:
    """The calls that carry an answer."""
    question = posted(told())

    def one(name: str, why: str, response: Case, made: Any, **facts: Any) -> Case:
        notes, flags, section = facts.pop("notes", []), facts.pop("flags", []), facts.pop("section", "NM 4")
        level = facts.pop("level", "MUST")
        unit = {"question": facts.pop("question", question), "response": response, **facts}
        outcome: Any = {"value": made, "diagnostics": notes} if isinstance(made, list) else {"rejected": {"code": made}}
        return case("bluebubbles-reply", name, why, unit, section=section, flags=flags, level=level, **outcome)

    def say(message: str, **more: Any) -> Case:
        params = {"method": "apple-script", "tempGuid": None, "message": message, **more}
        return {"path": "/api/v1/message/text", "params": params}

    hi = answer(text("Hi"))
    yield one("chat", "The connector says into which chat.", hi, [say("Hi", chatGuid=CHAT)], chat_guid=CHAT)
    yield one("thread", "The message itself does not tell the chat.", hi, [say("Hi")])
    shown = [say("Hi", method="private-api", selectedMessageGuid=GUID)]
    yield one("private-api", "An answer may show what it answers.", hi, shown, private_api=True)
    failed = answer(status="error", error={"code": "x", "message": "No rain.", "retriable": False})
    yield one("error", "Who gets no answer is told why.", failed, [say("No rain.")])
    yield one("nothing", "Nothing to say is nothing to send.", answer(), [])
    data = b"rain"
    digest = sha256(data).hexdigest()
    held = {
        "kind": "file",
        "mime": "image/png",
        "name": "r.png",
        "bytes_ref": {"kind": "content_addressed", "algo": "sha256", "digest": digest},
    }
    sent = {"name": "r.png", "mime": "image/png", "data": b64encode(data).decode()}
    params = {"method": "apple-script", "tempGuid": None, "name": "r.png"}
    file = {"path": "/api/v1/message/attachment", "params": params, "files": [sent]}
    yield one("file", "A file goes by itself.", answer(text("Hi"), held), [say("Hi"), file], blobs={digest: "rain"})
    yield one("file-alone", "A file needs no words.", answer(held), [file], blobs={digest: "rain"})
    demand = {"kind": "policy", "policy": {"kind": "forbidden", "message": "No", "url": "https://evil.example/"}}
    why = "A demand leads to the agent's own host, or nowhere."
    yield one("policy-elsewhere", why, answer(demand), [say("No")], notes=["url-refused"], flags=["attack"])
    asking = {"kind": "consent_required", "message": "May I?", "state": "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"}
    consent = {"kind": "policy", "policy": {**asking, "return_to": "https://agents.example/done"}}
    group = posted(told(chats=[{"guid": "iMessage;+;chat1", "style": 43}]), settings={**SETTINGS, "groups": True})
    more: Any = {"question": group, "flags": ["attack"], "section": "R59"}
    why = "In a group a demand goes to the chat with the asker alone."
    private = [say("Hi", chatGuid="iMessage;+;chat1"), say("May I?", chatGuid=CHAT)]
    facts: Any = {"chat_guid": "iMessage;+;chat1", "direct_chat_guid": CHAT}
    yield one("demand-in-a-group", why, answer(text("Hi"), consent), private, **facts, **more)
    why = "Without a chat with the asker alone a demand in a group goes nowhere."
    yield one("demand-without-a-chat", why, answer(text("Hi"), consent), "malformed", **more)
    why = "In a chat of two the asker alone reads."
    yield one("demand-direct", why, answer(text("Hi"), consent), [say("Hi\n\nMay I?")], section="R59")
    there = {**hi, "push_back": {"thread_ref": "bluebubbles:another-chat"}}
    why = "Who asks chooses the chat: an agent cannot choose another."
    yield one("elsewhere", why, there, [say("Hi")], notes=["part-changed"], flags=["attack"])
    there = {**hi, "push_back": {"thread_ref": "discord:5"}}
    yield one("other-platform", why, there, [say("Hi")], notes=["part-changed"])
    half = answer(text("Hi"), held, status="partial", streaming={"stream_id": "s", "seq": 0, "final": False})
    yield one("partial", "While an answer is partial one message is shown.", half, [say("Hi")], blobs={digest: "rain"})
    why = "A file that nobody has is named."
    yield one("file-missing", why, answer(held), [say("[r.png (image/png)]")], notes=["part-changed"], level="SHOULD")
    many = [say("x" * 3900) for _ in range(25)]
    why = "An answer never floods a chat."
    flood = answer(text(("x" * 3900 + "\n\n") * 30))
    for suffix, last, level in own_words("… The answer goes on. It is too long to be shown here."):
        whole = [*many, say(last)]
        yield one(f"flood{suffix}", why, flood, whole, notes=["part-changed"], flags=["attack"], level=level)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "bluebubbles-secret", "bluebubbles.verify", "Whether a request shows the secret.", secrets()
    yield "bluebubbles-message", "bluebubbles.receive", "Webhooks that become messages, whole.", messages()
    yield "bluebubbles-rejected", "bluebubbles.receive", "Webhooks that are no messages for the agent.", rejected()
    yield "bluebubbles-sender", "bluebubbles.sender", "What stands for people.", people()
    yield "bluebubbles-chats", "bluebubbles.chats", "Which chat a thread is, for the connector alone.", chats()
    yield "bluebubbles-files", "bluebubbles.files", "Files, each with what its token says.", files()
    yield "bluebubbles-parts", "bluebubbles.parts", "What people see of a message.", parts()
    yield "bluebubbles-reply", "bluebubbles.reply", "The calls that carry an answer.", replies()
