"""What the job `answer` has to know: which message, and the receipt that came for it."""

from __future__ import annotations

import json
from datetime import datetime

from attrs import frozen
from mentionable import decode_trusted, encode, format_time, parse_time, policy

__all__ = ["Turn"]


@frozen(kw_only=True)
class Turn:
    """One turn of the agent.

    Attributes:
        number: The row of the message.
        candidate: The receipt that came with it, or for it.
        entropy: Random bytes of this turn: the same in each try, so that each is the same attempt to use the receipt.
        resumed_at: When a receipt came that no message brought; None: the message brought it.
        subject: Who met the demand, in the program's own terms.
    """

    number: int
    candidate: policy.Candidate | None = None
    entropy: bytes = b""
    resumed_at: datetime | None = None
    subject: str | None = None

    def payload(self) -> bytes:
        """The turn as the payload of a job."""
        if self.candidate is None:
            return str(self.number).encode()
        at = None if self.resumed_at is None else format_time(self.resumed_at)
        rest = {"entropy": self.entropy.hex(), "resumed_at": at, "subject": self.subject}
        return json.dumps({"number": self.number, "candidate": encode(self.candidate), **rest}).encode()

    @classmethod
    def read(cls, payload: bytes) -> Turn:
        """The turn of a payload."""
        value = json.loads(payload)
        if isinstance(value, int):
            return cls(number=value)
        return cls(
            number=value["number"],
            candidate=decode_trusted(policy.Candidate, value["candidate"]),
            entropy=bytes.fromhex(value["entropy"]),
            resumed_at=None if value["resumed_at"] is None else parse_time(value["resumed_at"]),
            subject=value["subject"],
        )
