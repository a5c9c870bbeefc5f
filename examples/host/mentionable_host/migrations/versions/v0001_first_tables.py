"""The first tables. `python -m mentionable_host.migrations.write` wrote this."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "blobs",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("message", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", "message", name=op.f("pk_blobs")),
    )
    op.create_index(op.f("ix_blobs_message"), "blobs", ["message"], unique=False)
    op.create_table(
        "blocks",
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), server_default="suspend", nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("since", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("target", "by", name=op.f("pk_blocks")),
    )
    op.create_table(
        "counts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("window", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", "window", name=op.f("pk_counts")),
    )
    op.create_index(op.f("ix_counts_window"), "counts", ["window"], unique=False)
    op.create_table(
        "devices",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("cursor", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("person", "id", name=op.f("pk_devices")),
    )
    op.create_index(op.f("ix_devices_person_seen_at"), "devices", ["person", "seen_at"], unique=False)
    op.create_table(
        "documents",
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("answer_id", sa.Text(), nullable=True),
        sa.Column("content_type", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("url", name=op.f("pk_documents")),
    )
    op.create_index(op.f("ix_documents_answer_id"), "documents", ["answer_id"], unique=False)
    op.create_index(op.f("ix_documents_person"), "documents", ["person"], unique=False)
    op.create_table(
        "issuances",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("receipt", sa.LargeBinary(), nullable=True),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_issuances")),
    )
    op.create_index(op.f("ix_issuances_person"), "issuances", ["person"], unique=False)
    op.create_index(op.f("ix_issuances_until"), "issuances", ["until"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("thread_id", sa.Text(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("due", sa.Float(), nullable=False),
        sa.Column("leased_until", sa.Float(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_jobs")),
        sa.UniqueConstraint("key", name=op.f("uq_jobs_key")),
    )
    op.create_index(
        "ix_jobs_lane",
        "jobs",
        ["lane", "due"],
        unique=False,
        sqlite_where=sa.text("state IN ('waiting', 'running')"),
        postgresql_where=sa.text("state IN ('waiting', 'running')"),
    )
    op.create_index(op.f("ix_jobs_person"), "jobs", ["person"], unique=False)
    op.create_index(op.f("ix_jobs_state_number"), "jobs", ["state", "number"], unique=False)
    op.create_index(op.f("ix_jobs_thread_id"), "jobs", ["thread_id"], unique=False)
    op.create_index(
        "ix_jobs_waiting",
        "jobs",
        ["due"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "lanes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.Float(), nullable=True),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lanes")),
    )
    op.create_index(op.f("ix_lanes_deadline"), "lanes", ["deadline"], unique=False)
    op.create_table(
        "mail_recipients",
        sa.Column("native_id", sa.Text(), nullable=False),
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("native_id", "mailbox", name=op.f("pk_mail_recipients")),
    )
    op.create_index(op.f("ix_mail_recipients_message_id"), "mail_recipients", ["message_id"], unique=False)
    op.create_index(op.f("ix_mail_recipients_person"), "mail_recipients", ["person"], unique=False)
    op.create_index(
        op.f("ix_mail_recipients_thread_id_mailbox"), "mail_recipients", ["thread_id", "mailbox"], unique=False
    )
    op.create_table(
        "messages",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("transport", sa.Text(), nullable=False),
        sa.Column("received_at", sa.Float(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("row", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("identities", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_messages")),
        sa.UniqueConstraint("id", "role", "digest", name=op.f("uq_messages_id_role_digest")),
    )
    op.create_index(op.f("ix_messages_person_number"), "messages", ["person", "number"], unique=False)
    op.create_index(op.f("ix_messages_received_at"), "messages", ["received_at"], unique=False)
    op.create_index(
        op.f("ix_messages_thread_id_agent_number"), "messages", ["thread_id", "agent", "number"], unique=False
    )
    op.create_table(
        "native_ids",
        sa.Column("native_id", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("row", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("native_id", "agent", name=op.f("pk_native_ids")),
    )
    op.create_index(op.f("ix_native_ids_message_id"), "native_ids", ["message_id"], unique=False)
    op.create_index(op.f("ix_native_ids_person"), "native_ids", ["person"], unique=False)
    op.create_table(
        "notifications",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("deduplication_key", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.Float(), nullable=True),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_notifications")),
        sa.UniqueConstraint("id", name=op.f("uq_notifications_id")),
    )
    op.create_index(op.f("ix_notifications_deadline"), "notifications", ["deadline"], unique=False)
    op.create_index(op.f("ix_notifications_ended_at"), "notifications", ["ended_at"], unique=False)
    op.create_index(op.f("ix_notifications_person"), "notifications", ["person"], unique=False)
    op.create_table(
        "peer_questions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("peer", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("asked_in", sa.LargeBinary(), nullable=False),
        sa.Column("answered_in", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_peer_questions")),
        sa.UniqueConstraint("question", name=op.f("uq_peer_questions_question")),
    )
    op.create_index(op.f("ix_peer_questions_at"), "peer_questions", ["at"], unique=False)
    op.create_index(
        op.f("ix_peer_questions_peer_thread_id_number"), "peer_questions", ["peer", "thread_id", "number"], unique=False
    )
    op.create_table(
        "people",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=True),
        sa.Column("transport", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("refusal", sa.Text(), nullable=True),
        sa.Column("first_seen", sa.Float(), nullable=False),
        sa.Column("last_seen", sa.Float(), nullable=False),
        sa.Column("messages", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_people")),
    )
    op.create_index(op.f("ix_people_actor"), "people", ["actor"], unique=False)
    op.create_index(op.f("ix_people_last_seen"), "people", ["last_seen"], unique=False)
    op.create_table(
        "publication_documents",
        sa.Column("publication", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("publication", "url", name=op.f("pk_publication_documents")),
    )
    op.create_index(op.f("ix_publication_documents_url"), "publication_documents", ["url"], unique=False)
    op.create_table(
        "publications",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("native_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=True),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("activity", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("inboxes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_publications")),
        sa.UniqueConstraint("native_id", name=op.f("uq_publications_native_id")),
    )
    op.create_index(op.f("ix_publications_about"), "publications", ["about"], unique=False)
    op.create_index(op.f("ix_publications_person"), "publications", ["person"], unique=False)
    op.create_index(op.f("ix_publications_public_number"), "publications", ["public", "number"], unique=False)
    op.create_table(
        "push_subscriptions",
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("endpoint", name=op.f("pk_push_subscriptions")),
        sa.UniqueConstraint("person", "device", name=op.f("uq_push_subscriptions_person_device")),
    )
    op.create_table(
        "pushes",
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("lease", sa.Integer(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("endpoint", "event", "lease", name=op.f("pk_pushes")),
    )
    op.create_index(op.f("ix_pushes_person_event"), "pushes", ["person", "event"], unique=False)
    op.create_index(op.f("ix_pushes_until"), "pushes", ["until"], unique=False)
    op.create_table(
        "reactions",
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("object", "actor", "kind", name=op.f("pk_reactions")),
    )
    op.create_table(
        "relations",
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("inbox", sa.Text(), nullable=False),
        sa.Column("shared_inbox", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("activity", sa.LargeBinary(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("actor", "agent", "side", name=op.f("pk_relations")),
    )
    op.create_index(op.f("ix_relations_address"), "relations", ["address"], unique=False)
    op.create_table(
        "reply_targets",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_reply_targets")),
    )
    op.create_index(op.f("ix_reply_targets_person"), "reply_targets", ["person"], unique=False)
    op.create_index(op.f("ix_reply_targets_until"), "reply_targets", ["until"], unique=False)
    op.create_table(
        "reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("objects", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_actor"), "reports", ["actor"], unique=False)
    op.create_index(op.f("ix_reports_address"), "reports", ["address"], unique=False)
    op.create_table(
        "settings",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_settings")),
    )
    op.create_index(op.f("ix_settings_until"), "settings", ["until"], unique=False)
    op.create_table(
        "stream_frames",
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("topic", "number", name=op.f("pk_stream_frames")),
    )
    op.create_index(op.f("ix_stream_frames_at"), "stream_frames", ["at"], unique=False)
    op.create_table(
        "stream_items",
        sa.Column("place", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("place", name=op.f("pk_stream_items")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_stream_items_at"), "stream_items", ["at"], unique=False)
    op.create_index(op.f("ix_stream_items_person_place"), "stream_items", ["person", "place"], unique=False)
    op.create_table(
        "tasks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("context_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Float(), nullable=False),
        sa.Column("unanswered", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
    )
    op.create_index(op.f("ix_tasks_owner"), "tasks", ["owner"], unique=False)
    op.create_index(op.f("ix_tasks_owner_updated_at_id"), "tasks", ["owner", "updated_at", "id"], unique=False)
    op.create_table(
        "threads",
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("messages", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("agent", "thread_id", name=op.f("pk_threads")),
    )
    op.create_index(op.f("ix_threads_number"), "threads", ["number"], unique=False)
    op.create_table(
        "uses",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("binding", sa.Text(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_uses")),
    )
    op.create_index(op.f("ix_uses_until"), "uses", ["until"], unique=False)
    op.create_table(
        "webhooks",
        sa.Column("task_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("dialect", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("newest", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("is_pending", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("task_id", "id", name=op.f("pk_webhooks")),
    )
