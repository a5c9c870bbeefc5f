"""Identity evidence: what an issuer says about a subject, and what stands behind it.

`IdentityEvidence` (at top level) is data until it was verified; this room holds the kinds of proof it may carry.

Example:
    >>> from mentionable import identity
    >>> identity.TransportProof(verified_by="mail", key_id="s1._domainkey.a.example").type
    'transport'

Spec: IdentityEvidence v0.1.
"""

from ._model.identity import AttestationProof, BearerProof, Proof, TransportProof, UnknownProof

__all__ = ["AttestationProof", "BearerProof", "Proof", "TransportProof", "UnknownProof"]
