"""Mutants of demands that the person asked alone may read, and of what people click."""

from __future__ import annotations

from typing import Any

from tests.mutants._answers import mends, quiet, spoils, takes, wrongs

ROOMS, POLICY, REPLY = "connectors", "policy", ("discord.reply",)
OWN = "/channels/77/messages"


def _calls(change: Any) -> Any:
    """Changes each call; None takes one away."""
    return lambda value, *_: [made for call in value if (made := change(call)) is not None]


def _params(call: Any, **changes: Any) -> Any:
    return {**call, "params": {**call["params"], **changes}}


# --- Discord

spoils(
    ROOMS,
    REPLY,
    "discord-demands-in-the-channel",
    "Shows demands to the whole channel.",
    _calls(
        lambda call: (
            None
            if call["path"] == "/users/@me/channels"
            else {**call, "path": "/channels/500/messages"}
            if call["path"] == OWN
            else call
        )
    ),
)
spoils(
    ROOMS,
    REPLY,
    "discord-demands-behind-commands-for-all",
    "Shows what follows a command to the whole channel.",
    _calls(lambda call: _params(call, flags=4) if call["params"].get("flags") == 68 else call),
)
spoils(
    ROOMS,
    REPLY,
    "discord-demand-takes-the-response",
    "Sends a demand before the response is filled in.",
    _calls(lambda call: None if call["params"].get("content", "").startswith("Only you") else call),
)
spoils(
    ROOMS,
    REPLY,
    "discord-unfurls",
    "Has Discord fetch what an answer links to.",
    _calls(lambda call: _params(call, flags=call["params"]["flags"] & 64) if "flags" in call["params"] else call),
)
spoils(
    ROOMS,
    REPLY,
    "discord-plain-text-is-markup",
    "Takes plain text for Markdown.",
    _calls(
        lambda call: (
            _params(call, content=call["params"]["content"].replace("\\", "")) if "content" in call["params"] else call
        )
    ),
)
takes(
    ROOMS,
    REPLY,
    "discord-demands-of-programs",
    "Sends a demand to whoever wrote.",
    lambda given, unit: [],
    "malformed",
    when=lambda unit: unit["question"].get("event", {}).get("author", {}).get("id") == "9",
)
takes(
    ROOMS,
    REPLY,
    "discord-goes-on-after-a-failure",
    "Sends a demand where the call before it failed.",
    lambda given, unit: [],
    "malformed",
    when=lambda unit: "answers" in unit,
)
takes(
    ROOMS,
    REPLY,
    "discord-any-choices",
    "Offers choices that Discord does not take.",
    lambda given, unit: [],
    "malformed",
    when=lambda unit: "choices" in unit,
)
takes(
    ROOMS,
    REPLY,
    "discord-updates-any-path",
    "Takes any text for the id of a message.",
    lambda given, unit: [],
    "malformed",
    when=lambda unit: "update" in unit,
)

CLICK = ("discord.parts",)
spoils(
    ROOMS,
    CLICK,
    "discord-click-without-value",
    "Forgets for what a choice was offered.",
    lambda value, *_: [{name: one for name, one in part.items() if name != "choice"} for part in value],
)
spoils(
    ROOMS,
    CLICK,
    "discord-click-says-its-value",
    "Says the value of a choice in place of its label.",
    lambda value, *_: [{**part, "content": part.get("choice", part.get("content"))} for part in value],
)

# --- iMessage

spoils(
    ROOMS,
    ("bluebubbles.reply",),
    "bluebubbles-demands-in-the-group",
    "Shows demands to the whole group.",
    lambda value, *_: [_params(call, **_first_chat(value)) for call in value],
)
takes(
    ROOMS,
    ("bluebubbles.reply",),
    "bluebubbles-demands-anywhere",
    "Sends a demand though no chat with the asker is known.",
    lambda given, unit: [],
    "malformed",
)


def _first_chat(calls: Any) -> Any:
    chat = calls[0]["params"].get("chatGuid")
    return {} if chat is None else {"chatGuid": chat}


# --- mail and ActivityPub

quiet(POLICY, ("email.reply",), "private-policy")
takes(
    POLICY,
    ("email.reply",),
    "demands-to-lists",
    "Sends a demand as an answer to a list.",
    lambda given, unit: {"mail": "", "mail_from": "", "rcpt_to": []},
    "malformed",
    when=lambda unit: "List-Id" in unit["question"].get("raw", ""),
)


def _tells(answer: Any, given: Any, unit: Any) -> Any:
    """The note for all has the demand, too."""
    if not (answer.get("value") or {}).get("private"):
        return None
    value = answer["value"]
    demand = value["private"]["object"]["mentionablePolicy"]
    value["activity"]["object"]["mentionablePolicy"] = demand
    return answer


def _addresses_all(answer: Any, given: Any, unit: Any) -> Any:
    """The note with the demand is addressed as the note for all is."""
    if not (answer.get("value") or {}).get("private"):
        return None
    value = answer["value"]
    for public, private in (
        (value["activity"], value["private"]),
        (value["activity"]["object"], value["private"]["object"]),
    ):
        private.update(to=public["to"], cc=public["cc"])
    return answer


NOTE = ("activitypub.reply",)
wrongs(POLICY, NOTE, "notes-tell-demands", "Repeats a demand in the note that all may read.", _tells)
wrongs(POLICY, NOTE, "notes-demand-of-all", "Addresses the note with a demand to all.", _addresses_all)

# --- the subject


def _for_whoever(given: Any, unit: Any) -> Any:
    """Records without the subject of evidence."""
    for row, record in given["lookups"].items():
        if row.startswith("ISSUANCE ") and isinstance(record, dict) and "subject_method" in record:
            del record["subject"], record["subject_method"]
    return given, unit


mends(POLICY, ("policy.accept", "policy.resume"), "person-ignored", "Takes whoever completes a demand.", _for_whoever)
spoils(
    POLICY,
    ("policy.issue",),
    "person-forgotten",
    "Forgets to which person a demand goes.",
    lambda value, *_: {
        **value,
        "record": {name: one for name, one in value["record"].items() if name not in ("subject", "subject_method")},
    },
)
