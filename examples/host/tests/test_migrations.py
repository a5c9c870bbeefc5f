import ast
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from mentionable_host import migrations
from mentionable_host.migrations.write import PLACE, first_revision
from mentionable_host.store.database import Database
from mentionable_host.store.sqlite_file import worked_on_alone
from mentionable_host.store.tables import metadata


@pytest.fixture
def empty(empty_url):
    database = Database(empty_url)
    yield database
    database.close()


def table_names(database):
    with database.snapshot() as db:
        return set(inspect(db).get_table_names())


def add_revision(folder, name, *, after, body):
    head = f'revision = "{name}"\ndown_revision = "{after}"\nbranch_labels = depends_on = None\n'
    inside = [f"    {one}" for one in body]
    lines = ("import sqlalchemy as sa", "from alembic import op", head, "def upgrade():", *inside)
    (folder / "versions" / f"v{name}.py").write_text("\n".join(lines))


@pytest.fixture
def later(tmp_path, monkeypatch):
    """The revisions of a later version of the package, which a test writes."""
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for place in (Path(migrations.__file__).with_name("env.py"), PLACE):
        (folder / place.relative_to(migrations.FOLDER)).write_text(place.read_text())
    monkeypatch.setattr(migrations, "FOLDER", folder)
    return folder


def test_the_migrated_database_has_the_tables_of_the_code(empty):
    assert migrations.upgrade(empty) is None

    with empty.engine.connect() as db:
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(db, opts=options), metadata) == []
    assert migrations.revision(empty) == migrations.head()


def test_the_first_revision_is_written_from_the_tables():
    written, fresh = (ast.dump(ast.parse(text)) for text in (PLACE.read_text(), first_revision()))

    assert written == fresh, "run: python -m mentionable_host.migrations.write && ruff format"


def test_an_upgrade_of_a_database_that_is_up_to_date_changes_nothing(empty):
    migrations.upgrade(empty)

    assert migrations.upgrade(empty) is None
    assert not [name for name in os.listdir() if name.endswith(".0001")]


def test_the_newest_file_has_the_newest_revision():
    assert migrations._newest() == migrations.head()


def test_a_database_that_is_up_to_date_does_not_wait_for_alembic(empty, empty_url):
    migrations.upgrade(empty)
    program = f"""
import sys
from mentionable_host import migrations
from mentionable_host.store.database import Database
assert migrations.upgrade(Database({empty_url!r})) is None
print(*(name for name in ("alembic",) if name in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout.strip() == ""


def test_a_file_is_copied_before_it_is_changed(empty, later):
    migrations.upgrade(empty)
    with empty.engine.begin() as db:
        db.execute(text("INSERT INTO settings (key, value) VALUES ('kept', 'x')"))
    add_revision(later, "0002", after="0001", body=["op.add_column('settings', sa.Column('more', sa.Text()))"])

    copy = migrations.upgrade(empty)

    assert migrations.revision(empty) == "0002"
    if empty.dialect == "postgresql":
        assert copy is None
        return
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    before = Database(f"sqlite:///{copy}")
    with before.snapshot() as db:
        assert db.execute(text("SELECT key FROM settings")).scalars().all() == ["kept"]
    assert migrations.revision(before) == "0001"
    before.close()


def test_a_file_that_a_server_works_on_is_not_changed_under_it(empty, later):
    if empty.dialect != "sqlite":
        pytest.skip("PostgreSQL is upgraded while others work on it")
    migrations.upgrade(empty)
    add_revision(later, "0002", after="0001", body=["op.create_table('new', sa.Column('a', sa.Text()))"])

    with worked_on_alone(Path(empty.engine.url.database)), pytest.raises(migrations.MigrationError, match="end that"):
        migrations.upgrade(empty)
    assert "new" not in table_names(empty)
    assert migrations.upgrade(empty) is not None
    assert "new" in table_names(empty)


def test_an_upgrade_that_fails_leaves_the_old_state(empty, later):
    migrations.upgrade(empty)
    add_revision(
        later, "0002", after="0001", body=["op.create_table('new', sa.Column('a', sa.Text()))", "raise RuntimeError"]
    )
    with pytest.raises(RuntimeError):
        migrations.upgrade(empty)

    assert "new" not in table_names(empty)
    assert migrations.revision(empty) == "0001"


def test_a_database_of_a_later_version_is_refused(empty):
    migrations.upgrade(empty)
    with empty.engine.begin() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(migrations.MigrationError, match="9999, of a later version"):
        migrations.upgrade(empty)


def test_tables_that_something_else_made_are_not_touched(database):
    with pytest.raises(migrations.MigrationError, match="without a revision"):
        migrations.upgrade(database)


def test_two_processes_upgrade_at_once(empty_url):
    program = f"""
from mentionable_host import migrations
from mentionable_host.store.database import Database
database = Database({empty_url!r})
migrations.upgrade(database)
print(migrations.revision(database))
"""
    both = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(2)]

    assert [one.communicate(timeout=60)[0].strip() for one in both] == [migrations.head()] * 2
