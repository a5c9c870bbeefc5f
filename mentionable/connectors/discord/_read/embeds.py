"""The embeds of a message: those that a program wrote, and the previews of links that Discord made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ...._model.diagnostic import Diagnostic
from ...._model.parts import LinkPart, Part
from ...._text.media import single_line
from ...._wire.http import is_web_url, url_host
from ...._wire.strict_json import pointer
from ...._wire.time import normal_time
from ..._members import line_of, object_of, objects_of
from ..._writer import extra_of, site_of
from .._plain import escape_plain
from .parts import Reading, View, text_part
from .people import is_program

_FILE_HOSTS: Final = (".discordapp.com", ".discordapp.net")
"""Hosts of Discord whose files open for any bearer of their URL."""

_PREVIEWS: Final = ("article", "gifv", "image", "link", "video")
"""Types of embeds that Discord makes of the links in a message."""

_POLL_RESULT: Final = "poll_result"
_RESULT_FIELDS: Final = {
    "poll_question_text": "Poll",
    "victor_answer_text": "Winner",
    "victor_answer_votes": "Votes of the winner",
    "total_votes": "Votes",
}
_WEB_URL: Final = re.compile(r"https?://[^\s<>]++")


def read_embeds(view: View) -> Reading:
    """The embeds as text, each with its link unless the message itself has it."""
    embeds = objects_of(view.message.get("embeds"))
    if not embeds:
        return Reading()
    typed = view.message.get("content")
    urls = set(_WEB_URL.findall(typed)) if isinstance(typed, str) else set()
    urls |= {url.rstrip(").,:;!?*_|~") for url in urls}
    by_program = is_program(object_of(view.message.get("author")), view.message.get("webhook_id"))
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    for index, embed in enumerate(embeds):
        url = embed.get("url")
        is_typed = isinstance(url, str) and url in urls
        may_be_own = by_program or view.by is not None
        is_own = may_be_own and embed.get("type") not in _PREVIEWS and not is_typed
        by = view.by if is_own else site_of(url)
        if isinstance(url, str) and not is_public(url):
            diagnostics.append(Diagnostic(code="url-refused", at=f"{view.at}{pointer('embeds', index)}/url"))
        elif isinstance(url, str) and not is_typed:
            parts.append(LinkPart(url=url, extra=extra_of(by)))
        text = _text(embed)
        if text:
            parts.append(text_part(text, view, by=by))
    return Reading(tuple(parts), tuple(diagnostics))


def is_public(url: str) -> bool:
    """Whether a URL may be passed on: a web address, and not one of Discord's own files."""
    return is_web_url(url) and not f".{url_host(url)}".endswith(_FILE_HOSTS)


def _text(embed: Mapping[str, Any]) -> str:
    """All words of an embed, in the order in which people see them."""
    if embed.get("type") == _POLL_RESULT:
        return "\n".join(_results(embed))
    title, description = embed.get("title"), embed.get("description")
    texts = [
        _plain(object_of(embed.get("provider")).get("name")),
        _plain(object_of(embed.get("author")).get("name")),
        f"**{single_line(title)}**" if isinstance(title, str) and title.strip() else "",
        description if isinstance(description, str) else "",
        *map(_field, objects_of(embed.get("fields"))),
        *[_plain(object_of(embed.get(name)).get("description")) for name in ("image", "thumbnail", "video")],
        _footer(embed),
    ]
    return "\n\n".join(filter(None, (text.strip() for text in texts)))


def _field(field: Mapping[str, Any]) -> str:
    name, value = line_of(field.get("name")), field.get("value")
    text = value.strip() if isinstance(value, str) else ""
    return f"**{name}**\n{text}" if name else text


def _footer(embed: Mapping[str, Any]) -> str:
    """The footer, and the time in it."""
    return " - ".join(
        filter(None, (_plain(object_of(embed.get("footer")).get("text")), normal_time(embed.get("timestamp"))))
    )


def _results(embed: Mapping[str, Any]) -> list[str]:
    """The results of a poll, whose fields have names for programs."""
    fields = {
        field["name"]: _plain(field.get("value"))
        for field in objects_of(embed.get("fields"))
        if isinstance(field.get("name"), str)
    }
    return [f"{words}: {fields[name]}" for name, words in _RESULT_FIELDS.items() if fields.get(name)]


def _plain(value: object) -> str:
    """A text without markup as Markdown."""
    return escape_plain(value.strip()) if isinstance(value, str) else ""
