"""Servers made with Fedify write to a host that runs: over TLS on loopback, with its own worker and clock."""

import asyncio
import json
import shutil
import ssl
import subprocess
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_bytes
from time import monotonic
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from attrs import evolve
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from mentionable import Failed, Fetched, HttpResponse

from mentionable_host import Host
from mentionable_host.keys import PUBLISHED_BEFORE, Keys, rotate_keys
from mentionable_host.transports.activitypub import ActivityPub, actions, keyring
from mentionable_host.transports.discovery import Discovery

from .conftest import ACTOR

ROOT = Path(__file__).resolve().parents[4]
INTEROP = ROOT / ".cache" / "interop"
PEER = ROOT / "tests" / "interop" / "peer_fediverse.mjs"
ALICE = "https://social.example/users/alice"
NAMES = ("agents.example", "social.example", "other.example")

pytestmark = pytest.mark.storm


class Tls:
    """A certificate for some names, which nobody else trusts."""

    def __init__(self, folder):
        key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "loopback")])
        builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
        hosts = x509.SubjectAlternativeName([*map(x509.DNSName, NAMES)])
        signed = builder.add_extension(hosts, critical=False).sign(key, hashes.SHA256())
        self.pem = signed.public_bytes(Encoding.PEM).decode()
        self.key = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        self.file = folder / "tls.pem"
        self.file.write_text(self.pem + self.key)
        self.trusting = ssl.create_default_context(cadata=self.pem)


class Loopback:
    """The world, with names that lead to ports of this machine."""

    def __init__(self, tls):
        self.tls, self.ports = tls, {}

    def now(self):
        return datetime.now(UTC)

    def entropy(self):
        return token_bytes(32)

    async def lookup_txt(self, ask):
        return []

    async def fetch(self, ask, *, sign=None):
        request = ask.request if sign is None else sign(ask.request)
        answer = await self.send(request)
        if isinstance(answer, Failed):
            return answer
        kind = answer.header("content-type") or ""
        return Fetched(url=ask.url, status=answer.status, content_type=kind, body=answer.body)

    async def send(self, request, *, seconds=10):
        place = urlsplit(request.url)
        if place.hostname not in self.ports:
            return Failed(f"{place.hostname} is not there")
        url = request.url.replace(place.netloc, f"127.0.0.1:{self.ports[place.hostname]}", 1)
        headers = {**dict(request.headers), "host": place.netloc}
        async with httpx.AsyncClient(verify=self.tls.trusting, timeout=seconds) as client:
            try:
                answer = await client.request(
                    request.method,
                    url,
                    headers=headers,
                    content=request.body,
                    extensions={"sni_hostname": place.hostname},
                )
            except httpx.HTTPError as error:
                return Failed(repr(error))
        return HttpResponse(status=answer.status_code, headers=dict(answer.headers), body=answer.content)


class Fedify:
    """The servers of others, one JSON object a line each way."""

    def __init__(self):
        own = INTEROP / "python" / "bin" / "node"
        command = [str(own if own.exists() else shutil.which("node")), str(PEER), str(INTEROP / "node")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, op, **given):
        self._process.stdin.write(json.dumps({"op": op, **given}) + "\n")
        self._process.stdin.flush()
        found = json.loads(self._process.stdout.readline())
        assert "failed" not in found, found
        return found["answer"]

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)


class Servers:
    """The host and the servers of Fedify."""

    def __init__(self, host, fedify):
        self.host, self.fedify, self.came, self.count = host, fedify, [], 0

    def heard(self, kind):
        """The next activity of a type that came to Fedify and was verified there."""
        end = monotonic() + 20
        while monotonic() < end:
            found = next((one for one in self.came if one["type"] == kind), None)
            if found is not None:
                self.came.remove(found)
                return found
            self.came += self.fedify("heard", count=1)["activities"]
        raise AssertionError(f"no {kind} came")

    def activity(self, kind, **members):
        self.count += 1
        return {"type": kind, "id": f"{ALICE}/did/{self.count}", "actor": ALICE, "to": ACTOR, **members}

    def send(self, activity, *, by=ALICE):
        return self.fedify("send", by=by, inbox="https://agents.example/inbox", activity=activity)

    def mention(self, text, **more):
        self.count += 1
        return self.fedify("mention", address="@helper@agents.example", text=text, number=self.count, **more)


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    return Tls(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def servers(make_host, tls, key_folder, tmp_path):
    if not (INTEROP / "node" / "node_modules").exists():
        pytest.skip("Fedify is not there: python tests/setup_interop.py")
    world, other = Loopback(tls), make_host(ActivityPub, Discovery)
    shutil.copytree(key_folder, tmp_path / "project")  # keys of its own
    config = evolve(other.config, folder=tmp_path / "project")
    host = Host(
        other.agent,
        config,
        keys=Keys.load(config),
        database=other.database,
        world=world,
        transports=[ActivityPub, Discovery],
    )
    config = uvicorn.Config(
        host.app(), port=0, ssl_certfile=str(tls.file), log_level="error", lifespan="on", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    port = server.servers[0].sockets[0].getsockname()[1]
    fedify = Fedify()
    there = fedify("start", pem=tls.pem, key=tls.key)
    world.ports = {"agents.example": port, "social.example": there, "other.example": there}
    fedify("known", name="agents.example", port=port)
    yield Servers(host, fedify)
    fedify.close()
    server.should_exit = True
    thread.join(10)


def test_fedify_finds_mentions_follows_and_reads(servers):
    found = servers.fedify("find", address="@helper@agents.example")
    assert found == {"id": ACTOR, "username": "helper", "inbox": f"{ACTOR}/inbox"}
    assert servers.fedify("nodeinfo", url="https://agents.example")["software"] == "mentionable-host"

    note = servers.mention("Will it rain?")
    answer = servers.heard("Create")["object"]
    assert (answer["inReplyTo"], answer["to"]) == (note, [ALICE])
    assert "Will it rain?" in answer["content"]
    assert servers.fedify("again") == 202
    assert servers.fedify("read", url=answer["id"], by=ALICE)["id"] == answer["id"]

    public = servers.mention("Or snow?", open=True)
    answer = servers.heard("Create")["object"]
    assert answer["inReplyTo"] == public
    assert servers.fedify("read", url=answer["id"])["author"] == ACTOR
    assert servers.fedify("collection", url=f"{ACTOR}/outbox")["items"] == [f"{answer['id']}/activity"]

    follow = servers.activity("Follow", object=ACTOR)
    assert servers.send(follow) == 202
    assert servers.heard("Accept")["objectId"] == follow["id"]
    posted = asyncio.run(actions.post(servers.host.transport("activitypub"), "Good morning."))
    assert servers.heard("Create")["object"]["id"] == posted

    assert servers.send(servers.activity("Delete", object=public)) == 202
    assert servers.heard("Delete")["objectId"] == answer["id"]
    assert servers.send(servers.activity("Undo", object=follow)) == 202
    assert servers.fedify("collection", url=f"{ACTOR}/followers")["total"] == 0


def test_what_was_changed_on_its_way_is_refused_and_what_comes_again_as_it_was_is_taken(servers):
    note = servers.mention("Will it rain?", changed=["rain?", "snow?"])  # refused, it signs once more in the other form

    answer = servers.heard("Create")["object"]
    assert (answer["inReplyTo"], "rain?" in answer["content"]) == (note, True)
    assert "snow?" not in answer["content"]


def test_who_knows_the_old_key_verifies_what_the_new_one_signs(servers, monkeypatch):
    monkeypatch.setattr(keyring, "LOOK_AGAIN", timedelta(0))
    servers.mention("Before")
    assert "Before" in servers.heard("Create")["object"]["content"]

    rotate_keys(servers.host.config.folder, now=datetime.now(UTC) - PUBLISHED_BEFORE - timedelta(minutes=1))
    assert "key-" in servers.host.transport("activitypub").keys.signing().key_id
    servers.mention("After")

    assert "After" in servers.heard("Create")["object"]["content"]
