"""`mentionable demo` decodes the samples in the package; `demo.txt` is its transcript."""

from __future__ import annotations

import shlex
import shutil
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from mentionable import Rejected, a2a, html_to_text, mail
from mentionable.cli import main
from mentionable.cli.demo import run as _demo
from tests.cli.demos import name, printed, wrong

SAMPLES = Path(str(files("mentionable.cli") / "samples"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES, tmp_path / "samples"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_bytes()
    assert old.encode() in text
    path.write_bytes(text.replace(old.encode(), new.encode()))


def test_three_messages_are_printed(capsys):
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    assert out.count("recipient   @helper@agents.example") == 3
    for line in (
        "sender      Alice Example @alice@social.example",
        "I'm out with the bike & this is the sky over the lake right now.",
        "<https://weather.example/forecast/zurich/2026-11-22/hourly>",
        "[these rules](https://agents.example/words?count=all&in=text)",
        "sender      @planner@peer.example",
        "verified    yes, by ap-http-signature",
        "verified    yes, by a2a-jwt",
        "verified    yes, by email-dkim",
        '🔧 forecast({"city":"Zürich","day":"2026-11-22"}) → {"city":"Zürich","mm":4.5,"from":"14:00"}',
        "sender      Alice Example @alice@post.example",
        "of my own gauge are attached — 4.5 mm since noon.",
        "12,0.5",
    ):
        assert line in out


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("mastodon-create.http", "the sky over the lake", "a canary in a mine"),
        ("a2a-sdk-send.http", "I asked the forecast", "I asked a canary"),
        ("gmail-reply.eml", "of my own gauge", "of my own canary"),
        ("lookups.json", '"name": "Alice Example"', '"name": "Alice Canary"'),
    ],
)
def test_a_changed_sample_changes_the_output_and_fails(folder, capsys, file, old, new):
    _demo.run(folder)
    before = printed(capsys)
    change(folder / file, old, new)
    assert _demo.run(folder) == 1
    after = printed(capsys)
    assert [line for line in before if "anary" in line] == []
    canaries = [line.strip() for line in after if "anary" in line and not line.startswith("demo: ")]
    assert canaries
    (fault,) = [fault for fault in wrong(after) if f'line "{canaries[0]}"' in fault]
    assert fault.endswith(f"got {canaries[0]}")


def test_a_sample_and_the_transcript_may_change_together(folder):
    change(folder / "lookups.json", '"name": "Alice Example"', '"name": "Alice Canary"')
    change(folder / "demo.txt", "Alice Example @alice@social.example", "Alice Canary @alice@social.example")
    assert _demo.run(folder) == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    [
        ("mastodon-create.http", "out with the bike", "out with a bike", "verified    no"),
        ("a2a-sdk-send.http", "54xgysWl", "54xgysWm", "verified    no"),
        ("gmail-reply.eml", "you said it", "You said it", "verified    no"),
        ("demo.txt", "digest-mismatch", "bad-signature", "tampered"),
        ("demo.txt", "**24 words**", "**25 words**", "reply       Your message has **24 words**"),
        ("demo.txt", "HTTP 200", "HTTP 201", "sent        HTTP 200"),
    ],
)
def test_a_line_that_differs_from_the_transcript_is_named(folder, capsys, file, old, new, line):
    change(folder / file, old, new)
    if file == "mastodon-create.http":
        change(folder / "index.json", "out with the bike", "out with a bike")
    assert _demo.run(folder) == 1
    assert [fault for fault in wrong(printed(capsys)) if fault.startswith(f'line "{line}')]


def test_each_message_is_answered_and_the_other_side_reads_the_whole_answer(capsys):
    main(["demo"])
    lines = capsys.readouterr().out.splitlines()
    assert (
        len(
            [
                line
                for line in lines
                if line.startswith("  trace       the peer decodes the whole reply, with 🔧 count_words(")
            ]
        )
        == 3
    )
    methods = [line.split()[-1] for line in lines if line.startswith("  peer reads  @helper@agents.example, verified")]
    assert methods == ["ap-http-signature", "email-dkim"]


def test_a_longer_question_gets_another_answer(folder, capsys):
    _demo.run(folder)
    before = capsys.readouterr().out
    change(folder / "gmail-reply.eml", "of my own gauge", "of my very own gauge")
    change(folder / "demo.txt", "**47 words**", "**48 words**")
    _demo.run(folder)
    after = printed(capsys)
    assert "**47 words**" in before
    assert "  reply       Your message has **48 words**, by [these rules]" in "\n".join(after)
    assert [fault for fault in wrong(after) if "**48 words**" in fault] == []


def test_a_reply_whose_trace_is_lost_fails(monkeypatch, capsys):
    monkeypatch.setattr("mentionable.trace._read.read_leniently", lambda _: (None, ()))
    assert main(["demo"]) == 1
    lines = printed(capsys)
    assert lines.count("  trace       the peer decodes another reply, with ") == 1
    assert [name(fault) for fault in wrong(lines)] == ["trace"]


def test_a_message_with_one_byte_changed_is_not_verified(folder, capsys):
    _demo.run(folder)
    out = capsys.readouterr().out
    tampered = [line for line in out.splitlines() if line.startswith("  tampered")]
    assert [line.split("not verified, ")[1].split(".")[0] for line in tampered] == [
        "digest-mismatch",
        "bad-signature",
        "digest-mismatch",
    ]


def test_a_tampered_message_without_a_signature_is_unsigned(folder, capsys):
    path = folder / "a2a-sdk-send.http"
    lines = path.read_bytes().split(b"\n")
    unsigned = b"\n".join(line for line in lines if not line.startswith(b"Authorization"))
    path.write_bytes(unsigned)
    change(folder / "index.json", "54xgysWl-mtNuyXstAmX", "I asked the forecast")
    assert _demo.run(folder) == 1
    assert "not verified, unsigned." in capsys.readouterr().out


def test_a_tampered_message_that_is_malformed_is_rejected(folder, capsys):
    change(folder / "index.json", "out with the bike", "activity+json")
    change(folder / "index.json", "you said it stays dry", "Message-ID")
    word = '"type":"Create"'
    assert word.encode() in (folder / "mastodon-create.http").read_bytes()
    change(folder / "index.json", "activity+json", '\\"type\\":\\"Create')
    assert _demo.run(folder) == 1
    assert "rejected, unsupported-activity" in capsys.readouterr().out


def test_a_broken_sample_is_rejected(folder, capsys):
    change(folder / "a2a-sdk-send.http", '"ROLE_USER"', '"ROLE_')
    assert _demo.run(folder) == 1
    lines = printed(capsys)
    assert any("rejected    invalid-json" in line for line in lines)
    assert any(fault.startswith('line "rejected    invalid-json') for fault in wrong(lines))


def test_a_folder_that_is_no_path_gets_no_command_to_try(folder, capsys):
    class Inside:
        """As inside a zip archive."""

        def __truediv__(self, name: str) -> Path:
            return folder / name

    assert _demo.run(Inside()) == 0
    assert "mentionable decode" not in capsys.readouterr().out


@pytest.mark.parametrize("called", [".venv/bin/mentionable", "/opt/my tools/mentionable"])
def test_the_last_line_can_be_pasted(capsys, monkeypatch, called):
    monkeypatch.setattr(sys, "argv", [called, "demo"])
    main(["demo"])
    words = shlex.split(capsys.readouterr().out.splitlines()[-1])
    assert words[0] == called
    assert main(words[1:]) == 0
    assert '"@alice@post.example"' in capsys.readouterr().out


def test_the_last_line_of_the_module_names_the_interpreter(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/somewhere/mentionable/__main__.py", "demo"])
    main(["demo"])
    words = shlex.split(capsys.readouterr().out.splitlines()[-1])
    assert words[:4] == [sys.executable, "-m", "mentionable", "decode"]


def test_a_reply_that_the_peer_rejects_fails(folder, monkeypatch, capsys):
    nothing = mail.Outgoing(mail_from="", rcpt_to=(), data=b"", native_id="<1@a.example>")
    monkeypatch.setattr(a2a, "result", lambda *_, **__: Rejected(code="malformed"))
    monkeypatch.setattr(mail, "reply", lambda *_, **__: nothing)
    assert _demo.run(folder) == 1
    lines = printed(capsys)
    assert lines.count("  peer reads  rejected, malformed") == 2
    assert lines.count("  trace       the peer decodes another reply, with ") == 2
    assert sorted({name(fault) for fault in wrong(lines)}) == ["peer reads", "reply", "sent", "trace"]


def test_lost_links_and_markdown_fail(monkeypatch, capsys):
    monkeypatch.setattr("mentionable._html.convert.html_to_markdown", html_to_text)
    monkeypatch.setattr(_demo, "html_to_markdown", html_to_text)
    assert main(["demo"]) == 1
    assert [name(fault) for fault in wrong(printed(capsys))] == [
        "│ @helper will it rain in Zürich tomorrow?",
        "│ The forecast I found: https://weather.example/forecast/zurich/2026-11-22/hourly",
        "reply",
    ]


def test_an_unchanged_byte_fails(monkeypatch, capsys):
    monkeypatch.setattr(_demo, "change_byte", lambda data, at: data)
    assert main(["demo"]) == 1
    assert [name(fault) for fault in wrong(printed(capsys))] == ["tampered"] * 3
