"""What the runner of the conformance suite takes for equal, and how it checks a schema."""

from __future__ import annotations

from typing import Any

import mentionable_conformance as suite
import pytest
from mentionable_conformance import _schema

REFUSED = {"rejected": {"code": {"$any": "json"}}}
"""A refusal whose code is left open."""


def case(**expect: Any) -> suite.Case:
    return suite.Case(
        id="area/behaviour/one",
        file="x.json",
        spec="s-v0.1",
        op="text.echo",
        section="§1",
        level="MUST",
        why="So.",
        flags=(),
        given={"now": "2026-11-21T20:56:00Z", "entropy": "00" * 32, "lookups": {}},
        input=1,
        expect=expect,
    )


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (1, 1.0),
        ({"a": [1, {"b": None}]}, {"a": [1.0, {"b": None}]}),
        ({"$any": "json"}, {"x": [1]}),
        ({"id": {"$any": "uuid7"}}, {"id": "019aa8e5-1c00-7000-8000-000000000001"}),
        ([{"$any": "timestamp"}], ["2026-11-21T20:56:00.123Z"]),
        ({"$any": "timestamp"}, "2026-11-21T20:56:00Z"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (9007199254740993, 9007199254740993),
    ],
)
def test_values_that_are_equal(expected: Any, actual: Any) -> None:
    assert suite.difference(expected, actual) is None


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        (1, True, "expected 1, got True"),
        (True, 1, "expected True, got 1"),
        (0, False, "got False"),
        ("1", 1, "expected '1'"),
        (None, 0, "expected None"),
        ([1, 2], [2, 1], "/0: expected 1"),
        ([1], [1, 2], "expected 1 items, got 2"),
        ([1], 1, "expected an array"),
        ({"a": 1}, [1], "expected an object"),
        ({"a": {"b/c": 1}}, {"a": {}}, "/a/b~1c: is missing"),
        ({"a": 1}, {"a": 1, "b": 2}, "/b: is not expected"),
        ({"$any": "uuid7"}, "019aa8e5-1c00-4000-8000-000000000001", "expected a uuid7"),
        ({"$any": "uuid7"}, "019AA8E5-1C00-7000-8000-000000000001", "expected a uuid7"),
        ({"$any": "timestamp"}, "2026-02-30T00:00:00Z", "expected a timestamp"),
        ({"$any": "timestamp"}, "2026-11-21T20:56:00+00:00", "expected a timestamp"),
        ({"$any": "timestamp"}, 5, "expected a timestamp"),
        ({"$any": "number"}, 5, "expected a number"),
        (9007199254740993, 9007199254740992, "expected 9007199254740993"),
    ],
)
def test_values_that_differ(expected: Any, actual: Any, said: str) -> None:
    assert said in (suite.difference(expected, actual) or "")


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        ("a" * 100, "a" * 60 + "b" + "a" * 39, "differ from character 60 on: expected …{a40}…, got …{a20b}…"),
        ("a" * 100, "a" * 100 + "b", "differ from character 100 on: expected …'aaaaaaaaaaaaaaaaaaaa', got …{a20}b'"),
        ("b" + "a" * 99, "a" * 100, "differ from character 0 on: expected 'baaaaaaaaaaaaaaaaaaa'…, got {a20}'…"),
        ("a" * 60, "b", "expected {a20}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', got 'b'"),
        ("a" * 61, 1, "got 1"),
    ],
)
def test_long_texts_show_where_they_part(expected: Any, actual: Any, said: str) -> None:
    named = {"a40": repr("a" * 40), "a20b": repr("a" * 20 + "b" + "a" * 19), "a20": "'" + "a" * 20}
    assert said.format(**named) in (suite.difference(expected, actual, "messages/0/x") or "")


@pytest.mark.parametrize(
    ("expect", "answer", "said"),
    [
        ({"value": 1}, {"value": 1}, None),
        ({"value": 1}, {"rejected": {"code": "x"}}, "got rejected"),
        ({"value": 1}, {}, "exactly one of"),
        ({"value": 1}, {"value": 1, "messages": []}, "exactly one of"),
        ({"messages": [{"a": 1}]}, {"messages": [{"a": 2}]}, "messages/0/a: expected 1"),
        ({"value": 1}, {"value": 2}, "value: expected 1, got 2"),
        ({"value": [1]}, {"value": [2]}, "value/0: expected 1, got 2"),
        ({"messages": []}, {"messages": {}}, "messages: expected an array"),
        ({"value": 1}, {"value": 1, "errored": {"message": "no"}}, "this one has value, errored"),
        ({"value": 1}, {"errored": {"message": "no"}}, "expected value 1, got errored"),
        ({"bytes": "aGk="}, {"bytes": "aGk="}, None),
        ({"bytes": {"$base64": "aGk="}}, {"bytes": "aGk="}, None),
        ({"bytes": "aGk="}, {"bytes": "aGE="}, "differ from byte 1"),
        ({"bytes": "aGk="}, {"bytes": "aA=="}, "1 bytes, expected 2"),
        ({"bytes": "aGk="}, {"bytes": "!"}, "expected base64"),
        ({"bytes": "aGk="}, {"bytes": 7}, "expected base64"),
        ({"rejected": {"code": "a"}}, {"rejected": {"code": "a", "problems": ["x"]}}, None),
        ({"rejected": {"code": "a"}}, {"rejected": {"code": "b"}}, "expected code 'a', got 'b'"),
        ({"rejected": {"code": "a"}}, {"rejected": "a"}, None),
        (REFUSED, {"rejected": {"code": "a"}}, None),
        (REFUSED, {"rejected": {"code": "Something of its own"}}, None),
        (REFUSED, {"rejected": {}}, "rejected: expected a code, any text, got None"),
        (REFUSED, {"rejected": {"code": ""}}, "rejected: expected a code, any text, got ''"),
        (REFUSED, {"rejected": {"code": 5}}, "rejected: expected a code, any text, got 5"),
        (REFUSED, {"rejected": {"code": None}}, "rejected: expected a code, any text, got None"),
        (REFUSED, {"rejected": {"code": {"$any": "json"}}}, "rejected: expected a code, any text"),
        (REFUSED, {"rejected": "a"}, "rejected: expected a code, any text, got 'a'"),
        (REFUSED, {"rejected": None}, "rejected: expected a code, any text, got None"),
        (REFUSED, {"value": None}, "expected rejected with a code, any text, got value None"),
        (REFUSED, {"errored": {"message": "no"}}, "expected rejected with a code, any text, got errored"),
        (REFUSED, {"skipped": {"why": "no"}}, "expected rejected with a code, any text, got skipped"),
        (REFUSED, {}, "exactly one of"),
        ({"any_of": [{"value": 1}, REFUSED]}, {"rejected": {"code": "a"}}, None),
        ({"any_of": [{"value": 1}, REFUSED]}, {"rejected": {}}, "none of 2 allowed outcomes"),
        ({"any_of": [{"value": 1}, {"rejected": {"code": "a"}}]}, {"rejected": {"code": "a"}}, None),
        ({"any_of": [{"value": 1}, {"value": 2}]}, {"value": 3}, "none of 2 allowed outcomes"),
        ({"any_of": [{"value": 1}, {"value": 2}], "diagnostics": ["a"]}, {"value": 2}, "missing a"),
        ({"value": 1, "verdict": {"code": "x"}}, {"value": 1, "verdict": {"code": "x", "verified": False}}, None),
        ({"value": 1, "verdict": {"code": "x"}}, {"value": 1, "verdict": {"code": "y"}}, "verdict/code"),
        ({"value": 1, "verdict": {"key_id": None}}, {"value": 1, "verdict": {}}, None),
        ({"value": 1, "verdict": {"code": "x"}}, {"value": 1}, "verdict: expected one"),
        ({"value": 1, "diagnostics": ["a", "b"]}, {"value": 1, "diagnostics": ["b", "a"]}, None),
        ({"value": 1, "diagnostics": ["a", "a"]}, {"value": 1, "diagnostics": ["a"]}, "missing a"),
        ({"value": 1, "diagnostics": []}, {"value": 1, "diagnostics": ["a"]}, "not expected a"),
        ({"value": 1, "diagnostics": []}, {"value": 1}, None),
        ({"value": 1, "diagnostics": []}, {"value": 1, "diagnostics": "a"}, "expected a list of codes"),
        ({"value": 1}, {"value": 1, "diagnostics": ["whatever"]}, None),
        ({"value": 1, "candidate": None}, {"value": 1}, None),
        ({"value": 1, "candidate": {"state": "a"}}, {"value": 1, "candidate": {"state": "a"}}, None),
        ({"value": 1, "candidate": None}, {"value": 1, "candidate": {"state": "a"}}, "candidate: expected None"),
        ({"value": 1, "candidate": {"state": "a"}}, {"value": 1}, "candidate: expected an object"),
        ({"value": 1, "must_not_ask": ["GET https://a.example/"]}, {"value": 1, "asks": ["TXT a"]}, None),
        (
            {"value": 1, "must_not_ask": ["GET https://a.example/"]},
            {"value": 1, "asks": ["GET https://a.example/"]},
            "must not be asked",
        ),
        (
            {"value": 1, "must_not_ask": ["GET http:*"]},
            {"value": 1, "asks": ["GET http://a.example/"]},
            "must not be asked",
        ),
        ({"value": 1, "must_not_ask": ["GET http:*"]}, {"value": 1}, "needs the list of questions"),
        ({"value": 1, "max_asks": 1}, {"value": 1, "asks": ["GET a", "AGENT b", "MESSAGE c"]}, None),
        ({"value": 1, "max_asks": 1}, {"value": 1, "asks": ["GET a", "TXT b"]}, "2 went to the network"),
    ],
)
def test_judging_an_answer(expect: dict[str, Any], answer: dict[str, Any], said: str | None) -> None:
    wrong = suite.judge(case(**expect), answer)
    assert (wrong == ()) if said is None else any(said in one for one in wrong), wrong


@pytest.mark.parametrize("code", ["a", "two-words", {"$any": "json"}])
def test_the_code_of_a_refusal_is_written_out_or_left_open(code: Any) -> None:
    assert _schema.problems("case", refusing(code)) == ()


@pytest.mark.parametrize(
    "code", ["", "Two words", None, {}, {"$any": "uuid7"}, {"$any": "timestamp"}, {"$any": "json", "a": 1}]
)
def test_no_other_placeholder_stands_for_the_code_of_a_refusal(code: Any) -> None:
    assert any("/cases/0/rejected/code" in one for one in _schema.problems("case", refusing(code)))


def refusing(code: Any) -> dict[str, Any]:
    """A file with one case that is refused."""
    one = {"id": "area/b/x", "section": "NM 3", "level": "MUST", "why": "Nobody could.", "input": 1}
    return {"spec": "s-v0.1", "op": "a.b", "cases": [{**one, "rejected": {"code": code}}]}


@pytest.mark.parametrize(
    ("rules", "good", "bad"),
    [
        ({"type": "integer"}, [1, 1.0], [True, "1", 1.5, None]),
        ({"type": ["string", "null"]}, ["", None], [1]),
        ({"const": 1}, [1, 1.0], [True, "1"]),
        ({"enum": ["a", True]}, ["a", True], [1, "b"]),
        ({"pattern": "^a"}, ["ab", 5], ["ba"]),
        ({"minLength": 2, "maxLength": 3}, ["ab"], ["a", "abcd"]),
        ({"minItems": 1, "maxItems": 2, "uniqueItems": True}, [[1], [1, 2]], [[], [1, 2, 3], [1, 1]]),
        ({"minProperties": 1}, [{"a": 1}], [{}]),
        ({"minimum": 0}, [0, "x"], [-1]),
        ({"items": {"type": "string"}}, [["a"], 5], [["a", 1]]),
        (
            {"properties": {"a": {"type": "null"}}, "additionalProperties": False},
            [{"a": None}, 5],
            [{"a": 1}, {"b": 1}],
        ),
        (
            {"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": False},
            [{"x1": None}, 5],
            [{"x1": 1}, {"y": 1}],
        ),
        ({"propertyNames": {"pattern": "^a"}}, [{"ab": 1}, 5], [{"b": 1}]),
        ({"required": ["a"]}, [{"a": 1}, 5], [{}]),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, [1, 2], [3]),
        ({"oneOf": [{"type": "integer"}, {"minimum": 5}]}, [1, 7.5], [7, 1.5]),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1}, {"b": 1}], [{}, {"a": 1, "b": 1}]),
        ({"oneOf": [{"required": ["a"]}, {"minimum": 5}]}, [1], [{"a": 1}]),
        ({"allOf": [{"minimum": 1}, {"const": 2}]}, [2], [1]),
        ({"not": {"const": 1}}, [2], [1]),
        ({"$ref": "#/$defs/a"}, [1], [2]),
        (True, [1], []),
        (False, [], [1]),
    ],
)
def test_the_schema_checker(rules: Any, good: list[Any], bad: list[Any]) -> None:
    whole = {"$defs": {"a": {"const": 1}}}
    assert [value for value in good if _schema.check(value, rules, whole)] == []
    assert [value for value in bad if not _schema.check(value, rules, whole)] == []


def test_a_choice_of_one_member_is_told_in_plain_words() -> None:
    rules = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert _schema.check({}, rules, {}) == ["/: must have exactly one of a, b, has none"]
    assert _schema.check({"b": 1, "a": 1}, rules, {}) == ["/: must have exactly one of a, b, has a, b"]


def test_a_schema_may_mean_itself() -> None:
    tree: dict[str, Any] = {"properties": {"child": {"$ref": "#"}}, "additionalProperties": False}
    assert _schema.check({"child": {"child": {}}}, tree, tree) == []
    deep: dict[str, Any] = {}
    for _ in range(150):
        deep = {"child": deep}
    assert "too deep" in _schema.check(deep, tree, tree)[0]


def test_a_schema_with_an_unknown_word_is_refused() -> None:
    with pytest.raises(suite.CaseError, match="does not know"):
        _schema.check(1, {"multipleOf": 2}, {})
