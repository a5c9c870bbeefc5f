"""Reading A2A cards: v0.3, v1.0, and documents that are both.

ProtoJSON leaves out what is empty and takes names in both spellings, so what a version requires may be missing here,
and `null` means that nothing is there. Types are strict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from .._errors.exceptions import DecodeError, Problem, WireError, wire_error
from .._flow.settings import DEFAULTS, Settings, check_settings
from .._model.base import replace
from .._model.codec import decode_parsed
from .._model.diagnostic import Diagnostic
from .._wire.strict_json import pointer
from ._a2a_card import A2ACard
from ._a2a_names import CAMEL, SNAKE, TOP_LEVEL_ALIKE, WRAPPERS
from ._agent_card import card_document

Json = dict[str, Any]

_TYPES: Final[Mapping[str, str]] = {wrapper: kind for kind, wrapper in WRAPPERS.items()}

_POINTERS: Final[Mapping[str, str]] = {**CAMEL, "interfaces": "supportedInterfaces"}


def is_a2a_card(document: Mapping[str, Any]) -> bool:
    """Whether an object has what tells an A2A card: its interfaces (v1.0), or a URL with a version (v0.3)."""
    return "supportedInterfaces" in document or ("url" in document and "protocolVersion" in document)


def read_a2a_card(document: bytes | Mapping[str, Any], *, settings: Settings = DEFAULTS) -> A2ACard:
    """The A2A card in a document of v0.3, of v1.0 or of both; what this version does not know is kept in `extra`.

    Where a document is both, v1.0 counts; the one URL of v0.3 comes last, unless it is listed already. Nothing is shown
    by reading: a signed card is read by `verify_card`, which gives only what is signed.

    Args:
        document: The card, as bytes or as a JSON parser gave it.
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
    return a2a_card_in(document, settings, None)


def a2a_card_in(document: bytes | Mapping[str, Any], settings: Settings, notes: list[Diagnostic] | None) -> A2ACard:
    """As `read_a2a_card`; with `notes`, as `read_leniently`: they take what is left out."""
    return card_of(card_document(document, settings), notes)


def card_of(document: Json, notes: list[Diagnostic] | None = None) -> A2ACard:
    """The card in an object; `notes` as for `read_a2a_card`.

    Raises:
        WireError: `malformed`, `duplicate-member`.
    """
    whole = _own({name: member for name, member in document.items() if name not in TOP_LEVEL_ALIKE}, "")
    v1, v03 = whole.pop("supported_interfaces", None), _legacy(whole)
    listed = _each(v1, "/supportedInterfaces", _own)
    known = set(map(_mark, listed))
    whole["interfaces"] = listed + [one for one in v03 if _mark(one) not in known]
    pointers = _move_capabilities(whole, notes)
    _move_security(whole, "")
    if "security_schemes" in whole:
        whole["security_schemes"] = _schemes(whole["security_schemes"])
    skills = whole.get("skills", [])
    whole["skills"] = _objects(skills, "/skills", lambda skill, at: _skill(skill, at, notes))
    whole.update({name: member for name, member in document.items() if name in TOP_LEVEL_ALIKE})
    for name, empty in (
        ("description", ""),
        ("version", ""),
        ("default_input_modes", []),
        ("default_output_modes", []),
    ):
        whole.setdefault(name, empty)
    found: list[Diagnostic] | None = None if notes is None else []
    try:
        card = decode_parsed(A2ACard, whole, notes=found)
    except DecodeError as error:
        problems = [Problem(_on_the_wire(at, pointers), rule) for at, rule in error.problems]
        raise DecodeError("malformed", problems) from None
    if notes is not None:
        notes += [replace(note, at=_on_the_wire(note.at, pointers)) for note in found or ()]
    return card


def _move_capabilities(whole: Json, notes: list[Diagnostic] | None) -> Mapping[str, str]:
    """Puts what the agent can do in one place. Gives the pointers of members that were elsewhere."""
    capabilities, at = whole.get("capabilities", {}), "/capabilities"
    try:
        capabilities = _own(capabilities, at, notes)
    except WireError as error:
        _leave_out(error, notes)
        capabilities = {}
    whole["capabilities"] = capabilities
    if "extensions" in capabilities:
        capabilities["extensions"] = _objects(capabilities["extensions"], f"{at}/extensions", _without_null)
    extended = whole.pop("supports_authenticated_extended_card", None)
    if extended is None or "extended_agent_card" in capabilities:
        return {}
    capabilities["extended_agent_card"] = extended
    return {f"{at}/extended_agent_card": "/supportsAuthenticatedExtendedCard"}


def _leave_out(error: WireError, notes: list[Diagnostic] | None) -> None:
    """Notes that something was left out for a fault; raises it where nothing may be, or where it is another fault."""
    if notes is None or error.code not in ("malformed", "duplicate-member"):
        raise error
    at, rule = error.problems[0]
    notes.append(Diagnostic(code="member-dropped", at=at, detail=rule))


def _on_the_wire(at: str, pointers: Mapping[str, str]) -> str:
    """A pointer by the names of the wire."""
    return pointers.get(at) or "/".join([_POINTERS.get(token, token) for token in at.split("/")])


def _objects(found: Any, at: str, read: Callable[[Any, str], Json]) -> Any:
    """The objects of an array by their names here. What is none stays, for `decode` to find fault with."""
    if found.__class__ is not list:
        return found
    return [read(one, f"{at}/{index}") if one.__class__ is dict else one for index, one in enumerate(found)]


def _own(found: Any, at: str, notes: list[Diagnostic] | None = None) -> Json:
    """The members of an object by their names here, without those that are null.

    Where `notes` takes it, a member in both spellings costs itself: nobody knows which of them counts.
    """
    if found.__class__ is not dict:
        raise wire_error("malformed", at, "expected an object")
    own: Json = {}
    doubled = set()
    for name, member in found.items():
        known = SNAKE.get(name, name)
        if known in own:
            _leave_out(wire_error("duplicate-member", at + pointer(name), "the same member in both spellings"), notes)
            doubled.add(known)
        if member is not None:
            own[known] = member
    return {name: member for name, member in own.items() if name not in doubled} if doubled else own


def _without_null(found: Json, _: str) -> Json:
    """The members of an object whose names are the same here and on the wire."""
    return {name: member for name, member in found.items() if member is not None}


def _each(found: Any, at: str, read: Callable[[Any, str], Json]) -> list[Json]:
    """Every object of an array; nothing for what is not there."""
    if found is None:
        return []
    if found.__class__ is not list:
        raise wire_error("malformed", at, "expected an array")
    return [read(item, f"{at}/{index}") for index, item in enumerate(found)]


def _legacy(whole: Json) -> list[Json]:
    """The interfaces that v0.3 names, taken out of a card."""
    url, version = whole.pop("url", None), whole.pop("protocol_version", "0.3.0")
    transport = whole.pop("preferred_transport", "JSONRPC")
    others = _each(whole.pop("additional_interfaces", None), "/additionalInterfaces", _own)
    first = [] if url is None else [{"url": url, "protocol_binding": transport, "protocol_version": version}]
    found = {_mark(one): one for one in first}
    for other in others:
        binding = {"protocol_binding": other.pop("transport")} if "transport" in other else {}
        one = {"protocol_version": version, **other, **binding}
        found.setdefault(_mark(one), one)
    return list(found.values())


def _mark(one: Json) -> tuple[str, str, str]:
    """What makes two interfaces the same: URL, binding and the version up to its patch."""
    return str(one.get("url")), str(one.get("protocol_binding")), str(one.get("protocol_version"))[:3]


def _skill(found: Any, at: str, notes: list[Diagnostic] | None) -> Json:
    skill = _own(found, at, notes)
    try:
        _move_security(skill, at)
    except WireError as error:
        _leave_out(error, notes)
    skill.setdefault("description", "")
    skill.setdefault("tags", [])
    return skill


def _move_security(holder: Json, at: str) -> None:
    """Puts what callers need in one place, each as scheme → scopes: v1.0 counts."""
    newer = holder.pop("security_requirements", None)
    if newer is not None:
        holder["security"] = _each(newer, f"{at}/securityRequirements", _requirement)


def _requirement(found: Any, at: str) -> Json:
    schemes = _own(found, at).get("schemes", {})
    if schemes.__class__ is not dict:
        raise wire_error("malformed", f"{at}/schemes", "expected an object")
    return {name: _own(scopes, at).get("list", []) for name, scopes in schemes.items()}


def _schemes(found: Any) -> Json:
    if found.__class__ is not dict:
        raise wire_error("malformed", "/securitySchemes", "expected an object")
    return {name: _scheme(scheme, "/securitySchemes" + pointer(name)) for name, scheme in found.items()}


def _scheme(found: Any, at: str) -> Json:
    """A security scheme in the form of v0.3. One of v1.0 is the one object that a member named after its type holds."""
    if found.__class__ is not dict:
        raise wire_error("malformed", at, "expected an object")
    scheme = _without_null(found, at)
    kind = scheme.get("type")
    wrapped = [name for name in scheme if name in _TYPES]
    if not wrapped and (kind is None or scheme.get(str(kind)).__class__ is dict):
        wrapped = [str(kind)] if kind is not None else list(scheme)  # a type that this version does not know
    elif not wrapped:
        return _with_place(scheme, at)
    if len(wrapped) != 1 or scheme[wrapped[0]].__class__ is not dict:
        raise wire_error("malformed", at, "expected one security scheme")
    (wrapper,) = wrapped
    members = _without_null(scheme.pop(wrapper), at)
    kind = _TYPES.get(wrapper, wrapper)
    return {**scheme, **_with_place({**members, "type": kind}, at)}


def _with_place(scheme: Json, at: str) -> Json:
    """A scheme of a key whose place has the name of v0.3, `in`; v1.0 has `location`."""
    if scheme.get("type") != "apiKey" or "location" not in scheme:
        return scheme
    place = scheme.pop("location")
    if scheme.setdefault("in", place) != place:
        raise wire_error("malformed", f"{at}/location", "in and location are the same member")
    return scheme
