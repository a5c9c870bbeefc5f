"""The quota: how many bytes may still be sent for one capability."""

from __future__ import annotations

from datetime import datetime

from ..._errors.exceptions import Code, UsageError, wire_error
from ..._flow.asks import ConsumeBytes
from ..._flow.flow import Failed, Flow
from ..._flow.outcome import Rejected, rejected
from ..._flow.settings import check_now
from ._capability import Capability
from ._verify import check_byte_count


class ByteQuota:
    """Counts what one response sends of a file, against the ledger that all responses for its token share.

    Make one for each response, and `take` before each write, never after it. Once it rejects it rejects for good: abort
    the response, so that the client sees that it is incomplete.

    Args:
        capability: What `verify` gave.

    Raises:
        UsageError: It is something else.

    Spec: Building a Connector (Lazy File Capabilities); decisions C1.

    Example:
        >>> from datetime import UTC, datetime, timedelta
        >>> from mentionable import drive
        >>> from mentionable.connectors.files import Scope
        >>> now = datetime(2026, 11, 21, tzinfo=UTC)
        >>> budget = ByteQuota(Capability(
        ...     token_id="t" * 22, issuer="connector.example", audience="@helper@agents.example", turn="m1",
        ...     scope=Scope(workspace="T123", channel="C123", file="F123"), max_bytes=10, key_id="2026-11",
        ...     issued_at=now, expires_at=now + timedelta(minutes=5),
        ... ))
        >>> [drive(budget.take(8, now=now), lambda ask: True) for _ in range(2)]
        [None, Rejected(code='cap-budget', problems=(Problem(at='', rule='16 bytes, 10 allowed'),))]
    """

    __slots__ = ("_capability", "_rejected", "_taken")

    def __init__(self, capability: Capability) -> None:
        if not isinstance(capability, Capability):
            raise UsageError("capability must be a Capability: what verify() gave")
        self._capability = capability
        self._taken = 0
        self._rejected: Rejected | None = None

    def check_size(self, size: int) -> Rejected | None:
        """Reject a file of more bytes than are allowed before any is sent; for sizes that are known after `verify`.

        Raises:
            UsageError: `size` is no number of bytes.
        """
        check_byte_count(size, "size")
        return self._rejected or self._over(size)

    def take(self, n: int, *, now: datetime) -> Flow[ConsumeBytes, Rejected | None]:
        """Ask to send `n` more bytes now.

        Returns:
            A flow of None: send them. Or of `Rejected`: send nothing more. The codes are `cap-expired`, also in the
            middle of a response; `cap-budget`; and `cap-ledger-unavailable`.

        Raises:
            UsageError: `n` is no number of bytes, or `now` is no time.
        """
        check_byte_count(n, "n")
        check_now(now)
        return self._take(n, now)

    def _take(self, n: int, now: datetime) -> Flow[ConsumeBytes, Rejected | None]:
        if self._rejected is None:
            if now >= self._capability.expires_at:
                self._rejected = _rejected("cap-expired", "the capability expired while the file was sent")
            else:
                before, self._taken = self._taken, self._taken + n
                self._rejected = self._over(self._taken)
                if self._rejected is None and n:
                    self._rejected = yield from self._consume(n, before)
        return self._rejected

    def _over(self, size: int) -> Rejected | None:
        """Reject more bytes than the capability allows by itself."""
        limit = self._capability.max_bytes
        return _rejected("cap-budget", f"{size} bytes, {limit} allowed") if size > limit else None

    def _consume(self, n: int, before: int) -> Flow[ConsumeBytes, Rejected | None]:
        """Enter the bytes in the ledger; `Rejected` when too few are left."""
        capability = self._capability
        answer = yield from ConsumeBytes(
            token_id=capability.token_id,
            amount=n,
            limit=capability.max_bytes,
            before=before,
            until=capability.expires_at,
        )
        if isinstance(answer, Failed):
            return _rejected("cap-ledger-unavailable", answer.reason)
        return None if answer else _rejected("cap-budget", f"no {n} bytes are left")


def _rejected(code: Code, reason: str) -> Rejected:
    return rejected(wire_error(code, "", reason))
