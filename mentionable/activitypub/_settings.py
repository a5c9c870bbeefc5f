"""The settings of this transport."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import attrs

from .._errors import UsageError
from .._settings import Settings as BaseSettings
from .._value import record

if TYPE_CHECKING:
    from .._keys import SigningKey
    from ._sign import SignatureForm


@record
class Settings(BaseSettings):
    """What stays the same from activity to activity.

    Attributes:
        form: How deliveries are signed first. Every server takes `cavage`; see `judge_delivery` for those that want
            the other form.
        object_key: An Ed25519 key that your actor document lists under `assertionMethod`. With it each activity
            carries a proof that goes along wherever it is passed on (FEP-8b32), beside the signature of the request.
    """

    form: SignatureForm = "cavage"
    object_key: SigningKey | None = None

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if self.form not in ("cavage", "rfc9421"):
            raise UsageError("Settings.form must be 'cavage' or 'rfc9421'")
        if self.object_key is not None:
            from .._keys import check_signing_key

            check_signing_key(self.object_key)
            if self.object_key.kind != "ed25519":
                raise UsageError("Settings.object_key must be an Ed25519 key")


def own(settings: BaseSettings) -> Settings:
    """The settings of this room; those of every room say nothing of what is its own."""
    if isinstance(settings, Settings):
        return settings
    shared = {a.name: getattr(settings, a.name) for a in attrs.fields(cast("type[attrs.AttrsInstance]", BaseSettings))}
    return Settings(**shared)
