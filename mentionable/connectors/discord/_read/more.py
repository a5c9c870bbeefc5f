"""What a message shows next to its text: stickers, a poll, an invitation, a call, a thread, the command it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...._model.diagnostic import Diagnostic
from ...._model.parts import Part
from ...._wire.strict_json import pointer, whole_number
from ..._members import line_of, object_of, objects_of
from .._markdown import escape_name
from .._plain import escape_plain
from .components import emoji_name
from .parts import Reading, View, text_part, writer_of

THREADS: Final = (10, 11, 12)
"""Types of channels that are threads, also those of a forum."""


def read_stickers(view: View) -> Reading:
    """The stickers by name."""
    name = "sticker_items" if view.message.get("sticker_items") else "stickers"
    names: list[str] = []
    diagnostics: list[Diagnostic] = []
    for index, sticker in enumerate(objects_of(view.message.get(name))):
        title = line_of(sticker.get("name"))
        if title:
            names.append(f"[sticker: {escape_name(title)}]")
        else:
            diagnostics.append(_left_out("a sticker", f"{view.at}{pointer(name, index)}"))
    return Reading(_text_parts("\n".join(names), view), tuple(diagnostics))


def read_poll(view: View) -> Reading:
    """A poll: its question, its answers, and how many have voted for each."""
    poll = object_of(view.message.get("poll"))
    if not poll:
        return Reading()
    results = object_of(poll.get("results"))
    votes = {
        id: count
        for id, count in (
            (whole_number(one.get("id")), whole_number(one.get("count")))
            for one in objects_of(results.get("answer_counts"))
        )
        if id is not None and count is not None
    }
    question = _media(poll.get("question"))
    lines = [f"Poll: {question}"] if question else []
    for answer in objects_of(poll.get("answers")):
        text = _media(answer.get("poll_media"))
        count = votes.get(whole_number(answer.get("answer_id")) or 0)
        if text:
            lines.append(f"- {text}" if count is None else f"- {text}: {count} votes")
    lines += ["Several answers may be chosen."] if lines and poll.get("allow_multiselect") is True else []
    lines += ["The poll has ended."] if lines and results.get("is_finalized") is True else []
    if not lines:
        return Reading((), (_left_out("a poll", f"{view.at}/poll"),))
    return Reading(_text_parts("\n".join(lines), view))


def read_activity(view: View) -> Reading:
    """An invitation to join an activity, and a call."""
    texts = []
    if isinstance(view.message.get("activity"), Mapping):
        name = line_of(object_of(view.message.get("application")).get("name"))
        texts.append(f"[invitation: {escape_name(name)}]" if name else "[invitation]")
    if isinstance(view.message.get("call"), Mapping):
        texts.append("[call]")
    return Reading(_text_parts("\n".join(texts), view))


def read_thread(view: View) -> Reading:
    """The thread that was started from a message."""
    return Reading(thread_title(view.message.get("thread"), view))


def thread_title(channel: object, view: View) -> tuple[Part, ...]:
    """The title of a thread, which its owner wrote."""
    thread = object_of(channel)
    title = line_of(thread.get("name"))
    if not title:
        return ()
    owner, author = thread.get("owner_id"), object_of(view.message.get("author")).get("id")
    is_own = owner is None or owner == author
    by = None if is_own else writer_of({"id": owner})
    return (text_part(f"[thread: {escape_name(title)}]", view, by=by),)


def read_used_command(view: View) -> Reading:
    """The command that a message of a program answers, and who used it: people see both above the message."""
    used, before = object_of(view.message.get("interaction_metadata")), object_of(view.message.get("interaction"))
    user = used.get("user") or before.get("user")
    name = line_of(used.get("name")) or line_of(before.get("name"))
    if not isinstance(user, Mapping):
        return Reading()
    text = f"/{escape_name(name)}" if name else "[command]"
    return Reading((text_part(text, view, by=writer_of(user, before.get("member"))),))


def _media(value: object) -> str:
    """The text of a question or an answer, behind its emoji."""
    media = object_of(value)
    text = media.get("text")
    words = escape_plain(" ".join(text.split())) if isinstance(text, str) else ""
    return " ".join(filter(None, (emoji_name(media.get("emoji")), words)))


def _text_parts(text: str, view: View) -> tuple[Part, ...]:
    return (text_part(text, view),) if text else ()


def _left_out(what: str, at: str) -> Diagnostic:
    return Diagnostic(code="part-unsupported", at=at, detail=what)
