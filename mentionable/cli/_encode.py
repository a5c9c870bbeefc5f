"""`mentionable encode`: encodes a reply for its protocol."""

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
from .._model.codec import decode, decode_parsed_trusted
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedMessage, NormalizedResponse
from .._model.parts import ArtifactPart, DigestRef, FilePart
from ..trace import viewer_of
from ._error import CliError
from ._files import read, reading
from ._lines import diagnostic_text, escaped, json_text, one_line

VIEWER_VARIABLE: Final = "MENTIONABLE_TRACE_VIEWER_URL"


class Options(NamedTuple):
    """The parsed arguments of an `encode` command.

    Attributes:
        transport: `activitypub`, `a2a` or `email`.
        file: The file of the response, or `-`.
        to: The file of the message that it answers.
        now: The time; None: this moment.
        entropy: Random bytes; None: fresh ones.
        base: The base URL of the server that serves the activity.
        key: The file of the signing key.
        key_id: Its id.
        blobs: The folder of files that are named by their digest.
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
    """The arguments of every encoder."""

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
        CliError: The command cannot run.
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
    data, diagnostics = _ENCODERS[options.transport](facts)
    _write(data)
    for diagnostic in diagnostics:
        print(one_line(f"mentionable: {diagnostic_text(diagnostic)}"), file=sys.stderr)
    return 0


def _write(data: bytes) -> None:
    """Write bytes to standard output unchanged: a mail contains its own line ends."""
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # the caller replaced it by a text stream
        sys.stdout.write(data.decode())
    else:
        stream.write(data)


def _value(name: str, read_value: Callable[[bytes], Any]) -> Any:
    """The value that a JSON file contains."""
    try:
        return read_value(read(name))
    except WireError as error:
        raise CliError(f"{name}: {error}") from None


def _message(data: bytes, *, reply_to: str) -> NormalizedMessage:
    """The message in its own JSON, or the one that is answered in what `decode` printed."""
    from .._wire.strict_json import STORED_DEPTH, loads

    document = loads(data, max_bytes=len(data), max_depth=STORED_DEPTH, safe_integers=False)
    messages = document.get("messages") if isinstance(document, dict) else None
    if isinstance(messages, list):
        named = [one for one in messages if isinstance(one, dict) and one.get("id") == reply_to]
        if not named:
            raise CliError(f"--to contains {len(messages)} messages, none with the id {reply_to[:80]!r} of reply_to")
        document = named[0]
    elif isinstance(document, dict) and "rejected" in document:
        raise CliError("--to contains no message: decode rejected it")
    return decode_parsed_trusted(NormalizedMessage, document)


def _blobs(response: NormalizedResponse, folder: str | None) -> dict[str, bytes]:
    """The files of the parts that refer to their content by digest."""
    blobs: dict[str, bytes] = {}
    for part in response.parts:
        if folder is not None and isinstance(part, (FilePart, ArtifactPart)) and isinstance(part.bytes_ref, DigestRef):
            path = Path(folder) / part.bytes_ref.digest
            if path.exists():
                blobs[part.bytes_ref.digest] = read(str(path))
    return blobs


def _key(name: str | None, key_id: str | None) -> SigningKey | None:
    if name is None and key_id is None:
        return None
    if name is None or key_id is None:
        raise CliError("--key and --key-id must be used together")
    from .._crypto.keys import SigningKey

    with reading(name):
        return SigningKey.from_pem(read(name), key_id=key_id)


def _activitypub(facts: _Facts) -> tuple[bytes, tuple[Diagnostic, ...]]:
    """The activity. An Ed25519 key signs it; an RSA key would sign its deliveries, and here only names the actor."""
    from .. import activitypub

    if facts.base is None:
        raise CliError("encode activitypub needs --base https://host, the URL of your server")
    is_rsa = facts.key is None or facts.key.kind == "rsa"
    out = activitypub.reply(
        facts.response,
        to=facts.to,
        base=facts.base,
        now=facts.now,
        entropy=facts.entropy,
        blobs=facts.blobs,
        settings=activitypub.Settings(
            trace_viewer=facts.viewer, key=facts.key, object_key=None if is_rsa else facts.key
        ),
    )
    return _line(out.activity), out.diagnostics


def _a2a(facts: _Facts) -> tuple[bytes, tuple[Diagnostic, ...]]:
    from .. import a2a

    if facts.base is not None or facts.key is not None:
        raise CliError("encode a2a takes neither --base nor --key: an A2A reply is not signed")
    out = a2a.reply(facts.response, to=facts.to, now=facts.now, entropy=facts.entropy, blobs=facts.blobs)
    return f"{escaped(out.response.body.decode())}\n".encode(), out.diagnostics


def _email(facts: _Facts) -> tuple[bytes, tuple[Diagnostic, ...]]:
    from .. import mail

    out = mail.reply(
        facts.response,
        to=facts.to,
        now=facts.now,
        entropy=facts.entropy,
        blobs=facts.blobs,
        settings=mail.Settings(key=facts.key, trace_viewer=facts.viewer),
    )
    return out.data, out.diagnostics


def _line(document: Any) -> bytes:
    return f"{json_text(document, compact=False)}\n".encode()


_ENCODERS: Final[Mapping[str, Callable[[_Facts], tuple[bytes, tuple[Diagnostic, ...]]]]] = {
    "activitypub": _activitypub,
    "a2a": _a2a,
    "email": _email,
}
