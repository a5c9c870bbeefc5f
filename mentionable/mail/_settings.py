"""The settings of this transport."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from .._crypto.keys import SigningKey
from .._flow.settings import Settings as BaseSettings
from .._model.annotation import Rule
from .._model.base import validated
from .._wire.address import canonical_domain

SpfOnlyDmarc: TypeAlias = Literal["unverified", "verified"]
_Domain: TypeAlias = Annotated[
    str, Rule("a domain in lower case, as A-labels", lambda text: canonical_domain(text) == text, {})
]


@validated
class Settings(BaseSettings):
    """What stays the same from mail to mail.

    Attributes:
        key: Signs what `reply` makes, see `sign`; None: your mail server does that. The key of another domain than the
            sender's verifies no sender, and gives `not-aligned`.
        spf_only_dmarc: What a sender is whose DMARC rests on SPF alone, which shows a server and not a mail.
        trusted_arc_sealers: Domains of forwarders and mailing lists, as `d=` of their ARC-Seal names them. A mail that
            they changed verifies its sender when they say that the DKIM signature of the From domain was valid before.
            Each of them can write a mail in the name of any sender. None: no ARC key is asked for.

    Spec: Normalized Message §3.1, §5.3.2, §8 (where they differ, the default is that of §3.1 and §8); RFC 8617.
    """

    key: SigningKey | None = None
    spf_only_dmarc: SpfOnlyDmarc = "unverified"
    trusted_arc_sealers: tuple[_Domain, ...] = ()
