import errno
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mentionable_host import Config, ConfigError
from mentionable_host.keys import (
    PUBLISHED_AFTER,
    PUBLISHED_BEFORE,
    Keys,
    load_actor_keys,
    make_keys,
    published_keys,
    rotate_keys,
    signing_key,
)

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
ACTOR = "https://agents.example/actors/helper"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def config(tmp_path):
    make_keys(tmp_path)
    return Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=tmp_path)


def ids(keys):
    return [key.key_id.removeprefix(f"{ACTOR}#") for key in keys]


def at(config, now):
    """Which key signs at a time, and which are published."""
    keys = load_actor_keys(config)
    return ids([signing_key(keys, now)])[0], ids(published_keys(keys, now))


def test_a_new_key_is_published_before_it_signs_and_the_old_one_after_that(config):
    assert at(config, NOW) == ("main-key", ["main-key"])

    done = rotate_keys(config.folder, now=NOW)

    new, signs_from = "key-20261127T120000Z", NOW + PUBLISHED_BEFORE
    assert done.signs_from == signs_from
    assert at(config, NOW) == ("main-key", ["main-key", new])
    assert at(config, signs_from - MINUTE) == ("main-key", ["main-key", new])
    assert at(config, signs_from) == (new, [new, "main-key"])
    assert at(config, signs_from + PUBLISHED_AFTER - MINUTE) == (new, [new, "main-key"])
    assert at(config, signs_from + PUBLISHED_AFTER) == (new, [new])


def test_nobody_rotates_twice_at_once(config):
    rotate_keys(config.folder, now=NOW)

    with pytest.raises(ConfigError, match="does not sign before 2026-11-28 12:00 UTC"):
        rotate_keys(config.folder, now=NOW + MINUTE)


def test_the_next_rotation_removes_what_is_published_no_more(config):
    rotate_keys(config.folder, now=NOW)
    later = NOW + PUBLISHED_BEFORE + PUBLISHED_AFTER

    done = rotate_keys(config.folder, now=later)

    assert [path.name for path in done.removed] == ["actor.pem"]
    assert ids([one.key for one in load_actor_keys(config)]) == ["key-20261127T120000Z", "key-20261205T120000Z"]
    assert make_keys(config.folder) == []
    assert at(config, later) == ("key-20261127T120000Z", ["key-20261127T120000Z", "key-20261205T120000Z"])
    assert ids([one.key for one in Keys.load(config).actors]) == ["key-20261127T120000Z", "key-20261205T120000Z"]


def test_a_new_key_is_for_its_owner_alone(config):
    done = rotate_keys(config.folder, now=NOW)

    assert done.made.stat().st_mode & 0o777 == 0o600
    done.made.chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        load_actor_keys(config)


def test_a_key_of_another_user_is_not_said_to_be_made(config, monkeypatch):
    def denied(path):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(ConfigError, match=r"Permission denied\. Run this as the user who owns it"):
        Keys.load(config)


def test_a_file_that_is_no_key_is_said_with_what_to_do(config):
    (config.folder / "keys" / "card.pem").write_text("garbage")

    with pytest.raises(ConfigError, match=r"card\.pem is no private key in PEM: put it back from your backup"):
        Keys.load(config)


def test_a_key_that_is_not_there_is_said(tmp_path):
    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=tmp_path)

    with pytest.raises(ConfigError, match="cannot be read"):
        Keys.load(config)
