"""Every way to fail, and the one table of codes that all of them use.

The tree is `MentionableError` ⇒ `UsageError` (your program called the library wrongly) and `WireError` (data from
outside cannot be taken). A `WireError` carries a code from `CODES`, the same string that conformance cases, `Rejected`
and `docs/errors.md` use. Any other exception caused by hostile input is a bug of this library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from .code import Code as Code
from .codes import CODES as CODES
from .codes import Kind


class MentionableError(Exception):
    """The base of everything that this library raises on purpose."""


class UsageError(MentionableError, ValueError):
    """The library was called wrongly. Never caused by a peer: fix the calling program."""


NO_PRIVATE_WAY: Final = "no-private-way"
"""The reason where an answer has a demand for the person asked alone, and others would read it."""


class UnanswerableError(UsageError):
    """The message is not to be answered: a program sent it, or many read it. Ask `message.answerable` before.

    Attributes:
        reason: Why, as a word for programs: `auto-submitted`. `no-private-way`: the answer has a demand that the person
            asked alone may read, and no way leads to that person alone. Answer without it.
        detail: The sign, in words.
    """

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(reason, detail)

    def __str__(self) -> str:
        advice = (
            "answer without the demand"
            if self.reason == NO_PRIVATE_WAY
            else "mail.Settings(answer_unanswerable=True) answers it all the same"
        )
        return f"to is not answerable: {self.reason} ({self.detail}); {advice}"


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
    """Data from outside cannot be accepted. The peer's fault, or an accident on the way.

    Attributes:
        code: Stable kebab-case code, a key of `CODES`.
        problems: Every fault, each with its JSON Pointer.
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


def with_prefix(error: WireError, under: str) -> WireError:
    """The same error with its places relative to `under`."""
    return error_of(error.code, [Problem(under + problem.at, problem.rule) for problem in error.problems])
