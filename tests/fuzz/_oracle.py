"""What must hold of everything that the library makes of foreign bytes; each target asks for its share of it."""

from __future__ import annotations

import json
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mentionable import (
    CODES,
    NormalizedMessage,
    NormalizedResponse,
    Received,
    Rejected,
    Verdict,
    WireError,
    decode,
    decode_trusted,
    dumps,
    encode,
)
from mentionable._wire.strict_json import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SLOW: Final = 0.5
"""Processor seconds that any input may take, under the watch of a fuzzer."""

SLOW_PER_BYTE: Final = 1e-4
MOST_PER_BYTE: Final = 200
"""Bytes of output that one byte of input may become, beside a fixed share."""

FIXED_OUTPUT: Final = 200_000


class Broken(AssertionError):
    """A law of the library does not hold for an input."""


class Target(NamedTuple):
    """Something that takes foreign bytes.

    Attributes:
        name: Under which it is run, and has its folder of found inputs.
        run: Gives one input to the library and asks what came of it; says in a word what that was.
        seeds: Inputs to begin with, made of the conformance cases and samples.
        words: Modules of the library whose words an input may hold.
    """

    name: str
    run: Callable[[bytes], str]
    seeds: Callable[[], Iterable[bytes]]
    words: tuple[str, ...]


def must(holds: object, law: str) -> None:
    """Raises unless a law holds."""
    if not holds:
        raise Broken(law)


def is_documented(error: WireError) -> None:
    """An error that data may cause has a code of the table, and says where in text that can be logged."""
    must(error.code in CODES, f"{error.code} is a code of the table")
    must(is_text(str(error)), "an error can be written")


def is_written_and_read(value: NormalizedMessage | NormalizedResponse) -> None:
    """What is written is read back; from anyone it is the same, but for the trust that nobody may claim (law 1)."""
    data = dumps(value)
    must(decode_trusted(type(value), data) == value, "restore(dumps(x)) is x")
    must(encode(value) == json.loads(data), "dumps writes what encode gives")
    said = decode(type(value), data)
    if isinstance(said, NormalizedMessage):
        must(not said.sender.verified, "nobody says that they are verified")
    else:
        must(said == value, "decode(dumps(x)) is x, where no trust is carried")
    must(decode(type(value), dumps(said)) == said, "decode(encode(x)) is x")


def as_message(outcome: Any) -> Any:
    """The outcome; of a report about a mail the message that it came as."""
    return getattr(outcome, "received", outcome)


def is_sound(outcome: object, *, size: int) -> None:
    """An outcome is one of the two, with codes of the table, values that are written and read, and of bounded size."""
    must(isinstance(outcome, (Received, Rejected)), "a unit is received or rejected (law 2)")
    if isinstance(outcome, Rejected):
        must(outcome.code in CODES, "a rejection has a code of the table")
        must(outcome.smtp_reply and outcome.http_status and outcome.error, "a rejection can be told")
        return
    assert isinstance(outcome, Received)
    must({note.code for note in outcome.diagnostics} <= CODES.keys(), "diagnostics have codes of the table")
    for message in outcome.messages:
        is_written_and_read(message)
        must(len(dumps(message)) <= FIXED_OUTPUT + MOST_PER_BYTE * size, "a message is about as large as its unit")
        if message.sender.verified:
            must(outcome.verdict.verified, "a sender is verified by the verdict alone")
            must(message.sender.address == outcome.verdict.address, "a sender is whom the verdict shows")


def shows_nobody(outcome: Received | Rejected, verdict: Verdict | None) -> None:
    """Without a key in an answer nobody is verified (law 5). `verdict` is that of `verify`, where a room has it."""
    must(verdict is None or not verdict.verified, "verify shows nobody without a key")
    must(outcome.verdict is None or not outcome.verdict.verified, "receive shows nobody without a key")
    if isinstance(outcome, Received):
        must(not any(message.sender.verified for message in outcome.messages), "no sender is verified without a key")
        must(not outcome.identities, "no identity comes without a key")


def in_time(run: Callable[[bytes], str], data: bytes) -> str:
    """What `run` says; an input that takes too long for its size, and not by chance, breaks law 2."""
    most = SLOW + SLOW_PER_BYTE * len(data)
    for _ in range(3):
        start = process_time()
        said = run(data)
        if process_time() - start <= most:
            return said
    raise Broken(f"work grows linearly: more than {most:.1f} s for {len(data)} bytes")


def one_line(text: str) -> bool:
    """Whether text can be shown in one line, without a control character."""
    return not any(char < " " or "\x7f" <= char <= "\x9f" for char in text)


def deep(value: Any) -> int:
    """How deep a JSON value is nested."""
    deepest, level = 0, [value]
    while level := [one for one in level if isinstance(one, (dict, list))]:
        deepest += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return deepest
