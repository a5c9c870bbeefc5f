import json
import re
import shutil

import pytest
from sqlalchemy import delete

from mentionable_host import Config, Host
from mentionable_host.keys import PUBLISHED_BEFORE, Keys, rotate_keys
from mentionable_host.store.tables import jobs
from mentionable_host.transports.activitypub import ActivityPub, actions

from .conftest import ACTOR, Fediverse


@pytest.fixture
def fediverse(make_host, world, key_folder, tmp_path):
    """A host with keys of its own."""
    other = make_host(ActivityPub)
    shutil.copytree(key_folder, tmp_path / "project")
    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=tmp_path / "project")
    facts = {"keys": Keys.load(config), "database": other.database, "world": world}
    found = Fediverse(Host(other.agent, config, **facts, transports=[ActivityPub]), world)
    found.person("alice")
    return found


def published(fediverse):
    keys = json.loads(fediverse.get(ACTOR).content)["publicKey"]
    return [key["id"].partition("#")[2] for key in (keys if isinstance(keys, list) else [keys])]


def signs(fediverse):
    fediverse.write(lambda db: db.execute(delete(jobs)))
    fediverse.run(actions.post(fediverse.transport, "For you.", visibility="direct", mention=["@alice@social.example"]))
    fediverse.work()
    return re.search(r'keyId="[^"]*#([^"]*)"', fediverse.world.sent[-1].header("signature"))[1]


def test_a_running_server_publishes_a_new_key_and_signs_with_it_a_day_later(fediverse):
    assert published(fediverse) == ["main-key"]
    rotate_keys(fediverse.host.config.folder, now=fediverse.world.now())
    new = "key-20261127T120000Z"

    fediverse.world.advance(minutes=1)
    assert published(fediverse) == ["main-key", new]
    assert signs(fediverse) == "main-key"
    fediverse.world.time += PUBLISHED_BEFORE
    assert published(fediverse) == [new, "main-key"]
    assert signs(fediverse) == new


def test_keys_that_cannot_be_read_leave_those_of_before(fediverse):
    published(fediverse)
    done = rotate_keys(fediverse.host.config.folder, now=fediverse.world.now())
    done.made.write_bytes(b"no key")
    fediverse.world.advance(minutes=2)

    assert published(fediverse) == ["main-key"]
