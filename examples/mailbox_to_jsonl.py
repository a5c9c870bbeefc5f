"""Turns an mbox into one line of JSON a message. Needs `pip install mentionable`.

Try it: `python mailbox_to_jsonl.py archive.mbox helper@lists.example > archive.jsonl`.
"""

import mailbox
import sys
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256

from mentionable import Answers, Rejected, directory, drive, dumps, mail


def main(path: str, *mailboxes: str) -> int:
    """Prints the messages of `path` that are for one of `mailboxes`, and counts what was not taken."""
    world = Answers(find_agent=directory({name: f"@{name}" for name in mailboxes}))
    now, left_out = datetime.now(UTC), 0
    with closing(mailbox.mbox(path, create=False)) as box:
        for key in box.iterkeys():
            raw = box.get_bytes(key)
            # The entropy comes from the mail, so that a second run over the same mail differs only in its time.
            outcome = drive(mail.receive(raw, now=now, entropy=sha256(raw).digest()), world)
            if isinstance(outcome, Rejected):
                left_out += 1
                continue
            for message in outcome.messages:
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
    except (OSError, mailbox.Error, ValueError) as error:
        print(f"mailbox_to_jsonl: {type(error).__name__}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
