"""Answers that go elsewhere than where they were asked for."""

from mentionable import plain_text
from recorder import Chat, Recorder, play, talk

from mentionable_host import Agent


def test_an_answer_goes_by_mail_where_the_person_is_known_there(make_host):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return context.reply_to("The whole report.", via="email") if context.text == "Mail it" else "Hello"

    async def story(host):
        await talk(host, "Hi", id="m1", thread="t-mail")
        await talk(host, "Mail it", id="m2", thread="t-chat", transport="chat", via="connector")

    host = make_host(Recorder, Chat, agent=agent)
    play(host, story)
    moved, to = host.transports["email"].written[-1]

    assert plain_text(host.transports["chat"].written[0][0]) == "I have answered you by e-mail."
    assert (plain_text(moved), to.sender.address) == ("The whole report.", "@alice@a.example")
    assert to.thread_id not in ("t-mail", "t-chat")
    assert (moved.reply_to, to.parts) == (to.id, ())


def test_an_answer_goes_nowhere_where_the_person_is_not_known(make_host):
    agent = Agent()
    agent.on_message(lambda message, context: context.reply_to("The report.", via="email"))

    async def story(host):
        await talk(host, "Mail it", transport="chat", via="connector")

    host = make_host(Recorder, Chat, agent=agent)
    play(host, story)

    assert "no way" in plain_text(host.transports["chat"].written[0][0])
    assert host.transports["email"].written == []


def test_a_person_whom_the_program_names_gets_a_first_mail(make_host):
    agent = Agent()
    agent.on_message(
        lambda message, context: context.reply_to(
            "The report.", via="email", person="@carol@c.example", subject="Your report"
        )
    )

    async def story(host):
        await talk(host, "Mail it", transport="chat", via="connector")

    host = make_host(Recorder, Chat, agent=agent)
    play(host, story)
    _, to = host.transports["email"].written[0]

    assert to.sender.address == "@carol@c.example"
    assert to.raw["parsed"] == {"subject": "Your report"}


def test_a_person_of_the_fediverse_is_written_to_directly(make_host, world, monkeypatch):
    from mentionable.testing import Peer, answers

    class Fediverse(Recorder):
        name = "activitypub"

    carol, agent = Peer.activitypub("@carol@c.example"), Agent()
    table = answers(carol)

    async def fetch(ask, *, sign=None):
        return table(ask)

    monkeypatch.setattr(world, "fetch", fetch)
    agent.on_message(
        lambda message, context: context.reply_to("The report.", via="activitypub", person="@carol@c.example")
    )

    async def story(host):
        await talk(host, "Write to Carol")

    host = make_host(Recorder, Fediverse, agent=agent)
    play(host, story)
    _, to = host.transports["activitypub"].written[0]

    assert (to.sender.address, to.parts) == ("@carol@c.example", ())
    assert plain_text(host.transports["email"].written[0][0]) == "I have answered you on the Fediverse."
