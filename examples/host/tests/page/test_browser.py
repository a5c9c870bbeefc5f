"""The page in Chromium: on a phone and a desk, without JavaScript, by keyboard, and with what hostile people write."""

from itertools import pairwise

import page_samples
import pytest
from browsing import run, served
from page_checks import CONTRAST, IDS, LEVELS, UNNAMED, WIDER

from mentionable_host.operator import Operator, login_link
from mentionable_host.store import listing

pytestmark = pytest.mark.storm

PATHS = ("", "?q=rain", "/deliveries", "/people", "/followers", "/blocks", "/notifications", "/records", "/settings")
MORE = (
    "/person?address=@alice@social.example",
    "/person/forget?address=@alice@social.example",
    "/deliveries?state=dead",
)


@pytest.fixture
def filled(make_host, world):
    """The URL of a host with a little of everything in it, a link that logs in, and messages of hostile people."""
    host = make_host(Operator, operator={"token": "a-token-that-is-long-enough"})

    def work(db):
        page_samples.fill(db, now=world.now())
        return page_samples.hostile(db, now=world.now())

    numbers = run(host.database.write(work))
    with served(host.app()) as url:
        yield host, url, numbers


@pytest.fixture
def opened(browser, filled):
    """Opens a tab that is logged in; nothing is asked of anybody else, and nothing is complained of."""
    host, url, _ = filled
    troubles, contexts = [], []

    def made(**how):
        context = browser.new_context(**{"viewport": {"width": 1100, "height": 800}, **how})
        contexts.append(context)
        tab = context.new_page()
        tab.on("request", lambda one: one.url.startswith(url) or troubles.append(f"request: {one.url}"))
        tab.on("console", lambda one: troubles.append(f"console: {one.text}"))
        tab.on("pageerror", lambda one: troubles.append(f"error: {one}"))
        tab.goto(login_link(host).replace(host.config.origin, url))
        return tab

    yield made
    for context in contexts:
        context.close()
    assert troubles == []


def every_path(filled):
    _, _, numbers = filled
    threads = [f"/threads/{number}" for number in (5, 9, *numbers)]
    return [*PATHS, *MORE, *threads, f"/messages/{numbers[0]}"]


@pytest.mark.parametrize("width", [320, 1100])
def test_no_page_is_wider_than_the_screen(opened, filled, width):
    _, url, _ = filled
    tab = opened(viewport={"width": width, "height": 700})
    for path in every_path(filled):
        tab.goto(f"{url}/operator{path}")
        assert tab.evaluate(WIDER) <= 0, path
        assert tab.title() != "taken", path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_has_a_name_and_can_be_read(opened, filled, scheme):
    _, url, _ = filled
    tab = opened(color_scheme=scheme)
    for path in every_path(filled):
        tab.goto(f"{url}/operator{path}")
        ids, levels = tab.evaluate(IDS), tab.evaluate(LEVELS)
        assert tab.evaluate(UNNAMED) == [], path
        assert len(ids) == len(set(ids)), path
        assert levels[0] == 1, path
        assert tab.locator("main").count() == 1
        if "threads" not in path:  # what people write has headings of its own
            assert all(after <= before + 1 for before, after in pairwise(levels)), path
        assert tab.evaluate(CONTRAST) == [], path


def test_the_page_works_without_javascript(opened, filled):
    host, url, _ = filled
    tab = opened(java_script_enabled=False)

    tab.goto(f"{url}/operator/followers")
    assert "UTC" in tab.inner_text("main")
    tab.goto(f"{url}/operator/deliveries?state=dead")
    tab.click("text=Try now")

    assert "The job is tried now." in tab.inner_text("[role=status]")
    assert run(host.database.read(listing.queue)).counts["dead"] == 0
    tab.click("text=Log out")
    assert tab.url.endswith("/operator/login")


def test_a_person_logs_in_with_the_keyboard_alone(browser, filled):
    _, url, _ = filled
    tab = browser.new_context().new_page()
    tab.goto(f"{url}/operator/people")
    tab.locator("#token:focus").wait_for()
    tab.keyboard.type("a-token-that-is-long-enough")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/operator/people")
    tab.keyboard.press("Tab")

    assert tab.evaluate("document.activeElement.innerText") == "Skip to the content"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    tab.context.close()


def test_times_are_in_the_words_of_whoever_reads(opened, filled, world):
    _, url, _ = filled
    tab = opened(locale="de-DE", timezone_id="Europe/Berlin")
    tab.clock.set_fixed_time(world.now())
    tab.goto(f"{url}/operator")

    times = tab.locator("time").all_inner_texts()

    assert "vor 1 Minute" in times
    assert "25.11.2026, 13:00" in times


def test_what_cannot_be_undone_is_asked_first(opened, filled):
    host, url, _ = filled
    tab = opened()
    tab.on("dialog", lambda one: one.dismiss())
    tab.goto(f"{url}/operator/deliveries?state=dead")
    tab.click("text=Drop")

    assert run(host.database.read(listing.queue)).counts["dead"] == 1


def test_a_list_of_blocks_is_picked_and_sent(opened, filled, tmp_path):
    _, url, _ = filled
    path = tmp_path / "domain_blocks.csv"
    path.write_text("#domain,#severity\nworse.example,suspend\n")
    tab = opened()
    tab.goto(f"{url}/operator/blocks")
    tab.set_input_files("#list", path)
    tab.click("text=Add its blocks")

    assert "1 are blocked or silenced" in tab.inner_text("[role=status]")
