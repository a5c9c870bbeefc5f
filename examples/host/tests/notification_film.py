"""Plays the three events of the demo in two windows, and takes a picture of both after each step.

`python tests/notification_film.py`, in `examples/host`, draws the pictures of the documentation so. It needs the host
of this checkout (`PYTHONPATH=.`), and the Chromium of `python tests/setup_interop.py` in the repository.
"""

from __future__ import annotations

import base64
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mentionable
from browsing import chromium
from notification_windows import BESIDE, HEARD, LIVE, SAID, heard, said, seen, until_shown

import mentionable_host
from mentionable_host.cli import new

IMAGES = Path(__file__).parents[1] / "docs" / "images"
MOST_BYTES = 200_000
SECONDS = 60
SIZE = {"width": 620, "height": 720}
LINK = re.compile(r"http://127\.0\.0\.1:\d+/notifications/sign-in\?code=\S+")
SYSTEM, LATE = "The backup of your photos is done.", "The disk of the server is full."
TOLD = "News for you: The parcel is at the door."
SHOWN = {
    "1-both": "notifications-both",
    "2-acknowledged": "notifications-acknowledged",
    "3-told": "notifications-agent",
    "4-late": "notifications-late",
}
"""The pictures that the documentation has."""

Take = Callable[[str], None]


@contextmanager
def demo(folder: Path) -> Iterator[list[str]]:
    """The links that `mentionable-host serve --demo` prints, while it runs in a new project; it ends without a word."""
    new.write_project(folder)
    path = folder / "mentionable.toml"
    path.write_text(path.read_text().replace("port = 8000", "port = 0"))
    command = [sys.executable, "-m", "mentionable_host", "serve", "--demo"]
    checkout = os.pathsep.join(str(Path(one.__file__).parents[1]) for one in (mentionable, mentionable_host))
    wide = {**os.environ, "COLUMNS": "500", "PYTHONUNBUFFERED": "1", "PYTHONPATH": checkout}
    complaints = folder / "complaints"
    with (
        complaints.open("w") as errors,
        subprocess.Popen(command, cwd=folder, env=wide, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in process.stdout or ()], daemon=True).start()
        try:
            links: list[str] = []
            while len(links) < 2:
                links += LINK.findall(lines.get(timeout=SECONDS))
            yield links
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(SECONDS)
    assert (process.returncode, complaints.read_text()) == (0, "")


def window(browser: Any, link: str) -> Any:
    """A window in a profile of its own, beside the other one."""
    tab = browser.new_context(viewport=SIZE, locale="en-GB", timezone_id="UTC").new_page()
    tab.set_default_timeout(SECONDS * 1_000)
    tab.add_init_script(BESIDE)
    tab.goto(link)
    tab.get_by_role("button", name="Sign in as").click()
    tab.wait_for_selector(LIVE)
    tab.evaluate(HEARD)
    tab.evaluate(SAID)
    return tab


def play(one: Any, other: Any, take: Take) -> None:
    """The three events: one is acknowledged in a window, the agent tells the next, the watchdog shows the third."""
    both = (one, other)
    one.get_by_role("button", name="From the system").click()
    for tab in both:
        until_shown(tab, SYSTEM)
    take("1-both")
    seen(one, SYSTEM)
    for tab in both:
        until_shown(tab)
        until_shown(tab, SYSTEM, where="#earlier")
    assert ("polite", f"Seen on another device: {SYSTEM}") in said(other)
    assert not [text for _, text in said(one) if text.startswith("Seen on")]
    take("2-acknowledged")

    one.get_by_role("button", name="For the agent to tell").click()
    for tab in both:
        until_shown(tab, TOLD)
        assert tab.inner_text("#open .from") == "From the agent"
    take("3-told")
    seen(other, TOLD)
    for tab in both:
        until_shown(tab)

    one.get_by_role("button", name="That the agent leaves too long").click()
    for tab in both:
        until_shown(tab, LATE)
        assert tab.inner_text("#urgent") == f"The agent did not answer in time; here it is from the system: {LATE}"
    take("4-late")
    # The agent tells one event after the other: what it says of the third in the end has been refused by then.
    one.get_by_role("button", name="For the agent to tell").click()
    for tab in both:
        until_shown(tab, TOLD, LATE)
        assert heard(tab) == sorted([SYSTEM, TOLD, TOLD, LATE])
    take("5-after")


def pictures(browser: Any, one: Any, other: Any, folder: Path) -> Take:
    """Takes pictures of both windows beside each other, into a folder."""
    pair = browser.new_page(viewport={"width": 2 * SIZE["width"] + 12, "height": SIZE["height"]})

    def take(name: str) -> None:
        shots = [base64.b64encode(tab.screenshot(animations="disabled")).decode() for tab in (one, other)]
        images = "".join(f'<img src="data:image/png;base64,{shot}">' for shot in shots)
        pair.set_content(f'<body style="margin:0;display:flex;gap:12px;background:#888">{images}')
        (folder / f"{name}.png").write_bytes(pair.screenshot())

    return take


def main() -> int:
    """Draws the pictures of the documentation; 1 where one is too large."""
    sizes = []
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, demo(Path(folder) / "mybot") as links:
        one, other = (window(browser, link) for link in links)
        play(one, other, pictures(browser, one, other, Path(folder)))
        for source, target in SHOWN.items():
            data = (Path(folder) / f"{source}.png").read_bytes()
            (IMAGES / f"{target}.png").write_bytes(data)
            sizes.append(len(data))
            print(f"{target}: {len(data):,} bytes")
    return int(max(sizes) > MOST_BYTES)


if __name__ == "__main__":
    raise SystemExit(main())
