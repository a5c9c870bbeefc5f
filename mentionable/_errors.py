"""Every way to fail, and the one table of codes that all of them use.

The tree is `MentionableError` ⇒ `UsageError` (your program called the library wrongly) and `WireError` (data from
outside cannot be taken). A `WireError` carries a code from `CODES`, the same string that conformance cases, `Rejected`
and `docs/errors.md` use. Any other exception caused by hostile input is a bug of this library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Generated from CODES by `python tests/regenerate.py codes`, so that a type checker sees a mistyped code.
# <codes>
Code: TypeAlias = Literal[
    "too-large",
    "too-deep",
    "not-utf8",
    "invalid-json",
    "duplicate-member",
    "unsafe-number",
    "lone-surrogate",
    "malformed",
    "missing-member",
    "wrong-type",
    "no-served-recipient",
    "too-many-recipients",
    "lookup-failed",
    "sender-unaddressable",
    "too-many-fields",
    "too-many-parts",
    "head-malformed",
    "line-ends-mixed",
    "field-repeated",
    "address-ambiguous",
    "name-holds-address",
    "message-id-missing",
    "message-id-malformed",
    "content-type-malformed",
    "boundary-missing",
    "encoding-unknown",
    "encoding-broken",
    "charset-unknown",
    "charset-broken",
    "signature-skipped",
    "not-aligned",
    "field-unsigned",
    "spf-only",
    "unsupported-activity",
    "unsupported-object",
    "id-refused",
    "id-too-long",
    "json-ld-refused",
    "origin-mismatch",
    "author-mismatch",
    "object-unresolvable",
    "sender-unresolvable",
    "too-many-tags",
    "too-many-attachments",
    "foreign-context",
    "thread-truncated",
    "name-too-long",
    "unsigned",
    "redelivered",
    "native-id-reused",
    "lookup-unanswered",
    "history-trimmed",
    "diagnostics-omitted",
    "url-refused",
    "signature-malformed",
    "signature-ambiguous",
    "algorithm-refused",
    "coverage-missing",
    "digest-mismatch",
    "time-missing",
    "not-yet-valid",
    "expired",
    "purpose-refused",
    "host-mismatch",
    "key-unresolvable",
    "key-unknown",
    "key-refused",
    "key-mismatch",
    "bad-signature",
    "not-canonical",
    "address-unconfirmed",
    "address-unresolvable",
    "replayed",
    "replay-unknown",
    "verification-required",
    "not-a-message",
    "method-unsupported",
    "version-unsupported",
    "stream-event",
    "peer-error",
    "peer-busy",
    "unknown-value",
    "two-contents",
    "bad-base64",
    "task-mismatch",
    "part-unsupported",
    "version-disagrees",
    "dialect-unsure",
    "double-base64",
    "thread-from-context",
    "thread-from-message",
    "time-assumed",
    "history-turn-dropped",
    "caller-not-address",
    "caller-differs",
    "issuer-unknown",
    "header-forbidden",
    "token-type-refused",
    "token-inactive",
    "claim-missing",
    "claim-malformed",
    "audience-mismatch",
    "audience-shared",
    "lifetime-too-long",
    "proof-unchecked",
    "subject-not-address",
    "subject-not-authorized",
    "frame-refused",
    "trace-malformed",
    "trace-too-large",
    "trace-version-unsupported",
    "trace-shortened",
    "trace-dropped",
    "trace-viewer-invalid",
    "actor-unresolvable",
    "actor-unknown",
    "sibling-unresolved",
    "undeliverable",
    "reply-to-unsigned",
    "reply-to-refused",
    "media-type-replaced",
    "loop-risk",
    "part-changed",
    "policy-malformed",
    "receipt-malformed",
    "state-malformed",
    "state-unknown",
    "state-void",
    "state-expired",
    "already-consumed",
    "kind-mismatch",
    "agent-mismatch",
    "thread-mismatch",
    "subject-mismatch",
    "scheme-not-offered",
    "payload-mismatch",
    "payer-mismatch",
    "scope-mismatch",
    "consent-expired",
    "payment-unverified",
    "consent-unverified",
    "transaction-reused",
]
# </codes>

Kind: TypeAlias = Literal["decode", "unsupported", "verification", "limit", "lookup", "note"]


class CodeInfo(NamedTuple):
    """What one code means to each protocol.

    Attributes:
        kind: Which `WireError` class carries it; `note` marks codes of diagnostics and verdicts, which reject nothing.
        http: HTTP status to answer with.
        smtp: SMTP reply code with its enhanced status code (RFC 3463).
        jsonrpc: JSON-RPC 2.0 or A2A error code.
        temporary: Whether the peer may succeed by trying again later.
        text: One sentence for people; safe to show to the peer.
    """

    kind: Kind
    http: int
    smtp: str
    jsonrpc: int
    temporary: bool
    text: str


def _decode(text: str, jsonrpc: int = -32602) -> CodeInfo:
    """The unit has the wrong shape."""
    return CodeInfo("decode", 422, "554 5.6.0", jsonrpc, False, text)


def _unparsable(text: str) -> CodeInfo:
    """The bytes are not even JSON."""
    return _decode(text, -32700)


def _limit(text: str, http: int = 422) -> CodeInfo:
    """The unit is well formed but larger than this node takes."""
    return CodeInfo("limit", http, "552 5.3.4", -32602, False, text)


def _unsupported(text: str, jsonrpc: int = -32004, http: int = 422) -> CodeInfo:
    """The unit is well formed and means something that is not a message here."""
    return CodeInfo("unsupported", http, "554 5.6.1", jsonrpc, False, text)


def _forged(text: str) -> CodeInfo:
    """The unit claims an author that it cannot have."""
    return CodeInfo("verification", 403, "550 5.7.1", -32602, False, text)


def _receipt(text: str, http: int = 403) -> CodeInfo:
    """A receipt for a policy does not count: go on as if there were none."""
    return CodeInfo("verification", http, "550 5.7.1", -32602, False, text)


def _lookup(text: str) -> CodeInfo:
    """Something had to be known and could not be found out just now."""
    return CodeInfo("lookup", 503, "451 4.4.3", -32603, True, text)


def _note(text: str, temporary: bool = False) -> CodeInfo:
    """The message was delivered all the same; this tells what was odd."""
    return CodeInfo("note", 202, "250 2.0.0", 0, temporary, text)


CODES: Final[Mapping[Code, CodeInfo]] = {
    # bytes and JSON
    "too-large": _limit("The unit is larger than this node takes.", 413),
    "too-deep": _limit("The unit is nested too deeply."),
    "not-utf8": _unparsable("The bytes are not UTF-8."),
    "invalid-json": _unparsable("The bytes are not JSON."),
    "duplicate-member": _unparsable("A JSON object has the same member twice."),
    "unsafe-number": _unparsable("A JSON number cannot be represented exactly."),
    "lone-surrogate": _unparsable("A JSON string has half of a surrogate pair."),
    # shape
    "malformed": _decode("The unit does not have the shape it must have."),
    "missing-member": _decode("A required member is missing."),
    "wrong-type": _decode("A member has the wrong type."),
    # who it is for
    "no-served-recipient": CodeInfo(
        "unsupported", 404, "550 5.1.1", -32602, False, "No recipient of the unit is served here."
    ),
    "too-many-recipients": CodeInfo("limit", 422, "550 5.5.3", -32602, False, "The unit names too many recipients."),
    "lookup-failed": _lookup("A temporary look-up failure: please try again later."),
    # mail
    "sender-unaddressable": CodeInfo(
        "unsupported", 422, "550 5.1.7", -32602, False, "The unit does not name exactly one sender that has an address."
    ),
    "too-many-fields": _limit("The unit has too many header fields, or a field too many parameters."),
    "too-many-parts": _limit("The unit has too many parts."),
    "head-malformed": _note("A line of a header section is no field, or has a character that may not be there."),
    "line-ends-mixed": _note("Some lines of the mail end in CRLF and others in LF."),
    "field-repeated": _note("A header field or parameter is there twice; the first one was used."),
    "address-ambiguous": _note("The From field can be read in more than one way, or is more than one plain address."),
    "name-holds-address": _note("The display name of the sender shows an address of another domain."),
    "message-id-missing": _note("The mail has no Message-ID; an id was made from its bytes."),
    "message-id-malformed": _note("A field of message ids holds none that is valid."),
    "content-type-malformed": _note("A Content-Type could not be read; the part was read as text."),
    "boundary-missing": _note("A multipart cannot be split; it was read as text."),
    "encoding-unknown": _note("The transfer encoding of a part is not known; its bytes were left as they are."),
    "encoding-broken": _note("The transfer encoding of a part is broken; what came before the fault was kept."),
    "charset-unknown": _note("The character set of a part is not known; it was read as UTF-8."),
    "charset-broken": _note("Some bytes of a part are not in its character set."),
    "signature-skipped": _note("The mail has more signatures than are looked at; this one was not."),
    "not-aligned": _note("Nothing that fits is of the domain of the sender."),
    "field-unsigned": _note("A header field that shapes the message is not covered by the signature."),
    "spf-only": _note("DMARC passes by SPF alone, which shows a server of the sender's domain and not the mail."),
    # ActivityPub
    "unsupported-activity": _unsupported("The activity is not one that becomes a message.", http=202),
    "unsupported-object": _unsupported("The object of the activity is not one that becomes a message.", http=202),
    "id-refused": _decode("An id is not an https URL on the default port of a DNS name."),
    "id-too-long": _limit("An id is too long."),
    "json-ld-refused": _decode("The JSON-LD of a document can be read in two ways."),
    "origin-mismatch": _forged("The activity, its object and its actor are not of one origin."),
    "author-mismatch": _forged("The object of the activity is not by its actor alone."),
    "object-unresolvable": _unsupported("The object that the activity names cannot be had."),
    "sender-unresolvable": _lookup("The document of the sender's actor cannot be had."),
    "too-many-tags": _limit("An object has too many tags."),
    "too-many-attachments": _limit("An object has too many attachments."),
    "foreign-context": _note("The thread is named by an IRI of another origin than the author's."),
    "thread-truncated": _note("The thread goes up further than is walked; the oldest message reached stands for it."),
    "name-too-long": _note("The display name of the sender is too long to be one; it was dropped."),
    # verdicts and diagnostics that every transport shares
    "unsigned": _note("Nothing in the unit shows who sent it in a way that can be checked."),
    "redelivered": _note("This unit was received before; the message keeps its id."),
    "native-id-reused": _note("Another sender, or a weaker proof, used the id of a known message; a new id was made."),
    "lookup-unanswered": _note("A look-up was not answered; the message lacks what it would have told.", True),
    "history-trimmed": _note("Older turns were left out by the history policy."),
    "diagnostics-omitted": _note("There were more diagnostics than are kept."),
    "url-refused": _note("A URL is not one that this library passes on; the part or member was dropped."),
    # verdicts: why the sender is not shown; the message is delivered all the same
    "signature-malformed": _note("A signature or token cannot be read."),
    "signature-ambiguous": _note("What is signed, or by whom, can be read in two ways."),
    "algorithm-refused": _note("The algorithm of the signature is not taken, or does not fit its key."),
    "coverage-missing": _note("The signature leaves out something that it must cover."),
    "digest-mismatch": _note("The body is not the one that was signed."),
    "time-missing": _note("The signature does not say when it was made or until when it holds."),
    "not-yet-valid": _note("The signature or token is from the future."),
    "expired": _note("The signature or token is too old."),
    "purpose-refused": _note("The proof was made for another purpose."),
    "host-mismatch": _note("What was signed was meant for another host or method."),
    "key-unresolvable": _note("The key of the signature could not be had just now.", True),
    "key-unknown": _note("Nobody publishes the key of the signature."),
    "key-refused": _note("The key is too weak, malformed or of another kind."),
    "key-mismatch": _note("The key is not one of the author."),
    "bad-signature": _note("The signature does not fit what was received."),
    "not-canonical": _decode("A JSON value has no canonical form."),
    "address-unconfirmed": _note("The address of the sender is not confirmed by its domain."),
    "address-unresolvable": _note("Whether the address of the sender is confirmed could not be found out.", True),
    "replayed": _note("The signature or token was used for another unit before."),
    "replay-unknown": _note("Whether the signature was used before could not be found out.", True),
    "verification-required": CodeInfo(
        "verification", 401, "550 5.7.1", -32010, False, "The sender of this message could not be verified."
    ),
    # A2A
    "not-a-message": _unsupported("The unit holds neither a message nor a task.", -32600),
    "method-unsupported": _unsupported("The method does not send a message.", -32601),
    "version-unsupported": _unsupported("This version of A2A is not spoken here.", -32009, 400),
    "stream-event": _unsupported("A frame of a stream is no message by itself."),
    "peer-error": _unsupported("The peer answered with an error.", -32006),
    "peer-busy": _lookup("The peer cannot answer just now."),
    "unknown-value": _decode("A member has a value that is not one of those allowed."),
    "two-contents": _decode("Two members exclude each other, and both are there."),
    "bad-base64": _decode("A member must be base64 and is not."),
    "task-mismatch": _decode("A message names another task or context than the one it stands in."),
    "part-unsupported": _unsupported("A part of the message cannot be taken.", -32005, 415),
    "version-disagrees": _note("The request is of another version of its protocol than the one that it asks for."),
    "dialect-unsure": _note("The unit may be read in two ways; the newer one was taken."),
    "double-base64": _note("The bytes of a file were base64-encoded twice; they were decoded twice."),
    "thread-from-context": _note("No task is named; the thread is the context."),
    "thread-from-message": _note("Neither a task nor a context is named; the message starts its own thread."),
    "time-assumed": _note("A time was missing or not RFC 3339 with an offset; another one was assumed."),
    "history-turn-dropped": _note("A prior turn is malformed and was left out."),
    "caller-not-address": _note("The caller that the host named is not an agent address; the sender is anonymous."),
    "caller-differs": _note("The host names another caller than the token shows; the token was believed."),
    # A2A: why a token shows nobody
    "issuer-unknown": _note("Nobody here trusts the issuer of the token."),
    "header-forbidden": _note("The header of the token brings a key along, or changes how it must be read."),
    "token-type-refused": _note("The token is of another kind than is taken, or was made for another use."),
    "token-inactive": _note("The authorization server does not call the token active."),
    "claim-missing": _note("The token lacks a claim that it must have."),
    "claim-malformed": _note("A claim of the token is not of the form that it must have."),
    "audience-mismatch": _note("The token was issued for others."),
    "audience-shared": _note("The token was issued for others too; any of them could have sent it."),
    "lifetime-too-long": _note("The token holds for longer than is taken."),
    "proof-unchecked": _note("The token is bound to a key, and nobody checked that the caller has it."),
    "subject-not-address": _note("The subject of the token is not an agent address."),
    "subject-not-authorized": _note("The issuer of the token may not speak for the domain of its subject."),
    # answering
    "frame-refused": _decode("A frame has no place in its stream."),
    "trace-malformed": _decode("The trace of a response cannot be read."),
    "trace-too-large": _limit("The trace of a response is larger than anybody takes."),
    "trace-version-unsupported": _unsupported("The trace of a response is of another version."),
    "trace-shortened": _note("Arguments and results of tool calls were cut in the trace, so that it fits."),
    "trace-dropped": _note("The response went out without its trace, which is too large."),
    "trace-viewer-invalid": _note("The setting of the trace viewer is no https URL; the default one is used."),
    "actor-unresolvable": _lookup("The actor behind an address cannot be had."),
    "actor-unknown": _unsupported("Nobody who can be written to stands behind an address.", http=404),
    "sibling-unresolved": _note("An address in the text is none that was given; it stays text and nobody is told."),
    "undeliverable": _note("Nothing says where the response can be delivered to somebody it is for."),
    "reply-to-unsigned": _note("Reply-To is not covered by what shows the sender; the answer goes to From."),
    "reply-to-refused": _note("Reply-To names nobody, or too many, that can be written to; the answer goes to From."),
    "media-type-replaced": _note("A file went out as plain bytes: its media type is one of containers of mail."),
    "loop-risk": _note("The question was sent by a program; an answer to it may start a loop."),
    "part-changed": _note("Something of the response could not be carried; a diagnostic says what."),
    # policy: demands that came in, and receipts for demands of your own
    "policy-malformed": _note("A policy is not of the form that it must have; it counts for nothing."),
    "receipt-malformed": _decode("A receipt for a policy is not of the form that it must have."),
    "state-malformed": _decode("The state of a receipt cannot be one that was issued here."),
    "state-unknown": _receipt("Nothing was issued under the state of the receipt.", 404),
    "state-void": _receipt("The state of the receipt was used wrongly too often.", 410),
    "state-expired": _receipt("The state of the receipt is too old.", 410),
    "already-consumed": _receipt("The state of the receipt was used before.", 409),
    "kind-mismatch": _receipt("The receipt is for another kind of demand."),
    "agent-mismatch": _receipt("The receipt is for a demand of another agent."),
    "thread-mismatch": _receipt("The receipt is for a demand in another thread."),
    "subject-mismatch": _receipt("The receipt is for a demand to somebody else."),
    "scheme-not-offered": _receipt("The payment is by a scheme that was not offered."),
    "payload-mismatch": _receipt("The payment is not the one that was offered."),
    "payer-mismatch": _receipt("The payment was made by somebody else than the receipt says."),
    "scope-mismatch": _receipt("The consent is for another scope than was asked for."),
    "consent-expired": _receipt("The consent does not hold any more.", 410),
    "payment-unverified": _receipt("Nobody could see that the payment was made.", 402),
    "consent-unverified": _receipt("Nobody could see that consent was given."),
    "transaction-reused": _receipt("The payment was shown for another demand before.", 409),
}
"""Every code that this library can give, with what it means to each protocol."""


class MentionableError(Exception):
    """The base of everything that this library raises on purpose."""


class UsageError(MentionableError, ValueError):
    """The library was called wrongly. Never caused by a peer: fix the calling program."""


class Problem(NamedTuple):
    """One fault in a value from outside.

    Attributes:
        at: JSON Pointer (RFC 6901) to the faulty member; empty for the whole.
        rule: The rule that it breaks, in words. Never contains a secret or the whole payload.
    """

    at: str
    rule: str

    def __str__(self) -> str:
        return f"{self.at}: {self.rule}" if self.at else self.rule


class WireError(MentionableError):
    """Data from outside cannot be taken. The peer's fault, or nobody's.

    Attributes:
        code: Stable kebab-case code, a key of `CODES`.
        problems: Every fault that was found, each with its place.
    """

    def __init__(self, code: Code, problems: Iterable[Problem] = ()) -> None:
        self.code: Code = code
        self.problems = tuple(problems)
        super().__init__(code, self.problems)

    def __str__(self) -> str:
        return "; ".join([self.code, *map(str, self.problems)])


class DecodeError(WireError):
    """The data does not have the shape it must have."""


class UnsupportedError(WireError):
    """The data is well formed and means something that is not handled here."""


class VerificationError(WireError):
    """The data claims an author or an authority that it cannot have."""


class LimitError(WireError):
    """The data is larger, deeper or more numerous than `Limits` allows."""


_CLASSES: Final[Mapping[Kind, type[WireError]]] = {
    "decode": DecodeError,
    "unsupported": UnsupportedError,
    "verification": VerificationError,
    "limit": LimitError,
}


def wire_error(code: Code, at: str = "", rule: str = "") -> WireError:
    """The exception for `code`, of the class that its table row names, with at most one problem."""
    return error_of(code, (Problem(at, rule),) if at or rule else ())


def error_of(code: Code, problems: Iterable[Problem]) -> WireError:
    """The exception for `code` with all its problems."""
    return _CLASSES.get(CODES[code].kind, WireError)(code, problems)
