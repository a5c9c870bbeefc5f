"""A host that serves notifications, and people who were heard of."""

from __future__ import annotations

import pytest
from recorder import Recorder

from mentionable_host.notifications.service import Notifications


@pytest.fixture
def notified(make_host):  # type: ignore[no-untyped-def]
    """Makes a host that serves notifications."""

    def made(*transports, **more):  # type: ignore[no-untyped-def]
        return make_host(*(transports or (Recorder,)), Notifications, **more)

    return made
