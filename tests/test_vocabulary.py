"""The library and the host use the words of the field: words of our own do not spread, and what is gone stays away."""

import ast

import pytest

from tests import vocabulary
from tests.packages import ROOT, Module, modules

COUNTS = {package: vocabulary.counts(package) for package in vocabulary.PACKAGES}


@pytest.mark.parametrize("package", vocabulary.PACKAGES)
@pytest.mark.parametrize("word", vocabulary.BETTER)
def test_no_new_name_and_no_new_line_of_prose_holds_the_word(word, package):
    named, told = COUNTS[package][word]
    most_named, most_told = vocabulary.most(package)[word]
    assert named <= most_named, f"name it otherwise: {vocabulary.BETTER[word]} (python -m tests.vocabulary says where)"
    assert told <= most_told, f"write {vocabulary.BETTER[word]} (python -m tests.vocabulary says where)"


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name or "mentionable")
def test_a_name_that_is_gone_does_not_come_back(module):
    kinds = (ast.FunctionDef, ast.ClassDef)
    assert {node.name for node in module.tree.body if isinstance(node, kinds)} & vocabulary.GONE == set()


def test_words_are_found_in_names_docstrings_and_comments(tmp_path):
    path = tmp_path / "module.py"
    path.write_text('"""Nobody.\n\n`found`\n"""\nis_found = 1  # said\n\n\ndef f(whomEver): ...\n')
    module = Module("m", path, ast.parse(path.read_text()))
    assert vocabulary.held(vocabulary.names(module)) == {"found": {5}, "whom": {8}}
    assert vocabulary.held(vocabulary.prose(module)) == {"nobody": {1}, "said": {5}}


def test_words_are_found_in_pages_outside_of_code(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Nobody\n\n```python\nfound\n```\n\n   ```console\n   said\n   ```\n`told`, whom\n")
    assert vocabulary.held(vocabulary.written(page)) == {"nobody": {1}, "whom": {10}}


@pytest.mark.parametrize("package", vocabulary.PACKAGES)
def test_bounds_are_only_lowered(monkeypatch, package):
    monkeypatch.setattr(vocabulary, "counts", lambda _: dict.fromkeys(vocabulary.BETTER, (10**6, 0)))
    most = vocabulary.most(package)
    assert vocabulary.lowered(package) == {word: (named, 0) for word, (named, _) in most.items()}


@pytest.mark.parametrize("package", vocabulary.PACKAGES)
def test_every_word_has_a_bound(package):
    assert vocabulary.most(package).keys() == vocabulary.BETTER.keys()


def test_the_bounds_are_those_of_the_tests():
    assert vocabulary.MOST.parent == ROOT / "tests"
