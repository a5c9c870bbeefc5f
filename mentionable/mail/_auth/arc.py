"""ARC (RFC 8617): a chain of seals, in which each forwarder says what it verified before it changed the mail.

A chain proves who handled a mail, and nothing about its sender: each sealer could write what it likes. So it counts
only as far as the operator trusts its sealers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ..._crypto.verification import VerificationFailed
from ..._flow.asks import LookupTxt
from ..._flow.flow import Flow, ask_each
from ..._model.base import unchecked
from ..._wire.address import canonical_domain
from .dkim import (
    MAX_BYTES,
    Body,
    Signature,
    check_digest,
    check_signature,
    check_time,
    field_tags,
    malformed,
    published_key,
    read_signature,
    relaxed_field,
    signed_fields,
    signer,
)

MAX_INSTANCES: Final = 50
"""The bound on the sets of a chain. Spec: RFC 8617 §4.2.1."""

_RESULTS: Final = b"arc-authentication-results"
_MESSAGE_SIGNATURE: Final = b"arc-message-signature"
_SEAL: Final = b"arc-seal"
_INSTANCE: Final = re.compile(r"[1-9][0-9]?").fullmatch
_RESULTS_INSTANCE: Final = re.compile(rb"[^:]*+:[ \t\r\n]*+i[ \t\r\n]*+=[ \t\r\n]*+([1-9][0-9]?)[ \t\r\n]*+;").match
_OF_NOTHING: Final = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="  # SHA-256 of no bytes
_UNTRUSTED: Final = "sealer-untrusted"
# A quoted string that never ends, and a backslash outside of one, match nothing: such a field is not read.
_TOKEN: Final = re.compile(
    r"(?P<text>[^()\"\\]++)|\"[^\"\\]*+(?:\\.[^\"\\]*+)*\"|(?P<open>\()|(?P<close>\))", re.DOTALL
).match
_IN_COMMENT: Final = re.compile(r"[^()\\]++|\\.|(?P<open>\()|(?P<close>\))", re.DOTALL).match
_QUOTED: Final = '"'  # in place of a quoted string; no token holds one
_SPACE: Final = " \t\r\n"
_new_lookup: Final = unchecked(LookupTxt)


class ArcSet(NamedTuple):
    """The three fields that one sealer adds."""

    results: bytes
    message_signature: bytes
    seal: bytes


class Chain(NamedTuple):
    """The result of validating a chain (RFC 8617 §4.4).

    Attributes:
        sealers: The domains that sealed, the first one first, as far as their seals could be read.
        signers: Domains whose DKIM signatures were valid when the mail came to a trusted sealer, with only trusted ones
            after it.
        signature: The newest ARC-Message-Signature, when the chain is valid.
        fault: Why it is not valid, or was not validated; None when it is.
    """

    sealers: tuple[str, ...] = ()
    signers: tuple[str, ...] = ()
    signature: Signature | None = None
    fault: VerificationFailed | None = None

    @property
    def status(self) -> str:
        """The word of RFC 8601 for it; `none` for a chain that was not validated."""
        if self.fault is None:
            return "pass"
        return {_UNTRUSTED: "none", "key-unresolvable": "temperror"}.get(self.fault.code, "fail")


def verify_chain(
    fields: Mapping[bytes, Sequence[bytes]], body: Body, *, trusted: Collection[str], now: int
) -> Flow[LookupTxt, Chain]:
    """Validate the chain of a mail that has an ARC-Seal.

    Args:
        fields: All fields of the header section, by their names in lower case. The section is not ambiguous.
        body: The body of the mail.
        trusted: The domains whose seals count.
        now: The time, in seconds since 1970.

    Spec: RFC 8617 §5.2.
    """
    # Cheapest first. Nothing is asked unless the newest sealer, which could have written all of it, is trusted:
    #   1. each set is whole, and none says that the chain was broken before it
    #   2. the newest set is of a trusted sealer
    #   3. the newest message signature: its time, its fields, the body
    #   4. the newest set: both signatures
    #   5. the seals before it
    sealers: tuple[str, ...] = ()
    try:
        # 1.
        sets = _read_sets(fields)
        seals = [_read_seal(one.seal, number) for number, one in enumerate(sets, 1)]
        sealers = tuple([seal.domain for seal in seals])
        newest = _read_message_signature(sets[-1].message_signature)

        # 2.
        if sealers[-1] not in trusted or newest.domain not in trusted:
            raise VerificationFailed(_UNTRUSTED, "the newest seal is of a domain that is not trusted")

        # 3.
        for signature in (newest, *seals):
            check_time(signature, now)
        check_digest(newest, body)

        # 4.
        relaxed = [ArcSet(*map(relaxed_field, one)) for one in sets]
        signed = signed_fields(fields, newest.names, newest.without_value, relaxed=newest.relaxed_header)
        yield from _check_each((newest, seals[-1]), (signed, _sealed(relaxed, seals[-1])))

        # 5. What a set holds is covered by the seals above it: a forged one ends here, whoever it names.
        counts = range(len(seals) - 1, 0, -1)
        yield from _check_each(seals[-2::-1], (_sealed(relaxed[:count], seals[count - 1]) for count in counts))
    except VerificationFailed as error:
        # A copy without the traceback, which would keep the whole mail in memory as long as the message.
        fault = error.__class__(error.code, error.detail, temporary=error.temporary)
        return Chain(sealers, fault=fault)
    return Chain(sealers, _vouched_for(sets, sealers, trusted), newest)


def _check_each(signatures: Sequence[Signature], signed: Iterable[bytes]) -> Flow[LookupTxt, None]:
    """Check signatures in order, each with the bytes that it is over. All keys are asked for in one batch.

    Raises:
        VerificationFailed: The first signature that does not fit, or has no key.
    """
    names = dict.fromkeys([signature.key_name for signature in signatures])
    answers = dict(zip(names, (yield from ask_each([_new_lookup(name=name) for name in names])), strict=True))
    for signature, over in zip(signatures, signed, strict=True):
        check_signature(signature, published_key(answers[signature.key_name], signature), over)


def _vouched_for(sets: Sequence[ArcSet], sealers: Sequence[str], trusted: Collection[str]) -> tuple[str, ...]:
    """The signers by the word of trusted sealers, as far back as only trusted ones had the mail, the newest first.

    An earlier one does not count: an untrusted sealer after it may have written another mail.
    """
    signers: dict[str, None] = {}
    for one, sealer in zip(reversed(sets), reversed(sealers), strict=True):
        if sealer not in trusted:
            break
        signers.update(dict.fromkeys(dkim_signers(one.results)))
    return tuple(signers)


# --- the sets (RFC 8617 §4.1, §4.2)


def _read_sets(fields: Mapping[bytes, Sequence[bytes]]) -> list[ArcSet]:
    """The sets of a chain, instance 1 first.

    Raises:
        VerificationFailed: `signature-malformed`: an instance is missing, incomplete, or there twice.
    """
    count = len(fields[_SEAL])
    if count > MAX_INSTANCES:
        raise malformed(f"a chain of more than {MAX_INSTANCES} sets")
    kinds = [fields.get(name, ()) for name in (_RESULTS, _MESSAGE_SIGNATURE, _SEAL)]
    readers = (_results_instance, _tagged_instance, _tagged_instance)
    numbered = [{read(field): field for field in kind} for kind, read in zip(kinds, readers, strict=True)]
    instances = range(1, count + 1)
    if any(len(kind) != count for kind in kinds) or any(by_number.keys() != {*instances} for by_number in numbered):
        raise malformed("each instance from 1 on has one field of each kind")
    return [ArcSet(*[by_number[number] for by_number in numbered]) for number in instances]


def _results_instance(field: bytes) -> int:
    """The instance of an ARC-Authentication-Results field; 0 when it has none."""
    match = _RESULTS_INSTANCE(field) if len(field) <= MAX_BYTES else None
    return int(match[1]) if match else 0


def _tagged_instance(field: bytes) -> int:
    """The instance of a field that is a tag list; 0 when it has none."""
    text = field_tags(field).get("i", "")
    return int(text) if _INSTANCE(text) else 0


def _read_message_signature(field: bytes) -> Signature:
    """An ARC-Message-Signature: a DKIM signature without `v=`, in which `i=` is the instance.

    Raises:
        VerificationFailed: `signature-malformed`, `algorithm-refused`; `coverage-missing`: it does not cover From.

    Spec: RFC 8617 §4.1.2.
    """
    signature = _read(field, field_tags(field))
    if _SEAL in signature.names:
        raise malformed("h= does not have ARC-Seal")
    if b"from" not in signature.names:
        raise VerificationFailed("coverage-missing", "From is not signed")
    return signature


def _read_seal(field: bytes, instance: int) -> Signature:
    """An ARC-Seal: a signature over the sets alone, in relaxed form, with the state of the chain before it.

    Raises:
        VerificationFailed: `signature-malformed`, `algorithm-refused`; `bad-signature`: the chain was broken before it.

    Spec: RFC 8617 §4.1.3.
    """
    tags = field_tags(field)
    if not {"h", "bh", "c", "l"}.isdisjoint(tags):
        raise malformed("a seal has no h=, bh=, c= or l=")
    if tags.get("cv", "").lower() != ("none" if instance == 1 else "pass"):
        raise VerificationFailed("bad-signature", f"cv= of instance {instance} is not that of a valid chain")
    return _read(field, {**tags, "h": "", "bh": _OF_NOTHING})


def _read(field: bytes, tags: Mapping[str, str]) -> Signature:
    """The signature in a field, by the rules of DKIM for the tags that both have."""
    domain, selector = signer(tags)
    shared = {name: value for name, value in tags.items() if name != "i"}
    return read_signature(field, {**shared, "v": "1"}, domain=domain, selector=selector)


def _sealed(sets: Sequence[ArcSet], seal: Signature) -> bytes:
    """The bytes that a seal is over: the sets up to its own, in relaxed form, and itself with an empty `b=`.

    Spec: RFC 8617 §5.1.1.
    """
    fields = [field for one in sets for field in one]
    return b"\r\n".join([*fields[:-1], relaxed_field(seal.without_value)])


# --- the results (RFC 8601 §2.2)


def dkim_signers(results: bytes) -> tuple[str, ...]:
    """The domains of the DKIM signatures that a field of authentication results calls valid; none when it is odd.

    Where it has no `header.d`, the domain in `header.i` counts, which is the signer's or below it.

    Spec: RFC 8601 §2.2, §2.7.1; RFC 8617 §4.1.1.
    """
    try:
        text = _without_comments(results.partition(b":")[2].decode("ascii"))
    except UnicodeDecodeError:
        return ()
    signers: list[str] = []
    for statement in text.split(";")[2:]:  # behind the instance, and the server that says so
        words = "=".join([piece.strip(_SPACE) for piece in statement.split("=")]).split()
        pairs = [(name.lower(), value) for name, _, value in [word.partition("=") for word in words]]
        properties = dict(pairs)
        if len(properties) < len(pairs) or not pairs or pairs[0][0] not in ("dkim", "dkim/1"):
            continue
        identity = properties.get("header.i", "").rpartition("@")[2]
        domain = canonical_domain(properties.get("header.d", identity))
        if pairs[0][1].lower() == "pass" and domain is not None:
            signers.append(domain)
    return tuple(signers)


def _without_comments(text: str) -> str:
    """`text` with a blank for each comment and a mark for each quoted string; "" when one of them has no end."""
    pieces: list[str] = []
    position = depth = 0
    while position < len(text):
        match = (_IN_COMMENT if depth else _TOKEN)(text, position)
        if match is None:
            return ""
        position = match.end()
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            pieces.append(" ")
        elif not depth:
            pieces.append(match["text"] or _QUOTED)
        if depth < 0:
            return ""
    return "" if depth else "".join(pieces)
