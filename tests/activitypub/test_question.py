from typing import Any

import pytest

from mentionable import Limits, PushBackHint, UsageError, replace
from mentionable.activitypub._write.question import addressed_as, question_of, thread_of
from tests.activitypub.answering import BASE, MESSAGE, asked, without_raw
from tests.activitypub.servers import ALICE, HELPER, NOTE, create, note

LIMITS = Limits()


def question(**raw: Any) -> Any:
    return question_of(without_raw(**raw), limits=LIMITS)


def addressed(activity: Any, agent: str = "@helper@agents.example") -> str | None:
    return addressed_as(question(activity=activity), agent, "agents.example")


def test_the_facts_of_a_question() -> None:
    found = question_of(MESSAGE, limits=LIMITS)
    assert (found.object_id, found.asker, found.host) == (NOTE, ALICE, "social.example")
    assert found.actor["preferredUsername"] == "alice"


def test_an_object_that_is_only_named_is_enough() -> None:
    found = question(activity=create(NOTE))
    assert (found.object_id, found.document.raw) == (NOTE, {})


def test_an_object_in_a_list_is_that_object() -> None:
    found = question(activity=create([note()], actor=[ALICE]))
    assert (found.object_id, found.document.raw, found.asker) == (NOTE, note(), ALICE)
    assert asked(create([note()])).raw["activity"]["object"] == [note()]


def test_the_document_of_another_actor_does_not_count() -> None:
    assert question(actor={"id": f"{ALICE}2"}).actor == {}
    assert question(actor=...).actor == {}


@pytest.mark.parametrize(
    ("raw", "missing"),
    [
        ({"activity": ...}, "object"),
        ({"activity": "[redacted]"}, "object"),
        ({"activity": create(object=...)}, "object"),
        ({"activity": create(note(id="javascript:x"))}, "object"),
        ({"activity": create(note(id="https://social.example/" + "a" * 3_000))}, "object"),
        ({"activity": create(actor=...)}, "actor"),
        ({"activity": create(actor=[7])}, "actor"),
        ({"activity": create(actor="http://social.example/users/alice")}, "actor"),
    ],
    ids=range(8),
)
def test_a_fact_that_is_missing_is_named(raw: dict[str, Any], missing: str) -> None:
    with pytest.raises(UsageError, match=rf"to\.raw\.activity\.{missing}"):
        question(**raw)


@pytest.mark.parametrize("raw", [None, 7, [], "x"])
def test_raw_of_any_form_is_survived(raw: Any) -> None:
    with pytest.raises(UsageError, match=r"keep raw"):
        question_of(replace(MESSAGE, raw=raw), limits=LIMITS)


def test_an_answer_stays_in_its_thread() -> None:
    def thread(**members: Any) -> dict[str, str]:
        return thread_of(question_of(asked(**members), limits=LIMITS), None, limits=LIMITS)

    tag = "tag:social.example,2026:1"
    assert thread() == {}
    assert thread(context="https://social.example/c/1", conversation=tag) == {
        "context": "https://social.example/c/1",
        "conversation": tag,
    }
    assert thread(context={"type": "Collection"}, conversation=[tag]) == {"conversation": tag}
    assert thread(context={"id": "https://social.example/c/2"}) == {"context": "https://social.example/c/2"}
    assert thread(context="javascript:x") == {}


def test_the_agent_may_name_another_thread() -> None:
    found = question_of(asked(conversation="tag:social.example,2026:1"), limits=LIMITS)
    assert thread_of(found, "https://agents.example/c/9", limits=LIMITS) == {"context": "https://agents.example/c/9"}
    with pytest.raises(UsageError, match=r"push_back\.thread_ref"):
        thread_of(found, str(PushBackHint(thread_ref="no iri").thread_ref), limits=LIMITS)


def test_a_mention_tells_which_actor_the_agent_is() -> None:
    tags = [
        {"type": "Mention", "href": f"{BASE}/actors/other", "name": "@other@agents.example"},
        {"type": "Hashtag", "href": HELPER, "name": "@helper@agents.example"},
        "no tag",
        {"type": "Mention", "href": "https://elsewhere.example/helper", "name": "@helper@agents.example"},
        {"type": "Mention", "href": 7, "name": "@helper@agents.example"},
        {"type": "Mention", "href": f"{BASE}/actors/1", "name": "@Helper@agents.example"},
        {"type": "Mention", "href": HELPER, "name": "helper@agents.example"},
    ]
    activity = create(note(to=[], tag=tags), to=[HELPER, f"{BASE}/actors/other"])
    assert addressed(activity) == HELPER


def test_the_only_one_of_the_host_is_the_agent() -> None:
    assert addressed(create()) == HELPER
    assert addressed(create(note(to=[ALICE], cc=None), to=[{"id": HELPER}])) == HELPER
    assert addressed(create(note(to=...), to=..., tag=[{"type": "Mention", "href": HELPER, "name": 1}])) == HELPER


def test_a_blind_recipient_is_addressed_too() -> None:
    message = without_raw(activity=create(note(to=[ALICE]), to=[]), delivery={"bcc": [HELPER]})
    assert addressed_as(question_of(message, limits=LIMITS), "@helper@agents.example", "agents.example") == HELPER


def test_of_several_nobody_guesses() -> None:
    assert addressed(create(to=[f"{BASE}/actors/other"])) is None
    assert addressed(create(note(to=[ALICE]), to=[ALICE])) is None
