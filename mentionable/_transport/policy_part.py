"""Policies as parts of what goes out and of what comes in: what the rooms do alike, whatever their wire."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import islice
from typing import Any, Final

from .._errors.exceptions import Problem, WireError, wire_error
from .._flow.settings import Limits
from .._model.base import frozen, replace
from .._model.codec import decode_parsed
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse
from .._model.parts import CarriedPolicy, Part
from .._model.policy import PolicyPart, Unauthorized
from .._wire.strict_json import kept_places, loads
from .url_binding import bound

_CHALLENGES: Final = "/auth_challenges"

MAX_BYTES: Final = 65_536
"""Bytes of JSON of a policy beside a text. More would cost the whole unit for what only some readers use."""


# -- out


def policy_at_end(response: NormalizedResponse, notes: list[Diagnostic]) -> PolicyPart | None:
    """What a response demands at its end; `notes` takes what of the part has no place on any wire."""
    last = response.parts[-1] if response.parts else None
    if not isinstance(last, CarriedPolicy):
        return None
    if last.extra:
        at = f"/parts/{len(response.parts) - 1}/extra"
        detail = "there is no place for members of other versions; they were left out"
        notes.append(Diagnostic(code="part-changed", at=at, detail=detail))
    return last.policy


def check_readable(data: bytes, *, max_depth: int) -> None:
    """Raises when readers would not take a policy of this JSON.

    Raises:
        WireError: Too large, or nested too deeply.
    """
    loads(data, max_bytes=MAX_BYTES, max_depth=max_depth)


def left_as_text(response: NormalizedResponse, error: WireError) -> Diagnostic:
    """The note that the policy at the end of a response is said in its text alone."""
    at = f"/parts/{len(response.parts) - 1}"
    return Diagnostic(code="part-changed", at=at, detail=f"its text alone is sent, not the policy itself: {error}")


# -- in


@frozen
class ParsedPolicy:
    """What a wire says of a policy.

    Attributes:
        policy: The policy, or None when it counts for nothing.
        diagnostics: Why, or what of it was left out; each `at` is relative to the policy.
    """

    policy: PolicyPart | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_policy(value: Any, *, authority: str | None) -> ParsedPolicy:
    """A policy out of any JSON. It is never a success, whatever its kind.

    A URL that is not on the host of the agent that demands is left out: nobody shall be led elsewhere. So is an
    optional member that does not fit; but a fault of what names money or binds the state costs the whole policy.

    Args:
        value: The JSON, as a strict loader gave it.
        authority: The host of the agent; None when nobody knows whose policy it is, and then no URL counts.

    Spec: PolicyPart §Base Fields, §3.6; decisions B11.
    """
    notes = list[Diagnostic]()
    try:
        if value.__class__ is not dict:
            raise wire_error("malformed", "", "a policy is an object")
        policy = decode_parsed(PolicyPart, value, notes=notes)
    except WireError as error:
        problem = next(iter(error.problems), None)
        at, rule = ("", str(error)) if problem is None else problem
        return ParsedPolicy(policy=None, diagnostics=(Diagnostic(code="policy-malformed", at=at, detail=rule),))
    found = bind_policy(policy, authority, left_out={note.at for note in notes})
    return replace(found, diagnostics=(*notes, *found.diagnostics)) if notes else found


def bind_policy(
    policy: PolicyPart, authority: str | None, *, at: str = "", left_out: Set[str] = frozenset()
) -> ParsedPolicy:
    """A policy without the URLs that are not on the host of the agent that demands.

    Args:
        policy: The policy.
        authority: As for `read_policy`.
        at: Where its JSON stands; each `at` of the diagnostics begins with it.
        left_out: The places of what was left out when it was read, among others.
    """
    own, problems = bound(policy, authority or "")
    if isinstance(policy, Unauthorized) and left_out:
        places = list(islice(kept_places(f"{at}{_CHALLENGES}", left_out), len(policy.auth_challenges)))
        problems = tuple([Problem(_as_sent(problem.at, places), problem.rule) for problem in problems])
    notes = [Diagnostic(code="url-refused", at=at + place, detail=rule) for place, rule in problems]
    return ParsedPolicy(policy=own, diagnostics=tuple(notes))


def _as_sent(at: str, places: Sequence[int]) -> str:
    """A place in a policy as a place in its JSON, where its challenges stand at `places`."""
    if not at.startswith(_CHALLENGES):
        return at
    _, name, index, inside = at.split("/", 3)
    return f"/{name}/{places[int(index)]}/{inside}"


def append_parsed_policy(
    said: tuple[Part, ...], found: ParsedPolicy, *, at: str, limits: Limits, notes: list[Diagnostic]
) -> tuple[Part, ...]:
    """What a unit says, and behind it the policy that was found in it, if one counts.

    Args:
        said: The other parts.
        found: What was found.
        at: Where it stands in the unit.
        limits: How many parts there may be.
        notes: Takes what was odd about it.

    Raises:
        LimitError: There are too many parts.
    """
    notes += [replace(note, at=at + note.at) for note in found.diagnostics]
    if found.policy is None:
        return said
    if len(said) >= limits.parts:
        raise wire_error("too-many-parts", at, f"more than {limits.parts} parts")
    return (*said, CarriedPolicy(policy=found.policy))
