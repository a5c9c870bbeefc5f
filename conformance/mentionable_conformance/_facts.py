"""What is compared of an answer that may be written in many ways: facts about it, found out here for all languages.

A mail, an activity or a stream of frames has no one right form. So a harness hands over what its library made, and a
case names the facts that count: who gets it, what a person reads, which response its trace holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from json import dumps, loads
from typing import Any, Final, TypeAlias

from mentionable_conformance._base64 import b64decoded
from mentionable_conformance._facts_a2a import A2A
from mentionable_conformance._facts_anp import DECISION, NOTIFICATION, STORY, STREAM_ITEM
from mentionable_conformance._facts_anp_turns import CLOUD_EVENTS, DISPATCH, LANES, PUSHES, SCRIPT, TURN_PROMPT
from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_html import Page
from mentionable_conformance._facts_mail import MAIL
from mentionable_conformance._facts_prompt import PROMPT
from mentionable_conformance._facts_stream import STREAM

__all__ = ["facts", "trace_in"]

Fact: TypeAlias = Callable[[Any], Any]
_OTHER_FORM: Final = (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What Python says of a value in which something cannot be found. Its words differ from version to version."""
_PAYLOAD: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


def facts(op: str, value: Any, members: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an answer that a case names.

    An operation without facts of its own has the members of its value. `has` names texts and the face in which they
    are sought: `{"html": {"<b>": true}}`.

    Raises:
        FactError: The answer is not of the form that the operation has.
    """
    known = _OPERATIONS.get(op, {})
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


# ------------------------------------------------------------------------------------------------------------- traces


def trace_in(address: str) -> dict[str, Any]:
    """What an address carries: what stands before the payload, the alphabet, whether it is padded, and the response."""
    before, mark, payload = address.partition("base64,") if address.startswith("data:") else address.partition("#")
    if not mark or _PAYLOAD.fullmatch(payload) is None:
        raise FactError(f"{address[:60]!r} carries no payload")
    standard = payload.replace("-", "+").replace("_", "/").rstrip("=")
    kinds = {"base64url": set("-_") & set(payload), "base64": set("+/") & set(payload)}
    alphabet = " and ".join(kind for kind, seen in kinds.items() if seen) or "either"
    data = b64decoded(standard + "=" * (-len(standard) % 4))
    return {
        "before": before + mark,
        "alphabet": alphabet,
        "padded": payload.endswith("="),
        "whole_groups": len(payload) % 4 == 0,
        "response": loads(data),
    }


def _trace(name: str) -> Fact:
    return lambda value: None if value["href"] is None else trace_in(value["href"])[name]


def _calls_told(value: Mapping[str, Any]) -> int:
    """How many calls the words stand for: those that are named, and those that are only counted."""
    more = re.search(r"\+([0-9]+) more", value["text"])
    text: str = value["text"]
    return sum(text.count(mark) for mark in "✓✗…") + (int(more[1]) if more else 0)


def _anchor(value: Mapping[str, Any]) -> Any:
    """The one anchor of the HTML, and whether it links to the address that was said."""
    anchors = Page(value["html"]).anchors
    if not anchors:
        return None
    (anchor,) = anchors
    attributes = dict(anchor.attributes)
    attributes["href"] = attributes.get("href") == value["href"]
    return {**attributes, "text": anchor.text}


TRACE: Final[Mapping[str, Fact]] = {
    "address": _trace("before"),
    "alphabet": _trace("alphabet"),
    "padded": _trace("padded"),
    "whole_groups": _trace("whole_groups"),
    "response": _trace("response"),
    "fits": lambda value: len(value["text"]) <= 120,
    "calls_told": _calls_told,
    "anchor": _anchor,
    "text_face": lambda value: value["text"],
    "html": lambda value: value["html"],
    "payload": lambda value: "" if value["href"] is None else dumps(trace_in(value["href"])["response"]),
}

# -------------------------------------------------------------------------------------------------------- ActivityPub


def _page(value: Mapping[str, Any]) -> Page:
    return Page(_note(value)["content"])


def _note(value: Mapping[str, Any]) -> Any:
    return value["activity"]["object"]


def _private(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The note for the asker alone, which goes out behind the one for all."""
    return {"activity": value["private"]}


def _sorted(name: str) -> Fact:
    """An addressing member of the activity; the note must say the same."""

    def fact(value: Mapping[str, Any]) -> Any:
        both = [_listed(one.get(name)) for one in (value["activity"], _note(value))]
        return both[0] if both[0] == both[1] else {"activity": both[0], "object": both[1]}

    return fact


def _addressees(value: Mapping[str, Any]) -> list[str]:
    """Everybody in `to` and `cc`, of the activity as of the note, which must agree."""
    both = [{*_listed(one.get("to")), *_listed(one.get("cc"))} for one in (value["activity"], _note(value))]
    if both[0] != both[1]:
        raise FactError("the activity and its note are addressed to others")
    return sorted(both[0])


def _addressed(value: Mapping[str, Any]) -> list[str]:
    return [one for one in _addressees(value) if one not in _EVERYBODY and not one.endswith("/followers")]


def _visibility(value: Mapping[str, Any]) -> str:
    """How visible the note is, as servers tell it from `to` and `cc`."""
    if _EVERYBODY & {*_listed(_note(value).get("to"))}:
        return "public"
    addressees = _addressees(value)
    if _EVERYBODY & {*addressees}:
        return "unlisted"
    return "followers" if any(one.endswith("/followers") for one in addressees) else "direct"


_POLICY_TERM: Final = "mentionablePolicy"
_EVERYBODY: Final = frozenset({"https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"})


def _listed(value: Any) -> list[Any]:
    return [] if value is None else sorted(value) if isinstance(value, list) else [value]


def _mentions(value: Mapping[str, Any]) -> list[list[str]]:
    tags = _note(value).get("tag") or []
    tags = tags if isinstance(tags, list) else [tags]
    return sorted([tag["name"], tag["href"]] for tag in tags if tag.get("type") == "Mention")


def _named(value: Mapping[str, Any]) -> list[str]:
    """Who of the mentioned is named in what people read."""
    text = _page(value).text
    return [name for name, _ in _mentions(value) if f"@{name.lstrip('@').partition('@')[0]}" in text]


def _traces(value: Mapping[str, Any]) -> list[Any]:
    return [one for one in _page(value).anchors if "mentionable-trace" in one.attributes.get("class", "").split()]


def _note_trace(value: Mapping[str, Any]) -> Any:
    anchors = _traces(value)
    return trace_in(anchors[0].attributes["href"])["response"] if anchors else None


def _ends_with_trace(value: Mapping[str, Any]) -> bool:
    """Whether nothing that people read follows the anchor."""
    anchors = _traces(value)
    return len(anchors) == 1 and _page(value).text.rstrip().endswith(anchors[0].text)


def _words(value: Mapping[str, Any]) -> str:
    """What people read, the words of the trace left out."""
    text = _page(value).text
    for anchor in _traces(value):
        text = text.replace(anchor.text, "")
    return "\n".join(line for line in text.split("\n") if line.strip())


def _links(value: Mapping[str, Any]) -> list[list[str]]:
    """Where links lead that are neither mentions nor the trace."""
    links = [one for one in _page(value).anchors if not {"mention", "mentionable-trace"} & set(one.classes)]
    return [[one.attributes.get("href", ""), one.text] for one in links]


def _attached(value: Mapping[str, Any]) -> list[Any]:
    """Attached files; links of the trace are left out."""
    attachments = _note(value).get("attachment") or []
    attachments = attachments if isinstance(attachments, list) else [attachments]
    names = ("type", "mediaType", "name", "url")
    return [{name: one[name] for name in names if name in one} for one in attachments if one.get("type") != "Link"]


def _policy_term(value: Mapping[str, Any]) -> Any:
    """What the context says that the word for a policy means."""
    contexts = value["activity"]["@context"]
    objects = [one for one in (contexts if isinstance(contexts, list) else [contexts]) if isinstance(one, dict)]
    return next((one[_POLICY_TERM] for one in objects if _POLICY_TERM in one), None)


ACTIVITY: Final[Mapping[str, Fact]] = {
    "type": lambda value: value["activity"]["type"],
    "actor": lambda value: value["activity"]["actor"],
    "object_type": lambda value: _note(value)["type"],
    "attributed_to": lambda value: _note(value)["attributedTo"],
    "to": _sorted("to"),
    "cc": _sorted("cc"),
    "visibility": _visibility,
    "addressed": _addressed,
    "in_reply_to": lambda value: _note(value).get("inReplyTo"),
    "context": lambda value: _note(value).get("context"),
    "conversation": lambda value: _note(value).get("conversation"),
    "published": lambda value: _note(value).get("published"),
    "updated": lambda value: _note(value).get("updated"),
    "source": lambda value: _note(value).get("source"),
    "note_id": lambda value: _note(value)["id"],
    "ids_differ": lambda value: value["activity"]["id"] != _note(value)["id"],
    "mentions": _mentions,
    "named": _named,
    "inboxes": lambda value: sorted(value["inboxes"]),
    "attachments": _attached,
    "policy": lambda value: _note(value).get(_POLICY_TERM),
    "private_policy": lambda value: _note(_private(value)).get(_POLICY_TERM),
    "private_addressed": lambda value: _addressees(_private(value)),
    "private_visibility": lambda value: _visibility(_private(value)),
    "policy_term": _policy_term,
    "elements": lambda value: sorted(_page(value).elements),
    "links": _links,
    "words": _words,
    "trace": _note_trace,
    "traces": lambda value: len(_traces(value)),
    "trace_last": _ends_with_trace,
    "html": lambda value: _note(value)["content"],
    "activity": lambda value: dumps(value["activity"], ensure_ascii=False),
    "same_note": lambda value: _note(value)["id"] == value["before"],
    "payload": lambda value: dumps(_note_trace(value), ensure_ascii=False),
}

# ----------------------------------------------------------------------------------------------------------- policies

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
    return None if header is None else loads(b64decoded(header))


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

_OPERATIONS: Final[Mapping[str, Mapping[str, Fact]]] = {
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
