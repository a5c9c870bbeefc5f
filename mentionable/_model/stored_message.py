"""What is known of a message that was stored: the row that a store keeps of it."""

from __future__ import annotations

from .base import EMPTY_DICT, validated
from .rules import CanonicalAddress, JsonObject


@validated
class StoredMessage:
    """A message that you stored. `dumps` writes it, and `decode_trusted(StoredMessage, data)` reads it back.

    Attributes:
        id: Its id here.
        thread_id: Its thread.
        sender: The address of its sender.
        auth_method: How the sender was verified; a word that this version does not know counts as strong. For an
            answer of your own write `own`: then an attacker who forges its id is not taken for your agent.
        verified: Whether the sender was verified then; None: as the method says, and `email-dmarc` counts as verified.
        digest: SHA-256 in hex of its parts, by which an edit is compared with it; None: unknown.
        extra: Members that this version does not know.
    """

    id: str
    thread_id: str
    sender: CanonicalAddress
    auth_method: str = "none"
    verified: bool | None = None
    digest: str | None = None
    extra: JsonObject = EMPTY_DICT

    def is_by(self, sender: str, *, claimed: str) -> bool:
        """Whether a verified sender wrote this message.

        Args:
            sender: The verified address.
            claimed: The address that they have without verification. It counts where the sender of this message was not
                verified: then it was all that was known.

        Example:
            >>> row = StoredMessage(id="m1", thread_id="t", sender="@a@social.example", verified=False)
            >>> row.is_by("@a@a.example", claimed="@a@social.example")
            True
        """
        return self.sender == sender or (self.verified is False and self.sender == claimed)

    def replaces(self, other: StoredMessage | None) -> bool:
        """Whether to write this row where `other` stands in your store.

        The first row stays, lest a later copy takes its place. Two rows of the same sender replace it: of one who was
        not verified then, and is now, because an unproven message must not stand for a proven one; and that of an edit.

        Example:
            >>> claimed = StoredMessage(id="m1", thread_id="t", sender="@a@a.example", verified=False)
            >>> ids = {"id": "m1", "thread_id": "t", "sender": "@a@a.example"}
            >>> proven = StoredMessage(**ids, auth_method="http-sig", verified=True)
            >>> claimed.replaces(None), proven.replaces(claimed), claimed.replaces(proven)
            (True, True, False)
        """
        if other is None:
            return True
        if self.sender != other.sender:
            return False
        is_edited = self.id == other.id and self.digest not in (None, other.digest)
        return is_edited or (self.verified is True and other.verified is False)
