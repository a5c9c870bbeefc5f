"""Programs of users type-check under four checkers and run; deliberate mistakes fail line by line."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import re
import subprocess
import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from mentionable import Answers, Fetched, HttpRequest, NormalizedResponse, WireError, a2a, drive
from mentionable.testing import SlackPeer
from tests.mypy_cache import mypy_cache

FOLDER = Path(__file__).with_name("typing")
ROOT = FOLDER.parents[1]
PROGRAMS = (
    *("smtp_hook.py", "django_inbound.py", "fastapi_inbox.py", "slack_app.py", "a2a_executor.py"),
    "connectors.py",
)
MAIL = b"From: Alice <alice@a.example>\r\nTo: helper@agents.example\r\nMessage-ID: <1@a.example>\r\n\r\nHello\r\n"
FOR_NOBODY = MAIL.replace(b"helper@", b"nobody@")

CHECKERS = {
    "mypy": ("-m", "mypy", "--strict", "--show-absolute-path", "--no-error-summary", "--cache-dir", "{cache}"),
    "basedpyright": (
        "-m",
        "basedpyright",
        "--level",
        "error",
        "-p",
        "{scratch}/pyrightconfig.json",
        "--pythonpath",
        sys.executable,
    ),
    "ty": ("{bin}/ty", "check", "--output-format", "concise", "--python", sys.executable),
    "pyrefly": ("{bin}/pyrefly", "check", "--output-format", "min-text", "--python-interpreter-path", sys.executable),
}


@pytest.fixture(scope="session")
def scratch(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("typing")
    settings = {"include": [str(FOLDER)], "extraPaths": [str(ROOT)], "typeCheckingMode": "standard"}
    (folder / "pyrightconfig.json").write_text(json.dumps({**settings, "pythonVersion": "3.11"}))
    return folder


@cache
def complaints(checker: str, scratch: Path) -> dict[str, set[int]]:
    """File → the lines that a checker complains about."""
    where = str(Path(sys.executable).parent)
    files = [] if checker == "basedpyright" else [str(FOLDER / name) for name in (*PROGRAMS, "mistakes.py")]
    with mypy_cache() if checker == "mypy" else nullcontext() as cache:
        words = [word.format(scratch=scratch, bin=where, cache=cache) for word in CHECKERS[checker]]
        command = [sys.executable, *words] if words[0] == "-m" else words
        done = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    found: dict[str, set[int]] = {name: set() for name in (*PROGRAMS, "mistakes.py")}
    for text in done.stdout.splitlines():
        place = re.search(r"(\w+\.py):(\d+)", text)
        if place and re.search(r"\berror\b", text, re.IGNORECASE):
            found.setdefault(place[1], set()).add(int(place[2]))
    assert found["mistakes.py"], f"{checker} says nothing: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return found


def marked() -> dict[int, str]:
    """Line → what is wrong there."""
    lines = (FOLDER / "mistakes.py").read_text().splitlines()
    return {number: line for number, line in enumerate(lines, 1) if "  # wrong: " in line}


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_mistake_is_caught_and_nothing_else_is_called_one(checker, scratch):
    found = complaints(checker, scratch)["mistakes.py"]
    assert {line: text for line, text in marked().items() if line not in found} == {}, f"{checker} misses these"
    assert sorted(found - marked().keys()) == [], f"{checker} complains about these"


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("checker", CHECKERS)
def test_programs_type_check(checker, program, scratch):
    assert complaints(checker, scratch)[program] == set()


def load(name: str):
    spec = importlib.util.spec_from_file_location(Path(name).stem, FOLDER / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_smtp_program_runs():
    from aiosmtpd.smtp import Envelope

    program = load("smtp_hook.py")
    envelope = Envelope()
    envelope.mail_from, envelope.rcpt_tos, envelope.original_content = (
        "alice@a.example",
        ["helper@agents.example"],
        MAIL,
    )
    assert asyncio.run(program.Handler().handle_DATA(None, None, envelope)) == "250 OK"
    assert [message.sender.address for message in program.inbox] == ["@alice@a.example"]
    envelope.rcpt_tos, envelope.original_content = ["nobody@agents.example"], FOR_NOBODY
    reply = asyncio.run(program.Handler().handle_DATA(None, None, envelope))
    assert reply == "550 5.1.1 This node serves no recipient of the message."


def test_the_django_program_runs():
    from django.conf import settings
    from django.test import RequestFactory

    if not settings.configured:
        settings.configure()
    program = load("django_inbound.py")
    post = RequestFactory().post
    with program.pool:
        headers = {"HTTP_X_MAIL_FROM": "alice@a.example", "HTTP_X_RCPT_TO": "helper@agents.example"}
        taken = program.inbound(post("/", MAIL, content_type="message/rfc822", **headers))
        assert json.loads(taken.content)[0]["parts"][0]["content"] == "Hello\n"
        headers["HTTP_X_RCPT_TO"] = "nobody@agents.example"
        refused = program.inbound(post("/", FOR_NOBODY, content_type="message/rfc822", **headers))
        assert (refused.status_code, refused.content) == (404, b"no-served-recipient")


def test_the_fastapi_program_runs():
    import httpx

    from mentionable import Answers, activitypub, directory, drive
    from mentionable.testing import Peer

    program = load("fastapi_inbox.py")
    alice, posted = Peer.activitypub("@alice@social.example"), []
    helper = "https://agents.example/helper"
    known = {what.removeprefix("GET "): found for what, found in alice.lookups.items()}

    def web(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            posted.append(request)
            return httpx.Response(202)
        found = known[str(request.url)]
        headers = {"content-type": found["content_type"]}
        return httpx.Response(200, headers=headers, content=json.dumps(found["json"]).encode())

    async def send(*units):
        program.client = httpx.AsyncClient(transport=httpx.MockTransport(web))
        server = httpx.ASGITransport(app=program.app)
        async with program.client, httpx.AsyncClient(transport=server) as outside:
            return [await outside.post(one.url, headers=one.headers, content=one.body) for one in units]

    now = datetime.now(UTC)
    asked = alice.write("Hello", to=helper, now=now, inbox="https://agents.example/inbox")
    elsewhere = alice.write("Hello", to="https://agents.example/nobody", now=now)
    taken, refused = asyncio.run(send(asked, elsewhere))
    assert (taken.status_code, refused.status_code, refused.content) == (202, 202, b"recipient-elsewhere")
    (answer,) = posted
    assert str(answer.url) == f"{alice.actor}/inbox"
    document = activitypub.actor("@helper@agents.example", url=helper, keys=program.KEY)
    jrd = activitypub.webfinger("@helper@agents.example", url=helper)

    def fetch(ask):
        found, kind = (document, "activity") if ask.purpose == "actor" else (jrd, "jrd")
        body = json.dumps(found).encode()
        return Fetched(url=ask.url, status=200, content_type=f"application/{kind}+json", body=body)

    unit = HttpRequest(method="POST", url=str(answer.url), headers=dict(answer.headers), body=answer.content)
    there = Answers(fetch=fetch, find_agent=directory({alice.actor: alice.address}))
    got = drive(activitypub.receive(unit, now=now, entropy=bytes(32)), there)
    assert (got.message.sender.address, got.message.sender.verified) == ("@helper@agents.example", True)
    assert got.message.parts[0].content == "Hello!"


@pytest.mark.parametrize(("text", "taken"), [("Hello", True), ("", False)])
def test_the_a2a_program_runs(text, taken):
    from a2a.auth.user import UnauthenticatedUser
    from a2a.server.agent_execution import RequestContext
    from a2a.server.context import ServerCallContext
    from a2a.types import Message, Part, Role, SendMessageRequest

    parts = [Part(text=text)] if text else []
    message = Message(message_id="m1", role=Role.ROLE_USER, parts=parts)
    call = ServerCallContext(user=UnauthenticatedUser())
    context = RequestContext(call, request=SendMessageRequest(message=message), task_id="t1")
    told = []

    async def enqueue_event(event):
        told.append(event)

    program = load("a2a_executor.py").Helper()
    asked = program.execute(context, SimpleNamespace(enqueue_event=enqueue_event))
    if not taken:
        with pytest.raises(WireError, match="missing-member"):
            asyncio.run(asked)
        return
    asyncio.run(asked)
    (answer,) = told
    assert (answer.parts[0].text, answer.role, answer.task_id) == ("Hello!", Role.ROLE_AGENT, "t1")


def test_the_programs_do_not_grow():
    sizes = {name: len((FOLDER / name).read_text().splitlines()) for name in PROGRAMS}
    assert sizes["smtp_hook.py"] <= 46
    assert sizes["django_inbound.py"] <= 40
    assert sizes["fastapi_inbox.py"] <= 60
    assert sizes["a2a_executor.py"] <= 34


def test_the_slack_program_runs():
    program = load("slack_app.py")
    alice = SlackPeer(signing_secret=program.SETTINGS.secrets[0])
    calls, posts = [], []

    class Web:
        async def api_call(self, method, *, params=None, json=None):
            if method == "users.info":
                return SimpleNamespace(data=alice.lookups["CALL users.info U456"])
            posts.append((method, json))
            return None

    def agent(request):
        calls.append(request)
        unit = HttpRequest(method="POST", url=str(request.url), headers=request.headers.items(), body=request.content)
        facts = {"now": datetime.now(UTC), "entropy": bytes(32)}
        got = drive(a2a.receive(unit, recipient="@helper@agents.example", **facts), Answers())
        assert [note.code for note in got.diagnostics if note.code == "evidence-refused"]  # nobody is trusted there
        out = a2a.reply(NormalizedResponse.to(got.message, "Hello!"), to=got.message, **facts).response
        return httpx.Response(out.status, headers=dict(out.headers), content=out.body)

    program.web, program.client = Web(), httpx.AsyncClient(transport=httpx.MockTransport(agent))
    unit = alice.write("hi", now=datetime.now(UTC))

    async def events(body):
        transport = httpx.ASGITransport(app=program.app)
        async with httpx.AsyncClient(transport=transport, base_url="https://slack.agents.example") as client:
            return (await client.post("/slack/events", headers=dict(unit.headers), content=body)).status_code

    assert asyncio.run(events(unit.body)) == 200
    assert [(method, json["text"]) for method, json in posts] == [("chat.postMessage", "Hello!")]
    assert asyncio.run(events(unit.body + b" ")) == 401
    assert len(calls) == 1
