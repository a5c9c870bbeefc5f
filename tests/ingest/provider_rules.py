"""Checks what was written for a provider against the table of its rules, row by row, without the writers.

It reads the messages of each dialect by itself: what it knows of them are the places of names, ids, files and texts.
"""

from __future__ import annotations

from base64 import b64decode
from itertools import pairwise

from mentionable.ingest._rules import RULES


def broken_rules(lowered, dialect):
    """The rules that messages break, in words."""
    form = "openai-responses" if dialect == "openai-agents" else dialect
    rules, messages = RULES[form], list(lowered.messages)
    calls, results = [], []
    for index, message in enumerate(messages):
        calls += [(index, *call) for call in CALLS[form](message)]
        results += [(index, id) for id in RESULTS[form](message)]
    yield from _words("name of a tool", [name for _, _, name in calls], rules.names)
    yield from _words("id of a call", [id for _, id, _ in calls if id or rules.needs_ids], rules.ids)
    ids = [id for _, id, _ in calls if id]
    if len(set(ids)) < len(ids):
        yield "two calls have one id"
    if sorted(ids) != sorted(id for _, id in results if id) or len(calls) != len(results):
        yield f"calls {ids} and results {[id for _, id in results]} differ"
    yield from _files([file for message in messages for file in FILES[form](message)], rules.files)
    turns = rules.turns
    roles = [message.get("role") for message in messages]
    if turns.alternates and any(one == two for one, two in pairwise(roles)):
        yield f"roles do not alternate: {roles}"
    if turns.user_first and roles[:1] not in ([], ["user"]):
        yield "a user is not first"
    if turns.user_last and roles[-1:] not in ([], ["user"]):
        yield "a user is not last"
    if not turns.takes_blank and any(not text.strip() for message in messages for text in TEXTS[form](message)):
        yield "a text is blank"


def _words(what, words, rule):
    for word in words:
        if not word:
            yield f"{what}: empty"
        elif rule is not None:
            if len(word) > rule.max_length:
                yield f"{what}: {word!r} is too long"
            if rule.characters and set(word) - set(rule.characters):
                yield f"{what}: {word!r} has other characters"
            if rule.first and word[0] not in rule.first:
                yield f"{what}: {word!r} begins otherwise"


def _files(files, rules):
    if not rules:
        return
    by_kind = {}
    for media_type, data, url in files:
        fitting = [rule for rule in rules if media_type in rule.types or media_type.split("/")[0] + "/" in rule.types]
        if not fitting:
            yield f"{media_type} is not taken"
            continue
        rule = fitting[0]
        if url is not None and url.split(":")[0] not in rule.schemes:
            yield f"{url} is not taken for a {rule.kind}"
        size = len(data or b"")
        if rule.max_bytes is not None and size > rule.max_bytes:
            yield f"a {rule.kind} of {size} bytes"
        by_kind.setdefault(rule, []).append(size)
    for rule, sizes in by_kind.items():
        if rule.max_count is not None and len(sizes) > rule.max_count:
            yield f"{len(sizes)} files of the kind {rule.kind}"
        if rule.max_total is not None and sum(sizes) > rule.max_total:
            yield f"{sum(sizes)} bytes of the kind {rule.kind}"


def _blocks(message, member="content"):
    content = message.get(member)
    return content if isinstance(content, list) else []


def _url(url):
    if not url.startswith("data:"):
        return None, None, url
    head, data = url.removeprefix("data:").split(";base64,")
    return head, b64decode(data), None


def _kind(read, otherwise):
    return (read[0] or otherwise, *read[1:])


def _openai_files(message):
    for block in _blocks(message):
        if block["type"] == "image_url":
            yield _kind(_url(block["image_url"]["url"]), "image/*")
        elif block["type"] == "file" and "file_data" in block["file"]:
            yield _url(block["file"]["file_data"])
        elif block["type"] == "input_audio":
            yield f"audio/{block['input_audio']['format']}", b64decode(block["input_audio"]["data"]), None


def _item_files(item):
    for block in [*_blocks(item), *_blocks(item, "output")]:
        if block["type"] == "input_image" and block.get("image_url"):
            yield _kind(_url(block["image_url"]), "image/*")
        elif block["type"] == "input_file" and block.get("file_data"):
            yield _url(block["file_data"])
        elif block["type"] == "input_file" and block.get("file_url"):
            yield "application/octet-stream", None, block["file_url"]


def _anthropic_blocks(message):
    for block in _blocks(message):
        yield block
        if block["type"] == "tool_result":
            yield from _blocks(block)


def _anthropic_files(message):
    for block in _anthropic_blocks(message):
        source = block.get("source")
        if block["type"] in ("image", "document") and source["type"] == "base64":
            yield source["media_type"], b64decode(source["data"]), None
        elif block["type"] in ("image", "document") and source["type"] == "url":
            yield "image/*" if block["type"] == "image" else "application/pdf", None, source["url"]
        elif block["type"] == "document" and source["type"] == "text":
            yield "text/plain", source["data"].encode(), None


def _part(part, *names):
    return next((part[name] for name in names if name in part), None)


def _members(message, *names):
    return [member for part in message["parts"] if (member := _part(part, *names))]


def _gemini_files(message):
    for part in message["parts"]:
        if blob := _part(part, "inline_data", "inlineData"):
            yield _part(blob, "mime_type", "mimeType"), b64decode(blob["data"]), None
        elif (file := _part(part, "file_data", "fileData")) and _part(file, "file_uri", "fileUri").startswith("http"):
            kind = _part(file, "mime_type", "mimeType") or "application/octet-stream"
            yield kind, None, _part(file, "file_uri", "fileUri")


def _bedrock_blocks(message):
    for block in _blocks(message):
        yield block
        if "toolResult" in block:
            yield from block["toolResult"]["content"]


def _bedrock_files(message):
    kinds = {
        "pdf": "application/pdf",
        "txt": "text/plain",
        "md": "text/markdown",
        "csv": "text/csv",
        None: "text/plain",
    }
    for block in _bedrock_blocks(message):
        for kind, inside in block.items():
            if kind not in ("image", "document", "video", "audio"):
                continue
            form, source = inside.get("format"), inside["source"]
            media_type = kinds.get(form, f"text/{form}") if kind == "document" else f"{kind}/{form}"
            if "bytes" in source or "text" in source:
                yield media_type, b64decode(source.get("bytes", "")) or source["text"].encode(), None


def _call(call):
    return call["id"], (call.get("custom") or call["function"])["name"]


CALLS = {
    "openai": lambda one: [_call(call) for call in one.get("tool_calls", ())],
    "openai-responses": lambda one: [(one["call_id"], one["name"])] if one.get("type") == "function_call" else [],
    "anthropic": lambda one: [(b["id"], b["name"]) for b in _blocks(one) if b["type"] == "tool_use"],
    "gemini": lambda one: [
        (call.get("id", ""), call["name"])
        for part in one["parts"]
        if (call := _part(part, "function_call", "functionCall"))
    ],
    "bedrock": lambda one: [
        (block["toolUse"]["toolUseId"], block["toolUse"]["name"]) for block in _blocks(one) if "toolUse" in block
    ],
    "vercel": lambda one: [(b["toolCallId"], b["toolName"]) for b in _blocks(one) if b["type"] == "tool-call"],
    "pydantic-ai": lambda one: [
        (part["tool_call_id"], part["tool_name"]) for part in one["parts"] if part.get("part_kind") == "tool-call"
    ],
    "langchain": lambda one: [(call["id"], call["name"]) for call in one["data"].get("tool_calls", ())],
}
RESULTS = {
    "openai": lambda one: [one["tool_call_id"]] if one["role"] == "tool" else [],
    "openai-responses": lambda one: [one["call_id"]] if one.get("type") == "function_call_output" else [],
    "anthropic": lambda one: [b["tool_use_id"] for b in _blocks(one) if b["type"] == "tool_result"],
    "gemini": lambda one: [
        answer.get("id", "")
        for part in one["parts"]
        if (answer := _part(part, "function_response", "functionResponse"))
    ],
    "bedrock": lambda one: [b["toolResult"]["toolUseId"] for b in _blocks(one) if "toolResult" in b],
    "vercel": lambda one: [b["toolCallId"] for b in _blocks(one) if b["type"] == "tool-result"],
    "pydantic-ai": lambda one: [
        part["tool_call_id"] for part in one["parts"] if part.get("part_kind") in ("tool-return", "retry-prompt")
    ],
    "langchain": lambda one: [one["data"]["tool_call_id"]] if one["type"] == "tool" else [],
}
FILES = {
    "openai": _openai_files,
    "openai-responses": _item_files,
    "anthropic": _anthropic_files,
    "gemini": _gemini_files,
    "bedrock": _bedrock_files,
    **dict.fromkeys(("vercel", "pydantic-ai", "langchain"), lambda _: ()),
}
TEXTS = {
    "anthropic": lambda one: (
        [one["content"]]
        if isinstance(one["content"], str)
        else [block["text"] for block in _anthropic_blocks(one) if block["type"] == "text"]
    ),
    "gemini": lambda one: [part["text"] for part in one["parts"] if part.keys() == {"text"}],
    "bedrock": lambda one: [block["text"] for block in _bedrock_blocks(one) if "text" in block],
}
