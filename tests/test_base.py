from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import attrs
import pytest

import mentionable
from mentionable import UNSET, Address, HistoricalMessage, Sender, TextPart, ToolCallPart, UsageError
from mentionable._model import base as value_module
from mentionable._model import identity
from mentionable._model.annotation import InvalidMember, Rule
from mentionable._model.base import (
    Lazy,
    checks,
    frozen,
    hints,
    replace,
    taken_members,
    tuple_maker,
    unchecked,
    unchecked_replace,
    validated,
    wire_members,
)
from tests.packages import project_files
from tests.samples import SAMPLES

PACKAGE = Path(mentionable.__file__).parent


@validated
class Sample:
    text: str
    even: Annotated[int, Rule("an even number", lambda n: n % 2 == 0, {"multipleOf": 2})] = 0
    flag: bool = False
    size: int | float | None = None
    word: Literal["a", "b", 1] = "a"
    items: tuple[str, ...] = ()
    table: Mapping[str, int] = attrs.field(factory=dict)
    either: str | tuple[str, ...] = ""
    json: Any = None
    nested: TextPart | ToolCallPart | None = None
    when: Address | None = None
    extra: Mapping[str, Any] = attrs.field(factory=dict)

    def _check(self) -> None:
        if self.text == "forbidden":
            raise InvalidMember("text must not be 'forbidden'")


class Place(NamedTuple):
    name: str
    size: int = 2


@frozen
class Empty:
    """No members at all."""


@frozen
class Pair:
    first: Any
    second: Any = attrs.field(default=2, repr=False)
    third: Any = attrs.field(factory=list)


def test_a_value_holds_what_it_was_given():
    made = Sample(text="é", even=2, size=1.5, word=1, items=("x",), table={"a": 1}, either=("b",), json=[1])
    assert (made.text, made.size, made.items, made.table, made.either) == ("é", 1.5, ("x",), {"a": 1}, ("b",))


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"text": 1}, "Sample.text: expected a string, not int"),
        ({"text": None}, "Sample.text: expected a string, not None"),
        ({"text": "\ud800"}, "Sample.text: expected text without lone surrogates"),
        ({"text": "forbidden"}, "Sample: text must not be 'forbidden'"),
        ({"even": 1}, "Sample.even: expected an even number"),
        ({"even": True}, "Sample.even: expected an integer, not bool"),
        ({"even": 2.0}, "Sample.even: expected an integer, not float"),
        ({"flag": 1}, "Sample.flag: expected true or false, not int"),
        ({"size": "1"}, "Sample.size: expected an integer, not str or expected a number, not str"),
        ({"word": "c"}, "Sample.word: expected 'a' or 'b' or 1"),
        ({"word": True}, "Sample.word: expected 'a' or 'b' or 1"),
        ({"items": ["x"]}, "Sample.items: expected a tuple, not list"),
        ({"items": ("x", 1)}, r"Sample.items: [1]: expected a string, not int"),
        ({"table": []}, "Sample.table: expected an object, not list"),
        ({"table": {"a": "1"}}, "Sample.table: expected an integer, not str"),
        ({"table": {1: 1}}, "Sample.table: expected a string, not int"),
        ({"either": None}, "Sample.either: expected a string, not None or expected a tuple, not None"),
        ({"json": object()}, "Sample.json: expected JSON: object is not a JSON value"),
        ({"nested": "x"}, "Sample.nested: expected TextPart or ToolCallPart, not str"),
        ({"when": "@a@b.example"}, "Sample.when: expected Address, not str"),
        ({"extra": 1}, "Sample.extra: expected an object, not int"),
        ({"extra": {"text": 1, "flag": 2}}, "Sample.extra holds flag, text, which the class defines"),
    ],
)
def test_a_wrong_member_is_a_usage_error_that_names_it(members, reason):
    with pytest.raises(UsageError) as caught:
        Sample(**{"text": "x", **members})
    assert str(caught.value) == reason


def test_extra_may_not_shadow_the_kind():
    with pytest.raises(UsageError, match=r"TextPart\.extra holds kind, which the class defines"):
        TextPart(content="x", extra={"kind": "file"})


def test_json_members_are_fresh_copies():
    given = {"a": [1]}
    made = Sample(text="x", json=given, extra={"b": given}, table={"n": 1})
    given["a"].append(2)
    assert made.json == {"a": [1]}
    assert made.extra == {"b": {"a": [1]}}


def test_a_tuple_whose_items_stay_as_they_are_stays_the_same_tuple():
    items = ("a", "b")
    assert Sample(text="x", items=items).items is items


@validated
class Holder:
    rows: tuple[Any, ...]


def test_a_tuple_of_json_gets_fresh_items():
    row = [1]
    made = Holder(rows=(row, 1))
    row.append(2)
    assert made.rows == ([1], 1)


def test_instances_of_subclasses_are_taken_where_a_class_is_wanted():
    address = Address("@a@b.example")
    assert Sample(text=address, when=address).when is address


def test_values_are_frozen_and_take_no_positional_arguments():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        TextPart(content="x").content = "y"
    with pytest.raises(TypeError):
        TextPart("x")
    with pytest.raises(AttributeError):
        object.__setattr__(TextPart(content="x"), "other", 1)


def test_values_are_equal_and_hashed_by_class_and_content():
    assert Pair(first=1, third=()) == Pair(first=1, third=())
    assert Pair(first=1) != Pair(first=2)
    assert Pair(first=1) != (1, 2, [])
    assert hash(Pair(first=1, third=())) == hash(Pair(first=1, third=()))
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert Empty() != Pair(first=1)


def test_only_members_that_differ_from_their_defaults_are_shown():
    assert repr(Pair(first=1, second=3)) == "Pair(first=1)"
    assert repr(Pair(first=1, third=[0])) == "Pair(first=1, third=[0])"
    assert repr(Empty()) == "Empty()"
    assert repr(TextPart(content="x")) == "TextPart(content='x')"


def test_unset_is_false_and_one_of_its_kind():
    assert not UNSET
    assert repr(UNSET) == "UNSET"
    assert type(UNSET)("UNSET") is UNSET


def test_the_members_of_json_are_known():
    assert wire_members(TextPart) == {"kind", "content", "mime"} == taken_members(TextPart)
    assert wire_members(Sender) >= {"address", "verified"}
    assert "kind" not in wire_members(Sender)
    assert list(hints(TextPart)) == ["content", "mime", "extra"]
    assert [name for name, _ in checks(TextPart)] == ["content", "mime", "extra"]


def uses_of_unchecked():
    """Every class that a module of the package makes values of by `unchecked`.

    Where the class is a variable, tests of the module compare the constructors (tests/anp/test_decide.py,
    tests/test_settings.py).
    """
    for path in project_files(".py", PACKAGE):
        text = path.read_text()
        for node in ast.walk(ast.parse(text if "unchecked(" in text else "")):
            is_use = isinstance(node, ast.Call) and ast.unparse(node.func) == "unchecked"
            if is_use and ast.unparse(node.args[0]) != "cls":
                dotted = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
                yield pytest.param(dotted, ast.unparse(node.args[0]), id=f"{dotted}:{node.lineno}:{node.col_offset}")


@pytest.mark.parametrize("is_slow", [False, True])
@pytest.mark.parametrize(("module", "name"), list(uses_of_unchecked()))
def test_an_unchecked_constructor_makes_what_the_public_one_makes(module, name, is_slow, monkeypatch):
    monkeypatch.setattr(value_module, "_CAN_BECOME", not is_slow)
    cls = getattr(import_module(module), name, None) or getattr(identity, name)  # loaded only where it is made
    members = {a.name: a.name for a in attrs.fields(cls)}
    if hasattr(cls, "__attrs_post_init__"):  # it checks its members, so these must fit
        sample = SAMPLES.get(name) or cls()  # settings and limits have defaults alone
        members = {name: getattr(sample, name) for name in members}
    required = {a.name for a in attrs.fields(cls) if a.default is attrs.NOTHING}
    public, make = getattr(cls, "restored", cls), unchecked(cls)
    for given in (members, {name: members[name] for name in required}):
        quick = make(**given)
        assert type(quick) is cls
        assert quick == public(**given)
        assert repr(quick) == repr(public(**given))
        assert {a.name for a in attrs.fields(cls) if not hasattr(quick, a.name)} == set()


def test_an_unchecked_replacement_is_the_checked_one_without_the_checks():
    other = TextPart(content="b", mime="text/html")
    assert unchecked_replace(other, content="a") == replace(other, content="a")
    assert unchecked_replace(other, content=1).content == 1
    assert other.content == "b"


def test_what_is_made_when_it_is_read_is_made_once_for_a_value_and_its_replacement():
    made = []
    sample = SAMPLES["NormalizedMessage"]
    members = {a.name: getattr(sample, a.name) for a in attrs.fields(type(sample))}
    message = unchecked(type(sample))(**{**members, "raw": Lazy(lambda: made.append("raw") or {"a": 1})})
    copied = unchecked_replace(message, id="m2")
    assert made == []
    assert (copied.raw, copied.raw, message.raw, copied.id) == ({"a": 1}, {"a": 1}, {"a": 1}, "m2")
    assert made == ["raw"]


def test_an_unchecked_constructor_checks_nothing():
    make = unchecked(TextPart)
    assert make(content=1).content == 1
    assert make(content="a").extra is TextPart(content="b").extra


def test_an_unchecked_constructor_makes_values_of_a_class_with_a_base():
    make = unchecked(Derived)
    assert make(name="a", size=2) == Derived(name="a", size=2)
    assert type(make(name="a")) is Derived


def test_the_quick_constructor_of_a_tuple_is_its_own():
    make = tuple_maker(Place)
    assert make("a") == make(name="a", size=2) == Place("a")
    assert type(make(size=1, name="b")) is Place
    with pytest.raises(TypeError, match="name"):
        make()


def test_an_unchecked_constructor_calls_factories():
    make = unchecked(WithList)
    assert make().items == []
    assert make().items is not make().items
    assert make(items=[1]).items == [1]


def test_an_unchecked_constructor_is_the_public_one_where_objects_cannot_change_their_class(monkeypatch):
    monkeypatch.setattr(value_module, "_CAN_BECOME", False)
    with pytest.raises(UsageError):
        unchecked(TextPart)(content=1)


def test_the_extra_members_of_a_value_cannot_be_changed():
    part = TextPart(content="a", extra={"x": 1})
    shared = TextPart(content="b")
    for extra in (part.extra, shared.extra):
        for change in (
            lambda extra: extra.__setitem__("y", 2),
            lambda extra: extra.update(y=2),
            lambda extra: extra.clear(),
            lambda extra: extra.__delitem__("x"),
            lambda extra: extra.setdefault("y", 2),
        ):
            with pytest.raises(TypeError, match="cannot be changed"):
                change(extra)
    for copied in (copy.deepcopy(part), pickle.loads(pickle.dumps(part)), copy.copy(part)):
        assert copied == part
        assert copied.extra == {"x": 1}


@validated
class Base:
    name: str
    extra: Mapping[str, Any] = attrs.field(factory=dict)


@validated
class Derived(Base):
    size: int = 1


def test_without_a_change_of_class_the_public_constructor_does_the_work(monkeypatch):
    monkeypatch.setattr(value_module, "_CAN_BECOME", False)
    with pytest.raises(UsageError):
        unchecked(TextPart)(content=1)


@validated
class Counting:
    number: int

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "number", self.number + 1)


def test_a_class_may_do_its_own_checks_instead():
    assert Counting(number=1).number == 2


def test_a_value_is_changed_by_making_another():
    part = TextPart(content="Hi", extra={"x": 1})
    assert replace(part, content="Hello") == TextPart(content="Hello", extra={"x": 1})
    with pytest.raises(UsageError, match=r"TextPart\.content: expected a string"):
        replace(part, content=1)
    with pytest.raises(UsageError, match="unexpected keyword argument 'words'"):
        replace(part, words="Hello")


@frozen
class WithList:
    items: list[int] = attrs.field(factory=list)


def test_a_member_that_may_be_late_can_be_looked_up_in_its_class():
    assert mentionable.NormalizedMessage.raw is vars(mentionable.NormalizedMessage)["raw"]


@pytest.mark.parametrize("name", ["policy_resolution", "received_trace", "role"])
def test_extra_of_a_prior_turn_holds_nothing_that_no_turn_has(name):
    sender = Sender(address="@a@b.example")
    with pytest.raises(UsageError, match=f"extra holds {name}, which the class defines"):
        HistoricalMessage(role="user", sender=sender, parts=(), timestamp="2026-11-21T20:56:00Z", extra={name: "x"})


def test_a_moment_is_held_in_utc_whatever_its_offset():
    sender = Sender(address="@a@b.example")
    turn = HistoricalMessage(role="user", sender=sender, parts=(), timestamp="2026-11-21T21:56:00.250+01:00")
    assert turn.timestamp == "2026-11-21T20:56:00.25Z"
    with pytest.raises(UsageError, match="an RFC 3339 timestamp with an offset"):
        HistoricalMessage(role="user", sender=sender, parts=(), timestamp="2026-11-21T20:56:00")


def test_a_signed_moment_stays_to_the_letter():
    written = "2026-11-21T20:56:00.000Z"
    assert replace(SAMPLES["IdentityEvidence"], issued_at=written).issued_at == written
