"""The components of a message: texts, pictures, files, buttons, and what people may choose or write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._model.parts import LinkPart, Part
from ..._members import line_of, object_of, objects_of
from ..._writer import extra_of
from .._markdown import escape_name
from .._plain import escape_plain
from .embeds import is_public
from .parts import Reading, View, text_part

_BUTTON: Final = 2
_TEXT_INPUT: Final = 4
_FILE: Final = 13
_CHILDREN: Final = ("components", "items", "options", "component", "accessory")
"""Members that hold components, and what a component shows item by item."""


def read_components(view: View) -> Reading:
    """The words of all components as one text, in their order, and the links of buttons.

    The members that people see have the same names in every type of component, so that types to come are read, too.
    What only programs see (`custom_id`, `value` of an option) is not read.
    """
    texts: list[str] = []
    links: list[Part] = []
    waiting = _inside({"components": view.message.get("components")})
    while waiting:
        component = waiting.pop()
        text = _text(component)
        if text:
            texts.append(text)
        url = component.get("url") if component.get("type") == _BUTTON else None
        if isinstance(url, str) and is_public(url):
            links.append(LinkPart(url=url, extra=extra_of(view.by)))
        waiting += _inside(component)
    return Reading((*([text_part("\n\n".join(texts), view)] if texts else []), *links))


def _inside(component: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a component holds, the last first."""
    children: list[Mapping[str, Any]] = []
    for name in _CHILDREN:
        held = component.get(name)
        children += objects_of(held) if isinstance(held, (list, tuple)) else objects_of([held])
    return children[::-1]


def _text(component: Mapping[str, Any]) -> str:
    """The words of a component itself."""
    kind, content = component.get("type"), component.get("content")
    texts = [content.strip()] if isinstance(content, str) else []
    label = escape_name(line_of(component.get("label")))
    emoji = emoji_name(component.get("emoji"))
    heading = " ".join(filter(None, (emoji, label)))
    texts.append(f"[{heading}]" if heading and kind == _BUTTON else heading)
    names = ["description", "placeholder"]
    names += ["value"] if kind == _TEXT_INPUT else ["name"] if kind == _FILE else []
    texts += [escape_plain(component[name].strip()) for name in names if isinstance(component.get(name), str)]
    return "\n".join(filter(None, texts))


def emoji_name(value: object) -> str:
    """An emoji in a member of its own: the character, or the name of a custom one."""
    emoji = object_of(value)
    name = escape_name(line_of(emoji.get("name")))
    return f":{name}:" if name and emoji.get("id") is not None else name
