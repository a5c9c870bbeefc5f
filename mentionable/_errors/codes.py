"""The one table of codes: what each means to each protocol, and to people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from .code import Code

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


def _unproven(text: str) -> CodeInfo:
    """What should show an identity does not. In a verdict or diagnostic it costs the proof, never the message."""
    return CodeInfo("verification", 403, "550 5.7.1", -32602, False, text)


def _receipt(text: str, http: int = 403) -> CodeInfo:
    """A receipt for a policy does not count: go on as if there were none."""
    return CodeInfo("verification", http, "550 5.7.1", -32602, False, text)


def _capability(text: str, http: int = 403) -> CodeInfo:
    """A file is not given out. Whoever fetches it is told one sentence for all of these, see `files.error_response`."""
    return CodeInfo("verification", http, "550 5.7.1", -32602, False, text)


def _lookup(text: str) -> CodeInfo:
    """Something had to be known and could not be found out just now."""
    return CodeInfo("lookup", 503, "451 4.4.3", -32603, True, text)


def _conflict(text: str) -> CodeInfo:
    """What somebody wants does not fit what has happened meanwhile."""
    return CodeInfo("unsupported", 409, "554 5.6.1", -32004, False, text)


def _settled(text: str) -> CodeInfo:
    """What somebody wants has come about already."""
    return CodeInfo("unsupported", 200, "250 2.0.0", -32004, False, text)


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
    "boundary-missing": _note("A multipart has no closing delimiter line, or cannot be split and was read as text."),
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
    "thread-unproven": _note("The thread of a known message does not count: its sender was not verified, this one is."),
    "native-id-reused": _note("Another sender, or a weaker proof, used the id of a known message; a new id was made."),
    "lookup-unanswered": _note("A look-up was not answered; the message lacks what it would have told.", True),
    "history-trimmed": _note("Older turns were left out by the history policy."),
    "member-dropped": _note("A member, an item or an entry is not of its form; it was left out, the rest was taken."),
    "diagnostics-omitted": _note("There were more diagnostics than are kept."),
    "url-refused": _note("A URL is not one that this library passes on; the part or member was dropped."),
    # verdicts: why the sender is not shown; the message is delivered all the same
    "signature-malformed": _unproven("A signature or token cannot be read."),
    "signature-ambiguous": _note("What is signed, or by whom, can be read in two ways."),
    "algorithm-refused": _note("The algorithm of the signature is not taken, or does not fit its key."),
    "coverage-missing": _note("The signature leaves out something that it must cover."),
    "digest-mismatch": _note("The body is not the one that was signed."),
    "time-missing": _note("The signature does not say when it was made or until when it holds."),
    "not-yet-valid": _unproven("The signature, token or evidence is from the future."),
    "expired": _unproven("The signature, token or evidence is too old."),
    "purpose-refused": _note("The proof was made for another purpose."),
    "host-mismatch": _note("What was signed was meant for another host or method."),
    "key-unresolvable": _note("The key of the signature could not be had just now.", True),
    "key-unknown": _unproven("Nobody publishes the key of the signature."),
    "key-refused": _note("The key is too weak, malformed or of another kind."),
    "key-mismatch": _note("The key is not one of the author."),
    "bad-signature": _note("The signature does not fit what was received."),
    "not-canonical": _decode("A JSON value has no canonical form."),
    "address-unconfirmed": _note("The address of the sender is not confirmed by its domain."),
    "address-unresolvable": _note("Whether the address of the sender is confirmed could not be found out.", True),
    "replayed": _unproven("The signature, token or evidence was used for another unit before."),
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
    "history-turn-dropped": _note("A prior turn was left out: it is malformed, or stands otherwise in the store."),
    "caller-not-address": _note("The caller that the host named is not an agent address; the sender is anonymous."),
    "caller-differs": _note("The host names another caller than the token shows; the token was believed."),
    # A2A: why a token shows nobody
    "issuer-unknown": _note("Nobody here trusts the issuer of the token."),
    "header-forbidden": _note("The header of the token brings a key along, or changes how it must be read."),
    "token-type-refused": _note("The token is of another kind than is taken, or was made for another use."),
    "token-inactive": _note("The authorization server does not call the token active."),
    "claim-missing": _note("The token lacks a claim that it must have."),
    "claim-malformed": _note("A claim of the token is not of the form that it must have."),
    "audience-mismatch": _unproven("The token or evidence was issued for others."),
    "audience-shared": _note("The token was issued for others too; any of them could have sent it."),
    "lifetime-too-long": _unproven("The token or evidence holds for longer than is taken."),
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
    # identity evidence, in the order of its verification
    "json-malformed": _unproven("The evidence is not strict JSON."),
    "not-an-object": _unproven("The evidence is not a JSON object."),
    "number-out-of-range": _unproven("A number in the evidence cannot be represented exactly."),
    "shape-invalid": _unproven("A member of the evidence is missing or of another type."),
    "proof-not-verifiable": _unproven("The proof of the evidence is of a kind that nobody else can verify."),
    "proof-member-unknown": _unproven("The proof of the evidence has other members than it must have."),
    "algorithm-not-allowed": _unproven("The evidence is signed by an algorithm that is not taken."),
    "canonicalization-unsupported": _unproven("The evidence is canonicalized in a way that is not taken."),
    "key-id-malformed": _unproven("The evidence names its key in a way that cannot be looked up."),
    "issuer-malformed": _unproven("The issuer of the evidence is not a bare host in lower case."),
    "subject-malformed": _unproven("The subject of the evidence is not one that can be compared."),
    "method-malformed": _unproven("The method of the evidence is not one that can be compared."),
    "issuer-untrusted": _unproven("Nobody here trusts the issuer of the evidence."),
    "method-untrusted": _unproven("The issuer of the evidence is not trusted for its method."),
    "assurance-untrusted": _unproven("The issuer of the evidence is not trusted for its assurance."),
    "subject-out-of-scope": _unproven("The issuer of the evidence is not trusted for its subject."),
    "delegation-not-allowed": _unproven("The issuer of the evidence may not speak of delegation."),
    "delegation-malformed": _unproven("The principals of the evidence are none, twice there, or the subject itself."),
    "delegation-too-deep": _unproven("The evidence names more principals than its issuer may."),
    "principal-out-of-scope": _unproven("The issuer of the evidence is not trusted for a principal."),
    "audience-missing": _unproven("The evidence does not say for whom it is."),
    "audience-not-canonical": _unproven("An audience of the evidence is not a canonical address."),
    "audience-too-broad": _unproven("The evidence is for others too; any of them could show it."),
    "timestamp-malformed": _unproven("A time of the evidence is not RFC 3339 in UTC."),
    "expiry-missing": _unproven("The evidence does not say when it ends."),
    "lifetime-invalid": _unproven("The evidence ends before it begins."),
    "issued-in-future": _unproven("The evidence was issued in the future."),
    "caller-not-issuer": _unproven("The evidence was forwarded by somebody else than its issuer."),
    "card-unavailable": _lookup("The Connector Card of the issuer could not be had just now."),
    "card-invalid": _unproven("The Connector Card of the issuer cannot be read."),
    "card-origin-mismatch": _unproven("The Connector Card does not lie where that of its issuer must."),
    "card-issuer-mismatch": _unproven("The Connector Card is of another issuer."),
    "card-private-key": _unproven("The Connector Card holds a private key."),
    "card-expired": _lookup("The Connector Card of the issuer is too old."),
    "key-ambiguous": _unproven("Two keys of the Connector Card have the same id."),
    "key-type-mismatch": _unproven("The key is not an Ed25519 key."),
    "key-use-mismatch": _unproven("The key is not for signatures."),
    "key-weak": _unproven("The key is one with which a signature fits many messages."),
    "key-revoked": _unproven("The key was revoked."),
    "key-not-yet-valid": _unproven("The key was not valid yet when the evidence was issued."),
    "key-retired": _unproven("The key is not valid any more."),
    "key-pin-mismatch": _unproven("The key is none of those to which the issuer is bound."),
    "signature-invalid": _unproven("The signature of the evidence does not fit."),
    "replay-id-missing": _unproven("The evidence has no id, which its issuer must give."),
    "replay-store-unavailable": _lookup("Whether the evidence was used before could not be found out."),
    "evidence-refused": _note("Identity evidence that came along does not count; the detail says why."),
    "evidence-omitted": _note("More identity evidence came along than is looked at."),
    "history-role": _note("A forwarded turn says that the agent wrote it, which nothing shows."),
    "platform-only": _note("The platform shows which account sent it; an address was not shown."),
    # REST
    "media-type-unsupported": _unsupported("The media type is not one that is read here.", -32005, 415),
    "sidecar-malformed": _note("A JSON field beside the text cannot be read; what it stands beside was taken."),
    # connectors: Discord, BlueBubbles
    "request-unverified": CodeInfo(
        "verification", 401, "550 5.7.1", -32010, False, "The request does not show that it comes from its platform."
    ),
    "unsupported-event": _unsupported("The event is not one that becomes a message.", http=202),
    "own-message": _unsupported("The event is the agent's own message.", http=202),
    # connectors: Slack
    "evidence-withheld": _note("No evidence was made of who sent it; the detail says why."),
    # file capabilities of connectors, in the order of their verification
    "cap-malformed": _capability("The token of the file is not one.", 404),
    "cap-header": _capability("The header of the token is not of the form that it must have.", 404),
    "cap-type": _capability("The token is of another kind.", 404),
    "cap-key-unknown": _capability("The token names a key that is not known here.", 404),
    "cap-algorithm": _capability("The token names an algorithm that does not fit its key.", 404),
    "cap-signature": _capability("The signature of the token does not fit.", 404),
    "cap-claims": _capability("The claims of the token are not of the form that they must have.", 404),
    "cap-version": _capability("The token is of another version.", 404),
    "cap-scope": _capability("The token does not name one file.", 404),
    "cap-issuer": _capability("The token was minted elsewhere.", 404),
    "cap-lifetime": _capability("The token holds for longer than is taken, or ends before it begins.", 404),
    "cap-not-yet-valid": _capability("The token does not hold yet."),
    "cap-expired": _capability("The token does not hold any more.", 410),
    "cap-presenter-missing": _capability("Nobody showed which agent fetches the file."),
    "cap-audience": _capability("The token was minted for another agent."),
    "cap-scope-mismatch": _capability("The token is for another file."),
    "cap-turn-mismatch": _capability("The token was minted in another turn."),
    "cap-budget": CodeInfo("limit", 403, "552 5.3.4", -32602, False, "The token does not allow so many bytes."),
    "cap-revoked": _capability("The token was taken back.", 410),
    "cap-revocation-unavailable": _lookup("Whether the token was taken back could not be found out."),
    "cap-ledger-unavailable": _lookup("How much was sent for the token could not be found out."),
    # agents and their cards
    "resource-malformed": CodeInfo(
        "decode", 400, "554 5.6.0", -32602, False, "A WebFinger request does not ask for exactly one resource."
    ),
    "agent-unresolvable": _lookup("What says where an agent can be reached cannot be had."),
    "agent-unknown": _unsupported("No agent that can be reached stands behind an address.", http=404),
    "agent-card-mismatch": _forged("The card of an agent speaks of another address."),
    "agent-card-unsigned": _forged("The card of an agent has no signature, and must have one."),
    "agent-card-signature-malformed": _forged("A signature on the card of an agent cannot be read."),
    "agent-card-header-forbidden": _forged("A signature on a card brings a key along, or changes how it must be read."),
    "agent-card-type-refused": _forged("A signature on the card of an agent was made for something else."),
    "agent-card-algorithm-refused": _forged("The algorithm of a signature on a card is not taken, or not of its key."),
    "agent-card-key-unknown": _forged("A signature on the card of an agent is by no key that is known."),
    "agent-card-key-refused": _forged("The key of a signature on a card is too weak, malformed or of another kind."),
    "agent-card-signature-invalid": _forged("The signature on the card of an agent does not fit it."),
    # the ingest contract
    "metadata-near-miss": _note("Metadata has a member whose name is nearly one of the contract; nothing reads it."),
    "metadata-namespace": _note("The id of a sender is of another namespace than the source that names it."),
    "metadata-ignored": _note("A member of stored metadata is not of its type; it says nothing."),
    "mention-token-refused": _note("A mention token could break the header that it stands in; it was left out."),
    "context-trimmed": _note("A block of context has fewer or shorter lines than there were messages."),
    "call-unanswered": _note("A tool was called and no result is there; providers take no such conversation."),
    "turn-dropped": _note("A turn says nothing that the model can be given, or answers a call that is not there."),
    # notifications
    "unknown-notification": _unsupported("No event has this id.", http=404),
    "wrong-user": _unsupported("It is the event of another user. Tell no more than of an unknown one.", http=404),
    "already-submitted": _settled("The event was submitted before."),
    "already-terminal": _settled("The event is delivered or failed; nothing changes it."),
    "stale-lease": _conflict("Whoever acts for the event names another lease than the current one."),
    "stale-revision": _conflict("Newer words have replaced those that were shown."),
    "stale-turn": _conflict("The turn does not run any more."),
    "wrong-owner": _conflict("The event is owned by somebody else: the agent, or the system."),
    "wrong-holder": _conflict("Another worker has claimed the event."),
    "transition-refused": _conflict("The command means nothing to an event in its state."),
    "deadline-refused": _unsupported("The deadline has passed already, or lies beyond what the host allows."),
    "route-exists": _conflict("There is somebody whom the event can be shown to."),
    "lane-busy": CodeInfo("unsupported", 503, "450 4.3.2", -32004, True, "A turn runs in the lane."),
    "lane-full": CodeInfo("limit", 503, "452 4.3.1", -32603, True, "Too many alerts wait in the lane."),
    "routing-kept": _note("An event with the same key asked for another route; the first one's is kept."),
    "acknowledgement-ignored": _note("The agent acknowledges an event that it was not granted."),
    "narration-withheld": _note("What the agent said belongs to no event that it may still answer."),
    "output-unread": _note("A part of what the agent gave back cannot be read; the rest was taken."),
}
"""Every code that this library can give, with what it means to each protocol."""
