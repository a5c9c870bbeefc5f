from __future__ import annotations

import pytest

from tests import setup_interop
from tests.interop.foreign import needs
from tests.viewer.chromium import Chromium
from tests.viewer.page import Page


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; in CI it is a failure when it is not there."""
    needs(setup_interop.CHROMIUM_HOME)
    with Chromium.found() as found:
        yield found


@pytest.fixture(scope="session")
def tab(browser):
    """One tab for all tests: a new one would take longer than a test."""
    made = Page(browser)
    yield made
    made.close()


@pytest.fixture
def page(tab):
    """A tab, in which nothing may be asked of anybody, refused, complained of or said in a dialog."""
    tab.clear()
    yield tab
    tab.settle()
    assert tab.troubles == []
