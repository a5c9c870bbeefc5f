"""`mail.receive` as the tests of mail call it."""

from datetime import UTC, datetime
from typing import Any

from mentionable import Answers, drive, mail

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)


def receive(raw: bytes, *, world: Any = None, **arguments: Any) -> Any:
    """The outcome; for one agent unless a test brings a world of its own."""
    if world is None:
        arguments.setdefault("recipient", "@helper@agents.example")
    return drive(mail.receive(raw, now=NOW, entropy=bytes(32), **arguments), world or Answers())


def received(raw: bytes, **arguments: Any) -> Any:
    """The outcome; of a report about a mail the message that it came as."""
    outcome = receive(raw, **arguments)
    return outcome.received if isinstance(outcome, mail.ReceivedReport) else outcome
