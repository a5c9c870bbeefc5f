"""Push notifications: what the SDKs post to a webhook is taken, and what is posted here they read."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer

import jwt
import pytest

from mentionable import Answered, Answers, HttpRequest, Rejected, a2a, drive, replace
from tests import setup_interop
from tests.a2a.questions import question
from tests.a2a.test_push_notification import BASIC, CHUNK, MESSAGE, PLAIN, SIGNED, SIGNER, TASK, WORKING, push
from tests.interop import foreign as others
from tests.interop.batches import NOW, differences

FLOOR = 44
EVENTS = {"task": json.loads(push().body), "status": WORKING, "chunk": CHUNK, "message": MESSAGE}
TO = question()


@pytest.fixture(scope="module")
def sdk():
    """The A2A SDK for Python."""
    others.needs(setup_interop.PYTHON_HOME)
    program = others.Foreign(setup_interop.program("python"), others.HERE / "peer_push.py", PYTHONPATH="")
    yield program
    program.close()


@pytest.fixture(scope="module")
def js():
    """The A2A SDKs for JavaScript."""
    others.needs(setup_interop.NODE_HOME)
    program = others.Foreign(setup_interop.program("node"), others.HERE / "peer_push.mjs", setup_interop.NODE_HOME)
    yield program
    program.close()


@contextmanager
def webhook(config):
    """A webhook on loopback: its URL, and what came of each notification."""
    outcomes = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            request = HttpRequest(method="POST", url=config.url, headers=self.headers.items(), body=body)
            found = drive(a2a.receive_push_notification(request, to=TO, config=config, now=NOW), Answers())
            outcomes.append(found)
            self.send_response(found.http_status if isinstance(found, Rejected) else 200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", outcomes
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def registered(config, url):
    """A configuration as v1.0 writes it, for a webhook on loopback."""
    written = {"taskId": "t1", "id": "p1", "url": url}
    if config.token:
        written["token"] = config.token
    if config.authentication:
        written["authentication"] = {"scheme": "Basic", "credentials": config.authentication.credentials}
    return written


@pytest.mark.parametrize("config", [PLAIN, BASIC], ids=["token", "credentials"])
@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
@pytest.mark.parametrize("peer", ["sdk", "js"])
def test_what_is_posted_there_is_taken_here(peer, config, event, request, count):
    program = request.getfixturevalue(peer)
    with webhook(config) as (url, outcomes):
        program("send", config=registered(config, url), event=event)
        program("send", config={**registered(replace(PLAIN, token="another"), url)}, event=event)
    taken, refused = outcomes
    assert isinstance(taken, Answered)
    assert taken.response.extra["a2a"]["task_id"] == "t1"
    assert (refused.code, refused.http_status) == ("verification-required", 401)
    count(2)


def test_another_task_that_is_posted_there_is_refused_here(sdk, js, count):
    other = {"statusUpdate": {**WORKING["statusUpdate"], "taskId": "t2"}}
    for program in (sdk, js):
        with webhook(PLAIN) as (url, outcomes):
            program("send", config={**registered(PLAIN, url), "taskId": "t2"}, event=other)
        assert [one.code for one in outcomes] == ["task-mismatch"]
        count(1)


def test_whole_tasks_that_are_posted_by_the_older_sdk_are_taken_here(js, count):
    task = json.loads(push(dialect="0.3").body)
    with webhook(PLAIN) as (url, outcomes):
        js("send_old", config={"url": url, "token": PLAIN.token}, task=task)
        js("send_old", config={"url": url, "token": "another"}, task=task)
    assert outcomes[0].response.parts[0].content == "It rains."
    assert outcomes[1].code == "verification-required"
    count(2)


def test_what_is_posted_here_is_read_there(sdk, count):
    bodies = [json.loads(push(event).body) for event in EVENTS.values()]
    for body, again in zip(bodies, sdk("read", bodies=bodies), strict=True):
        assert list(differences(again, body)) == []
        count(1)


def test_whole_tasks_of_the_older_version_are_read_there(sdk, count):
    body = json.loads(push(dialect="0.3").body)
    assert sdk("read_old", bodies=[body]) == [body]
    count(1)


UPDATES = (TASK, WORKING, {"task": {"id": "t1", "status": {"state": "TASK_STATE_WORKING"}, "metadata": {"é": [1.5]}}})


def test_the_signature_verifies_as_the_verifier_of_the_official_samples_does_it(count):
    """Which takes the key by its id, requires `iat` and the digest, and hashes the JSON of the body as it spells it."""
    key = jwt.PyJWK.from_dict(SIGNER.key.public_jwk | {"alg": "EdDSA"})
    facts = {"audience": SIGNED.url, "issuer": SIGNER.issuer, "options": {"require": ["iat", "request_body_sha256"]}}
    for update in UPDATES:
        request = push(update, SIGNED, signer=SIGNER, now=datetime.now(UTC))
        assert jwt.get_unverified_header(request.bearer_token)["kid"] == key.key_id
        claims = jwt.decode(request.bearer_token, key, algorithms=["EdDSA"], **facts)
        spelled = json.dumps(json.loads(request.body), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        assert claims["request_body_sha256"] == sha256(spelled.encode()).hexdigest()
        assert time.time() - claims["iat"] < 300
        count(1)
