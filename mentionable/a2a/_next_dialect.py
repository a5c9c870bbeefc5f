"""The dialect to ask in next, when an agent does not know the version that it was asked in.

Spec: A2A 1.0 §3.6, §8.3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

from .._errors.exceptions import UsageError
from .._flow.outcome import Rejected
from .._flow.settings import items_of
from ._protocol import CallDialect, check_dialect

_OLDER: Final[dict[CallDialect, CallDialect]] = {"1.0": "0.3", "1.0-rest": "0.3-rest"}
"""Dialect → the one of the version before, in the same binding."""


@runtime_checkable
class HasDialect(Protocol):
    """A `discovery.Endpoint`, as far as it matters here."""

    @property
    def dialect(self) -> CallDialect:
        """Which version is spoken there, and in which binding."""
        ...


def next_dialect(
    rejected: Rejected, *, dialect: CallDialect, endpoints: Sequence[HasDialect] | None = None
) -> CallDialect | None:
    """The dialect to ask in again; None when the version was not the fault, or none is left.

    Over REST the versions have other paths: nothing at the URL may mean another version, too. Each answer leads to an
    older version or to a later endpoint, so that asking ends.

    Args:
        rejected: What `result` gave.
        dialect: The dialect that was asked in.
        endpoints: `card.endpoints` of the agent, the best first. None: the card is not known.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: A2A 1.0 §3.6.

    Example:
        >>> next_dialect(Rejected(code="peer-version-unsupported"), dialect="1.0")
        '0.3'
        >>> next_dialect(Rejected(code="peer-busy"), dialect="1.0") is None
        True
    """
    # 1. check the arguments   2. see whether the version was the fault   3. take the next one of the card, or older
    if not isinstance(rejected, Rejected):
        raise UsageError("rejected must be the Rejected that result gave")
    check_dialect(dialect)
    is_rest = dialect.endswith("-rest")
    if rejected.code != "peer-version-unsupported" and not (is_rest and rejected.code == "peer-not-found"):
        return None
    if endpoints is None:
        return _OLDER.get(dialect)
    listed = items_of(endpoints, HasDialect, "endpoints", what="Endpoint")
    dialects: list[CallDialect] = [endpoint.dialect for endpoint in listed]
    later = dialects[dialects.index(dialect) + 1 :] if dialect in dialects else dialects
    before = dialects[: len(dialects) - len(later)]
    return next((other for other in later if other not in (dialect, *before)), None)
