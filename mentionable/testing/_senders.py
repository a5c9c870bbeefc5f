"""Strategies for senders and identity evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._model import identity, sender
from ._leaves import addresses, extra, names, st, texts, tuples
from ._values import fitting, strategy_for, values

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_METHODS: Final = tuple(method for method in sender.AuthMethod.__args__ if method != "none")  # type: ignore[attr-defined]


@strategy_for(identity.UnknownProof)
def _unknown_proofs() -> SearchStrategy[identity.UnknownProof]:
    return values(identity.UnknownProof, type=names().filter(lambda kind: kind not in identity.UnknownProof.known))


def proofs() -> SearchStrategy[identity.Proof]:
    """Proofs of all kinds."""
    return fitting(identity.Proof)


def identity_evidence() -> SearchStrategy[identity.IdentityEvidence]:
    """Evidence that is well formed, but not verified."""
    return fitting(identity.IdentityEvidence)


def avatars() -> SearchStrategy[sender.Avatar]:
    """Pictures."""
    return fitting(sender.Avatar)


def profiles() -> SearchStrategy[sender.SenderProfile]:
    """Profiles."""
    return fitting(sender.SenderProfile)


def senders(*, address: SearchStrategy[str] | None = None, trusted: bool = True) -> SearchStrategy[sender.Sender]:
    """Senders.

    Args:
        address: The address; any by default.
        trusted: Whether some are verified and have identities, as in your own store. Those of other servers are not.
    """
    verdicts: SearchStrategy[tuple[Any, bool]] = st.just(("none", False))
    identities: SearchStrategy[Any] = st.none()
    if trusted:
        verdicts |= st.just(("email-dmarc", False)) | st.sampled_from(_METHODS).map(lambda method: (method, True))
        identities |= tuples(identity_evidence())

    def with_verdict(verdict: tuple[Any, bool], **members: Any) -> sender.Sender:
        return sender.Sender(auth_method=verdict[0], verified=verdict[1], **members)

    return st.builds(
        with_verdict,
        verdicts,
        address=addresses() if address is None else address,
        display_name=st.none() | texts(),
        profile=st.none() | profiles(),
        key_id=st.none() | names() if trusted else st.none(),
        identities=identities,
        extra=extra(),
    )
