"""The operations of documents on ActivityPub for the worked harness of Python: readers, collections, followers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import python_build as build
import python_inbox as inbox

import mentionable as m
from mentionable import activitypub
from mentionable.testing.lookups import LookupTable, case_bytes
from mentionable.testing.settings import read_settings

Object = Mapping[str, Any]
VERDICT = ("method", "verified", "address", "key_id", "code", "temporary")
HEADERS = {"content_type": "content-type", "cache_control": "cache-control", "vary": "vary"}


def _request(unit: Object) -> m.HttpRequest:
    headers = [(name, value) for name, value in unit["headers"]]
    return m.HttpRequest(method=unit["method"], url=unit["url"], headers=headers, body=case_bytes(unit["body"]))


def _verify_reader(_: str, given: Object, unit: Object) -> dict[str, Any]:
    table, settings = LookupTable(given["lookups"]), read_settings(given.get("settings", {}))
    flow = activitypub.verify_reader(_request(unit), now=m.parse_time(given["now"]), settings=settings)
    reader = m.drive(flow, table.answer)
    verdict = {name: getattr(reader.verdict, name) for name in VERDICT}
    return {"value": {"id": reader.id, **verdict}, "asks": table.asked}


def _synchronize(_: str, given: Object, unit: Object) -> dict[str, Any]:
    table, settings = LookupTable(given["lookups"]), read_settings(given.get("settings", {}))
    asked = {"actor": unit["actor"], "known": unit["known"], "now": m.parse_time(given["now"])}
    done = m.drive(activitypub.synchronize(_request(unit), **asked, settings=settings), table.answer)
    lists = {"not_followers": list(done.not_followers), "not_known": list(done.not_known)}
    return {"value": {"state": done.state, **lists}, "asks": table.asked}


def _document_response(_: Object, unit: Object) -> Any:
    reader = None
    if "reader" in unit:  # as `verify_reader` returns one
        verdict = m.Verdict(method="ap-http-signature", verified=True, address="@reader@social.example")
        reader = activitypub.Reader(verdict=verdict, id=unit["reader"])
    response = activitypub.document_response(unit["document"], reader=reader, member_of=unit.get("member_of", ()))
    headers = {name: response.header(header) for name, header in HEADERS.items()}
    return {"status": response.status, **headers, "document": json.loads(response.body or b"null")}


def _with_synchronization(_: Object, unit: Object) -> Any:
    delivery = m.HttpRequest(method="POST", url=unit["url"])
    own = {"followers": unit["followers"], "collection": unit["collection"], "url": unit["partial"]}
    return activitypub.with_synchronization(delivery, **own).header("collection-synchronization")


def _peek(given: Object, unit: Object) -> Any:
    claimed = activitypub.peek(_request(unit), settings=read_settings(given.get("settings", {})))
    return {name: getattr(claimed, name) for name in ("origin", "type", "id", "digest")}


DOORS: dict[str, Callable[[str, Object, Any], dict[str, Any]]] = {
    "activitypub.verify_reader": _verify_reader,
    "activitypub.synchronize": _synchronize,
    **inbox.DOORS,
}
PURE: dict[str, Callable[[Object, Any], Any]] = {
    "activitypub.document_response": _document_response,
    "activitypub.collection": lambda _, unit: activitypub.collection(**unit),
    "activitypub.collection_page": lambda _, unit: activitypub.collection_page(**unit),
    "activitypub.followers_digest": lambda _, unit: activitypub.followers_digest(unit["ids"]),
    "activitypub.with_synchronization": _with_synchronization,
    "activitypub.peek": _peek,
    "activitypub.judge_delivery": lambda _, unit: activitypub.delivery_outcome(**unit),
    **build.PURE,
}
