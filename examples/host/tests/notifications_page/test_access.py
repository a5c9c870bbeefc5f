"""The page of notifications for everybody: by keyboard, by screen reader, on a phone, in the dark, in any script."""

import pytest
from notification_windows import said, seen, shown, until, until_shown
from page_checks import CONTRAST, IDS, UNNAMED, WIDER

pytestmark = pytest.mark.storm

FOCUSED = """() => {
  const at = document.activeElement;
  return at.closest('.event')?.querySelector('.content').textContent ?? at.id;
}"""
OUTLINE = """() => {
  const at = document.activeElement, { outlineStyle, outlineWidth } = getComputedStyle(at);
  return [at.innerText || at.id, outlineStyle, outlineWidth];
}"""
MOTION = """() => ['.event', '#toast', 'button'].map((one) => {
  const { animationName, transitionDuration } = getComputedStyle(document.querySelector(one));
  return [animationName, transitionDuration];
})"""


@pytest.fixture
def filled(site, profile):
    """Makes a window that has something of everything."""

    def make(**how):
        device = profile(**how)
        tab = device.window()
        site.submit("Your backup is done.")
        until_shown(tab, "Your backup is done.")
        seen(tab, "backup")
        until_shown(tab)
        site.submit("The parcel is here, and is behind the " + "very" * 30 + "long hedge.")
        late = site.submit("The disk is full.", handler="agent")
        site.escalate(late)
        site.submit("The door is open.", session_id="chat")
        site.call(site.service.say("Hello", html="<p>Hello <strong>Alice</strong>: <code>" + "x" * 200 + "</code></p>"))
        tab.fill("#text", "Hi")
        tab.keyboard.press("Enter")
        until(tab, "() => document.querySelectorAll('.turn[data-number]').length === 2")
        until(tab, "() => document.querySelectorAll('.event').length === 4")
        return tab

    return make


def test_the_page_has_landmarks_and_everything_in_it_a_name(filled):
    tab = filled()

    tree = tab.locator("body").aria_snapshot()

    for line in (
        "- banner:",
        '- heading "helper @helper@agents.example" [level=1]',
        "- status: Live",
        "- main:",
        '- region "Inbox (2)":',
        '- list "Open notifications":',
        '- article "The disk is full.":',
        '- button "Mark as seen"',
        '- heading "Earlier" [level=3]',
        '- list "Earlier":',
        '- region "Chat":',
        '- log "Chat":',
        '- article "The door is open.":',
        '- textbox "Write to helper"',
        '- button "Send"',
    ):
        assert line in tree, tree
    assert tab.get_by_role("button", name="Mark as seen", description="The disk is full.").count() == 1
    ids = tab.evaluate(IDS)
    assert len(ids) == len(set(ids))
    assert tab.evaluate(UNNAMED) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read(filled, scheme):
    assert filled(color_scheme=scheme).evaluate(CONTRAST) == []


@pytest.mark.parametrize("width", [320, 1100])
def test_nothing_is_wider_than_the_screen(filled, width):
    tab = filled(viewport={"width": width, "height": 640})

    assert tab.evaluate(WIDER) <= 0


def test_the_focus_moves_to_the_next_event_and_at_the_end_to_the_heading(site, profile):
    tab = profile().window()
    for text in ("One", "Two", "Three"):
        site.submit(text)
    until_shown(tab, "Three", "Two", "One")

    tab.locator(".event", has_text="Two").get_by_role("button").focus()
    visited = []
    for left in (["Three", "One"], ["Three"], []):
        tab.keyboard.press("Enter")
        until_shown(tab, *left)
        visited.append(tab.evaluate(FOCUSED))

    assert visited == ["One", "Three", "inbox-heading"]


def test_an_event_that_another_device_sees_takes_the_focus_of_nobody(site, profile):
    one, other = profile().window(), profile().window()
    for text in ("One", "Two"):
        site.submit(text)
    until_shown(one, "Two", "One")
    until_shown(other, "Two", "One")
    one.locator(".event", has_text="Two").get_by_role("button").focus()
    seen(other, "Two")
    until_shown(one, "One")

    assert one.evaluate(FOCUSED) == "One"
    one.fill("#text", "Hel")
    seen(other, "One")
    until_shown(one)
    assert one.evaluate(FOCUSED) == "text"


def test_an_event_whose_words_change_keeps_the_focus(site, profile):
    tab = profile().window()
    site.submit("10 photos", id="e1", deduplication_key="photos")
    until_shown(tab, "10 photos")
    tab.locator(".event").get_by_role("button").focus()
    site.merge("11 photos", id="e1", key="photos")
    until_shown(tab, "11 photos")

    assert tab.evaluate(FOCUSED) == "11 photos"
    assert said(tab) == [("polite", "New: 10 photos"), ("polite", "New: 11 photos")]


def test_all_is_done_by_keyboard_with_a_focus_that_can_be_seen(site, profile):
    tab = profile().window()
    site.submit("Your backup is done.")
    until_shown(tab, "Your backup is done.")
    outlines = []
    tab.evaluate("document.activeElement.blur()")
    for _ in range(9):
        tab.keyboard.press("Tab")
        outlines.append(tab.evaluate(OUTLINE))
    names = [name for name, *_ in outlines]

    assert names[:2] == ["Skip to the inbox", "Skip to the chat"]
    assert {"Sound", "Sign out", "Mark as seen", "turns", "text"} <= {*names}
    assert all(style == "solid" and width == "2px" for _, style, width in outlines)


def test_each_event_is_announced_once_and_one_of_the_chat_by_the_log_alone(site, profile):
    tab = profile().window()
    site.submit("In the inbox")
    site.submit("In the chat", session_id="chat")
    until_shown(tab, "In the inbox")
    until_shown(tab, "In the chat", where="#turns")
    until(tab, "() => said.length > 0")
    late = site.submit("Late in the chat", session_id="chat", handler="agent")
    site.escalate(late)
    until(tab, "() => said.length > 1")

    text = "The agent did not answer in time; here it is from the system: Late in the chat"
    assert said(tab) == [("polite", "New: In the inbox"), ("urgent", text)]
    assert tab.get_by_role("log").get_attribute("aria-busy") is None
    for shown_late in tab.locator("#turns .event", has_text="Late in the chat").all():
        assert shown_late.get_attribute("aria-live") == "off"  # the line has said it


def test_who_wants_less_motion_gets_none(site, profile):
    moving = profile().window()
    still = profile(reduced_motion="reduce").window()
    for tab in (moving, still):
        site.submit(f"For {tab is still}")
    until_shown(moving, "For True", "For False")
    until_shown(still, "For True", "For False")

    assert moving.evaluate(MOTION) == [["appear", "0s"], ["appear", "0s"], ["none", "0.12s, 0.12s"]]
    assert still.evaluate(MOTION) == [["none", "0s"]] * 3


def test_what_is_written_from_the_right_is_shown_so(site, profile):
    tab = profile(viewport={"width": 320, "height": 640}).window()
    text = "הגיבוי הושלם (2 קבצים)."
    site.submit(text)
    until_shown(tab, text)
    site.call(site.service.say("שלום", html="<p>שלום <strong>עולם</strong></p>"))
    until(tab, "() => document.querySelector('.turn .words p')")
    tab.fill("#text", "שלום")
    direction = "(one) => getComputedStyle(one).direction"

    for where in ("#open .content", ".turn .words", "#text", "#polite bdi"):
        assert tab.locator(where).first.evaluate(direction) == "rtl", where
    assert tab.evaluate(WIDER) <= 0
    assert shown(tab) == [text]
