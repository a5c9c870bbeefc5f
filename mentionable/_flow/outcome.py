"""The outcome of a message: it is received, answered or rejected; and the verdict about its sender."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field

from .._errors.exceptions import CODES, Code, Problem, UsageError, WireError, error_of
from .._model.base import frozen, lazy_member, validated
from .._model.content_digest import digest_of
from .._model.diagnostic import Diagnostic
from .._model.identity import IdentityEvidence, VerifiedIdentity
from .._model.issuance import Candidate
from .._model.message import HistoricalMessage, NormalizedMessage, NormalizedResponse
from .._model.rules import Json
from .._model.sender import AuthMethod
from .._model.stored_message import StoredMessage
from .._wire.http import HttpResponse
from .asks import UseOnce


@frozen
class Verdict:
    """The verified sender of a message, or which step of the verification failed and why.

    Attributes:
        method: How the address was verified, `none` when it was not.
        verified: True only when the address was verified cryptographically.
        address: The verified address.
        key_id: The key that verified it.
        evidence: The same as identity evidence, for the host that the message was sent to. Where the signature does not
            cover that host, or nothing names it, as for a mail without an envelope, its audience is empty.
        steps: The steps that were passed, in order.
        code: Why not verified, a key of `CODES`; None exactly when verified.
        detail: Why not verified, in words, for logs.
        temporary: Whether trying again later may verify it.
        replays: The asks that let a signature or token count for one message only: one for each signature that could
            verify the address. `receive` asks them for each agent when `Settings.use_once` is set; here they are for
            the host that the message was sent to, `host.invalid` where nothing names it.
        addressed: The agents that the signed addressing names. Where the signature does not cover the host, evidence is
            for these alone.
    """

    method: AuthMethod
    verified: bool
    address: str | None = None
    key_id: str | None = None
    evidence: IdentityEvidence | None = None
    steps: tuple[str, ...] = ()
    code: Code | None = None
    detail: str = ""
    temporary: bool = False
    replays: tuple[UseOnce, ...] = ()
    addressed: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        if self.verified != (self.code is None):
            raise UsageError("a verdict has a code exactly when it is not verified")
        if self.verified and (self.method == "none" or self.address is None):
            raise UsageError("a verified verdict names the method and the address")
        if not self.verified and self.method not in ("none", "email-dmarc"):
            raise UsageError("a method that verifies the sender gives a verified verdict")
        if self.evidence is not None and not self.verified:
            raise UsageError("only a verified verdict has evidence")


lazy_member(Verdict, "replays")


UNSIGNED: Final = Verdict(method="none", verified=False, code="unsigned")
"""The verdict on a message without any signature or token."""


@frozen
class Received:
    """The message was accepted.

    Put `to_store` into your store, so that a redelivery gets the same id.

    Attributes:
        messages: One for each recipient that you serve.
        native_id: The protocol's own id of the message.
        aliases: Other ids under which a reply may name it; store the messages under these too.
        verdict: Who sent it, and how that was verified.
        blobs: SHA-256 in hex → bytes, for every content-addressed part.
        diagnostics: What was odd.
        candidate: A receipt for a policy that came along: a claim, for `policy.accept`.
        identities: Who sent it, as it was verified here: by the transport itself, or by evidence of an issuer that
            `Settings.trust` names. Authorize on these; store them with the message if you authorize later.
        redelivered: Those of `messages` that you got before: you have stored them by the same sender, and they
            keep their ids; or the same signature brought them, as `UseOnce` says also where nothing is stored. Give the
            first answer again instead of asking your agent twice. Of a sender who is not verified compare the
            content before you trust that: an attacker can write the same name and id.
        edited: Messages that you have stored and that their sender changed, as they read now: they keep their ids and
            threads. They are not in `messages`, lest your agent answer one mention twice. An edit that changes nothing
            that people read is not here either.
    """

    messages: tuple[NormalizedMessage, ...]
    native_id: str
    verdict: Verdict
    aliases: tuple[str, ...] = ()
    blobs: Mapping[str, bytes] = field(factory=dict, repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()
    candidate: Candidate | None = field(default=None, repr=False)
    identities: tuple[VerifiedIdentity, ...] = ()
    redelivered: tuple[NormalizedMessage, ...] = ()
    edited: tuple[NormalizedMessage, ...] = ()

    @property
    def message(self) -> NormalizedMessage:
        """The message, when there is one.

        Raises:
            UsageError: There are several: read `messages`.
        """
        if len(self.messages) != 1:
            raise UsageError(f"there are {len(self.messages)} messages, not one: read .messages")
        return self.messages[0]

    @property
    def to_store(self) -> dict[tuple[str, str], StoredMessage]:
        """What to put into your store: (native id, recipient) → the answer to `FindMessage`.

        There is a row for each message, new or edited, under each of its ids. Where there is one already,
        `StoredMessage.replaces` says whether to replace it.
        """
        again = {message.id for message in self.redelivered}
        return {
            (native_id, message.recipient): StoredMessage(
                id=message.id,
                thread_id=message.thread_id,
                sender=message.sender.address,
                auth_method=message.sender.auth_method,
                verified=message.sender.verified,
                digest=None if message.id in again else digest_of(message.parts),
            )
            for message in (*self.messages, *self.edited)
            for native_id in (self.native_id, *self.aliases)
        }


@validated
class Answered:
    """What another agent answered, with everything that came along.

    Attributes:
        response: The answer.
        history: The turns that the agent sent along, oldest first: the question may be among them. One that carries no
            time has that of the next turn that has one, or of the question.
        raw: The parsed native answer without secrets, for debugging; of a stream `{"events": [...]}`. The pointers of
            the diagnostics point into it.
        diagnostics: What was odd, and what is in `raw` alone.
    """

    response: NormalizedResponse
    history: tuple[HistoricalMessage, ...] = ()
    raw: Json = field(default=None, repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()


for _name in ("history", "raw", "diagnostics"):
    lazy_member(Answered, _name)


@frozen
class Rejected:
    """The message cannot be mapped, or must not be acted upon. The peer may be told `code`, never `problems`.

    Attributes:
        code: A key of `CODES`.
        problems: Every fault, for your logs.
        verdict: The verdict about the sender, where that is why it was rejected.
        step: Of evidence: the step of its verification that failed.

    Example:
        >>> Rejected(code="no-served-recipient").smtp_reply
        '550 5.1.1 This node serves no recipient of the message.'
    """

    code: Code
    problems: tuple[Problem, ...] = ()
    verdict: Verdict | None = None
    step: str | None = None

    def __attrs_post_init__(self) -> None:
        if CODES[self.code].kind == "note":
            raise UsageError(f"{self.code} rejects nothing")

    @property
    def error(self) -> WireError:
        """The same as an exception that you can raise."""
        return error_of(self.code, self.problems)

    @property
    def temporary(self) -> bool:
        """Whether the peer may succeed by trying again later."""
        return CODES[self.code].temporary

    @property
    def http_status(self) -> int:
        """The HTTP status to answer with."""
        return CODES[self.code].http

    @property
    def smtp_reply(self) -> str:
        """The line to answer to SMTP DATA."""
        return f"{CODES[self.code].smtp} {CODES[self.code].text}"

    @property
    def jsonrpc_code(self) -> int:
        """The JSON-RPC or A2A error code."""
        return CODES[self.code].jsonrpc

    def __str__(self) -> str:
        return "; ".join([self.code, *map(str, self.problems)])


def rejected(error: WireError, verdict: Verdict | None = None) -> Rejected:
    """The outcome that an exception of a wire reader stands for, with what is known of its sender by then."""
    return Rejected(code=error.code, problems=error.problems, verdict=verdict)


@frozen
class Handshake:
    """The request is no message: the platform wants exactly this response, and nothing else comes of it.

    Attributes:
        response: What to answer.
    """

    response: HttpResponse
