import pytest

from mentionable import Settings
from mentionable._flow.settings import Limits
from mentionable.a2a._read.message import is_agents


@pytest.mark.parametrize("role", ["user", "agent", "ROLE_USER", "ROLE_AGENT", "1", "2", 1, 2], ids=repr)
def test_roles_of_all_dialects_are_known(take, message, role):
    assert take(message(role=role)).message.parts


@pytest.mark.parametrize("role", ["ROLE_ALIEN", "ROLE_UNSPECIFIED", "", None, 0, 3, True, 1.5, ["user"], {}])
def test_an_unknown_role_is_rejected(take, message, role):
    got = take(message(role=role))
    assert (got.code, got.problems[0].at) == ("unknown-value", "/role")


@pytest.mark.parametrize(
    ("members", "code", "at"),
    [
        ({"messageId": None}, "missing-member", "/messageId"),
        ({"messageId": ""}, "missing-member", "/messageId"),
        ({"messageId": 7}, "wrong-type", "/messageId"),
        ({"messageId": "x" * 3000}, "id-too-long", "/messageId"),
        ({"taskId": 7}, "wrong-type", "/taskId"),
        ({"contextId": {}}, "wrong-type", "/contextId"),
        ({"parts": []}, "missing-member", "/parts"),
        ({"parts": None}, "missing-member", "/parts"),
        ({"parts": {"text": "hi"}}, "wrong-type", "/parts"),
        ({"parts": ""}, "wrong-type", "/parts"),
        ({"parts": None, "content": []}, "missing-member", "/content"),
        ({"content": [{"text": "hi"}]}, "two-contents", ""),
    ],
)
def test_a_broken_head_is_rejected(take, message, members, code, at):
    got = take({**message(), **members})
    assert (got.code, got.problems[0].at) == (code, at)


def test_too_many_parts_are_refused_before_they_are_read(take, message):
    got = take(message(*"abc"), settings=Settings(limits=Limits(parts=2)))
    assert (got.code, got.problems[0].at) == ("too-many-parts", "/parts")


def test_the_parts_of_v0_3_rest_are_its_content(take):
    unit = {"messageId": "m", "role": "ROLE_USER", "content": [{"text": "hi"}], "parts": None}
    assert take(unit, task_id="t").message.parts[0].content == "hi"


def test_empty_ids_count_as_absent(take, message, codes):
    got = take(message(taskId="", contextId=""))
    assert got.message.thread_id == "m1"
    assert codes(got) == ["thread-from-message"]


def test_unknown_members_are_ignored_and_kept_in_raw(take, message):
    got = take(message(mood="fine"))
    assert got.message.raw["message"]["mood"] == "fine"


def test_the_authors_role_can_be_told_of_anything():
    assert is_agents({"role": "ROLE_AGENT"})
    assert not is_agents({"role": "user"})
    assert not is_agents("agent")
    assert not is_agents({"role": ["agent"]})


def test_secrets_in_metadata_are_marked_for_raw(take, message):
    assert take(message(metadata={"token": "x"})).message.raw["message"]["metadata"] == {"token": "[redacted]"}


def test_a_message_of_nothing_that_can_be_taken_is_rejected(take, message):
    got = take(message({"kind": "iframe"}))
    assert (got.code, got.problems[0].at) == ("part-unsupported", "/parts")


@pytest.mark.parametrize("kind", [{"token": "x"}, [["token", "x"]]], ids=str)
def test_secrets_in_a_kind_of_another_type_are_marked_for_raw(take, message, kind):
    assert "'x'" not in repr(take(message(kind=kind)).message.raw)
