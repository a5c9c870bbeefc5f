"""Every program of `examples/` is tested; here those that need no framework, and what the others are started with."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import NormalizedResponse, plain_text

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
SERVERS = HERE / "servers"
"""Agents on the library alone, which tests run against programs of others."""

ON_HOST = EXAMPLES / "host" / "tests" / "test_examples.py"
"""The test of the examples that need the host."""
MAIL = b"From: alice@a.example\nTo: helper@agents.example\nMessage-ID: <1@a.example>\n\nHello\n"


def load(name: str) -> Any:
    """The module of an example or of a server of the tests, freshly run."""
    path = next(one for folder in (EXAMPLES, SERVERS) if (one := folder / f"{name}.py").exists())
    spec = importlib.util.spec_from_file_location(f"example_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_examples_are_tested_and_short():
    tests = [*HERE.glob("test_examples*.py"), *HERE.glob("test_servers*.py"), ON_HOST]
    named = re.findall(r'"(\w+)(?:\.py)?"', "".join(path.read_text() for path in tests))
    files = [*EXAMPLES.glob("*.py"), *SERVERS.glob("*.py")]
    assert {file.stem for file in files} - set(named) == set()
    assert all(len(file.read_text().splitlines()) < 240 for file in files)


@cache
def pem() -> bytes:
    key = rsa.generate_private_key(65537, 2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def with_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goes where `agent.pem` is, which some examples read as they start."""
    (folder / "agent.pem").write_bytes(pem())
    monkeypatch.chdir(folder)


def test_the_a2a_endpoint_leaves_other_scopes_alone():
    assert asyncio.run(load("a2a_endpoint").app({"type": "lifespan"}, None, None)) is None


def called(app, unit, path):
    """What an ASGI application answers to a call over REST."""
    body, said = json.dumps(unit).encode(), []
    headers = [(b"content-type", b"application/json"), (b"a2a-version", b"1.0")]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}

    async def receive():
        return {"body": body}

    async def send(event):
        said.append(event)

    asyncio.run(app(scope, receive, send))
    return said[0]["status"], b"".join(event.get("body", b"") for event in said)


@pytest.mark.parametrize("path", ["/a2a/message:send", "/a2a/message:stream"])
def test_the_a2a_endpoint_gives_the_first_answer_again_and_asks_its_agent_once(path):
    module, asked = load("a2a_endpoint"), []

    async def agent(message):
        asked.append(plain_text(message))
        return NormalizedResponse.to(message, f"Answer {len(asked)}")

    app = module.endpoint(agent)
    said = {"messageId": "m1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Will it rain?"}]}
    first, again = [called(app, {"message": said}, path) for _ in range(2)]
    assert (first, asked) == (again, ["Will it rain?"])
    assert first[0] == 200
    assert b"Answer 1" in first[1]
    said["parts"] = [{"text": "What did the other one ask?"}]
    assert b"Answer 2" in called(app, {"message": said}, path)[1], "the id of another brings nothing of theirs"
    said["messageId"] = "m2"
    assert b"Answer 3" in called(app, {"message": said}, path)[1]
    own = [native_id for (native_id, _), row in module.stored.items() if row.auth_method == "own"]
    assert len(own) >= 3
    is_stream = path.endswith(":stream")  # whose frames are pieces of a task, and have no id of a message
    assert is_stream or own[0].encode() in first[1], "its answers are stored under the ids that they have for others"


def test_an_mbox_becomes_lines_of_json(tmp_path, capsys):
    path = tmp_path / "in.mbox"
    mails = (MAIL, MAIL.replace(b"helper@", b"nobody@"), MAIL.replace(b"Hello", b"Bye"))
    path.write_bytes(b"".join(b"From alice\n%s\n" % raw for raw in mails))
    assert load("mailbox_to_jsonl").main(str(path), "helper@agents.example") == 0
    out, err = capsys.readouterr()
    texts = [json.loads(line)["parts"][0]["content"] for line in out.splitlines()]
    assert texts == ["Hello\n", "Bye\n"]
    assert err == "1 mails were not taken\n"


def test_an_mbox_is_read_from_the_command_line(tmp_path, capsys):
    path = tmp_path / "in.mbox"
    path.write_bytes(b"From alice\n" + MAIL)
    assert load("mailbox_to_jsonl").run([str(path), "helper@agents.example"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["in.mbox"], ["nowhere.mbox", "a@b.example"], [".", "a@b.example"]])
def test_wrong_words_for_the_mbox_are_told_on_one_line(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    assert load("mailbox_to_jsonl").run(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(("usage: ", "mailbox_to_jsonl: "))
