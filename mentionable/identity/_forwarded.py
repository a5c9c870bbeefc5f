"""All the evidence that came along with one message: what counts of it, and what was refused.

Spec: IdentityEvidence v0.1 (carriers); Normalized Message §5 (sender.identities); decisions B13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._address import agent_address
from .._asks import bounded, each
from .._json import dump_line
from .._model.identity import IdentityEvidence
from .._names import display_name
from .._outcome import Diagnostic, Rejected
from .._settings import DEFAULTS, check_inputs
from .._value import evolve, record
from ._profile import profile_of
from ._verify import check_facts, verify

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from .._address import Address
    from .._asks import Flow
    from .._model.identity import VerifiedIdentity
    from .._model.sender import Sender, SenderProfile
    from .._settings import Settings
    from ._verify import IdentityAsk

MAX_ITEMS: Final = 4
"""How many evidences one message may bring along."""

MAX_TOTAL: Final = 65_536
"""How large they may be together."""

_ASKS_EACH: Final = 2


@record
class Forwarded:
    """What counts of the evidence that came along.

    Attributes:
        identities: Who was shown, to authorize on.
        evidence: The same as it came, for `sender.identities`.
        profile: How to show the first of them who says so.
        diagnostics: What was refused, and why; each `at` is relative to the carrier.
    """

    identities: tuple[VerifiedIdentity, ...] = ()
    evidence: tuple[IdentityEvidence, ...] = ()
    profile: SenderProfile | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    def shown(self, sender: Sender, notes: list[Diagnostic]) -> Sender:
        """The sender with the evidence, and with the profile unless they have one of their own.

        Neither the address nor whether it was verified changes: evidence speaks of somebody on another platform.
        """
        changes: dict[str, Any] = {}
        if self.evidence:
            changes["identities"] = (*(sender.identities or ()), *self.evidence)
        if self.profile is not None and sender.profile is None:
            name = self.profile.display_name
            if name is not None and sender.display_name is None:
                name = display_name(name, _of(sender), at="/claims/profile/display_name", notes=notes)
                changes["display_name"] = name
            changes["profile"] = evolve(self.profile, display_name=name)
        return evolve(sender, **changes) if changes else sender


def _of(sender: Sender) -> Address:
    return agent_address(sender.address)


NOTHING: Final = Forwarded()


def verify_all(
    carrier: Any,
    *,
    recipient: str,
    caller: str | None,
    said: bytes,
    now: datetime,
    settings: Settings = DEFAULTS,
) -> Flow[IdentityAsk, Forwarded]:
    """What counts of the evidence that a message brought along. Refused evidence costs itself, never the message.

    Args:
        carrier: The JSON of the wire: an array of evidence, or a single one.
        recipient: The agent for whom the message is.
        caller: Who brought it, authenticated: an address, or a host. None: nobody knows.
        said: What identifies the message, as for `verify`.
        now: The time, aware.
        settings: `Settings.trust` says whom you trust.

    Raises:
        UsageError: Your program's fault: an argument of the wrong kind.

    Spec: IdentityEvidence v0.1 (carriers); decisions B13.
    """
    check_inputs(now, settings)
    check_facts(said, caller)
    agent = agent_address(recipient)
    return _verified(carrier, agent, caller, said, now, settings)


def _verified(
    carrier: Any, recipient: str, caller: str | None, said: bytes, now: datetime, settings: Settings
) -> Flow[IdentityAsk, Forwarded]:
    """The flow behind it."""
    if carrier is None or carrier == []:
        return NOTHING
    from .._codec import restore  # loads cattrs, which most messages never need

    is_array = carrier.__class__ is list
    notes: list[Diagnostic] = []
    items = list(_items(carrier if is_array else [carrier], notes))
    flows = [
        verify(data, recipient=recipient, caller=caller, said=said, now=now, settings=settings) for _, data in items
    ]
    asks = min(_ASKS_EACH * MAX_ITEMS, settings.limits.asks)
    outcomes: tuple[VerifiedIdentity | Rejected, ...] = yield from bounded(each(flows), remote=asks)
    identities: list[VerifiedIdentity] = []
    evidence, profile = [], None
    for (index, data), outcome in zip(items, outcomes, strict=True):
        if isinstance(outcome, Rejected):
            at = f"/{index}" if is_array else ""
            notes.append(
                Diagnostic(
                    code="evidence-refused",
                    at=at,
                    detail=f"{outcome.step}: {outcome}",
                    temporary=outcome.temporary,
                )
            )
            continue
        if outcome.digest in [one.digest for one in identities]:  # the same, its members in another order
            continue
        identities.append(outcome)
        evidence.append(restore(IdentityEvidence, data))
        profile = profile or profile_of(outcome)
    return Forwarded(identities=tuple(identities), evidence=tuple(evidence), profile=profile, diagnostics=tuple(notes))


def _items(carrier: list[Any], notes: list[Diagnostic]) -> Iterator[tuple[int, bytes]]:
    """The evidences that are looked at, each once, as bytes."""
    seen: set[bytes] = set()
    total = 0
    for index, item in enumerate(carrier[: MAX_ITEMS + 1]):
        try:
            data = dump_line(item).encode()
        except (ValueError, TypeError, RecursionError):  # of a carrier that no strict parser made
            notes.append(Diagnostic(code="evidence-refused", at=f"/{index}", detail="json: not JSON"))
            continue
        total += len(data)
        if index == MAX_ITEMS or total > MAX_TOTAL:
            left = len(carrier) - index
            notes.append(Diagnostic(code="evidence-omitted", at=f"/{index}", detail=f"{left} of {len(carrier)}"))
            return
        if data not in seen:
            seen.add(data)
            yield index, data
