"""What a server says about itself: `conformance/v0.1/discovery/nodeinfo*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vectors._discovery_rows import Case

HOST = "https://agents.example"
SCHEMA = "http://nodeinfo.diaspora.software/ns/schema/2.1"
LEAST: Case = {
    "version": "2.1",
    "software": {"name": "helper", "version": "1.0"},
    "protocols": ["activitypub"],
    "services": {"inbound": [], "outbound": []},
    "openRegistrations": False,
    "usage": {"users": {}},
    "metadata": {},
}


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    yield "nodeinfo-written", "write_nodeinfo", "What a server says about itself.", list(written())
    yield "nodeinfo", "nodeinfo", "Requests for NodeInfo, and what answers them.", list(served())


def row(behaviour: str, name: str, why: str, asked: Case, **members: Any) -> Case:
    found = {"id": f"discovery/{behaviour}/{name}", "section": "D A9", "level": "SHOULD", "why": why, "flags": []}
    return {**found, "input": asked, **members}


def written() -> Iterator[Case]:
    def case(name: str, why: str, value: Case, **asked: Any) -> Case:
        return row("nodeinfo-written", name, why, {"software": "helper", "version": "1.0", **asked}, value=value)

    def refused(name: str, why: str, **asked: Any) -> Case:
        asked = {"software": "helper", "version": "1.0", **asked}
        return row("nodeinfo-written", name, why, asked, rejected={"code": "malformed"})

    yield case("least", "All members that the schema requires.", LEAST)
    usage = {"users": {"total": 2}, "localPosts": 5}
    yield case("usage", "How many agents, and how many notes.", {**LEAST, "usage": usage}, users=2, posts=5)
    links = {"repository": f"{HOST}/code", "homepage": f"{HOST}/about"}
    yield case("links", "Where to read more.", {**LEAST, "software": {**LEAST["software"], **links}}, **links)
    more = {"nodeName": "Agents"}
    yield case("metadata", "Anything else.", {**LEAST, "metadata": more}, metadata=more)
    yield refused("name-in-capitals", "The schema allows lower case alone.", software="Helper")
    yield refused("version-missing", "It requires a version.", version="")
    yield refused("negative", "There are no fewer than no agents.", users=-1)
    yield refused("javascript", "A link leads to a page.", homepage="javascript:alert(1)")


def served() -> Iterator[Case]:
    def case(name: str, why: str, path: str, status: int, kind: str | None, document: Any, **asked: Any) -> Case:
        asked = {"url": HOST + path, "nodeinfo": LEAST, **asked}
        value = {"status": status, "content_type": kind, "document": document}
        return row("nodeinfo", name, why, asked, value=value)

    links = {"links": [{"rel": SCHEMA, "href": f"{HOST}/nodeinfo/2.1"}]}
    yield case(
        "well-known",
        "The well-known path leads to the document.",
        "/.well-known/nodeinfo",
        200,
        "application/json",
        links,
    )
    typed = f'application/json; profile="{SCHEMA}#"'
    yield case("document", "The document names its schema.", "/nodeinfo/2.1", 200, typed, LEAST)
    yield case("query", "A query changes nothing.", "/nodeinfo/2.1?x#y", 200, typed, LEAST)
    yield case("head", "A HEAD has no body.", "/nodeinfo/2.1", 200, typed, None, method="HEAD")
    yield case("post", "It is only read.", "/nodeinfo/2.1", 405, None, None, method="POST")
    yield case("other-path", "Nothing else is answered.", "/nodeinfo/2.0", 404, None, None)
