"""How patterns are written: so that every interpreter matches them alike."""

from tests.patterns import compiled_patterns


def test_every_pattern_has_a_name_of_its_own():
    names = [name for name, _ in compiled_patterns()]
    assert len(names) == len(set(names)) > 250
    assert {"mentionable._html_tokens:_MARKUP", "mentionable._html_tokens:_attribute_pattern[1]"} < set(names)
