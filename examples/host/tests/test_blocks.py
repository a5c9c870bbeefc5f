import asyncio

import pytest
from mentionable import activitypub

from mentionable_host.store import block_lists, blocks, follows

DOMAINS = """#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
spam.example,suspend,true,true,"Spam, lots of it",false
loud.example,silence,false,false,,false
fine.example,noop,true,false,,false
xn--bcher-kva.example,suspend,false,false,,false
not a domain,suspend,false,false,,false

"""


@pytest.fixture
def write(database):
    return lambda work: asyncio.run(database.write(work))


def targets(write):
    return write(lambda db: [(one.target, one.kind, one.severity) for one in blocks.every(db)])


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("@Alice@A.Example", ("@Alice@a.example", "address")),
        ("alice@a.example", ("@alice@a.example", "address")),
        ("acct:alice@a.example", ("@alice@a.example", "address")),
        ("A.example.", ("a.example", "domain")),
        ("*.a.example", ("a.example", "domain")),
        ("bücher.example", ("xn--bcher-kva.example", "domain")),
        ("https://a.example/users/alice", ("https://a.example/users/alice", "actor")),
    ],
)
def test_a_target_is_read_as_people_write_it(words, target):
    assert blocks.target_of(words) == target


@pytest.mark.parametrize("words", ["", "@", "@a.example", "a b", "alice@", "https://", "a..example", "x" * 300])
def test_what_is_no_target_is_refused(words):
    with pytest.raises(ValueError, match="is no"):
        blocks.target_of(words)


def test_a_block_is_changed_found_and_removed(write, world):
    write(lambda db: blocks.add(db, "a.example", now=world.now(), severity="silence"))
    write(lambda db: blocks.add(db, "a.example", now=world.now(), note="They spam."))

    found = write(lambda db: blocks.find(db, "@bob@sub.a.example"))
    assert (found.target, found.severity, found.note) == ("a.example", "suspend", "They spam.")
    assert write(lambda db: blocks.remove(db, "a.example"))
    assert not write(lambda db: blocks.remove(db, "a.example"))
    assert write(lambda db: blocks.find(db, "@bob@sub.a.example")) is None


def test_an_actor_is_blocked_with_its_host(write, world):
    actor = "https://social.example/users/alice"
    write(lambda db: blocks.add(db, actor, now=world.now()))

    assert write(lambda db: blocks.find(db, "@alice@a.example", actor)).kind == "actor"
    write(lambda db: blocks.remove(db, actor))
    write(lambda db: blocks.add(db, "social.example", now=world.now()))
    assert write(lambda db: blocks.find(db, "@alice@a.example", actor)).kind == "domain"


@pytest.mark.parametrize(
    "domain", ["x." * 100 + "spam.example", "SPAM.example.", "b\u00fccher.spam.example", "a..spam.example"]
)
def test_no_spelling_of_a_domain_evades_a_block(write, world, domain):
    write(lambda db: blocks.add(db, "spam.example", now=world.now()))

    assert write(lambda db: blocks.find(db, f"@bob@{domain}")) is not None


def test_a_domain_is_found_in_both_of_its_forms(write, world):
    write(lambda db: blocks.add(db, "b\u00fccher.example", now=world.now()))

    assert write(lambda db: blocks.find(db, "@bob@b\u00fccher.example")) is not None
    assert write(lambda db: blocks.find(db, "@bob@xn--bcher-kva.example")) is not None


def test_of_two_blocks_the_severer_counts(write, world):
    write(lambda db: blocks.add(db, "a.example", now=world.now(), severity="silence"))
    write(lambda db: blocks.add(db, "@alice@a.example", now=world.now()))

    assert write(lambda db: blocks.find(db, "@alice@a.example")).severity == "suspend"


def test_the_operator_and_a_peer_may_both_block(write, world):
    write(lambda db: blocks.add(db, "@alice@a.example", now=world.now()))
    write(lambda db: blocks.add(db, "@alice@a.example", now=world.now(), by="peer"))
    write(lambda db: blocks.remove(db, "@alice@a.example"))

    assert write(lambda db: blocks.find(db, "@alice@a.example")).by == "peer"


def test_a_list_of_domains_is_imported(write, world):
    result = write(lambda db: block_lists.import_csv(db, DOMAINS, now=world.now()))

    assert (result.added, result.skipped, result.refused) == (3, 2, (6,))
    assert targets(write) == [
        ("loud.example", "domain", "silence"),
        ("spam.example", "domain", "suspend"),
        ("xn--bcher-kva.example", "domain", "suspend"),
    ]


@pytest.mark.parametrize("head", ["", "Account address\n"])
def test_a_list_of_people_is_imported(write, world, head):
    result = write(lambda db: block_lists.import_csv(db, f"{head}eve@e.example\nbob@b.example\n", now=world.now()))

    assert result.added == 2
    assert [one[0] for one in targets(write)] == ["@bob@b.example", "@eve@e.example"]


def test_a_list_that_was_exported_can_be_imported(write, world):
    write(lambda db: block_lists.import_csv(db, DOMAINS + "eve@e.example\n", now=world.now()))
    before = targets(write)
    lists = write(lambda db: [block_lists.export_csv(blocks.every(db), kind=kind) for kind in ("domain", "address")])
    for target, _, _ in before:
        write(lambda db, target=target: blocks.remove(db, target))

    for text in lists:
        write(lambda db, text=text: block_lists.import_csv(db, text, now=world.now()))
    assert targets(write) == before
    assert lists[0].splitlines()[2] == 'spam.example,suspend,false,false,"Spam, lots of it",false'


@pytest.mark.parametrize("text", ["a.example\n" + "x" * 200_000, "a.example\n" * 200_001])
def test_what_is_no_list_is_refused_as_a_whole(write, world, text):
    with pytest.raises(ValueError, match="the list"):
        write(lambda db: block_lists.import_csv(db, text, now=world.now()))
    assert targets(write) == []


def test_lines_that_name_nobody_are_refused(write, world):
    result = write(lambda db: block_lists.import_csv(db, '\0,\x01\nb.example\n"unclosed\nmore', now=world.now()))

    assert (result.added, result.refused) == (1, (1, 3))


def test_a_name_is_blocked_in_any_case(write, world):
    write(lambda db: blocks.add(db, "@Alice@A.example", now=world.now()))

    assert write(lambda db: blocks.find(db, "@aLICE@a.example")) is not None
    assert write(lambda db: blocks.remove(db, "alice@a.example"))


def test_all_blocks_are_read_in_pieces(write, world, monkeypatch):
    monkeypatch.setattr(blocks, "PAGE", 3)
    text = "".join(f"d{number}.example\n" for number in range(10))
    write(lambda db: block_lists.import_csv(db, text, now=world.now()))
    write(lambda db: blocks.add(db, "d2.example", now=world.now(), by="peer"))

    assert len(targets(write)) == 11


def test_targets_have_every_domain_that_somebody_is_under():
    names = blocks.targets("@X@c.example", "https://a.b.example:8443/u", host="d.example:443")

    assert set(names) == {
        *("https://a.b.example:8443/u", "@x@c.example", "example"),
        *("a.b.example", "b.example", "c.example", "d.example"),
    }


@pytest.mark.parametrize("how", ["add", "import"])
def test_who_is_blocked_follows_no_more_and_is_followed_no_more(write, world, how):
    def relate(db):
        for side in follows.SIDES:
            for host in ("a.example", "b.example"):
                actor = activitypub.Actor(id=f"https://{host}/u", address=f"@u@{host}", inbox=f"https://{host}/i")
                facts = {"agent": "@helper@agents.example", "state": "accepted", "activity": {}, "now": world.now()}
                follows.put_relation(db, side, actor, **facts)

    write(relate)
    if how == "add":
        write(lambda db: blocks.add(db, "a.example", now=world.now(), severity="silence"))
        assert write(lambda db: blocks.add(db, "a.example", now=world.now())).ended == 2
    else:
        write(lambda db: block_lists.import_csv(db, "a.example\n", now=world.now()))

    left = write(lambda db: [one.actor for one in follows.known(db)])
    assert left == ["https://b.example/u"] * 2
