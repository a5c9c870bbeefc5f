"""Annotations as readers of docs/reference/ see them: public names, and what private aliases stand for."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final, ForwardRef, Literal, TypeVar, get_args, get_origin

from mentionable._model.annotation import Rule

OPAQUE: Final = {"Any", "Callable", "ClassVar", "Literal", "Self", "TypeForm"}


class Names:
    """Every public name: which package has it, and where its entry stands."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self.packages: dict[str, dict[str, object]] = {}
        self._of: dict[int, list[tuple[str, str]]] = {}
        for package in ("", *packages):
            module = import_module(f"mentionable.{package}".rstrip("."))
            self.packages[package] = {name: getattr(module, name) for name in module.__all__ if name != "strategies"}
            for name, thing in self.packages[package].items():
                if not inspect.ismodule(thing):
                    self._of.setdefault(id(thing), []).append((package, name))

    def shown(self, thing: object, package: str) -> str | None:
        """How a page of `package` names a public thing; None for what is not public."""
        places = dict(self._of.get(id(thing), []))
        if package in places:
            return places[package]
        if "" in places:
            is_clear = self.packages[package].get(places[""], thing) is thing
            return places[""] if is_clear else f"mentionable.{places['']}"
        return next((f"{other}.{name}" for other, name in places.items()), None)


@cache
def imports(module: str) -> dict[str, tuple[str, str]]:
    """What a module imports by name, also for type checkers alone: local name → (module, name there)."""
    source = sys.modules[module]
    package = module if hasattr(source, "__path__") else module.rpartition(".")[0]
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(source))):
        if isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            origin = ".".join(part for part in (base, node.module) if part)
            found |= {alias.asname or alias.name: (origin, alias.name) for alias in node.names}
    return found


def looked_up(name: str, module: str) -> tuple[object, str] | None:
    """What a name of a module means, and the module that defines it."""
    if name in imports(module):
        origin, there = imports(module)[name]
        if origin.startswith("mentionable"):
            return looked_up(there, import_module(origin).__name__) or (getattr(import_module(origin), there), origin)
    return (vars(sys.modules[module])[name], module) if name in vars(sys.modules[module]) else None


class Readable(ast.NodeTransformer):
    """Puts public names, or what they stand for, in the place of private ones."""

    def __init__(self, names: Names, package: str, module: str) -> None:
        self.names, self.package, self.module = names, package, module
        self.rules: list[str] = []
        self.used: list[object] = []

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = looked_up(node.id, self.module) if node.id not in OPAQUE else None
        return node if found is None else self.replaced(node, *found)

    def replaced(self, node: ast.Name, thing: object, module: str) -> ast.expr:
        """What stands for a name that was looked up."""
        shown = self.names.shown(thing, self.package)
        if shown is not None:
            self.used.append(thing)
            return ast.parse(shown, mode="eval").body
        if isinstance(thing, TypeVar):
            return ast.Name(node.id.lstrip("_"))
        if not module.startswith("mentionable"):
            return node
        if inspect.isclass(thing):
            return ast.Name(thing.__name__)
        if thing is Any:
            return ast.Name("Any")
        self.rules += [rule.words for rule in get_args(thing)[1:] if isinstance(rule, Rule)]
        return self.spelt_out(thing, module)

    def spelt_out(self, alias: Any, module: str) -> ast.expr:
        """What an alias of another module stands for."""
        inner = Readable(self.names, self.package, module)
        inner.rules, inner.used = self.rules, self.used
        return inner.visit(ast.parse(spelt(alias), mode="eval").body)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        head = node.value.id if isinstance(node.value, ast.Name) else ""
        if head == "Literal":
            return node
        if head == "Annotated":
            return self.visit(node.slice.elts[0])  # type: ignore[attr-defined]
        found = looked_up(head, self.module) if head and head not in OPAQUE else None
        if found and getattr(found[0], "__parameters__", ()) and get_args(found[0]) and not self.is_public(found[0]):
            return self.filled(found[0], node.slice, found[1])
        return self.generic_visit(node)  # type: ignore[return-value]

    def is_public(self, thing: object) -> bool:
        return self.names.shown(thing, self.package) is not None

    def filled(self, alias: Any, argument: ast.expr, module: str) -> ast.expr:
        """A private alias of one parameter with what stands in its place."""
        (parameter,) = alias.__parameters__
        return Filling(parameter.__name__, self.visit(argument)).visit(self.spelt_out(alias, module))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return self.visit(ast.parse(node.value, mode="eval").body) if isinstance(node.value, str) else node


class Filling(ast.NodeTransformer):
    """Puts a type in the place of a type variable."""

    def __init__(self, name: str, filling: ast.expr) -> None:
        self.name, self.filling = name, filling

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.filling if node.id == self.name else node


def spelt(thing: Any) -> str:
    """An alias as the annotation that it stands for."""
    if get_origin(thing) is Annotated:
        return spelt(get_args(thing)[0])
    if get_origin(thing) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(thing)))}]"
    if inspect.isclass(thing) and not get_args(thing):
        return "None" if thing is type(None) else thing.__name__
    if isinstance(thing, TypeVar):
        return thing.__name__
    if isinstance(thing, ForwardRef):
        return thing.__forward_arg__
    if isinstance(thing, str):
        return thing
    arguments = [spelt(each) for each in get_args(thing)]
    if get_origin(thing) in (tuple, list, dict, frozenset) or type(thing).__name__ in ("GenericAlias", "_GenericAlias"):
        head = getattr(get_origin(thing), "__name__", str(thing))
        return f"{head}[{', '.join(arguments)}]"
    if arguments:
        return " | ".join(arguments)
    return "..." if thing is Ellipsis else str(thing).replace("typing.", "")


def readable(annotation: Any, names: Names, package: str, module: str) -> tuple[str, list[str], list[object]]:
    """An annotation of a module as a page of `package` shows it; the rules on top; the public things in it."""
    text = annotation if isinstance(annotation, str) else spelt(annotation)
    reader = Readable(names, package, module)
    tree = reader.visit(ast.parse(text.strip(), mode="eval").body)
    return ast.unparse(ast.fix_missing_locations(tree)), reader.rules, reader.used
