"""The chat on the page of notifications, with an agent that answers."""

import pytest
from notification_site import Site
from notification_windows import until, until_true

from mentionable_host import Agent
from mentionable_host.notifications.chat import Chat
from mentionable_host.notifications.service import Notifications

pytestmark = pytest.mark.storm

TURNS = "() => [...document.querySelectorAll('.turn[data-number] .words')].map((one) => one.innerText)"


@pytest.fixture
def site(make_host):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return (
            f"You wrote **{context.text}**, <b>I</b> think: [more](https://a.example/), ![x](https://a.example/x.png)"
        )

    site = Site(lambda: make_host(Notifications, Chat, agent=agent))
    yield site
    site.stop()


def until_turns(tab, count):
    until(tab, "(count) => document.querySelectorAll('.turn[data-number]').length === count", count)


def test_an_answer_appears_in_every_window_and_is_there_after_a_reload(site, profile):
    one, other = profile().window(), profile().window()

    one.fill("#text", "Will it rain?")
    one.keyboard.press("Enter")
    for tab in (one, other):
        until_turns(tab, 2)
    asked, answered = one.evaluate(TURNS)
    one.reload()
    until_turns(one, 2)

    assert (asked, answered) == ("Will it rain?", "You wrote Will it rain?, <b>I</b> think: more, x")
    assert one.evaluate(TURNS) == other.evaluate(TURNS) == [asked, answered]
    assert one.locator(".turn strong").inner_text() == "Will it rain?"
    assert one.locator(".turn .own, .turn img, .turn .state").count() == 0
    link = one.get_by_role("link", name="more")
    assert (link.get_attribute("href"), link.get_attribute("target")) == ("https://a.example/", "_blank")
    assert one.evaluate("document.querySelector('#text').value") == ""


def test_older_turns_are_read_when_they_are_asked_for(site, profile):
    tab = profile().window()
    for number in range(30):
        tab.fill("#text", f"Question {number}")
        tab.keyboard.press("Enter")
        until_turns(tab, 2 * number + 2)

    tab.reload()
    until_turns(tab, 50)
    tab.get_by_role("button", name="Show earlier messages").click()
    until_turns(tab, 60)

    asked = [text for text in tab.evaluate(TURNS) if text.startswith("Question")]
    assert asked == [f"Question {number}" for number in range(30)]
    assert not tab.locator("#older").is_visible()
    assert tab.evaluate("document.activeElement.id") == "turns"


def test_a_message_that_the_host_refuses_can_be_sent_again(site, profile):
    device = profile()
    tab = device.window()
    device.is_expected = True
    tab.route("**/notifications/chat", lambda route: route.fulfill(status=503))
    tab.clock.install()
    tab.fill("#text", "Hello?")
    tab.keyboard.press("Enter")

    def is_refused():
        tab.clock.run_for(5_000)
        return tab.get_by_role("button", name="Try again").count() == 1

    until_true(tab, is_refused)
    assert "Could not be sent" in tab.inner_text("#turns")
    tab.unroute("**/notifications/chat")
    tab.get_by_role("button", name="Try again").click()
    until_turns(tab, 2)
    assert tab.locator(".turn .state").count() == 0
