"""Who calls over A2A and plain HTTP: tokens of the configuration, and issuers of tokens."""

from __future__ import annotations

import logging
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen
from mentionable import (
    HttpRequest,
    HttpResponse,
    MentionableError,
    NormalizedMessage,
    Received,
    Rejected,
    Verdict,
    a2a,
    decode_trusted,
    plain_text,
    replace,
)
from sqlalchemy import Connection, select

from mentionable_host.admission import Reason, Refusal, is_anonymous
from mentionable_host.config import Config, ConfigError, secret
from mentionable_host.receiving import store_received
from mentionable_host.store.messages import digest_of
from mentionable_host.store.tables import messages
from mentionable_host.trust import policy_of

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = [
    "TOO_MANY",
    "UNAVAILABLE",
    "Callers",
    "Refused",
    "again_later",
    "call_settings",
    "store_for_caller",
    "with_own_id",
]

log = logging.getLogger(__name__)

TOO_MANY: Final = Rejected(code="too-many-requests")
NEVER: Final = Rejected(code="unsupported-operation")
"""To try again does not help. It says no more: who is blocked learns nothing of it."""
FINAL: Final[frozenset[Reason]] = frozenset(("unanswerable", "blocked", "chain-too-long"))
"""Reasons that do not pass with time."""
UNAVAILABLE: Final = 503
RETRY_SECONDS: Final = 30
"""After so many seconds a caller who should come later may try again."""


UNGUESSABLE: Final = 16
"""An id of so many characters is unlikely to be another's: a UUID has 36."""


class Refused(Exception):
    """Nothing of a request is stored: its caller learns why.

    Attributes:
        rejected: Why.
        notice: The same in a sentence for people; None: the code says it all.
    """

    def __init__(self, rejected: Rejected, *, notice: str | None = None) -> None:
        """Raised in a transaction, it undoes it."""
        super().__init__(rejected.code)
        self.rejected, self.notice = rejected, notice


@frozen
class Callers:
    """The callers that the agent knows.

    Attributes:
        anonymous: Whether others are answered.
    """

    _tokens: tuple[tuple[bytes, str], ...]
    anonymous: bool

    @classmethod
    def of(cls, config: Config) -> Callers:
        """Those of the configuration.

        Raises:
            ConfigError: A token is empty, or cannot be read.
        """
        tokens = []
        for written, address in config.a2a.callers.items():
            token = secret(written, folder=config.folder)
            if not token:
                raise ConfigError(f"the token of {address} under [a2a.callers] is empty")
            tokens.append((token.encode(), address))
        return cls(tuple(tokens), config.a2a.anonymous)

    def who(self, request: HttpRequest) -> str | None:
        """Whose token a request has."""
        token = (request.bearer_token or "").encode()
        # Every token is compared, so that the time tells nothing about any of them.
        found = [address for own, address in self._tokens if compare_digest(own, token)]
        return found[0] if found else None

    def admits(self, who: str | None, verdict: Verdict) -> bool:
        """Whether a caller is answered. Who shows a token that is not known here is not taken for anonymous."""
        if who is not None or verdict.verified:
            return True
        if self.anonymous and verdict.code == "unsigned":
            return True
        log.info("a caller is refused: %s, %r", verdict.code, verdict.detail)
        return False


def call_settings(config: Config, *, url: str) -> a2a.Settings:
    """The settings of the library for an agent that is called at `url`: issuers of tokens, and of evidence.

    Raises:
        ConfigError: The document about trust does not fit.
    """
    own = (url, config.agent.address)
    try:
        issuers = [
            a2a.TokenIssuer(
                issuer=one.issuer,
                jwks_url=one.jwks_url,
                audiences=one.audiences or own,
                subject_domains=one.subject_domains,
                subjects=one.subjects,
                token_types=one.token_types,
            )
            for one in config.a2a.issuers
        ]
    except MentionableError as error:
        raise ConfigError(f"[a2a.issuers] does not fit: {error}") from error
    return a2a.Settings(
        stored_tasks=True,
        local_webhooks=config.a2a.local_webhooks,
        trust=policy_of(config),
        token_issuers=tuple(issuers),
    )


def again_later(response: HttpResponse, *, status: int | None = None) -> HttpResponse:
    """A response that says when to come again."""
    headers = [*response.headers, ("retry-after", str(RETRY_SECONDS))]
    return evolve(response, status=status or response.status, headers=headers)


def store_for_caller(db: Connection, got: Received, *, host: Host, transport: str) -> None:
    """Stores a message whose caller waits for its answer.

    Raises:
        Refused: It gets none. Where no later try is answered either, the code does not ask for one.
    """
    refusals = list[Refusal]()
    if store_received(db, got, host=host, transport=transport, on_refusal=refusals.append):
        return
    refusal = refusals[0] if refusals else None
    is_final = refusal is not None and refusal.reason in FINAL
    raise Refused(NEVER if is_final else TOO_MANY, notice=None if refusal is None else refusal.notice)


def with_own_id(db: Connection, got: Received, *, fresh: str | None = None) -> Received:
    """The same, where a known id came with other words: then it is another message, under an id of its own.

    Some clients have one id for all that they send; and no caller gets the answer to another's words by their id.

    Args:
        db: The transaction.
        got: What came.
        fresh: Makes an id of its own also where a caller without a name sent the same words under an id that others
            may guess: they would share a task, and read in it what either of them writes later.
    """
    message = got.message
    if not got.redelivered:
        return got
    if fresh is not None and is_anonymous(message) and len(got.native_id.partition(" ")[2]) < UNGUESSABLE:
        apart: NormalizedMessage = replace(message, id=f"{message.id}-{fresh}")
        return replace(got, messages=(apart,), native_id=f"{got.native_id} {fresh}", redelivered=())
    own = select(messages.c.digest, messages.c.value).where(messages.c.id == message.id, messages.c.role == "user")
    stored, digest = db.execute(own).fetchall(), digest_of(message)
    if not stored or any(row.digest == digest and _goes_on(message, row.value) for row in stored):
        return got
    if is_anonymous(message):
        digest = sha256("\0".join((digest, message.thread_id, *_turns(message))).encode()).hexdigest()
    other: NormalizedMessage = replace(message, id=f"{message.id}-{digest[:32]}")
    is_known = db.execute(select(messages.c.number).where(messages.c.id == other.id)).first() is not None
    native_id = f"{got.native_id} {digest[:32]}"
    return replace(got, messages=(other,), native_id=native_id, redelivered=(other,) if is_known else ())


def _goes_on(message: NormalizedMessage, value: bytes) -> bool:
    """Whether a message is in the conversation of a stored one. Callers without a name are strangers to each other."""
    if not is_anonymous(message):
        return True
    stored = decode_trusted(NormalizedMessage, value)
    before = _turns(stored)
    return message.thread_id == stored.thread_id and _turns(message)[: len(before)] == before


def _turns(message: NormalizedMessage) -> list[str]:
    """What came before a message, as far as it brought it along."""
    return [f"{turn.role} {plain_text(turn)}" for turn in message.history or ()]
