import asyncio

import httpx
import pytest
from fastapi import FastAPI
from operator_visits import TOKEN, Visitor, hidden

from mentionable_host import forms
from mentionable_host.config import ConfigError
from mentionable_host.operator import Operator, login_link
from mentionable_host.operator.service import PAGES

PATHS = [one.path.replace("{number}", "1").replace("{place}", "0") for one in PAGES if one.method == "GET"]
FORMS = [one.path.replace("{number}", "1") for one in PAGES if one.method == "POST"]


def cookie_of(got):
    return got.headers["set-cookie"]


def test_without_a_login_every_page_leads_to_it(host):
    visitor = Visitor(host)
    for path in PATHS:
        got = visitor.get(f"/operator{path}?a=b")
        assert got.status_code == 303, path
        assert got.headers["location"].startswith("/operator/login?next=%2Foperator"), path


def test_without_a_login_no_form_does_anything(host):
    visitor = Visitor(host)
    for path in (*FORMS, "/logout"):
        assert visitor.post(f"/operator{path}", {"csrf": "x"}).status_code == 403, path


def test_a_form_without_its_token_does_nothing(page):
    for path in (*FORMS, "/logout"):
        for token in ("", "0" * 64, "é"):
            assert page.post(f"/operator{path}", {"csrf": token}).status_code == 403, path


def test_what_another_site_sends_does_nothing(page, enqueue):
    number = enqueue(page.host)
    form = {"csrf": page.get("/operator/deliveries").text.partition('name="csrf" value="')[2][:64]}

    got = page.post(f"/operator/deliveries/{number}/drop", form, headers={"sec-fetch-site": "cross-site"})
    again = page.post(f"/operator/deliveries/{number}/drop", form, headers={"sec-fetch-site": "same-origin"})

    assert (got.status_code, again.status_code) == (403, 303)


def test_the_token_logs_in_and_leads_back(host):
    visitor = Visitor(host)
    got = visitor.post("/operator/login", {"token": f" {TOKEN} ", "next": "/operator/people?q=a"})

    assert (got.status_code, got.headers["location"]) == (303, "/operator/people?q=a")
    for word in ("__Host-operator=", "HttpOnly", "Secure", "SameSite=strict", "Path=/", "Max-Age=43200"):
        assert word in cookie_of(got)
    assert visitor.get("/operator").status_code == 200
    assert visitor.get("/operator/login").headers["location"] == "/operator"


PLACES = [
    "https://evil.example/",
    "//evil.example",
    "/operator.evil",
    "/operator/\\evil",
    "javascript:1",
    "/operator/é",
]


def test_a_login_leads_nowhere_else(host):
    for place in PLACES:
        visitor = Visitor(host)
        assert place not in visitor.get("/operator/login", params={"next": place}).text
        assert visitor.post("/operator/login", {"token": TOKEN, "next": place}).headers["location"] == "/operator"


def test_on_this_machine_the_cookie_needs_no_tls(host):
    visitor = Visitor(host, origin="http://127.0.0.1:8000")
    got = visitor.post("/operator/login", {"token": TOKEN})

    assert "Secure" not in cookie_of(got)
    assert cookie_of(got).startswith("operator=")
    assert visitor.get("/operator").status_code == 200


def test_who_mistypes_the_token_is_still_led_back(host):
    got = Visitor(host).post("/operator/login", {"token": "wrong", "next": "/operator/people"})

    assert hidden(got.text, "/operator/login")["next"] == "/operator/people"


def test_wrong_tokens_are_counted_for_each_address(host, world):
    visitor, other = Visitor(host), Visitor(host, address="203.0.113.8")
    statuses = [visitor.post("/operator/login", {"token": f"wrong {number}"}).status_code for number in range(10)]

    assert set(statuses) == {403}
    assert visitor.post("/operator/login", {"token": TOKEN}).status_code == 429
    assert other.post("/operator/login", {"token": TOKEN}).status_code == 303
    world.advance(minutes=10)
    assert visitor.post("/operator/login", {"token": TOKEN}).status_code == 303


def test_tokens_that_come_at_once_count_as_those_that_come_in_turn(host):
    async def guess(client, token):
        return (await client.post("/operator/login", data={"token": token})).status_code

    async def all_at_once():
        transport = httpx.ASGITransport(app=host.app(), client=("203.0.113.7", 50_000))
        async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
            guesses = [f"wrong {number}" for number in range(30)]
            return await asyncio.gather(*(guess(client, token) for token in [*guesses, TOKEN]))

    assert 303 not in asyncio.run(all_at_once())


def test_who_knows_the_token_is_never_held_up(host):
    for _ in range(12):
        assert Visitor(host).post("/operator/login", {"token": TOKEN}).status_code == 303


def test_a_form_that_does_not_come_is_not_waited_for(host, monkeypatch):
    monkeypatch.setattr(forms, "SECONDS", 0.05)

    async def body():
        yield b"token="
        await asyncio.Event().wait()

    kind = {"content-type": "application/x-www-form-urlencoded"}
    got = Visitor(host).ask("POST", "/operator/login", content=body(), headers=kind)

    assert (got.status_code, "did not come in time" in got.text) == (400, True)


def test_a_network_of_ipv6_is_one_address(host):
    for number in range(10):
        Visitor(host, address=f"2001:db8::{number:x}").post("/operator/login", {"token": "wrong"})

    assert Visitor(host, address="2001:db8::ffff").post("/operator/login", {"token": TOKEN}).status_code == 429
    assert Visitor(host, address="2001:db8:0:1::1").post("/operator/login", {"token": TOKEN}).status_code == 303


def test_a_session_ends_after_twelve_hours(page, world):
    world.advance(hours=12)

    assert page.get("/operator").status_code == 303


def test_who_logs_out_is_out_wherever_the_cookie_went(page, host):
    stolen = Visitor(host)
    stolen.cookies = page.cookies
    assert stolen.get("/operator").status_code == 200
    got = page.send("/operator", "/operator/logout")

    assert (got.status_code, got.headers["location"]) == (303, "/operator/login")
    assert stolen.get("/operator").status_code == 303


MADE_UP = ["", ".", "..", "a.b.c", "a.99999999999.c", "a.9" + "9" * 400 + ".c", "é.1.é", "a.²³.c", "a.-1.c", "." * 5000]


def test_a_cookie_that_was_made_up_is_none(host):
    visitor = Visitor(host)
    for value in MADE_UP:
        got = visitor.get("/operator", headers={"cookie": f"__Host-operator={value}".encode()})
        assert got.status_code == 303, value


def test_a_login_link_counts_once_and_for_half_an_hour(host, world):
    link = login_link(host).removeprefix("https://agents.example")
    visitor, late = Visitor(host), login_link(host).removeprefix("https://agents.example")

    assert visitor.ask("HEAD", link).status_code == 200  # who only looks uses nothing up
    assert visitor.get(link).headers["location"] == "/operator"
    assert visitor.get("/operator").status_code == 200
    assert Visitor(host).get(link).status_code == 403
    world.advance(minutes=30)
    assert Visitor(host).get(late).status_code == 403


def test_a_code_is_no_cookie_and_a_cookie_no_code(host, page):
    code = login_link(host).partition("code=")[2]
    cookie = page.cookies["__Host-operator"]

    assert Visitor(host).get("/operator", headers={"cookie": f"__Host-operator={code}"}).status_code == 303
    assert Visitor(host).get("/operator/login", params={"code": cookie}).status_code == 403


def test_another_token_ends_all_sessions(page, make_host):
    other = make_host(Operator, operator={"token": "another-token-that-is-long"})
    visitor = Visitor(other)
    visitor.cookies = page.cookies

    assert visitor.get("/operator").status_code == 303


@pytest.mark.parametrize("token", ["hunter2", "env:NOT_SET", "file:not-there"])
def test_a_token_that_can_be_guessed_or_is_not_there_is_refused(make_host, token):
    with pytest.raises(ConfigError):
        make_host(Operator, operator={"token": token})


def test_every_response_says_what_a_browser_may_do(page, store):
    store(page.host)
    for path in (*PATHS, "/login", "/static/none.css", "/nothing"):
        got = page.get(f"/operator{path}")
        if path == "/nothing":
            assert got.status_code == 404
            continue
        assert got.headers["cache-control"] == "no-store", path
        assert "default-src 'none'" in got.headers["content-security-policy"], path
        assert (
            "frame-ancestors 'none'" in got.headers["content-security-policy"]
            or "sandbox" in got.headers["content-security-policy"]
        )
        assert got.headers["x-content-type-options"] == "nosniff", path
        assert "unsafe" not in got.headers["content-security-policy"]


def test_pages_have_no_script_and_no_style_of_their_own(page, store):
    store(page.host)
    for path in PATHS:
        text = page.get(f"/operator{path}").text
        assert "<style" not in text, path
        assert " style=" not in text, path
        assert " onclick" not in text, path
        assert text.count("<script") <= 1, path


def test_static_files_are_kept_by_browsers(host):
    visitor = Visitor(host)
    text = visitor.get("/operator/login").text
    for name in ("operator.css", "operator.js", "icon.svg"):
        path = text[text.index(f"/operator/static/{name}") :].partition('"')[0]
        got = visitor.get(path)
        assert (got.status_code, "immutable" in got.headers["cache-control"]) == (200, True)
    assert visitor.get("/operator/static/..%2fservice.py").status_code == 404


NO_FORMS = [
    ("text/plain", b"csrf=1"),
    ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(100))),
    ("application/x-www-form-urlencoded", b"csrf=\xff"),
    ("multipart/form-data; boundary=x", b"--x\r\n\r\n--x--"),
    ("multipart/form-data", b"nothing"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" * 500),
    ("application/json", b"{}"),
    ("", b""),
]


def test_what_is_no_form_is_refused(page):
    for kind, body in NO_FORMS:
        got = page.ask("POST", "/operator/blocks", content=body, headers={"content-type": kind})
        assert got.status_code in (400, 403), (kind, body)


def test_a_form_that_is_too_large_is_refused(page):
    form = {"content-type": "application/x-www-form-urlencoded"}

    assert page.ask("POST", "/operator/blocks", content=b"a" * 8_000_001, headers=form).status_code == 400
    assert Visitor(page.host).ask("POST", "/operator/login", content=b"a" * 10_001, headers=form).status_code == 400


def test_the_page_goes_into_a_program_with_fastapi(host):
    app = FastAPI(lifespan=host.running)
    app.router.routes.extend(host.routes())
    visitor = Visitor(host)
    visitor.app = app

    assert visitor.post("/operator/login", {"token": TOKEN}).status_code == 303
    assert visitor.get("/operator/").headers["location"] == "/operator"
    assert visitor.get("/operator").status_code == 200


def test_a_peer_without_an_address_is_counted_too(host):
    visitor = Visitor(host, address="a-socket")

    assert visitor.post("/operator/login", {"token": "wrong"}).status_code == 403


NASTY = [
    "",
    "%00",
    "%FF%FE",
    "%ED%A0%BD",
    "'%22%3E%3Cscript%3E",
    "%25",
    "_",
    "-1",
    "1e999",
    "9" * 40,
    "x" * 3000,
    "%E2%80%AE",
    "1 2",
]


def test_whatever_an_address_asks_for_ends_in_a_page(page, store):
    store(page.host)
    names = ("q", "after", "person", "address", "state", "side", "waiting", "kind", "done", "next")
    for path in PATHS:
        for word in NASTY:
            for asked in ("&".join(f"{name}={word}" for name in names), f"before={word}"):
                got = page.get(f"/operator{path}?{asked}")
                assert got.status_code in (200, 404), (path, asked)
                assert "<script>" not in got.text, (path, asked)


def test_a_store_that_is_away_is_said(page):
    page.host.database.close()

    got = page.get("/operator")

    assert (got.status_code, "database" in got.text) == (503, True)
