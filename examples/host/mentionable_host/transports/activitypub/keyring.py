"""The keys of the actor at a time, as the files are now: a rotation needs no new start of the server."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from mentionable import SigningKey

from mentionable_host.config import ConfigError
from mentionable_host.keys import ActorKey, actor_key_names, load_actor_keys, published_keys, signing_key

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["KeyRing"]

log = logging.getLogger(__name__)

LOOK_AGAIN: Final = timedelta(minutes=1)


class KeyRing:
    """Which key signs now, and which are published."""

    def __init__(self, host: Host) -> None:
        """The keys that the host was made with."""
        self._host = host
        self._keys: tuple[ActorKey, ...] = host.keys.actors
        self._names = self._files()
        self._looked_at: datetime | None = None

    def signing(self) -> SigningKey:
        """The key that signs now."""
        now = self._host.world.now()
        return signing_key(self._current(now), now)

    def published(self) -> tuple[SigningKey, ...]:
        """The keys of the actor document; the first one signs."""
        now = self._host.world.now()
        return published_keys(self._current(now), now)

    def _current(self, now: datetime) -> tuple[ActorKey, ...]:
        """The keys, read anew when there are other files than before."""
        if self._looked_at is not None and now - self._looked_at < LOOK_AGAIN:
            return self._keys
        self._looked_at, names = now, self._files()
        if names != self._names:
            try:
                self._keys, self._names = tuple(load_actor_keys(self._host.config)), names
            except (ConfigError, ValueError) as error:
                log.error("the keys of the actor stay as they were: %s", error)
        return self._keys

    def _files(self) -> list[str]:
        return actor_key_names(self._host.config.folder)
