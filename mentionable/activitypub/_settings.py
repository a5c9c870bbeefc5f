"""The settings of this transport."""

from __future__ import annotations

from typing import Literal, TypeAlias

from .._crypto.keys import SigningKey
from .._flow.settings import Age
from .._flow.settings import Settings as BaseSettings
from .._model.annotation import InvalidMember
from .._model.base import validated
from ._auth.proof import MAX_AGE
from ._auth.sign import SignatureForm

Quoter: TypeAlias = Literal["public", "followers", "following"]
"""Who may quote a note: everyone, the agent's followers, or the actors that it follows."""


@validated
class QuotePolicy:
    """Who may quote what the agent writes; the agent alone, where both are empty.

    What is not public may not be quoted, whatever this says.

    Attributes:
        automatic: Who may do so at once; `accept` their QuoteRequest.
        manual: Who may ask, and hears from you.

    Spec: FEP-044f (`interactionPolicy`).
    """

    automatic: tuple[Quoter, ...] = ()
    manual: tuple[Quoter, ...] = ()


@validated
class Settings(BaseSettings):
    """What stays the same from activity to activity.

    Attributes:
        key: The key that signs deliveries; its `key_id` is the id of your actor and a fragment. Without a key
            deliveries are not signed, and no server on the web accepts them.
        form: How deliveries are signed first. Every server accepts `cavage`; see `delivery_outcome` for those that want
            the other form.
        object_key: An Ed25519 key that your actor document lists under `assertionMethod`. With it each activity
            carries a proof that stays valid wherever it is forwarded (FEP-8b32), next to the signature of the request.
        defer_unproven: Whether a delivery whose signature cannot be checked just now is rejected with `lookup-failed`,
            so that it comes again; False: it becomes a message whose sender is not verified.
        max_proof_age: How old a proof without `expires` may be. `UseOnce` asks your store to remember its use for as
            long.
        quote_policy: Who may quote what the agent writes; None leaves that open, and servers that ask take it for a no.
    """

    key: SigningKey | None = None
    form: SignatureForm = "cavage"
    object_key: SigningKey | None = None
    defer_unproven: bool = True
    max_proof_age: Age = MAX_AGE
    quote_policy: QuotePolicy | None = None

    def _check(self) -> None:
        if self.object_key is not None and self.object_key.kind != "ed25519":
            raise InvalidMember("object_key must be an Ed25519 key", ("object_key",))
