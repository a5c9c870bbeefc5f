"""The host's registry of tools: what nobody classified, a human is told of."""

import pytest

from mentionable import UsageError, anp


@pytest.fixture
def actions() -> anp.Actions:
    return anp.Actions()


def test_a_tool_that_nobody_classified_is_external(actions):
    assert actions.classify("format_disk") == "external"


def test_decorators_declare_a_function_by_its_name_and_hand_it_back(actions):
    def remember(fact: str) -> str:
        return fact

    def send_mail(to: str) -> str:
        return to

    assert actions.internal(remember) is remember
    assert actions.external(send_mail) is send_mail
    assert remember("a") + send_mail("b") == "ab"
    assert [actions.classify(name) for name in ("remember", "send_mail")] == ["internal", "external"]


@pytest.mark.parametrize("word", ["internal", "INTERNAL", "Internal", " internal\n"])
def test_internal_is_taken_in_any_case(actions, word):
    actions.declare("note", word)
    assert actions.classify("note") == "internal"


@pytest.mark.parametrize("word", ["external", "", "inter nal", "INTERNAL|EXTERNAL", "іnternal", None, 1, True, []])
def test_every_other_word_is_external(actions, word):
    actions.declare("note", word)
    assert actions.classify("note") == "external"


def test_names_of_tools_are_told_apart_to_the_letter(actions):
    actions.declare("note", "internal")
    assert {actions.classify(name) for name in ("Note", "note ", "notes", "")} == {"external"}


def test_the_same_may_be_declared_twice_and_nothing_else(actions):
    actions.declare("note", "internal")
    actions.declare("note", "INTERNAL")
    with pytest.raises(UsageError, match="note was declared internal before"):
        actions.declare("note", "external")
    assert actions.classify("note") == "internal"


def test_what_was_declared_external_cannot_become_internal(actions):
    actions.declare("send_mail", "external")
    with pytest.raises(UsageError, match="send_mail was declared external before"):
        actions.declare("send_mail", "internal")
    assert actions.classify("send_mail") == "external"


@pytest.mark.parametrize("name", ["", None, 3, b"note", ["note"]])
def test_a_tool_has_a_name(actions, name):
    with pytest.raises(UsageError, match="the name of a tool"):
        actions.declare(name, "internal")


def test_two_registries_know_nothing_of_each_other(actions):
    actions.declare("note", "internal")
    assert anp.Actions().classify("note") == "external"
