"""Demands as answers of HTTP: `conformance/v0.1/policy/http-out.json` and `http-in.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _policy_wire_rows as samples
from tests.vectors._answer_rows import ANY, Case, standard
from tests.vectors._policy_wire_rows import KINDS, NO, PAGE, PAY, rows, without, x402

if TYPE_CHECKING:
    from collections.abc import Iterator

STATUSES: Final = {
    "unauthorized": 401,
    "consent": 401,
    "payment": 402,
    "forbidden": 403,
    "limit": 429,
    "legal": 451,
    "outage": 503,
    "unknown": 403,
}
HOST: Final = "agents.example"
PROBLEM: Final = "application/problem+json"
out = rows("http-out", "http")
into = rows("http-in", "http")


def writes(name: str, section: str, why: str, policy: Case, /, **facts: Any) -> Case:
    """A demand, and facts about the response that makes it."""
    return out(name, section, why, {"policy": policy}, facts=facts)


def challenges(*found: Case) -> Case:
    """A demand to sign in."""
    return {"kind": "unauthorized", "message": "Sign in first.", "auth_challenges": list(found)}


def written() -> Iterator[Case]:
    """Responses."""
    for name, policy in KINDS.items():
        status = STATUSES[name]
        yield writes(
            name,
            "PP",
            "Clients that know only HTTP do the right thing by the status, all others read the whole demand.",
            policy,
            status=status,
            policy=policy,
            cached=False,
        )
        yield writes(
            f"problem-{name}",
            "RFC 9457 3",
            "Clients that know problems find their words.",
            policy,
            media_type=PROBLEM,
            problem={"status": status, "detail": policy["message"]},
        )
    form = "RFC 9110 11.6.1"
    yield writes(
        "challenge",
        form,
        "Programs sign in by the challenge.",
        challenges({"scheme": "Bearer", "params": {"realm": "agents", "scope": "read write"}}),
        challenge='Bearer realm="agents", scope="read write"',
    )
    yield writes(
        "challenges",
        form,
        "All of them are offered, the best first.",
        challenges({"scheme": "DPoP", "params": {"algs": "ES256"}}, {"scheme": "Negotiate"}),
        challenge='DPoP algs="ES256", Negotiate',
    )
    quoted = {"scheme": "Basic", "params": {"realm": 'say "a\\b", c'}}
    yield writes(
        "challenge-quoted",
        form,
        "Quotes and backslashes are escaped.",
        challenges(quoted),
        challenge='Basic realm="say \\"a\\\\b\\", c"',
    )
    beyond = {"scheme": "Basic", "params": {"realm": "Grüße", "charset": "UTF-8"}}
    yield writes(
        "challenge-beyond-ascii",
        form,
        "What a field cannot hold is in the body alone.",
        challenges(beyond),
        challenge='Basic charset="UTF-8"',
        policy=challenges(beyond),
    )
    always = "A 401 has a challenge in any case."
    yield writes("challenge-of-none", "RFC 9110 15.5.2", always, challenges(), challenged=True, status=401)
    yield writes("challenge-of-consent", "RFC 9110 15.5.2", always, KINDS["consent"], challenged=True, status=401)
    yield writes(
        "no-challenge", "RFC 9110 15.5.4", "Whom no identity helps is not asked for one.", NO, challenged=False
    )
    yield writes(
        "wait-of-a-limit", "RFC 9110 10.2.3", "Clients wait as they are told.", KINDS["limit"], retry_after="30"
    )
    yield writes(
        "wait-of-an-outage", "RFC 9110 10.2.3", "Clients wait as they are told.", KINDS["outage"], retry_after="120"
    )
    yield writes(
        "no-wait",
        "RFC 9110 10.2.3",
        "What is not known is not said.",
        without(KINDS["limit"], "retry_after_seconds"),
        retry_after=None,
        status=429,
    )
    shadow = "Clients that know x402 alone find it in its header."
    for version, required in samples.REQUIRED.items():
        demand = x402(version, state=samples.STATE)
        yield writes(f"x402-v{version}", "X402", shadow, demand, payment=required, policy=demand, status=402)
    both = x402(2, *PAY["accepted_payments"], samples.WAYS[2])
    yield writes("x402-beside-others", "X402", shadow, both, payment=samples.REQUIRED[2], policy=both)
    yield writes("x402-not-offered", "X402", "Other ways to pay have no header of x402.", PAY, payment=None, policy=PAY)
    for name, size, is_there in (("long", 5_000, True), ("too-long", 6_200, False)):
        why = "Servers refuse long fields; the whole demand is in the body."
        resource = {**samples.RESOURCE, "description": "x" * size}
        offered = {"scheme": "x402.exact", "payload": {**samples.OFFERED[2], "resource": resource}}
        demand, required = x402(2, offered), {**samples.REQUIRED[2], "resource": resource}
        found: Case = {"payment": required if is_there else None, "policy": demand, "status": 402}
        yield writes(f"x402-{name}", "X402", why, demand, **found)
    own = {**NO, "status": "pending", "detail": {"a": 1}}
    yield writes(
        "own-members",
        "PP",
        "Members of a demand that are called as those of problems stay what they are.",
        own,
        media_type="application/json",
        body=own,
    )


def reads(name: str, section: str, why: str, status: int, policy: Any, *codes: str, **more: Any) -> Case:
    """A response, and the demand that it is."""
    body, headers = more.pop("body", ""), list(more.pop("headers", ()))
    media_type = more.pop("media_type", "application/json" if body else None)
    if media_type is not None:
        headers.insert(0, ["content-type", media_type])
    unit = {"status": status, "headers": headers, "body": body, "authority": more.pop("authority", HOST)}
    outcome: Case = {"rejected": {"code": policy}} if isinstance(policy, str) else {}
    if not outcome:
        outcome = {"value": {"policy": policy, "diagnostics": list(codes)}}
    return into(name, section, why, unit, **outcome, **more)


def of_policies() -> Iterator[Case]:
    """Bodies that are policies."""
    whole = "The body says more than the status."
    for name, policy in KINDS.items():
        yield reads(f"body-{name}", "PP", whole, STATUSES[name], policy, body=policy)
        problem = {"status": STATUSES[name], "detail": policy["message"], **policy}
        yield reads(
            f"problem-{name}",
            "RFC 9457 3",
            "What makes it a problem is no member of the demand.",
            STATUSES[name],
            policy,
            body=problem,
            media_type=PROBLEM,
        )
    other = "A demand that contradicts its status may be somebody's trick: neither counts."
    for name, status in (
        ("payment", 401),
        ("payment", 403),
        ("consent", 402),
        ("consent", 403),
        ("forbidden", 401),
        ("unauthorized", 403),
        ("limit", 503),
        ("outage", 429),
        ("legal", 403),
    ):
        yield reads(f"{name}-as-{status}", "PP", other, status, "malformed", body=KINDS[name], flags=["attack"])
    yield reads(
        "malformed-consent",
        "PP",
        "Who cannot read to what to consent must not sign in instead.",
        401,
        "malformed",
        body=without(KINDS["consent"], "state"),
    )
    yield reads(
        "malformed-other-kind",
        "PP",
        other,
        403,
        "malformed",
        body={"kind": "payment_required", "message": "Pay."},
        flags=["attack"],
    )
    yield reads(
        "lenient-of-the-status",
        "R54",
        "A member that does not fit costs itself; the demand holds.",
        403,
        {"kind": "forbidden", "message": "Ask Bob.", "data": {"com.example.a": 1}},
        "member-dropped",
        body={"kind": "forbidden", "message": "Ask Bob.", "data": {"order": 1, "com.example.a": 1}},
    )
    for status, name, body in (
        (403, "words", {"kind": "forbidden", "message": 5}),
        (503, "no-words", {"kind": "service_unavailable"}),
    ):
        why = "What cannot be read is named, and the status still says what is demanded."
        stands = {"kind": body["kind"], "message": ANY}
        yield reads(f"refused-{name}-as-{status}", "R54", why, status, stands, "policy-malformed", body=body)
    unknown = KINDS["unknown"]
    for status in (401, 402, 451, 503):
        yield reads(
            f"unknown-as-{status}",
            "PP 3.6",
            "A kind that is not known is kept under any status that refuses.",
            status,
            unknown,
            body=unknown,
        )
    success = "What succeeded, or went elsewhere, demands nothing."
    for status in (200, 204, 302):
        yield reads(f"not-by-{status}", "PP 3.6", success, status, "not-a-message", body=NO, flags=["attack"])
    for status, code in ((404, "peer-not-found"), (400, "peer-error"), (500, "peer-error"), (504, "peer-busy")):
        why = "Other errors are errors, of which only some pass."
        yield reads(f"error-by-{status}", "PP", why, status, code, body=NO)
    linked = {**NO, "url": PAGE, "action_label": "Here"}
    yield reads("url", "PP", "The link to the agent itself stays.", 403, linked, body=linked)
    for name, url, authority in (
        ("foreign", "https://evil.example/pay", HOST),
        ("subdomain", "https://pay.agents.example/", HOST),
        ("of-nobody", PAGE, None),
    ):
        yield reads(
            f"url-{name}",
            "PP",
            "A demand leads nowhere but to the agent that makes it; the rest of it counts.",
            403,
            NO,
            "url-refused",
            body={**linked, "url": url},
            authority=authority,
            flags=["attack"],
        )


def sign_in(*found: Case) -> Case:
    """What a 401 without words is."""
    return {"kind": "unauthorized", "message": ANY, "auth_challenges": list(found)}


def of_http() -> Iterator[Case]:
    """Responses of servers that know no policies."""
    bare = "Whoever knows only HTTP demands something all the same."
    for status, kind in (
        (403, "forbidden"),
        (429, "too_many_requests"),
        (451, "unavailable_for_legal_reasons"),
        (503, "service_unavailable"),
    ):
        yield reads(f"bare-{status}", "PP", bare, status, {"kind": kind, "message": ANY})
    yield reads("bare-401", "PP", bare, 401, sign_in())
    bearer = {"scheme": "Bearer", "params": {"realm": "a, b", "scope": "read"}}
    form = "RFC 9110 11.6.1"
    why = "A list of challenges and a list of parameters both have commas."
    for name, fields, found in (
        ("one", ['Bearer realm="a, b", scope=read'], [bearer]),
        ("two", ['Bearer realm="a, b", scope="read", Negotiate'], [bearer, {"scheme": "Negotiate"}]),
        ("two-fields", ["Negotiate", 'Bearer realm="a, b", scope=read'], [{"scheme": "Negotiate"}, bearer]),
        ("escapes", ['Basic realm="say \\"a\\\\b\\""'], [{"scheme": "Basic", "params": {"realm": 'say "a\\b"'}}]),
        ("names-in-any-case", ['Basic REALM="a"'], [{"scheme": "Basic", "params": {"realm": "a"}}]),
        ("token68", ["Negotiate YWJj=="], [{"scheme": "Negotiate", "token68": "YWJj=="}]),
        ("empty-elements", [', ,Basic realm="a",,'], [{"scheme": "Basic", "params": {"realm": "a"}}]),
        ("open-quote", ['Basic realm="a'], []),
        ("twice-a-name", ['Basic realm="a", realm="b"'], []),
        ("no-scheme", ['="a"'], []),
    ):
        headers = [["www-authenticate", field] for field in fields]
        yield reads(f"challenge-{name}", form, why, 401, sign_in(*found), headers=headers)
    away: Case = {"scheme": "Bearer", "params": {"authorization_uri": "https://evil.example/"}}
    yield reads(
        "challenge-elsewhere",
        "PP",
        "A challenge leads nowhere but to the agent that makes it.",
        401,
        sign_in({"scheme": "Basic", "params": {"realm": "a"}}),
        "url-refused",
        headers=[
            ["www-authenticate", f'Bearer authorization_uri="{away["params"]["authorization_uri"]}"'],
            ["www-authenticate", "Basic realm=a"],
        ],
        flags=["attack"],
    )
    wait = "RFC 9110 10.2.3"
    for name, value, seconds in (
        ("seconds", "120", 120),
        ("zero", "0", 0),
        ("date", "Sat, 21 Nov 2026 20:57:30 GMT", 90),
        ("past", "Sat, 21 Nov 2026 20:00:00 GMT", 0),
        ("huge", "9" * 40, 2**53 - 1),
        ("negative", "-5", None),
        ("fraction", "1.5", None),
        ("other-digits", "١٢", None),
        ("words", "soon", None),
    ):
        why = "How long to wait is a number or a date; what is neither says nothing."
        said: Case = {"kind": "service_unavailable", "message": ANY}
        if seconds is not None:
            said["retry_after_seconds"] = seconds
        yield reads(f"wait-{name}", wait, why, 503, said, headers=[["retry-after", value]])
    yield reads(
        "wait-of-a-limit",
        wait,
        "A limit says it, too.",
        429,
        {"kind": "too_many_requests", "message": ANY, "retry_after_seconds": 5},
        headers=[["Retry-After", "5"]],
    )
    words = "A problem has words for people."
    detail = {"type": "about:blank", "title": "Forbidden", "status": 403, "detail": "Ask Bob."}
    told = {"kind": "forbidden", "message": "Ask Bob.", "title": "Forbidden"}
    yield reads("problem", "RFC 9457 3", words, 403, told, body=detail, media_type=PROBLEM)
    yield reads(
        "problem-title-alone",
        "RFC 9457 3",
        words,
        403,
        {"kind": "forbidden", "message": "Forbidden"},
        body=without(detail, "detail"),
        media_type=PROBLEM,
    )
    bare_body = {"kind": "forbidden", "message": ANY}
    page = "A page, or what is no JSON, says no more than its status."
    yield reads("page", "PP", page, 403, bare_body, body="<html>kind</html>", media_type="text/html")
    yield reads("json-of-a-page", "PP", page, 403, bare_body, body=json.dumps(told), media_type="text/html")
    yield reads("not-json", "PP", page, 403, bare_body, body="{", media_type="application/json")
    yield reads(
        "member-twice",
        "PP",
        page,
        403,
        bare_body,
        body='{"kind":"forbidden","message":"a","message":"b"}',
        media_type="application/json",
    )


def of_x402() -> Iterator[Case]:
    """Payments that a 402 demands."""
    code = {"code": "x402:payment_required"}
    for version in samples.TERMS:
        yield reads(
            f"x402-v{version}",
            "X402",
            "Sellers that know x402 alone say it in the body.",
            402,
            x402(version, **code),
            body=samples.REQUIRED[version],
        )
    said = {**x402(2, **code), "message": ANY}
    found = [{"policy": one, "diagnostics": []} for one in (said, {**said, "data": {"org.x402.error": " "}})]
    headers, body = [["content-type", "application/json"]], {**samples.REQUIRED[2], "error": " "}
    why = "A demand always says something, and blanks say nothing."
    unit = {"status": 402, "headers": headers, "body": body, "authority": HOST}
    yield into("x402-blank-error", "X402", why, unit, any_of=[{"value": one} for one in found])
    large = {**samples.REQUIRED[2], "later": "x" * 65_536}
    why = "Each way to pay repeats what it is paid for: a large one would fill a whole memory."
    yield reads("x402-too-large", "X402", why, 402, "missing-member", body=large, flags=["attack"])
    header = ["PAYMENT-REQUIRED", standard(samples.REQUIRED[2])]
    yield reads("x402-header", "X402", "Version 2 says it in a header.", 402, x402(2, **code), headers=[header])
    yield reads(
        "x402-header-beside-page",
        "X402",
        "With a page for people.",
        402,
        x402(2, **code),
        headers=[header],
        body="<html>Pay!</html>",
        media_type="text/html",
    )
    yield reads(
        "x402-policy-wins", "X402", "The demand itself says more than its shadow.", 402, PAY, body=PAY, headers=[header]
    )
    nothing = "A payment that can be made in no way is no demand."
    yield reads("x402-nothing", "PP", nothing, 402, "missing-member")
    yield reads("x402-other-body", "PP", nothing, 402, "missing-member", body={"error": "pay"})
    yield reads(
        "x402-version-three", "X402", nothing, 402, "missing-member", body={**samples.REQUIRED[2], "x402Version": 3}
    )
    yield reads("x402-no-offers", "X402", nothing, 402, "missing-member", body={**samples.REQUIRED[2], "accepts": []})
    yield reads("x402-header-broken", "X402", nothing, 402, "missing-member", headers=[["payment-required", "e30"]])
    yield reads(
        "x402-not-by-403",
        "X402",
        "Only a 402 demands a payment by x402.",
        403,
        {"kind": "forbidden", "message": ANY},
        body=samples.REQUIRED[2],
    )


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "http-out", "policy.to_http", [*written()]
    yield "http-in", "policy.from_http", [*of_policies(), *of_http(), *of_x402()]
