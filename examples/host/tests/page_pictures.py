"""Draws the pictures of the page in the documentation: `python tests/page_pictures.py`, in `examples/host`.

Needs the host of this checkout (`PYTHONPATH=.`), and the Chromium of `python tests/setup_interop.py` in the repository.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import page_samples
from browsing import chromium, run, served
from conftest import TestWorld

from mentionable_host import Agent, Config, Host
from mentionable_host.keys import Keys, make_keys
from mentionable_host.operator import Operator, login_link
from mentionable_host.store.database import Database
from mentionable_host.store.tables import metadata
from mentionable_host.transports.activitypub import ActivityPub

IMAGES = Path(__file__).parents[1] / "docs" / "images"
MOST_BYTES = 200_000
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)

PICTURES = (
    ("operator-conversations", "", "light", 960, 720),
    ("operator-thread", "/threads/9", "light", 960, 900),
    ("operator-thread-dark", "/threads/9", "dark", 960, 900),
    ("operator-deliveries", "/deliveries", "light", 960, 760),
    ("operator-person", "/person?address=@alice@social.example", "light", 960, 820),
    ("operator-followers", "/followers", "light", 960, 700),
    ("operator-phone", "", "light", 320, 640),
    ("operator-thread-phone", "/threads/9", "dark", 320, 640),
)


def main() -> int:
    """Draws all of them; 1 where one is too large."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        host = _host(Path(folder))
        run(host.database.write(lambda db: page_samples.fill(db, now=NOW)))
        with served(host.app()) as url, chromium() as browser:
            sizes = [_draw(browser, host, url, *picture) for picture in PICTURES]
        host.database.close()
    return int(max(sizes) > MOST_BYTES)


def _host(folder: Path) -> Host:
    make_keys(folder)
    agent = {"name": "helper", "domain": "agents.example", "display_name": "Weather helper", "follows": "ask"}
    config = Config.parse({"agent": agent, "operator": {"token": "a-token-for-pictures"}}, folder=folder)
    database = Database(f"sqlite:///{folder}/host.db")
    metadata.create_all(database.engine)
    world: Any = TestWorld()
    factories = (ActivityPub, Operator)
    return Host(Agent(), config, keys=Keys.load(config), database=database, world=world, transports=factories)


def _draw(browser: Any, host: Host, url: str, name: str, path: str, scheme: str, width: int, height: int) -> int:
    view = {"viewport": {"width": width, "height": height}, "device_scale_factor": 2 if width < 400 else 1}
    context = browser.new_context(**view, color_scheme=scheme, locale="en-GB", timezone_id="UTC")
    tab = context.new_page()
    tab.clock.set_fixed_time(NOW)
    tab.goto(login_link(host).replace(host.config.origin, url))
    tab.goto(f"{url}/operator{path}")
    for summary in tab.locator("details.call summary").all()[1:2]:
        summary.click()
    tab.evaluate("scrollTo(0, 0)")
    data = tab.screenshot()
    (IMAGES / f"{name}.png").write_bytes(data)
    context.close()
    print(f"{name}: {len(data):,} bytes")
    return len(data)


if __name__ == "__main__":
    raise SystemExit(main())
