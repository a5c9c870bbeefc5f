"""Mails to measure with: made from a fixed seed, so that every run reads the same bytes."""

from __future__ import annotations

import base64
import quopri
import random
import textwrap
from functools import cache
from typing import Final

WORDS: Final = (
    "agent", "answer", "bridge", "budget", "café", "copper", "garden", "harbour", "invoice", "letter", "maple",
    "market", "meeting", "morning", "naïve", "number", "orbit", "planet", "quiet", "report", "résumé", "review",
    "river", "seven", "signal", "silver", "table", "thread", "today", "tomorrow", "window", "Zürich", "and",
    "in", "is", "of", "the", "to",
)  # fmt: skip
TOP: Final = (
    "Return-Path: <alice@a.example>\r\n"
    "Received: from mx.a.example (mx.a.example [192.0.2.10])\r\n"
    "\tby mx.agents.example (Postfix) with ESMTPS id 4XyZ12345\r\n"
    "\tfor <helper@agents.example>; Sat, 21 Nov 2026 10:00:02 +0000 (UTC)\r\n"
    "Received: from localhost (localhost [127.0.0.1])\r\n"
    "\tby mx.a.example (Postfix) with ESMTP id 998877;\r\n"
    "\tSat, 21 Nov 2026 10:00:01 +0000 (UTC)\r\n"
    "From: =?utf-8?q?Alice_M=C3=BCller?= <alice@a.example>\r\n"
    'To: Helper <helper@agents.example>, "Bob, the builder" <bob@agents.example>\r\n'
    "Cc: carol@c.example\r\n"
    "Subject: =?utf-8?B?UmU6IGJ1ZGdldCByZXZpZXcg4oCUIGNhZsOp?=\r\n"
    "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\n"
    "Message-ID: <reply@mail.a.example>\r\n"
    "In-Reply-To: <middle@mail.a.example>\r\n"
    "References: <root@mail.a.example> <first@mail.a.example>\r\n"
    " <middle@mail.a.example>\r\n"
    "MIME-Version: 1.0\r\n"
)


@cache
def payloads() -> dict[str, bytes]:
    """Name → mail. Nobody changes what is given: all share it."""
    chance = random.Random(20261121)
    return {
        "3 KB plain": _plain(chance),
        "30 KB newsletter": _newsletter(chance),
        "2 MB attachment": _attachment(chance),
        "500 parts": _many_parts(chance, distinct=False),
        "500 parts, distinct heads": _many_parts(chance, distinct=True),
    }


def _prose(chance: random.Random, size: int) -> str:
    """At least `size` characters of words in lines."""
    words: list[str] = []
    while sum(map(len, words)) + len(words) < size:
        words += chance.choices(WORDS, k=20)
    return "\r\n".join(textwrap.wrap(" ".join(words), 72))


def _plain(chance: random.Random) -> bytes:
    head = TOP + "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    return head.encode() + _prose(chance, 1_900).encode() + b"\r\n"


def _newsletter(chance: random.Random) -> bytes:
    rows = "".join(
        f'<tr><td style="padding:4px;font-family:Arial"><a href="https://news.example/c?id={number}">'
        f"{_prose(chance, 120)}</a></td></tr>\r\n"
        for number in range(85)
    )
    html = f"<html><head><style>td{{margin:0}}</style></head><body><table>{rows}</table></body></html>\r\n"
    parts = b"".join(
        f"--=_alt\r\nContent-Type: {mime}; charset=utf-8\r\n"
        f"Content-Transfer-Encoding: quoted-printable\r\n\r\n".encode()
        + quopri.encodestring(text.replace("\r\n", "\n").encode()).replace(b"\n", b"\r\n")
        + b"\r\n"
        for mime, text in (("text/plain", _prose(chance, 7_000)), ("text/html", html))
    )
    return f'{TOP}Content-Type: multipart/alternative; boundary="=_alt"\r\n\r\n'.encode() + parts + b"--=_alt--\r\n"


def _attachment(chance: random.Random) -> bytes:
    document = base64.encodebytes(b"%PDF-1.7\n" + chance.randbytes(1_460_000)).replace(b"\n", b"\r\n")
    text = (
        f'{TOP}Content-Type: multipart/mixed; boundary="=_mix"\r\n\r\n'
        '--=_mix\r\nContent-Type: multipart/alternative; boundary="=_alt"\r\n\r\n'
        f"--=_alt\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{_prose(chance, 1_500)}\r\n"
        "--=_alt\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello</p>\r\n--=_alt--\r\n\r\n"
        "--=_mix\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment;\r\n"
        " filename*0*=utf-8''r%C3%A9port-;\r\n filename*1=\"2026.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
    return text.encode() + document + b"\r\n--=_mix--\r\n"


def _many_parts(chance: random.Random, *, distinct: bool) -> bytes:
    """Ten multiparts inside each other with fifty body parts each, every fifth a file."""
    body = b""
    for level in range(9, -1, -1):
        boundary = f"=_{level:02}"
        parts = []
        for number in range(50):
            extra = f"Content-ID: <{level}.{number}@a.example>\r\n" if distinct else ""
            if number % 5 == 4:
                name = f"file-{level}-{number}.bin" if distinct else "file.bin"
                data = base64.encodebytes(chance.randbytes(90)).replace(b"\n", b"\r\n").decode()
                parts.append(
                    f'--{boundary}\r\n{extra}Content-Type: application/octet-stream; name="{name}"\r\n'
                    f'Content-Disposition: attachment; filename="{name}"\r\n'
                    f"Content-Transfer-Encoding: base64\r\n\r\n{data}\r\n"
                )
            else:
                parts.append(
                    f"--{boundary}\r\n{extra}Content-Type: text/plain; charset=utf-8\r\n\r\npart {level}.{number}\r\n"
                )
        inner = f"--{boundary}\r\n".encode() + body + b"\r\n" if body else b""
        body = (
            f'Content-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n{"".join(parts)}'.encode()
            + inner
            + f"--{boundary}--\r\n".encode()
        )
    return TOP.encode() + body
