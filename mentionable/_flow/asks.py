"""Every question that a flow may ask its caller, with the type of its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import NoneType
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

from attrs import field

from .._errors.exceptions import UsageError
from .._model.base import frozen, validated
from .._model.file_scope import Scope
from .._model.issuance import Issuance
from .._model.message import HistoricalMessage
from .._model.payment import Payment
from .._model.rules import Timestamp
from .._model.stored_message import StoredMessage
from .._model.stored_task import StoredTask
from .._wire.http import HttpRequest, is_fetchable_url
from .flow import Ask, YesOrNo


@validated
class Fetched:
    """What an HTTPS GET brought.

    Attributes:
        url: The final URL after redirects, never the one that was asked for.
        status: The status code.
        content_type: The Content-Type header, empty when there is none.
        body: The bytes, after any content coding.
    """

    url: str
    status: int
    content_type: str
    body: bytes = field(repr=False)


@frozen
class Fetch(Ask[Fetched]):
    """GET this. The URL has passed the textual SSRF rules; checking addresses after DNS is yours.

    Attributes:
        url: https, default port, a DNS name.
        accept: What to send as Accept.
        purpose: What it is for: `actor`, `object`, `key`, `webfinger`, ….
        fresh: Go past your cache: the cached copy did not fit.
        max_bytes: Stop reading there.
    """

    url: str
    accept: str
    purpose: str
    fresh: bool = False
    max_bytes: int = 1_048_576
    _member: ClassVar[str] = "fetch"
    _is_remote: ClassVar[bool] = True
    _expected: ClassVar[str] = "Fetched(...)"
    _types: ClassVar[tuple[type, ...]] = (Fetched,)

    def __attrs_post_init__(self) -> None:
        if not is_fetchable_url(self.url):
            raise UsageError("Fetch.url must be https on the default port of a DNS name")

    @property
    def request(self) -> HttpRequest:
        """The request to transmit."""
        return HttpRequest(method="GET", url=self.url, headers={"accept": self.accept})


@frozen
class LookupTxt(Ask[Sequence[bytes]]):
    """DNS TXT records of this name, the strings of each record joined; an empty sequence when there are none.

    Attributes:
        name: The DNS name, without a final dot.
    """

    name: str
    _member: ClassVar[str] = "lookup_txt"
    _is_remote: ClassVar[bool] = True
    _expected: ClassVar[str] = "a sequence of bytes, one item a record, empty for none"
    _types: ClassVar[tuple[type, ...]] = (tuple, list)
    _items: ClassVar[type | None] = bytes


@frozen
class FindAgent(Ask["str | None"]):
    """Which agent do you serve under this name? Its `@agent@domain`, or None.

    Attributes:
        native_id: A mailbox, an actor IRI, a platform id, a request URL.
    """

    native_id: str
    _member: ClassVar[str] = "find_agent"
    _expected: ClassVar[str] = "'@agent@domain' or None"
    _types: ClassVar[tuple[type, ...]] = (str, NoneType)


@frozen
class FindMessage(Ask["StoredMessage | None"]):
    """Did you store a message under this protocol id for this recipient?

    Attributes:
        native_id: As `Received.native_id` gave it.
        recipient: The agent.
    """

    native_id: str
    recipient: str
    _member: ClassVar[str] = "find_message"
    _expected: ClassVar[str] = "StoredMessage(...) or None"
    _types: ClassVar[tuple[type, ...]] = (StoredMessage, NoneType)


@frozen
class FindMessages(Ask["Mapping[str, StoredMessage]"]):
    """Which messages did you store under this protocol id, for whichever agents? Agent → message; empty: none.

    It is asked where a peer changes or withdraws something and does not name the agents that it was for.

    Attributes:
        native_id: As `Received.native_id` or `Received.aliases` gave it. Of an account that is gone: the id of its
            actor.
    """

    native_id: str
    _member: ClassVar[str] = "find_messages"
    _expected: ClassVar[str] = "a mapping of '@agent@domain' to StoredMessage(...), empty for none"
    _types: ClassVar[tuple[type, ...]] = (Mapping,)

    def _fits(self, answer: Any) -> bool:
        return isinstance(answer, Mapping) and all(
            isinstance(agent, str) and isinstance(row, StoredMessage) for agent, row in answer.items()
        )


@frozen
class FindHistory(Ask["Sequence[HistoricalMessage] | None"]):
    """The prior turns that you stored for this thread and recipient, in any order.

    Answer with turns that the sender may read: on A2A and REST the caller names the thread, and may name that of
    somebody else.

    Attributes:
        thread_id: The thread.
        recipient: The agent.
        sender: The address of who wrote the message for which it is asked; None for a caller without an address. Such
            callers are strangers to each other: answer with nothing, unless you know by other means who asks.
        verified: Whether the message proves that address, as `Received.verdict` says. False: it is only claimed, or a
            platform tells it. Anybody can write a mail in the name of another person and name the ids of a thread.
    """

    thread_id: str
    recipient: str
    sender: str | None = None
    verified: bool = False
    _member: ClassVar[str] = "find_history"
    _expected: ClassVar[str] = "a sequence of HistoricalMessage, empty or None for none"
    _types: ClassVar[tuple[type, ...]] = (tuple, list, NoneType)  # None: of a program that keeps no memory
    _items: ClassVar[type | None] = HistoricalMessage


@frozen
class FindTask(Ask["StoredTask | None"]):
    """Which A2A task did you store under this id for this agent? Answer with it whoever asks; see `StoredTask.owner`.

    Attributes:
        task_id: Its id.
        recipient: The agent.
    """

    task_id: str
    recipient: str
    _member: ClassVar[str] = "find_task"
    _expected: ClassVar[str] = "StoredTask(...) or None"
    _types: ClassVar[tuple[type, ...]] = (StoredTask, NoneType)


Used: TypeAlias = Literal["first", "same", "other"]
"""What was under a key before: nothing, this very binding, or another one."""

_USED: Final = get_args(Used)


@frozen
class UseOnce(Ask[Used]):
    """Put `binding` under `key` if nothing is there, atomically, and say what was there before.

    Answer "first" when nothing was, "same" when it was this very binding, and "other" when it was another one. "same"
    is a redelivery, also where you store no message; "other" is refused. Of all who ask at once, one is the first.

    Attributes:
        key: What must be used once.
        binding: What uses it: the message, and where the key does not name them, who it is for.
        until: When the entry may be forgotten: from then on, what it guards is refused without it.
    """

    key: str
    binding: str
    until: datetime
    _member: ClassVar[str] = "use_once"
    _expected: ClassVar[str] = "'first', 'same' or 'other'"

    def _fits(self, answer: Any) -> bool:
        return isinstance(answer, str) and answer in _USED


@validated
class PaymentStatus:
    """What your verifier saw of a payment. Only what it saw, never what the payer claims.

    Attributes:
        verified_by: Who verified it, for logs alone.
        transaction: The id of the transaction, by which a payment counts for one demand only.
        payer: Who paid.
        network: The network, where the scheme has one.
    """

    verified_by: str = "caller"
    transaction: str | None = None
    payer: str | None = None
    network: str | None = None


@validated
class ConsentStatus:
    """What your records say of a consent.

    Attributes:
        verified_by: Who verified it, for logs alone.
        expires_at: When the consent ends; None: when it is revoked.
    """

    verified_by: str = "caller"
    expires_at: Timestamp | None = None


@frozen
class FindIssuance(Ask["Issuance | None"]):
    """Which demand did you store under this key? Keys are `Issuance.keys`; bound how often strangers may ask.

    Attributes:
        key: SHA-256 in hex.
    """

    key: str
    _member: ClassVar[str] = "find_issuance"
    _expected: ClassVar[str] = "Issuance(...) or None"
    _types: ClassVar[tuple[type, ...]] = (Issuance, NoneType)


@frozen
class CheckPayment(Ask["PaymentStatus | None"]):
    """Was this offer paid? Ask the facilitator, the payment provider, your ledger; the receipt alone proves nothing.

    Answer None when it was not paid, `Failed` when you cannot tell just now. A payment that may count only
    once must be identified by its transaction, which you return in `PaymentStatus`.

    Attributes:
        key: The demand, `Issuance.key`.
        scheme: How the payer claims to have paid.
        offer: The payload that you offered.
        receipt: What the payer sent. Do not trust it.
        payment: The payment by x402 that the receipt is, read and compared with the offer; None where it is none, as of
            other schemes, or of a transaction that the payer claims to have made already. Never settle the content of
            `receipt` then: it was not compared.
    """

    key: str
    scheme: str
    offer: Mapping[str, Any] = field(hash=False, repr=False)
    receipt: Mapping[str, Any] = field(hash=False, repr=False)
    payment: Payment | None = field(default=None, hash=False, repr=False)
    _member: ClassVar[str] = "check_payment"
    _expected: ClassVar[str] = "PaymentStatus(...) or None"
    _types: ClassVar[tuple[type, ...]] = (PaymentStatus, NoneType)


@frozen
class CheckConsent(Ask["ConsentStatus | None"]):
    """Was consent given to this demand? Your consent page knows; the receipt alone proves nothing.

    Attributes:
        key: The demand, `Issuance.key`.
        scope_hash: What was consented to, as it was asked for.
        receipt: What came back. Do not trust it.
    """

    key: str
    scope_hash: str
    receipt: Mapping[str, Any] = field(hash=False, repr=False)
    _member: ClassVar[str] = "check_consent"
    _expected: ClassVar[str] = "ConsentStatus(...) or None"
    _types: ClassVar[tuple[type, ...]] = (ConsentStatus, NoneType)


@frozen
class CountFailure(Ask[int]):
    """Add one to `Issuance.failures` of this demand, atomically. How many are there now?

    Attributes:
        key: The demand, `Issuance.key`.
    """

    key: str
    _member: ClassVar[str] = "count_failure"
    _expected: ClassVar[str] = "the number of failures so far"

    def _fits(self, answer: Any) -> bool:
        return answer.__class__ is int and answer > 0


@frozen
class CheckRevoked(YesOrNo):
    """Was this capability taken back? True refuses it, and `Failed` does, too.

    Revoke by what suits you: one token, one file, a whole turn, an agent. Keep an entry until the last capability that
    it is about has expired, a quarter of an hour.

    Attributes:
        token_id: The token.
        audience: The agent that it was minted for.
        scope: The file.
        turn: The message that the file came with.
    """

    token_id: str
    audience: str
    scope: Scope
    turn: str
    _member: ClassVar[str] = "check_revoked"


@frozen
class ConsumeBytes(YesOrNo):
    """Add `amount` to what was sent for this token, atomically, unless the sum would be over `limit`. Was it added?

    There is one sum for each token, shared by every process and every fetch: ranges and retries included. Answer False
    when nothing was added, and `Failed` when you cannot tell: both refuse.

    Attributes:
        token_id: Whose sum.
        amount: How many bytes are to be sent now.
        limit: What the sum may be at most.
        before: How many bytes this one response was given before.
        until: When the sum may be forgotten.
    """

    token_id: str
    amount: int
    limit: int
    before: int
    until: datetime
    _member: ClassVar[str] = "debit"


class PlatformCall(Ask[Mapping[str, Any] | Sequence[Any]]):
    """A call of the API of a platform, made with the credentials of its connector. Each connector has its own kind.

    `Answers(call_api=...)` answers them all: with the JSON that the platform returned, or `Failed`.
    """

    __slots__ = ()
    _member: ClassVar[str] = "call_api"
    _expected: ClassVar[str] = "the JSON object or array of the platform"
    _types: ClassVar[tuple[type, ...]] = (Mapping, list, tuple)

    @property
    def name(self) -> str:
        """What is called, in one line: for logs, and for tables of answers."""
        raise NotImplementedError


AnyAsk: TypeAlias = (
    "Fetch | LookupTxt | FindAgent | FindMessage | FindMessages | FindHistory | FindTask | UseOnce | PlatformCall"
    " | FindIssuance | CheckPayment | CheckConsent | CountFailure | CheckRevoked | ConsumeBytes"
)
"""Every ask of the library."""


PolicyAsk: TypeAlias = FindIssuance | CheckPayment | CheckConsent | CountFailure | UseOnce
"""What the flows of policies ask."""


FilesAsk: TypeAlias = CheckRevoked | ConsumeBytes
"""What is asked while a file is served."""
