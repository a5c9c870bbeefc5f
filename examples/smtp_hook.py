"""An agent that is asked by mail, behind an aiosmtpd server that is yours.

What is special: you run the SMTP server, and decide who may connect and what else happens to a mail. The agent gets
the bytes, and what `receive` returns is the reply to DATA: 250 when the mail is stored, 4… when it must come again, 5…
when it is refused, such as one that nobody signed. Answers go out from the store, also after a restart. A milter or a
webhook calls `receive` in the same way. Without a server of yours, `mentionable-host serve` listens for mail itself.

Needs `pip install mentionable mentionable-host`, and the configuration and keys of a project: this file goes into the
folder that `mentionable-host new helper --domain agents.example` makes. Take `smtp` out of `[mail]` there, so that
nothing else listens, and start it: `python smtp_hook.py`.
"""

import asyncio
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session
from mentionable_host import Agent, Config, Context, Host
from mentionable_host.build import open_database
from mentionable_host.keys import Keys
from mentionable_host.transports.mail import Mail
from mentionable_host.world.internet import Internet

from mentionable import Limits, NormalizedMessage

PORT = 8025
agent = Agent()


@agent.on_message
async def answer(message: NormalizedMessage, context: Context) -> str:
    """Where your agent begins."""
    return f"You wrote: {context.text}"


class Hook:
    """The handler of aiosmtpd: what it returns is what the peer reads."""

    def __init__(self, transport: Mail) -> None:
        """Who takes the mails."""
        self.transport = transport

    async def handle_DATA(self, server: SMTP, session: Session, smtp: Envelope) -> str:
        """Takes one mail."""
        raw = smtp.original_content or b""
        return await self.transport.receive(raw, mail_from=smtp.mail_from or "", rcpt_to=tuple(smtp.rcpt_tos))


async def main(port: int = PORT) -> None:
    """Serves until it is interrupted."""
    config = Config.load(Path("mentionable.toml"))
    database = open_database(config)
    host = Host(agent, config, keys=Keys.load(config), database=database, world=Internet(), transports=[Mail])
    transport = host.transport("email")
    assert isinstance(transport, Mail)

    def protocol() -> SMTP:
        return SMTP(Hook(transport), data_size_limit=Limits().mail_bytes, enable_SMTPUTF8=True)

    async with host.running(), await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
