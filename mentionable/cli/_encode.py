"""`mentionable encode`: a response to what its transport sends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final, NamedTuple

from .._crypto.keys import SigningKey
from .._errors.exceptions import WireError
from .._flow.settings import Settings
from .._model.codec import decode, decode_parsed_trusted
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import ArtifactPart, DigestRef, FilePart
from ..trace import viewer_of
from ._error import Trouble
from ._files import read, reading
from ._lines import escaped, json_text, note_text, one_line

VIEWER_VARIABLE: Final = "MENTIONABLE_TRACE_VIEWER_URL"


class Options(NamedTuple):
    """The words of one `encode` command, read.

    Attributes:
        transport: `activitypub`, `a2a` or `email`.
        file: The file of the response, or `-`.
        to: The file of the message that it answers.
        now: The time; None: this moment.
        entropy: Random bytes; None: fresh ones.
        base: The URL under which an activity is served.
        key: The file of the signing key.
        key_id: Its id.
        blobs: The folder of content that is named by its digest.
    """

    transport: str
    file: str
    to: str
    now: datetime | None
    entropy: bytes | None
    base: str | None
    key: str | None
    key_id: str | None
    blobs: str | None


class _Facts(NamedTuple):
    """What every door is given beside the response and the message."""

    response: NormalizedResponse
    to: NormalizedMessage
    now: datetime
    entropy: bytes
    blobs: Mapping[str, bytes]
    key: SigningKey | None
    base: str | None
    viewer: str | None


def run(options: Options) -> int:
    """The exit status: 0 when the response was written.

    Raises:
        Trouble: It cannot be tried.
    """
    response = _value(options.file, lambda data: decode(NormalizedResponse, data))
    message = _value(options.to, partial(_message, reply_to=response.reply_to))
    viewer, warning = viewer_of(os.environ.get(VIEWER_VARIABLE))
    if warning is not None:
        print(f"mentionable: {VIEWER_VARIABLE}: {warning.detail}; the default viewer is used", file=sys.stderr)
    facts = _Facts(
        response,
        message,
        options.now or datetime.now(UTC),
        options.entropy or token_bytes(32),
        _blobs(response, options.blobs),
        _key(options.key, options.key_id),
        options.base,
        viewer,
    )
    data, diagnostics = _DOORS[options.transport](facts)
    _write(data)
    for note in diagnostics:
        print(one_line(f"mentionable: {note_text(note)}"), file=sys.stderr)
    return 0


def _write(data: bytes) -> None:
    """Bytes to standard output as they are: a mail has line ends of its own."""
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # somebody put a stream of text in its place
        sys.stdout.write(data.decode())
    else:
        stream.write(data)


def _value(name: str, read_value: Callable[[bytes], Any]) -> Any:
    """What a file of JSON holds."""
    try:
        return read_value(read(name))
    except WireError as error:
        raise Trouble(f"{name}: {error}") from None


def _message(data: bytes, *, reply_to: str) -> NormalizedMessage:
    """The message in its own JSON, or the one that is answered in what `decode` printed."""
    from .._wire.strict_json import STORED_DEPTH, loads

    document = loads(data, max_bytes=len(data), max_depth=STORED_DEPTH, safe_integers=False)
    messages = document.get("messages") if isinstance(document, dict) else None
    if isinstance(messages, list):
        named = [one for one in messages if isinstance(one, dict) and one.get("id") == reply_to]
        if not named:
            raise Trouble(f"--to holds {len(messages)} messages, and none has the id {reply_to[:80]!r} of reply_to")
        document = named[0]
    elif isinstance(document, dict) and "rejected" in document:
        raise Trouble("--to holds no message: it was rejected")
    return decode_parsed_trusted(NormalizedMessage, document)


def _blobs(response: NormalizedResponse, folder: str | None) -> dict[str, bytes]:
    """The content of the parts that name theirs by its digest, from files of that name."""
    found: dict[str, bytes] = {}
    for part in response.parts:
        if folder is not None and isinstance(part, (FilePart, ArtifactPart)) and isinstance(part.bytes_ref, DigestRef):
            path = Path(folder) / part.bytes_ref.digest
            if path.exists():
                found[part.bytes_ref.digest] = read(str(path))
    return found


def _key(name: str | None, key_id: str | None) -> SigningKey | None:
    if name is None and key_id is None:
        return None
    if name is None or key_id is None:
        raise Trouble("--key and --key-id belong together")
    from .._crypto.keys import SigningKey

    with reading(name):
        return SigningKey.from_pem(read(name), key_id=key_id)


def _activitypub(facts: _Facts) -> tuple[bytes, tuple[Diagnostic, ...]]:
    """The activity. An Ed25519 key signs it; an RSA key would sign its deliveries, and here only names the actor."""
    from .. import activitypub

    if facts.base is None:
        raise Trouble("encode activitypub needs --base https://host, under which the activity is served")
    is_rsa = facts.key is None or facts.key.kind == "rsa"
    out = activitypub.reply(
        facts.response,
        to=facts.to,
        base=facts.base,
        key=facts.key,
        now=facts.now,
        entropy=facts.entropy,
        blobs=facts.blobs,
        settings=activitypub.Settings(trace_viewer=facts.viewer, object_key=None if is_rsa else facts.key),
    )
    return _line(out.activity), out.diagnostics


def _a2a(facts: _Facts) -> tuple[bytes, tuple[Diagnostic, ...]]:
    from .. import a2a

    if facts.base is not None or facts.key is not None:
        raise Trouble("encode a2a takes neither --base nor --key: nothing of an A2A answer is served or signed")
    out = a2a.reply(facts.response, to=facts.to, now=facts.now, entropy=facts.entropy, blobs=facts.blobs)
    return f"{escaped(out.response.body.decode())}\n".encode(), out.diagnostics


def _email(facts: _Facts) -> tuple[bytes, tuple[Diagnostic, ...]]:
    from .. import mail

    out = mail.reply(
        facts.response,
        to=facts.to,
        key=facts.key,
        now=facts.now,
        entropy=facts.entropy,
        blobs=facts.blobs,
        settings=Settings(trace_viewer=facts.viewer),
    )
    return out.data, out.diagnostics


def _line(document: Any) -> bytes:
    return f"{json_text(document, compact=False)}\n".encode()


_DOORS: Final[Mapping[str, Callable[[_Facts], tuple[bytes, tuple[Diagnostic, ...]]]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
