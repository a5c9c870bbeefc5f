"""The client package: its types, its tests in Node, what the host ships of it, and how large that is."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

CLIENT = Path(__file__).parents[2] / "client"


def _build() -> ModuleType:
    """`build.py` of the client, which is no module of a package."""
    spec = importlib.util.spec_from_file_location("client_build", CLIENT / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


build = _build()


@pytest.fixture
def tools():
    if not build.tool("esbuild").exists() or not build.tool("tsc").exists():
        pytest.skip("esbuild and TypeScript are not there: python tests/setup_interop.py")


def node(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(build.node()), "--no-warnings", *arguments],
        cwd=CLIENT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def test_the_types_are_those_of_the_schemas():
    for path, text in build.types():
        assert path.read_text("utf-8") == text, "python examples/host/client/build.py types"


def test_a_host_ships_three_files_that_write_no_markup_and_run_no_text():
    for name in build.BUNDLES:
        text = (build.STATIC / name).read_text("utf-8")
        assert text.startswith(build.LICENCE)
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
        assert set(re.findall(r'import\("([^"]*)"\)', text)) <= {"./extras.js"}


def test_the_package_needs_nothing_at_run_time_and_says_which_tools_it_is_built_with():
    package = json.loads((CLIENT / "package.json").read_text("utf-8"))
    assert "dependencies" not in package
    assert all(re.fullmatch(r"[0-9.]+", version) for version in package["devDependencies"].values())
    pinned = (build.ROOT / "tests" / "setup_interop.py").read_text("utf-8")
    for name, version in package["devDependencies"].items():
        assert f'"{name}": "{version}"' in pinned


@pytest.mark.storm
def test_what_the_host_ships_is_what_the_sources_make(tools):
    for path, text in build.bundles():
        assert path.read_text("utf-8") == text, "python examples/host/client/build.py bundles"


@pytest.mark.storm
def test_the_client_is_small(tools):
    assert build.size("client.js") <= build.MAX_BUNDLE


@pytest.mark.storm
@pytest.mark.parametrize("project", [".", "tsconfig.page.json"], ids=["client", "page"])
def test_the_types_of_the_sources_hold(tools, project):
    done = node(str(build.tool("tsc")), "-p", project)
    assert done.returncode == 0, done.stdout


@pytest.mark.storm
def test_the_tests_in_node_pass(tools):
    done = node("--test", *sorted(str(path) for path in (CLIENT / "tests").glob("*.test.ts")))
    assert done.returncode == 0, done.stdout[-8000:]
    assert re.search(r"pass [1-9][0-9]", done.stdout)
