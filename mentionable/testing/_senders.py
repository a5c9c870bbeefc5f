"""Strategies for who speaks, and for what shows it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from .._model import identity, sender
from ._leaves import addresses, counts, extra, json_objects, media_types, names, st, texts, timestamps, tuples, web_urls

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_METHODS: Final = tuple(method for method in sender.AuthMethod.__args__ if method != "none")  # type: ignore[attr-defined]


@cache
def proofs() -> SearchStrategy[identity.Proof]:
    """Proofs of all kinds."""
    words = st.none() | texts()
    kinds = names().filter(lambda kind: kind not in identity.UnknownProof.known)
    return st.one_of(
        st.builds(identity.TransportProof, verified_by=names(), key_id=words, extra=extra()),
        st.builds(
            identity.AttestationProof, alg=names(), kid=names(), value=names(), canonicalization=words, extra=extra()
        ),
        st.builds(identity.BearerProof, verified_by=names(), token_hash=words, extra=extra()),
        st.builds(identity.UnknownProof, type=kinds, extra=extra()),
    )


@cache
def identity_evidence() -> SearchStrategy[identity.IdentityEvidence]:
    """Evidence; well formed, proven by nothing."""
    name, some = st.none() | names(), tuples(names())
    return st.builds(
        identity.IdentityEvidence,
        subject=names(),
        issuer=names(),
        method=names(),
        assurance=names(),
        audience=names() | some,
        issued_at=timestamps(),
        proof=proofs(),
        id=name,
        not_before=st.none() | timestamps(),
        expires_at=st.none() | timestamps(),
        on_behalf_of=st.none() | some,
        claims=st.none() | json_objects(),
        source=st.none() | json_objects(),
        extra=extra(),
    )


@cache
def avatars() -> SearchStrategy[sender.Avatar]:
    """Pictures."""
    size = st.none() | counts()
    return st.builds(
        sender.Avatar, url=web_urls(), mime_type=st.none() | media_types(), width=size, height=size, extra=extra()
    )


@cache
def profiles() -> SearchStrategy[sender.SenderProfile]:
    """Profiles."""
    words = st.none() | texts()
    return st.builds(
        sender.SenderProfile,
        display_name=words,
        username=words,
        url=st.none() | web_urls(),
        avatar=st.none() | avatars(),
        locale=words,
        timezone=words,
        provider=words,
        provider_subject=words,
        fetched_at=st.none() | timestamps(),
        extensions=st.none() | json_objects(),
        extra=extra(),
    )


def senders(*, address: SearchStrategy[str] | None = None, trusted: bool = True) -> SearchStrategy[sender.Sender]:
    """Senders.

    Args:
        address: Whose; anybody's by default.
        trusted: Whether some are verified and have identities, as in your own store. What comes from anyone has not.
    """
    shown: SearchStrategy[tuple[Any, bool]] = st.just(("none", False))
    identities: SearchStrategy[Any] = st.none()
    if trusted:
        shown |= st.just(("email-dmarc", False)) | st.sampled_from(_METHODS).map(lambda method: (method, True))
        identities |= tuples(identity_evidence())

    def made(how: tuple[Any, bool], **members: Any) -> sender.Sender:
        return sender.Sender(auth_method=how[0], verified=how[1], **members)

    return st.builds(
        made,
        shown,
        address=addresses() if address is None else address,
        display_name=st.none() | texts(),
        profile=st.none() | profiles(),
        key_id=st.none() | names() if trusted else st.none(),
        identities=identities,
        extra=extra(),
    )
