"""Windows of a browser that show the page of notifications, and what a test asks of them."""

from __future__ import annotations

import json

from notification_site import PERSON

SECONDS = 15_000
BESIDE = "document.hasFocus = () => false"
"""A window that stands beside the one in which the person works: what is in view there is not before them."""
LIVE = "#connection[data-state=live]"
HEARD = """() => {
  window.heard = [];
  const toast = document.querySelector('#toast');
  new MutationObserver(() => toast.hidden || heard.push(toast.textContent)).observe(toast, {childList: true});
}"""
SAID = """() => {
  window.said = [];
  for (const id of ['polite', 'urgent']) {
    const line = document.getElementById(id);
    new MutationObserver(() => line.textContent && said.push([id, line.textContent])).observe(line, {childList: true});
  }
}"""


class Profile:
    """A profile of the browser, which is one device; what goes wrong in its windows is kept."""

    def __init__(self, browser, site, troubles, **how):
        self.site, self.troubles = site, troubles
        self.context = browser.new_context(**{"viewport": {"width": 1100, "height": 800}, **how})
        self.is_expected = False

    def window(self, *scripts, is_beside=True, person=PERSON):
        """A window that shows the page, and stands beside another one unless it is told otherwise."""
        tab = self.context.new_page()
        tab.set_default_timeout(SECONDS)
        for script in (*scripts, *([BESIDE] if is_beside else [])):
            tab.add_init_script(script)
        tab.on("request", lambda one: one.url.startswith(self.site.url) or self._note("request", one.url))
        tab.on("console", lambda one: self._note("console", one.text))
        tab.on("pageerror", lambda one: self.troubles.append(f"error: {one}"))
        if not self.context.cookies():
            tab.goto(self.site.link(person))
            tab.get_by_role("button", name=f"Sign in as {person}").click()
            tab.wait_for_url("**/notifications")
        else:
            tab.goto(f"{self.site.url}/notifications")
        tab.wait_for_selector(LIVE)
        tab.evaluate(HEARD)
        tab.evaluate(SAID)
        return tab

    def _note(self, what, text):
        # A host that is away, or that refuses, is complained of by the browser itself.
        is_known = "net::ERR_" in text or "the server responded with a status of" in text
        if not (self.is_expected and is_known):
            self.troubles.append(f"{what}: {text}")


def shown(tab, where="#open"):
    return tab.locator(f"{where} .event .content").all_inner_texts()


def until(tab, condition, argument=None):
    tab.wait_for_function(condition, arg=argument, timeout=SECONDS)


def until_shown(tab, *texts, where="#open"):
    read = """([where, texts]) => JSON.stringify(
      [...document.querySelectorAll(`${where} .event .content`)].map((one) => one.textContent.trim())) === texts"""
    until(tab, read, [where, json.dumps(texts, separators=(",", ":"), ensure_ascii=False)])


def seen(tab, text):
    tab.locator(".event", has_text=text).get_by_role("button", name="Mark as seen").click()


def heard(*tabs):
    return sorted(text for tab in tabs for text in tab.evaluate("heard"))


def said(tab):
    return [tuple(one) for one in tab.evaluate("said")]


def until_event(site, id, status, tab):
    """Waits until an event has a status, as the host stores it."""
    until_true(tab, lambda: site.event(id).status == status)


def until_true(tab, condition):
    for _ in range(100):
        if condition():
            return
        tab.wait_for_timeout(50)
    assert condition()
