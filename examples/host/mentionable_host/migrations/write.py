"""Writes the first revision anew from `store/tables.py`: `python -m mentionable_host.migrations.write`.

Only until the first release. From then on a change of the tables is a revision of its own, written by hand:
`tests/test_migrations.py` compares what all revisions make with the tables.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

from alembic.autogenerate import produce_migrations, render_python_code
from alembic.migration import MigrationContext
from sqlalchemy import BigInteger, DefaultClause, create_engine
from sqlalchemy import Text as AnyText
from sqlalchemy.sql.elements import False_

from mentionable_host.store.columns import LongText, Text
from mentionable_host.store.tables import metadata

__all__ = ["first_revision", "main"]

PLACE: Final = Path(__file__).parent / "versions" / "v0001_first_tables.py"
HEAD: Final = '''"""The first tables. `python -m mentionable_host.migrations.write` wrote this."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the tables."""
'''


def first_revision() -> str:
    """The program that makes all tables."""
    engine = create_engine("sqlite://")
    with engine.connect() as db:
        context = MigrationContext.configure(db, opts={"render_item": _render, "target_metadata": metadata})
        steps = produce_migrations(context, metadata).upgrade_ops
        lines = render_python_code(steps, render_item=_render, migration_context=context) if steps else ""
    engine.dispose()
    plain = [line for line in lines.splitlines() if not line.strip().startswith("#")]
    return HEAD + "\n".join(line if not line or line.startswith("    ") else f"    {line}" for line in plain) + "\n"


def _render(kind: str, item: Any, context: Any) -> str | Literal[False]:
    """How types of our own, numbers that count by themselves, and truth values are written."""
    if kind == "server_default" and isinstance(item, DefaultClause) and isinstance(item.arg, False_):
        return "sa.false()"
    if kind != "type":
        return False
    if isinstance(item, (Text, LongText, AnyText)):
        return "sa.Text()"
    return 'sa.BigInteger().with_variant(sa.Integer(), "sqlite")' if isinstance(item, BigInteger) else False


def main() -> None:
    """Writes the file."""
    PLACE.write_text(first_revision(), "utf-8")
    print(f"wrote {PLACE}; now run `ruff format` on it")


if __name__ == "__main__":
    main()
