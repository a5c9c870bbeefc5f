"""The way out: a response as calls of the API of your BlueBubbles server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import field

from ..._errors import UsageError
from ..._faces import text_face
from ..._files import file_name
from ..._ids import derive, uuid_of
from ..._model.parts import ArtifactPart, FilePart, UnknownPart
from ..._outcome import Diagnostic
from ..._reply import NO_BLOBS, check_size, content_of, found_in
from ..._settings import DEFAULTS
from ..._value import record
from .._answer import check_answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..._model.message import NormalizedMessage, NormalizedResponse
    from ..._settings import Settings as BaseSettings

MOST_FILE: Final = 104_857_600
"""The bytes of a file that Apple takes."""

_MOST_GUID: Final = 320
_TEXT: Final = "/api/v1/message/text"
_ATTACHMENT: Final = "/api/v1/message/attachment"


@record
class Upload:
    """A file that goes along with a call, as part `attachment` of a multipart form.

    Attributes:
        name: Its name.
        mime: Its media type.
        data: Its bytes.
    """

    name: str
    mime: str
    data: bytes = field(repr=False)


@record
class Post:
    """One call of the API of your server. Its password, which every call needs, is yours to add.

    Attributes:
        path: Behind the URL of your server.
        params: The JSON to send; beside a file, the fields of the form.
        file: What to send along.
    """

    path: str
    params: dict[str, Any] = field(repr=False, hash=False)
    file: Upload | None = None


@record
class Outgoing:
    """An answer, as calls to be made one after the other.

    Attributes:
        thread: The thread id of the chat that they go to. When you gave no `chat_guid`, each call lacks its `chatGuid`,
            which you stored under this.
        calls: The calls.
        diagnostics: What could not be carried.
    """

    thread: str
    calls: tuple[Post, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def reply(
    response: NormalizedResponse,
    *,
    to: NormalizedMessage,
    chat_guid: str | None = None,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    private_api: bool = False,
    settings: BaseSettings = DEFAULTS,
) -> Outgoing:
    """The calls that carry an answer to the chat: plain text, then each file by itself.

    Args:
        response: The answer, whole.
        to: The message that it answers, as `receive` gave it.
        chat_guid: The chat, as you stored it when the question came (`chats`): the message itself does not tell it.
        blobs: SHA-256 in hex → bytes, of files that the response names by their digest.
        private_api: Whether your server has its private API on; then the answer shows the message that it answers.
        settings: Limits, and the hosts to which policies may lead.

    Raises:
        UsageError: The response may not go out like that, or an argument is of the wrong kind: fix your program.

    Spec: Normalized Message §4; Building a Connector §PolicyPart handling.
    """
    thread = check_answer(response, to=to, platform="bluebubbles", settings=settings)
    if chat_guid is not None and not _is_guid(chat_guid):
        raise UsageError("chat_guid is the GUID of a chat")
    common: dict[str, Any] = {} if chat_guid is None else {"chatGuid": chat_guid}
    common["method"] = "private-api" if private_api else "apple-script"
    uploads = _uploads(response, blobs)
    posts = []
    text = text_face(response, attached=uploads.keys()) if len(uploads) < len(response.parts) or not uploads else ""
    if text.strip():
        params = {**common, "tempGuid": _temporary(response, thread, "text"), "message": text}
        own = found_in(to.raw, "id")
        if private_api and thread == to.thread_id and isinstance(own, str):
            params["selectedMessageGuid"] = own
        posts.append(Post(path=_TEXT, params=params))
    for index, upload in uploads.items():
        params = {**common, "tempGuid": _temporary(response, thread, str(index)), "name": upload.name}
        posts.append(Post(path=_ATTACHMENT, params=params, file=upload))
    unknown = [index for index, part in enumerate(response.parts) if isinstance(part, UnknownPart)]
    notes = [Diagnostic(code="part-unsupported", at=f"/parts/{index}") for index in unknown]
    return Outgoing(thread=thread, calls=tuple(posts), diagnostics=tuple(notes))


def _is_guid(found: object) -> bool:
    return isinstance(found, str) and 0 < len(found) <= _MOST_GUID


def _uploads(response: NormalizedResponse, blobs: Mapping[str, bytes]) -> dict[int, Upload]:
    """The files of a response that go along, by their places; those behind a URL are named in the text."""
    uploads = {}
    for index, part in enumerate(response.parts):
        if isinstance(part, (FilePart, ArtifactPart)):
            data = content_of(part, index, blobs)
            if data is not None:
                check_size(data, most=MOST_FILE, what="a file")
                name = file_name(part.name or "") or f"file-{index + 1}"
                uploads[index] = Upload(name=name, mime=part.mime, data=data)
    return uploads


def _temporary(response: NormalizedResponse, thread: str, what: str) -> str:
    """The id by which your server knows a call again that it was given twice."""
    return f"temp-{uuid_of(derive('bluebubbles.temp', response.reply_to.encode(), thread, what))}"
