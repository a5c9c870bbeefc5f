"""The signature of Slack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._slack_rows import SECRET, SETTINGS, TIME, Case, bare, signature, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = '{"type":"url_verification","challenge":"abc"}'
PASSES = "slack-verify"


def unit(body: str = BODY, settings: Case = SETTINGS, **headers: str | None) -> Case:
    return {"request": signed(body, **headers), "settings": settings}


def timed(time: str) -> Case:
    return {"Request-Timestamp": time, "Signature": signature(BODY, time=time)}


def passes() -> Iterator[Case]:
    """Requests that Slack signed."""
    for name, why, given in (
        ("fresh", "A request that Slack signed just now is one of Slack.", unit()),
        ("five-minutes-old", "Requests may take five minutes.", unit(**timed(str(int(TIME) - 300)))),
        ("five-minutes-ahead", "Clocks may differ by five minutes.", unit(**timed(str(int(TIME) + 300)))),
        ("empty-body", "Nothing can be signed, too.", unit("")),
        ("body-not-json", "The signature is over bytes, whatever they are.", unit("\u00e4 {")),
        (
            "old-secret",
            "While secrets change, the old one counts beside the new one.",
            unit(settings={**SETTINGS, "signing_secrets": ["new", SECRET]}),
        ),
    ):
        yield bare(PASSES, name, why, given, value=True)
    yield bare(
        PASSES,
        "documented-example",
        "The example of Slack's documentation is the one that everybody can look up.",
        {
            "request": {
                "url": "https://slack.agents.example/slack/commands",
                "headers": [
                    ["X-Slack-Signature", "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"],
                    ["X-Slack-Request-Timestamp", "1531420618"],
                    ["Content-Type", "application/x-www-form-urlencoded"],
                ],
                "body": "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
                "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
                "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskX"
                "aIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
            },
            "settings": SETTINGS,
        },
        given={"now": "2018-07-12T18:36:58Z"},
        value=True,
    )


REFUSED: tuple[tuple[str, str, str, Case], ...] = (
    ("unsigned", "unsigned", "Anybody can find the URL of an endpoint.", {"Signature": None}),
    ("signature-empty", "signature-malformed", "An empty signature is none.", {"Signature": ""}),
    (
        "signature-upper-case",
        "signature-malformed",
        "Slack writes hex in lower case.",
        {"Signature": signature(BODY).upper()},
    ),
    (
        "signature-short",
        "signature-malformed",
        "A part of a signature is no signature.",
        {"Signature": signature(BODY)[:20]},
    ),
    (
        "signature-v1",
        "signature-malformed",
        "Of another version nobody knows what it covers.",
        {"Signature": "v1" + signature(BODY)[2:]},
    ),
    (
        "time-missing",
        "time-missing",
        "Without a time a request could be sent again for ever.",
        {"Request-Timestamp": None},
    ),
    ("time-signed", "time-missing", "A time is digits alone.", timed("+1795294560")),
    (
        "time-underscored",
        "time-missing",
        "Programs read 1_795 as a number; Slack does not write it.",
        timed("1_795294560"),
    ),
    (
        "time-other-digits",
        "time-missing",
        "Digits of other scripts are no digits of a header.",
        timed("\u0661\u0667\u0669\u0665"),
    ),
    ("time-leading-zero", "time-missing", "One time is written in one way.", timed("01795294560")),
    ("expired", "expired", "An old request may be one that somebody kept.", timed(str(int(TIME) - 301))),
    ("not-yet-valid", "not-yet-valid", "A request of the future could be kept for later.", timed(str(int(TIME) + 301))),
    (
        "another-secret",
        "bad-signature",
        "Another app has another secret.",
        {"Signature": signature(BODY, secret="other")},
    ),
    (
        "another-body",
        "bad-signature",
        "Whoever changes the body changes the message.",
        {"Signature": signature(BODY + " ")},
    ),
    (
        "another-time",
        "bad-signature",
        "The time is signed, so that nobody makes a request younger.",
        {"Request-Timestamp": "1795294561"},
    ),
)


def refused() -> Iterator[Case]:
    """Requests that show nothing."""
    for name, code, why, headers in REFUSED:
        outcome: Any = {"rejected": {"code": "request-unverified"}, "verdict": {"code": code}, "flags": ["attack"]}
        yield bare("slack-unverified", name, why, unit(**headers), **outcome)
    small = {**SETTINGS, "body_bytes": len(BODY) - 1}
    why = "A body of any length would have to be read whole before its signature can be judged."
    yield bare("slack-unverified", "too-large", why, unit(settings=small), rejected={"code": "too-large"})


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-verify", "slack.verify", "Requests that Slack signed.", passes()
    yield "slack-unverified", "slack.verify", "Requests that do not show that they come from Slack.", refused()
