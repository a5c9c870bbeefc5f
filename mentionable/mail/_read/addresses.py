"""Mailboxes: the whole address grammar of RFC 5322, old forms included, without recursion and in linear time.

Only the place of the characters decides where an address is. Encoded words are decoded afterwards, and only in display
names, so that no decoded text can look like an address.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._text.media import one_line
from .encoded_words import clean_line, decode_words

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]++"
_DOMAIN: Final = r"[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)*"
# One mailbox of an ordinary list: [name] <local@domain>, or local@domain alone, up to its comma or the end.
_ORDINARY: Final = re.compile(
    rf"[ \t]*+(?:(\"[^\"\\]*+\"[ \t]*+|[^\"<>,;:()@\\\[\]]*+)<({_ATOM}(?:\.{_ATOM})*@{_DOMAIN})>"
    rf"|({_ATOM}(?:\.{_ATOM})*@{_DOMAIN}))[ \t]*+(?:,|\Z)"
).match
# A quoted string or a domain literal that never ends reaches to the end of the field: nothing is looked at twice.
_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t]++)|\"(?P<quoted>[^\"\\]*+(?:\\.[^\"\\]*+)*)\"?+|(?P<literal>\[[^\[\]\\]*+(?:\\.[^\[\]\\]*+)*\]?+)"
    r"|(?P<special>[()<>,;:@])|(?P<word>[^ \t\"\[()<>,;:@\\]++)|(?P<stray>.)",
    re.DOTALL,
).match
_IN_COMMENT: Final = re.compile(r"[^()\\]++|(?:\\.[^()\\]*+)+", re.DOTALL).match
_QUOTED_PAIR: Final = re.compile(r"\\(.)", re.DOTALL)


class Mailbox(NamedTuple):
    """One mailbox of an address field.

    Attributes:
        name: The display name, decoded; None when there is none.
        address: `local@domain` as it was written, without blanks and comments; "" when there is none.
        group: The number of the group it stands in; None outside groups.
    """

    name: str | None
    address: str
    group: int | None = None


class Addresses(NamedTuple):
    """An address field: its mailboxes in order, the names of its groups, and what is odd about it, in words, or ""."""

    mailboxes: tuple[Mailbox, ...]
    groups: tuple[str, ...] = ()
    fault: str = ""


_REMEMBERED_CHARS: Final = 200


def read_addresses(value: str, *, name: str, limit: int) -> Addresses:
    """The mailboxes of the address field `name`, which is in lower case.

    Raises:
        LimitError: There are more than `limit`.

    Spec: RFC 5322 §3.4, §4.4; RFC 6532.
    """
    return (_remembered if len(value) < _REMEMBERED_CHARS else _read_addresses)(value, name, limit)


def _read_addresses(value: str, field: str, limit: int) -> Addresses:
    """`read_addresses`. Depends on its arguments alone, so short fields are remembered: people write again."""
    mailboxes: list[Mailbox] = []
    position, end = 0, len(value)
    while position < end:
        match = _ORDINARY(value, position)
        if match is None:
            return _AddressReader(value, field, limit).read()
        name, in_angles, bare = match.groups()
        if name:
            name = name.strip()
            name = name[1:-1] if name[:1] == '"' else decode_words(name) if "=?" in name else name
            name = one_line(name)
        mailboxes.append(Mailbox(name or None, in_angles or bare))
        if len(mailboxes) > limit:
            raise _too_many(field, limit)
        position = match.end()
    return Addresses(tuple(mailboxes))


_remembered = lru_cache(maxsize=1024)(_read_addresses)


def _too_many(field: str, limit: int) -> Exception:
    return wire_error("too-many-recipients", f"/headers/{field}", f"an address field has at most {limit} addresses")


class _AddressReader:
    """Reads one address field token by token. What is gathered for the current mailbox is reset at each comma."""

    def __init__(self, value: str, field: str, limit: int) -> None:
        self._value = value
        self._field = field
        self._limit = limit
        self._mailboxes: list[Mailbox] = []
        self._groups: list[str] = []
        self._group: int | None = None
        self._fault = ""
        self._start_mailbox()

    def read(self) -> Addresses:
        """The whole field."""
        position = 0
        while (match := _TOKEN(self._value, position)) is not None:
            position = match.end()
            kind = match.lastgroup or ""
            if kind == "quoted" and position == match.end("quoted"):
                self._odd("a quoted string without its end")
            if self._value[match.start()] == "(":
                position = self._comment(match.start())
            else:
                self._take(kind, match[kind])
        self._end_mailbox()
        if self._group is not None:
            self._odd("a group without its end")
        return Addresses(tuple(self._mailboxes), tuple(self._groups), self._fault)

    def _start_mailbox(self) -> None:
        self._phrase: list[tuple[str, bool]] = []  # pieces of the display name, and whether each was quoted
        self._comments: list[str] = []
        self._outside: list[str] = []  # the same tokens as they stand, in case they are a bare address
        self._inside: list[str] | None = None  # the tokens between < and >
        self._closed = False
        self._route = False

    def _odd(self, fault: str) -> None:
        self._fault = self._fault or fault

    def _take(self, kind: str, text: str) -> None:
        if kind == "special":
            self._special(text)
        elif kind == "stray":
            self._odd("a stray character")
        elif self._closed:
            if kind != "blank":
                self._odd("text after an address")
        elif kind == "quoted":
            if self._inside is None:
                self._phrase.append((_QUOTED_PAIR.sub(r"\1", text), True))
            self._address_token(f'"{text}"')
        else:
            if self._inside is None:
                self._phrase.append((text, False))
            self._address_token(" " if kind == "blank" else text)

    def _address_token(self, text: str) -> None:
        """Adds to what may be an address. Blanks at its ends and around its @ are nothing."""
        tokens = self._outside if self._inside is None else self._inside
        if text != " ":
            if text == "@" and tokens and tokens[-1] == " ":
                tokens.pop()
            tokens.append(text)
        elif tokens and tokens[-1] not in ("@", " "):
            tokens.append(text)

    def _special(self, char: str) -> None:
        inside = self._inside is not None and not self._closed
        if char == ",":
            if not self._route:
                self._end_mailbox()
        elif char == ";":
            self._end_mailbox()
            if self._group is None:
                self._odd("a semicolon outside a group")
            self._group = None
        elif char == ":" and self._inside is not None and inside:
            self._inside.clear()
            self._route = False
        elif char == ":" and self._group is None and not self._closed:
            self._group = len(self._groups)
            self._groups.append(self._phrase_text() or "")
            self._start_mailbox()
        elif char == "<" and self._inside is None:
            self._inside = []
        elif char == ">" and inside:
            self._closed = True
        elif char == "@" and not self._closed:
            self._at_sign()
        else:
            self._odd("a stray character")

    def _at_sign(self) -> None:
        if self._inside is None:
            self._phrase.append(("@", False))
        elif not self._inside:
            self._route = True
            self._odd("a route before an address")
        self._address_token("@")

    def _comment(self, position: int) -> int:
        """Reads a comment, nested ones included; the position after it."""
        self._odd("a comment")
        depth, value = 0, self._value
        text: list[str] = []
        while position < len(value):
            match = _IN_COMMENT(value, position)
            if match is not None:
                text.append(match.group())
                position = match.end()
                continue
            char = value[position]
            position += 1
            if char == ")":
                depth -= 1
                if not depth:
                    break
            if depth:
                text.append(char)
            if char == "(":
                depth += 1
        self._comments.append(_QUOTED_PAIR.sub(r"\1", "".join(text)))
        return position

    def _phrase_text(self) -> str | None:
        """The display name. Runs outside quotes are decoded as encoded words; what is quoted is not."""
        runs: list[str] = []
        plain: list[str] = []
        for text, quoted in [*self._phrase, ("", True)]:
            if not quoted:
                plain.append(text)
                continue
            run = "".join(plain)
            plain.clear()
            runs += (decode_words(run) if "=?" in run else run, text)
        return one_line("".join(runs)) or None

    def _end_mailbox(self) -> None:
        """Puts together what was gathered since the last comma, if anything was."""
        name: str | None = None
        if self._inside is not None:
            if not self._closed:
                self._odd("an address without its end")
            name, address = self._phrase_text(), "".join(self._inside).strip()
        else:
            name, address = self._bare_address("".join(self._outside).strip())
        if not name and self._comments:
            name = one_line(decode_words(self._comments[-1])) or None
        if address or name:
            self._mailboxes.append(Mailbox(name, clean_line(address), self._group))
            if len(self._mailboxes) > self._limit:
                raise _too_many(self._field, self._limit)
        self._start_mailbox()

    def _bare_address(self, text: str) -> tuple[str | None, str]:
        """The name and the address in what stands outside `<>`: the one word with an @ is the address."""
        if "@" not in self._outside:
            return self._phrase_text(), ""
        if " " not in text or '"' in text:
            return None, text
        words = text.split(" ")
        addresses = [word for word in words if "@" in word]
        if len(addresses) > 1:
            return None, text
        self._odd("a name beside an address without <>")
        words.remove(addresses[0])
        return one_line(decode_words(" ".join(words))) or None, addresses[0]
