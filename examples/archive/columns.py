"""The columns: what `normalise` takes, what it gives, and what of that lies in the files of a job."""

from __future__ import annotations

import pyarrow as pa

TIME = pa.timestamp("us", tz="UTC")

WHERE = [
    pa.field("source", pa.string()),  # the file
    pa.field("offset", pa.int64()),  # where in the file the mail begins
    pa.field("size", pa.int64()),  # how many bytes it takes there
]
INPUT = pa.schema([*WHERE, pa.field("raw", pa.binary())])
"""Raw mails, each with the place where it was found."""

PART = pa.struct(
    [
        pa.field("kind", pa.string()),
        pa.field("mime", pa.string()),
        pa.field("name", pa.string()),
        pa.field("text", pa.string()),  # what a text says
        pa.field("size", pa.int64()),  # bytes of a file
        pa.field("sha256", pa.string()),  # of a file that is too large for `json`; its bytes are in the archive
    ]
)
NOTE = pa.struct([pa.field("code", pa.string()), pa.field("at", pa.string()), pa.field("detail", pa.string())])
PROBLEM = pa.struct([pa.field("at", pa.string()), pa.field("rule", pa.string())])

FOUND = [*WHERE, pa.field("sha256", pa.string())]  # of the raw mail
MESSAGE = [
    pa.field("id", pa.string()),
    pa.field("thread_id", pa.string()),
    pa.field("in_reply_to", pa.string()),
    pa.field("native_id", pa.string()),
    pa.field("aliases", pa.list_(pa.string())),
    pa.field("sent_at", TIME),  # the Date field: the sender's word
    pa.field("received_at", TIME),  # the `now` of the job
    pa.field("sender", pa.string()),
    pa.field("sender_name", pa.string()),
    pa.field("verified", pa.bool_()),
    pa.field("auth_method", pa.string()),
    pa.field("unverified_because", pa.string()),  # a code
    pa.field("recipient", pa.string()),
    pa.field("subject", pa.string()),
    pa.field("parts", pa.list_(PART)),
    pa.field("diagnostics", pa.list_(NOTE)),
    pa.field("json", pa.string()),  # all of it: `restore(NormalizedMessage, json)`
]
REFUSAL = [
    pa.field("code", pa.string()),  # a code of the library, or `crashed`
    pa.field("problems", pa.list_(PROBLEM)),
    pa.field("raw", pa.binary()),  # only where the job keeps bad mails
]

OUTPUT = pa.schema([*FOUND, *MESSAGE, *REFUSAL])
"""One row a mail. `code` is null in those that are messages; in those that are bad, all columns of messages are."""

MESSAGES = pa.schema([*FOUND, *MESSAGE])
BAD = pa.schema([*FOUND, *REFUSAL])
