"""The operations of the Slack connector for the worked harness of Python."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from typing import Any

from python_platforms import event_json

import mentionable as m
from mentionable.connectors import Choice, ReceivedEvent, retry_after, slack
from mentionable.connectors.files import FileKey
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
Answer = dict[str, Any]
OWN = {"issuer": "issuer", "hears": "listen_to", "guests": "guests", "body_bytes": "body_bytes"}


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def settings_of(given: Object, unit: Object) -> slack.Settings:
    """The settings of all rooms from `given`, those of this one from the input."""
    common, own = read_settings(given.get("settings", {})), unit["settings"]
    facts: dict[str, Any] = {name: own[member] for member, name in OWN.items() if member in own}
    names = ("limits", "history", "stored_history", "require_verified", "policy_hosts", "mention_participants")
    facts |= {name: getattr(common, name) for name in names}
    if "files" in own:
        facts["files"] = FileKey.from_secret(_bytes(own["files"]["secret"]), key_id=own["files"]["kid"])
    secrets = tuple(one.encode() for one in own["signing_secrets"])
    return slack.Settings(signing_secret=secrets, teams=tuple(own.get("teams", ())), **facts)


def request_of(unit: Object) -> m.HttpRequest:
    """The request of a case."""
    found = unit["request"]
    return m.HttpRequest(method="POST", url=found["url"], headers=found["headers"], body=case_bytes(found["body"]))


def _outcome(given: Object, unit: Object) -> tuple[Any, list[str]]:
    table = LookupTable(given["lookups"])
    facts: dict[str, Any] = {"now": m.parse_time(given["now"]), "entropy": bytes.fromhex(given["entropy"])}
    if "agent_chain" in unit:
        facts["agent_chain"] = m.decode(m.AgentChain, unit["agent_chain"])
    facts |= {"recipient": given.get("recipient"), "settings": settings_of(given, unit)}
    return m.drive(slack.receive(request_of(unit), **facts), table.answer), table.asked


def _receive(_: str, given: Object, unit: Object) -> Answer:
    found, asked = _outcome(given, unit)
    if isinstance(found, m.Handshake):
        response = found.response
        return {"value": {"status": response.status, "body": response.body.decode()}, "asks": asked}
    if isinstance(found, ReceivedEvent):
        return {"value": event_json(found), "diagnostics": [note.code for note in found.diagnostics], "asks": asked}
    if isinstance(found, m.Rejected):
        code = found.verdict and found.verdict.code
        return {"rejected": {"code": found.code}, "asks": asked, "verdict": {"code": code}}
    return {
        "messages": m.encode(found.messages),
        "diagnostics": [note.code for note in found.diagnostics],
        "asks": asked,
        "verdict": {"method": found.verdict.method, "verified": found.verdict.verified, "code": found.verdict.code},
    }


def _message(given: Object, unit: Object) -> Answer:
    """What came in, as JSON, with its diagnostics."""
    found, asked = _outcome(given, unit)
    if isinstance(found, m.Rejected):
        return {"rejected": {"code": found.code}, "asks": asked}
    codes = [note.code for note in found.diagnostics]
    return {"value": m.encode(found.message), "diagnostics": codes, "asks": asked}


def _member(name: str) -> Callable[[str, Object, Any], Answer]:
    """One member of the message, for cases that are about nothing else."""

    def read(_: str, given: Object, unit: Object) -> Answer:
        answer = _message(given, unit)
        return answer if "rejected" in answer else {**answer, "value": answer["value"].get(name)}

    return read


def _files(_: str, given: Object, unit: Object) -> Answer:
    """The files of a message, each with what its token says; how tokens are written is another area."""
    answer = _message(given, unit)
    if "rejected" in answer:
        return answer
    files = [part for part in answer["value"]["parts"] if part["kind"] == "file"]
    for file in files:
        start, slash, token = file["bytes_ref"]["url"].rpartition("/")
        claims = json.loads(_bytes(token.split(".")[1]))
        file["bytes_ref"]["url"] = start + slash
        file["claims"] = {name: claims[name] for name in ("iss", "aud", "turn", "scope", "max_bytes")}
    return {**answer, "value": files}


def _verify(_: str, given: Object, unit: Object) -> Answer:
    found = slack.verify(request_of(unit), now=m.parse_time(given["now"]), settings=settings_of(given, unit))
    if found is None:
        return {"value": True}
    return {"rejected": {"code": found.code}, "verdict": {"code": found.verdict and found.verdict.code}}


def _attest(_: str, given: Object, unit: Object) -> Answer:
    key = m.SigningKey.from_seed(_bytes(unit["key"]["seed"]), key_id=unit["key"]["kid"])
    found, _asked = _outcome(given, unit)
    now, settings = m.parse_time(given["now"]), settings_of(given, unit)
    signed = slack.attest(found.message, audience=unit["audience"], key=key, settings=settings, now=now)
    return {"value": m.encode(signed)}


def _calls(out: Any) -> Answer:
    calls = []
    for one in out.calls:
        needs = [[place.name, place.call, place.member] for place in one.placeholders]
        files = [file.name for file in one.files]
        calls.append(
            {
                "method": one.method,
                **({"url": one.url} if one.url else {}),
                "params": one.params,
                **({"needs": needs} if needs else {}),
                **({"files": files} if files else {}),
            }
        )
    return {"value": calls, "diagnostics": [note.code for note in out.diagnostics]}


def _facts(given: Object, unit: Object) -> dict[str, Any]:
    facts: dict[str, Any] = {name: unit[name] for name in ("mentions", "siblings") if name in unit}
    return {**facts, "settings": settings_of(given, unit["question"])}


def _reply(_: str, given: Object, unit: Object) -> Answer:
    question = _outcome(given, unit["question"])[0].message
    response: Any = m.decode(m.NormalizedResponse, {"reply_to": question.id, **unit["response"]})
    names = ("update", "response_url", "ephemeral", "broadcast")
    options = slack.PostOptions(**{name: unit[name] for name in names if name in unit})
    choices = [Choice(**choice) for choice in unit.get("choices", ())]
    try:
        return _calls(slack.reply(response, to=question, options=options, choices=choices, **_facts(given, unit)))
    except m.UnanswerableError as error:
        return {"value": {"unanswerable": error.reason}}


def _stream(_: str, given: Object, unit: Object) -> Answer:
    """The calls of an answer that grows, frame by frame."""
    question, facts = _outcome(given, unit["question"])[0].message, _facts(given, unit)
    frames = [m.decode(m.NormalizedResponse, {"reply_to": question.id, **frame}) for frame in unit["frames"]]
    outs = [slack.start_stream(frames[0], to=question, **facts)]
    shown = frames[0]
    for frame in frames[1:-1]:
        stream = slack.Stream(ts=unit["ts"], frame=shown)
        outs.append(slack.append_stream(frame, to=question, stream=stream, **facts))
        shown = frame if outs[-1].calls else shown
    last = slack.Stream(ts=unit["ts"], frame=shown) if outs[0].calls else None
    outs.append(slack.stop_stream(frames[-1], to=question, stream=last, **facts))
    codes = [note.code for out in outs for note in out.diagnostics]
    return {"value": [_calls(out)["value"] for out in outs], "diagnostics": codes}


def _presence(_: str, given: Object, unit: Object) -> Answer:
    question = _outcome(given, unit["question"])[0].message
    if "status" in unit:
        return _calls(slack.typing(to=question, status=unit["status"]))
    take = slack.unreact if unit.get("remove") else slack.react
    return _calls(take(unit["emoji"], to=question))


def _retry_after(_: str, given: Object, unit: Object) -> Answer:
    response = m.HttpResponse(status=unit["status"], headers=unit["headers"], body=case_bytes(unit["body"]))
    wait = retry_after(response, now=m.parse_time(given["now"]))
    return {"value": None if wait is None else wait.total_seconds()}


PURE: dict[str, Callable[[Object, Any], Any]] = {
    "slack.response_url": lambda _, unit: slack.response_url(request_of(unit)),
    "slack.mrkdwn_to_markdown": lambda _, unit: slack.mrkdwn_to_markdown(unit["text"], names=unit.get("names", {})),
    "slack.markdown_to_mrkdwn": lambda _, unit: slack.markdown_to_mrkdwn(
        unit["text"], mentions=unit.get("mentions", ())
    ),
}
DOORS: dict[str, Callable[[str, Object, Any], Answer]] = {
    "slack.receive": _receive, "slack.verify": _verify, "slack.attest": _attest, "slack.reply": _reply,
    "slack.sender": _member("sender"), "slack.history": _member("history"), "slack.parts": _member("parts"),
    "slack.files": _files, "slack.stream": _stream, "slack.presence": _presence, "connectors.retry_after": _retry_after,
}  # fmt: skip
