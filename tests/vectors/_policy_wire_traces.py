"""Demands in traces that come in: `conformance/v0.1/policy/wire-trace-email.json` and `wire-trace-activitypub.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.vectors._answer_mailed import TEXT, multipart, of_mail, trace_leaf
from tests.vectors._answer_received import HELLO, anchor, of_activity
from tests.vectors._answer_rows import PLAIN, Case, link, response
from tests.vectors._policy_wire_rows import KINDS, NO, carried

if TYPE_CHECKING:
    from collections.abc import Iterator

AWAY: Final = "https://evil.example/pay"


def _links(home: str) -> Iterator[tuple[str, str, list[Case], list[Case], tuple[str, ...]]]:
    """What a trace demands, and what is left of it where its sender is at `home`."""
    own = carried({**NO, "url": f"https://{home}/why", "action_label": "Here"})
    refused = ("url-refused",)
    why = "A demand in a trace leads nowhere but to its sender, either; the rest of it counts."
    yield "own-link", why, [own], [own], ()
    for name, url in (("elsewhere", AWAY), ("subdomain", f"https://pay.{home}/"), ("other-port", f"https://{home}:1/")):
        yield name, why, [carried({**NO, "url": url, "action_label": "Here"})], [carried(NO)], refused
    plain = "What is no link, or no demand, stays as it is."
    yield "no-link", plain, [PLAIN, carried(NO)], [PLAIN, carried(NO)], ()
    said = {**PLAIN, "content": AWAY}
    yield "text-elsewhere", plain, [said], [said], ()
    unknown = carried({**KINDS["unknown"], "url": AWAY})
    yield "unknown-kind", why, [PLAIN, unknown], [PLAIN, carried(KINDS["unknown"])], refused
    good, bad = {"scheme": "Basic"}, {"scheme": "Bearer", "params": {"authorization_uri": AWAY}}
    asks = {**KINDS["unauthorized"], "auth_challenges": [bad, good], "url": AWAY}
    left = {**KINDS["unauthorized"], "auth_challenges": [good]}
    yield "challenge", "Nor does a challenge.", [carried(asks)], [carried(left)], (*refused, *refused)


def by_mail() -> Iterator[Case]:
    """Traces in mail."""
    text = {"kind": "text", "mime": "text/plain", "content": "Hello"}
    for name, why, parts, left, notes in _links("a.example"):
        body = multipart("alternative", "alt", TEXT, trace_leaf(response(*parts)))
        found = of_mail(name, "D B11", why, body, [text], response(*left), *notes)
        yield {**found, "id": f"policy/wire-trace-email/{name}"}


def on_activitypub() -> Iterator[Case]:
    """Traces in notes."""
    for name, why, parts, left, notes in _links("social.example"):
        note = HELLO + anchor(link(response(*parts)))
        found = of_activity(name, "D B11", why, note, HELLO, response(*left), *notes)
        yield {**found, "id": f"policy/wire-trace-activitypub/{name}"}


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-trace-email", "email.receive", [*by_mail()]
    yield "wire-trace-activitypub", "activitypub.receive", [*on_activitypub()]
