import pytest

from mentionable import Address
from mentionable._text.display_names import MAX_NAME, display_name

ALICE = Address("@alice@a.example")


@pytest.mark.parametrize(
    ("line", "name", "codes"),
    [
        ("Alice", "Alice", []),
        ("", None, []),
        ("alice@a.example", "alice@a.example", []),
        ("admin@bank.example", "admin@bank.example", ["name-holds-address"]),
        ("x" * MAX_NAME, "x" * MAX_NAME, []),
        ("x" * MAX_NAME + "@bank.example", None, ["name-too-long"]),
    ],
)
def test_a_name_that_misleads_is_told_and_one_without_end_is_dropped(line, name, codes):
    shown, diagnostics = display_name(line, ALICE, at="/headers/from")
    assert shown == name
    assert [(one.code, one.at) for one in diagnostics] == [(code, "/headers/from") for code in codes]
