"""What Slack is asked about an event: its author, who and what it mentions, its files, and its thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from ...._flow.flow import Flow, ask_each
from ...._model.base import replace
from ...._model.diagnostic import Diagnostic
from ...._text.media import single_line
from ..._members import object_of, objects_of
from .._ids import is_channel, is_group, is_user, text_of
from .._settings import Settings
from .api import CallApi
from .content import MessageContent, read_content
from .event import Event
from .files import files_info, needs_info
from .history import Turn, ask_thread, unknown_writers
from .mentions import labels_in
from .people import Person, read_answer, read_person, unanswered, users_info
from .texts import mentioned

_MAX_MENTIONED: Final = 10
"""Mentioned people whose names are looked up; and as many channels."""

_MAX_FILES: Final = 10
"""Files that `files.info` is asked about."""

_MAX_GROUPS: Final = 10_000
_MAX_NAME: Final = 80


class Lookup(NamedTuple):
    """The content of an event, and the answers of Slack's API to its asks.

    Attributes:
        content: What people see of the message.
        people: Accounts by their ids.
        names: Id of a person, a group or a channel → its name.
        turns: The messages of its thread before it.
        diagnostics: What was not answered, and what was left out of those messages.
    """

    content: MessageContent
    people: Mapping[str, Person]
    names: Mapping[str, str]
    turns: Sequence[Turn]
    diagnostics: tuple[Diagnostic, ...]


class _Answers(NamedTuple):
    """What Slack answered to one batch."""

    people: dict[str, Person]
    names: dict[str, str]
    files: dict[str, Mapping[str, Any]]
    diagnostics: tuple[Diagnostic, ...]


_NO_ANSWERS: Final = _Answers({}, {}, {}, ())


def content_of(event: Event, settings: Settings) -> MessageContent:
    """What people see of the message of an event."""
    message = {
        "text": event.text,
        "blocks": event.blocks,
        "attachments": event.attachments,
        "files": event.files,
    }
    return read_content(message, "/event", is_program=event.bot is not None, limits=settings.limits)


def look_up(event: Event, content: MessageContent, settings: Settings) -> Flow[CallApi, Lookup]:
    """Look up the author, what is mentioned, the files and the thread, by a bounded number of calls.

    Args:
        event: The event.
        content: Its content.
        settings: `limits.asks` bounds the calls.
    """
    limits = settings.limits
    ids = [id for id in _mentioned(content) if id != event.bot_user]
    labels = labels_in((event.text, event.blocks, event.attachments)) if ids else {}
    mentioned = [id for id in ids if is_user(id)][:_MAX_MENTIONED]
    users = [*dict.fromkeys([event.user, *mentioned] if event.user else mentioned)]
    files = {file["id"]: file for file in objects_of(event.files)[: limits.parts] if needs_info(file)}
    asks = [*map(users_info, users), *map(files_info, [*files.values()][:_MAX_FILES]), *_places(ids, labels)]
    first = yield from _ask(asks[: limits.asks])
    if first.files:
        event = replace(event, files=tuple([first.files.get(_id(file), file) for file in event.files]))
        content = content_of(event, settings)
    names = {**labels, **first.names}
    if event.root is None or settings.history.max_messages <= 0:
        return Lookup(content, first.people, names, (), first.diagnostics)
    turns, truncated = yield from ask_thread(event, event.root, settings)
    left = limits.asks - len(asks) - limits.walk_depth
    second = yield from _ask(_asks_of(turns, names, [*users, event.bot_user or ""], asks)[: max(left, 0)])
    labels = {id: name for turn in turns for id, name in turn.labels.items()}
    seen = turns[-settings.history.max_messages :]
    left_out = chain.from_iterable(turn.content.diagnostics for turn in seen)
    return Lookup(
        content,
        {**first.people, **second.people},
        {**labels, **names, **second.names},
        turns,
        (*first.diagnostics, *truncated, *left_out, *second.diagnostics),
    )


def _id(file: Any) -> str:
    return text_of(object_of(file).get("id"))


def _mentioned(content: MessageContent) -> list[str]:
    """The ids of what the texts mention, each once."""
    return list(dict.fromkeys([id for text in content.texts for id in mentioned(text).values()]))


def _places(ids: Iterable[str], names: Mapping[str, str]) -> list[CallApi]:
    """The asks for channels and groups without a name."""
    unnamed = [id for id in ids if id not in names]
    channels = [id for id in unnamed if is_channel(id)][:_MAX_MENTIONED]
    asks = [CallApi(method="conversations.info", params=(("channel", channel),)) for channel in channels]
    return [*asks, CallApi(method="usergroups.list")] if any(map(is_group, unnamed)) else asks


def _asks_of(
    turns: Sequence[Turn], names: Mapping[str, str], known: Sequence[str], asked: Sequence[CallApi]
) -> list[CallApi]:
    """The asks for who wrote the turns of a thread, the latest first, and for what they mention."""
    ids = list(dict.fromkeys([id for turn in turns for id in _mentioned(turn.content)]))
    writers = unknown_writers(turns, known)
    mentioned = [id for id in ids if is_user(id) and id not in known and id not in writers][:_MAX_MENTIONED]
    labels = {id: name for turn in turns for id, name in turn.labels.items()}
    places = [ask for ask in _places(ids, {**labels, **names}) if ask not in asked]
    return [*map(users_info, [*writers, *mentioned]), *places]


def _ask(asks: Sequence[CallApi]) -> Flow[CallApi, _Answers]:
    """Ask Slack for all of these at once."""
    if not asks:
        return _NO_ANSWERS
    people: dict[str, Person] = {}
    names: dict[str, str] = {}
    files: dict[str, Mapping[str, Any]] = {}
    diagnostics: list[Diagnostic] = []
    for ask, answer in zip(asks, (yield from ask_each(asks)), strict=True):
        if ask.method == "users.info":
            person, failures = read_person(ask, answer)
            if person is not None:
                people[person.id] = person
                names |= {} if person.name == person.id else {person.id: person.name}
        elif ask.method == "files.info":
            file, failures = _read_file(ask, answer)
            files |= file
        else:
            places, failures = _read_places(ask, answer)
            names |= places
        diagnostics += failures
    return _Answers(people, names, files, tuple(diagnostics))


def _read_file(ask: CallApi, answer: Any) -> tuple[dict[str, Mapping[str, Any]], tuple[Diagnostic, ...]]:
    """The file that was asked for."""
    result, failure = read_answer(ask, answer)
    if result is None:
        return {}, failure
    file, id = object_of(result.get("file")), ask.params[0][1]
    if file.get("id") != id:
        return {}, (unanswered(ask, "the answer is about another file"),)
    # Who may ask for it may see it, unless the answer says that it must be asked for.
    return {id: file}, ()


def _read_places(ask: CallApi, answer: Any) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """The name of a channel that is public, or the handles of groups.

    The app may be in a channel that the reader may not know of: whoever writes its id must not learn its name.
    """
    result, failure = read_answer(ask, answer)
    if result is None:
        return {}, failure
    if ask.method == "usergroups.list":
        groups = objects_of(result.get("usergroups"))[:_MAX_GROUPS]
        handles = {text_of(group.get("id")): single_line(text_of(group.get("handle"))) for group in groups}
        return {id: name[:_MAX_NAME] for id, name in handles.items() if is_group(id) and name}, ()
    channel, id = object_of(result.get("channel")), ask.params[0][1]
    name = single_line(text_of(channel.get("name")))
    if channel.get("id") != id or channel.get("is_private") is not False or not name:
        return {}, (unanswered(ask, "the answer names no public channel"),)
    return {id: name[:_MAX_NAME]}, ()
