"""The page of notifications in Chromium: windows, broken connections, clocks, and what hostile peers send."""

import json
from base64 import urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from mentionable import anp
from notification_site import PERSON
from notification_windows import HEARD, LIVE, heard, said, seen, shown, until, until_event, until_shown, until_true
from sqlalchemy import select

from mentionable_host.notifications import client
from mentionable_host.store import tables

pytestmark = pytest.mark.storm

PUSH = """
let current = null;
const made = { endpoint: value.endpoint, toJSON: () => value, unsubscribe: async () => { current = null; } };
PushManager.prototype.getSubscription = async () => current;
PushManager.prototype.subscribe = async () => {
  if (window.fails) throw new Error("no");
  return current = made;
};"""
"""What stands for a push service, which Chromium has none of here."""
OTHER = """() => navigator.serviceWorker.register('/notifications/static/page.js')
  .then(() => 'taken', (error) => error.name)"""
COUNT = """async (count) => {
  const registration = await navigator.serviceWorker.getRegistration('/notifications');
  return (await registration.getNotifications()).length === count;
}"""


def test_two_tabs_of_a_browser_show_an_event_and_one_lets_it_be_heard(site, profile):
    device = profile()
    one, other = device.window(), device.window()

    site.submit("Your backup is done.")
    until_shown(one, "Your backup is done.")
    until_shown(other, "Your backup is done.")
    seen(other, "backup")
    until_shown(one)
    until_shown(one, "Your backup is done.", where="#earlier")

    assert heard(one, other) == ["Your backup is done."]
    assert ("polite", "Seen on another device: Your backup is done.") in said(one)
    assert not [text for _, text in said(other) if text.startswith("Seen on")]


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
def test_two_devices_each_let_it_be_heard_and_what_one_sees_leaves_the_other(site, profile):
    desk, phone = profile().window(), profile(viewport={"width": 320, "height": 640}).window()

    id = site.submit("The parcel is here.")
    until_shown(desk, "The parcel is here.")
    until_shown(phone, "The parcel is here.")
    assert (heard(desk), heard(phone)) == (["The parcel is here."], ["The parcel is here."])
    seen(phone, "parcel")
    until_shown(desk)

    until_event(site, id, "delivered", desk)
    until(desk, "() => document.querySelector('#polite').textContent.startsWith('Seen on another device')")
    assert "Seen elsewhere" in desk.inner_text("#earlier")


def test_what_is_in_view_where_the_person_works_counts_as_seen_and_stays_until_they_look_away(site, profile):
    beside, before = profile().window(), profile().window(is_beside=False)

    id = site.submit("Your backup is done.")
    until_shown(before, "Your backup is done.")
    until_event(site, id, "delivered", before)
    until_shown(beside)
    until_shown(beside, "Your backup is done.", where="#earlier")

    until(before, "() => document.querySelector('#open .event.settled .state')?.textContent === 'Seen'")
    before.evaluate("dispatchEvent(new Event('blur'))")
    until_shown(before)
    until_shown(before, "Your backup is done.", where="#earlier")


def test_an_event_of_the_agent_that_it_leaves_too_long_is_announced_as_such(site, profile):
    tab = profile().window()

    id = site.submit("The disk is full.", handler="agent")
    assert shown(tab) == []
    site.escalate(id)
    until_shown(tab, "The disk is full.")

    text = "The agent did not answer in time; here it is from the system"
    assert said(tab) == [("urgent", f"{text}: The disk is full.")]
    assert f"{text}." in tab.inner_text("#open")
    assert tab.get_by_role("alert").inner_text().startswith(text)


def test_what_comes_together_is_announced_together_and_counted_in_the_title(site, profile):
    device = profile()
    tab = device.window()
    for number in range(3):
        site.submit(f"Event {number}")
    until_shown(tab, "Event 2", "Event 1", "Event 0")
    assert tab.title() == "(3) Notifications · helper"
    tab.close()
    fresh = device.window()

    until(fresh, "() => document.querySelector('#polite').textContent === '3 notifications are open.'")
    assert shown(fresh) == ["Event 2", "Event 1", "Event 0"]
    assert heard(fresh) == []
    for number in range(3):
        seen(fresh, f"Event {number}")
        until(fresh, "(count) => document.querySelectorAll('#earlier .event').length === count", number + 1)
    assert fresh.title() == "Notifications · helper"


def test_the_badge_of_the_application_has_the_number_of_open_events(site, profile):
    script = "window.badges = []; navigator.setAppBadge = async (n) => badges.push(n);"
    tab = profile().window(f"{script} navigator.clearAppBadge = async () => badges.push(0)")

    site.submit("One")
    until_shown(tab, "One")
    site.submit("Two")
    until_shown(tab, "Two", "One")
    seen(tab, "One")
    until_shown(tab, "Two")

    assert tab.evaluate("badges") == [1, 2, 1]


def test_what_is_marked_and_written_offline_is_sent_when_the_connection_is_back(site, profile):
    device = profile()
    tab = device.window()
    id = site.submit("Your backup is done.")
    until_shown(tab, "Your backup is done.")
    device.is_expected = True
    device.context.set_offline(True)
    tab.evaluate("dispatchEvent(new Event('offline'))")
    seen(tab, "backup")
    until_shown(tab)
    for text in ("Hello?", "Are you there?"):
        tab.fill("#text", text)
        tab.keyboard.press("Enter")
    until(tab, "() => document.querySelectorAll('.turn .state').length === 2")
    assert site.event(id).status != "delivered"
    assert site.service.turns == []

    device.context.set_offline(False)
    until(tab, "() => document.querySelectorAll('.turn[data-number]').length === 2")

    assert [turn["text"] for turn in site.service.turns] == ["Hello?", "Are you there?"]
    assert tab.locator(".turn .state").count() == 0
    until_event(site, id, "delivered", tab)


def test_what_was_written_outlives_a_reload(site, profile):
    device = profile()
    tab = device.window()
    site.service.is_away = device.is_expected = True
    tab.fill("#text", "Hello?")
    tab.get_by_role("button", name="Send").click()
    until(tab, "() => document.querySelector('.turn .state')?.textContent === 'Waits to be sent'")
    site.service.is_away = False

    tab.reload()
    until(tab, "() => document.querySelectorAll('.turn[data-number]').length === 1")

    assert [turn["text"] for turn in site.service.turns] == ["Hello?"]
    assert tab.locator(".turn").count() == 1


def test_what_two_tabs_write_offline_is_shown_in_both_and_sent_once(site, profile):
    device = profile()
    one, other = device.window(), device.window()
    device.is_expected = True
    device.context.set_offline(True)
    for tab, text in ((one, "First"), (other, "Second")):
        tab.fill("#text", text)
        tab.keyboard.press("Enter")
    for tab in (one, other):
        until(tab, "() => document.querySelectorAll('.turn .state').length === 2")
    one.close()
    device.context.set_offline(False)
    until(other, "() => document.querySelectorAll('.turn[data-number]').length === 2")

    assert [turn["text"] for turn in site.service.turns] == ["First", "Second"]
    assert other.locator(".turn").count() == 2


def test_what_one_person_wrote_and_did_not_send_is_never_sent_as_anothers(site, profile):
    device = profile()
    tab = device.window()
    device.is_expected = True
    id = site.submit("For Alice alone")
    until_shown(tab, "For Alice alone")
    site.service.is_away = True
    tab.fill("#text", "From Alice")
    tab.keyboard.press("Enter")
    until(tab, "() => document.querySelector('.turn .state')")
    device.context.clear_cookies()
    site.service.is_away = False
    other = device.window(person="@bob@b.example")
    site.submit("For Bob", person="@bob@b.example")
    until_shown(other, "For Bob")

    assert site.service.turns == []
    assert "Alice" not in other.inner_text("main")
    assert site.event(id).status == "dispatched"


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
def test_a_restart_of_the_host_loses_and_repeats_nothing(site, profile):
    device = profile()
    tab = device.window()
    site.submit("Before")
    until_shown(tab, "Before")
    device.is_expected = True
    site.stop()
    until(tab, "() => document.querySelector('#connection').dataset.state === 'offline'")
    site.start()
    site.submit("After")
    until_shown(tab, "After", "Before")
    tab.wait_for_selector(LIVE)

    assert heard(tab) == ["After", "Before"]


def test_a_reload_in_the_middle_shows_all_and_lets_none_be_heard_again(site, profile):
    device = profile()
    tab = device.window()
    site.submit("One")
    until_shown(tab, "One")
    first = heard(tab)
    site.submit("Two")
    tab.reload()
    tab.evaluate(HEARD)
    until_shown(tab, "Two", "One")
    site.submit("Three")
    until_shown(tab, "Three", "Two", "One")
    until(tab, "() => heard.includes('Three')")

    assert first == ["One"]
    assert "One" not in heard(tab)


@pytest.mark.parametrize("jump", [-3_000_000_000, 3_000_000_000], ids=["back", "ahead"])
def test_a_clock_that_jumps_changes_nothing(site, profile, jump):
    tab = profile().window()
    site.submit("Before")
    until_shown(tab, "Before")
    tab.evaluate("(by) => { const now = Date.now; Date.now = () => now() + by; }", jump)
    site.submit("After")
    until_shown(tab, "After", "Before")
    seen(tab, "Before")
    until_shown(tab, "After")

    assert heard(tab) == ["After", "Before"]
    assert tab.get_attribute("#connection", "data-state") == "live"


def test_another_tab_goes_on_when_the_one_with_the_connection_is_closed(site, profile):
    device = profile()
    one, other = device.window(), device.window()
    one.close()
    site.submit("Still here")
    until_shown(other, "Still here")
    other.wait_for_selector(LIVE)

    assert heard(other) == ["Still here"]


def test_a_malformed_frame_is_passed_over(site, profile):
    tab = profile().window()
    site.call(site.service.append(anp.HostItem(name="unknown", data={"id": "e1"})))
    site.call(site.service.append(anp.HostItem(name="message", data={"id": None})))
    site.submit("After it")
    until_shown(tab, "After it")

    assert tab.get_attribute("#connection", "data-state") == "live"


def test_frames_that_are_no_json_are_passed_over(site, profile):
    device = profile()
    broken = (
        "const real = fetch; window.fetch = async (...request) => {"
        "  const got = await real(...request);"
        "  if (!String(request[0]).endsWith('/stream') || window.isBroken) return got;"
        "  window.isBroken = true;"
        "  const bad = 'event: presentation\\nid: 1\\ndata: {\\n\\nevent: settled\\ndata: [1]\\n\\n';"
        "  const out = new TransformStream();"
        "  (async () => { const to = out.writable.getWriter(); await to.write(new TextEncoder().encode(bad));"
        "    to.releaseLock(); await got.body.pipeTo(out.writable); })().catch(() => {});"
        "  return new Response(out.readable, {headers: got.headers}); };"
    )
    tab = device.window(broken)
    site.submit("After it")
    until_shown(tab, "After it")

    assert tab.evaluate("isBroken")


def test_what_hostile_people_write_is_text(site, profile):
    tab = profile().window()
    text = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
    html = (
        "<p onclick=\"document.title='taken'\">Hi<script>document.title='taken'</script>"
        "<img src=https://a.example/x onerror=\"document.title='taken'\">"
        "<a href=\"javascript:document.title='taken'\">a</a>"
        "<iframe srcdoc=x></iframe><form action=/notifications><button>b</button></form></p>"
    )
    site.submit(text, metadata={"__proto__": {"x": 1}})
    until_shown(tab, text)
    site.call(site.service.say("Hi", html=html))
    until(tab, "() => document.querySelector('.turn .words p')")

    assert tab.evaluate("document.title") == "(1) Notifications · helper"
    assert tab.locator("#turns :is(script, img, iframe, style, form)").count() == 0
    assert tab.locator("#turns a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))") == [None]
    assert tab.locator(".turn [onclick]").count() == 0


def test_push_shows_an_event_and_takes_it_away_again(site, profile):
    device = profile(permissions=["notifications"])
    tab = device.window()
    session = device.context.new_cdp_session(tab)
    found = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    tab.evaluate(
        """async () => {
          const url = '/notifications/static/worker.js';
          const one = await navigator.serviceWorker.register(url, {scope: '/notifications'});
          while (!one.active) await new Promise((resolve) => setTimeout(resolve, 20));
        }"""
    )
    until_true(tab, lambda: found)
    registration = found[-1]["registrationId"]

    def push(value):
        data = value if isinstance(value, str) else json.dumps(value)
        session.send(
            "ServiceWorker.deliverPushMessage", {"origin": site.url, "registrationId": registration, "data": data}
        )

    event = {"id": "e1", "revision": 1, "lease": 1, "user_id": PERSON, "surface": "inbox", "replaces": False}
    push({**event, "content": "The parcel is here."})
    until(tab, COUNT, 1)
    until_shown(tab, "The parcel is here.")
    push({**event, "kind": "settled", "how": "seen"})
    until(tab, COUNT, 0)
    until_shown(tab)

    assert heard(tab) == []  # the system let it be heard


def test_push_is_turned_on_and_off_by_a_button_and_no_other_script_becomes_the_worker(site, profile):
    device = profile(permissions=["notifications"])
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": urlsafe_b64encode(point).decode().rstrip("="), "auth": "A" * 22}
    value = json.dumps({"endpoint": "https://push.example/one", "keys": keys})
    tab = device.window(f"const value = {value}; {PUSH}")
    button = tab.get_by_role("button", name="Push to this device")
    pressed = "(is) => document.querySelector('#push').ariaPressed === is"
    endpoints = select(tables.push_subscriptions.c.endpoint)

    def stored():
        return site.call(site.host.database.read(lambda db: db.execute(endpoints).scalars().all()))

    button.click()
    until(tab, pressed, "true")
    assert len(stored()) == 1
    button.click()
    until(tab, pressed, "false")
    assert stored() == []
    tab.evaluate("fails = true")
    button.click()
    until(tab, "() => said.length === 1")
    assert said(tab) == [("polite", "Push could not be turned on. Try again later.")]
    other = (
        "navigator.serviceWorker.register('/notifications/static/page.js').then(() => 'taken', (error) => error.name)"
    )
    assert tab.evaluate(other) == "TypeError"
    device.troubles[:] = [one for one in device.troubles if "TrustedScriptURL" not in one]


def test_who_signs_out_sees_nothing_any_more(site, profile):
    device = profile()
    tab, other = device.window(), device.window()
    device.is_expected = True
    tab.get_by_role("button", name="Sign out").click()
    tab.wait_for_selector("text=You are not signed in here")
    until(other, "() => document.querySelector('#connection').dataset.state === 'refused'")
    site.submit("A secret")

    assert tab.get_by_text("You are not signed in here").count() == 1
    assert shown(other) == []
    assert other.inner_text("#connection") == "Signed out: ask for a new link"


def test_what_was_settled_elsewhere_while_the_page_was_closed_is_below(site, profile):
    device = profile()
    tab = device.window()
    id = site.submit("The parcel is here.")
    until_shown(tab, "The parcel is here.")
    tab.close()
    ack = {"kind": "displayed", "id": id, "lease": 1, "revision": 1, "how": "clicked"}
    site.call(client.take(site.host, PERSON, [ack]))

    fresh = device.window()
    until_shown(fresh)
    until_shown(fresh, "The parcel is here.", where="#earlier")
