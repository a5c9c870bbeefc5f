"""`mail.reply` as the tests of the mail room call it, and what others read in its mails."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Final

from mentionable import NormalizedMessage, NormalizedResponse, Sender, mail
from mentionable._model.base import replace
from tests.mail.receiving import NOW, receive, received

FROM: Final = b"From: Alice <alice@a.example>\r\n"
MAIL: Final = FROM + b"Subject: Rain\r\nMessage-ID: <q@a.example>\r\n\r\nWill it rain?\r\n"
HELPER: Final = "@helper@agents.example"
IDS: Final = ("In-Reply-To", "References")


def question(raw: bytes = MAIL, *, verified: bool = False, **arguments: Any) -> NormalizedMessage:
    """A mail as it was received; with a verified sender when a test says so."""
    message: NormalizedMessage = received(raw, **arguments).message
    if not verified:
        return message
    shown = Sender(
        address=message.sender.address,
        display_name=message.sender.display_name,
        auth_method="email-dkim",
        verified=True,
        key_id="s._domainkey.a.example",
    )
    return replace(message, sender=shown)


def asked(*fields: str, **arguments: Any) -> NormalizedMessage:
    """A mail with these header fields, and From where they lack it."""
    head = "".join(f"{field}\r\n" for field in fields).encode()
    return question((b"" if b"From:" in head else FROM) + head + b"\r\nWill it rain?\r\n", **arguments)


def reply(*parts: Any, to: NormalizedMessage | None = None, **arguments: Any) -> mail.Outgoing:
    """The mail that answers `to` with a response, or with parts."""
    to = question() if to is None else to
    arguments = {"now": NOW, "entropy": bytes(range(32)), **arguments}
    given = parts[0] if parts and isinstance(parts[0], NormalizedResponse) else None
    return mail.reply(given or NormalizedResponse.to(to, *(parts or ("Yes.",))), to=to, **arguments)


def read_back(data: bytes) -> Any:
    """What the other side receives."""
    return receive(data, recipient="@alice@a.example")


def parsed(data: bytes) -> EmailMessage:
    """The mail as the standard library reads it; nothing in it may be a defect, but for ids of others of odd forms."""
    found = message_from_bytes(data, policy=policy.SMTP)
    for part in found.walk():
        assert part.defects == []
        for name, value in part.items():
            assert name in IDS or getattr(value, "defects", ()) == (), (name, value)
    return found


def header(data: bytes, name: str) -> str | None:
    """One field, unfolded and decoded."""
    value = parsed(data)[name]
    if value is not None and name in IDS:  # as they are written: newer parsers repair ids of odd forms
        return " ".join(message_from_bytes(data)[name].split())
    return None if value is None else str(value)


def fields(data: bytes) -> list[str]:
    """The names of the header fields, in order."""
    return list(parsed(data).keys())
