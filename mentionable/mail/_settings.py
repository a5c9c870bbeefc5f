"""The settings of this transport."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal, TypeAlias

from .._crypto.keys import SigningKey
from .._flow.settings import Settings as BaseSettings
from .._model.annotation import InvalidMember, Rule
from .._model.base import validated
from .._model.rules import CanonicalDomain
from .._wire.http import is_web_url

SpfOnlyDmarc: TypeAlias = Literal["unverified", "verified"]
# Without commas, which separate the URIs of the field, and without anything that ends one.
_UNSUBSCRIBE: Final = re.compile(
    r"https://[!-+\--;=?-~]++|mailto:[!-+\--;=A-~]++@[A-Za-z0-9.-]++(?:\?[!-+\--;=?-~]*+)?"
).fullmatch
_MAX_URI: Final = 900


def _is_unsubscribe_uri(text: str) -> bool:
    """Whether `text` is an https or mailto URI that fits into a line of List-Unsubscribe."""
    return len(text) <= _MAX_URI and _UNSUBSCRIBE(text) is not None and (text[:5] != "https" or is_web_url(text))


_UnsubscribeUri: TypeAlias = Annotated[str, Rule("an https or mailto URI in ASCII", _is_unsubscribe_uri, {})]


@validated
class Settings(BaseSettings):
    """What stays the same from mail to mail.

    `require_verified` rejects what has no verified sender, but not a report about a mail that your store shows as your
    agent's own: mail servers sign few bounces.

    Attributes:
        key: Signs what `reply` makes, see `sign`; None: your mail server does that. The key of another domain than the
            sender's verifies no sender, and gives `not-aligned`.
        spf_only_dmarc: What a sender is whose DMARC rests on SPF alone, which shows a server and not a mail.
        trusted_arc_sealers: Domains of forwarders and mailing lists, as `d=` of their ARC-Seal names them. A mail that
            they changed verifies its sender when they say that the DKIM signature of the From domain was valid before.
            Each of them can write a mail in the name of any sender. Empty: no ARC key is asked for.
        unsubscribe: Where recipients of what `reply` makes can have such mails stopped: one https URL, which also takes
            the one click of mail programs as a POST, and `mailto:` URIs. The URL names the recipient by something that
            an attacker cannot guess, so it is another one for each recipient. Empty: the mail has no such field, as is
            right for an answer to a question.
        answer_unanswerable: Whether `reply` answers what is not `answerable`, too: mails of programs and of lists.

    Spec: Normalized Message §3.1, §5.3.2, §8 (where they differ, the default is that of §3.1 and §8); RFC 2369;
        RFC 8058; RFC 8617.
    """

    key: SigningKey | None = None
    spf_only_dmarc: SpfOnlyDmarc = "unverified"
    trusted_arc_sealers: tuple[CanonicalDomain, ...] = ()
    unsubscribe: tuple[_UnsubscribeUri, ...] = ()
    answer_unanswerable: bool = False

    def _check(self) -> None:
        if sum([uri.startswith("https") for uri in self.unsubscribe]) > 1:
            raise InvalidMember("one https URL at most", ("unsubscribe",))
