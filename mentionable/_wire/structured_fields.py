"""Structured fields of HTTP: a dictionary is read in any legal spelling, and each value is written in the one form.

Only dictionaries are read, because every field of signatures and digests is one. What a signature covers is the one
form (RFC 9421 §2.3), so a value here is that form, with its kind. Repeated names are not resolved: readers of what is
signed refuse them.

Spec: RFC 9651, which replaces RFC 8941.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias
from urllib.parse import quote_from_bytes, unquote_to_bytes

from .base64 import base64_decode

Kind: TypeAlias = Literal["string", "integer", "decimal", "token", "bytes", "boolean", "date", "display", "list"]

_KINDS: Final[tuple[Kind, ...]] = ("string", "integer", "decimal", "token", "bytes", "boolean", "date", "display")
"""In the order of the groups of `_BARE`."""

_KEY: Final = r"([a-z*][a-z0-9_.*-]*+)"
_BARE: Final = (
    r'(?:"([ !#-\[\]-~]*+(?:\\["\\][ !#-\[\]-~]*+)*)"'
    r"|(-?[0-9]{1,15})(?![0-9.])"
    r"|(-?[0-9]{1,12}\.[0-9]{1,3})(?![0-9.])"
    r"|([A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*+)"
    r"|:([A-Za-z0-9+/=]*+):"
    r"|\?([01])"
    r"|@(-?[0-9]{1,15})(?![0-9.])"
    r'|%"([ !#$&-~]*+(?:%[0-9a-f]{2}[ !#$&-~]*+)*)")'
)
_MEMBER: Final = re.compile(rf"{_KEY}(?:=(?:{_BARE}|(\()))?").match
_ITEM: Final = re.compile(rf" *+{_BARE}").match
_PARAMETER: Final = re.compile(rf"; *+{_KEY}(?:={_BARE})?").match
_BETWEEN: Final = re.compile(r"[ \t]*+,[ \t]*+(?!\Z)").match
_END_OF_LIST: Final = re.compile(r" *+\)").match
_UNESCAPED: Final = " !#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""What a display string has as it is, besides letters and digits."""


class Value(NamedTuple):
    """A value in the one form that RFC 9651 §4.1 gives it.

    Attributes:
        kind: What it is.
        text: How it is written, without its parameters.
        parameters: Its parameters, in order; one name may be there twice.
        items: The items of an inner list.
    """

    kind: Kind
    text: str
    parameters: tuple[tuple[str, Value], ...] = ()
    items: tuple[Value, ...] = ()

    @property
    def string(self) -> str:
        """The content of a string; how anything else is written."""
        if self.kind != "string":
            return self.text
        content = self.text[1:-1]
        return re.sub(r"\\(.)", r"\1", content) if "\\" in content else content

    @property
    def written(self) -> str:
        """How it is written with its parameters."""
        if not self.parameters:
            return self.text
        return self.text + "".join([f";{_pair(name, value)}" for name, value in self.parameters])


def read_dictionary(text: str) -> tuple[list[tuple[str, Value]], bool]:
    """The members of a dictionary, in order, as far as it can be read; and whether it could be read whole.

    Base64 has one spelling here: where signatures are read, no other is accepted.

    Spec: RFC 9651 §4.2.2.

    Example:
        >>> [(name, value)], is_whole = read_dictionary('sig1=( "@method"  "date" ); created=0042')
        >>> name, value.written, is_whole
        ('sig1', '("@method" "date");created=42', True)
    """
    text = text.strip(" \t")
    members: list[tuple[str, Value]] = []
    at = 0
    while (match := _MEMBER(text, at)) is not None:
        name, at = match[1], match.end()
        if match[10] is not None:
            value, at = _inner_list(text, at)
        else:
            value = _bare(match)
        if value is None:
            return members, False
        parameters, at = _parameters(text, at)
        if parameters is None:
            return members, False
        members.append((name, value._replace(parameters=parameters) if parameters else value))
        between = _BETWEEN(text, at)
        if between is None:
            return members, at == len(text)
        at = between.end()
    return members, not text


def dictionary_text(members: list[tuple[str, Value]]) -> str:
    """How a dictionary is written (RFC 9651 §4.1.2)."""
    return ", ".join([_pair(name, value) for name, value in members])


def _pair(name: str, value: Value) -> str:
    """A name with its value, which is not written where it is true."""
    return f"{name}={value.written}" if value.text != "?1" else name + value.written[2:]


def _inner_list(text: str, at: int) -> tuple[Value | None, int]:
    """The inner list whose items begin at `at`, and where its parameters begin."""
    items: list[Value] = []
    while (end := _END_OF_LIST(text, at)) is None:
        match = _ITEM(text, at)
        if match is None or (items and text[at] != " "):
            return None, at
        value = _bare(match, groups_before=0)
        parameters, at = _parameters(text, match.end())
        if value is None or parameters is None:
            return None, at
        items.append(value._replace(parameters=parameters) if parameters else value)
    return Value("list", f"({' '.join([item.written for item in items])})", (), tuple(items)), end.end()


def _parameters(text: str, at: int) -> tuple[tuple[tuple[str, Value], ...] | None, int]:
    """The parameters that begin at `at`, and where they end; None for a value that has no one form."""
    parameters: list[tuple[str, Value]] = []
    while (match := _PARAMETER(text, at)) is not None:
        value = _bare(match)
        if value is None:
            return None, at
        parameters.append((match[1], value))
        at = match.end()
    return tuple(parameters), at


def _bare(match: re.Match[str], groups_before: int = 1) -> Value | None:
    """The value that a pattern has match, behind so many other groups; a name alone is true."""
    group = match.lastindex or 0
    if group <= groups_before:
        return Value("boolean", "?1")
    kind, content = _KINDS[group - 1 - groups_before], match[group]
    text: str | None = content
    if kind == "string":
        text = f'"{content}"'
    elif kind == "integer":
        text = str(int(content))
    elif kind == "bytes":
        text = None if base64_decode(content) is None else f":{content}:"
    elif kind == "boolean":
        text = f"?{content}"
    elif kind == "date":
        text = f"@{int(content)}"
    elif kind == "decimal":
        text = _decimal(content)
    elif kind == "display":
        text = _display(content)
    return None if text is None else Value(kind, text)


def _decimal(content: str) -> str:
    """A decimal without zeros that say nothing."""
    whole, _, fraction = content.removeprefix("-").partition(".")
    text = f"{int(whole)}.{fraction.rstrip('0') or '0'}"
    return text if content[0] != "-" or text == "0.0" else f"-{text}"


def _display(content: str) -> str | None:
    """A display string in its one form, when it is UTF-8."""
    data = unquote_to_bytes(content)
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    escaped = re.sub("%..", lambda escape: escape[0].lower(), quote_from_bytes(data, safe=_UNESCAPED))
    return f'%"{escaped}"'
