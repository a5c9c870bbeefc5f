"""Any activity of an agent: who it is from, its id, its addressees, its proof and its size."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import UsageError
from ..._flow.settings import Settings as BaseSettings
from ..._flow.settings import check_entropy, check_inputs, own_settings
from ..._wire.ids import derive, uuid7
from ..._wire.strict_json import dump_line
from ..._wire.time import format_time
from .._auth.sign import sign_object
from .._read.json_ld import host_in, is_at, is_opaque_iri, without_fragment
from .._settings import Settings
from .context import context_of
from .recipients import Addressees

_PROOF_BYTES: Final = 4_096
"""Bytes that are left for a proof."""


class Author(NamedTuple):
    """The agent that writes an activity, and with what.

    Attributes:
        id: The id of its actor.
        base: Under which URL it serves documents.
        host: The host of that.
        now: The time.
        entropy: Random bytes.
        settings: The settings.
    """

    id: str
    base: str
    host: str
    now: datetime
    entropy: bytes
    settings: Settings

    def new_id(self, folder: str, *what: str) -> str:
        """An id under `base`, which depends on `what`: two activities made with the same entropy never share one."""
        seed = derive(f"activitypub.{folder}", self.entropy, self.id, *what)
        return f"{self.base}/{folder}/{uuid7(self.now, seed, f'activitypub {folder}')}"

    @property
    def followers(self) -> str:
        """The id of the collection of its followers, as its actor document has it."""
        return f"{self.id}/followers"

    def wrote(self, document: Mapping[str, Any], member: str) -> bool:
        """Whether a document is on the host of this agent, which is its one author by `member`."""
        own = document.get("id")
        return isinstance(own, str) and is_at(own, self.host) and document.get(member) == self.id


def author_with(base: str, *, now: datetime, entropy: bytes, settings: BaseSettings) -> Author:
    """The agent whose key is in the settings.

    Raises:
        UsageError: An argument is of the wrong kind, or there is no key.
    """
    check_inputs(now, settings)
    check_entropy(entropy)
    base, host = check_base(base)
    ours = own_settings(Settings, settings)
    own = own_actor(ours, host=host)
    if own is None:
        raise UsageError("Settings.key is needed: its key_id is the id of your actor and a fragment")
    return Author(own, base, host, now, entropy, ours)


def check_base(base: str) -> tuple[str, str]:
    """The base of all ids without a slash at its end, and its host.

    Raises:
        UsageError: It is no such URL.
    """
    host = host_in(base)
    if host is None or "?" in base or "#" in base:
        raise UsageError("base must be the https URL under which you serve documents: https://host/path")
    return base.rstrip("/"), host


def check_object_id(object_id: object, name: str, author: Author) -> None:
    """Raises `UsageError` unless this is the id of an object."""
    if not isinstance(object_id, str) or not is_opaque_iri(object_id, author.settings.limits):
        raise UsageError(f"{name} must be the id of an object, an absolute IRI")


def own_actor(settings: Settings, *, host: str) -> str | None:
    """The id of the agent's actor, by its keys; None where there is none.

    Raises:
        UsageError: A key is of another host, or the keys are of two actors.
    """
    keys = [key for key in (settings.key, settings.object_key) if key is not None]
    if not all("#" in key.key_id and is_at(key.key_id, host) for key in keys):
        raise UsageError(f"key_id must be the id of your actor on {host} with a fragment, such as #main-key")
    named = {without_fragment(key.key_id) for key in keys}
    if len(named) > 1:
        raise UsageError("Settings.key and Settings.object_key must be of the same actor")
    return named.pop() if named else None


class SizedActivity(NamedTuple):
    """An activity, and how it is sent.

    Attributes:
        document: The activity.
        data: Its bytes.
    """

    document: dict[str, Any]
    data: bytes


def bytes_left(settings: Settings) -> int:
    """How many bytes an activity may have before it has its proof."""
    return settings.limits.activitypub_bytes - (0 if settings.object_key is None else _PROOF_BYTES)


def with_proof(activity: SizedActivity, *, settings: Settings, now: datetime) -> SizedActivity:
    """The activity with its object proof, where there is a key for one."""
    if settings.object_key is None:
        return activity
    document = sign_object(activity.document, key=settings.object_key, now=now)
    return SizedActivity(document, dump_line(document).encode())


def new_activity(
    kind: str,
    members: Mapping[str, Any],
    addressees: Addressees,
    *,
    activity_id: str,
    actor: str,
    published: str,
    settings: Settings,
) -> SizedActivity:
    """An activity before it has its proof, with the context that its proof needs too.

    Args:
        kind: Its type.
        members: Its `object`, and what else it says.
        addressees: Its addressees.
        activity_id: Its id.
        actor: The id of its actor.
        published: When it is done.
        settings: Whether it gets a proof.
    """
    activity = {
        "@context": context_of(members, proven=settings.object_key is not None),
        "id": activity_id,
        "type": kind,
        "actor": actor,
        "published": published,
        "to": [*addressees.to],
        "cc": [*addressees.cc],
        **members,
    }
    return SizedActivity(activity, dump_line(activity).encode())


def activity_of(author: Author, kind: str, members: Mapping[str, Any], addressees: Addressees) -> SizedActivity:
    """An activity of the agent that is not about a new or changed note.

    Args:
        author: The agent.
        kind: Its type.
        members: Its `object`, and what else it says.
        addressees: Its addressees.

    Raises:
        UsageError: It is too large.
    """
    settings = author.settings
    activity = new_activity(
        kind,
        members,
        addressees,
        activity_id=author.new_id("activities", kind, dump_line(members)),
        actor=author.id,
        published=format_time(author.now),
        settings=settings,
    )
    if len(activity.data) > bytes_left(settings):
        raise UsageError(f"the activity would have {len(activity.data)} bytes, at most {bytes_left(settings)}")
    return with_proof(activity, settings=settings, now=author.now)
