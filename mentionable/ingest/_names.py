"""Names of tools in the form that a provider takes, each tool under another name."""

from __future__ import annotations

from base64 import b32encode
from hashlib import sha256
from typing import Final, get_args

from .._errors.exceptions import UsageError
from .._wire.strict_json import well_formed
from ._neutral import SAME_FORM, Dialect
from ._rules import RULES, WordRule, fits

_DIGEST: Final = 13
"""Characters of a digest in base32: 65 bits, so that an attacker finds no other tool with the same written name."""

_DIGITS: Final = "abcdefghijklmnopqrstuvwxyz234567"


def tool_name(name: str, *, dialect: Dialect = "openai") -> str:
    """Write the name of a tool as a provider takes it: declare the tool under this name.

    A name in the form of the provider stays as it is. In any other, `_` replaces each character that the provider does
    not take, and a digest of the whole name follows. So two tools never have one name: a name that already ends like
    such a digest gets one too.

    Args:
        name: The name that the program has for the tool.
        dialect: As in `lower`, whose result has the names that it wrote as `names`.

    Raises:
        UsageError: The name is empty or no text, or the dialect has none of its values.

    Spec: Message Ingest Contract §What the assembly layer does on your behalf.

    Example:
        >>> tool_name("get_weather", dialect="anthropic")
        'get_weather'
        >>> tool_name("files/read all", dialect="anthropic")
        'files_read_all_w3prwbz4odqbg'
    """
    if not (name and isinstance(name, str)):
        raise UsageError("name: expected the name of a tool")
    if dialect not in get_args(Dialect):
        raise UsageError(f"dialect: expected {' or '.join(map(repr, get_args(Dialect)))}")
    return written_name(well_formed(name), RULES[SAME_FORM.get(dialect, dialect)].names)


def written_name(name: str, rule: WordRule | None) -> str:
    """A name in the form of a rule."""
    if rule is None or (fits(name, rule) and not _has_digest(name)):
        return name
    digest = b32encode(sha256(name.encode()).digest())[:_DIGEST].decode("ascii").lower()
    start = "".join([one if one in rule.characters else "_" for one in name[: rule.max_length - _DIGEST - 1]])
    if rule.first and start[0] not in rule.first:
        start = f"_{start[:-1]}" if len(start) + _DIGEST + 1 == rule.max_length else f"_{start}"
    return f"{start}_{digest}"


def _has_digest(name: str) -> bool:
    """Whether a name ends like one that was changed."""
    return len(name) > _DIGEST and name[-_DIGEST - 1] == "_" and not name[-_DIGEST:].strip(_DIGITS)
