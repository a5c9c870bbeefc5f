"""Every table. Times are seconds since 1970 as floats; values of the library are their JSON as bytes (`dumps`).

`migrations/` brings a database to this state; `tests/test_migrations.py` compares the two.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    false,
    text,
)

from mentionable_host.store.columns import LongText, Text

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_Number = BigInteger().with_variant(Integer, "sqlite")
"""A number that counts by itself: SQLite does so for `INTEGER` alone."""

messages: Final = Table(
    "messages",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("sender", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("verified", Boolean, nullable=False),
    Column("transport", Text, nullable=False),
    Column("received_at", Float, nullable=False),
    Column("digest", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
    Column("row", LargeBinary, nullable=False),
    Column("text", LongText, nullable=False),
    Column("identities", LargeBinary),
    UniqueConstraint("id", "role", "digest"),
    Index(None, "thread_id", "agent", "number"),  # fits better than that of persons where both would do
    Index(None, "person", "number"),
    Index(None, "received_at"),
)
"""What people wrote (`role` is `user`, `value` a `NormalizedMessage`) and what the agent answered (`assistant`, a
`NormalizedResponse`, under the id of the message that it answers). `person` is who the conversation is with, also in
rows of the agent. `row` is the row of the message ingest contract, `text` its typed text, which is searched. `digest`
tells two contents of one id apart. `identities` is `Received.identities`, which an agent authorizes on."""

threads: Final = Table(
    "threads",
    metadata,
    Column("agent", Text, primary_key=True),
    Column("thread_id", Text, primary_key=True),
    Column("number", _Number, nullable=False, index=True),
    Column("messages", Integer, nullable=False),
    Column("began_at", Float, nullable=False),
)
"""Conversations: `number` is that of the newest message in each."""

native_ids: Final = Table(
    "native_ids",
    metadata,
    Column("native_id", Text, primary_key=True),
    Column("agent", Text, primary_key=True),
    Column("message_id", Text, nullable=False, index=True),
    Column("person", Text, nullable=False, index=True),
    Column("row", LargeBinary, nullable=False),
)
"""The ids under which a protocol knows a message: `row` is a `StoredMessage`."""

blobs: Final = Table(
    "blobs",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("message", _Number, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Index(None, "message"),
)
"""Bytes of files that came with a message."""

uses: Final = Table(
    "uses",
    metadata,
    Column("key", Text, primary_key=True),
    Column("binding", Text, nullable=False),
    Column("until", Float, nullable=False, index=True),
)
"""What counts once: signatures, receipts, events of platforms."""

_OPEN: Final = "state IN ('waiting', 'running')"

jobs: Final = Table(
    "jobs",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("lane", Text, nullable=False),
    Column("person", Text),
    Column("thread_id", Text),
    Column("payload", LargeBinary, nullable=False),
    Column("state", Text, nullable=False),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("due", Float, nullable=False),
    Column("leased_until", Float),
    Column("error", LongText),
    Column("created_at", Float, nullable=False),
    Column("ended_at", Float),
    Index("ix_jobs_waiting", "due", sqlite_where=text("state = 'waiting'"), postgresql_where=text("state = 'waiting'")),
    Index("ix_jobs_lane", "lane", "due", sqlite_where=text(_OPEN), postgresql_where=text(_OPEN)),
    Index(None, "state", "number"),
    Index(None, "person"),
    Index(None, "thread_id"),
)
"""What is to be done: answers and deliveries. `state` is `waiting`, `running`, `done` or `dead`."""

tasks: Final = Table(
    "tasks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, index=True),
    Column("context_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("updated_at", Float, nullable=False),
    Column("unanswered", Text, nullable=False, server_default=text("'[]'")),
    Column("value", LargeBinary, nullable=False),
    Index(None, "owner", "updated_at", "id"),
)
"""Tasks of A2A: `value` is a `StoredTask`; `unanswered` is JSON: the ids of messages that wait for the agent."""

stream_frames: Final = Table(
    "stream_frames",
    metadata,
    Column("topic", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    Column("at", Float, nullable=False, index=True),
)
"""What a client that streams is shown, in order: updates of a task, frames of an answer."""

webhooks: Final = Table(
    "webhooks",
    metadata,
    Column("task_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("dialect", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
    Column("made_at", Float, nullable=False),
    Column("newest", Integer, nullable=False, server_default=text("0")),
    Column("is_pending", Boolean, nullable=False, server_default=false()),
)
"""Where updates of tasks are pushed to: `value` is a `PushNotificationConfig`, `newest` the number of the last update
of the task, and `is_pending` says whether a job waits to push it: one at a time does, so that updates come in order."""

peer_questions: Final = Table(
    "peer_questions",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("question", Text, nullable=False, unique=True),
    Column("peer", Text, nullable=False),
    Column("thread_id", Text, nullable=False),
    Column("asked_in", LargeBinary, nullable=False),
    Column("answered_in", LargeBinary, nullable=False),
    Column("at", Float, nullable=False, index=True),
    Index(None, "peer", "thread_id", "number"),
)
"""What the agent asked other agents: `asked_in` is the place in the conversation, by the ids of the peer, `answered_in`
the place after the answer. A question that is asked again, because its turn runs again, is asked in the same place."""

issuances: Final = Table(
    "issuances",
    metadata,
    Column("key", Text, primary_key=True),
    Column("person", Text, nullable=False, index=True),
    Column("message_id", Text, nullable=False),
    Column("failures", Integer, nullable=False, server_default=text("0")),
    Column("until", Float, index=True),
    Column("receipt", LargeBinary),
    Column("value", LargeBinary, nullable=False),
)
"""Demands for payment or consent: `value` is an `Issuance`, `receipt` what met it."""

documents: Final = Table(
    "documents",
    metadata,
    Column("url", Text, primary_key=True),
    Column("person", Text, index=True),
    Column("answer_id", Text, index=True),
    Column("content_type", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
)
"""What is served under a URL: notes and activities as JSON, files of answers as bytes."""

mail_recipients: Final = Table(
    "mail_recipients",
    metadata,
    Column("native_id", Text, primary_key=True),
    Column("mailbox", Text, primary_key=True),
    Column("message_id", Text, nullable=False, index=True),
    Column("thread_id", Text, nullable=False),
    Column("person", Text, nullable=False, index=True),
    Column("state", Text, nullable=False),
    Column("reply", Text),
    Column("at", Float, nullable=False),
    Index(None, "thread_id", "mailbox"),
)
"""What became of a mail of the agent for each of its recipients: `native_id` is its Message-ID, `message_id` what it
answers, `state` a `store.mailings.State`, and `reply` what a mail server replied."""

people: Final = Table(
    "people",
    metadata,
    Column("address", Text, primary_key=True),
    Column("actor", Text, index=True),
    Column("transport", Text, nullable=False),
    Column("display_name", Text),
    Column("verified", Boolean, nullable=False),
    Column("method", Text, nullable=False),
    Column("refusal", Text),
    Column("first_seen", Float, nullable=False),
    Column("last_seen", Float, nullable=False, index=True),
    Column("messages", Integer, nullable=False, server_default=text("0")),
)
"""Who wrote, and what their last verdict was: `method` verified them, or `refusal` is the code that says why not."""

relations: Final = Table(
    "relations",
    metadata,
    Column("actor", Text, primary_key=True),
    Column("agent", Text, primary_key=True),
    Column("side", Text, primary_key=True),
    Column("address", Text, nullable=False, index=True),
    Column("inbox", LongText, nullable=False),
    Column("shared_inbox", LongText),
    Column("state", Text, nullable=False),
    Column("activity", LargeBinary, nullable=False),
    Column("since", Float, nullable=False),
)
"""Who follows the agent or asked to (`side` is `followers`), and who it follows or asked to (`following`): `state` is
`accepted` or `pending`, `activity` the Follow."""

blocks: Final = Table(
    "blocks",
    metadata,
    Column("target", Text, primary_key=True),
    Column("by", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("severity", Text, nullable=False, server_default="suspend"),
    Column("note", LongText),
    Column("since", Float, nullable=False),
)
"""Blocks (`by` is `operator`; `kind` is `address`, `actor` or `domain`; `severity` is `suspend`,
or `silence` for who is answered less), and who does not want to hear the agent (`by` is `peer`)."""

publications: Final = Table(
    "publications",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("native_id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("about", Text, index=True),
    Column("person", Text, index=True),
    Column("activity", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("inboxes", LargeBinary, nullable=False),
    Index(None, "public", "number"),
)
"""What the agent published, until it is withdrawn. `kind` is `answer`, `post`, `announce`, `follow`, `accept`, `move`
or `block`; `about` is the id of the answer, the object that is announced, who is followed or blocked, what is accepted,
or the new account; `activity` is the id of the activity; `inboxes` is a JSON array of where it went."""

publication_documents: Final = Table(
    "publication_documents",
    metadata,
    Column("publication", Text, primary_key=True),
    Column("url", Text, primary_key=True, index=True),
)
"""Which documents and files a publication has. Two may have one file: it goes with the last of them."""

reports: Final = Table(
    "reports",
    metadata,
    Column("id", Text, primary_key=True),
    Column("actor", Text, nullable=False, index=True),
    Column("address", Text, nullable=False, index=True),
    Column("objects", LargeBinary, nullable=False),
    Column("content", Text),
    Column("at", Float, nullable=False),
)
"""What people report about the agent (Flag), for the operator alone: `objects` is a JSON array of ids."""

reactions: Final = Table(
    "reactions",
    metadata,
    Column("object", Text, primary_key=True),
    Column("actor", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("content", LongText),
    Column("at", Float, nullable=False),
)
"""What people did with what the agent wrote."""

counts: Final = Table(
    "counts",
    metadata,
    Column("key", Text, primary_key=True),
    Column("window", Integer, primary_key=True),
    Column("count", Integer, nullable=False),
    Index(None, "window"),
)
"""How often something happened in a window of time, which began so many minutes after 1970: rate limits."""

notifications: Final = Table(
    "notifications",
    metadata,
    Column("number", _Number, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, index=True),
    Column("deduplication_key", Text),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("deadline", Float, index=True),
    Column("ended_at", Float, index=True),
    Column("value", LargeBinary, nullable=False),
)
"""Events of the notification protocol: `value` is an `anp.Notification`, and `ended_at` says since when it
is delivered or failed."""

lanes: Final = Table(
    "lanes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("deadline", Float, index=True),
    Column("value", LargeBinary, nullable=False),
)
"""Lanes of the notification protocol: `value` is an `anp.Lane`."""

stream_items: Final = Table(
    "stream_items",
    metadata,
    Column("place", _Number, primary_key=True, autoincrement=True),
    Column("person", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
    Column("at", Float, nullable=False, index=True),
    Index(None, "person", "place"),
    sqlite_autoincrement=True,  # a place is never assigned twice, also where the newest item is gone
)
"""What the devices of a person receive, in order: `event` is its name on the stream, `value` its JSON. Of one person, a
place is seen by readers no sooner than those before it."""

devices: Final = Table(
    "devices",
    metadata,
    Column("person", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("cursor", _Number, nullable=False),
    Column("seen_at", Float, nullable=False),
    Index(None, "person", "seen_at"),
)
"""The devices of a person: `cursor` is the place in the stream after which a device last went on, `seen_at` when it was
last there."""

reply_targets: Final = Table(
    "reply_targets",
    metadata,
    Column("key", Text, primary_key=True),
    Column("person", Text, index=True),
    Column("until", Float, nullable=False, index=True),
    Column("value", LargeBinary, nullable=False),
)
"""What the answer to a message of a platform needs and the message does not hold: the token of an interaction, the chat
of a phone number, the message that grows. `key` is the id of the message, or before that of the job that makes it."""

settings: Final = Table(
    "settings",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    Column("until", Float, index=True),
)
"""What the host remembers for itself: which form of signature a server takes, the policy of a mail domain. What was
learned of others has an end (`until`)."""

push_subscriptions: Final = Table(
    "push_subscriptions",
    metadata,
    Column("endpoint", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("value", LargeBinary, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("person", "device"),
)
"""How devices are reached by Web Push: `value` is an `anp.PushSubscription`, and `endpoint` a hash of its URL. A URL
belongs to the person who subscribed last."""

pushes: Final = Table(
    "pushes",
    metadata,
    Column("endpoint", Text, primary_key=True),
    Column("event", Text, primary_key=True),
    Column("lease", Integer, primary_key=True),
    Column("person", Text, nullable=False),
    Column("until", Float, nullable=False, index=True),
    Index(None, "person", "event"),
)
"""Which presentations went to which subscriptions, or are just going there: these learn that one is settled."""
