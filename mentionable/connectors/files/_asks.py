"""What has to be known while a file is served: the asks of this room."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias

from ..._flow.asks import YesOrNo
from ..._model.base import record

if TYPE_CHECKING:
    from datetime import datetime

    from ._capability import Scope


@record
class CheckRevoked(YesOrNo):
    """Was this capability taken back? True refuses it, and `Failed` does, too.

    Revoke by what suits you: one token, one file, a whole turn, an agent. Keep an entry until the last capability that
    it is about has expired, a quarter of an hour.

    Attributes:
        token_id: The token.
        audience: The agent that it was minted for.
        scope: The file.
        turn: The message that the file came with.
    """

    token_id: str
    audience: str
    scope: Scope
    turn: str
    _member: ClassVar[str] = "check_revoked"


@record
class Debit(YesOrNo):
    """Add `amount` to what was sent for this token, atomically, unless the sum would be over `limit`. Was it added?

    There is one sum for each token, shared by every process and every fetch: ranges and retries included. Answer False
    when nothing was added, and `Failed` when that cannot be found out: both refuse.

    Attributes:
        token_id: Whose sum.
        amount: How many bytes are to be sent now.
        limit: What the sum may be at most.
        before: How many bytes this one response was given before.
        until: When the sum may be forgotten.
    """

    token_id: str
    amount: int
    limit: int
    before: int
    until: datetime
    _member: ClassVar[str] = "debit"


FilesAsk: TypeAlias = CheckRevoked | Debit
"""Every ask that this room makes."""
