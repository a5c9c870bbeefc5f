"""The peers: packages that do a part of the same work, and which part, so that no ratio is read for more than it is.

A figure against one of these names is one against a peer; against any other name it is one against a floor, which is
a part of the work that cannot be spared.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Peer(NamedTuple):
    """A function of another package.

    Attributes:
        package: Its distribution; None: the standard library.
        does: What of the measured work it does.
        lacks: What of the measured work it does not, because that is no matter of its own.
        more: What it does beside that.
    """

    package: str | None
    does: str
    lacks: str
    more: str = ""


_ADDRESSED = "the look-ups of recipient and sender, ids, the message"
_KEYS = "finding the key, its owner, replay"

PEERS: Final = {
    "jiter from_json": Peer(
        "jiter",
        "JSON without duplicate members and lone surrogates, in Rust",
        "bounds of size, depth and numbers, which of these was wrong",
    ),
    "a2a-sdk json_format.Parse": Peer(
        "a2a-sdk",
        "JSON without duplicate members into its own typed Task or Message, unknown fields refused",
        "the request around it, delivery, tool calls, which history is included, the message",
        "any other object of the protocol alike",
    ),
    "a2a-sdk v0.3 types": Peer(
        "a2a-sdk",
        "JSON into its typed Task or Message of v0.3, checked by pydantic",
        "duplicate members, the request around it, delivery, tool calls, which history is included, the message",
        "any other object of the protocol alike",
    ),
    "a2a-sdk json_format.MessageToJson": Peer(
        "a2a-sdk",
        "its typed Task into JSON",
        "making the task of a response, the HTTP response",
    ),
    "muck-out normalize_data": Peer(
        "muck-out",
        "JSON, then the activity and its object in one shape, checked by pydantic",
        f"strict JSON, {_ADDRESSED}",
        "HTML made safe to show",
    ),
    "granary as2.to_as1": Peer(
        "granary",
        "JSON, then the activity in ActivityStreams 1, HTML as text",
        f"strict JSON, {_ADDRESSED}",
        "one shape for a dozen networks",
    ),
    "apsig draft.Verifier": Peer(
        "apsig",
        "the parameters, the digest, the date, the check",
        f"strict parameters, what must be covered, host, {_KEYS}",
    ),
    "apsig RFC9421Verifier": Peer(
        "apsig",
        "the parameters, the time, the check, of the components that its own signer covers",
        f"strict parameters, what must be covered, the digest of the body, host, {_KEYS}",
    ),
    "apsig ProofVerifier": Peer(
        "apsig", "canonical JSON, both hashes, the check", f"time, what the proof must bind, {_KEYS}"
    ),
    "bovine HTTP signature": Peer(
        "bovine",
        "the parameters, what must be covered, the digest, the date, the check",
        f"strict parameters, host, {_KEYS}",
        "asks for the key by a coroutine of its caller",
    ),
    "PyJWT decode": Peer(
        "PyJWT",
        "segments, header, signature, issuer, audience, time",
        "choosing the key, use and type, the subject as an address, replay",
    ),
    "email parser": Peer(
        None,
        "the tree of parts, each body part decoded",
        "header fields as structures, threading, which alternative is read, bounds, the message",
        "every part kept, to be written again",
    ),
    "email parser, fields read": Peer(
        None,
        "the same, and the fields that a message needs: people, subject, date, ids, all others",
        "threading, which alternative is read, bounds, the message",
    ),
    "fast-mail-parser": Peer(
        "fast-mail-parser",
        "the tree of parts, each body part decoded, header fields; in Rust",
        "threading, which alternative is read, bounds, the message",
    ),
    "dkimpy": Peer(
        "dkimpy",
        "the field, that From is signed, both hashes, the key record, the check",
        "that the fields which shape the body are signed, alignment with From, DMARC, bounds",
    ),
    "lxml text_content": Peer("lxml", "HTML into a tree, its text; in C", "line breaks, links, lists, quotations"),
    "nh3 without tags": Peer("nh3", "HTML parsed as browsers do, tags taken out; in Rust", "line breaks, links, lists"),
    "html2text": Peer("html2text", "HTML into Markdown", "bounds", "lines wrapped"),
    "beautifulsoup4 get_text": Peer("beautifulsoup4", "HTML into a tree, its text", "line breaks, links, lists"),
    "slack-sdk SignatureVerifier, json.loads": Peer(
        "slack-sdk",
        "the signature and its time, then plain JSON",
        f"strict JSON, Slack's markup as Markdown, {_ADDRESSED}",
    ),
    "PyNaCl VerifyKey, json.loads": Peer(
        "PyNaCl",
        "the signature, then plain JSON",
        f"strict JSON, its time, Discord's markup, {_ADDRESSED}",
    ),
    "email.message.EmailMessage": Peer(
        None, "header fields, all parts, encodings, the bytes", "choosing text and HTML, threading, ids, bounds"
    ),
}
