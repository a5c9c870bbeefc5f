import pytest

from mentionable import UsageError
from mentionable.rest import Field
from mentionable.rest._read.field import data_of


def test_a_field_is_built_by_place():
    one = Field("user", "Hi", "text/plain", "a.txt")
    assert (one.name, one.value, one.content_type, one.filename) == ("user", "Hi", "text/plain", "a.txt")


def test_a_field_does_not_show_what_it_holds():
    assert "canary" not in repr(Field("token", "canary"))


@pytest.mark.parametrize("given", [(1, "a"), ("a", 1), ("a", None), ("a", "b", 1), ("a", "b", None, b"c")], ids=str)
def test_a_member_of_the_wrong_kind_is_a_mistake_of_the_program(given):
    with pytest.raises(UsageError):
        Field(*given)


def test_names_that_were_decoded_loosely_are_made_well_formed():
    one = Field("a\udc80", "b", "c\udc80", "d\udc80")
    assert (one.name, one.content_type, one.filename) == ("a?", "c?", "d?")


def test_bytes_and_text_are_the_same_bytes():
    assert data_of(Field("user", "ä")) == data_of(Field("user", "ä".encode()))
