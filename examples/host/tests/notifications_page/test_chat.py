"""The chat on the page of notifications, with an agent that answers."""

import pytest
from notification_site import PERSON, Site
from notification_windows import heard, said, until, until_true

from mentionable_host import Agent
from mentionable_host.notifications.chat import Chat
from mentionable_host.notifications.service import Notifications
from mentionable_host.store.inbox import history

pytestmark = pytest.mark.storm

TURNS = "() => [...document.querySelectorAll('.turn[data-number] .words')].map((one) => one.innerText)"


@pytest.fixture
def site(make_host, store):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return (
            f"You wrote **{context.text}**, <b>I</b> think: [more](https://a.example/), ![x](https://a.example/x.png)"
        )

    @agent.on_notice
    async def tell(notice, context):
        return f"**{notice.content}** [more](https://a.example/)\n\n- one\n- two"

    site = Site(lambda: make_host(Notifications, Chat, agent=agent, store_url=store))
    yield site
    site.stop()


def until_turns(tab, count):
    until(tab, "(count) => document.querySelectorAll('.turn[data-number]').length === count", count)


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
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


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
def test_what_the_agent_tells_is_shown_as_it_is_meant_and_what_the_system_says_as_it_is_written(site, profile):
    tab = profile().window()
    site.call(site.host.notify(PERSON, "**The backup**\nis done.", by="system"))
    until(tab, "() => document.querySelectorAll('#open .event').length === 1")
    assert tab.locator("#open .content").inner_text() == "**The backup**\nis done."
    site.call(site.host.notify(PERSON, "The parcel"))
    until(tab, "() => document.querySelector('#open .content.html strong')?.textContent === 'The parcel'")

    assert tab.locator("#open .content li").all_inner_texts() == ["one", "two"]
    assert said(tab) == [("polite", "New: **The backup** is done."), ("polite", "New: The parcel more one two")]
    assert heard(tab) == ["**The backup** is done.", "The parcel more one two"]
    assert tab.get_by_role("article", name="The parcel more one two").count() == 1
    tab.get_by_role("button", name="Mark as seen").first.click()
    until(tab, "() => document.querySelector('#earlier .content.html strong')")
    assert tab.locator("#earlier .from").inner_text() == "From the agent"


def test_what_was_settled_before_stands_in_the_inbox_or_between_the_turns(site, profile, world):
    device = profile()
    tab = device.window()
    tab.fill("#text", "First")
    tab.keyboard.press("Enter")
    until_turns(tab, 2)

    def count_stored():
        return len(site.call(site.host.database.read(lambda db: history(db, PERSON, before=None, limit=9))))

    for count, (text, in_chat) in enumerate((("In the inbox", False), ("In the chat", True)), start=1):
        world.advance(seconds=10)
        site.call(site.host.notify(PERSON, text, by="system", in_chat=in_chat))
        until(tab, "() => document.querySelectorAll('.event.new').length === 1")
        tab.get_by_role("button", name="Mark as seen").click()
        until(tab, "() => document.querySelectorAll('.event.new').length === 0")
        until_true(tab, lambda count=count: count_stored() == count)  # before time goes on
    world.advance(seconds=10)
    tab.fill("#text", "Second")
    tab.keyboard.press("Enter")
    until_turns(tab, 4)
    order = (
        "() => [...document.querySelectorAll('#turns > :is(.own, .event)')].map((one) => one.innerText.split('\\n')[2])"
    )
    until(tab, "() => document.querySelectorAll('#turns .event').length === 1")
    live = tab.evaluate(order)
    tab.close()
    again = device.window()
    until(again, "() => document.querySelectorAll('.event').length === 2")

    assert again.evaluate(order) == live
    assert again.locator("#earlier .content").all_inner_texts() == ["In the inbox"]
    assert said(again) == []


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
