"""Which URLs a policy may lead people to: those of the agent's own host.

The test is an allow-list on the text. Nothing is parsed and compared afterwards, because no two parsers agree on odd
URLs, and the one that matters is in somebody's browser. What passes is passed on unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from .._errors.exceptions import Problem, UsageError, wire_error
from .._model.base import replace
from .._model.policy import PolicyPart, Unauthorized
from .._wire.authority import is_authority, split_authority
from .._wire.strict_json import pointer

_SCHEME: Final = "https://"
_MAX_LENGTH: Final = 2_048
_PLAIN: Final = r"[A-Za-z0-9._~!$&()*+,;=:@/?-]*+"
_CHARACTERS: Final = rf"{_PLAIN}(?:%[0-9A-Fa-f]{{2}}{_PLAIN})*"
_TAIL: Final = re.compile(rf"{_CHARACTERS}(?:#{_CHARACTERS})?").fullmatch
_HIDDEN_IN_PATH: Final = re.compile(r"%(?:[01][0-9A-Fa-f]|7[Ff]|2[EeFf]|5[Cc])").search
_HIDDEN: Final = re.compile(r"%0[0AaDd]").search

_NOT_IN_URLS: Final = str.maketrans("", "", "\t\r\n")
"""Browsers take these out of a URL before they read it."""

_LIKE_URL: Final = re.compile(
    r"[^A-Za-z/\\]*+(?:(?:[A-Za-z][A-Za-z0-9+.-]*:){0,4}?"
    r"(?i:https?|ftp|wss?|file|blob|data|javascript|vbscript|intent|view-source):"
    r"|(?:[A-Za-z][A-Za-z0-9+.-]*+:)+[/\\]{2}|[/\\]{2,}+[A-Za-z0-9+=_-]*+[^A-Za-z0-9+=_/\\-])"
).match
"""With any signs in front: schemes that browsers follow, maybe behind others; any scheme and two slashes; and two
slashes with a host, in which stands what base64 has not."""


def bind_url(url: str, authority: str, *, also: Collection[str] = ()) -> str:
    """The URL itself, unchanged, when it is one of the agent's own host; anything else raises.

    The text must be `https://`, exactly the authority, then its end or a plain path, query and fragment. There is no
    way to write userinfo, another port, a subdomain, dot segments, backslashes or control characters, encoded ones
    included. What the agent's host redirects to cannot be seen here: an open redirect there defeats the rule.

    Args:
        url: What people are to open.
        authority: The agent's canonical host as the operator configured it: `agent.example`, or `agent.example:8443`
            when URLs name a port, which then must be there.
        also: Other authorities that count as the agent's, each exactly, from a verified agent card.

    Raises:
        UsageError: An authority is not a lower-case DNS name that a URL can be bound to.
        WireError: `url-refused`, with the rule that the URL breaks.

    Spec: PolicyPart §Base Fields (url), §Security Rules.

    Example:
        >>> bind_url("https://agent.example/pay?order=7", "agent.example")
        'https://agent.example/pay?order=7'
        >>> bind_url("https://agent.example.evil.example/", "agent.example")
        Traceback (most recent call last):
        mentionable._errors.exceptions.DecodeError: url-refused; its host is not that of the agent
    """
    _check_authorities(authority, also)
    reason = url_violation(url, authority, also=also)
    if reason is not None:
        raise wire_error("url-refused", "", reason)
    return url


def url_violation(url: object, authority: str, *, also: Collection[str] = ()) -> str | None:
    """The rule that a URL breaks, in words; None when it breaks none. Never raises.

    The authority may come from outside, such as the domain of a sender: one that is no canonical DNS name binds
    nothing, so every URL is refused.

    Spec: PolicyPart §Base Fields (url), §Security Rules.
    """
    if not isinstance(url, str) or not 0 < len(url) <= _MAX_LENGTH or not url.isascii():
        return f"it is not ASCII text of 1 to {_MAX_LENGTH} characters"
    if not url.startswith(_SCHEME):
        return f"it does not begin with {_SCHEME}"
    host, rest = split_authority(url)
    if host not in (authority, *also) or not is_authority(host):
        return "its host is not that of the agent"
    if _TAIL(rest) is None:
        return "it has characters that a URL may not have"
    path = rest.partition("#")[0].partition("?")[0]
    if "//" in path or not {".", ".."}.isdisjoint(path.split("/")):
        return "its path has empty or dot segments"
    if _HIDDEN_IN_PATH(path) or _HIDDEN(rest):
        return "it encodes characters that it may not have"
    return None


def unbound_urls(policy: PolicyPart, authority: str, *, also: Collection[str] = ()) -> tuple[Problem, ...]:
    """Each URL of a policy that does not lead to the agent's own host, by its place; empty when all of them do.

    Looked at are `url` and the parameters of authentication challenges that look like URLs, but for `scope`, which
    names things that are not opened. The payload of an accepted payment is its scheme's own and is not looked at: who
    does not know the scheme falls back to `url`. Where consent comes back to, `return_to`, is bound by other rules.

    Args:
        policy: One that came in, or goes out.
        authority: The agent's canonical host, as `url_violation` takes it; one that is no canonical DNS name binds
            nothing.
        also: Other authorities that count as the agent's.

    Spec: PolicyPart §Base Fields (url), §Security Rules.

    Example:
        >>> from mentionable.policy import Forbidden
        >>> [str(problem) for problem in unbound_urls(Forbidden(message="No", url="https://b.example/"), "a.example")]
        ['/url: its host is not that of the agent']
    """
    places = [("/url", policy.url)]
    if isinstance(policy, Unauthorized):
        places += [
            (pointer("auth_challenges", index, "params", name), parameter)
            for index, challenge in enumerate(policy.auth_challenges)
            for name, parameter in (challenge.params or {}).items()
            if name.lower() != "scope" and _LIKE_URL(parameter.translate(_NOT_IN_URLS))
        ]
    problems = []
    for at, url in places:
        reason = None if url is None else url_violation(url, authority, also=also)
        if reason is not None:
            problems.append(Problem(at, reason))
    return tuple(problems)


def bound(policy: PolicyPart, authority: str, *, also: Collection[str] = ()) -> tuple[PolicyPart, tuple[Problem, ...]]:
    """A policy without the URLs that are not on the hosts of the agent that demands, and why each was left out."""
    problems = unbound_urls(policy, authority, also=also)
    if not problems:
        return policy, ()
    if any(problem.at == "/url" for problem in problems):
        policy = replace(policy, url=None, action_label=None)
    if isinstance(policy, Unauthorized):
        numbers = {int(problem.at.split("/")[2]) for problem in problems if problem.at != "/url"}
        challenges = [one for number, one in enumerate(policy.auth_challenges) if number not in numbers]
        policy = replace(policy, auth_challenges=tuple(challenges))
    return policy, problems


def _check_authorities(authority: str, also: Collection[str]) -> None:
    """Raises when what the operator configured binds nothing."""
    if isinstance(also, str):
        raise UsageError("also is a collection of authorities, not one text")
    for one in (authority, *also):
        if not is_authority(one):
            raise UsageError(f"{one!r} is not a canonical DNS name, such as agent.example, with or without a port")
