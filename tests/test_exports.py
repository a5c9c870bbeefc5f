"""What the library shows to the world, where each name lives, and how little it costs to import."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module

import pytest

import mentionable
from tests.packages import PACKAGE, modules

ROOMS = {name: import_module(f"mentionable.{name}") for name in mentionable._PACKAGES}
CONNECTORS = {
    name: import_module(f"mentionable.connectors.{name}") for name in ("bluebubbles", "discord", "files", "slack")
}
PUBLIC = [(mentionable, name) for name in mentionable._HOME]
PUBLIC += [
    (room, name) for room in (*ROOMS.values(), *CONNECTORS.values()) for name in room.__all__ if name != "strategies"
]
IDS = [f"{owner.__name__}.{name}" for owner, name in PUBLIC]
SHARED = {
    "receive",
    "reply",
    "verify",
    "sign",
    "call",
    "result",
    "error_response",
    "resume",
    "attest",
    "Outgoing",
    "Settings",
}
SHARED |= {"CallApi", "CallContext", "Caller", "Post", "ResultStream", "Upload", "native_id", "wants_stream"}
SHARED |= {"METHOD", "accept", "ListenTo", "Grant", "read_leniently"}
SHARED |= {"compose_attribution_prefix", "compose_thread_context_block"}
SHARED |= {"react", "typing", "unreact"}
SHARED |= {"claim", "complete", "Claimed"}
"""Names that several packages share on purpose."""


def functions() -> list[tuple[str, object]]:
    """The public functions, and the public methods of public classes, by their names."""
    found = []
    for owner, name in PUBLIC:
        thing = getattr(owner, name)
        if inspect.isfunction(thing):
            found.append((f"{owner.__name__}.{name}", thing))
        elif inspect.isclass(thing):
            members = [(member, getattr(made, "__func__", made)) for member, made in vars(thing).items()]
            found += [
                (f"{owner.__name__}.{name}.{member}", made)
                for member, made in members
                if inspect.isfunction(made) and not member.startswith("_")
            ]
    return found


FUNCTIONS = functions()
FIRST = {
    "receive": {"request", "raw"},
    "verify": {"request", "raw", "token", "evidence"},
    "reply": {"response"},
    "update": {"response"},
    "call": {"message"},
    "result": {"response"},
    "error_response": {"rejected"},
}
"""Like functions → what their first argument is called: a request, or where there is none the bytes or the token."""


MORE_KEYWORDS = {"mentionable.mail.reply": 8}
"""Functions that take more than seven keywords: docs/decisions.md says why."""


@pytest.mark.parametrize(("name", "function"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_a_public_function_takes_at_most_seven_keywords(name, function):
    parameters = inspect.signature(function).parameters.values()
    assert len([one.name for one in parameters if one.kind is one.KEYWORD_ONLY]) <= MORE_KEYWORDS.get(name, 7)


REPLIES = {name: function for name, function in FUNCTIONS if name.endswith(".reply")}


@pytest.mark.parametrize("function", REPLIES.values(), ids=REPLIES)
def test_a_reply_takes_everything_but_the_response_by_its_name(function):
    parameters = inspect.signature(function).parameters.values()
    assert [one.name for one in parameters if one.kind is not one.KEYWORD_ONLY and one.name != "self"] == ["response"]


@pytest.mark.parametrize(("name", "function"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_like_functions_call_their_first_argument_alike(name, function):
    names = [one for one in inspect.signature(function).parameters if one != "self"]
    kind = name.rpartition(".")[2]
    assert kind not in FIRST or names[0] in FIRST[kind]


def typed_imports(name: str = "") -> dict[str, str]:
    """Name → module of the imports that type checkers see in a package."""
    (package,) = (module for module in modules() if module.name == name)
    (block,) = (
        node for node in package.tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    found = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.asname == alias.name, f"{alias.name} is not exported to type checkers"
            found[alias.name] = f"{name}.{node.module}" if name and node.level == 1 else node.module or ""
    return found


def test_the_lazy_table_is_what_type_checkers_see():
    assert typed_imports() == {**mentionable._HOME, **dict.fromkeys(mentionable._PACKAGES, "")}


@pytest.mark.parametrize("name", ["a2a", "activitypub", "identity", "mail", "rest"])
def test_the_lazy_table_of_a_package_is_what_type_checkers_see(name):
    package = ROOMS[name]
    assert typed_imports(name) == package._HOME
    assert dir(package) == sorted(package.__all__)
    with pytest.raises(AttributeError, match=f"module 'mentionable.{name}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_names_are_sorted_and_complete():
    assert mentionable.__all__ == sorted(mentionable.__all__) == dir(mentionable)
    for room in ROOMS.values():
        assert list(room.__all__) == sorted(room.__all__, key=lambda name: (not name.isupper(), name))
    assert {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if not path.name.startswith("_")} - {
        "py.typed",
        "cli",
    } == set(ROOMS)


@pytest.mark.parametrize(("owner", "name"), PUBLIC, ids=IDS)
def test_every_public_name_is_there(owner, name):
    assert getattr(owner, name) is not None


@pytest.mark.parametrize("name", mentionable._HOME)
def test_the_table_names_the_module_where_a_thing_is_made(name):
    thing = getattr(mentionable, name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        assert thing.__module__ == f"mentionable.{mentionable._HOME[name]}"


def test_a_name_has_one_home():
    owners = {}
    for owner, name in PUBLIC:
        owners.setdefault(name, []).append(owner.__name__)
    assert {name: found for name, found in owners.items() if len(found) > 1 and name not in SHARED} == {}


@pytest.mark.parametrize(("owner", "name"), PUBLIC, ids=IDS)
def test_every_public_name_is_documented(owner, name):
    thing = getattr(owner, name)
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return  # an alias or a table: described in docs/reference.md, see test_reference.py
    text = inspect.getdoc(thing) or ""
    assert re.match(r".+[.?:]", text.splitlines()[0]), f"{name} does not begin with a sentence"
    if inspect.isclass(thing) and hasattr(thing, "__attrs_attrs__"):
        described = set(re.findall(r"(?m)^    (\w+): ", "".join(inspect.getdoc(base) or "" for base in thing.__mro__)))
        assert {a.name for a in thing.__attrs_attrs__} - described - {"extra"} == set()
    members = vars(thing) if inspect.isclass(thing) else {}
    for member, function in members.items():
        callables = inspect.isfunction(function) or isinstance(function, (property, classmethod))
        if callables and not member.startswith("_"):
            assert inspect.getdoc(function), f"{name}.{member}"


def test_the_room_of_e_mail_is_called_mail():
    with pytest.raises(AttributeError, match=r"it is called mentionable\.mail"):
        _ = mentionable.email


@pytest.mark.parametrize("module", [mentionable, mentionable.mail, mentionable.testing], ids=lambda one: one.__name__)
def test_what_is_not_there_is_an_attribute_error(module):
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = module.nothing
    assert "__all__" not in dir(module)


def test_a_star_import_gives_every_name():
    names: dict[str, object] = {}
    exec("from mentionable import *", names)
    assert set(mentionable.__all__) <= set(names)


HEAVY = [
    "_cffi_backend",
    "aiohttp",
    "attr",
    "attrs",
    "cattrs",
    "cryptography",
    "dkim",
    "dns",
    "hypothesis",
    "idna",
    "jcs",
    "jwt",
    "socket",
    "ssl",
]


def loaded(statement: str) -> set[str]:
    """Which of the heavy modules a fresh interpreter has after `statement`."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r}); {program}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(done.stdout.split())


def test_importing_the_library_loads_almost_nothing():
    assert loaded("import mentionable") & {*HEAVY, "json", "datetime", "hashlib"} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_loads_no_network_no_cryptography_and_no_codec(room):
    assert loaded(f"from mentionable import {room}") & (set(HEAVY) - {"attr", "attrs"}) == set()


def test_all_of_mail_loads_no_more():
    assert loaded("from mentionable.mail import *") & (set(HEAVY) - {"attr", "attrs"}) == set()


def test_strategies_load_hypothesis_only_when_one_is_made():
    assert "hypothesis" not in loaded("from mentionable.testing import strategies")
    assert "hypothesis" in loaded("from mentionable.testing import strategies; strategies.names()")


def test_types_are_shipped():
    assert (PACKAGE / "py.typed").read_bytes() == b""


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_loaded_when_it_is_first_used(room):
    assert mentionable.__getattr__(room) is ROOMS[room]
