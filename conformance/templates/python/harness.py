"""The harness of our implementation: it reads one JSON object a line, and writes one answer a line.

The two operations below are complete. Replace them by calls of your library, then add the next operation to OPERATIONS.
"""

from __future__ import annotations

import json
import re
import secrets
import sys
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

TIME = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


class Malformed(ValueError):
    """The input is none of its kind: an outcome of the case, not a fault of this program."""


def parse_time(data: dict[str, Any], given: dict[str, Any]) -> str:
    """A time of RFC 3339 in UTC, to the microsecond, without zeros at the end."""
    match = TIME.fullmatch(data["text"])
    if match is None:
        raise Malformed
    date, clock, fraction, offset = match.groups()
    try:
        time = datetime.fromisoformat(f"{date}T{clock}{offset.upper()}").astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Malformed from error
    digits = (fraction or "")[:6].rstrip("0")
    return time.strftime("%Y-%m-%dT%H:%M:%S") + ("." + digits if digits else "") + "Z"


def uuid7(data: dict[str, Any], given: dict[str, Any]) -> str:
    """An id whose first 48 bits are the milliseconds of the time of the case."""
    now = datetime.fromisoformat(given["now"])
    bits = int(now.timestamp() * 1000) << 80 | secrets.randbits(80)
    return str(UUID(int=bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62))


OPERATIONS = {"time.parse": parse_time, "id.uuid7": uuid7}


def answered(ask: dict[str, Any]) -> dict[str, Any]:
    """What an operation makes of a case: a value, a rejection, or a fault of this program."""
    try:
        return {"value": OPERATIONS[ask["op"]](ask["input"], ask["given"])}
    except Malformed:
        return {"rejected": {"code": "malformed"}}
    except Exception as error:
        return {"errored": {"message": repr(error)}}


ABOUT = {"name": "my-implementation", "version": "0.1.0", "language": "Python"}
for line in sys.stdin:
    ask = json.loads(line)
    if ask["cmd"] == "stop":
        break
    started = {"protocol": 1, "implementation": ABOUT, "ops": list(OPERATIONS)}
    print(json.dumps(started if ask["cmd"] == "start" else {"seq": ask["seq"], **answered(ask)}), flush=True)
