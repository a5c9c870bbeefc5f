"""The harness side of the line protocol, for implementations in Python."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from mentionable_conformance._version import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["serve"]


def serve(
    perform: Callable[[str, Mapping[str, Any], Any], Mapping[str, Any]],
    *,
    implementation: Mapping[str, str],
    ops: Sequence[str],
) -> None:
    """Answer the runner on stdin and stdout until it says stop.

    Args:
        perform: `perform(op, given, input)` gives the answer to one case, without `seq`. An exception of it is the
            answer `errored`.
        implementation: Who is judged: `name`, and optionally `version`, `language`, `homepage`, `issues`.
        ops: The operations that `perform` knows. A MUST case of one of them cannot be skipped.
    """
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["cmd"] == "stop":
            return
        if ask["cmd"] == "start":
            answer: dict[str, Any] = {"protocol": PROTOCOL, "implementation": dict(implementation), "ops": list(ops)}
        else:
            try:
                answer = {**perform(ask["op"], ask["given"], ask["input"]), "seq": ask["seq"]}
            except Exception as error:  # the runner wants to hear of it, not to lose the harness
                answer = {"errored": {"message": f"{type(error).__name__}: {error}"}, "seq": ask["seq"]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
