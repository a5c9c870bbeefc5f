"""Attachments of a message: what a program laid out with it, and what it displays of others: links, shared messages.

Spec: Slack, Secondary message attachments; Unfurling links.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ...._model.parts import LinkPart
from ...._text.markdown_words import markdown_link, markdown_words, mention_token
from ...._text.media import single_line
from ...._text.mrkdwn import mrkdwn_to_markdown
from ...._wire.http import is_web_url
from ..._members import items_of, object_of
from ..._writer import writer
from .._ids import is_channel, is_user, text_of
from .block_text import markdown_of, visible_text
from .blocks import unknown_in
from .file_texts import file_texts
from .files import file_label, read_file
from .texts import MessageText, words_of
from .times import minute_text

Attachment = Mapping[str, Any]

_OF_OTHERS: Final = (
    "is_share",
    "is_msg_unfurl",
    "is_app_unfurl",
    "is_reply_unfurl",
    "is_thread_root_unfurl",
    "from_url",
    "original_url",
    "service_name",
    "author_id",
)
"""Members by which Slack shows another message, or a page that a link leads to."""


def attachment_texts(attachment: Attachment, at: str, *, is_program: bool) -> Iterator[MessageText]:
    """The text of an attachment, and those of its files.

    Args:
        attachment: The attachment, as Slack sends it.
        at: Its JSON pointer.
        is_program: Whether a program wrote the message: then an attachment is its own, unless Slack shows others in it.
            People write no attachments.
    """
    is_own = is_program and not any(attachment.get(name) for name in _OF_OTHERS)
    author = None if is_own else _author(attachment)
    blocks = _blocks(attachment)
    pieces = (_above(attachment, author), _body(attachment, blocks), _below(attachment))
    content = "\n\n".join(filter(None, pieces))
    if not content.strip():
        content = markdown_words(text_of(attachment.get("fallback")))
    diagnostics = unknown_in(blocks, at)
    if content.strip() or diagnostics:
        yield MessageText(content, "text/markdown", None, author, diagnostics)
    for file in map(object_of, items_of(attachment.get("files"))):
        for text in file_texts(file, at):
            yield text if text.written_by is not None else text._replace(written_by=author)


def _author(attachment: Attachment) -> dict[str, str]:
    """Who wrote what it displays, as Slack names them."""
    names = [single_line(text_of(attachment.get(name))) for name in ("author_name", "service_name", "author_subname")]
    name, user = next(filter(None, names), ""), attachment.get("author_id")
    return writer(name, f"<@{user}>" if is_user(user) else None)


def _blocks(attachment: Attachment) -> tuple[Any, ...]:
    """The blocks of an attachment, or of the messages that it shows."""
    own = items_of(attachment.get("blocks"))
    shared = [object_of(object_of(one).get("message")) for one in items_of(attachment.get("message_blocks"))]
    return own or tuple([block for message in shared for block in items_of(message.get("blocks"))])


def _above(attachment: Attachment, author: Mapping[str, str] | None) -> str:
    """What is above the text. Whoever is named as its author is not named again."""
    named = [single_line(text_of(attachment.get(name))) for name in ("service_name", "author_name", "author_subname")]
    author_name = "" if author is None else author.get("display_name", "")
    title, url = single_line(text_of(attachment.get("title"))), single_line(text_of(attachment.get("title_link")))
    lines = [
        mrkdwn_to_markdown(text_of(attachment.get("pretext"))),
        *[markdown_words(name) for name in dict.fromkeys(named) if name != author_name],
        markdown_link(url, title) if title and is_web_url(url) else markdown_words(title),
    ]
    return "\n".join(filter(None, lines))


def _body(attachment: Attachment, blocks: Sequence[Any]) -> str:
    """The text, or the blocks; both where neither says all of the other. Then the fields."""
    text, laid_out = mrkdwn_to_markdown(text_of(attachment.get("text"))), markdown_of(blocks)
    texts = [laid_out, text]
    if words_of(text) <= words_of(laid_out):
        texts = [laid_out] if laid_out else [text]
    elif words_of(laid_out) <= words_of(text):
        texts = [text]
    fields = [_field(object_of(field)) for field in items_of(attachment.get("fields"))]
    return "\n\n".join(filter(None, [*texts, "\n".join(filter(None, fields))]))


def _field(field: Mapping[str, Any]) -> str:
    title, value = single_line(text_of(field.get("title"))), mrkdwn_to_markdown(text_of(field.get("value")))
    return f"**{markdown_words(title)}**: {value}" if title else value


def _below(attachment: Attachment) -> str:
    """What is below the text: a picture, files, buttons, the footer with the place and the time."""
    channel = attachment.get("channel_id")
    place = mention_token(f"#{channel}", is_markdown=True) if is_channel(channel) and channel[0] != "D" else ""
    footer = [markdown_words(single_line(text_of(attachment.get("footer")))), place, minute_text(attachment.get("ts"))]
    preview = object_of(attachment.get("preview"))
    lines = [
        _picture(attachment),
        *[visible_text(preview[name]) for name in ("title", "subtitle") if name in preview],
        *[_file(object_of(file)) for file in items_of(attachment.get("files"))],
        " ".join(filter(None, [_action(object_of(action)) for action in items_of(attachment.get("actions"))])),
        " · ".join(filter(None, footer)),
    ]
    return "\n".join(filter(None, lines))


def _file(file: Mapping[str, Any]) -> str:
    """A file of somebody else: its name, or a link to where another service holds it."""
    one = read_file(file, "")
    if isinstance(one, LinkPart):
        return " ".join(filter(None, [markdown_link(one.url, one.title or ""), markdown_words(one.description or "")]))
    return "" if one is None else f"\\[file: {markdown_words(file_label(file))}\\]"


def _picture(attachment: Attachment) -> str:
    """A picture by what it says instead of itself."""
    if not (attachment.get("image_url") or attachment.get("thumb_url")):
        return ""
    words = markdown_words(single_line(text_of(attachment.get("fallback"))))
    return f"\\[image: {words}\\]" if words else "\\[image\\]"


def _action(action: Mapping[str, Any]) -> str:
    """A button or a menu of old attachments."""
    texts = [text_of(action.get("text")), *_options(action)]
    texts += [text_of(option.get("text")) for option in map(object_of, items_of(action.get("selected_options")))]
    for group in map(object_of, items_of(action.get("option_groups"))):
        texts += [text_of(group.get("text")), *_options(group)]
    inside = " | ".join([markdown_words(single_line(text)) for text in dict.fromkeys(texts) if text])
    return f"\\[{inside}\\]" if inside else ""


def _options(value: Mapping[str, Any]) -> list[str]:
    options = map(object_of, items_of(value.get("options")))
    return [text_of(option.get(name)) for option in options for name in ("text", "description")]
