"""Every diagnostic points to what the peer sent, and to something odd in it: also where several are odd at once.

The carriers are those of `test_odd_input`, `decode` itself, and the cards. What stands between good items and after
dropped ones is where places go wrong, so items that do not fit are put into every array.
"""

from __future__ import annotations

from typing import Any, get_args, get_origin

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import HistoricalMessage, NormalizedResponse, Part, WireError, decode
from mentionable._value import hints
from mentionable.policy import PolicyPart
from tests.odd_members import LEAVES, bare, class_of, is_mapping, is_union, mutations, put
from tests.test_odd_input import CARRIERS, whole

JUNK = 5, {}, [7]
"""Items that fit in no array."""


def decoded(form):
    def carry(data):
        notes = []
        try:
            decode(form, data, notes=notes)
        except WireError as error:
            return None, [*notes, *error.problems]
        return data, notes

    return carry


EVERYWHERE = {
    **{name: (carry, form, prefix, whole(name)) for name, (carry, form, prefix) in CARRIERS.items()},
    **{
        f"decode-{name}": (decoded(form), form, "", whole(sample))
        for name, form, sample in (
            ("response", NormalizedResponse, "mail-trace"),
            ("turns", tuple[HistoricalMessage, ...], "rest-history"),
            ("parts", tuple[Part, ...], "rest-parts"),
            ("policy", PolicyPart, "http-policy"),
        )
    },
}
"""Name → how it is read, its form, where it stands in the unit, and values of it in which nothing is odd."""

NOWHERE = {"thread-from-context", "history-role", "diagnostics-omitted"}
"""Diagnostics about the whole unit or about several places: they point nowhere, or to what holds all of it."""


def arrays(form: Any, data: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of the arrays of our own forms in JSON of a form."""
    form = bare(form)
    origin, inner = get_origin(form), get_args(form)
    if form in LEAVES or form is Any:
        return []
    if origin is tuple:
        return [place] + [one for i, item in enumerate(data) for one in arrays(inner[0], item, (*place, i))]
    if is_mapping(form):
        return [one for name, item in data.items() for one in arrays(inner[1], item, (*place, name))]
    if not (is_union(form) or attrs.has(form)):
        return arrays(inner[0], data, place) if inner and not isinstance(inner[0], str) else []
    cls = class_of(form, data)
    members = [a.name for a in attrs.fields(cls) if a.name in data and a.name != "extra"]
    return [one for name in members for one in arrays(hints(cls)[name], data[name], (*place, name))]


def found_at(data: Any, place: tuple[Any, ...]) -> Any:
    for token in place:
        data = data[token]
    return data


def tokens_of(at: str) -> tuple[str, ...]:
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in at.split("/")[1:])


Place = tuple[str, ...]


def as_text(place: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(map(str, place))


def resolves(data: Any, tokens: tuple[str, ...]) -> bool:
    for token in tokens:
        if isinstance(data, dict) and token in data:
            data = data[token]
        elif isinstance(data, list) and token.isdecimal() and int(token) < len(data):
            data = data[int(token)]
        else:
            return False
    return True


def spoiled(form: Any, data: Any, chance: Any) -> tuple[Any, set[Place], set[Place]]:
    """JSON with several odd members and items; the places of all of them, and of those that must be noted."""
    odd = {}
    some = [one for one in mutations(form, data, (), ()) if one.lost != ()]
    free = arrays(form, data)
    for one in chance.sample(some, chance.randint(0, min(4, len(some)))):
        if not any(are_related(one.place, place) for place in odd):
            data, odd[one.place] = put(data, one.place, one.odd), one.lost is not None
    free = [place for place in free if not any(place[: len(one)] == one for one in odd)]
    for place in sorted(free, key=len, reverse=True):  # the inner ones first, so that the outer ones move them
        for _ in range(chance.randint(0, 3)):
            array = found_at(data, place)
            first, is_again = chance.randint(0, len(array)), bool(array) and chance.random() < 0.3
            item = array[max(0, first - 1)] if is_again else chance.choice(JUNK)
            index = chance.randint(max(1, first), len(array)) if is_again else first
            data = put(data, (*place, slice(index, index)), [item]) if place else [*array[:index], item, *array[index:]]
            odd = {moved(one, place, index): must for one, must in odd.items()} | {(*place, index): not is_again}
    return data, {as_text(place) for place in odd}, {as_text(place) for place, must in odd.items() if must}


def moved(place: Any, array: Any, index: int) -> Any:
    """A place after an item was put into an array."""
    depth = len(array)
    if place[:depth] != array or len(place) == depth or place[depth] < index:
        return place
    return (*array, place[depth] + 1, *place[depth + 1 :])


def are_related(place: Any, other: Any) -> bool:
    """Whether one place is the other, holds it or is in it."""
    return place[: len(other)] == other[: len(place)]


@pytest.mark.parametrize("name", EVERYWHERE)
@settings(max_examples=60)
@given(chance=st.randoms(use_true_random=False))
def test_diagnostics_point_to_what_is_odd(name, chance):
    carry, form, prefix, values = EVERYWHERE[name]
    data, odd, must = spoiled(form, chance.choice(values), chance)
    noted = []
    arrived, notes = carry(data)
    for note in notes:
        code, rule = getattr(note, "code", ""), getattr(note, "detail", None) or getattr(note, "rule", "")
        if code in NOWHERE:
            continue
        assert note.at.startswith(prefix), (note, data)
        at = tokens_of(note.at.removeprefix(prefix))
        assert resolves(data, at[:-1] if at and rule.endswith("required") else at), (note, data)
        assert any(are_related(at, place) for place in odd), (note, odd, data)
        noted.append(at)
    if arrived is None:  # the whole of it is refused, and a fault that refuses it is named
        assert noted
        return
    silent = [place for place in must if not any(are_related(at, place) for at in noted)]
    assert not silent, (silent, noted, data)
