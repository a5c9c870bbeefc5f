import pytest

from mentionable._errors.exceptions import WireError
from mentionable.a2a._read.parse_context import camel, members_of


def test_camel_case_members_are_left_alone():
    members = {"messageId": "m1"}
    assert camel(members) is members


def test_snake_case_members_get_their_camel_case_names():
    assert camel({"message_id": "m1", "x_y": 1}) == {"messageId": "m1", "x_y": 1}


def test_a_member_in_both_spellings_is_rejected():
    with pytest.raises(WireError) as caught:
        camel({"messageId": "m1", "message_id": "m2"})
    assert caught.value.code == "duplicate-member"


def test_an_object_in_camel_case_is_not_copied():
    found = {"messageId": "m1"}
    assert members_of(found, "a message") is found


@pytest.mark.parametrize("found", [None, [], "text", 1])
def test_what_is_no_object_is_rejected(found):
    with pytest.raises(WireError) as caught:
        members_of(found, "a message")
    assert caught.value.code == "wrong-type"


@pytest.mark.parametrize(
    ("snake", "text"),
    [
        ({"message_id": "x", "role": 1, "parts": [{"text": "a", "media_type": "text/html"}]}, "text/html"),
        ({"message_id": "x", "role": "1", "content": [{"text": "a", "mediaType": "text/markdown"}]}, "text/markdown"),
    ],
)
def test_a_whole_message_may_be_spelled_in_snake_case(take, snake, text):
    assert take(snake, task_id="t").message.parts[0].mime == text


def test_both_spellings_in_a_part_are_rejected(take, message):
    got = take(message({"text": "a", "mediaType": "text/html", "media_type": "text/plain"}))
    assert (got.code, got.problems[0].at) == ("duplicate-member", "/parts/0")


def test_snake_case_files_and_artifacts_are_read(take, task):
    part = {"file": {"file_with_uri": "https://f.example/a.pdf", "mime_type": "application/pdf"}}
    got = take(task(artifacts=[{"artifact_id": "a1", "parts": [part]}]))
    assert got.message.parts[1].mime == "application/pdf"
    assert got.message.parts[1].artifact_type == "a1"
