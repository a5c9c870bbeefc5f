"""What is compared of an answer that may be written in many ways: facts about it, found out here for all languages.

A mail, an activity or a stream of frames has no one right form. So a harness hands over what its library made, and a
case names the facts that count: who gets it, what a person reads, which response its trace holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from mentionable_conformance._base64 import b64decoded
from mentionable_conformance._facts_a2a import A2A
from mentionable_conformance._facts_activity import ACTIVITY
from mentionable_conformance._facts_anp import DECISION, NOTIFICATION, STORY, STREAM_ITEM
from mentionable_conformance._facts_anp_turns import CLOUD_EVENTS, DISPATCH, LANES, PUSHES, SCRIPT, TURN_PROMPT
from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_html import Page
from mentionable_conformance._facts_mail import MAIL
from mentionable_conformance._facts_prompt import PROMPT
from mentionable_conformance._facts_stream import STREAM
from mentionable_conformance._facts_trace import TRACE
from mentionable_conformance._facts_values import loads_bytes

__all__ = ["facts"]

Fact: TypeAlias = Callable[[Any], Any]
_OTHER_FORM: Final = (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What Python says of a value in which something cannot be found. Its words differ from version to version."""


def facts(op: str, value: Any, members: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an answer that a case names.

    An operation without facts of its own has the members of its value. `has` names texts and the face in which they
    are sought: `{"html": {"<b>": true}}`.

    Raises:
        FactError: The answer is not of the form that the operation has.
    """
    known = OPERATIONS.get(op, {})
    answer: dict[str, Any] = {}
    for name, expected in members.items():
        try:
            if name == "has":
                answer[name] = {face: _sought(known[face](value), texts) for face, texts in expected.items()}
            elif name in known:
                answer[name] = known[name](value)
            elif name in value:
                answer[name] = value[name]
        except FactError as error:
            raise FactError(f"not an answer to {op}: {error}") from error
        except KeyError as error:
            raise FactError(f"not an answer to {op}: for the fact {name} the member {error} is missing") from error
        except _OTHER_FORM as error:
            raise FactError(f"not an answer to {op}: it has another form than the fact {name} needs") from error
    return answer


def _sought(face: str, texts: Mapping[str, bool]) -> dict[str, bool]:
    return {text: text in face for text in texts}


HTML: Final[Mapping[str, Fact]] = {
    "words": lambda value: Page(value).text,
    "links": lambda value: [[one.attributes.get("href", ""), one.text] for one in Page(value).anchors],
    "elements": lambda value: sorted(Page(value).elements),
    "attributes": lambda value: sorted(Page(value).attributes),
}


def _header(name: str) -> Fact:
    def fact(value: Mapping[str, Any]) -> str | None:
        texts = [text for header, text in value["headers"] if header.lower() == name]
        return ", ".join(texts) if texts else None

    return fact


def _payment(value: Mapping[str, Any]) -> Any:
    """What version 2 of x402 says in its field, read from base64."""
    header = _header("payment-required")(value)
    return None if header is None else loads_bytes(b64decoded(header))


_PROBLEM: Final = ("type", "status", "detail", "instance")
RESPONSE: Final[Mapping[str, Fact]] = {
    "status": lambda value: value["status"],
    "media_type": lambda value: (_header("content-type")(value) or "").partition(";")[0],
    "challenge": _header("www-authenticate"),
    "challenged": lambda value: _header("www-authenticate")(value) is not None,
    "retry_after": _header("retry-after"),
    "payment": _payment,
    "cached": lambda value: "no-store" not in (_header("cache-control")(value) or ""),
    "body": lambda value: value["body"],
    "policy": lambda value: {name: one for name, one in value["body"].items() if name not in _PROBLEM},
    "problem": lambda value: {name: one for name, one in value["body"].items() if name in ("status", "detail")},
}

OPERATIONS: Final[Mapping[str, Mapping[str, Fact]]] = {
    "trace.write": TRACE,
    "response.split": STREAM,
    "activitypub.reply": ACTIVITY,
    "activitypub.update": ACTIVITY,
    "email.reply": MAIL,
    "a2a.reply": A2A,
    "a2a.refuse": A2A,
    "a2a.call": A2A,
    "policy.html": HTML,
    "policy.to_http": RESPONSE,
    "prompt.render": PROMPT,
    "anp.decide": DECISION,
    "anp.story": STORY,
    "anp.read_notification": NOTIFICATION,
    "anp.dispatch": DISPATCH,
    "anp.lane": LANES,
    "anp.prompt": TURN_PROMPT,
    "anp.turn": SCRIPT,
    "anp.presentation": {"told": lambda value: value["told"]},
    "anp.cloudevent": CLOUD_EVENTS,
    "anp.web_push": PUSHES,
    "anp.stream": STREAM_ITEM,
}
