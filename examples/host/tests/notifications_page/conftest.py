"""A host with the page of notifications, and browsers that look at it."""

import pytest
from browsing import CHROMIUM, chromium
from notification_site import Chatting, Site
from notification_windows import Profile


@pytest.fixture(scope="module")
def browser():
    pytest.importorskip("playwright")
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not there: python tests/setup_interop.py")
    with chromium() as found:
        yield found


@pytest.fixture
def site(make_host):
    site = Site(lambda: make_host(Chatting))
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
