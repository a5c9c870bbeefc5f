"""How patterns are written: so that every interpreter matches them alike."""

import re

import pytest

from tests.packages import ROOT, project_files
from tests.patterns import all_patterns, compiled_patterns, faults, written_patterns

PLANTED = {"test_patterns.py", "pattern_differences.py", "test_pattern_differences.py"}
"""The tests that show that such a pattern is found."""


def test_every_pattern_has_a_name_of_its_own():
    names = [name for name, _ in all_patterns()]
    assert len(names) == len(set(names)) > 250
    assert {"mentionable._html.tokens:_MARKUP", "mentionable._html.tokens:_attribute_pattern[1]"} < set(names)


def test_no_pattern_has_a_possessive_or_atomic_group():
    found = {name: faults(pattern.pattern, pattern.flags) for name, pattern in all_patterns()}
    assert not {name: wrong for name, wrong in found.items() if wrong}


def test_no_pattern_of_the_tests_has_one_either():
    files = project_files(".py", *(ROOT / folder for folder in ("tests", "benchmarks", "docs", ".ci")))
    assert len(files) > 300
    found = {path.name: [text for text in written_patterns(path) if faults(text)] for path in files}
    assert {name for name, texts in found.items() if texts} <= PLANTED


@pytest.mark.parametrize(
    "text",
    [
        "(?:a|bc)*+",
        "(?:ab)++",
        "(a)?+",
        "(?:ab){2,3}+",
        "(?i:a)*+",
        "x(?=y(?:ab)*+)|z",
        "(?>a*)b",
        "[a]*+(?:b(?:[c]*+d)?+)*",
        "(a)?(?(1)(?:bc)*+|d)",
    ],
)
def test_groups_that_give_nothing_back_are_found(text):
    assert faults(text)
    assert faults(text.encode())


@pytest.mark.parametrize(
    "text", ["a*+", r"\d++", ".?+", "[^ab]{2,3}+", r"(?:[ab]*+c)*", "(?:[a])*+", "(?s:.++)|\\.{3}+"]
)
def test_single_characters_may_give_nothing_back(text):
    assert faults(text) == []
    assert faults(text, re.DOTALL | re.IGNORECASE) == []


def test_a_pattern_that_is_made_late_is_found(tmp_path):
    module = tmp_path / "late.py"
    module.write_text("import re\n\ndef f(text):\n    return re.search('(?:ab)*+', text, re.ASCII)\n")
    ((name, pattern),) = compiled_patterns([module])
    assert (name, pattern.flags) == ("late:f", re.ASCII)
    assert faults(pattern.pattern)
    assert list(written_patterns(module)) == ["(?:ab)*+"]


@pytest.mark.parametrize(
    "source",
    [
        "import re\n\ndef f(text):\n    return re.compile(text)\n",
        "import re\n\nf = lambda text: re.match(text, text)\n",
        "import re as r\n",
        "from re import compile\n",
    ],
)
def test_no_pattern_escapes(tmp_path, source):
    module = tmp_path / "late.py"
    module.write_text(source)
    with pytest.raises(LookupError):
        list(compiled_patterns([module]))
