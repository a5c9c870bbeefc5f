"""docs/reference.md lists every public name once, and docs/reference/ has an entry for each."""

from __future__ import annotations

import ast
import builtins
import datetime
import inspect
import re
import types
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mentionable
from mentionable import Answers, TextPart, anp, mail
from tests.docs_links import slugs
from tests.reference import FOLDER, PACKAGES, _line, package_pages
from tests.reference_docstrings import read
from tests.reference_pages import file_of, function_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference.md"
AGAIN = "write the reference anew: python tests/regenerate.py reference"
FENCE = re.compile(r"(?ms)^```.*?^```$")


def listed(heading: str) -> list[str]:
    """The names in the tables of one second-level section."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## `{heading}`\n")[1].split("\n## ")[0]
    return re.findall(r"^\| \[`(\w+)`\]\(\S+\) \| \S", section, re.MULTILINE)


def entry(package: str, name: str) -> str:
    """What the page of a package says of a name, without its members."""
    page = (FOLDER / file_of(package)).read_text(encoding="utf-8")
    return re.split(rf"(?m)^#+ `{re.escape(name)}`$", page)[1].split("\n## ")[0].split("\n### ")[0]


def test_every_name_of_the_package_is_listed_once():
    packages = [package for package in PACKAGES if "." not in package]
    assert sorted([*listed("mentionable"), *packages]) == mentionable.__all__, AGAIN


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_of_a_package_is_listed_once(package):
    assert sorted(listed(f"mentionable.{package}")) == sorted(import_module(f"mentionable.{package}").__all__), AGAIN


@pytest.mark.parametrize("package", ["", *PACKAGES], ids=lambda package: package or "mentionable")
def test_the_anchors_of_a_page_are_those_of_its_headings(package):
    found = slugs((FOLDER / file_of(package)).read_text(encoding="utf-8"))
    assert set(package_pages()[package].anchors.values()) <= found, AGAIN


@pytest.mark.parametrize("package", ["", *PACKAGES], ids=lambda package: package or "mentionable")
def test_a_page_shows_nothing_private(package):
    page = (FOLDER / file_of(package)).read_text(encoding="utf-8")
    shown = re.findall(r"(?ms)^```python\n(.*?)^```$", page) + re.findall(r"(?m)^- `\w+` \((.+?)\)(?:: |$)", page)
    assert [text for text in shown if re.search(r"mentionable\._|\b_[A-Za-z]|<(?:class|function)| at 0x", text)] == []


def test_no_page_is_left_of_a_package_that_is_gone():
    assert {path.name for path in FOLDER.iterdir()} == {file_of(package) for package in ("", *PACKAGES)}


def test_a_function_has_its_signature_arguments_and_errors():
    told = entry("mail", "receive")
    assert "receive(\n    raw: bytes,\n    *,\n    envelope: Envelope | None = None,\n" in told
    assert ") -> Flow[MailAsk, Received | ReceivedReport | Rejected]\n" in told
    assert all(f"\n- `{name}`: " in told for name in read(mail.receive).items("Args"))
    assert "\n**Raises:**\n\n- [`UsageError`](mentionable.md#usageerror): " in told


def test_a_value_has_its_members_with_types_defaults_and_rules():
    told = entry("", "TextPart")
    assert "\n- `content` (`str`): The text" in told
    assert "(`Literal['text/plain', 'text/markdown', 'text/html']`, default `'text/plain'`)" in told
    assert "\n- `kind`: always `'text'`.\n" in told
    assert TextPart.kind == "text"
    assert "Must be 64 lower-case hex digits." in entry("", "DigestRef")


def test_members_of_a_base_are_told_with_those_of_its_kinds():
    assert "\n- `limits` ([`Limits`](mentionable.md#limits), default `Limits()`): " in entry("mail", "Settings")
    assert "A kind of [`mentionable.Settings`](mentionable.md#settings)." in entry("mail", "Settings")


def test_a_union_is_spelt_out():
    assert "\n- [`TextPart`](#textpart): Text that somebody wrote.\n" in entry("", "Part")
    assert "\n- `'a2a'`\n" in entry("", "Channel")
    assert "\n- [`policy.CheckPayment`](policy.md#checkpayment): " in entry("", "AnyAsk")


def test_an_alias_of_one_parameter_is_filled():
    told = entry("", "AsyncAnswers")
    assert "`Callable[[Fetch], Awaitable[Fetched | Failed] | Fetched | Failed] | None`" in told
    assert read(Answers).prose.startswith("One function a kind of ask")


def test_names_that_differ_in_case_alone_have_anchors_of_their_own():
    anchors = package_pages()[""].anchors
    assert anchors["destination"] == "destination"
    assert anchors["Destination"] == "destination-1"


def test_what_stands_elsewhere_is_linked():
    assert "explanation/anp.md#three-flags" in entry("anp", "ROUTE_TABLE")
    assert anp.ROUTE_TABLE


def signatures() -> Iterator[tuple[str, str, Any]]:
    """Every signature on the pages: whose it is, its text, and the function or class that is called."""
    for package, page in package_pages().items():
        text = (FOLDER / file_of(package)).read_text(encoding="utf-8")
        for name, thing in page.things.items():
            is_called = inspect.isfunction(thing) or (inspect.isclass(thing) and page.is_called(thing))
            called = {name: thing} if is_called else {}
            called |= {f"{name}.{key}": function_of(each) for key, each in page.methods(thing).items()}
            for key, function in called.items():
                block = re.search(rf"(?ms)^```python\n(?:async )?({re.escape(key)}\(.*?)\n```$", text)
                if block is not None:
                    yield key, block[1], function
                else:
                    assert re.search(rf"(?m)^{re.escape(key)}: \S", text), f"no signature of {key}"


def test_every_signature_has_the_arguments_of_its_function():
    count = 0
    for key, text, function in signatures():
        head = ast.parse(f"def {text.replace(key, 'f', 1)}: ...").body[0]
        assert isinstance(head, ast.FunctionDef)
        written = head.args
        names = [*written.posonlyargs, *written.args, written.vararg, *written.kwonlyargs, written.kwarg]
        made = vars(function).get("__init__", function) if inspect.isclass(function) else function
        expected = list(inspect.signature(made).parameters)
        if (inspect.isclass(function) or "." in key) and expected[:1] in (["self"], ["cls"]):
            del expected[0]
        assert [each.arg for each in names if each is not None] == expected, key
        count += 1
    assert count > 200


def test_an_argument_called_cls_of_a_function_is_an_argument():
    data = "data: bytes | str | Mapping[str, Any] | list[Any]"
    assert f"\ndecode(cls: TypeForm[T], {data}) -> T\n" in entry("", "decode")
    assert f"\ndecode_trusted(cls: TypeForm[T], {data}) -> T\n" in entry("", "decode_trusted")


def test_a_default_is_named_as_its_type_is():
    assert "settings: mentionable.Settings = mentionable.Settings()" in entry("mail", "receive")
    assert "lifetime: timedelta = timedelta(seconds=300)" in entry("identity", "attest")


def test_no_entry_has_the_docstring_of_a_builtin():
    kinds = [*vars(builtins).values(), *vars(types).values(), *vars(datetime).values()]
    borrowed = {str(kind.__doc__).split("\n")[0] for kind in kinds if inspect.isclass(kind) and kind.__doc__}
    pages = [PAGE, *FOLDER.iterdir()]
    lines = [(page.name, line) for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if any(text in line[1] for text in borrowed)] == []
    assert "str(object='') -> str" in borrowed
    assert "Represent a PEP 604 union type" in borrowed


def test_a_value_without_a_line_of_its_own_stops_the_writing():
    with pytest.raises(SystemExit, match="has no docstring"):
        _line("a text")
