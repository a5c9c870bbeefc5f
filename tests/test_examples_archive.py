"""`examples/archive`: archives of mail to Parquet, on Dask and with the functions that other engines call."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mentionable import SigningKey, mail
from tests.interop.foreign import Foreign, needs
from tests.setup_interop import FRAMEWORKS_HOME, program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "examples" / "archive"
PYTHON = program("python", FRAMEWORKS_HOME)
PATHS = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)])}
AS, NOW = ("--as", "@archive@agents.example"), ("--now", "2026-11-21T20:56:00Z")
KEY = SigningKey.from_seed(bytes(32), key_id="s._domainkey.a.example")

HEAD = b"From: =?utf-8?q?Z=C3=B6e?= <zoe@a.example>\nTo: list@a.example\nSubject: Rain in =?utf-8?q?Z=C3=BCrich?=\n"
PLAIN = HEAD + b"Date: Sat, 21 Nov 2026 10:00:00 +0100\nMessage-ID: <1@a.example>\n\nWill it rain?\n"
FILE = base64.encodebytes(bytes(range(256)) * 400)
ATTACHED = HEAD + (
    b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee the file.\n--b\n"
    b"Content-Type: application/pdf; name=rain.pdf\nContent-Transfer-Encoding: base64\n\n" + FILE + b"--b--\n"
)
SIGNED = mail.sign(PLAIN, key=KEY, now=datetime(2026, 11, 21, 20, 0, tzinfo=UTC))
MAILS = {
    "plain": PLAIN,
    "crlf": PLAIN.replace(b"\n", b"\r\n"),
    "signed": SIGNED,
    "attached": ATTACHED,
    "quoted": HEAD + b"\nOn that day:\n\nFrom here it rained\n>From there too\n",
    "binary body": HEAD + b"Date: soon\n\n\x00\xff\xfe\x80\r\x01 >From\n",
    "empty body": HEAD,
    "binary": bytes(range(128, 256)) * 8,
    "empty": b"",
    "nobody": PLAIN.replace(b"From: ", b"X-From: "),
    "huge head": b"X-Long: " + b"x" * 300_000 + b"\n" + PLAIN,
}
GOOD = ("plain", "crlf", "signed", "attached", "quoted", "binary body", "empty body")
ENCODED = [base64.b64encode(raw).decode() for raw in MAILS.values()]


def as_mbox(raw: bytes) -> bytes:
    """A mail as it stands in an mbox."""
    quoted = [b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in raw.split(b"\n")]
    end = b"\n" if raw.endswith(b"\n") or not raw else b"\n\n"
    return b"From zoe@a.example Sat Nov 21 20:56:00 2026\n" + b"\n".join(quoted) + end


def numbered(number: int) -> bytes:
    return PLAIN.replace(b"<1@", b"<n%d@" % number) + b"x" * (number % 7 * 100) + b"\n"


def write_mbox(path: Path, more: int = 0) -> Path:
    mails = [*MAILS.values(), *map(numbered, range(more))]
    path.write_bytes(b"".join(map(as_mbox, mails)))
    return path


@pytest.fixture(scope="module")
def peer() -> Iterator[Callable[..., Any]]:
    """The modules of the example, without a cluster."""
    needs(FRAMEWORKS_HOME)
    peer = Foreign(PYTHON, ROOT / "tests" / "interop" / "peer_archive.py", **PATHS)
    yield peer
    peer.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Callable[..., Any]]:
    """The program, on one cluster of two workers."""
    needs(FRAMEWORKS_HOME)
    peer = Foreign(PYTHON, ROOT / "tests" / "interop" / "peer_archive.py", **PATHS)
    address = peer("cluster")

    def archive(*words: object) -> tuple[int, str, str]:
        status, out, err = peer("archive", words=[*AS, *map(str, words), "--scheduler", address])
        return status, out, err

    yield archive
    peer.close()


def test_every_file_of_the_example_is_short():
    assert all(len(path.read_text().splitlines()) < 250 for path in HERE.iterdir() if path.is_file())


# The function that any engine calls


@pytest.fixture(scope="module")
def rows(peer) -> dict[str, dict[str, Any]]:
    """The row of each mail."""
    return dict(zip(MAILS, peer("map_in_arrow", mails=ENCODED), strict=True))


def test_each_mail_is_a_message_or_bad(rows):
    assert {name for name, row in rows.items() if row["code"] is None} == set(GOOD)
    codes = {name: row["code"] for name, row in rows.items() if name not in GOOD}
    assert codes == {
        "binary": "malformed",
        "empty": "malformed",
        "nobody": "sender-unaddressable",
        "huge head": "too-large",
    }
    for row in rows.values():
        assert (row["id"] is None) == (row["json"] is None) == (row["code"] is not None)
        assert (row["problems"] is None) == (row["code"] is None)
        assert row["raw"] is None


def test_a_row_says_what_the_mail_says(rows):
    row = rows["plain"]
    assert (row["sender"], row["sender_name"]) == ("@zoe@a.example", "Zöe")
    assert (row["subject"], row["recipient"]) == ("Rain in Zürich", "@archive@agents.example")
    assert (row["native_id"], row["thread_id"]) == ("<1@a.example>", "<1@a.example>")
    assert (row["sent_at"], row["received_at"]) == ("2026-11-21T09:00:00+00:00", "2026-11-21T20:56:00+00:00")
    assert (row["verified"], row["auth_method"], row["unverified_because"]) == (False, "none", "unsigned")
    assert rows["signed"]["unverified_because"] == "key-unresolvable"
    assert rows["binary body"]["sent_at"] is None
    assert row["parts"] == [
        {"kind": "text", "mime": "text/plain", "name": None, "text": "Will it rain?\n", "size": None, "sha256": None}
    ]
    assert json.loads(row["json"])["id"] == row["id"]


def test_large_files_are_named_by_their_digest(rows):
    text, file = rows["attached"]["parts"]
    assert text["text"] == "See the file."
    assert (file["kind"], file["mime"], file["name"], file["size"]) == ("file", "application/pdf", "rain.pdf", 102_400)
    assert len(file["sha256"]) == 64


def test_the_same_mails_give_the_same_rows(peer, rows):
    assert peer("map_in_arrow", mails=ENCODED) == list(rows.values())
    assert len({row["id"] for row in rows.values() if row["id"]}) == len(GOOD)


def test_nothing_of_a_message_is_lost(peer):
    assert peer("is_restored", mails=ENCODED)


def test_bad_mails_are_kept_when_that_is_wanted(peer):
    kept = peer("map_in_arrow", mails=ENCODED, keep_bad=True)
    raws = {name: row["raw"] for name, row in zip(MAILS, kept, strict=True)}
    assert raws == {name: None if name in GOOD else raw.hex() for name, raw in MAILS.items()}


def test_a_mail_over_which_the_program_stumbles_does_not_stop_the_others(peer):
    crashed = dict(zip(MAILS, peer("map_in_arrow", mails=ENCODED, crash=True), strict=True))
    assert {row["code"] for name, row in crashed.items() if name in GOOD} == {"crashed"}
    assert "RecursionError" in crashed["plain"]["problems"][0]["rule"]
    assert crashed["binary"]["code"] == "malformed"


def test_who_calls_it_wrongly_is_told_at_once(peer):
    assert "@agent@domain" in peer("refused", recipient="nobody")


def test_spark_and_ray_get_the_rows_that_dask_writes(peer, tmp_path):
    box = write_mbox(tmp_path / "in.mbox", 20)
    peer("do", archive=str(box), folder=str(tmp_path / "out"), most=3_000)
    written = peer("rows", folder=str(tmp_path / "out"))
    for found in peer("engines", archive=str(box), most=3_000):
        for kind, is_bad in (("messages", False), ("bad", True)):
            chosen = [row for row in found if (row["code"] is not None) == is_bad]
            assert [{name: row[name] for name in there} for row, there in zip(chosen, written[kind], strict=True)] == (
                written[kind]
            )


# Cutting and reading


def test_an_mbox_is_cut_between_mails_wherever_that_is(peer, tmp_path):
    box = write_mbox(tmp_path / "in.mbox", 10)
    whole, *others = peer("cuts", archive=str(box), sizes=[10**9, *range(1, 60, 3), 500, 5_000, 400_000])
    expected = [*MAILS.values(), *map(numbered, range(10))]
    raws = [bytes.fromhex(raw) for _, _, raw in whole]
    assert [raw.rstrip() for raw in raws] == [raw.rstrip() for raw in expected]
    assert sum(size for _, size, _ in whole) == box.stat().st_size
    assert all(found == whole for found in others)


def test_a_batch_holds_no_more_than_it_must(peer, tmp_path):
    box = write_mbox(tmp_path / "in.mbox", 100)
    largest = max(map(len, MAILS.values()))
    sizes = peer("batches", archive=str(box), most=2_000)
    assert len(sizes) > 10
    assert max(sizes) < 2_000 + largest + 100


def test_a_file_that_changes_under_the_job_is_noticed(peer, tmp_path):
    box = write_mbox(tmp_path / "in.mbox")
    assert "has changed since the job began" in peer(
        "changed_meanwhile", archive=str(box), folder=str(tmp_path / "out")
    )
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["job.json"]


def test_a_run_that_is_killed_anywhere_is_finished_by_the_next(peer, tmp_path):
    box = write_mbox(tmp_path / "in.mbox")
    *killed, undisturbed = peer("killed_everywhere", archive=str(box), folder=str(tmp_path / "out"), most=100_000)
    assert len(killed) == 2 * (1 + 2 * 3)  # before and after: what the job is, and three files for each of two pieces
    assert len(undisturbed["rows"]["messages"]) == len(GOOD)
    assert all(one["rows"] == undisturbed["rows"] for one in killed)
    assert all(one["left"] == [] for one in killed)


# The program, on Dask


def make_maildir(folder: Path) -> Path:
    for part in ("cur", "new", "tmp", ".Sent/cur", ".Sent/new"):
        (folder / part).mkdir(parents=True)
    for number, raw in enumerate(MAILS.values()):
        (folder / "cur" / f"{number:03}.host:2,S").write_bytes(raw)
    (folder / "new" / "100.host").write_bytes(numbered(100))
    (folder / ".Sent" / "cur" / "101.host:2,").write_bytes(numbered(101))
    (folder / "tmp" / "102.host").write_bytes(b"half a m")
    return folder


def test_archives_of_both_kinds_become_rows(cluster, peer, tmp_path):
    box, folder, out = write_mbox(tmp_path / "in.mbox", 5), make_maildir(tmp_path / "Maildir"), tmp_path / "out"
    words = (box, folder, out, *NOW, "--piece-bytes", 4_000)
    status, said, err = cluster(*words)
    assert (status, err) == (0, "")
    assert said.startswith(f"21 messages and 8 bad mails in {out}; 29 mails of them now, in ")
    rows = peer("rows", folder=str(out))
    names = {row["source"].removeprefix(f"{tmp_path}/") for row in rows["messages"]}
    assert {"in.mbox", "Maildir/cur/000.host:2,S", "Maildir/new/100.host", "Maildir/.Sent/cur/101.host:2,"} <= names
    assert not any("tmp/102" in name for name in names)
    boxed = [row for row in rows["messages"] if row["source"] == str(box)]
    assert [row["offset"] for row in boxed] == sorted(row["offset"] for row in boxed)
    assert cluster(*words) == (0, f"21 messages and 8 bad mails in {out}; nothing new\n", "")


def test_what_changed_is_done_anew_and_what_is_gone_leaves(cluster, peer, tmp_path):
    box, folder, out = write_mbox(tmp_path / "in.mbox"), make_maildir(tmp_path / "Maildir"), tmp_path / "out"
    words = (box, folder, out, "--piece-bytes", 400_000)
    assert cluster(*words)[0] == 0
    before = peer("rows", folder=str(out))
    with box.open("ab") as file:
        file.write(as_mbox(numbered(7)))
    (folder / "new" / "100.host").unlink()
    status, said, _ = cluster(*words)
    assert status == 0
    assert said.startswith(f"16 messages and 8 bad mails in {out}; ")
    after = peer("rows", folder=str(out))
    ids = [{row["native_id"] for row in rows["messages"]} for rows in (before, after)]
    assert (ids[1] - ids[0], ids[0] - ids[1]) == ({"<n7@a.example>"}, {"<n100@a.example>"})
    assert len({row["received_at"] for row in after["messages"]}) == 1  # the time of the first run


def test_with_archived_keys_senders_are_verified(cluster, peer, tmp_path):
    table = {"TXT s._domainkey.a.example": [mail.dkim_record(KEY)], "TXT *": [], "GET *": {"failed": "no"}}
    (tmp_path / "dns.json").write_text(json.dumps(table))
    words = (write_mbox(tmp_path / "in.mbox"), tmp_path / "out", *NOW, "--records", tmp_path / "dns.json")
    assert cluster(*words)[0] == 0
    rows = peer("rows", folder=str(tmp_path / "out"))["messages"]
    verified = [(row["sender"], row["auth_method"], row["unverified_because"]) for row in rows if row["verified"]]
    assert verified == [("@zoe@a.example", "email-dkim", None)]


def test_a_folder_holds_one_job(cluster, tmp_path):
    box, out = write_mbox(tmp_path / "in.mbox"), tmp_path / "out"
    assert cluster(box, out)[0] == 0
    other = cluster(box, out, "--keep-bad")
    assert other == (2, "", f"archive: {out} holds a job with other keep_bad: take another folder\n")
    assert cluster(box, tmp_path) == (2, "", f"archive: {tmp_path} is not empty, and holds no job\n")


def test_a_piece_that_cannot_be_done_is_told_and_done_by_the_next_run(cluster, tmp_path):
    box, out = write_mbox(tmp_path / "in.mbox"), tmp_path / "out"
    words = (box, out, "--piece-bytes", 100_000)
    assert cluster(*words)[0] == 0
    done, _ = sorted((out / "done").iterdir())
    done.unlink()
    in_the_way = out / "bad" / f"{done.stem}.parquet"
    in_the_way.unlink()
    in_the_way.mkdir()
    status, said, err = cluster(*words)
    assert (status, said.endswith("; nothing new\n"), err.startswith("archive: "), err.count("\n")) == (
        1,
        True,
        True,
        1,
    )
    in_the_way.rmdir()
    assert cluster(*words)[0] == 0


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["nowhere.mbox", "out"], "nowhere.mbox: No such file or directory"),
        ([".", "out"], "a folder, and no Maildir"),
        (["in.mbox", "out", "--as", "me"], "not an address"),
        (["in.mbox", "out", "--records", "in.mbox"], "not a table like"),
        (["in.mbox", "out", "--records", "nowhere.json"], "No such file or directory"),
        (["in.mbox", "out", "--now", "today"], "not an RFC 3339 timestamp"),
    ],
)
def test_wrong_words_are_told(cluster, tmp_path, words, fault):
    write_mbox(tmp_path / "in.mbox")
    status, out, err = cluster(*[tmp_path / word if "." in word or word == "out" else word for word in words])
    assert (status, out) == (2, "")
    assert fault in err


def test_a_job_that_is_killed_with_its_workers_is_finished_by_the_next(cluster, peer, tmp_path):
    box, calm = write_mbox(tmp_path / "in.mbox", 1_500), tmp_path / "calm"
    words = (*NOW, "--piece-bytes", "12000")
    assert cluster(box, calm, *words)[0] == 0
    pieces = len(list((calm / "done").iterdir()))
    for attempt in range(5):  # a machine that is busy elsewhere may see too late that something is done
        out = tmp_path / f"killed{attempt}"
        if 0 < kill_in_the_middle(str(box), str(out), *words) < pieces:
            break
    else:
        pytest.fail("five times the program was not hit in the middle: nothing was done in a minute, or all of it")
    status, said, _ = cluster(box, out, *words)
    assert (status, "nothing new" in said) == (0, False)
    assert peer("rows", folder=str(out)) == peer("rows", folder=str(calm))


def kill_in_the_middle(box: str, out: str, *words: str) -> int:
    """Kills the program, with a cluster of its own, as soon as something is done; how many pieces are."""
    command = [str(PYTHON), str(HERE / "archive.py"), box, out, *words, *AS, "--workers", "2"]
    running = subprocess.Popen(
        command, env={**os.environ, **PATHS}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while running.poll() is None and not done_in(out) and time.monotonic() < until:
        time.sleep(0.01)
    running.kill()
    running.wait(10)
    return done_in(out)


def done_in(out: str) -> int:
    return len(list(Path(out, "done").glob("0*.json")))
