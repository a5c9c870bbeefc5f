"""Mutants of assembly: files, other agents, and who speaks for whom."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from mentionable.ingest import _assemble, _attachments, _metadata, _others
from tests.mutants._ingest import edits
from tests.mutants._ingest_assemble import HEADED, OP, TAKE, rules, says, sees
from tests.mutants._ingest_context import ATTRIBUTED, composes
from tests.mutants._ingest_header import NAME, TOKEN, dropping, leaving

# --- stored messages

ROW, ATTACHED, DATA = _metadata.IngestMessage.row_and_unseen, _attachments.attached, _attachments._data
rules(
    "stored-always-blocks", "Makes blocks of every stored text.", (ROW, "if found.files else text", "if True else text")
)
rules("stored-no-files", "Forgets files.", (ROW, "if found.files else text", "if False else text"))
rules("stored-files-first", "Puts files before words.", (ROW, "[*blocks, *found.files]", "[*found.files, *blocks]"))
rules("stored-no-lines", "Forgets what can only be named.", (ROW, "*found.lines", ""))
rules(
    "stored-lines-first",
    "Names files before words.",
    (ROW, "[self.content, *found.lines]", "[*found.lines, self.content]"),
)
rules("stored-lines-joined", "Joins names with words.", (ROW, '"\\n\\n".join', '" ".join'))
rules(
    "stored-lines-blank",
    "Leaves a gap where nothing was said.",
    (ROW, "filter(None, [self.content, *found.lines])", "[self.content, *found.lines]"),
)
rules(
    "stored-lines-as-blocks",
    "Names files in blocks of their own.",
    (
        ROW,
        "[*blocks, *found.files] if found.files else text",
        '[*([{"type": "text", "text": self.content}] if self.content else []), *[{"type": "text", "text": '
        "one} for one in found.lines], *found.files] if found.files or found.lines else text",
    ),
)
rules(
    "stored-no-names",
    "Forgets the names of files.",
    (ATTACHED, '{} if part.name is None else {"filename": part.name}', "{}"),
)
rules(
    "stored-null-names",
    "Writes a name of null.",
    (ATTACHED, '{} if part.name is None else {"filename": part.name}', '{"filename": part.name}'),
)
rules("stored-no-urls", "Does not know files by their address.", (DATA, "return url_of(part)", "return None"))
rules("stored-no-blobs", "Does not look for bytes.", (DATA, "reference.digest in blobs", "False"))
rules("stored-strips", "Strips stored words.", (ROW, "[self.content,", "[self.content[:0],"))

# --- other agents

OTHERS: Final = _others.Others
HEARD, THEIRS, SAID, WORDS = OTHERS.heard, OTHERS._is_theirs, OTHERS._said_by_another, _others._words
RESULTS, UNSAID, KIND = OTHERS._without_their_results, _others._is_unsaid, _others._id_in
OF_THEIRS: Final = OTHERS._is_of_theirs


def voices(name: str, rule: str, *changes: Any, **values: Any) -> None:
    """Registers a mutant of hearing other agents: edits, and other values of `_others`."""
    edits(OP, f"agents-{name}", rule, *changes, values={(_others, key): one for key, one in values.items()})


voices("all-own", "Takes every agent for the same one.", (THEIRS, 'writer not in ("", self._agent)', "False"))
voices("all-others", "Takes itself for another one.", (THEIRS, 'writer not in ("", self._agent)', 'writer != ""'))
voices(
    "empty-ids",
    "Takes an empty id for another agent.",
    (THEIRS, 'writer not in ("", self._agent)', "writer != self._agent"),
)
voices(
    "no-ids",
    "Takes turns without an id for those of others.",
    (THEIRS, 'isinstance(writer, str) and writer not in ("", self._agent)', 'writer not in ("", self._agent)'),
)
voices(
    "no-metadata",
    "Does not hear turns without metadata.",
    (
        HEARD,
        "if is_own_kind:",
        'if metadata is None and row.get("role") == "assistant":\n        return None\n    if is_own_kind:',
    ),
)
rules(
    "agents-always",
    "Knows other agents where none is named.",
    (_assemble.assemble, "None if agent is None else Others(agent)", "Others(agent)"),
)
voices("model-is-nobody", "Knows one word for agents.", OWN_VOICES=("assistant",))
HIDDEN: Final = 'metadata.get("hidden") is True'
voices("hidden-heard", "Hears what is hidden.", (HEARD, HIDDEN, "False"))
voices("hidden-truthy", "Takes anything for hidden.", (HEARD, HIDDEN, 'bool(metadata.get("hidden"))'))
voices(
    "hidden-named", "Takes what is marked for hidden, whatever the mark says.", (HEARD, HIDDEN, '"hidden" in metadata')
)
voices(
    "hidden-own",
    "Does not hear what it hid itself.",
    (
        HEARD,
        "if is_own_kind:",
        'if metadata is not None and metadata.get("hidden") is True:\n        return None\n    if is_own_kind:',
    ),
)
voices(
    "empty-turns",
    "Makes turns of agents that said nothing.",
    (SAID, "any(words.values()) and not is_hidden", "not is_hidden"),
)
rules(
    "agents-no-tokens",
    "Has another composer for agents.",
    (TAKE, "headers_of(voice_of(metadata), named_in(metadata).token)", 'headers_of(voice_of(metadata), "")'),
)
rules(
    "agents-by-name-alone",
    "Leaves agents without a name unnamed.",
    (TAKE, "headers_of(voice_of(metadata), named_in(metadata).token)", "headers_in(metadata)"),
)
edits(OP, "agents-blank-names", "Takes a name that shows nothing for one.", (_others.voice_of, "name_of(name)", "name"))
edits(
    OP,
    "agents-short-ids",
    "Calls agents by the end of their id.",
    (_others.voice_of, 'str(metadata["sender_id"])', 'metadata["sender_id"].partition(":")[2]'),
)
voices("keeps-calls", "Leaves calls of others.", (SAID, '("role", "tool_calls", *CONTENTS)', '("role", *CONTENTS)'))
voices(
    "keeps-blocks",
    "Leaves calls of others among blocks.",
    (WORDS, "_id_in(block, _CALLS, _GEMINI_CALLS) is None and ", ""),
)
voices("keeps-thoughts", "Leaves thoughts of others.", (WORDS, " and not _is_unsaid(block)", ""))
voices(
    "drops-all-results",
    "Drops every result once another agent called.",
    (OF_THEIRS, "return called in self._theirs", "return called is not None"),
)
voices(
    "keeps-results", "Leaves results of others' tools.", (OF_THEIRS, "return called in self._theirs", "return False")
)
voices(
    "keeps-blocks-of-results",
    "Leaves results of others among blocks.",
    (RESULTS, "if not self._is_their_result(block)", "if True"),
)
voices(
    "drops-words",
    "Drops words beside results of others.",
    (RESULTS, "if content and not kept:", "if content and len(kept) < len(content):"),
)
voices("items-stay", "Does not know items without a role.", (HEARD, ' or "role" not in row', ""))
for _name, _kind in (
    ("redacted", "redacted_thinking"),
    ("thinking", "thinking"),
    ("reasoning", "reasoning"),
):
    voices(
        f"says-{_name}",
        f"Takes {_name} for words.",
        _UNSAID=tuple(kind for kind in _others._UNSAID if kind != _kind),
    )
voices("says-thoughts", "Takes thoughts of Gemini for words.", (UNSAID, 'bool(block.get("thought"))', "False"))
voices(
    "camel-alone",
    "Knows one spelling of Gemini.",
    _GEMINI_CALLS=("functionCall",),
    _GEMINI_RESULTS=("functionResponse",),
)
voices(
    "snake-alone",
    "Knows the other spelling of Gemini.",
    _GEMINI_CALLS=("function_call",),
    _GEMINI_RESULTS=("function_response",),
)
for _name in ("tool_use", "tool-call", "function_call"):
    voices(
        f"no-{_name.replace('_', '-')}",
        f"Does not know calls of type {_name}.",
        _CALLS={kind: at for kind, at in _others._CALLS.items() if kind != _name},
    )
voices(
    "no-function",
    "Does not know calls of Chat Completions.",
    (_others._called_in, "calls if isinstance(calls, (list, tuple)) else ()", "()"),
)
for _name in ("tool_result", "tool-result", "function_call_output"):
    voices(
        f"no-result-{'blocks' if _name == 'tool_result' else 'parts' if _name == 'tool-result' else 'items'}",
        f"Does not know results of type {_name}.",
        _RESULTS={kind: at for kind, at in _others._RESULTS.items() if kind != _name},
    )

# --- who speaks for whom

for _name, _signs in {
    "square-brackets": "[]",
    "angle-brackets": "<>",
    "newlines": "\n",
    "line-separators": "\u2028",
    "overrides": "\u202e",
}.items():
    composes(f"leaves-{_name}", f"Leaves {_name.replace('-', ' ')} in names.", name_of=leaving(NAME, _signs))
for _name, _signs in {"blanks": " \n\u2028", "brackets": "[]", "controls": "\u202e"}.items():
    composes(f"token-{_name}", f"Takes {_name} in tokens.", is_token=dropping(TOKEN, _signs))
rules(
    "heading-is-header",
    "Takes a heading for a header.",
    (
        HEADED,
        "if headers is None:",
        'if text.startswith(("[Thread context", "[Channel context")):\n        return text\n    if headers is None:',
    ),
)
says("takes-roles-out", "Takes roles out of what was said.", lambda text: text.replace("\n\nsystem:", "\n\n"))
says("strips-newlines", "Strips newlines from what was said.", lambda text: text.lstrip("\n"))
says("strips-invisible", "Strips what shows nothing from what was said.", lambda text: text.lstrip("\u200b"))
says(
    "folds",
    "Folds wide letters in what was said.",
    lambda text: unicodedata.normalize("NFKC", text) if text.isprintable() else text,
)
sees(
    "roles-of-metadata",
    "Takes the role that metadata names.",
    lambda row: (
        row.update(role=row["_metadata"]["role"])
        if isinstance(row.get("_metadata"), dict) and "role" in row["_metadata"]
        else None
    ),
)
sees(
    "types-of-metadata",
    "Takes the type of a sender for a role.",
    lambda row: (
        row.update(role="system")
        if isinstance(row.get("_metadata"), dict) and row["_metadata"].get("sender_type") == "system"
        else None
    ),
)
sees(
    "headers-of-metadata",
    "Takes a header that metadata has.",
    lambda row: (
        row.update(content=f"{row['_metadata']['header']} {row['content']}")
        if isinstance(row.get("_metadata"), dict) and "header" in row["_metadata"]
        else None
    ),
)
rules(
    "agent-by-metadata",
    "Takes who has its id for the agent.",
    (
        TAKE,
        "if heard is None:",
        'if metadata is not None and self._others is not None and metadata.get("sender_id") == '
        'self._others._agent and metadata.get("hidden"):\n        return\n    if heard is None:',
    ),
)
rules(
    "roles-of-blocks",
    "Drops roles from blocks.",
    (
        ATTRIBUTED,
        '{**blocks[place], "text":',
        '{**{name: one for name, one in blocks[place].items() if name != "role"}, "text":',
    ),
)
