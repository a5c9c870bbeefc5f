"""What people see of a block, as Markdown.

Of a block only the members named here are read: ids, values and URLs of pictures are for programs.

Spec: Slack, Block Kit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ...._text.markdown_words import markdown_link, markdown_words, mention_token
from ...._text.media import single_line
from ...._text.mrkdwn import mrkdwn_to_markdown
from ...._wire.http import is_web_url
from ..._members import items_of, object_of
from .._ids import is_channel, is_user, text_of
from .rich_text import RICH_TEXT, markdown_rich_text
from .table import markdown_table
from .times import minute_text

MAX_DEPTH: Final = 12
"""Blocks inside blocks; Slack has three levels."""

Block = Mapping[str, Any]


def markdown_of(blocks: Sequence[Any]) -> str:
    """Blocks as Markdown, each a paragraph or more."""
    return _joined("\n\n", blocks, 0)


def visible_text(value: Any, depth: int = 0) -> str:
    """What people see of a block, an element, a text object or an option; several are lines."""
    if depth > MAX_DEPTH:
        return ""
    if isinstance(value, str):
        return markdown_words(text_of(value))
    if isinstance(value, (list, tuple)):
        return _joined("\n", value, depth + 1)
    block = object_of(value)
    kind = block.get("type")
    if isinstance(kind, str):
        if kind in _TEXTS:
            return _TEXTS[kind](block.get("text"))
        if kind in _WRITERS:
            return _WRITERS[kind](block, depth + 1)
        members = _MEMBERS.get(kind)
        return _unknown(block, depth + 1) if members is None else _members(block, members, depth + 1)
    if kind is not None:  # of an odd type: the texts that it has itself, and what is in it
        own = {name: text for name, text in block.items() if isinstance(text, str)}
        return "\n".join(filter(None, [_members(own, _UNTYPED, depth + 1), _unknown(block, depth + 1)]))
    return _members(block, _UNTYPED, depth + 1)


def _joined(separator: str, values: Sequence[Any], depth: int) -> str:
    return separator.join(filter(None, [visible_text(value, depth) for value in values]))


def _members(block: Block, names: Sequence[str], depth: int) -> str:
    """The members of a block that people see, in the order in which they see them."""
    return _joined("\n", [block[name] for name in names if name in block], depth)


def _mrkdwn(text: Any) -> str:
    return mrkdwn_to_markdown(text_of(text))


def _words(text: Any) -> str:
    return markdown_words(text_of(text))


def _number(cell: Block, _depth: int) -> str:
    value = cell.get("value")
    number = str(value) if value.__class__ in (int, float) else ""
    return _words(text_of(cell.get("text")) or number)


def _header(block: Block, depth: int) -> str:
    line = single_line(visible_text(block.get("text"), depth))
    return f"# {line}" if line else ""


def _context(block: Block, depth: int) -> str:
    return _joined(" ", items_of(block.get("elements")), depth)


def _rich_text(block: Block, _depth: int) -> str:
    return markdown_rich_text(block)


def _rule(_block: Block, _depth: int) -> str:
    return "---"


def _image(block: Block, depth: int) -> str:
    """A picture, by its title and by what it says instead of itself."""
    texts = [visible_text(block.get(name), depth) for name in ("title", "alt_text") if name in block]
    words = ": ".join(dict.fromkeys(filter(None, texts)))
    return f"\\[image: {words}\\]" if words else ""


def _video(block: Block, depth: int) -> str:
    title, url = text_of(object_of(block.get("title")).get("text")), single_line(text_of(block.get("title_url")))
    linked = markdown_link(url, single_line(title)) if is_web_url(url) else _words(title)
    names = ("author_name", "provider_name", "description", "alt_text")
    return "\n".join(filter(None, [linked, _members(block, names, depth)]))


def _source(element: Block, _depth: int) -> str:
    url, text = single_line(text_of(element.get("url"))), single_line(text_of(element.get("text")))
    return markdown_link(url, text) if is_web_url(url) else _words(text)


def _button(element: Block, depth: int) -> str:
    """What can be clicked, in brackets."""
    label = single_line(visible_text(element.get("text"), depth))
    return f"\\[{label}\\]" if label else ""


def _feedback(element: Block, depth: int) -> str:
    buttons = [object_of(element.get(name)) for name in ("positive_button", "negative_button")]
    return " ".join(filter(None, [_button(button, depth) for button in buttons]))


def _input(element: Block, depth: int) -> str:
    """What can be chosen or typed, in brackets: its prompt, what is chosen, and the choices."""
    texts = [single_line(visible_text(element[name], depth)) for name in _PROMPTS if name in element]
    texts += [single_line(minute_text(element.get("initial_date_time")))]
    people = [element.get("initial_user"), *items_of(element.get("initial_users"))]
    texts += [mention_token(f"@{user}", is_markdown=True) for user in people if is_user(user)]
    channels = [element.get("initial_channel"), element.get("initial_conversation")]
    channels += [*items_of(element.get("initial_channels")), *items_of(element.get("initial_conversations"))]
    texts += [mention_token(f"#{channel}", is_markdown=True) for channel in channels if is_channel(channel)]
    texts += [single_line(visible_text(option, depth)) for option in items_of(element.get("options"))]
    for group in map(object_of, items_of(element.get("option_groups"))):
        texts.append(single_line(visible_text(group.get("label"), depth)))
        texts += [single_line(visible_text(option, depth)) for option in items_of(group.get("options"))]
    inside = " | ".join(filter(None, texts))
    return f"\\[{inside}\\]" if inside else ""


def _table(block: Block, depth: int) -> str:
    rows = [
        [visible_text(cell, depth) for cell in items_of(row)] for row in items_of(block.get("rows")) if items_of(row)
    ]
    return "\n\n".join(filter(None, [visible_text(block.get("caption"), depth), markdown_table(rows)]))


def _container(block: Block, depth: int) -> str:
    names = ("icon", "title", "rich_text_title", "subtitle")
    return "\n\n".join(
        filter(None, [_members(block, names, depth), _joined("\n\n", items_of(block.get("child_blocks")), depth)])
    )


def _call(block: Block, depth: int) -> str:
    call = object_of(object_of(block.get("call")).get("v1"))
    name = single_line(visible_text(call.get("name"), depth))
    return f"\\[call: {name}\\]" if name else "\\[call\\]"


def _file(block: Block, depth: int) -> str:
    file = object_of(block.get("file"))
    name = single_line(visible_text(file.get("title") or file.get("name"), depth))
    return f"\\[file: {name or 'a file'}\\]"


def _contact(block: Block, depth: int) -> str:
    user = block.get("user_id")
    mention = mention_token(f"@{user}", is_markdown=True) if is_user(user) else ""
    return "\n".join(filter(None, [mention, _unknown(block, depth)]))


def _unknown(block: Block, depth: int) -> str:
    """Of a block that is not known: every text object in it, and every block that is known."""
    inner = [value for name, value in block.items() if name != "confirm" and isinstance(value, (dict, list, tuple))]
    return "\n".join(filter(None, [_known_within(value, depth) for value in inner]))


def _known_within(value: Any, depth: int) -> str:
    if depth > MAX_DEPTH:
        return ""
    if isinstance(value, (list, tuple)):
        return "\n".join(filter(None, [_known_within(item, depth + 1) for item in value]))
    if not isinstance(value, dict):
        return ""
    kind = value.get("type")
    is_unknown = kind not in KNOWN_BLOCKS if isinstance(kind, str) else kind is None
    return _unknown(value, depth + 1) if is_unknown else visible_text(value, depth)


_UNTYPED: Final = ("label", "text", "description", "options")
"""Members of options, groups of options and buttons of feedback."""

_PROMPTS: Final = (
    "text",
    "placeholder",
    "initial_value",
    "initial_date",
    "initial_time",
    "initial_option",
    "initial_options",
)

_TEXTS: Final[Mapping[str, Callable[[Any], str]]] = {
    "plain_text": _words,
    "raw_text": _words,
    "mrkdwn": _mrkdwn,
    "markdown": text_of,
}
"""Objects that are text, and the block that is Markdown."""

_MEMBERS: Final[Mapping[str, Sequence[str]]] = {
    "section": ("text", "fields", "accessory"),
    "alert": ("text",),
    "card": ("hero_image", "icon", "title", "subtitle", "body", "subtext", "actions"),
    "carousel": ("elements",),
    "input": ("label", "element", "hint"),
    "plan": ("title", "tasks"),
    "task_card": ("title", "details", "output", "sources"),
}

_INPUTS: Final = (
    "channels_select",
    "checkboxes",
    "conversations_select",
    "datepicker",
    "datetimepicker",
    "email_text_input",
    "external_select",
    "file_input",
    "multi_channels_select",
    "multi_conversations_select",
    "multi_external_select",
    "multi_static_select",
    "multi_users_select",
    "number_input",
    "overflow",
    "plain_text_input",
    "radio_buttons",
    "rich_text_input",
    "static_select",
    "timepicker",
    "url_text_input",
    "users_select",
)

_WRITERS: Final[Mapping[str, Callable[[Block, int], str]]] = {
    RICH_TEXT: _rich_text,
    "header": _header,
    "context": _context,
    "actions": _context,
    "context_actions": _context,
    "divider": _rule,
    "image": _image,
    "video": _video,
    "table": _table,
    "data_table": _table,
    "container": _container,
    "call": _call,
    "file": _file,
    "contact_card": _contact,
    "raw_number": _number,
    "button": _button,
    "workflow_button": _button,
    "icon_button": _button,
    "feedback_buttons": _feedback,
    "url": _source,
    **dict.fromkeys(_INPUTS, _input),
}

KNOWN_BLOCKS: Final = frozenset({*_TEXTS, *_MEMBERS, *_WRITERS})
