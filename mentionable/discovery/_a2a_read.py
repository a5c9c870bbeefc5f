"""Reading A2A cards: v0.3, v1.0, and documents that are both.

ProtoJSON leaves out what is empty and accepts names in both spellings, so what a version requires may be missing here,
and `null` is absence. Types are strict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .._errors.exceptions import Problem, WireError, wire_error
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.codec import Decoded
from .._model.diagnostic import Diagnostic
from .._wire.strict_json import pointer, without_null
from ._a2a_card import A2ACard
from ._a2a_names import CAMEL, SNAKE, TOP_LEVEL_ALIKE, WRAPPERS
from ._agent_card import card_document
from ._documents import decoded

Json = dict[str, Any]

_TYPES: Final[Mapping[str, str]] = {wrapper: kind for kind, wrapper in WRAPPERS.items()}
_POINTERS: Final[Mapping[str, str]] = {**CAMEL, "interfaces": "supportedInterfaces"}
_EMPTY: Final[Mapping[str, str | list[Any]]] = {
    "description": "",
    "version": "",
    "default_input_modes": [],
    "default_output_modes": [],
}


def is_a2a_card(document: Mapping[str, Any]) -> bool:
    """Whether an object has what tells an A2A card: its interfaces (v1.0), or a URL with a version (v0.3)."""
    return "supportedInterfaces" in document or ("url" in document and "protocolVersion" in document)


def read_a2a_card(document: bytes | Mapping[str, Any], *, settings: Settings = DEFAULTS) -> A2ACard:
    """Read an A2A card of v0.3, of v1.0, or a document that is both. Unknown members are in `extra`.

    Where a document is both, v1.0 counts; the one URL of v0.3 comes last, unless it is listed already. Reading verifies
    nothing: a signed card is read by `verify_card`, which returns only what is signed.

    Args:
        document: The card, as bytes or as a JSON parser returned it.
        settings: Limits.

    Raises:
        WireError: `malformed` with every fault and its place, or why it is no strict JSON.

    Spec: A2A 1.0 §4.4.1, A2A 0.3 §5.5.

    Example:
        >>> card = {"name": "Helper", "url": "https://agents.example/a2a", "protocolVersion": "0.3.0"}
        >>> read_a2a_card(card).interfaces
        (A2AInterface(url='https://agents.example/a2a', protocol_binding='JSONRPC', protocol_version='0.3.0'),)
    """
    check_settings(settings)
    return decode_a2a_card(card_document(document, settings), lenient=False).value


def decode_a2a_card(document: Json, *, lenient: bool) -> Decoded[A2ACard]:
    """Decode the A2A card in a JSON object. Where `lenient`, leave out what is malformed and may be missing.

    Raises:
        WireError: `malformed`, `duplicate-member`.
    """
    # 1. rename the members             4. move the security requirements and schemes
    # 2. join the interfaces            5. rename the members of the skills
    # 3. move the capabilities          6. decode, with pointers by the names of the wire
    # A fault that costs an optional member alone raises when its step ends, unless the reading is lenient.

    # 1.
    card = _members({name: member for name, member in document.items() if name not in TOP_LEVEL_ALIKE}, "")

    # 2.
    listed = _each(card.pop("supported_interfaces", None), "/supportedInterfaces", _members)
    known = set(map(_identity, listed))
    card["interfaces"] = listed + [one for one in _legacy_interfaces(card) if _identity(one) not in known]

    # 3.
    card["capabilities"], faults = _capabilities(card.get("capabilities", {}))
    diagnostics = _dropped(faults, lenient=lenient)
    pointers: dict[str, str] = {}
    extended = card.pop("supports_authenticated_extended_card", None)
    if extended is not None and "extended_agent_card" not in card["capabilities"]:
        card["capabilities"]["extended_agent_card"] = extended
        pointers["/capabilities/extended_agent_card"] = "/supportsAuthenticatedExtendedCard"

    # 4.
    _move_security(card, "")
    if "security_schemes" in card:
        card["security_schemes"] = _schemes(card["security_schemes"])

    # 5.
    card["skills"], faults = _skills(card.get("skills", []))
    diagnostics += _dropped(faults, lenient=lenient)

    # 6.
    def on_the_wire(problem: Problem) -> Problem:
        tokens = [_POINTERS.get(token, token) for token in problem.at.split("/")]
        return Problem(pointers.get(problem.at) or "/".join(tokens), problem.rule)

    card |= {name: document[name] for name in TOP_LEVEL_ALIKE if name in document}
    value, more = decoded(A2ACard, {**_EMPTY, **card}, lenient=lenient, on_the_wire=on_the_wire)
    return Decoded(value, diagnostics + more)


def _dropped(faults: list[WireError], *, lenient: bool) -> tuple[Diagnostic, ...]:
    """Diagnostics for what was left out for these faults. Raises the first where nothing may be left out."""
    if not faults:
        return ()
    if not lenient:
        raise faults[0]
    problems = [fault.problems[0] for fault in faults]
    return tuple([Diagnostic(code="member-dropped", at=at, detail=rule) for at, rule in problems])


def _split_members(value: Any, at: str) -> tuple[Json, list[WireError]]:
    """The members of an object by their names here, without those that are null or in both spellings.

    A member in both spellings is ambiguous, so neither counts; each such member is a fault.
    """
    if value.__class__ is not dict:
        raise wire_error("malformed", at, "expected an object")
    members: Json = {}
    repeated: dict[str, WireError] = {}
    for name, member in value.items():
        own = SNAKE.get(name, name)
        if own in members:
            repeated[own] = wire_error("duplicate-member", at + pointer(name), "the same member in both spellings")
        if member is not None:
            members[own] = member
    for own in repeated:
        members.pop(own, None)
    return members, [*repeated.values()]


def _members(value: Any, at: str) -> Json:
    """The members of an object by their names here, without those that are null.

    Raises:
        WireError: `malformed`, `duplicate-member`.
    """
    members, faults = _split_members(value, at)
    if faults:
        raise faults[0]
    return members


def _each(value: Any, at: str, read: Callable[[Any, str], Json]) -> list[Json]:
    """Every object of an array; nothing for an array that is absent."""
    if value is None:
        return []
    if value.__class__ is not list:
        raise wire_error("malformed", at, "expected an array")
    return [read(item, f"{at}/{index}") for index, item in enumerate(value)]


def _legacy_interfaces(card: Json) -> list[Json]:
    """The interfaces that v0.3 names. Their members are taken out of the card."""
    url, version = card.pop("url", None), card.pop("protocol_version", "0.3.0")
    transport = card.pop("preferred_transport", "JSONRPC")
    others = _each(card.pop("additional_interfaces", None), "/additionalInterfaces", _members)
    listed = [] if url is None else [{"url": url, "protocol_binding": transport, "protocol_version": version}]
    for other in others:
        binding = {"protocol_binding": other.pop("transport")} if "transport" in other else {}
        listed.append({"protocol_version": version, **other, **binding})
    distinct: dict[tuple[str, str, str], Json] = {}
    for interface in listed:
        distinct.setdefault(_identity(interface), interface)
    return list(distinct.values())


def _identity(interface: Json) -> tuple[str, str, str]:
    """What makes two interfaces the same: URL, binding and the version up to its patch."""
    names = ("url", "protocol_binding", "protocol_version")
    url, binding, version = [str(interface.get(name)) for name in names]
    return url, binding, version[:3]


def _capabilities(value: Any) -> tuple[Json, list[WireError]]:
    """The capabilities by their names here, none where they are malformed, and why."""
    try:
        capabilities, faults = _split_members(value, "/capabilities")
    except WireError as error:
        return {}, [error]
    extensions = capabilities.get("extensions")
    if extensions.__class__ is list:
        capabilities["extensions"] = [without_null(one) if one.__class__ is dict else one for one in extensions]
    return capabilities, faults


def _skills(value: Any) -> tuple[Any, list[WireError]]:
    """The skills by their names here, and their faults. An entry that is no object stays, for decoding to reject."""
    if value.__class__ is not list:
        return value, []
    skills, faults = [], []
    for index, skill in enumerate(value):
        if skill.__class__ is dict:
            skill, odd = _skill(skill, f"/skills/{index}")
            faults += odd
        skills.append(skill)
    return skills, faults


def _skill(value: Json, at: str) -> tuple[Json, list[WireError]]:
    skill, faults = _split_members(value, at)
    try:
        _move_security(skill, at)
    except WireError as error:
        faults.append(error)
    return {"description": "", "tags": [], **skill}, faults


def _move_security(holder: Json, at: str) -> None:
    """Puts what callers need in one place, each as scheme → scopes: v1.0 counts."""
    newer = holder.pop("security_requirements", None)
    if newer is not None:
        holder["security"] = _each(newer, f"{at}/securityRequirements", _requirement)


def _requirement(value: Any, at: str) -> Json:
    schemes = _members(value, at).get("schemes", {})
    if schemes.__class__ is not dict:
        raise wire_error("malformed", f"{at}/schemes", "expected an object")
    return {name: _members(scopes, at).get("list", []) for name, scopes in schemes.items()}


def _schemes(value: Any) -> Json:
    if value.__class__ is not dict:
        raise wire_error("malformed", "/securitySchemes", "expected an object")
    return {name: _scheme(scheme, "/securitySchemes" + pointer(name)) for name, scheme in value.items()}


def _scheme(value: Any, at: str) -> Json:
    """A security scheme in the form of v0.3. v1.0 has it in the one object that a member named after its type holds."""
    if value.__class__ is not dict:
        raise wire_error("malformed", at, "expected an object")
    scheme = without_null(value)
    kind = scheme.get("type")
    wrapped = [name for name in scheme if name in _TYPES]
    if not wrapped and (kind is None or scheme.get(str(kind)).__class__ is dict):
        wrapped = [str(kind)] if kind is not None else list(scheme)  # a type that this version does not know
    elif not wrapped:
        return _with_location(scheme, at)
    if len(wrapped) != 1 or scheme[wrapped[0]].__class__ is not dict:
        raise wire_error("malformed", at, "expected one security scheme")
    (wrapper,) = wrapped
    members = without_null(scheme.pop(wrapper))
    return {**scheme, **_with_location({**members, "type": _TYPES.get(wrapper, wrapper)}, at)}


def _with_location(scheme: Json, at: str) -> Json:
    """A scheme with the location of its key as `in`, its name in v0.3; v1.0 has `location`."""
    if scheme.get("type") != "apiKey" or "location" not in scheme:
        return scheme
    location = scheme.pop("location")
    if scheme.setdefault("in", location) != location:
        raise wire_error("malformed", f"{at}/location", "in and location are the same member")
    return scheme
