"""A host with the page of notifications, and browsers that look at it."""

import pytest
from notification_site import Chatting, Site
from notification_windows import Profile

from mentionable_host.queue import shared
from mentionable_host.store.database import Database
from mentionable_host.store.tables import metadata


@pytest.fixture
def store(request):
    """The URL of the tables of the host: a file of SQLite, unless a test asks for `postgresql`."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return None
    url = request.getfixturevalue("postgres").new_database()
    database = Database(url)
    metadata.create_all(database.engine)
    shared.install(database.engine)
    database.close()
    return url


@pytest.fixture
def site(make_host, store):
    site = Site(lambda: make_host(Chatting, store_url=store))
    yield site
    site.stop()


@pytest.fixture
def profile(browser, site):
    """Makes profiles; nothing is asked of anybody else, and no policy is violated in any of them."""
    troubles, made = [], []

    def make(**how):
        made.append(Profile(browser, site, troubles, **how))
        return made[-1]

    yield make
    for one in made:
        one.context.close()
    assert troubles == []
