"""The mail server's side of the milter protocol, as far as a signer needs it."""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_ADD_HEADERS = 0x01
_CHANGE_HEADERS = 0x10
_END = frozenset(b"acrdt")


def signed_by_milter(path: Path, message: bytes, *, mail_from: str, rcpt_to: str) -> bytes:
    """A mail with the header fields on top that a milter at a UNIX socket adds to it.

    Args:
        path: Where it listens.
        message: With CRLF.
        mail_from: The reverse path.
        rcpt_to: Whom it is for.
    """
    head, _, body = message.partition(b"\r\n\r\n")
    fields = [line.split(b":", 1) for line in head.replace(b"\r\n ", b"\n ").replace(b"\r\n\t", b"\n\t").split(b"\r\n")]
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(path))
        _send(connection, b"O", struct.pack("!III", 2, _ADD_HEADERS | _CHANGE_HEADERS, 0))
        _, options = _read(connection)
        skipped = struct.unpack("!III", options[:12])[2]
        steps = [
            (0x01, b"C", b"localhost\x004\x00\x19127.0.0.1\x00"),
            (0x02, b"H", b"localhost\x00"),
            (0x04, b"M", f"<{mail_from}>".encode() + b"\x00"),
            (0x08, b"R", f"<{rcpt_to}>".encode() + b"\x00"),
            *[(0x20, b"L", name + b"\x00" + value.lstrip(b" ") + b"\x00") for name, value in fields],
            (0x40, b"N", b""),
            (0x10, b"B", body),
        ]
        for flag, command, data in steps:
            if skipped & flag == 0:
                _send(connection, command, data)
                answer, _ = _read(connection)
                assert answer in b"cs", f"{command!r} was answered with {answer!r}"
        _send(connection, b"E", b"")
        added = b""
        while True:
            answer, data = _read(connection)
            if answer in b"hi":
                name, value = data[4 if answer == b"i" else 0 :].split(b"\x00")[:2]
                added += name + b": " + value.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n"
            elif answer[0] in _END:
                return added + message


def _send(connection: socket.socket, command: bytes, data: bytes) -> None:
    connection.sendall(struct.pack("!I", len(data) + 1) + command + data)


def _read(connection: socket.socket) -> tuple[bytes, bytes]:
    (length,) = struct.unpack("!I", _exactly(connection, 4))
    packet = _exactly(connection, length)
    return packet[:1], packet[1:]


def _exactly(connection: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        chunk = connection.recv(length - len(data))
        assert chunk, "the milter closed the connection"
        data += chunk
    return data
