"""Mutants of REST: calls that go out, and answers that come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mentionable import _asking, _forwarded, _structure
from mentionable.rest import _policy, _result, _result_stream, _said, _write_call
from tests.mutants._answers import spoils, takes
from tests.mutants._rest import AREA, edits

if TYPE_CHECKING:
    from collections.abc import Callable

CALL, RESULT, TRIP = ("rest.call",), ("rest.result",), ("rest.round_trip",)


def _out(name: str, rule: str, *changes: Any) -> None:
    edits(CALL, f"call-{name}", rule, *changes)


def _back(name: str, rule: str, *changes: Any) -> None:
    edits(RESULT, f"result-{name}", rule, *changes)


def _says(ops: tuple[str, ...], name: str, rule: str, change: Callable[[Any, Any], Any]) -> None:
    """Registers a mutant that answers otherwise: `change(value, unit)`; None leaves it."""
    spoils(AREA, ops, name, rule, lambda value, _, unit: change(value, unit))


def _taken(ops: tuple[str, ...], name: str, rule: str, code: str, when: Callable[[Any], bool]) -> None:
    takes(AREA, ops, name, rule, lambda *_: {}, code, when=when)


# --- calls

_out(
    "typed-alone",
    "Says nothing in plain fields but an empty text.",
    (_write_call._current, "yield from plain", 'yield Field(USER, "")'),
)
_out(
    "always-typed",
    "Says all text twice.",
    (_write_call._current, "if not parts or not says_all", "if True or not says_all"),
)
_out(
    "never-typed",
    "Says nothing as JSON.",
    (_write_call._current, "if not parts or not says_all or not is_plain:", "if False:"),
)
_out("files-as-words", "Sends files as words alone.", (_write_call._current, "if data is None or ", "if True or "))
_out(
    "names-with-folders", "Leaves folders in names.", (_write_call._current, 'file_name(part.name or "")', "part.name")
)
_out(
    "no-empty-text",
    "Sends no text where there is none.",
    (_write_call._current, "if not any(one.filename is None for one in plain):", "if False:"),
)
_taken(
    CALL,
    "call-files-without-bytes",
    "Sends files whose bytes nobody has.",
    "malformed",
    lambda unit: "content_addressed" in str(unit),
)
_taken(CALL, "call-policies", "Asks demands.", "malformed", lambda unit: "forbidden" in str(unit))


def _with_sender(value: Any, unit: Any) -> Any:
    """The names of the fields with one for the sender, where a message says `Hi` and nothing goes along."""
    is_bare = unit.keys() == {"message", "url"} and [part.get("content") for part in unit["message"]["parts"]] == ["Hi"]
    return {**value, "names": [*value["names"], "sender"]} if is_bare else None


_says(CALL, "call-tells-sender", "Tells who sent the message.", _with_sender)
_out(
    "no-session",
    "Begins a conversation each time.",
    (_write_call._before, "if asked.session is not None:", "if False:"),
)
_out(
    "token-in-form",
    "Sends tokens in the form.",
    (
        _write_call.write_call,
        'headers.append(("authorization", f"Bearer {asked.token}"))',
        'headers.append(("x-token", asked.token))',
    ),
)
_out(
    "takes-text",
    "Likes text best.",
    (
        _write_call.write_call,
        "_ACCEPT_STREAM if asked.stream else _ACCEPT",
        '_ACCEPT_STREAM if asked.stream else "text/plain"',
    ),
)
_out(
    "no-streams",
    "Asks for no streams.",
    (_write_call.write_call, "_ACCEPT_STREAM if asked.stream else _ACCEPT", "_ACCEPT"),
)
_out(
    "one-boundary",
    "Has one boundary for all.",
    (
        _write_call._boundary,
        '"mentionable-" + derive("rest.boundary", entropy, str(number)).hex()[:40]',
        '"mentionable-"',
    ),
    (_write_call._boundary, "if not any(mark in data_of(one) for one in fields):", "if True:"),
)
_out(
    "no-capabilities",
    "Forwards no capabilities.",
    (_write_call._before, "if not isinstance(forwarded.mention_relay, NoRelay) or", "if"),
)
_out(
    "same-hop",
    "Sends the place of this agent along.",
    (_forwarded.capabilities_ahead, "if chain is None or message", "if True or message"),
)
_out(
    "past-the-cap",
    "Asks past the end of a chain.",
    (
        _forwarded.capabilities_ahead,
        "if following is None:",
        "if following is None:\n        return capabilities\n    if False:",
    ),
)
_out(
    "connectors-count",
    "Counts connectors as agents.",
    (_forwarded.capabilities_ahead, 'message.received_via == "connector"', "False"),
)
_out(
    "never-final",
    "Tells no agent that it is the last.",
    (
        _forwarded.capabilities_ahead,
        "evolve(capabilities, agent_chain=following)",
        "evolve(capabilities, agent_chain=evolve(following, is_final=False))",
    ),
)
_out("no-evidence", "Sends no evidence.", (_write_call._before, "if asked.evidence:", "if False:"))
_out("no-turns", "Sends turns as JSON alone.", (_write_call.write_call, "*turns, ", ""))
_out("turns-as-text", "Sends turns as text alone.", (_write_call._before, "if asked.history:", "if False:"))
_out(
    "boasting-turns",
    "Calls whoever wrote a turn verified.",
    (_write_call._before, "encode(turn_ahead(turn, asked.evidence))", "encode(turn)"),
)
_out(
    "evidence-of-all",
    "Shows evidence to whomever it was not meant for.",
    (_forwarded.turn_ahead, " and one.audience in audiences", ""),
)
_out(
    "demands-of-turns",
    "Sends the states of demands along.",
    (_forwarded.turn_ahead, "TextPart(content=part_text(part)) if isinstance(part, CarriedPolicy) else part", "part"),
)
_out("no-receipt", "Sends no receipts.", (_write_call._before, "if asked.resolution is not None:", "if False:"))
_out(
    "one-version",
    "Pays by one version of x402.",
    (_policy._payment_header, "_PAYMENTS[payment.version]", "_PAYMENTS[2]"),
)
_out(
    "old-version",
    "Pays by the old version of x402.",
    (_policy._payment_header, "_PAYMENTS[payment.version]", "_PAYMENTS[1]"),
)
_taken(CALL, "call-any-receipt", "Sends what is no receipt.", "malformed", lambda unit: "receipt" in unit)

# --- answers

_back(
    "all-members",
    "Takes what a peer says of itself for the response.",
    (_said.read_answer, "if name not in _BESIDE", 'if name not in _BESIDE - {"session"}'),
)
_back(
    "no-members",
    "Drops members of later versions.",
    (_said.read_answer, "if name not in _BESIDE", 'if name in ("parts", "status", "error")'),
)
_back("version-needed", "Wants a version.", (_said.read_answer, 'document.get("v", _VERSIONS)', 'document.get("v")'))
_back(
    "any-version",
    "Reads any version.",
    (_said.read_answer, "version.__class__ is not str or not version.startswith(_VERSIONS)", "False"),
)
_taken(
    RESULT,
    "result-without-parts",
    "Takes JSON without parts.",
    "malformed",
    lambda unit: unit.get("response", {}).get("body") == {"v": "v0.1"},
)
_back(
    "arrays",
    "Takes an array for parts.",
    (
        _said.read_answer,
        "if document.__class__ is not dict:",
        "document = document if document.__class__ is dict else {'parts': document}\n    if False:",
    ),
)
_taken(RESULT, "result-no-json", "Takes broken JSON for nothing.", "invalid-json", lambda unit: "chunks" not in unit)
_back(
    "not-canonical",
    "Takes parts as they are written.",
    (_said.read_answer, "canonical_part(part) for part in said.parts", "part for part in said.parts"),
)
_back("any-number", "Takes any number of parts.", (_said.read_answer, "len(parts) > limits.parts", "False"))
_back("all-text-plain", "Takes all text for plain.", (_result._read, 'cast("TextMime", kind)', '"text/plain"'))
_back(
    "text-as-written",
    "Leaves line ends as they are.",
    (_result._read, "clean(text_in(response.body))", "text_in(response.body)"),
)
_back("loose-utf8", "Reads bytes that are no UTF-8.", (_said.text_in, 'decode("utf-8")', 'decode("latin-1")'))
_taken(RESULT, "result-any-type", "Guesses at other media types.", "media-type-unsupported", lambda _: True)
_back("empty-is-unknown", "Wants a body.", (_result._read, "if response.body:", "if True:"))
_back(
    "errors-rejected",
    "Does not read why there is no answer.",
    (_result._read, "if is_success or is_answer(document):", "if is_success:"),
)
_back(
    "status-unread",
    "Believes the body, whatever the status.",
    (_result._read, 'said if is_success else evolve(said, status="error")', "said"),
)
_back(
    "never-busy",
    "Never asks again.",
    (_result._refusal, '"peer-busy" if is_busy(response.status) else "peer-error"', '"peer-error"'),
)
_back(
    "always-busy",
    "Always asks again.",
    (_result._refusal, '"peer-busy" if is_busy(response.status) else "peer-error"', '"peer-busy"'),
)
_back(
    "demand-alone", "Leaves out what stands beside a demand.", (_result._refusal, "if is_answer(beside):", "if False:")
)
_back(
    "no-session", "Does not say how to go on.", (_said.with_own_extra, "isinstance(session, str) and session", "False")
)
_back(
    "not-the-demand",
    "Makes a demand of the status alone.",
    (
        _result._refusal,
        "found = read_demand(response, document,",
        "found = read_demand(response, None if document is None else {},",
    ),
)


def _leading(value: Any, unit: Any) -> Any:
    """The demand with the URL that led elsewhere."""
    *before, demand = value["parts"]
    policy = {**demand.get("policy", {}), "url": "https://evil.example/pay"}
    return {**value, "parts": [*before, {**demand, "policy": policy}]} if "evil" in str(unit) else None


_says(RESULT, "result-urls-of-all", "Lets demands lead anywhere.", _leading)
_back("demands-anywhere", "Takes demands anywhere.", (_said._with_own_urls, "index + 1 < len(said.parts)", "False"))
_back(
    "places-as-read",
    "Counts the items of an array without those that were left out.",
    (_structure._as_sent, "tokens[0] = kept[name][int(tokens[0])]", "pass"),
)
_back(
    "demands-as-read",
    "Counts the parts before a demand without those that were left out.",
    (_said._with_own_urls, "at = demands[0], places[0]", 'at = demands[0], f"/parts/{demands[0][0]}"'),
)
_back(
    "places-beside-a-demand",
    "Names places in what stands beside a demand as if it were the whole.",
    (_result._refusal, 'at=f"/{ENVELOPE}"', 'at=""'),
)
_taken(
    RESULT,
    "result-other-status",
    "Takes demands that contradict their status.",
    "malformed",
    lambda unit: unit.get("response", {}).get("status") == 402,
)
_taken(
    RESULT, "result-nothing-to-pay", "Takes a 402 for a demand that offers nothing.", "missing-member", lambda _: True
)
_back(
    "waits-from-now",
    "Reads dates against no date.",
    (
        _policy.read_demand,
        "is_useless = said is None and not wait.strip().isdecimal()",
        "is_useless = not wait.strip().isdecimal()",
    ),
)
_back(
    "waits-since-1970",
    "Reads dates against the beginning of time.",
    (_policy.read_demand, "is_useless = said is None and not wait.strip().isdecimal()", "is_useless = False"),
)
_back(
    "no-x402",
    "Does not read what x402 says in its field.",
    (
        _policy.read_demand,
        "headers = [pair for pair in response.headers if",
        'headers = [pair for pair in response.headers if pair[0] != "payment-required" and',
    ),
)

# --- streams

_back(
    "pieces-are-parts",
    "Takes each piece for a part.",
    (_result_stream.ResultStream._take_text, "(_MARKDOWN, True)", "(_MARKDOWN, False)"),
)
_back(
    "broken-parts-are-none",
    "Takes any number of parts that cannot be read.",
    (_result_stream.ResultStream._check_room, " + self._lost", ""),
)
_back(
    "silent",
    "Does not say that more was left out than it names.",
    (_asking.LeftOut.members, "bounded_notes(self._notes, self._more)", "self._notes"),
)
_back(
    "places-without-event",
    "Does not say in which event something was left out.",
    (_result_stream.ResultStream._take, "self._left_out.add(self._odd, self._at)", "self._left_out.add(self._odd)"),
)
_back(
    "one-text",
    "Runs texts together.",
    (_result_stream.ResultStream._take_mime, 'told.get("continues") is True', "True"),
)
_back(
    "any-media-type",
    "Takes whatever a stream says of the next text for a media type.",
    (_result_stream.ResultStream._take_mime, "mime.__class__ is not str or mime not in TEXT_MIMES", "False"),
)
_back(
    "late-words",
    "Reads what comes after the end.",
    (_result_stream.ResultStream._take, "self._end is not None or ", ""),
)
_back(
    "broken-off-is-whole",
    "Takes a stream that broke off for whole.",
    (_result_stream.ResultStream._response, '{"status": "partial"} if self._is_ours else {}', "{}"),
)
_back(
    "always-broken-off",
    "Takes every stream of others for one that broke off.",
    (_result_stream.ResultStream._response, '{"status": "partial"} if self._is_ours else {}', '{"status": "partial"}'),
)
_back("calls-twice", "Shows a call twice.", (_result_stream.ResultStream._take_call, "if place is None:", "if True:"))
_back(
    "calls-change",
    "Lets calls change that have ended.",
    (_result_stream.ResultStream._take_call, 'known.state != "running"', "False"),
)
_back(
    "kind-needed",
    "Wants a call to say that it is one.",
    (_result_stream.ResultStream._take_call, '{"kind": "tool_call", **self._json(event)}', "self._json(event)"),
)
_back(
    "no-parts",
    "Has no other parts.",
    (_result_stream.ResultStream._take_part, "for part in parts for added", "for part in () for added"),
)
_back(
    "unknown-are-text",
    "Takes events of later versions for text.",
    (_result_stream.ResultStream._take, "_TAKERS.get(event.event)", '_TAKERS.get(event.event, _TAKERS["message"])'),
)
_back(
    "ends-well",
    "Takes every end for a good one.",
    (
        _result_stream.ResultStream._take_end,
        'self._end = {name: told[name] for name in ("status", "error") if name in told}',
        "self._end = {}",
    ),
)
_back(
    "no-session-of-streams",
    "Does not say how to go on after a stream.",
    (_result_stream.ResultStream._take_start, 'told.get("session")', "None"),
)
_back(
    "unread-is-nothing",
    "Takes a demand that cannot be read for none.",
    (_result_stream.ResultStream._response, 'status, error = "error", _unread(parts)', "pass"),
)
_back(
    "last-demand-counts",
    "Takes the last of several demands in a stream.",
    (_result_stream.ResultStream._take_policy, "self._demand is not None", "False"),
)
_back(
    "second-demand-unsaid",
    "Does not tell of a second demand in a stream.",
    (
        _result_stream.ResultStream._take_policy,
        'self._odd.append(Diagnostic(code="policy-malformed", detail="a second demand: none of them counts"))',
        "pass",
    ),
)
_taken(
    RESULT,
    "result-nothing-said",
    "Takes a stream that says nothing for an answer.",
    "not-a-message",
    lambda unit: "chunks" in unit,
)
_taken(
    RESULT, "result-broken-events", "Skips events that cannot be read.", "invalid-json", lambda unit: "chunks" in unit
)
_back(
    "any-number-in-streams",
    "Takes any number of parts of a stream.",
    (_result_stream.ResultStream._check_room, "len(self._joiner) + self._lost >= self._limits.parts", "False"),
)
_back(
    "streams-unread",
    "Does not read a stream that was collected.",
    (_result._read, "if kind == _sse.MEDIA_TYPE:", "if False:"),
)

# --- there and back


def _trip(name: str, rule: str, *changes: Any) -> None:
    edits(TRIP, f"trip-{name}", rule, *changes)


_says(TRIP, "trip-demands-lost", "Loses demands on the way.", lambda value, _: (
    {**value, "parts": value["parts"][:-1]} if value["parts"][-1].get("kind") == "policy" else None
))  # fmt: skip
_trip(
    "turns-run-together",
    "Lets the message go on with what somebody said before.",
    (_write_call._current, " or not is_plain:", ":"),
)
_trip(
    "typed-lost",
    "Loses typed parts on the way.",
    (_write_call._current, "if not parts or not says_all or not is_plain:", "if not is_plain:"),
)
_trip("turns-lost", "Loses who wrote turns on the way.", (_write_call._before, "if asked.history:", "if False:"))
_trip(
    "hop-lost",
    "Loses the place in the chain on the way.",
    (_write_call._before, "or forwarded.agent_chain is not None", ""),
)
_trip(
    "members-lost",
    "Loses members of later versions on the way.",
    (_said.read_answer, "if name not in _BESIDE", 'if name in ("parts", "status", "error")'),
)
_trip(
    "texts-joined",
    "Joins texts on the way.",
    (
        _result_stream.ResultStream._take_mime,
        'self._next = mime, told.get("continues") is True',
        "self._next = _MARKDOWN, True",
    ),
)
