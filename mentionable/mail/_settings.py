"""The settings of this transport."""

from __future__ import annotations

from typing import Literal, TypeAlias

from .._crypto.keys import SigningKey
from .._flow.settings import Settings as BaseSettings
from .._model.base import validated

SpfOnlyDmarc: TypeAlias = Literal["unverified", "verified"]


@validated
class Settings(BaseSettings):
    """What stays the same from mail to mail.

    Attributes:
        key: Signs what `reply` makes, see `sign`; None: your mail server does that. The key of another domain than the
            sender's verifies no sender, and gives `not-aligned`.
        spf_only_dmarc: What a sender is whose DMARC rests on SPF alone, which shows a server and not a mail.
        answer_unanswerable: Whether `reply` answers what is not `answerable`, too: mails of programs and of lists.

    Spec: Normalized Message §3.1, §5.3.2, §8 (where they differ, the default is that of §3.1 and §8).
    """

    key: SigningKey | None = None
    spf_only_dmarc: SpfOnlyDmarc = "unverified"
    answer_unanswerable: bool = False
