"""What each provider takes: the documented rules, as one table.

`lower` reads it, and `tests/provider_rules.py` writes it into docs/how-to/ingest.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_letters, digits
from typing import Final

from .._model.base import frozen
from .._text.media import OCTET_STREAM
from ._media import ANY_IMAGE, PDF
from ._neutral import Dialect, File

_OPENAI_TYPES: Final = "https://github.com/openai/openai-python/blob/main/src/openai/types"
_OPENAI_NAMES: Final = f"{_OPENAI_TYPES}/shared_params/function_definition.py"
_OPENAI_AUDIO: Final = f"{_OPENAI_TYPES}/chat/chat_completion_content_part_input_audio_param.py"
_OPENAI_IMAGES: Final = "https://developers.openai.com/api/docs/guides/images-vision"
_OPENAI_FILES: Final = "https://developers.openai.com/api/docs/guides/file-inputs"
_CLAUDE_TOOLS: Final = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools"
_CLAUDE_ERRORS: Final = "https://platform.claude.com/docs/en/api/errors"
_CLAUDE_VISION: Final = "https://platform.claude.com/docs/en/build-with-claude/vision"
_CLAUDE_PDF: Final = "https://platform.claude.com/docs/en/build-with-claude/pdf-support"
_VERTEX: Final = "https://docs.cloud.google.com/vertex-ai/generative-ai/docs"
_VERTEX_NAMES: Final = f"{_VERTEX}/reference/java/latest/com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder"
_VERTEX_IMAGES: Final = f"{_VERTEX}/multimodal/image-understanding"
_GEMINI_FILES: Final = "https://ai.google.dev/gemini-api/docs/file-input-methods"
_BEDROCK: Final = "https://docs.aws.amazon.com/bedrock/latest"
_BEDROCK_TOOLS: Final = f"{_BEDROCK}/APIReference/API_runtime_ToolUseBlock.html"
_BEDROCK_FILES: Final = f"{_BEDROCK}/APIReference/API_runtime_Message.html"
_BEDROCK_NAMES: Final = f"{_BEDROCK}/APIReference/API_runtime_DocumentBlock.html"
_BEDROCK_TURNS: Final = f"{_BEDROCK}/userguide/conversation-inference-call.html"
_WEB: Final = ("https", "http")


@frozen
class WordRule:
    """The form of a name or an id.

    Attributes:
        first: The characters with which it may begin; empty for all of `characters`.
        characters: The characters of which it may consist; empty for any.
        max_length: Characters.
        source: The page that says so, or the text of the error where no page does.
    """

    first: str = ""
    characters: str = ""
    max_length: int
    source: str


@frozen
class FileRule:
    """A kind of files.

    Attributes:
        kind: What the provider calls it.
        types: Media types, or their beginnings up to `/`.
        schemes: The schemes of URLs by which the provider fetches such a file; none if it fetches none.
        max_bytes: Bytes of one file, before base64.
        max_total: Bytes of all such files of a request.
        max_count: Such files of a request.
        source: The page that says so.
    """

    kind: str
    types: tuple[str, ...]
    schemes: tuple[str, ...] = ()
    max_bytes: int | None = None
    max_total: int | None = None
    max_count: int | None = None
    source: str


@frozen
class TurnRule:
    """The order of the turns.

    Attributes:
        alternates: Whether user and assistant must alternate, and system text has a member of its own.
        user_first: Whether a user must speak first.
        user_last: Whether a user, or the result of a tool, must be last.
        takes_blank: Whether a text may be empty or consist of white space.
        source: The page or the error that says so.
    """

    alternates: bool
    user_first: bool
    user_last: bool
    takes_blank: bool
    source: str = ""


@frozen
class Rules:
    """What one provider takes.

    Attributes:
        names: Names of tools; None for any.
        ids: Ids of calls; None for any. An id is used once in a conversation.
        needs_ids: Whether each call has an id.
        files: Kinds of files, the first that fits counts; none if the provider, or the framework, takes all.
        turns: The order of the turns. Everywhere the results of calls follow at once, and each call has one.
    """

    names: WordRule | None
    ids: WordRule | None
    needs_ids: bool = True
    files: tuple[FileRule, ...] = ()
    turns: TurnRule


_WORD: Final = f"{ascii_letters}{digits}_-"
_WEB_IMAGES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
_OPENAI_DOCUMENTS: Final = (
    PDF,
    "text/",
    "application/json",
    "application/msword",
    "application/rtf",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    OCTET_STREAM,
)
_GEMINI_IMAGES_TAKEN: Final = ("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", ANY_IMAGE)
_GEMINI_DOCUMENTS: Final = (
    "text/",
    PDF,
    "application/json",
    "application/rtf",
    "application/x-javascript",
    OCTET_STREAM,
)
BEDROCK_DOCUMENTS: Final[Mapping[str, str]] = {
    PDF: "pdf",
    "text/csv": "csv",
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "text/html": "html",
    "text/plain": "txt",
    "text/markdown": "md",
}
"""Media type → the word that Bedrock has for the format."""

OPENAI_AUDIO: Final[Mapping[str, str]] = {
    "audio/mp3": "mp3",
    "audio/mpeg": "mp3",
    "audio/vnd.wave": "wav",
    "audio/wav": "wav",
    "audio/wave": "wav",
    "audio/x-wav": "wav",
}
"""Media type → the word that OpenAI has for the format."""

DOCUMENT_NAMES: Final = WordRule(characters=f"{ascii_letters}{digits} ()[]-", max_length=200, source=_BEDROCK_NAMES)
"""The names of documents in Bedrock, where each document of a request has another one."""


_FREE: Final = TurnRule(alternates=False, user_first=False, user_last=False, takes_blank=True)


def _alternating(source: str) -> TurnRule:
    return TurnRule(alternates=True, user_first=True, user_last=True, takes_blank=False, source=source)


def _openai_images(source: str) -> FileRule:
    return FileRule(
        kind="image", types=(*_WEB_IMAGES, ANY_IMAGE), schemes=_WEB, max_total=50_000_000, max_count=500, source=source
    )


RULES: Final[Mapping[Dialect, Rules]] = {
    "openai": Rules(
        names=WordRule(characters=_WORD, max_length=64, source=_OPENAI_NAMES),
        ids=WordRule(max_length=40, source="string too long. Expected a string with maximum length 40"),
        files=(
            _openai_images(_OPENAI_IMAGES),
            FileRule(kind="recording", types=tuple(OPENAI_AUDIO), source=_OPENAI_AUDIO),
            FileRule(kind="document", types=(PDF,), max_total=50_000_000, source=_OPENAI_FILES),
        ),
        turns=_FREE,
    ),
    "openai-responses": Rules(
        names=WordRule(characters=_WORD, max_length=64, source=_OPENAI_NAMES),
        ids=WordRule(max_length=64, source="string too long. Expected a string with maximum length 64"),
        files=(
            _openai_images(_OPENAI_IMAGES),
            FileRule(
                kind="document", types=_OPENAI_DOCUMENTS, schemes=_WEB, max_total=50_000_000, source=_OPENAI_FILES
            ),
        ),
        turns=_FREE,
    ),
    "anthropic": Rules(
        names=WordRule(characters=_WORD, max_length=128, source=_CLAUDE_TOOLS),
        ids=WordRule(characters=_WORD, max_length=256, source="String should match pattern '^[a-zA-Z0-9_-]+$'"),
        files=(
            FileRule(
                kind="image",
                types=(*_WEB_IMAGES, ANY_IMAGE),
                schemes=("https",),
                max_bytes=3_932_160,
                max_total=24_000_000,
                max_count=100,
                source=_CLAUDE_VISION,
            ),
            FileRule(kind="document", types=(PDF,), schemes=("https",), max_total=24_000_000, source=_CLAUDE_PDF),
            FileRule(kind="text", types=("text/",), max_total=32_000_000, source=_CLAUDE_PDF),
        ),
        turns=_alternating(_CLAUDE_ERRORS),
    ),
    "gemini": Rules(
        names=WordRule(first=f"{ascii_letters}_", characters=f"{_WORD}.", max_length=64, source=_VERTEX_NAMES),
        ids=None,
        needs_ids=False,
        files=(
            FileRule(
                kind="image",
                types=_GEMINI_IMAGES_TAKEN,
                schemes=_WEB,
                max_total=100_000_000,
                max_count=3_000,
                source=_VERTEX_IMAGES,
            ),
            FileRule(
                kind="recording or video",
                types=("audio/", "video/"),
                schemes=_WEB,
                max_total=100_000_000,
                source=_GEMINI_FILES,
            ),
            FileRule(
                kind="document",
                types=_GEMINI_DOCUMENTS,
                schemes=_WEB,
                max_bytes=50_000_000,
                max_total=100_000_000,
                source=_GEMINI_FILES,
            ),
        ),
        turns=_alternating("function call turn comes immediately after a user turn"),
    ),
    "bedrock": Rules(
        names=WordRule(characters=_WORD, max_length=64, source=_BEDROCK_TOOLS),
        ids=WordRule(characters=_WORD, max_length=64, source=_BEDROCK_TOOLS),
        files=(
            FileRule(kind="image", types=_WEB_IMAGES, max_bytes=3_750_000, max_count=20, source=_BEDROCK_FILES),
            FileRule(
                kind="document",
                types=tuple(BEDROCK_DOCUMENTS),
                max_bytes=4_500_000,
                max_count=5,
                source=_BEDROCK_FILES,
            ),
        ),
        turns=_alternating(_BEDROCK_TURNS),
    ),
    "vercel": Rules(names=None, ids=None, turns=_FREE),
    "pydantic-ai": Rules(names=None, ids=None, turns=_FREE),
    "langchain": Rules(names=None, ids=None, turns=_FREE),
}


def file_rule(file: File, rules: Rules) -> FileRule | None:
    """The rule for a file; None if the provider takes no such file.

    A provider may find out the type of what it fetches, never that of bytes.
    """
    kind = file.media_type
    if file.url is None and (kind == OCTET_STREAM or kind.endswith("/*")):
        return None
    half = kind.partition("/")[0] + "/"
    return next((rule for rule in rules.files if kind in rule.types or half in rule.types), None)


def fits(word: str, rule: WordRule | None) -> bool:
    """Whether a name or an id has the form of a rule; without a rule any that is not empty has."""
    if not word or rule is None:
        return word != ""
    return (
        len(word) <= rule.max_length
        and (not rule.characters or not word.strip(rule.characters))
        and (not rule.first or word[0] in rule.first)
    )
