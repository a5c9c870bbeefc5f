"""What DNS says, and what it may say."""

import asyncio

import dns.asyncresolver
import dns.message
import dns.resolver
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mentionable import Failed, LookupTxt

from mentionable_host.world.dns import AT_ONCE, DnsClient
from mentionable_host.world.world import NoAddress


def ask(web, *questions):
    async def main():
        async with asyncio.timeout(30), web.dns:
            names = web.dns_client
            found = [await question(names) for question in questions]
            await names.close()
            return found if len(found) > 1 else found[0]

    return asyncio.run(main())


def txt(name):
    return lambda names: names.txt(name)


def test_the_strings_of_a_record_are_joined(web):
    web.dns.add("a.example", "TXT", ['"v=spf1 " "-all"', '"other"'])

    assert sorted(ask(web, txt("a.example"))) == [b"other", b"v=spf1 -all"]


def test_a_name_that_does_not_exist_has_no_records(web):
    web.dns.add("a.example", "A", ["127.0.0.2"])

    assert ask(web, txt("b.example"), txt("a.example"), txt("B.example.")) == [[], [], []]


def test_trouble_is_no_answer(web):
    web.dns.rcodes = {"servfail.example": "SERVFAIL", "refused.example": "REFUSED"}

    for got in ask(web, txt("servfail.example"), txt("refused.example")):
        assert isinstance(got, Failed)
        assert got.temporary


def test_a_server_that_is_silent_is_not_waited_for(web):
    web.seconds, web.dns.spoil = 0.3, lambda response: []

    got = ask(web, txt("a.example"))

    assert isinstance(got, Failed)
    assert got.temporary


def test_answers_with_another_id_are_not_believed(web):
    def spoil(response):
        response.id = (response.id + 1) % 65_536
        return [response.to_wire()]

    web.dns.add("a.example", "TXT", ['"forged"'])
    web.seconds, web.dns.spoil = 0.3, spoil

    assert isinstance(ask(web, txt("a.example")), Failed)


def test_the_right_answer_counts_after_wrong_ones(web):
    def spoil(response):
        right = response.to_wire()
        return [(response.id ^ 1).to_bytes(2) + right[2:], b"", b"\0" * 12, right[:20], right]

    web.dns.add("a.example", "TXT", ['"right"'])
    web.dns.spoil = spoil

    assert ask(web, txt("a.example")) == [b"right"]


def test_answers_to_other_questions_are_not_believed(web):
    def spoil(response):
        other = dns.message.make_response(dns.message.make_query("evil.example", "TXT"))
        other.id = response.id
        return [other.to_wire()]

    web.seconds, web.dns.spoil = 0.3, spoil

    assert isinstance(ask(web, txt("a.example")), Failed)


def test_aliases_are_followed_but_not_in_circles(web):
    web.dns.add("www.example", "CNAME", ["a.example."])
    web.dns.add("a.example", "A", ["127.0.0.2"])
    web.dns.add("x.example", "CNAME", ["y.example."])
    web.dns.add("y.example", "CNAME", ["x.example."])

    straight, circle = ask(
        web, lambda names: names.addresses("www.example"), lambda names: names.addresses("x.example")
    )

    assert straight == ["127.0.0.2"]
    assert isinstance(circle, Failed)


def test_a_host_without_an_address_is_told_apart(web):
    found = ask(web, lambda names: names.addresses("nowhere.example"))

    assert isinstance(found, NoAddress)
    assert not found.temporary


def test_a_thousand_records_are_too_many(web):
    web.seconds = 8
    web.dns.add("a.example", "A", [f"127.1.{n // 250}.{n % 250 + 1}" for n in range(1000)])
    web.dns.add("a.example", "TXT", [f'"{n}"' for n in range(1000)])

    addresses, texts = ask(web, lambda names: names.addresses("a.example"), txt("a.example"))

    assert isinstance(addresses, Failed)
    assert isinstance(texts, Failed)
    assert not texts.temporary


def test_the_names_of_an_address_are_found(web):
    web.dns.add("2.0.0.127.in-addr.arpa", "PTR", ["Mx.a.example."])

    async def talk(names):
        return [await names.names_of(one) for one in ("127.0.0.2", "127.0.0.3", "::1", "no address")]

    assert ask(web, talk) == [["mx.a.example"], [], [], []]


def test_the_authorities_of_a_domain_are_found(web):
    web.dns.add("a.example", "CAA", ['0 issue "ca.example"', '0 iodef "mailto:a@a.example"'])

    async def talk(names):
        return await names.authorities("a.example"), await names.authorities("b.example")

    assert ask(web, talk) == (["ca.example"], [])


def test_trouble_is_trouble_whatever_is_asked(web):
    web.dns.rcodes = dict.fromkeys(("a.example", "2.0.0.127.in-addr.arpa"), "SERVFAIL")

    async def talk(names):
        asked = (names.names_of("127.0.0.2"), names.authorities("a.example"), names.mail_servers("a.example"))
        return [await one for one in asked]

    assert all(isinstance(one, Failed) and one.temporary for one in ask(web, talk))


def test_a_machine_without_a_resolver_finds_nothing(monkeypatch):
    def none(*path, **more):
        raise dns.resolver.NoResolverConfiguration

    monkeypatch.setattr(dns.asyncresolver.Resolver, "read_resolv_conf", none)

    got = asyncio.run(DnsClient(seconds=1).txt("a.example"))

    assert isinstance(got, Failed)
    assert got.temporary


def test_a_long_answer_comes_over_tcp(web):
    web.dns.add("a.example", "TXT", [f'"{"x" * 250}" "{"y" * 250}" "{n}"' for n in range(10)])

    assert len(ask(web, txt("a.example"))) == 10


def test_one_family_of_addresses_is_enough(web):
    web.dns.add("a.example", "A", ["127.0.0.2"])
    spoiled = web.dns.answer

    def answer(wire, *, tcp):
        query = dns.message.from_wire(wire)
        web.dns.rcodes = {"a.example": "SERVFAIL"} if query.question[0].rdtype == dns.rdatatype.AAAA else {}
        return spoiled(wire, tcp=tcp)

    web.dns.answer = answer

    assert ask(web, lambda names: names.addresses("a.example")) == ["127.0.0.2"]


def test_mail_servers_come_by_preference(web):
    web.dns.add("a.example", "MX", ["20 b.a.example.", "10 A.a.example."])
    web.dns.add("null.example", "MX", ["0 ."])
    web.dns.add("bare.example", "A", ["127.0.0.2"])
    names = ("a.example", "null.example", "bare.example", "none.example")

    found = ask(web, *((lambda own, name=name: own.mail_servers(name)) for name in names))

    assert found == [[(10, "a.a.example"), (20, "b.a.example")], [], [(0, "bare.example")], []]


def test_names_that_are_none_are_refused(web):
    for name in ("a" * 64 + ".example", "a..example", ".".join(["abcdefgh"] * 40), "\udc80.example", "a\\999.example"):
        got = ask(web, txt(name))
        assert isinstance(got, Failed), name
        assert not got.temporary, name
    assert web.dns.asked == []


def test_what_is_known_is_not_asked_again_until_its_time_is_over(web):
    web.dns.ttl = 300
    web.dns.add("a.example", "TXT", ['"1"'], ['"2"'])

    async def twice(names):
        first, second = await names.txt("a.example"), await names.txt("A.EXAMPLE.")
        web.time += 301
        return first, second, await names.txt("a.example")

    assert ask(web, twice) == ([b"1"], [b"1"], [b"2"])


def test_a_hundred_questions_at_once_are_one(web):
    web.dns.add("a.example", "TXT", ['"1"'])

    async def many(names):
        return await asyncio.gather(*(names.txt("a.example") for _ in range(100)))

    assert len(ask(web, many)) == 100
    assert len(web.dns.asked) == 1


def test_trouble_is_remembered_for_a_moment_only(web):
    web.dns.rcodes = {"a.example": "SERVFAIL"}
    web.dns.add("a.example", "TXT", ['"1"'])

    async def talk(names):
        await names.txt("a.example")
        asked = len(web.dns.asked)
        await names.txt("a.example")
        assert len(web.dns.asked) == asked
        web.dns.rcodes.clear()
        web.time += 11
        return await names.txt("a.example")

    assert ask(web, talk) == [b"1"]


def test_who_gives_up_waiting_takes_nobody_with_it(web):
    web.dns.add("a.example", "TXT", ['"1"'])

    async def talk(names):
        first = asyncio.create_task(names.txt("a.example"))
        second = asyncio.create_task(names.txt("a.example"))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert ask(web, talk) == [b"1"]


def test_the_world_answers_what_the_library_asks(web):
    web.dns.add("a.example", "TXT", ['"1"'])
    web.dns.add("a.example", "MX", ["5 mx.a.example."])

    async def talk(internet):
        return await internet.lookup_txt(LookupTxt(name="a.example")), await internet.lookup_mx("a.example")

    assert web.run(talk) == ([b"1"], [(5, "mx.a.example")])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_comes_ends_in_an_answer_or_a_failure(web, data):
    def spoil(response):
        wire = bytearray(response.to_wire())
        for position in data.draw(st.lists(st.integers(2, len(wire) - 1), max_size=4)):
            wire[position] = data.draw(st.integers(0, 255))
        return [bytes(wire[: data.draw(st.integers(0, len(wire)))]), bytes(wire)]

    web.dns.add("a.example", "TXT", ['"1"', '"2"'])
    web.dns.spoil, web.seconds = spoil, 0.05

    got = ask(web, txt("a.example"))

    assert isinstance(got, list | Failed)


def test_a_flood_of_names_takes_no_more_than_some_sockets():
    class Resolver:
        open = most = asked = 0

        async def resolve(self, name, kind, **more):
            self.open, self.asked = self.open + 1, self.asked + 1
            self.most = max(self.most, self.open)
            await asyncio.sleep(0)
            self.open -= 1
            raise dns.resolver.NoAnswer

    resolver = Resolver()
    client = DnsClient(resolver)

    async def main():
        await asyncio.gather(*(client.txt(f"a{number}.example") for number in range(1_000)))
        await client.close()

    asyncio.run(main())
    assert (resolver.most, resolver.asked) == (AT_ONCE, 1_000)
