import json
import shutil

import pytest

from mentionable_host import Config, Host
from mentionable_host.keys import PUBLISHED_BEFORE, Keys, rotate_keys
from mentionable_host.transports.activitypub import ActivityPub

from .conftest import ACTOR, Fediverse


@pytest.fixture
def fediverse(make_host, world, key_folder, tmp_path):
    """A host with keys of its own."""
    other = make_host(ActivityPub)
    shutil.copytree(key_folder, tmp_path / "project")
    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=tmp_path / "project")
    facts = {"keys": Keys.load(config), "database": other.database, "world": world}
    return Fediverse(Host(other.agent, config, **facts, transports=[ActivityPub]), world)


def published(fediverse):
    keys = json.loads(fediverse.get(ACTOR).content)["publicKey"]
    return [key["id"].partition("#")[2] for key in (keys if isinstance(keys, list) else [keys])]


def signs(fediverse):
    return fediverse.transport.settings().key.key_id.partition("#")[2]


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
