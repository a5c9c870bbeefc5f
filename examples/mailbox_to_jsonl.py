"""Turns an mbox into one line of JSON a message. Needs `pip install mentionable`.

What is special: nothing is answered; an archive is read, in bounded memory.

Try it: `python mailbox_to_jsonl.py archive.mbox helper@lists.example > archive.jsonl`.
"""

import sys
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

from mentionable import Answers, Rejected, directory, drive, dumps, mail


def main(path: str, *mailboxes: str) -> int:
    """Prints the messages of `path` that are for one of `mailboxes`, and counts what was not taken."""
    lookups = Answers(find_agent=directory({name: f"@{name}" for name in mailboxes}))
    now, left_out = datetime.now(UTC), 0
    with Path(path).open("rb") as file:
        for found in mail.split_mbox(iter(partial(file.read, 65_536), b"")):
            # The entropy comes from the mail, so that a second run over the same mail differs only in its time.
            outcome = drive(mail.receive(found.raw, now=now, entropy=sha256(found.raw).digest()), lookups)
            if isinstance(outcome, Rejected):
                left_out += 1
                continue
            received = outcome.received if isinstance(outcome, mail.ReceivedReport) else outcome
            for message in received.messages:
                print(dumps(message).decode())
    print(f"{left_out} mails were not taken", file=sys.stderr)
    return 0


def run(words: list[str]) -> int:
    """`main` with the words of the command line, or one line about what is wrong with them."""
    if len(words) < 2:
        print("usage: python mailbox_to_jsonl.py MBOX MAILBOX ...", file=sys.stderr)
        return 2
    try:
        return main(*words)
    except (OSError, ValueError) as error:
        print(f"mailbox_to_jsonl: {type(error).__name__}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
