"""Every diagnostic points to what the peer sent, and to something odd in it: also where several are odd at once.

The carriers are those of `test_odd_input`, `decode` itself, and the cards. What stands between good items and after
dropped ones is where places go wrong, so items that do not fit are put into every array.
"""

from __future__ import annotations

import json
from typing import Any, get_args, get_origin

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import (
    HistoricalMessage,
    HttpResponse,
    NormalizedResponse,
    Part,
    Rejected,
    TextPart,
    WireError,
    decode_leniently,
)
from mentionable._model.base import hints
from mentionable._model.policy import KINDS
from mentionable._wire.strict_json import pointer
from mentionable.discovery import read_leniently
from mentionable.policy import PolicyPart
from mentionable.rest import Field, ResultStream, result
from tests.discovery.test_lenient import KINDS as CARDS
from tests.discovery.test_lenient import rows as card_members
from tests.odd_members import LEAVES, Mutation, bare, class_of, is_mapping, is_union, mutations, put
from tests.rest.asking import as_json, message, take
from tests.test_odd_input import CARRIERS, whole

ASKED = message(TextPart(content="Hi"))

JUNK = 5, {}, [7]
"""Items that fit in no array."""


def decoded(form):
    def carry(data):
        try:
            return data, decode_leniently(form, data).diagnostics
        except WireError as error:
            return None, error.problems

    return carry


def beside_a_demand(data):
    body = {"kind": "forbidden", "message": "No.", "mentionable": data}
    headers = (("content-type", "application/json"),)
    return left_out(result(HttpResponse(status=403, headers=headers, body=json.dumps(body).encode()), to=ASKED))


def streamed(parts):
    """Each part in an event of its own, behind one that says nothing."""
    stream = ResultStream(to=ASKED)
    for name, told in (("start", {}), *[("part", part) for part in parts]):
        stream.feed(f"event: {name}\ndata: {json.dumps(told)}\n\n".encode())
    arrived, notes = left_out(stream.close())
    return arrived, [(code, pointer(*_before(tokens_of(at))), rule) for code, at, rule in map(read, notes)]


def _before(tokens):
    """A place in a stream of parts as a place in the array of them."""
    assert tokens[:1] == ("events",)
    return (int(tokens[1]) - 1, *tokens[2:])


def left_out(got):
    if isinstance(got, Rejected):
        return None, got.problems
    return got.response, got.diagnostics


def read(note):
    """The code, the place and the words of a diagnostic or problem."""
    if isinstance(note, tuple):
        return ("", *note)[-3:]
    return note.code, note.at, note.detail


def plain_parts():
    return [one for one in whole("rest-parts")[0] if one["kind"] != "tool_call"]


EVERYWHERE = {
    **{name: (carry, form, prefix, whole(name)) for name, (carry, form, prefix) in CARRIERS.items()},
    "rest-demand": (beside_a_demand, NormalizedResponse, "/mentionable", whole("rest-answer")),
    "rest-stream": (streamed, tuple[Part, ...], "", [plain_parts()]),
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

BOUND = {name for name in CARRIERS if name.endswith(("-policy", "-trace"))}
"""Where policies lead nowhere but to the host of the agent."""

EVIL = "https://evil.example/"

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


def links(data: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of what leads somewhere in the policies of JSON: their links, and parameters of their challenges."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = [one for token, item in items for one in links(item, (*place, token))]
    if isinstance(data, dict) and data.get("kind") in KINDS:
        found += [(*place, "url")]
        for index, one in enumerate(data.get("auth_challenges", ())):
            found += [(*place, "auth_challenges", index, "params", name) for name in one["params"]]
    return found


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


def spoiled(form: Any, data: Any, chance: Any, foreign: Any) -> tuple[Any, set[Place], set[Place]]:
    """JSON with several odd members and items; the places of all of them, and of those that must be noted."""
    odd = {}
    some = [one for one in mutations(form, data, (), ()) if one.lost != ()]
    some = chance.sample(foreign, chance.randint(0, min(2, len(foreign)))) + chance.sample(some, min(4, len(some)))
    free = arrays(form, data)
    for one in some[: chance.randint(0, 4)]:
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
    data = chance.choice(values)
    foreign = [Mutation(place, EVIL, place) for place in links(data)] if name in BOUND else []
    data, odd, must = spoiled(form, data, chance, foreign)
    noted = []
    arrived, notes = carry(data)
    for note in notes:
        code, where, rule = read(note)
        if code in NOWHERE:
            continue
        assert where.startswith(prefix), (note, data)
        at = tokens_of(where.removeprefix(prefix))
        assert resolves(data, at[:-1] if at and rule.endswith("required") else at), (note, data)
        assert any(are_related(at, place) for place in odd), (note, odd, data)
        noted.append(at)
    if arrived is None:  # the whole of it is refused, and a fault that refuses it is named
        assert noted
        return
    silent = [place for place in must if not any(are_related(at, place) for at in noted)]
    assert not silent, (silent, noted, data)


@pytest.mark.parametrize("kind", CARDS)
@settings(max_examples=60)
@given(chance=st.randoms(use_true_random=False))
def test_diagnostics_of_a_card_point_to_what_is_odd(kind, chance):
    _, data, card, _ = CARDS[kind]
    found = [(tuple(tokens), held) for _, tokens, held, _ in card_members(kind)]
    chance.shuffle(found)
    odd = {}
    for place, _ in found[: chance.randint(0, 4)]:
        if not any(are_related(place, other) for other in odd):
            data, odd[place] = put(data, place, 5), True
    arrays_left = [place for place, held in found if isinstance(held, list) and place[-1] != "security"]
    for place in sorted(arrays_left, key=len, reverse=True):
        if not any(place[: len(one)] == one for one in odd):
            array = found_at(data, place)
            index = chance.randint(0, len(array))
            data = put(data, place, [*array[:index], 5, *array[index:]])
            odd = {moved(one, place, index): True for one in odd} | {(*place, index): True}
    notes = read_leniently(type(card), data).diagnostics
    assert sorted(note.at for note in notes) == sorted(pointer(*place) for place in odd)


def test_refused_evidence_is_named_where_its_turn_came_in():
    turn = {"role": "user", "sender": {"address": "@a@b.example"}, "parts": [], "timestamp": "2026-11-21T20:00:00Z"}
    shown = {**turn, "sender": {"address": "@a@b.example", "identities": [{"kind": "odd"}]}}
    got = take("plain", as_json("history", [5, turn, 7, shown]), Field("session", "s1"))
    refused = [note.at for note in got.diagnostics if note.code == "evidence-refused"]
    assert refused == ["/fields/1/3/sender/identities/0"]
