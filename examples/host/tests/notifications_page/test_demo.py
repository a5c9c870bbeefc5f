"""The three events of `serve --demo` in two windows, filmed."""

import pytest
from notification_film import SHOWN, demo, pictures, play, window

pytestmark = pytest.mark.storm


def test_an_event_is_seen_in_one_window_the_agent_tells_the_next_and_the_watchdog_shows_the_third(browser, tmp_path):
    with demo(tmp_path / "mybot") as links:
        one, other = (window(browser, link) for link in links)
        play(one, other, pictures(browser, one, other, tmp_path))

    for name in (*SHOWN, "5-after"):
        assert (tmp_path / f"{name}.png").stat().st_size > 10_000
