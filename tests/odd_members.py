"""Values that have every member, and each of their members made odd in turn: what `test_odd_input` sends (R54)."""

from __future__ import annotations

import types
from collections.abc import Mapping
from copy import deepcopy
from itertools import count
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import attrs

from mentionable import RecipientCapabilities
from mentionable._model import rules
from mentionable._model.always_strict import FALLBACK, STRICT, TRUSTED
from mentionable._model.annotation import Rule
from mentionable._model.base import UNSET, hints
from mentionable._model.parts import ToolCallPart
from mentionable._model.structure import is_required

# -- values that have everything

LEAVES = {
    str: "text",
    rules.Name: "name",
    rules.Timestamp: "2026-11-21T20:56:00Z",
    rules.CanonicalAddress: "@alice@a.example",
    rules.WebUrl: "https://agents.example/x",
    rules.SecureUrl: "https://agents.example/x",
    rules.Token: "Bearer",
    rules.MediaType: "image/png",
    rules.Base64: "aGk=",
    rules.Sha256: "a" * 64,
    rules.Count: 5,
    rules.Ordinal: 2,
    rules.Duration: 5,
    bool: True,
    rules.JsonObject: {"com.example.order": 7},
    rules.Json: {"q": 1},
}
SPELLINGS = {
    rules.Timestamp: [("2026-11-21T21:56:00.500+01:00", "2026-11-21T21:56:00.500+01:00")],
    rules.MediaType: [("IMAGE/Png", "image/png"), ('image/png ;Q="1"', "image/png; q=1")],
    rules.Count: [(5.0, 5)],
    rules.Ordinal: [(2.0, 2)],
}
ODD = ("", "mailto:a@b.example", "data:,x", "http://agents.example/")
ENTRIES = {"data": {"order_id": 5}, "message_translations": {"e_n": {"message": "x"}}, "params": {"b c": "x"}}
"""Member → entries that do not fit beside one that does."""

FALLS = {**FALLBACK, RecipientCapabilities: {"mention_relay": {"kind": "none"}}}
_ids = count()


def bare(form: Any) -> Any:
    """An annotation without None and UNSET."""
    if is_union(form) and form not in LEAVES:
        options = [one for one in get_args(form) if one is not types.NoneType and get_args(one) != (UNSET,)]
        return options[0] if len(options) == 1 else Union[tuple(options)]  # noqa: UP007
    return form


def is_union(form: Any) -> bool:
    return get_origin(form) in (Union, types.UnionType)


def is_mapping(form: Any) -> bool:
    return isinstance(get_origin(form), type) and issubclass(get_origin(form), Mapping)


def samples(form: Any) -> list[Any]:
    """JSON of a form: each class of it, with every member."""
    form = bare(form)
    origin, inner = get_origin(form), get_args(form)
    if form in LEAVES:
        return [LEAVES[form]]
    if origin is Annotated:
        return samples(inner[0])
    if origin is Literal:
        return list(inner[:1])
    if origin is tuple:
        return [samples(inner[0])]
    if origin is Union:
        return [one for option in inner for one in samples(option)]
    if is_mapping(form):
        return [{"de": one} for one in samples(inner[1])]
    members = {
        a.name: samples(hints(form)[a.name])
        for a in attrs.fields(form)
        if a.name != "extra" and a.name not in TRUSTED.get(form, ())
    }
    made = []
    for index in range(max(map(len, members.values()), default=1)):
        kind = getattr(form, "kind", None)
        value = {"kind": kind} if isinstance(kind, str) else {}
        made.append(value | {name: deepcopy(some[index % len(some)]) for name, some in members.items()})
    if form is ToolCallPart:  # which has a result or an error
        running = {name: member for name, member in made[0].items() if name not in ("result", "error")}
        made = [running | {"id": f"c{next(_ids)}", end: made[0][end]} for end in ("result", "error")]
    return made


# -- one odd member at a time


class Mutation(NamedTuple):
    """One odd member.

    Attributes:
        place: Where it stands.
        odd: What stands there.
        lost: The place of what does not arrive: its own, or that of what cannot be without it; `()` for the whole
            carrier, None for nothing.
        instead: What arrives there; UNSET for nothing.
        of: The class and the name of the member, for one of a class.
    """

    place: tuple[str | int, ...]
    odd: Any
    lost: tuple[str | int, ...] | None
    instead: Any = UNSET
    of: tuple[Any, str] | None = None


def mutations(form: Any, data: Any, place: tuple[Any, ...], cost: Any, *, is_strict: bool = False) -> list[Mutation]:
    """The mutations inside a value of JSON."""
    form = bare(form)
    if form in LEAVES or form is Any:
        return []
    origin, inner = get_origin(form), get_args(form)
    if origin is Annotated:
        return mutations(inner[0], data, place, cost, is_strict=is_strict)
    found = []
    if origin is tuple and isinstance(data[0], dict):
        for index, item in enumerate(data):
            here = (*place, index)
            found += mutations(inner[0], item, here, cost if is_strict else here)
    elif is_mapping(form):
        for name, item in data.items():
            here = (*place, name)
            found += [Mutation(here, odd, here) for odd in wrong(inner[1])]
            found += mutations(inner[1], item, here, here)
    elif origin is Union or attrs.has(form):
        cls = class_of(form, data)
        strict = STRICT.get(cls, frozenset())
        for a in attrs.fields(cls):
            if a.name in data and a.name != "extra":
                found += member(cls, a, data[a.name], (*place, a.name), cost, is_strict=a.name in strict)
    return found


def member(cls: Any, a: Any, data: Any, here: Any, holder: Any, *, is_strict: bool) -> list[Mutation]:
    """The mutations of one member of a class."""
    form, required = hints(cls)[a.name], is_required(a)
    instead = FALLS.get(cls, {}).get(a.name, UNSET)
    own = here if instead is not UNSET or not (required or is_strict) else holder
    found = [] if a.default is not None else [Mutation(here, None, None)]
    if own == () and not is_strict:  # the carrier cannot be without it
        return mutations(form, data, here, holder)
    found += [Mutation(here, odd, None, plain) for odd, plain in spellings(form)]
    found += [Mutation(here, odd, own, instead) for odd in wrong(form)]
    if required and form is not Any:
        found.append(Mutation(here, None, None if cls is RecipientCapabilities else own, instead))
    for name, entry in ENTRIES.get(a.name, {}).items():
        found.append(Mutation((*here, name), entry, (*here, name)))
    inner = mutations(form, data, here, own, is_strict=is_strict)
    found = [one._replace(of=(cls, a.name)) for one in found]
    return found + [one._replace(instead=instead) if one.lost == here else one for one in inner]


def odd_roots(form: Any, data: Any) -> list[Mutation]:
    """The mutations of the members that a carrier itself must have: without them it is none."""
    cls = class_of(form, data)
    required = [a for a in attrs.fields(cls) if is_required(a) and a.name not in FALLS.get(cls, {})]
    return [
        Mutation((a.name,), odd, (), of=(cls, a.name))
        for a in required
        for odd in [*wrong(hints(cls)[a.name]), None, UNSET]
    ]


def spellings(form: Any) -> list[Any]:
    form = bare(form)
    if get_origin(form) is Annotated and get_args(form)[1] is rules.TEXT_TYPE:
        return [("TEXT/plain; charset=utf-8", "text/plain")]
    return SPELLINGS.get(form, [])


def wrong(form: Any) -> list[Any]:
    """Values that do not fit a form."""
    form = bare(form)
    base, rule = get_args(form)[:2] if get_origin(form) is Annotated else (form, None)
    if base is Any:
        return []
    if base is str:
        return [5, *[one for one in ODD if isinstance(rule, Rule) and not rule.fits(one)]]
    if get_origin(base) is tuple:
        return ["x", {"a": 5}]
    return ["x/y", [5]] if get_origin(base) is Literal else ["5", [5]]


def class_of(form: Any, data: Any) -> Any:
    options = get_args(form) or (form,)
    kinds = {getattr(one, "kind", None): one for one in options}
    return kinds.get(data.get("kind")) or next(o for o in options if not isinstance(getattr(o, "kind", None), str))


def put(data: Any, place: Any, value: Any) -> Any:
    """JSON with `value` at a place, where UNSET takes out what stands there; it shares the rest with `data`."""
    token, *rest = place
    copy = data.copy()
    if rest:
        copy[token] = put(data[token], rest, value)
    elif value is not UNSET:
        copy[token] = value
    elif token in copy or isinstance(copy, list):
        del copy[token]
    return copy


def optional_in(form, seen):
    """The optional members that anyone may fill, in all classes of a form."""
    if not attrs.has(form):
        return {one for inner in get_args(form) for one in optional_in(inner, seen)}
    if form in seen:
        return set()
    seen.add(form)
    read = {a.name: a for a in attrs.fields(form) if a.name not in TRUSTED.get(form, ())}
    inner = {one for name in read for one in optional_in(hints(form)[name], seen)}
    return inner | {(form, name) for name, a in read.items() if a.default is None and name != "extra"}
