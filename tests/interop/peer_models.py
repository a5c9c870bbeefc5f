"""What the libraries of model providers make of messages: a JSON object a line comes in, a JSON object a line goes out.

It runs in an environment of `tests/setup_interop.py` of its own. Nothing is asked: no socket connects here. What a
library read is told as events, in the words of `conversations.py`, out of its own objects.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import socket
import sys
import traceback
import warnings
from functools import cache

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["LITELLM_TELEMETRY"] = "False"
warnings.simplefilter("ignore")
logging.disable()


def _no_network(*_):
    raise OSError("nothing is asked here")


socket.socket.connect = socket.create_connection = _no_network


def versions(packages):
    from importlib.metadata import version

    return [version(name) for name in packages]


def each(read, units):
    """What is heard of each; or `{"refused": why}`."""
    found = []
    for unit in units:
        try:
            found.append(read(unit))
        except Exception as error:
            found.append({"refused": f"{type(error).__name__}: {str(error)[:600]}"})
    return found


# -- strict types


@cache
def adapter(package, module, name):
    """The type of a package as a validator that takes no member that the type does not name."""
    from importlib import import_module

    from pydantic import TypeAdapter

    import_module(f"{package}.types")
    wanted = getattr(import_module(module), name)
    for loaded, members in list(sys.modules.items()):
        if loaded.startswith(f"{package}.types"):
            for member in list(vars(members).values()):
                if hasattr(member, "__required_keys__"):
                    member.__pydantic_config__ = {"extra": "forbid", "arbitrary_types_allowed": True}
    return TypeAdapter(wanted)


def whole(value):
    """A validated value with all of its lists read: pydantic validates an `Iterable` when it is gone through."""
    if isinstance(value, dict):
        return {name: whole(member) for name, member in value.items()}
    if isinstance(value, (str, bytes, int, float, type(None))):
        return value
    return [whole(item) for item in value]


def validated(kind, value):
    return whole(adapter(*kind).validate_python(value))


CHAT = ("openai", "openai.types.chat", "ChatCompletionMessageParam")
ITEM = ("openai", "openai.types.responses.response_input_item_param", "ResponseInputItemParam")
ANTHROPIC = ("anthropic", "anthropic.types", "MessageParam")
ANTHROPIC_BLOCK = ("anthropic", "anthropic.types.content_block_param", "ContentBlockParam")


def data_of(url, *beside):
    """A file as an event: its kind with its bytes, or its URL."""
    if not url.startswith("data:"):
        return ["url", url]
    head, _, data = url.partition(";base64,")
    return ["file", head.removeprefix("data:"), hexed(data), *beside]


def hexed(data):
    return base64.b64decode(data, validate=True).hex()


def as_list(content):
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


# -- OpenAI


def chat_events(messages):
    events, names = [], {}
    for message in messages:
        role = message["role"]
        if role == "tool":
            texts = [block["text"] for block in as_list(message["content"])]
            events.append(["tool", "result", names[message["tool_call_id"]], texts])
            continue
        for block in as_list(message.get("content")):
            events.append([role, *_chat_block(block)])
        for call in message.get("tool_calls") or ():
            function = call["function"]
            names[call["id"]] = function["name"]
            events.append([role, "call", function["name"], json.loads(function["arguments"])])
    return events


def _chat_block(block):
    match block["type"]:
        case "text":
            return ["text", block["text"]]
        case "image_url":
            return data_of(block["image_url"]["url"])
        case "file":
            return data_of(block["file"]["file_data"], block["file"]["filename"])
        case "input_audio":
            audio = block["input_audio"]
            return ["file", {"wav": "audio/wav", "mp3": "audio/mpeg"}[audio["format"]], hexed(audio["data"])]


def openai_types(messages):
    return [validated(CHAT, message) for message in messages]


def item_types(items):
    return [validated(ITEM, item) for item in items]


def item_events(items):
    events, names = [], {}
    for item in items:
        match item.get("type", "message"):
            case "function_call":
                names[item["call_id"]] = item["name"]
                events.append(["assistant", "call", item["name"], json.loads(item["arguments"])])
            case "function_call_output":
                output = item["output"]
                texts = [output] if isinstance(output, str) else [block["text"] for block in output]
                events.append(["tool", "result", names[item["call_id"]], texts])
            case "message":
                events += [[item["role"], *_item_block(block)] for block in as_list(item["content"])]
    return events


def _item_block(block):
    match block["type"]:
        case "text" | "input_text" | "output_text":
            return ["text", block["text"]]
        case "input_image":
            return data_of(block["image_url"])
        case "input_file":
            return data_of(block["file_data"], block["filename"])


# -- Anthropic


def anthropic_types(messages):
    """Blocks by their own type too: that of messages takes blocks of answers as well, which may hold anything."""
    for message in messages:
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            validated(ANTHROPIC_BLOCK, block)
    return [validated(ANTHROPIC, message) for message in messages]


def anthropic_events(messages):
    events, names = [], {}
    for message in messages:
        role = message["role"]
        for block in as_list(message["content"]):
            match block["type"]:
                case "tool_use":
                    names[block["id"]] = block["name"]
                    events.append([role, "call", block["name"], block["input"]])
                case "tool_result":
                    texts = [inside["text"] for inside in as_list(block["content"])]
                    events.append(["tool", "result", names[block["tool_use_id"]], texts])
                case "text":
                    events.append([role, "text", block["text"]])
                case "image" | "document":
                    title = [block["title"]] if "title" in block else []
                    events.append([role, *_source(block["source"], title)])
    return events


def _source(source, title):
    if source["type"] == "url":
        return ["url", source["url"]]
    if source["type"] == "text":
        return ["file", source["media_type"], source["data"].encode().hex(), *title]
    return ["file", source["media_type"], hexed(source["data"]), *title]


# -- Gemini


def gemini_types(contents):
    """Contents; their type lets the role be any text or none, the service does not."""
    from google.genai import types

    found = [types.Content.model_validate(content) for content in contents]
    if any(content.role not in ("user", "model") for content in found):
        raise ValueError("ValidationError: the role of a content is user or model")
    return found


def gemini_events(contents):
    """Events out of contents of google-genai; their bytes are bytes by now."""
    events = []
    for content in contents:
        role = "assistant" if content.role == "model" else "user"
        for part in content.parts:
            if part.function_call:
                events.append([role, "call", part.function_call.name, part.function_call.args])
            elif part.function_response:
                events.append(["tool", "result", part.function_response.name, part.function_response.response])
            elif part.inline_data:
                events.append([role, "file", part.inline_data.mime_type, part.inline_data.data.hex()])
            elif part.file_data:
                events.append([role, "url", part.file_data.file_uri])
            else:
                assert isinstance(part.text, str), part
                events.append([role, "text", part.text])
    return events


# -- litellm: what it makes of messages for OpenAI


def litellm_to_anthropic(messages):
    import litellm
    from litellm.litellm_core_utils.prompt_templates.factory import anthropic_messages_pt

    litellm.telemetry = False
    return anthropic_events(anthropic_messages_pt(messages, model="claude-sonnet-4-5", llm_provider="anthropic"))


def litellm_to_gemini(messages):
    from google.genai import types
    from litellm.llms.vertex_ai.gemini.transformation import _gemini_convert_messages_with_history

    contents = _gemini_convert_messages_with_history(messages=messages)
    return gemini_events([types.Content.model_validate(_known_parts(content)) for content in contents])


def _known_parts(content):
    return json.loads(json.dumps(content))


# -- LangChain


def langchain_read(messages):
    """Events of the messages of LangChain, and of the messages for OpenAI that it makes of its own."""
    from langchain_core.messages import convert_to_messages, convert_to_openai_messages

    own = convert_to_messages(messages)
    roles = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}
    events, names = [], {}
    for message in own:
        role = roles[message.type]
        if role == "tool":
            texts = [block["text"] for block in as_list(message.content)]
            events.append(["tool", "result", names[message.tool_call_id], texts])
            continue
        events += [[role, *_chat_block(block)] for block in as_list(message.content)]
        for call in getattr(message, "tool_calls", ()):
            names[call["id"]] = call["name"]
            events.append([role, "call", call["name"], call["args"]])
    again = chat_events(convert_to_openai_messages(own, text_format="block"))
    return [[event for event in said if event[1:] != ["text", ""]] for said in (events, again)]


TYPES = {
    "openai": (openai_types, chat_events),
    "openai-responses": (item_types, item_events),
    "anthropic": (anthropic_types, anthropic_events),
    "gemini": (gemini_types, gemini_events),
}
DOES = {
    **{dialect: lambda unit, two=two: two[1](two[0](unit)) for dialect, two in TYPES.items()},
    **{f"{dialect}.takes": lambda unit, takes=takes: bool(takes(unit)) for dialect, (takes, _) in TYPES.items()},
    "litellm.anthropic": litellm_to_anthropic,
    "litellm.gemini": litellm_to_gemini,
    "langchain": langchain_read,
}


def main() -> None:
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no answer
    for line in sys.stdin:
        given = json.loads(line)
        op = given.pop("op")
        try:
            answer = {"answer": versions(**given) if op == "versions" else each(DOES[op], **given)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
