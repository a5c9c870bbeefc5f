"""Authentication challenges as the header fields of HTTP, both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from .._model.policy import AuthChallenge

_MAX_CHALLENGES: Final = 16
_MAX_PARAMETERS: Final = 32
_MAX_LENGTH: Final = 8_192
"""Characters of all challenges together."""

_WORD: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
_WORD68: Final = r"[A-Za-z0-9._~+/-]++=*+"
_UNESCAPED: Final = r"[\t !\x23-\x5b\x5d-\x7e\x80-\xff]*+"
_QUOTED: Final = rf'"({_UNESCAPED}(?:\\[\t \x21-\x7e\x80-\xff]{_UNESCAPED})*)"'
_END: Final = r"[ \t]*+(?:\Z|,[ \t,]*+)"

_NEXT: Final = re.compile(r"[ \t,]*+").match
_PARAMETER: Final = re.compile(
    rf"(?:(?P<scheme>{_WORD})[ ]++)?(?P<name>{_WORD})[ \t]*+=[ \t]*+(?:(?P<bare>{_WORD})|{_QUOTED}){_END}"
).match
_CHALLENGE: Final = re.compile(rf"(?P<scheme>{_WORD})(?:[ ]++(?P<token68>{_WORD68}))?{_END}").match
_ESCAPED: Final = re.compile(r"\\(.)").sub
_TO_ESCAPE: Final = str.maketrans({'"': '\\"', "\\": "\\\\"})

_is_68: Final = re.compile(_WORD68).fullmatch
_is_plain: Final = re.compile(r"[\t -~]*+").fullmatch


def write_challenges(challenges: Iterable[AuthChallenge]) -> str | None:
    """The value of `WWW-Authenticate` for challenges, or None when there is none to write.

    What a header cannot carry is left out, for the body has it: values with anything but visible ASCII and blanks, and
    whatever would make more than 16 challenges, 32 parameters of one, or 8 KiB together. Every value is quoted. A
    challenge without parameters may have a `token68` in its `extra`.

    Spec: RFC 9110 §11.6.1.

    Example:
        >>> write_challenges([AuthChallenge(scheme="Bearer", params={"realm": "a"}), AuthChallenge(scheme="Negotiate")])
        'Bearer realm="a", Negotiate'
    """
    written: list[str] = []
    length = 0
    for challenge in challenges:
        if len(written) == _MAX_CHALLENGES:
            break
        text = _written(challenge)
        if length + len(text) + 2 <= _MAX_LENGTH:
            written.append(text)
            length += len(text) + 2
    return ", ".join(written) or None


def _written(challenge: AuthChallenge) -> str:
    """One challenge."""
    plain = [(name, value) for name, value in (challenge.params or {}).items() if _is_plain(value)]
    if plain:
        parameters = [f'{name}="{value.translate(_TO_ESCAPE)}"' for name, value in plain[:_MAX_PARAMETERS]]
        return f"{challenge.scheme} {', '.join(parameters)}"
    token68 = None if challenge.params else challenge.extra.get("token68")
    has_token = isinstance(token68, str) and _is_68(token68)
    return f"{challenge.scheme} {token68}" if has_token else challenge.scheme


def read_challenges(header_values: Iterable[str]) -> tuple[AuthChallenge, ...]:
    """The challenges of one or several `WWW-Authenticate` fields; none at all when anything in them cannot be read.

    Names of parameters come in lower case, for their case says nothing; a `token68` comes in `extra`. More than 16
    challenges, 32 parameters of one, or 8 KiB together are not read. Never raises.

    Spec: RFC 9110 §11.3, §11.6.1.

    Example:
        >>> [challenge.scheme for challenge in read_challenges(['Bearer realm="a, b", Negotiate'])]
        ['Bearer', 'Negotiate']
    """
    text = header_values if isinstance(header_values, str) else ",".join(header_values)
    if len(text) > _MAX_LENGTH:
        return ()
    challenges: list[AuthChallenge] = []
    scheme: str | None = None
    parameters: dict[str, str] = {}
    blanks = _NEXT(text)
    at = 0 if blanks is None else blanks.end()
    while at < len(text):
        match = _PARAMETER(text, at) or _CHALLENGE(text, at)
        if match is None or len(challenges) > _MAX_CHALLENGES:
            return ()
        at = match.end()
        groups = match.groupdict()
        if groups["scheme"] is not None:
            if scheme is not None:
                challenges.append(_challenge(scheme, parameters))
            scheme, parameters = groups["scheme"], {}
        if "name" not in groups:
            challenges.append(_challenge(match["scheme"], {}, token68=groups["token68"]))
            scheme = None
            continue
        name = groups["name"].lower()
        if scheme is None or name in parameters or len(parameters) == _MAX_PARAMETERS:
            return ()
        parameters[name] = groups["bare"] if groups["bare"] is not None else _ESCAPED(r"\1", match[4] or "")
    if scheme is not None:
        challenges.append(_challenge(scheme, parameters))
    return tuple(challenges) if len(challenges) <= _MAX_CHALLENGES else ()


def _challenge(scheme: str, parameters: Mapping[str, str], token68: str | None = None) -> AuthChallenge:
    extra = {} if token68 is None else {"token68": token68}
    return AuthChallenge(scheme=scheme, params=parameters or None, extra=extra)
