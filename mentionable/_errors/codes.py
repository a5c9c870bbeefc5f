"""The table of codes, with their meaning in each protocol and for readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from .code import Code

Kind: TypeAlias = Literal["decode", "unsupported", "verification", "limit", "lookup", "note"]


class CodeInfo(NamedTuple):
    """The meaning of a code in each protocol.

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
    """The message has a wrong form."""
    return CodeInfo("decode", 422, "554 5.6.0", jsonrpc, False, text)


def _unparsable(text: str) -> CodeInfo:
    """The bytes are not JSON."""
    return _decode(text, -32700)


def _limit(text: str, http: int = 422) -> CodeInfo:
    """The message is valid, but larger than this node accepts."""
    return CodeInfo("limit", http, "552 5.3.4", -32602, False, text)


def _unsupported(text: str, jsonrpc: int = -32004, http: int = 422) -> CodeInfo:
    """The input is valid, but does not become a message."""
    return CodeInfo("unsupported", http, "554 5.6.1", jsonrpc, False, text)


def _forged(text: str, http: int = 403) -> CodeInfo:
    """The message claims an author that it cannot have."""
    return CodeInfo("verification", http, "550 5.7.1", -32602, False, text)


def _unproven(text: str) -> CodeInfo:
    """A proof of identity is invalid. As a verdict or diagnostic it never rejects the message."""
    return CodeInfo("verification", 403, "550 5.7.1", -32602, False, text)


def _receipt(text: str, http: int = 403) -> CodeInfo:
    """A receipt for a policy is invalid: continue without it."""
    return CodeInfo("verification", http, "550 5.7.1", -32602, False, text)


def _capability(text: str, http: int = 403) -> CodeInfo:
    """A file is not served. `files.error_response` has one text for all of these."""
    return CodeInfo("verification", http, "550 5.7.1", -32602, False, text)


def _lookup(text: str) -> CodeInfo:
    """A required look-up failed."""
    return CodeInfo("lookup", 503, "451 4.4.3", -32603, True, text)


def _conflict(text: str) -> CodeInfo:
    """The command conflicts with the current state."""
    return CodeInfo("unsupported", 409, "554 5.6.1", -32004, False, text)


def _settled(text: str) -> CodeInfo:
    """The command has already taken effect."""
    return CodeInfo("unsupported", 200, "250 2.0.0", -32004, False, text)


def _note(text: str, temporary: bool = False) -> CodeInfo:
    """A diagnostic of a message that was delivered."""
    return CodeInfo("note", 202, "250 2.0.0", 0, temporary, text)


CODES: Final[Mapping[Code, CodeInfo]] = {
    # bytes and JSON
    "too-large": _limit("The message is larger than this node accepts.", 413),
    "too-deep": _limit("The message is nested too deeply."),
    "not-utf8": _unparsable("The bytes are not UTF-8."),
    "invalid-json": _unparsable("The bytes are not JSON."),
    "duplicate-member": _unparsable("A JSON object has the same member twice."),
    "unsafe-number": _unparsable("A JSON number cannot be represented exactly, or is NaN or Infinity."),
    "lone-surrogate": _unparsable("A JSON string contains a lone surrogate."),
    # shape
    "malformed": _decode("The message does not have the required form."),
    "missing-member": _decode("A required member is missing."),
    "wrong-type": _decode("A member has the wrong type."),
    # recipients
    "no-served-recipient": CodeInfo(
        "unsupported", 404, "550 5.1.1", -32602, False, "This node serves no recipient of the message."
    ),
    "too-many-recipients": CodeInfo("limit", 422, "550 5.5.3", -32602, False, "The message names too many recipients."),
    "recipient-elsewhere": _unsupported("The activity is for other nodes alone.", http=202),
    "lookup-failed": _lookup("A temporary look-up failure: please try again later."),
    # mail
    "sender-unaddressable": CodeInfo(
        "unsupported", 422, "550 5.1.7", -32602, False, "The message does not name exactly one sender with an address."
    ),
    "too-many-fields": _limit("The message has too many header fields, or a field has too many parameters."),
    "too-many-parts": _limit("The message has too many parts."),
    "head-malformed": _note("A line of a header section is not a field, or contains a forbidden character."),
    "line-ends-mixed": _note("Some lines of the mail end in CRLF and others in LF."),
    "field-repeated": _note("A header field or parameter occurs twice; the first one was used."),
    "address-ambiguous": _note("The From field is ambiguous, or has more than one plain address."),
    "name-holds-address": _note("The display name of the sender contains an address of another domain."),
    "message-id-missing": _note("The mail has no Message-ID; an id was made of what its author wrote."),
    "message-id-malformed": _note("A field of message ids contains no valid id."),
    "report-malformed": _note("Part of a report about a mail could not be read; the rest of it was."),
    "content-type-malformed": _note("A Content-Type could not be read; the part was read as text."),
    "boundary-missing": _note(
        "A multipart has no closing delimiter line, goes on behind it, or cannot be split and was read as text."
    ),
    "encoding-unknown": _note("The transfer encoding of a part is unknown; its bytes were not decoded."),
    "encoding-broken": _note(
        "The transfer encoding of a part is broken; only the bytes before the error were decoded."
    ),
    "charset-unknown": _note("The character set of a part is unknown; it was read as UTF-8."),
    "charset-broken": _note("Some bytes of a part are not in its character set."),
    "content-encrypted": _note("A part of the mail is encrypted, and was not read."),
    "content-signed": _note("The content of a part is inside a signature that was not opened, and was not read."),
    "content-encapsulated": _note("A part is in the format of one mail program (TNEF), and was not read."),
    "calendar-malformed": _note("A calendar has no event that could be read, or was read only in part."),
    "signature-skipped": _note("The mail has more signatures than are checked; this one was not checked."),
    "not-aligned": _note("No valid signature is of the sender's domain."),
    "field-unsigned": _note("The signature does not cover a header field that affects the message."),
    "sealer-untrusted": _note(
        "The newest ARC seal is of a domain that the settings do not trust; ARC was not validated."
    ),
    "trusted-forwarder": _note("The sender is verified by the word of a forwarder that the settings trust (ARC)."),
    "spf-only": _note("DMARC passes by SPF only, which verifies a server of the sender's domain, but not the mail."),
    # ActivityPub
    "unsupported-activity": _unsupported("An activity of this type does not become a message.", http=202),
    "unsupported-object": _unsupported("An object of this type does not become a message.", http=202),
    "id-refused": _decode("An id is not an https URL with a DNS name and the default port."),
    "id-too-long": _limit("An id is too long."),
    "json-ld-refused": _decode("The JSON-LD of a document is ambiguous."),
    "origin-mismatch": _forged("The activity, its object and its actor have different origins."),
    "author-mismatch": _forged("The actor is not the only author of the object of the activity."),
    "author-missing": _forged("An object that was fetched names no author."),
    # 202, as for what is not stored: other users of the server of the author may not learn what is.
    "owner-mismatch": _forged("The activity changes or withdraws what another wrote.", http=202),
    "authority-unproven": _unsupported("Nothing shows that the actor may do this.", http=202),
    "object-unknown": _unsupported("Nothing is stored of what the activity withdraws.", http=202),
    "sender-gone": _forged("The sender no longer exists."),
    "object-unresolvable": _unsupported("The object of the activity could not be fetched."),
    "sender-unresolvable": _lookup("The actor document of the sender could not be fetched."),
    "too-many-tags": _limit("An object has too many tags."),
    "too-many-attachments": _limit("An object has too many attachments."),
    "foreign-context": _note("The IRI of the thread is of another origin than the author's."),
    "thread-truncated": _note(
        "The thread has more ancestors than are fetched; the oldest fetched message names the thread."
    ),
    "not-addressed": _note(
        "The proof covers no host, and the signed addressing does not name the recipient: the evidence has no audience."
    ),
    "name-too-long": _note("The display name of the sender is too long; it was dropped."),
    # verdicts and diagnostics that every transport shares
    "unsigned": _note("The message has no signature or other proof of its sender."),
    "origin-only": _note("The author's own server shows the object, but no proof shows who wrote it."),
    "redelivered": _note("This message was received before; it keeps its id."),
    "edited": _note("A stored message was changed by its sender."),
    "edit-unchanged": _note("The sender sent a stored message again, and nothing that people read has changed."),
    "thread-joined": _note("The sender joins a stored thread in which they have not written before."),
    "thread-unproven": _note(
        "The thread of a stored message does not count: its sender is unverified and this one is verified, or it is "
        "another one, and no id of the message itself names it."
    ),
    "native-id-reused": _note(
        "A stored message of another sender, or with a weaker proof, has this id; a new id was made."
    ),
    "lookup-unanswered": _note("A look-up had no answer; the message lacks what it would have added.", True),
    "history-trimmed": _note("Older turns were left out by the history policy."),
    "type-unknown": _note("An object of a type that is not known here was read like a note."),
    "member-dropped": _note("A member, item or entry does not have the required form; only this one was left out."),
    "diagnostics-omitted": _note("There were more diagnostics than the limit."),
    "url-refused": _decode("A URL is unsafe or malformed."),
    # verdicts: why the sender is not verified; the message is delivered
    "signature-malformed": _unproven("A signature or token cannot be read."),
    "signature-ambiguous": _note("The signed content or the signer is ambiguous."),
    "algorithm-refused": _note("The algorithm of the signature is not accepted, or does not fit its key."),
    "coverage-missing": _note("The signature does not cover something that it must cover."),
    "digest-mismatch": _note("The body is not the signed one."),
    "time-missing": _note("The signature has no creation time, or no expiry time."),
    "not-yet-valid": _unproven("The signature, token or evidence is from the future."),
    "expired": _unproven("The signature, token or evidence is too old."),
    "purpose-refused": _note("The proof was made for another purpose."),
    "host-mismatch": _note("The signature is for another host or method."),
    "key-unresolvable": _note("The key of the signature could not be fetched.", True),
    "key-unknown": _unproven("The key of the signature is not published."),
    "key-refused": _note("The key is too weak, malformed or of another type."),
    "key-weak-rsa": _note("The RSA key of the signature has fewer than 2048 bits; the signature counts all the same."),
    "key-mismatch": _note("The key does not belong to the author."),
    "bad-signature": _note("The signature does not match the message."),
    "not-canonical": _decode("A JSON value has no canonical form."),
    "address-unconfirmed": _note("The domain of the sender does not confirm their address."),
    "address-unresolvable": _note("The domain of the sender could not be asked to confirm their address.", True),
    "replayed": _unproven("The signature, token or evidence was used for another message before."),
    "replay-unknown": _note("The store could not be asked whether the signature was used before.", True),
    "token-mismatch": _note("The secret of a push notification is not the one of its configuration."),
    "verification-required": CodeInfo(
        "verification", 401, "550 5.7.1", -32010, False, "The sender of this message could not be verified."
    ),
    # A2A
    "not-a-message": _unsupported("The request contains neither a message nor a task.", -32600),
    "invalid-request": CodeInfo(
        "decode", 400, "554 5.6.0", -32600, False, "The request is not a JSON-RPC 2.0 request."
    ),
    "method-unsupported": _unsupported("The method does not exist, or does not apply here.", -32601, 404),
    "http-method-unsupported": _unsupported("The URL does not take requests of this HTTP method.", -32601, 405),
    "version-unsupported": _unsupported("This version of A2A is not supported.", -32009, 400),
    "task-not-found": _unsupported("Task not found.", -32001, 404),
    "task-not-cancelable": _unsupported("The task cannot be canceled any more.", -32002, 409),
    "task-ended": _unsupported("The task has ended.", -32004, 400),
    "push-not-supported": _unsupported("This agent sends no push notifications.", -32003, 400),
    "unsupported-operation": _unsupported("This agent does not support the operation.", -32004, 400),
    "extended-card-missing": _unsupported("This agent has no extended card.", -32007, 400),
    "extension-required": _unsupported("The request does not use an extension that this agent requires.", -32008, 400),
    "page-token-unknown": CodeInfo("decode", 400, "554 5.6.0", -32602, False, "The page token was not made here."),
    "answer-too-large": _limit("The answer is larger than this node sends: ask for less at a time.", 400),
    "too-many-requests": CodeInfo("limit", 429, "452 4.3.1", -32603, True, "Too many requests at a time."),
    "stream-event": _unsupported("A frame of a stream is not a message."),
    "call-mismatch": _unsupported("The answer is to another call.", -32006),
    "peer-error": _unsupported("The peer answered with an error.", -32006),
    "peer-unauthorized": _unsupported("The peer wants to know who asks: it takes no request without a token.", -32006),
    "peer-payment-required": _unsupported("The peer wants to be paid.", -32006),
    "peer-forbidden": _unsupported("The peer does not let this caller ask.", -32006),
    "peer-not-found": _unsupported("The peer has nothing at this URL.", -32006),
    "peer-task-not-found": _unsupported("The peer has no such task.", -32006),
    "peer-version-unsupported": _unsupported("The peer does not know this version of the protocol.", -32006),
    "peer-busy": _lookup("The peer cannot answer now."),
    "unknown-value": _decode("A member has a value that is not allowed."),
    "two-contents": _decode("Two members are present that exclude each other."),
    "bad-base64": _decode("A member is not base64, as it must be."),
    "task-mismatch": _decode("A message names another task or context than the object that contains it."),
    "part-unsupported": _unsupported("A part of the message cannot be taken.", -32005, 415),
    "version-disagrees": _note("The request has another version of its protocol than the one that it asks for."),
    "dialect-unsure": _note("The version of the message is ambiguous; the newer one was used."),
    "double-base64": _note("The bytes of a file were base64-encoded twice; they were decoded twice."),
    "thread-from-context": _note("The message names no task; its context is the thread."),
    "thread-from-message": _note("The message names neither a task nor a context; it starts a thread."),
    "time-assumed": _note("A time was missing or not RFC 3339 with an offset; another one was used."),
    "history-turn-dropped": _note("A prior turn was left out: it is malformed, or differs from the stored one."),
    "caller-not-address": _note("The caller from the host is not an agent address; the sender is anonymous."),
    "caller-differs": _note("The host and the token name different callers; the token counts."),
    # A2A: why a token verifies no sender
    "issuer-unknown": _note("The issuer of the token is not trusted."),
    "header-forbidden": _note("The header of the token contains a key, or changes how it must be read."),
    "token-type-refused": _note("The token is of another type, or for another purpose."),
    "token-inactive": _note("The authorization server does not confirm that the token is active."),
    "claim-missing": _note("The token lacks a required claim."),
    "claim-malformed": _note("A claim of the token does not have the required form."),
    "audience-mismatch": _unproven("The token or evidence was issued for another recipient."),
    "audience-shared": _note("The token was issued for other recipients too; each of them could have sent it."),
    "lifetime-too-long": _unproven("The token or evidence is valid for longer than the limit."),
    "proof-unchecked": _note("The token is bound to a key, and it was not checked that the caller has that key."),
    "subject-not-address": _note("The subject of the token is not an agent address."),
    "subject-not-authorized": _note("The issuer of the token may not speak for the domain of its subject."),
    # answering
    "frame-refused": _decode("A frame is out of place in its stream."),
    "trace-malformed": _decode("The trace of a response cannot be read."),
    "trace-too-large": _limit("The trace of a response is larger than the limit."),
    "trace-version-unsupported": _unsupported("The trace of a response has another version."),
    "trace-shortened": _note("Arguments and results of tool calls were cut in the trace, so that it fits."),
    "trace-dropped": _note("The response was sent without its trace, which is too large."),
    "trace-viewer-invalid": _note("The setting of the trace viewer is not an https URL; the default one is used."),
    "actor-unresolvable": _lookup("The actor of an address could not be fetched."),
    "actor-unknown": _unsupported("No actor who receives messages has the address.", http=404),
    "sibling-unresolved": _note(
        "An address in the text is not among the resolved ones; it stays text, and is not notified."
    ),
    "undeliverable": _note("The response has no address for delivery to a recipient."),
    "private-policy": _note("A policy is for the person asked alone: it went to no other recipient."),
    "reply-to-unsigned": _note("Reply-To is not covered by the sender's proof; the answer goes to From."),
    "reply-to-refused": _note("Reply-To names no valid recipient, or too many; the answer goes to From."),
    "media-type-replaced": _note("A file was sent as plain bytes, since mail uses its media type for containers."),
    "loop-risk": _note("A program sent the question; an answer may start a loop."),
    "part-changed": _note("The transport could not carry something of the response; a diagnostic names it."),
    # policy: requirements of peers, and receipts for your own requirements
    "policy-malformed": _note("A policy does not have the required form; it is ignored."),
    "receipt-malformed": _decode("A receipt for a policy does not have the required form."),
    "state-malformed": _decode("The state of a receipt cannot come from this agent."),
    "state-unknown": _receipt("No policy requirement was issued with the state of the receipt.", 404),
    "state-void": _receipt("The state of the receipt was used wrongly too often.", 410),
    "state-expired": _receipt("The state of the receipt is too old.", 410),
    "already-consumed": _receipt("The state of the receipt was used before.", 409),
    "kind-mismatch": _receipt("The receipt is for a policy requirement of another kind."),
    "agent-mismatch": _receipt("The receipt is for a policy requirement of another agent."),
    "thread-mismatch": _receipt("The receipt is for a policy requirement in another thread."),
    "subject-mismatch": _receipt("The receipt is for a policy requirement to another subject."),
    "scheme-not-offered": _receipt("The scheme of the payment was not offered."),
    "payload-mismatch": _receipt("The payment differs from the offered one."),
    "payer-mismatch": _receipt("The payer is not the one that the receipt names."),
    "scope-mismatch": _receipt("The consent is for another scope than the requested one."),
    "consent-expired": _receipt("The consent has expired.", 410),
    "payment-unverified": _receipt("The payment could not be verified.", 402),
    "consent-unverified": _receipt("The consent could not be verified."),
    "transaction-reused": _receipt("The payment was used for another policy requirement before.", 409),
    # identity evidence, in the order of its verification
    "json-malformed": _unproven("The evidence is not strict JSON."),
    "not-an-object": _unproven("The evidence is not a JSON object."),
    "number-out-of-range": _unproven("A number in the evidence cannot be represented exactly."),
    "shape-invalid": _unproven("A member of the evidence is missing or of a wrong type."),
    "proof-not-verifiable": _unproven("The proof of the evidence is of a kind that only its issuer can verify."),
    "proof-member-unknown": _unproven("The proof of the evidence has other members than it must have."),
    "algorithm-not-allowed": _unproven("The algorithm of the evidence is not accepted."),
    "canonicalization-unsupported": _unproven("The canonicalization of the evidence is not accepted."),
    "key-id-malformed": _unproven("The key id of the evidence cannot be looked up."),
    "issuer-malformed": _unproven("The issuer of the evidence is not a bare host in lower case."),
    "subject-malformed": _unproven("The subject of the evidence cannot be compared."),
    "method-malformed": _unproven("The method of the evidence cannot be compared."),
    "issuer-untrusted": _unproven("The issuer of the evidence is not trusted."),
    "method-untrusted": _unproven("The issuer of the evidence is not trusted for its method."),
    "assurance-untrusted": _unproven("The issuer of the evidence is not trusted for its assurance."),
    "subject-out-of-scope": _unproven("The issuer of the evidence is not trusted for its subject."),
    "delegation-not-allowed": _unproven("The issuer of the evidence may not attest delegation."),
    "delegation-malformed": _unproven("The evidence names no principal, one of them twice, or the subject itself."),
    "delegation-too-deep": _unproven("The evidence names more principals than its issuer may."),
    "principal-out-of-scope": _unproven("The issuer of the evidence is not trusted for a principal."),
    "audience-missing": _unproven("The evidence names no audience."),
    "audience-not-canonical": _unproven("An audience of the evidence is not a canonical address."),
    "audience-too-broad": _unproven("The evidence is for other agents too; each of them could forward it."),
    "timestamp-malformed": _unproven("A time of the evidence is not RFC 3339 in UTC."),
    "expiry-missing": _unproven("The evidence has no expiry time."),
    "lifetime-invalid": _unproven("The evidence expires before it begins."),
    "issued-in-future": _unproven("The evidence was issued in the future."),
    "caller-not-issuer": _unproven("Another caller than the issuer forwarded the evidence."),
    "card-unavailable": _lookup("The Connector Card of the issuer could not be fetched."),
    "card-invalid": _unproven("The Connector Card of the issuer cannot be read."),
    "card-origin-mismatch": _unproven("The Connector Card has another URL than that of its issuer."),
    "card-issuer-mismatch": _unproven("The Connector Card belongs to another issuer."),
    "card-private-key": _unproven("The Connector Card contains a private key."),
    "card-expired": _lookup("The Connector Card of the issuer is too old."),
    "key-ambiguous": _unproven("Two keys of the Connector Card have the same id."),
    "key-type-mismatch": _unproven("The key is not an Ed25519 key."),
    "key-use-mismatch": _unproven("The key is not for signatures."),
    "key-weak": _unproven("The key is weak: one signature by it matches many messages."),
    "key-revoked": _unproven("The key was revoked."),
    "key-not-yet-valid": _unproven("The key was not yet valid when the evidence was issued."),
    "key-retired": _unproven("The key is no longer valid."),
    "key-pin-mismatch": _unproven("The key is not one of those that are pinned for the issuer."),
    "signature-invalid": _unproven("The signature does not match the evidence."),
    "replay-id-missing": _unproven("The evidence has no id, which its issuer must set."),
    "replay-store-unavailable": _lookup("The store could not be asked whether the evidence was used before."),
    "evidence-refused": _note("Forwarded identity evidence does not count; the detail has the reason."),
    "evidence-omitted": _note("The message has more identity evidence than the limit."),
    "history-role": _note("A forwarded turn claims to be the agent's, without proof."),
    "platform-only": _note("The platform verified an account, but no address."),
    # REST
    "media-type-unsupported": _unsupported("The media type is not supported.", -32005, 415),
    "sidecar-malformed": _note("A JSON field next to the text cannot be read; the text was used without it."),
    # connectors: Discord, BlueBubbles
    "request-unverified": CodeInfo(
        "verification",
        401,
        "550 5.7.1",
        -32010,
        False,
        "The request has no valid proof that it comes from its platform.",
    ),
    "unsupported-event": _unsupported("An event of this type does not become a message.", http=202),
    "own-message": _unsupported("The event is the agent's own message.", http=202),
    # connectors: Slack
    "evidence-withheld": _note("No evidence of the sender was made; the detail has the reason."),
    # file capabilities of connectors, in the order of their verification
    "cap-malformed": _capability("The token of the file is malformed.", 404),
    "cap-header": _capability("The header of the token does not have the required form.", 404),
    "cap-type": _capability("The token is of another type.", 404),
    "cap-key-unknown": _capability("The key that the token names is unknown.", 404),
    "cap-algorithm": _capability("The token names an algorithm that does not fit its key.", 404),
    "cap-signature": _capability("The signature does not match the token.", 404),
    "cap-claims": _capability("The claims of the token do not have the required form.", 404),
    "cap-version": _capability("The token has another version.", 404),
    "cap-scope": _capability("The token does not name one file.", 404),
    "cap-issuer": _capability("The token was issued by another host.", 404),
    "cap-lifetime": _capability("The token is valid for longer than the limit, or expires before it begins.", 404),
    "cap-not-yet-valid": _capability("The token is not yet valid."),
    "cap-expired": _capability("The token has expired.", 410),
    "cap-presenter-missing": _capability("The agent that fetches the file is not authenticated."),
    "cap-audience": _capability("The token was issued for another agent."),
    "cap-scope-mismatch": _capability("The token is for another file."),
    "cap-turn-mismatch": _capability("The token was issued in another turn."),
    "cap-budget": CodeInfo("limit", 403, "552 5.3.4", -32602, False, "The token does not allow so many bytes."),
    "cap-revoked": _capability("The token was revoked.", 410),
    "cap-revocation-unavailable": _lookup("The store could not be asked whether the token was revoked."),
    "cap-ledger-unavailable": _lookup("The store could not be asked how many bytes the token has used."),
    # agents and their cards
    "resource-malformed": CodeInfo(
        "decode", 400, "554 5.6.0", -32602, False, "A WebFinger request does not ask for exactly one resource."
    ),
    "agent-unresolvable": _lookup("The document that says where an agent is reached could not be fetched."),
    "agent-unknown": _unsupported("No agent that can be reached has the address.", http=404),
    "agent-card-mismatch": _forged("The card of an agent is for another address."),
    "agent-card-unsigned": _forged("The card of an agent must be signed, and is not."),
    "agent-card-signature-malformed": _forged("A signature on the card of an agent cannot be read."),
    "agent-card-header-forbidden": _forged("A signature on a card contains a key, or changes how it must be read."),
    "agent-card-type-refused": _forged("A signature on the card of an agent is for another purpose."),
    "agent-card-algorithm-refused": _forged(
        "The algorithm of a signature on a card is not accepted, or does not fit its key."
    ),
    "agent-card-key-unknown": _forged("The key of a signature on the card of an agent is unknown."),
    "agent-card-key-refused": _forged("The key of a signature on a card is too weak, malformed or of another type."),
    "agent-card-signature-invalid": _forged("The signature does not match the card of the agent."),
    # the ingest contract
    "prefix-baked": _note("A stored text begins with the name of its sender, which belongs into the metadata."),
    "metadata-near-miss": _note("Metadata has a member whose name is nearly one of the contract; it is not read."),
    "metadata-namespace": _note("The id of a sender has another namespace than the source of the message."),
    "metadata-ignored": _note("A member of stored metadata is of a wrong type; it is ignored."),
    "mention-token-refused": _note("A mention token is unsafe in a header; it was left out."),
    "context-trimmed": _note("A block of context has fewer or shorter lines than there were messages."),
    "call-unanswered": _note("A call of a tool has no result; a line of text replaces it."),
    "file-over-limit": _note("A file is larger than the provider takes, or one too many; a line of text replaces it."),
    "turn-dropped": _note("A turn has no content for the model, or is the result of a missing call."),
    # notifications
    "unknown-notification": _unsupported("No event has this id.", http=404),
    "wrong-user": _unsupported("The event belongs to another user. Do not tell the caller that it exists.", http=404),
    "already-submitted": _settled("The event was submitted before."),
    "already-terminal": _settled("The event is delivered or failed, and cannot change any more."),
    "stale-lease": _conflict("The command names another lease than the current one."),
    "stale-revision": _conflict("A newer revision has replaced this one."),
    "stale-turn": _conflict("The turn has ended."),
    "wrong-owner": _conflict("The event has another owner: the agent, or the system."),
    "wrong-holder": _conflict("Another worker has claimed the event."),
    "transition-refused": _conflict("The command does not apply to an event in this state."),
    "deadline-refused": _unsupported("The deadline has passed, or is later than the host allows."),
    "route-exists": _conflict("The event can still be shown to a user."),
    "lane-busy": CodeInfo("unsupported", 503, "450 4.3.2", -32004, True, "A turn is running in the lane."),
    "lane-full": CodeInfo("limit", 503, "452 4.3.1", -32603, True, "Too many alerts wait in the lane."),
    "routing-kept": _note("An event with the same key has another route; the first route counts."),
    "acknowledgement-ignored": _note("The agent acknowledged an event that it was not granted."),
    "narration-withheld": _note("The output of the agent belongs to no event that it may still answer."),
    "output-unread": _note("A part of the agent's output cannot be read; the rest was used."),
}
"""Every code of this library, with its meaning in each protocol."""
