"""The check of a member against its annotation, when a program makes a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias, get_origin

from .._errors.exceptions import UsageError
from .._wire.strict_json import is_text, plain
from .annotation import LEAVES, InvalidMember, Rule, Visitor, visit

Check: TypeAlias = "Callable[[Any], Any]"
"""Returns the member, maybe as a plain copy, or raises `InvalidMember`."""


@cache
def check_of(form: Any) -> Check:
    """The check that an annotation asks for."""
    return visit(form, _CHECKS)


class _Checks(Visitor[Check]):
    def json(self) -> Check:
        return check_json

    def leaf(self, kind: type) -> Check:
        return _check_text if kind is str else _instance((kind,))

    def literal(self, allowed: tuple[Any, ...]) -> Check:
        words = " or ".join(repr(item) for item in allowed)

        def check(member: Any) -> Any:
            if any(member.__class__ is item.__class__ and member == item for item in allowed):
                return member
            raise InvalidMember(f"expected {words}")

        return check

    def ruled(self, base: Any, rule: Rule) -> Check:
        check_base, normal = check_of(base), rule.read if rule.is_normal else None

        def check(member: Any) -> Any:
            fit = check_base(member)
            if not rule.fits(fit):
                raise InvalidMember(f"expected {rule.words}")
            return fit if normal is None else normal(fit)

        return check

    def union(self, options: tuple[Any, ...], *, is_optional: bool) -> Check:
        """The first option that fits; of a union of classes only one can."""
        are_classes = all(isinstance(option, type) and option not in LEAVES for option in options)
        checks = [_instance(options)] if are_classes else [check_of(option) for option in options]

        def check(member: Any) -> Any:
            if member is None and is_optional:
                return None
            reasons = []
            for check_option in checks:
                try:
                    return check_option(member)
                except InvalidMember as error:
                    reasons.append(str(error))
            raise InvalidMember(reasons[0] if len(reasons) == 1 else " or ".join(dict.fromkeys(reasons)))

        return check

    def array(self, item: Any) -> Check:
        check_item = check_of(item)

        def check(member: Any) -> Any:
            if not isinstance(member, tuple):
                raise InvalidMember(f"expected a tuple, not {_name(member)}")
            fit = []
            for index, one in enumerate(member):
                try:
                    fit.append(check_item(one))
                except InvalidMember as error:
                    raise InvalidMember(f"[{index}]: {error}") from None
            return member if all(a is b for a, b in zip(fit, member, strict=True)) else tuple(fit)

        return check

    def mapping(self, item: Any) -> Check:
        check_item = None if item is Any else check_of(item)

        def check(member: Any) -> Any:
            if not isinstance(member, Mapping):
                raise InvalidMember(f"expected an object, not {_name(member)}")
            if check_item is None:
                return check_json(member)
            return {_check_text(name): check_item(one) for name, one in member.items()}

        return check

    def other(self, form: Any) -> Check:
        return _check_function if get_origin(form) is Callable else _instance((form,))


_CHECKS: Final = _Checks()


def check_json(member: Any) -> Any:
    """A plain copy of any JSON.

    Raises:
        InvalidMember: It is no JSON.
    """
    try:
        return plain(member)
    except UsageError as error:
        raise InvalidMember(f"expected JSON: {error}") from None


def _check_text(member: Any) -> Any:
    if not isinstance(member, str):
        raise InvalidMember(f"expected a string, not {_name(member)}")
    if not is_text(member):
        raise InvalidMember("expected text without lone surrogates")
    return member


def _check_function(member: Any) -> Any:
    if not callable(member):
        raise InvalidMember(f"expected a function, not {_name(member)}")
    return member


def _instance(kinds: tuple[Any, ...]) -> Check:
    """An instance of one of several classes; True is no integer."""
    names = [LEAVES.get(kind, kind.__name__) for kind in kinds]
    words = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
    is_exact = kinds[0] in LEAVES

    def check(member: Any) -> Any:
        if member.__class__ in kinds or (not is_exact and isinstance(member, kinds)):
            return member
        raise InvalidMember(f"expected {words}, not {_name(member)}")

    return check


def _name(member: object) -> str:
    return "None" if member is None else type(member).__name__
