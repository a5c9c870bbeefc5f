"""docs/reference/, a page a package: every public name with its signature, its members and its whole docstring."""

from __future__ import annotations

import inspect
import re
import sys
from datetime import datetime, timedelta
from functools import cached_property
from textwrap import dedent
from typing import TYPE_CHECKING, Any, Final, get_args

import attrs

from tests.docs_links import slug
from tests.reference_docstrings import Docstring, read
from tests.reference_types import Names, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HINT: Final = {
    "Used": 'The answer to [`UseOnce`](#useonce): `"first"`, `"same"` or `"other"`.',
    "Code": "One of the keys of `CODES`, each a row of [errors.md](../errors.md).",
    "CODES": "Code → [`CodeInfo`](#codeinfo). The rows stand in [errors.md](../errors.md).",
    "ROUTE_TABLE": "The rows stand in [why notifications are so](../explanation/anp.md#three-flags).",
}
INTRO: Final = """\
<!-- Written by `python tests/regenerate.py reference`; the text stands in the docstrings. -->

# `{module}`

"""


def file_of(package: str) -> str:
    """The name of the page of a package."""
    return f"{package.replace('.', '-') or 'mentionable'}.md"


class Page:
    """The page of one package."""

    def __init__(
        self, names: Names, package: str, sections: dict[str, list[str]], lines: Callable[[str, str], str]
    ) -> None:
        self.names, self.package, self.sections, self.line_of = names, package, sections, lines
        self.module = sys.modules[f"mentionable.{package}".rstrip(".")]
        self.things = names.packages[package]
        self.at = ""
        self.used: dict[str | None, None] = {}

    @cached_property
    def anchors(self) -> dict[str, str]:
        """Name, or `Name.member` → its anchor on this page; a second heading of one slug is counted, as forges do."""
        found, taken = {}, {slug(self.module.__name__): 1}
        for title, names in self.sections.items():
            if title:
                taken[slug(title)] = 1
            for name in names:
                for key in [name, *(f"{name}.{member}" for member in self.methods(self.things.get(name)))]:
                    count = taken.get(slug(key), 0)
                    found[key] = slug(key) + (f"-{count}" if count else "")
                    taken[slug(key)] = count + 1
        return found

    @staticmethod
    def members(thing: object) -> dict[str, Any]:
        """The methods and properties of a class that everybody may use, those of its bases too."""
        if not inspect.isclass(thing):
            return {}
        bases = [base for base in reversed(thing.__mro__) if base.__module__.startswith("mentionable")]
        found = {name: member for base in bases for name, member in vars(base).items() if not name.startswith("_")}
        kinds = (property, classmethod, staticmethod, cached_property)
        return {
            name: member
            for name, member in found.items()
            if (isinstance(member, kinds) or inspect.isfunction(member)) and inspect.getdoc(member)
        }

    @classmethod
    def methods(cls, thing: object) -> dict[str, Any]:
        """The members that have an entry of their own: all but the properties that need few words."""
        return {name: member for name, member in cls.members(thing).items() if not is_plain(member)}

    def text(self, anchored: dict[str, Page]) -> str:
        """The whole page. `anchored` are the pages that it may link to."""
        self.pages = anchored
        blocks = [INTRO.format(module=self.module.__name__).rstrip("\n"), *self.documented(read(self.module), None)]
        for title, names in self.sections.items():
            blocks += [f"## {title}"] if title else []
            for name in names:
                blocks += self.entry(name, "###" if title else "##")
        return "\n\n".join(blocks) + "\n"

    def entry(self, name: str, mark: str) -> Iterator[str]:
        """One public name."""
        self.at, self.used = name, {}
        thing = self.things.get(name)
        yield f"{mark} `{name}`"
        if thing is None or not (inspect.isclass(thing) or inspect.isfunction(thing)):
            yield from self.constant(name, thing)
            return
        documentation = read(thing)
        if inspect.isfunction(thing) or self.is_called(thing):
            yield self.signature(name, thing)
        yield from self.bases(thing)
        yield from self.documented(documentation, thing)
        yield from self.types()
        for member, what in self.methods(thing).items():
            self.used = {}
            yield f"{mark}# `{name}.{member}`"
            yield self.member_signature(f"{name}.{member}", what)
            yield from self.documented(read(function_of(what)), None)
            yield from self.types()

    def types(self) -> Iterator[str]:
        """Where the types of a signature and of members stand."""
        linked = [self.linked(f"`{name}`") for name in self.used if name]
        found = [link for link in linked if link.startswith("[")]
        if found:
            yield f"**Types:** {', '.join(found)}"

    def constant(self, name: str, thing: object) -> Iterator[str]:
        """A union, a set of words, or a fixed value."""
        yield self.linked(self.line_of(self.module.__name__, name))
        if name in HINT:
            yield HINT[name]
        elif isinstance(thing, str) and name.isupper():
            yield f"```python\n{name} = {thing!r}\n```"
        elif isinstance(thing, timedelta | datetime):
            yield f"`{thing}`"
        elif isinstance(thing, tuple):
            yield "\n".join(f"- `{row}`" for row in thing)
        elif name == "Flow":
            yield f"```python\nFlow[A, R] = {thing}\n```"
        elif choices := self.choices(thing):
            yield "One of:"
            yield "\n".join(f"- {self.choice(each)}" for each in choices)

    def choices(self, thing: Any) -> tuple[Any, ...]:
        """The ways of a union, also of one that is written as text because its classes are loaded late."""
        if not isinstance(thing, str):
            return get_args(thing)
        known = {name: each for package in self.pages.values() for name, each in package.things.items()}
        return tuple(known[word] for word in thing.split(" | "))

    def choice(self, each: Any) -> str:
        """One way of a union: a class with its link, or a word."""
        if inspect.isclass(each):
            shown = self.names.shown(each, self.package) or each.__name__
            return self.linked(f"`{shown}`") + f": {self.linked(read(each).prose.split(chr(10) * 2)[0])}"
        return f"`{each!r}`"

    @staticmethod
    def is_called(thing: Any) -> bool:
        """Whether a class is made by positional arguments that its fields do not tell."""
        if attrs.has(thing) or issubclass(thing, BaseException | tuple) or getattr(thing, "_is_protocol", False):
            return False
        return any("__init__" in vars(base) or "__new__" in vars(base) for base in thing.__mro__[:-1])

    def bases(self, thing: Any) -> Iterator[str]:
        """What a class is a kind of, where that is public too."""
        above = thing.__mro__[1:] if inspect.isclass(thing) else ()
        shown = [name for base in above if (name := self.names.shown(base, self.package))]
        if inspect.isclass(thing) and issubclass(thing, BaseException) and issubclass(thing, ValueError):
            shown.append("ValueError")
        if shown:
            yield f"A kind of {self.linked(', '.join(f'`{name}`' for name in shown))}."

    def typed(self, annotation: Any, module: str) -> tuple[str, list[str]]:
        """A type as text, and the rules on top of it."""
        text, rules, used = readable(annotation, self.names, self.package, module)
        self.used |= {self.names.shown(thing, self.package): None for thing in used}
        return text.replace("Literal[Unset.UNSET]", "UNSET"), [rule for rule in rules if rule != "a string"]

    def signature(self, name: str, function: Any) -> str:
        """How it is called: on one line where that is short, else a line for each argument."""
        made = function.__init__ if inspect.isclass(function) and "__init__" in vars(function) else function
        described = inspect.signature(made)
        module = function.__module__
        is_bound = inspect.isclass(function) or "." in name
        words, starred = [], False
        for parameter in described.parameters.values():
            if is_bound and parameter.name in ("self", "cls"):
                continue
            starred = self.star(parameter, words, starred=starred)
            words.append(self.argument(parameter, module))
        end = described.return_annotation
        is_silent = inspect.isclass(function) or end is inspect.Signature.empty
        gives = "" if is_silent else f" -> {self.typed(end, module)[0]}"
        prefix = "async " if inspect.iscoroutinefunction(function) else ""
        short = f"{prefix}{name}({', '.join(words)}){gives}"
        if len(short) > 88:
            short = f"{prefix}{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){gives}"
        return f"```python\n{short}\n```"

    @staticmethod
    def star(parameter: inspect.Parameter, words: list[str], *, starred: bool) -> bool:
        """Writes the lone `*` before the first argument that only has a name."""
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            words.append("*")
        return starred or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)

    def argument(self, parameter: inspect.Parameter, module: str) -> str:
        """One argument with its type and default."""
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        text = stars + parameter.name
        if parameter.annotation is not parameter.empty:
            text += f": {self.typed(parameter.annotation, module)[0]}"
        return text if parameter.default is parameter.empty else f"{text} = {self.default(parameter.default)}"

    def default(self, value: Any) -> str:
        """A default under the name that its class has on this page."""
        name, text = type(value).__name__, default_of(value)
        named = self.names.shown(type(value), self.package) if text.startswith(f"{name}(") else None
        return text if named is None else named + text.removeprefix(name)

    def member_signature(self, name: str, member: Any) -> str:
        """How a member of a class is used."""
        if isinstance(member, property | cached_property):
            return f"```python\n{name}: {self.given(member)}\n```"
        return self.signature(name, function_of(member))

    def given(self, member: Any) -> str:
        """The type of a property."""
        function = function_of(member)
        return self.typed(function.__annotations__["return"], function.__module__)[0]

    def properties(self, thing: Any) -> list[str]:
        """The properties that need few words."""
        found = {name: member for name, member in self.members(thing).items() if is_plain(member)}
        return [
            f"- `{name}` (`{self.given(member)}`): {self.linked(' '.join(read(member).prose.split()))}"
            for name, member in found.items()
        ]

    def documented(self, told: Docstring, thing: Any) -> Iterator[str]:
        """The docstring, section by section."""
        if told.prose:
            yield self.linked(told.prose)
        if "Note" in told.sections:
            yield f"**Note:** {self.linked(told.sections['Note'])}"
        yield from self.list_of("Arguments", self.arguments(told))
        yield from self.list_of("Members", self.fields(thing))
        yield from self.list_of("Properties", self.properties(thing))
        if "Returns" in told.sections:
            yield f"**Returns:** {self.linked(told.sections['Returns'])}"
        raised = [f"- {self.linked(f'`{name}`')}: {self.linked(text)}" for name, text in told.parts("Raises")]
        yield from self.list_of("Raises", raised)
        if "Spec" in told.sections:
            yield f"**Specification:** {told.sections['Spec']}"
        if "Example" in told.sections:
            kind = "pycon" if ">>>" in told.sections["Example"] else "text"
            yield f"**Example:**\n\n```{kind}\n{told.sections['Example']}\n```"

    @staticmethod
    def list_of(title: str, rows: list[str]) -> Iterator[str]:
        if rows:
            yield f"**{title}:**"
            yield "\n".join(rows)

    def arguments(self, told: Docstring) -> list[str]:
        """The arguments that the docstring tells of."""
        return [f"- `{name}`: {self.linked(text)}" for name, text in told.items("Args").items()]

    def fields(self, thing: Any) -> list[str]:
        """The members of a value: type, default, what they mean, and the rule that they obey."""
        if not inspect.isclass(thing):
            return []
        texts = {"extra": "Members that this version does not know."}
        for base in reversed(thing.__mro__):
            texts |= read(base).items("Attributes") if base.__module__.startswith("mentionable") else {}
        annotations = {
            name: (kind, base.__module__)
            for base in reversed(thing.__mro__)
            if base.__module__.startswith("mentionable")
            for name, kind in vars(base).get("__annotations__", {}).items()
            if not name.startswith("_") and (name in texts or "ClassVar" not in str(kind) or "Literal" in str(kind))
        }
        if "extra" not in annotations:
            del texts["extra"]
        defaults = defaults_of(thing)
        return [
            self.field(name, *annotations.get(name, ("", "")), texts.get(name, ""), defaults.get(name, ""))
            for name in ordered([*texts, *annotations], [*defaults])
        ]

    def field(self, name: str, annotation: Any, module: str, text: str, default: str) -> str:
        """One member."""
        if not annotation:
            return f"- `{name}`: {self.linked(text)}"
        kind, rules = self.typed(annotation, module)
        if kind.startswith("ClassVar[Literal["):
            return f"- `{name}`: always `{kind[len('ClassVar[Literal[') : -2]}`."
        kind = kind.removeprefix("ClassVar[").removesuffix("]") if kind.startswith("ClassVar[") else kind
        rule = f" Must be {' or '.join(dict.fromkeys(rules))}." if rules else ""
        linked = self.linked(f"`{kind}`")
        if linked.startswith("["):
            self.used.pop(kind, None)
        head = f"- `{name}` ({linked}{f', default `{default}`' if default else ''})"
        return f"{head}: {self.linked(text)}{rule}".rstrip(": ") if text or rule else f"{head}"

    def linked(self, text: str) -> str:
        """Text in which public names between backticks lead to their entries; in blocks of code nothing does."""
        text = re.sub(r"(?m)^ *>>>.*(?:\n(?! *$).*)*", lambda block: f"```pycon\n{dedent(block[0])}\n```", text)
        outside = re.split(r"(?ms)^(```.*?^```$)", text)
        return "".join(
            piece if at % 2 else re.sub(r"(?<!\[)`([A-Za-z_][\w.]*)`(?!\])", self.link, piece)
            for at, piece in enumerate(outside)
        )

    def link(self, found: re.Match[str]) -> str:
        """The link of a name, where it has an entry that is not this one."""
        for package, local in self.ways(found[1]):
            page = self.pages[package]
            words = local.split(".")
            for key in (".".join(words[:2]), words[0]):
                if key in page.anchors and (package, words[0]) != (self.package, self.at):
                    where = "" if package == self.package else file_of(package)
                    return f"[{found[0]}]({where}#{page.anchors[key]})"
                if key in page.anchors:
                    return found[0]
        return found[0]

    def ways(self, name: str) -> Iterator[tuple[str, str]]:
        """Which entries a name may mean, the nearest first: of this package, of all, of a package that it names."""
        if not name.startswith("mentionable."):
            yield self.package, name
        name = name.removeprefix("mentionable.")
        if "." in name or name[0].isupper() or "_" in name:
            yield "", name
        for package in self.pages:
            short = package.rpartition(".")[2]
            if package and name.startswith((f"{package}.", f"{short}.")):
                yield package, name.removeprefix(f"{package}.").removeprefix(f"{short}.")


def function_of(member: Any) -> Any:
    """The function behind a method or a property."""
    if isinstance(member, property):
        return member.fget
    return getattr(member, "func", getattr(member, "__func__", member))


def is_plain(member: Any) -> bool:
    """Whether a property has neither errors nor an example, so that one line tells it."""
    if not isinstance(member, property | cached_property):
        return False
    told = read(function_of(member))
    return not told.sections and "\n\n" not in told.prose


def ordered(named: list[str], first: list[str]) -> list[str]:
    """Members in the order in which the class has them, then the others; each once."""
    return list(dict.fromkeys([*(name for name in first if name in named), *named]))


def default_of(value: Any) -> str:
    """A default as a reader would write it."""
    if inspect.isclass(value) or inspect.isfunction(value):
        return "..." if value.__name__.startswith("_") else str(value.__name__)
    return re.sub(r"\b_?[a-z_]+\.(?=[A-Z])|\bdatetime\.(?=datetime|time)", "", repr(value))


def defaults_of(thing: Any) -> dict[str, str]:
    """Member → its default as text; empty where it must be given. In the order in which the class has them."""
    if issubclass(thing, tuple) and hasattr(thing, "_fields"):
        return {
            name: default_of(thing._field_defaults[name]) if name in thing._field_defaults else ""
            for name in thing._fields
        }
    if not attrs.has(thing):
        return {}
    found = {}
    for member in attrs.fields(thing):
        value: Any = member.default
        if isinstance(value, attrs.Factory):  # type: ignore[arg-type]
            value = value.factory() if not value.takes_self else ...
        found[member.name.lstrip("_")] = "" if value is attrs.NOTHING else default_of(value)
    return {name: text for name, text in found.items() if name}
