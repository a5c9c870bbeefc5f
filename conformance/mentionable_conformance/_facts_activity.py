"""Facts about an activity and its note: who gets it, how visible it is, what people read, which trace it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps
from typing import Any, Final, TypeAlias

from mentionable_conformance._facts_error import FactError
from mentionable_conformance._facts_html import Page
from mentionable_conformance._facts_trace import trace_in

__all__ = ["ACTIVITY"]

Fact: TypeAlias = Callable[[Any], Any]
_POLICY_TERM: Final = "mentionablePolicy"
_EVERYBODY: Final = frozenset({"https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"})


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
