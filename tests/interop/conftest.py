from __future__ import annotations

import pytest

from tests import setup_interop
from tests.interop import foreign as others
from tests.interop.citizens import Fediverse, running

PARTIAL = pytest.StashKey[bool]()


def _one(*command, **environment):
    found = others.Foreign(*command, **environment)
    yield found
    found.close()


@pytest.fixture(scope="session")
def node():
    """The libraries of npm."""
    others.needs(setup_interop.NODE_HOME)
    yield from _one(setup_interop.program("node"), others.HERE / "peer.mjs", setup_interop.NODE_HOME)


@pytest.fixture(scope="session")
def other_python():
    """The libraries of PyPI."""
    others.needs(setup_interop.PYTHON_HOME)
    yield from _one(setup_interop.program("python"), others.HERE / "peer.py", PYTHONPATH="")


@pytest.fixture(scope="session")
def agents():
    """The frameworks of agents of PyPI."""
    others.needs(setup_interop.AGENTS_HOME)
    python = setup_interop.program("python", setup_interop.AGENTS_HOME)
    yield from _one(python, others.HERE / "peer_agents.py", PYTHONPATH="")


@pytest.fixture(scope="session")
def node_agents():
    """The agents of npm."""
    others.needs(setup_interop.AGENTS_HOME)
    yield from _one(setup_interop.program("node"), others.HERE / "peer_agents.mjs", setup_interop.AGENTS_HOME)


@pytest.fixture(scope="session")
def perl():
    """Perl's Mail::DKIM."""
    others.needs(setup_interop.DEBIAN_HOME)
    share = setup_interop.DEBIAN_HOME / "usr"
    folders = [share / "share/perl5", *share.glob("lib/*/perl5/*")]
    yield from _one("perl", others.HERE / "peer.pl", PERL5LIB=":".join(map(str, folders)))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The running example, and servers made with Fedify."""
    with running(tmp_path_factory.mktemp("agent")) as world:
        yield world


@pytest.fixture
def servers(place, monkeypatch):
    """The same, where nobody follows, blocks or reacts yet."""
    found = Fediverse(place, monkeypatch)
    yield found
    for table in (found.citizen.followers, found.citizen.blocked_by, found.citizen.reactions):
        table.clear()


def suite_of(request):
    return request.module.__name__.rpartition(".")[2].removeprefix("test_")


@pytest.fixture
def count(request):
    """Counts a check against code of others under the name of the suite."""
    suite = suite_of(request)

    def one_more(number: int = 1) -> None:
        others.CHECKS[suite] += number

    return one_more


def pytest_deselected(items):
    for item in items:
        item.config.stash[PARTIAL] = True


@pytest.fixture(autouse=True, scope="module")
def enough(request):
    """Holds that a suite which ran as a whole made as many checks as it says."""
    suite, floor = suite_of(request), getattr(request.module, "FLOOR", None)
    failed = request.session.testsfailed
    if floor is not None:
        others.FLOORS[suite] = floor
    yield
    config = request.config
    is_partial = config.stash.get(PARTIAL, False) or any("::" in argument for argument in config.args)
    skipped = not setup_interop.in_ci() and not all(map(setup_interop.is_made, setup_interop.HOMES))
    if not is_partial and not skipped and request.session.testsfailed == failed:
        assert others.CHECKS[suite] >= (floor or 0), f"{suite}: only {others.CHECKS[suite]} foreign checks"


def pytest_terminal_summary(terminalreporter):
    for suite, floor in others.FLOORS.items():
        terminalreporter.write_line(f"interop {suite}: {others.CHECKS[suite]} foreign checks (at least {floor})")
