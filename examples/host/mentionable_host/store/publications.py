"""What the agent published, and what is served under its URLs: notes and activities as JSON, files as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from attrs import field, frozen
from mentionable import activitypub
from sqlalchemy import Connection, RowMapping, delete, func, select

from mentionable_host.store.dialects import insert_new, upsert
from mentionable_host.store.rows import value_of
from mentionable_host.store.tables import documents, publication_documents, publications, reactions

__all__ = [
    "ACTIVITY_JSON",
    "Document",
    "Page",
    "Publication",
    "about",
    "count_public",
    "document",
    "get",
    "newest",
    "newest_notes",
    "of_person",
    "page",
    "put",
    "remove",
    "remove_answers",
]

Kind = Literal["answer", "post", "announce", "follow", "accept", "move", "block"]

ACTIVITY_JSON: Final = "application/activity+json"
PAGE_SIZE: Final = 20
LISTED: Final = ("answer", "post", "announce")
"""What an outbox lists."""


@frozen(kw_only=True)
class Publication:
    """Something that the agent published.

    Attributes:
        native_id: The id of the note, or of the activity where there is no note.
        kind: What it is.
        activity: The id of its activity.
        inboxes: Where it went, so that it can be withdrawn there.
        public: Whether it is for everyone.
        about: The id of the answer, the object that is announced, who is followed, or what is accepted.
        person: The address of its recipient, where it is for one.
    """

    native_id: str
    kind: Kind
    activity: str
    inboxes: tuple[str, ...]
    public: bool = False
    about: str | None = None
    person: str | None = None


@frozen(kw_only=True)
class Document:
    """What is served under a URL.

    Attributes:
        content_type: Its media type.
        value: Its bytes.
    """

    content_type: str
    value: bytes = field(repr=False)

    @property
    def json(self) -> dict[str, Any] | None:
        """It as JSON; None for a file."""
        return json.loads(self.value) if self.content_type == ACTIVITY_JSON else None


@frozen(kw_only=True)
class Page:
    """A page of the outbox.

    Attributes:
        items: The ids of activities, the newest first.
        older: The cursor of the next page, if there is one.
        newer: The cursor of the page before, if there is one.
    """

    items: tuple[str, ...]
    older: str | None
    newer: str | None


def put(
    db: Connection,
    one: Publication,
    *,
    serve: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, activitypub.ServedFile],
) -> None:
    """Stores a publication with its documents and files. One that is there already is a `Conflict`."""
    names = ("native_id", "kind", "activity", "public", "about", "person")
    values = {name: getattr(one, name) for name in names}
    inboxes = json.dumps(one.inboxes).encode()
    db.execute(publications.insert().values(**values, inboxes=inboxes))
    put_documents(db, serve, person=one.person, answer_id=one.about if one.kind == "answer" else None)
    for url, file in files.items():
        row = {"url": url, "content_type": file.mime, "value": file.data}
        insert_new(db, documents, row)  # it is named after its content
    for url in {*serve, *files}:
        insert_new(db, publication_documents, {"publication": one.native_id, "url": url})


def put_documents(
    db: Connection,
    serve: Mapping[str, Mapping[str, Any]],
    *,
    person: str | None = None,
    answer_id: str | None = None,
) -> None:
    """Stores documents, each in the place of what was there.

    Args:
        db: The transaction.
        serve: Id → document.
        person: Their recipient, so that they go when that person is forgotten.
        answer_id: The answer that they belong to.
    """
    for url, one in serve.items():
        row = {"url": url, "person": person, "answer_id": answer_id}
        upsert(db, documents, {**row, "content_type": ACTIVITY_JSON, "value": json.dumps(one).encode()})


def document(db: Connection, url: str) -> Document | None:
    """What is served under a URL."""
    found = select(documents.c.content_type, documents.c.value).where(documents.c.url == url)
    row = db.execute(found).first()
    return None if row is None else Document(content_type=row.content_type, value=row.value)


def get(db: Connection, native_id: str) -> Publication | None:
    """The publication with an id, unless it was withdrawn."""
    row = db.execute(select(publications).where(publications.c.native_id == native_id)).mappings().first()
    return None if row is None else _publication(row)


def about(db: Connection, what: str, *, kind: Kind) -> list[Publication]:
    """The publications about something: an answer, an object, an actor."""
    where = (publications.c.about == what) & (publications.c.kind == kind)
    return [_publication(row) for row in db.execute(select(publications).where(where)).mappings().fetchall()]


def of_person(db: Connection, address: str) -> list[Publication]:
    """The publications that are for a person alone."""
    rows = db.execute(select(publications).where(publications.c.person == address)).mappings()
    return [_publication(row) for row in rows.fetchall()]


def remove(db: Connection, native_id: str) -> int:
    """Removes a publication, the documents and files that no other has, and reactions to it; how many documents."""
    owned = select(publication_documents.c.url).where(publication_documents.c.publication == native_id)
    urls: Sequence[str] = db.execute(owned).scalars().fetchall()
    db.execute(delete(publication_documents).where(publication_documents.c.publication == native_id))
    shared = select(publication_documents.c.url).where(publication_documents.c.url.in_(urls))
    removed = db.execute(delete(documents).where(documents.c.url.in_(urls), documents.c.url.not_in(shared))).rowcount
    db.execute(delete(reactions).where(reactions.c.object == native_id))
    db.execute(delete(publications).where(publications.c.native_id == native_id))
    return removed


def remove_answers(db: Connection, answer_ids: Sequence[str]) -> int:
    """Removes what was published of some answers, without a word to those who have it; how many documents."""
    where = (publications.c.kind == "answer") & publications.c.about.in_(answer_ids)
    found = db.execute(select(publications.c.native_id).where(where)).scalars().all()
    return sum(remove(db, native_id) for native_id in found)


def count_public(db: Connection) -> int:
    """How many an outbox lists."""
    return db.execute(select(func.count()).select_from(publications).where(*_listed())).scalar_one()


def newest(db: Connection) -> str | None:
    """The cursor of the first page of an outbox; None: there is nothing in it."""
    number = db.execute(select(func.max(publications.c.number)).where(*_listed())).scalar()
    return None if number is None else str(number)


def newest_notes(db: Connection) -> list[dict[str, Any]]:
    """The newest answers and posts that are for everyone."""
    found = (
        select(documents.c.value)
        .join(publications, publications.c.native_id == documents.c.url)
        .where(publications.c.public, publications.c.kind.in_(("answer", "post")))
        .order_by(publications.c.number.desc())
        .limit(PAGE_SIZE)
    )
    return [json.loads(value) for value in db.execute(found).scalars()]


def page(db: Connection, cursor: str) -> Page | None:
    """The page of an outbox that begins at a cursor; None: there is no such page.

    Args:
        db: The transaction.
        cursor: The number of its newest publication.
    """
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 19):
        return None
    number, column = int(cursor), publications.c.number
    from_here = select(column, publications.c.activity).where(*_listed(), column <= number).order_by(column.desc())
    rows = db.execute(from_here.limit(PAGE_SIZE + 1)).fetchall()
    if not rows or rows[0].number != number:
        return None
    before = select(column).where(*_listed(), column > number).order_by(column).limit(PAGE_SIZE)
    newer = db.execute(before).scalars().fetchall()
    return Page(
        items=tuple(row.activity for row in rows[:PAGE_SIZE]),
        older=str(rows[PAGE_SIZE].number) if len(rows) > PAGE_SIZE else None,
        newer=str(newer[-1]) if newer else None,
    )


def _listed() -> tuple[Any, Any]:
    return publications.c.public, publications.c.kind.in_(LISTED)


def _publication(row: RowMapping) -> Publication:
    return value_of(Publication, row, inboxes=tuple(json.loads(row["inboxes"])))
