"""Mutants of receiving over A2A: parts and tool events."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._a2a_objects import dropped, everywhere
from tests.mutants._receiving import bounded_by

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
AREA = "a2a"
CONTENTS = ("text", "raw", "url", "data")

# --- parts

everywhere(
    "first-content-wins",
    "Takes the text of a part with two contents.",
    dropped("raw", "url", "data", when=lambda found: "text" in found),
)
everywhere(
    "bytes-win",
    "Takes the bytes of a file with a URL too.",
    dropped("uri", "fileWithUri", when=lambda found: bool({"bytes", "fileWithBytes"} & found.keys())),
)
everywhere(
    "skips-bad-base64",
    "Takes no bytes for bad base64.",
    lambda found: (
        found.update(raw="")
        if isinstance(found.get("raw"), str)
        and (
            len(found["raw"]) % 4
            or not found["raw"]
            .rstrip("=")
            .replace("+", "")
            .replace("/", "")
            .replace("-", "")
            .replace("_", "")
            .isalnum()
        )
        else None
    ),
)
everywhere(
    "odd-hints-are-words",
    "Takes the wrapper off data whose kind is of another type.",
    lambda found: found.update(kind="artifact") if isinstance(found.get("kind"), (list, dict)) else None,
)
everywhere(
    "links-in-wrappers-are-data",
    "Does not read a link in the wrapper of v0.3 REST.",
    lambda found: found.pop("kind") if found.get("kind") == "link" and len(found) == 1 else None,
)
everywhere(
    "no-url-safe-base64",
    "Refuses the URL alphabet.",
    lambda found: found.update(raw="!") if set("-_") & set(str(found.get("raw", ""))) else None,
)
everywhere(
    "undoes-double-base64-anywhere",
    "Decodes twice what only looks like it.",
    lambda found: (
        found.update(bytes=base64.b64decode(found["bytes"]).decode())
        if len(str(found.get("bytes", ""))) == 24 and str(found["bytes"]).endswith("==")
        else None
    ),
)
everywhere(
    "undoes-double-base64-of-text",
    "Decodes a text file twice.",
    lambda found: (
        found.update(fileWithBytes="aQ==")
        if found.get("mimeType") == "text/plain" and found.get("fileWithBytes")
        else None
    ),
)
everywhere(
    "ignores-text-types",
    "Takes every text for plain.",
    lambda found: (
        [found.pop(name, None) for name in ("mediaType", "mimeType")]
        if "text/markdown" in (found.get("mediaType"), found.get("mimeType"))
        else None
    ),
)
everywhere(
    "reads-snake-case-not",
    "Does not know snake_case.",
    lambda found: [found.pop(name) for name in list(found) if name in ("message_id", "task_id") and "role" in found],
)
everywhere(
    "roles-are-names",
    "Does not know roles as numbers.",
    lambda found: found.update(role="?") if str(found.get("role")).isdigit() else None,
)
everywhere(
    "any-role",
    "Takes any role.",
    lambda found: (
        found.update(role="ROLE_USER")
        if "UNSPECIFIED" in str(found.get("role"))
        or str(found.get("role")) not in {"None", "user", "agent", "ROLE_USER", "ROLE_AGENT", "1", "2"}
        else None
    ),
)
everywhere(
    "makes-message-ids",
    "Makes an id for a message that has none.",
    lambda found: (
        found.update(messageId="made-up")
        if "parts" in found and "role" in found and not found.get("messageId") and "message_id" not in found
        else None
    ),
)
everywhere(
    "nulls-are-contents",
    "Counts null members as contents.",
    lambda found: found.update(
        {name: {} for name in CONTENTS if name in found and found[name] is None and "text" in found and found["text"]}
    ),
)
everywhere(
    "data-is-text",
    "Makes text of data.",
    lambda found: found.update(text=json.dumps(found.pop("data"))) if isinstance(found.get("data"), list) else None,
)
everywhere(
    "takes-any-url",
    "Takes URLs of every scheme.",
    lambda found: (
        found.update(url="https://files.example/")
        if "url" in found and not str(found["url"]).startswith("http")
        else None
    ),
)
bounded_by(AREA, "everything-inline", "Keeps content of any size inside.", inline_bytes=10**9)
bounded_by(
    AREA,
    "takes-any-size",
    "Knows no bound on bytes, depth, parts and ids.",
    a2a_bytes=10**9,
    json_depth=64,
    parts=10**6,
    id_chars=10**6,
)

# --- tool events

everywhere(
    "wants-event-types",
    "Takes a call without a type for data.",
    dropped("toolCallId", when=lambda found: "type" not in found and "toolName" in found),
)
everywhere(
    "null-output-is-a-result",
    "Takes a null output of a call for its result.",
    lambda found: (
        found.update(type="tool-result")
        if found.get("type") == "tool-call" and "output" in found and found["output"] is None
        else None
    ),
)
everywhere(
    "null-is-no-result",
    "Takes a null result for none.",
    lambda found: (
        found.update(type="tool-call")
        if found.get("type") == "tool-result" and found.get("output", 1) is None
        else None
    ),
)
everywhere(
    "output-wins",
    "Drops an error beside an output.",
    dropped("error", when=lambda found: found.get("output") is not None),
)
everywhere(
    "knows-three-types",
    "Does not know the AI SDK's names.",
    lambda found: (
        found.update(type="tool-unheard-of")
        if str(found.get("type")).startswith(("tool-input", "tool-output"))
        else None
    ),
)
everywhere(
    "knows-no-adk",
    "Does not know ADK's calls.",
    lambda found: (
        [found.pop(name, None) for name in ("id", "args", "response")]
        if "name" in found and {"args", "response"} & found.keys()
        else None
    ),
)
everywhere(
    "forgets-durations", "Drops how long a call took.", dropped("duration_ms", "started_at", "durationMs", "startedAt")
)
everywhere(
    "unwraps-all-outputs",
    "Unwraps outputs that are the tool's own.",
    lambda found: (
        found.update(output=found["output"]["value"])
        if isinstance(found.get("output"), dict) and {"type", "value"} <= found["output"].keys()
        else None
    ),
)
everywhere(
    "never-unwraps",
    "Does not know wrapped outputs.",
    lambda found: (
        found.update(output=[found["output"]])
        if isinstance(found.get("output"), dict)
        and {"type", "value"} <= found["output"].keys()
        and "input" not in found
        else None
    ),
)


@mutant(AREA, "Shows each event of a call as a call of its own.")
def never_merges(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    seen: dict[str, int] = {}

    def split(value: Any) -> None:
        for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            split(member)
        if isinstance(value, dict) and isinstance(value.get("toolCallId"), str):
            seen[value["toolCallId"]] = count = seen.get(value["toolCallId"], 0) + 1
            value["toolCallId"] += "" if count == 1 else f"-{count}"

    split(unit)
    return honest(op, given, unit)
