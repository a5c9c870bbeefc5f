from mentionable._errors.exceptions import wire_error, with_prefix
from mentionable.a2a._read.metadata import hints_of


def test_an_error_moves_with_its_place():
    error = with_prefix(wire_error("bad-base64", "/raw", "odd"), "/parts/3")
    assert (error.code, error.problems[0].at) == ("bad-base64", "/parts/3/raw")


def test_only_the_notes_since_a_number_move(context):
    context.note("url-refused", "/a")
    context.note("url-refused", "/b", "why")
    context.move_notes(1, "/parts")
    assert [(note.at, note.detail) for note in context.notes] == [("/a", ""), ("/parts/b", "why")]


def test_hints_are_the_mentionable_namespace_if_it_is_an_object():
    assert hints_of({"mentionable": {"kind": "link"}}) == {"kind": "link"}
    assert hints_of({"mentionable": "link"}) == {}
    assert hints_of(["mentionable"]) == {}
    assert hints_of(None) == {}
