"""The entry point `replace_artifact`: an artifact of a task that goes on gets other contents."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field

from .._errors.exceptions import UsageError
from .._flow.settings import DEFAULTS, Settings, check_kind, check_settings
from .._model.base import frozen
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse, as_part
from .._model.parts import Part
from .._model.stored_task import StoredTask
from .._transport.reply import NO_BLOBS, check_parts
from .._wire.strict_json import dig, plain
from ._protocol import Json
from ._task import check_task, updated
from ._write.dialects import V1
from ._write.objects import Place, artifact_update
from ._write.parts import write_parts


@frozen
class ReplacedArtifact:
    """A task with an artifact that has other contents.

    Attributes:
        stored_task: What to store of the task now.
        update: The event as JSON of A2A 1.0: for subscribers and webhooks.
        diagnostics: What of the parts could not be carried as it is: `part-changed`.
    """

    stored_task: StoredTask
    update: Json = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()


def replace_artifact(
    task: StoredTask,
    artifact_id: str,
    *parts: Part | str,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    settings: Settings = DEFAULTS,
) -> ReplacedArtifact:
    """Gives an artifact of a stored task other contents, which take the place of the old ones under the same id.

    So an agent corrects what it made while its task goes on. Of a task that has ended nothing changes any more, and a
    message cannot be taken back: answer the next message of the client, in a new task.

    Args:
        task: What you stored of the task.
        artifact_id: The `artifactId` of one of `task.artifacts`.
        parts: The new contents; a string is Markdown.
        blobs: SHA-256 in hex → bytes, for files that are named by their digest alone.
        settings: Has the limits.

    Raises:
        UsageError: Your program's fault: the task has ended or has no such artifact, frames of the artifact are still
            to come, or the new contents are none, or too large.

    Spec: A2A 1.0 §4.2.2 (TaskArtifactUpdateEvent); A2A 0.3 §7.2.3.

    Example:
        >>> from mentionable import StoredTask
        >>> task = StoredTask(
        ...     id="t1", context_id="c1", state="working", updated_at="2026-11-21T00:00:00Z",
        ...     artifacts=({"artifactId": "a1", "parts": [{"text": "Rain at four."}]},),
        ... )
        >>> changed = replace_artifact(task, "a1", "Rain at *five*.")
        >>> changed.update["artifactUpdate"]["artifact"]["parts"]
        [{'text': 'Rain at *five*.', 'mediaType': 'text/markdown'}]
    """
    # 1. the artifact, in a task that goes on       3. the event
    # 2. its new contents                           4. the task after it
    check_settings(settings)
    check_kind(task, StoredTask, "task")
    check_task(task, task_id=task.id)
    old = next((one for one in task.artifacts if one.get("artifactId") == artifact_id), None)
    if old is None:
        raise UsageError("artifact_id: the task has no artifact of this id")
    if dig(old, "metadata", "mentionable", "streaming", "final") is False:
        raise UsageError("artifact_id: frames of this artifact are still to come")

    response = NormalizedResponse(reply_to=task.id, parts=tuple(map(as_part, parts)))
    if not parts:
        raise UsageError("parts: an artifact has contents")
    check_parts(response, None, settings)
    written, diagnostics = write_parts(response.parts, V1, blobs)

    # Its name stays; the metadata of the old contents does not.
    described = {name: plain(old[name]) for name in ("name", "description") if name in old}
    artifact = {"artifactId": artifact_id, **described, "parts": written}
    update = artifact_update(Place(task.context_id, task.id), artifact, V1, appends=False, is_last=True)
    stored = updated(task, (update,), settings.limits)
    return ReplacedArtifact(stored_task=stored, update=plain(update), diagnostics=tuple(diagnostics))
