"""Cases as they lie in the folder: finding the files, reading them strictly, putting `$file` bytes in place."""

from __future__ import annotations

import base64
import errno
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LEVELS", "TIERS", "Case", "CaseError", "cases", "load_file", "read_json", "root"]

LEVELS: Final = ("MUST", "SHOULD", "MAY")
TIERS: Final = ("published", "project", "hardening")
_DEFAULT_NOW: Final = "2026-11-21T20:56:00Z"
_DEFAULT_ENTROPY: Final = "00" * 32
OUTCOMES: Final = ("messages", "value", "facts", "bytes", "rejected", "any_of")
"""A case expects exactly one of these."""

_SENT: Final = frozenset({"id", "section", "level", "tier", "why", "flags", "given", "input"})
_MAX_FILE_BYTES: Final = 64 * 1024 * 1024


class CaseError(Exception):
    """A case file cannot be used: the fault lies in the suite, not in the implementation under test."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One case, ready to be given to an implementation.

    `given` is complete (defaults filled in) and both `given` and `input` are free of `$file`: the bytes stand there
    as `{"$base64": …}`. `expect` is for whoever judges; a harness never sees it.
    """

    id: str
    """Permanent name, `area/behaviour/variant`."""
    file: str
    """Path of the case file below the suite's root, with forward slashes."""
    spec: str
    """The specification and version the case belongs to."""
    op: str
    """The neutral operation, such as `email.receive`."""
    section: str
    """Where the demand is written."""
    level: str
    """`MUST`, `SHOULD` or `MAY`."""
    tier: str = "project"
    """`published`: a sentence of one of the five documents implies it; `project`: a decision where they are silent;
    `hardening`: a decision about hostile input. A case of your own that names none is `project`."""
    why: str
    """What goes wrong for people when this is done otherwise."""
    flags: tuple[str, ...]
    """Free words to select by."""
    given: Mapping[str, Any]
    """Time, entropy, look-ups and settings."""
    input: Any
    """What the operation works on."""
    expect: Mapping[str, Any]
    """The outcome, and what is compared besides."""

    @property
    def area(self) -> str:
        """The first segment of the id."""
        return self.id.partition("/")[0]

    @property
    def path(self) -> Path:
        """Where its file lies: below the suite's root, else where `file` says."""
        inside = root() / self.file
        return inside if inside.is_file() else Path(self.file)


def root() -> Path:
    """The folder that holds `v0.1/`, `schema/`, `keys/` and `harness/`.

    Inside an installed wheel that is the package's `data` folder, in a checkout the `conformance` folder itself.
    """
    here = Path(__file__).resolve().parent
    installed = here / "data"
    return installed if installed.is_dir() else here.parent


def cases(folder: Path | str | None = None) -> tuple[Case, ...]:
    """Every case of the suite, or of the case files below `folder`, in order of file name and place in the file.

    Raises:
        CaseError: A file cannot be read as cases, or an id is used twice. The suite is at fault.
    """
    top = root()
    by_id: dict[str, Case] = {}
    for path, document in case_files(top / "v0.1" if folder is None else folder):
        for case in _cases(document, path, top):
            if case.id in by_id:
                raise CaseError(f"{case.file}: id {case.id!r} is used already in {by_id[case.id].file}")
            by_id[case.id] = case
    return tuple(by_id.values())


def case_files(start: Path | str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The case files below a folder, or the one that `start` is, and what each holds.

    Raises:
        CaseError: There is no such folder, or a file cannot be read.
    """
    if not os.path.exists(start):  # as it is written: a file is no folder
        raise CaseError(f"no such folder: {start}")
    top = Path(start)
    for path in sorted(top.rglob("*.json")) if top.is_dir() else [top]:
        document = None if path.name.startswith("_") else read_json(path)
        if isinstance(document, dict) and "cases" in document and "op" in document:
            yield path, document  # other JSON is material for `$file`


def load_file(path: Path, *, base: Path | None = None) -> tuple[Case, ...]:
    """The cases of one file. Paths are relative to `base` where the file lies below it.

    Raises:
        CaseError: The file is not a case file.
    """
    return _cases(read_json(path), path, base or root())


def _cases(document: Any, path: Path, base: Path) -> tuple[Case, ...]:
    """The cases in what a file holds."""
    place, top = path.resolve(), base.resolve()
    name = (place.relative_to(top) if place.is_relative_to(top) else place).as_posix()
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise CaseError(f"{name}: expected an object with `spec`, `op` and `cases`")
    try:
        return tuple(_case(one, document, name, path.parent) for one in document["cases"])
    except (KeyError, TypeError, AttributeError) as error:
        raise CaseError(f"{name}: a case lacks {error}, or has it in another shape") from error


def read_json(path: Path) -> Any:
    """The JSON of a file, read strictly: no member twice, no NaN, UTF-8 only.

    Raises:
        CaseError: It is not such JSON.
    """
    try:
        return json.loads(_bytes_of(path).decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
    except OSError as error:
        raise CaseError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CaseError(f"{path}: not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{path}: {error}") from error


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file. A pipe or a device may have no end, so it is none.

    Raises:
        OSError: It cannot be read, or is too large.
    """
    about = path.stat()
    if not (stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)):
        raise OSError(errno.EINVAL, "not a regular file")
    if about.st_size > _MAX_FILE_BYTES:
        raise OSError(errno.EFBIG, f"larger than {_MAX_FILE_BYTES} bytes")
    return path.read_bytes()


def _case(raw: Mapping[str, Any], document: Mapping[str, Any], name: str, folder: Path) -> Case:
    """One case of a file, completed and resolved."""
    expect = {key: value for key, value in raw.items() if key not in _SENT}
    if sum(key in expect for key in OUTCOMES) != 1:
        raise CaseError(f"{name}: {raw['id']} must have exactly one of {', '.join(OUTCOMES)}")
    return Case(
        id=raw["id"],
        file=name,
        spec=document["spec"],
        op=document["op"],
        section=raw["section"],
        level=raw["level"],
        tier=raw.get("tier", "project"),
        why=raw["why"],
        flags=tuple(raw.get("flags", ())),
        given=_resolved(given_in(raw), folder),
        input=_resolved(raw["input"], folder),
        expect=_resolved(expect, folder),
    )


def given_in(raw: Mapping[str, Any]) -> dict[str, Any]:
    """What a case of a file gives, with the defaults."""
    return {"now": _DEFAULT_NOW, "entropy": _DEFAULT_ENTROPY, "lookups": {}, **raw.get("given", {})}


def _resolved(value: Any, folder: Path) -> Any:
    """The value with every `{"$file": name}` replaced by the bytes of that file as `{"$base64": …}`."""
    if isinstance(value, dict):
        if value.keys() == {"$file"}:
            return {"$base64": base64.b64encode(_file_bytes(folder, value["$file"])).decode("ascii")}
        return {key: _resolved(member, folder) for key, member in value.items()}
    if isinstance(value, list):
        return [_resolved(item, folder) for item in value]
    return value


def _file_bytes(folder: Path, name: object) -> bytes:
    """The bytes of a file in the same folder; nothing outside it can be named."""
    if not isinstance(name, str) or not name or "/" in name or "\\" in name or name.startswith("."):
        raise CaseError(f"{folder.name}: $file must name a file beside the case file, not {name!r}")
    try:
        return _bytes_of(folder / name)
    except OSError as error:
        raise CaseError(f"{folder.name}: $file {name!r}: {error.strerror}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose members are all different."""
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"member {twice!r} stands twice")
    return made


def _no_constant(text: str) -> Iterator[None]:
    """NaN and the infinities are not JSON."""
    raise ValueError(f"{text} is not JSON")
