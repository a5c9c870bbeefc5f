"""How Alembic runs the steps: on the connection, and in the transaction, of `migrations.upgrade`."""

from __future__ import annotations

from alembic import context

from mentionable_host.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
