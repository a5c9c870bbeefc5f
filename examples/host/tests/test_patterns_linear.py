"""Every pattern of the host, and hostile texts for it: going back in one costs no more than going forward did."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

HOST = Path(__file__).parents[1]
PACKAGE = HOST / "mentionable_host"

HOSTILE = {
    "cli.new:DOMAIN": [("a", ".a", "."), ("a", "-a", "."), ("", "a-", ""), ("a.", "a", "-")],
    "cli.new:NAME": [("a", "-a", "-"), ("a", "a", "-")],
    "cli.new:_OTHER": [("", "-", ""), ("", "a-", "")],
    "notifications.chat:_ID": [("", "a", "!")],
    "sections:_CONTACT": [("mailto:", "a", "!"), ("a@", "a", " "), ("https://", "a", "@")],
    "sections:_DOMAIN": [("a", ".a", "."), ("a", "-", "")],
    "sections:_NAME": [("", "a", "!")],
    "sections:_ORIGIN": [("https://", "a", "!"), ("https://[", "a:", "!"), ("http://a:", "1", "!")],
    "transports.sections:_PLACE": [("", "a", "!"), ("[", "a:", "!"), ("", "[", "!"), ("a:", "1", "!")],
    "transports.mail.deliveries:_ABOUT_MAILBOX": [("5.1.", "1", "a"), ("", "5.1.", "")],
    "transports.mail.listening:_ADDRESS": [
        ("<", "a", "!>"),
        ("<", "a.", "@b>"),
        ("<a@", "b-", ".>"),
        ("<a@b>", " ", "\n"),
        ("<a@b", ".b", " "),
    ],
    "transports.mail.listening:_UNPRINTABLE": [("", "\x00", ""), ("", "a\x00", "")],
    "transports.mail.mta_sts:_RECORD": [
        ("v=STSv1;id=a", ";", "\n"),
        ("v=STSv1", " \t", "x"),
        ("v=STSv1;", " ", "x"),
        ("v=STSv1;id=a", " ", "x"),
        ("v=STSv1;id=", "a", "!"),
    ],
    "transports.mail.sending:_UNSAFE": [("", "a", ""), ("", " ", "")],
    "world.egress:_URL": [
        ("http://", "a", "!"),
        ("http://", "a.", ":"),
        ("http://[", ":", "!"),
        ("http://a/", "/?", " "),
        ("http://a:", "1", "/"),
    ],
    "world.http_client:_CONTROL": [("", "a", ""), ("", "a\t", "")],
}
"""Of each pattern what begins a text, what is repeated in it, and what keeps it from fitting."""


def linearity():
    """The measure of the library's own tests, which are no package."""
    spec = spec_from_file_location("linearity", HOST.parents[1] / "tests" / "linearity.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def uses(path):
    """What is called of `re`: function, and the name in the module that gets the value, if one does."""
    tree = ast.parse(path.read_text())
    named = {
        call: ast.unparse(statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0])
        for statement in tree.body
        if isinstance(statement, (ast.Assign, ast.AnnAssign))
        for call in ast.walk(statement)
    }
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return [(one.func.attr, named.get(one)) for one in calls if ast.unparse(one.func.value) == "re"]


def patterns():
    """Place of a pattern → the pattern."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text()
        assert not re.search(r"(?m)^\s*(from (re|regex)\b|import (re|regex) as)", source), (
            f"{path}: import re by its name"
        )
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for function, name in uses(path):
            assert (function, name is None) == ("compile", False), f"{module}: give the pattern a name in its module"
            value = getattr(import_module(f"mentionable_host.{module}"), name)
            found[f"{module}:{name}"] = value if isinstance(value, re.Pattern) else value.__self__
    return found


PATTERNS = patterns()


def test_every_pattern_has_hostile_texts():
    assert HOSTILE.keys() == PATTERNS.keys()


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in HOSTILE.items() for text in texts])
def test_time_grows_with_the_text(name, text):
    pattern = PATTERNS[name]
    first, repeated, last = text if isinstance(pattern.pattern, str) else [piece.encode() for piece in text]
    for method in (pattern.fullmatch, pattern.match, pattern.findall):
        linearity().time_grows_linearly(method, lambda size: first + repeated * size + last, largest=1 << 13)
