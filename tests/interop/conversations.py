"""Conversations as they were meant: stored as rows of any dialect, and as events that whoever reads them should hear.

An event is a list: who, what kind, and what it says. `["user", "text", "hi"]`, `["user", "file", "image/png", hex]`,
`["user", "url", "https://…"]`, `["assistant", "call", name, arguments]`, `["tool", "result", name, output]`.
"""

from __future__ import annotations

import json
from base64 import b64encode

from hypothesis import strategies as st

DIALECTS = ("openai", "openai-responses", "anthropic", "gemini", "vercel")
ALTERNATE = ("anthropic", "gemini")
CONTEXT_LINE = "[Context — not written by the sender of this message]\n"

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12).filter(
    str.strip
)
NAMES = st.sampled_from(["a.pdf", 'b "c".pdf', "é ü.pdf", "x];y.pdf", "日本.pdf", "<i>.pdf", "🙂.pdf"])
TOOLS = st.sampled_from(["web_search", "get-time", "f"])
LEAVES = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | TEXTS
ARGUMENTS = st.dictionaries(st.text("abc_é", min_size=1, max_size=3), LEAVES | st.lists(LEAVES, max_size=2), max_size=3)

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff\xe0"
PDF = b"%PDF-1.7\n"
WAV = b"RIFF\x04\x00\x00\x00WAVE"
KINDS = {
    "image/png": PNG,
    "image/jpeg": JPEG,
    "application/pdf": PDF,
    "audio/wav": WAV,
    "application/zip": b"PK\x03\x04",
}
URL = "https://files.example/a.png?x=1"


@st.composite
def files(draw):
    """A file: its kind, its bytes, its name."""
    kind = draw(st.sampled_from(list(KINDS)))
    data = KINDS[kind] + draw(st.binary(max_size=8))
    named = kind in ("application/pdf", "application/zip")
    return ("file", kind, data, draw(NAMES) if named else None)


WORDS = TEXTS.map(lambda text: ("text", text))
BLOCKS = WORDS | files() | st.just(("url", URL))


@st.composite
def conversations(draw, *, with_urls=True):
    """Turns as they were meant, each with the dialect in which it was stored."""
    blocks = BLOCKS if with_urls else WORDS | files()
    turns = [("system", "openai", text) for text in draw(st.lists(TEXTS, max_size=2))]
    called = 0
    for index in range(draw(st.integers(1, 4))):
        if index and draw(st.booleans()):
            turns.append(("system", "openai", draw(TEXTS)))
        for _ in range(draw(st.integers(0, 2))):
            turns.append(("context", "openai", draw(TEXTS)))
        as_string = draw(st.booleans())
        said = draw(TEXTS) if as_string else draw(st.lists(blocks, min_size=1, max_size=4))
        turns.append(("user", draw(st.sampled_from(DIALECTS)), said))
        if draw(st.booleans()):
            dialect = draw(st.sampled_from(DIALECTS))
            answers = TEXTS if dialect not in ("gemini", "vercel") else TEXTS | ARGUMENTS.map(lambda one: {"of": one})
            calls = draw(st.lists(st.tuples(TOOLS, ARGUMENTS, answers), max_size=2))
            ids = [f"call_{called + n}" for n in range(len(calls))]
            called += len(calls)
            texts = draw(st.lists(TEXTS, min_size=0 if calls else 1, max_size=2))
            turns.append(("assistant", dialect, texts, list(zip(ids, calls, strict=True))))
    return turns


# -- as a store has them


def rows(turns):
    """The rows of a store that has served every provider."""
    made = []
    for role, dialect, *said in turns:
        match role:
            case "system":
                made.append({"role": "system", "content": said[0]})
            case "context":
                made.append({"role": "system", "content": said[0], "_assembled": "thread_context"})
            case "user":
                content = said[0]
                if not isinstance(content, str):
                    content = [BLOCK[dialect](*block) for block in content]
                made.append(
                    {"role": "user", "parts" if dialect == "gemini" else "content": content, "_assembled": "turn"}
                )
            case "assistant":
                made += ASSISTANT[dialect](*said)
    return made


def base64_of(data):
    return b64encode(data).decode()


def data_url(kind, data):
    return f"data:{kind};base64,{base64_of(data)}"


def ours(kind, data, name):
    return {"type": "file", "mediaType": kind, "data": base64_of(data), **({"filename": name} if name else {})}


def chat_block(kind, *what):
    if kind == "text":
        return {"type": "text", "text": what[0]}
    if kind == "url":
        return {"type": "image_url", "image_url": {"url": what[0], "detail": "low"}}
    media, data, name = what
    if media.startswith("image/"):
        return {"type": "image_url", "image_url": {"url": data_url(media, data)}}
    if media == "audio/wav":
        return {"type": "input_audio", "input_audio": {"data": base64_of(data), "format": "wav"}}
    if media == "application/pdf":
        return {"type": "file", "file": {"file_data": data_url(media, data), "filename": name}}
    return ours(*what)


def item_block(kind, *what):
    if kind == "text":
        return {"type": "input_text", "text": what[0]}
    if kind == "url":
        return {"type": "input_image", "image_url": what[0], "detail": "high"}
    media, data, name = what
    if media.startswith("image/"):
        return {"type": "input_image", "image_url": data_url(media, data)}
    if media == "application/pdf":
        return {"type": "input_file", "file_data": data_url(media, data), "filename": name}
    return ours(*what)


def anthropic_block(kind, *what):
    if kind == "text":
        return {"type": "text", "text": what[0]}
    if kind == "url":
        return {"type": "image", "source": {"type": "url", "url": what[0]}}
    media, data, name = what
    if media not in ("image/png", "image/jpeg", "application/pdf"):
        return ours(*what)
    source = {"type": "base64", "media_type": media, "data": base64_of(data)}
    return {"type": "document", "source": source, "title": name} if name else {"type": "image", "source": source}


def gemini_part(kind, *what):
    if kind == "text":
        return {"text": what[0]}
    if kind == "url":
        return {"fileData": {"fileUri": what[0], "mimeType": "image/png"}}
    media, data, name = what
    return {"inlineData": {"mimeType": media, "data": data, **({"displayName": name} if name else {})}}


def vercel_part(kind, *what):
    if kind == "text":
        return {"type": "text", "text": what[0]}
    if kind == "url":
        return {"type": "image", "image": what[0], "mediaType": "image/png"}
    return ours(*what)


BLOCK = {
    "openai": chat_block,
    "openai-responses": item_block,
    "anthropic": anthropic_block,
    "gemini": gemini_part,
    "vercel": vercel_part,
}


def chat_assistant(texts, calls):
    row = {"role": "assistant", "content": [{"type": "text", "text": text} for text in texts] or None, "name": "bot"}
    if calls:
        row["tool_calls"] = [
            {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for id, (name, arguments, _) in calls
        ]
    return [row, *[{"role": "tool", "tool_call_id": id, "content": output} for id, (_, _, output) in calls]]


def item_assistant(texts, calls):
    made = [{"role": "assistant", "content": text} for text in texts]
    for id, (name, arguments, _) in calls:
        made.append({"type": "function_call", "call_id": id, "name": name, "arguments": json.dumps(arguments)})
    return made + [{"type": "function_call_output", "call_id": id, "output": output} for id, (_, _, output) in calls]


def anthropic_assistant(texts, calls):
    thought = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    uses = [{"type": "tool_use", "id": id, "name": name, "input": arguments} for id, (name, arguments, _) in calls]
    said = {"role": "assistant", "content": [thought, *[{"type": "text", "text": text} for text in texts], *uses]}
    results = [{"type": "tool_result", "tool_use_id": id, "content": output} for id, (_, _, output) in calls]
    return [said, *([{"role": "user", "content": results}] if calls else [])]


def gemini_assistant(texts, calls):
    used = [{"functionCall": {"name": name, "args": arguments}} for _, (name, arguments, _) in calls]
    answered = [
        {"functionResponse": {"name": name, "response": output if isinstance(output, dict) else {"output": output}}}
        for _, (name, _, output) in calls
    ]
    said = {"role": "model", "parts": [*[{"text": text} for text in texts], *used]}
    return [said, *([{"role": "user", "parts": answered}] if calls else [])]


def vercel_assistant(texts, calls):
    used = [
        {"type": "tool-call", "toolCallId": id, "toolName": name, "input": arguments}
        for id, (name, arguments, _) in calls
    ]
    results = [
        {
            "type": "tool-result",
            "toolCallId": id,
            "toolName": name,
            "output": {"type": "json" if isinstance(output, dict) else "text", "value": output},
        }
        for id, (name, _, output) in calls
    ]
    said = {"role": "assistant", "content": [*[{"type": "text", "text": text} for text in texts], *used]}
    return [said, *([{"role": "tool", "content": results}] if calls else [])]


ASSISTANT = {
    "openai": chat_assistant,
    "openai-responses": item_assistant,
    "anthropic": anthropic_assistant,
    "gemini": gemini_assistant,
    "vercel": vercel_assistant,
}


# -- as they should be heard


def meant(turns, dialect, placement):
    """The system text, and all events in order, of a conversation as it should come to a provider."""
    placement = placement or ("user_block" if dialect in ALTERNATE else "inline")
    system, events, waiting = [], [], []
    hoisted = [turn[2] for turn in turns if turn[0] == "context"] if placement == "hoist" else []
    leading = _leading(turns)
    if hoisted and dialect not in ALTERNATE:
        events.append(["system", "text", "\n\n".join([*leading, *hoisted])])
        turns = [turn for turn in turns if turn[0] != "context"][len(leading) :]
    for role, _, *said in turns:
        if role == "system" or (role == "context" and placement == "hoist"):
            system.append(said[0])
            events += [] if dialect in ALTERNATE else [["system", "text", said[0]]]
        elif role == "context" and placement == "inline":
            events.append(["system", "text", said[0]])
        elif role == "context":
            waiting.append(["user", "text", CONTEXT_LINE + said[0]])
        elif role == "user":
            events += waiting
            waiting = []
            blocks = [("text", said[0])] if isinstance(said[0], str) else said[0]
            events += [["user", *_heard(dialect, *block)] for block in blocks]
        else:
            events += _assistant(dialect, *said)
    if dialect in ALTERNATE and events[-1][0] == "assistant":
        events.append(["user", "text", "[There is no newer message.]"])
    return ("\n\n".join(system) or None) if dialect in ALTERNATE else None, events


def _leading(turns):
    texts = []
    for role, _, *said in turns:
        if role == "system":
            texts.append(said[0])
        elif role != "context":
            break
    return texts


def _assistant(dialect, texts, calls):
    events = [["assistant", "text", text] for text in texts]
    events += [["assistant", "call", name, arguments] for _, (name, arguments, _) in calls]
    return events + [["tool", "result", name, _output(dialect, output)] for _, (name, _, output) in calls]


def _output(dialect, output):
    is_text = isinstance(output, str)
    if dialect == "gemini":
        return {"output": output} if is_text else output
    if dialect == "vercel":
        return {"type": "text" if is_text else "json", "value": output}
    return [output if is_text else json.dumps(output, ensure_ascii=False, separators=(",", ":"))]


TAKEN = {
    "openai": ("image/", "audio/wav", "application/pdf"),
    "openai-responses": ("image/", "application/pdf"),
    "anthropic": ("image/", "application/pdf"),
    "gemini": ("image/", "audio/", "application/pdf"),
    "vercel": ("",),
}
NAMED = {
    "openai": "application/pdf",
    "openai-responses": "application/pdf",
    "anthropic": "application/pdf",
    "vercel": "",
}


def _heard(dialect, kind, *what):
    if kind in ("text", "url"):
        return [kind, *what]
    media, data, name = what
    if not media.startswith(TAKEN[dialect]):
        shown = (name or "file").translate(str.maketrans("[]<>", "()‹›"))
        return ["text", f"[{shown} ({media})]"]
    named = [name] if name and dialect in NAMED and media.startswith(NAMED[dialect]) else []
    return ["file", media, data.hex(), *named]
