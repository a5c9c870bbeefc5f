"""An agent that everybody can reach: tests take something away from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path
from shutil import copytree

import pytest
from mentionable import Failed, Fetched, HttpResponse, mail

from mentionable_host import Config
from mentionable_host.checks import connecting
from mentionable_host.keys import Keys, actor_url

ADDRESS = "93.184.216.34"


class Healthy:
    """A project and a world in which all is well."""

    def __init__(self, folder: Path, world, keys: Keys) -> None:  # type: ignore[no-untyped-def]
        self.folder, self.world, self.keys = folder, world, keys
        self.table = {"agent": {"name": "helper", "domain": "agents.example"}, "mail": {"smtp": "127.0.0.1:2525"}}
        self.places = {name: [(ADDRESS, 443)] for name in ("agents.example", "gmail-smtp-in.l.google.com")}
        self.certificate = world.now() + timedelta(days=60)
        self.greeting: dict[str, list[str] | Failed] = {}
        self.clock, self.inbox = timedelta(), 401
        world.places = self._places
        world.responses = self._respond
        world.mx = {"agents.example": [(10, "agents.example")], "gmail.com": [(5, "gmail-smtp-in.l.google.com")]}
        world.txt = {
            "agents.example": [b"v=spf1 mx a -all", b"google-site-verification=x"],
            keys.mail.key_id: [mail.dkim_record(keys.mail).encode()],
            "_dmarc.agents.example": [b"v=DMARC1; p=reject"],
        }
        self.serve(keys)

    @property
    def config(self) -> Config:
        return Config.parse(self.table, folder=self.folder)

    def serve(self, keys: Keys) -> None:
        actor = actor_url(self.config)
        finger = "https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example"
        links = [{"rel": "self", "type": "application/activity+json", "href": actor}]
        self.document(finger, "application/jrd+json", {"subject": "acct:helper@agents.example", "links": links})
        published = {"id": f"{actor}#main-key", "owner": actor, "publicKeyPem": keys.actor.public_pem}
        self.document("https://agents.example/.well-known/agent-card.json", "application/json", {"name": "helper"})
        self.document(actor, "application/activity+json", {"id": actor, "publicKey": published})

    def document(self, url: str, content_type: str, value: object) -> None:
        body = json.dumps(value).encode()
        self.world.documents[url] = Fetched(url=url, status=200, content_type=content_type, body=body)

    async def _places(self, host: str, port: int):  # type: ignore[no-untyped-def]
        found = self.places.get(host)
        return [(address, port) for address, _ in found] if found else Failed("no address", temporary=False)

    def _respond(self, request):  # type: ignore[no-untyped-def]
        if request.url.endswith("/inbox"):
            return HttpResponse(status=self.inbox)
        date = format_datetime(self.world.now() - self.clock, usegmt=True)
        return HttpResponse(status=200, headers={"date": date})


@pytest.fixture(scope="session")
def loaded(key_folder: Path) -> Keys:
    """Keys are read once: each takes a moment to be checked."""
    return Keys.load(Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=key_folder))


@pytest.fixture
def healthy(tmp_path: Path, key_folder: Path, loaded: Keys, world, monkeypatch) -> Healthy:  # type: ignore[no-untyped-def]
    copytree(key_folder / "keys", tmp_path / "keys")
    made = Healthy(tmp_path, world, loaded)

    async def certificate_end(place, host, **more):  # type: ignore[no-untyped-def]
        return made.certificate

    async def greeting(place, **more):  # type: ignore[no-untyped-def]
        return made.greeting.get(place[0], ["220 mx.example ESMTP", "250-mx.example", "250 STARTTLS"])

    monkeypatch.setattr(connecting, "certificate_end", certificate_end)
    monkeypatch.setattr(connecting, "greeting", greeting)
    return made


@pytest.fixture
def finds(healthy: Healthy) -> Callable[..., list[str]]:
    """Runs `doctor`'s checks over the network: what is not well, as `severity subject`."""
    import asyncio

    from mentionable_host.checks.reach import from_outside

    def run() -> list[str]:
        found = asyncio.run(from_outside(healthy.config, healthy.keys, healthy.world))
        assert all(one.means and (one.do or one.severity in ("ok", "note")) for one in found)
        return sorted(f"{one.severity} {one.subject}" for one in found if one.severity != "ok")

    return run
