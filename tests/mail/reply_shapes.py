"""How mail programs, lists and help desks name the mail that they answer: one row for each shape.

In the fields of a row stand for: `{question}` the Message-ID of the mail before, by the person; `{answer}` that of the
answer to it; `{sent}` that under which the answer came to the person, where a server wrote another one; `{chain}` the
ids of References of the answer and its own; `{index}` the Thread-Index of the answer; `{root}` the first Message-ID.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_BOTH: Final = ("In-Reply-To: {sent}", "References: {chain}")
_THREAD_INDEX: Final = "Thread-Index: AQHcXuTHvU2mT0aN0kqkYbWvCw9Rdw=="


class Shape(NamedTuple):
    """How one program writes.

    Attributes:
        program: Its name, and what is special.
        reply: The identification fields of its replies, as lines.
        own_id: The Message-ID of its mails; `{n}` counts them.
        first: Fields of the mail that begins the conversation.
        server_id: The Message-ID that the server of the agent writes in place of its own.
        is_server_id_stored: Whether the host stores its answers under that id too.
    """

    program: str
    reply: tuple[str, ...] = _BOTH
    own_id: str = "<m{n}@a.example>"
    first: tuple[str, ...] = ()
    server_id: str | None = None
    is_server_id_stored: bool = False


SHAPES: Final = (
    # -- web mail
    Shape("Gmail", own_id="<CAF+Uq=x{n}yZk-W@mail.gmail.com>"),
    Shape("Gmail, In-Reply-To alone", ("In-Reply-To: {sent}",), "<CAF+Uq=x{n}yZk-W@mail.gmail.com>"),
    Shape("Gmail on Android", ("References: {chain}", "In-Reply-To: {sent}"), "<CAF{n}+abc@mail.gmail.com>"),
    Shape("Yahoo, whose first mails name an id of their own", own_id="<17{n}.99.1@mail.yahoo.com>",
          first=("References: <170.99.1.ref@mail.yahoo.com>",)),
    Shape("AOL", ("In-Reply-To: {sent}", "References: <170.99.ref@mail.aol.com>\r\n {chain}"), "<1{n}@mail.aol.com>"),
    Shape("Outlook on the web", ("References: {folded}", "In-Reply-To: {sent}", "Thread-Index: {index}"),
          "<DB7PR04MB{n}@DB7PR04MB7.eurprd04.prod.outlook.com>", (_THREAD_INDEX, "Thread-Topic: Rain")),
    Shape("Proton", ("In-Reply-To: {sent}", "References: {chain}", "X-Pm-Message-ID: x"), "<bW9{n}-_==@proton.me>"),
    Shape("Tuta", ("References: {chain}",), "<O{n}--3-9@tuta.io>"),
    Shape("Fastmail", ("In-Reply-To: {sent}", "References: {folded}"), "<d0{n}e-4c1a@app.fastmail.com>"),
    Shape("Zoho, in quotes", ('In-Reply-To: "{sent}"', 'References: "{chain}"'), "<19{n}.f0.5@zoho.com>"),
    Shape("iCloud", own_id="<A{n}-4F@icloud.com>"),
    Shape("GMX, a domain of one label", own_id="<trinity-{n}-17@3c-app-gmx-bs01>"),
    Shape("Yandex", own_id="<{n}71@mail.yandex.ru>"),
    Shape("QQ", own_id="<tencent_{n}AF@qq.com>"),
    Shape("Coremail", ("References: {chain}", "In-Reply-To: {sent}"), "<5e.{n}.Coremail.alice@163.com>"),
    Shape("Roundcube", own_id="<{n}af@a.example>"),
    Shape("SOGo, a domain of digits", own_id="<1a-{n}-3-5d@7612>"),
    Shape("Horde", own_id="<2026.Horde.{n}-x@mail.a.example>"),
    Shape("Zimbra", ("In-Reply-To: {sent}", "References: {chain}", "Thread-Index: {index}"), first=(_THREAD_INDEX,)),
    Shape("HEY", own_id="<{n}.sgid-x@hey.com>"),
    Shape("Superhuman", own_id="<l{n}.x@we.are.superhuman.com>"),
    # -- programs
    Shape("Outlook on Windows, Exchange", ("References: {folded}", "In-Reply-To: {sent}", "Thread-Index: {index}"),
          "<VI1PR{n}@VI1PR08.prod.outlook.com>", (_THREAD_INDEX,)),
    Shape("Outlook on Windows, IMAP", ("References: {chain}", "In-Reply-To: {sent}", "Thread-Index: {index}"),
          "<00{n}01dc$1a2b$3c4d@a.example>", (_THREAD_INDEX,)),
    Shape("Outlook on iOS, commas", ("References: {commas}", "In-Reply-To: {sent}"), "<AM0{n}@AM0.outlook.com>"),
    Shape("Outlook on Android, commas without blanks", ("References: {tight}", "In-Reply-To: {sent}")),
    Shape("Exchange, Thread-Index alone", ("Thread-Index: {index}", "Thread-Topic: Rain"),
          "<{n}8A@EXCH01.corp.local>", (_THREAD_INDEX,)),
    Shape("Exchange, Thread-Index alone, folded", ("Thread-Index:\r\n {index}",), first=(_THREAD_INDEX,)),
    Shape("Exchange 5.5", ("In-Reply-To: {sent}",), "<c=US%a=_%p=corp%l=SRV-{n}-10@srv>"),
    Shape("Exchange, encoded references", ("References: =?us-ascii?Q?{encoded}?=",)),
    Shape("Apple Mail", ("In-Reply-To: {sent}", "References: {folded}"), "<7F{n}C-4D@a.example>"),
    Shape("Apple Mail, the parent alone", ("References: {sent}", "In-Reply-To: {sent}")),
    Shape("iOS Mail", ("References: {sent}", "In-Reply-To: {sent}"), "<E{n}-9@a.example>"),
    Shape("iOS Mail, References alone", ("References: {sent}",)),
    Shape("Thunderbird", ("References: {folded}", "In-Reply-To: {sent}"), "<8{n}f6-b2@a.example>"),
    Shape("Samsung", ("In-Reply-To: {sent}",), "<ab{n}.17@email.android.com>"),
    Shape("K-9", ("In-Reply-To: {sent}", "References: {folded}"), "<{n}-k9@a.example>"),
    Shape("Android of 2012, no brackets", ("In-Reply-To: {bare}",)),
    Shape("BlackBerry", ("References: {chain}", "In-Reply-To: {sent}"), "<{n}-17@b2.c1.bise6.blackberry>"),
    Shape("Mutt", ("References: {chain}", "In-Reply-To: {sent}"), "<20261124.GA{n}@a.example>"),
    Shape("Mutt, after the root was deleted", ("References: {sent}", "In-Reply-To: {sent}")),
    Shape("Evolution", own_id="<{n}.camel@a.example>"),
    Shape("KMail", own_id="<{n}.0ifERbkFSE@host>"),
    Shape("Claws", own_id="<20261124{n}.1f@a.example>"),
    Shape("Pine", own_id="<Pine.LNX.4.{n}@a.example>"),
    Shape("Gnus, a comment", ("In-Reply-To: {sent} (Helper's message of \"Tue, 24 Nov 2026\")", "References: {chain}")),
    Shape("VM, prose before", ('In-Reply-To: Your message of "Tue, 24 Nov 2026 10:00:00 +0000"\r\n\t{sent}',)),
    Shape("exmh, a mailbox before", ('In-Reply-To: Message from Helper <helper@agents.example> of "Tue" {sent}',)),
    Shape("elm, prose behind", ('In-Reply-To: {sent} from "Helper" at Nov 24, 26 10:00:00 am',)),
    Shape("elm, a comment around", ("In-Reply-To: (message {sent} of Tuesday)",)),
    Shape("a mailbox in In-Reply-To", ("In-Reply-To: <helper@agents.example>", "References: {chain}")),
    Shape("Notes", ("In-Reply-To: {sent}", "References: {chain}"), "<OF{n}.0A-ON8.0B@a.example>"),
    Shape("GroupWise", ("In-Reply-To: {sent}",), "<5F{n}02000078@gwia.a.example>"),
    # -- lists
    Shape("Mailman 2, an answer from the archive", ("In-Reply-To: {sent}", "Precedence: list", "Sender: l@l.example")),
    Shape("Mailman 3", ("In-Reply-To: {sent}", "References: {sent}", "List-Id: <l.l.example>")),
    Shape("a list that trims the root", ("References: {end}", "In-Reply-To: {sent}", "List-Id: <l.l.example>")),
    Shape("Google Groups", ("References: {chain}", "In-Reply-To: {sent}", "List-Id: <g.googlegroups.com>"),
          "<{n}d-b7n@googlegroups.com>"),
    Shape("LISTSERV", ("In-Reply-To:  {sent}", "Comments: To: L@l.example"), "<LISTSERV%2026{n}@l.example>"),
    Shape("Sympa", ("References: {chain}", "In-Reply-To: {sent}", "X-Loop: l@l.example")),
    # -- programs that write for people
    Shape("Zendesk", ("In-Reply-To: {sent}", "References: {chain}"), "<AB{n}_5f_sprut@zendesk.com>"),
    Shape("Freshdesk", ("In-Reply-To: {sent}", "References: {commas}"), "<{n}.sg@freshdesk.com>"),
    Shape("OTRS", ("In-Reply-To: {sent}", "References: {chain}"), "<17{n}.5.1@otrs.a.example>"),
    Shape("Jira, its own root", ("In-Reply-To: {root}", "References: {root}"), "<JIRA.10{n}.17@Atlassian.JIRA>"),
    Shape("an issue tracker, its own root", ("In-Reply-To: {root}",), "<org/repo/issues/{n}@tracker.example>"),
    # -- ids of other forms
    Shape("a server whose ids have no @", own_id="<20261124.{n}.host>"),
    Shape("a server whose ids have two @", own_id="<alice@a.example.{n}@host>"),
    Shape("a mail without a Message-ID", ("In-Reply-To: {sent}",), own_id=""),
    Shape("a blank inside an id", ("In-Reply-To: {blank}", "References: {blank}")),
    Shape("several parents", ("In-Reply-To: <other@b.example> {sent}",)),
    Shape("its own id and doubles", ("References: {own} {sent} {sent} {own}",)),
    Shape("cut at 998 characters", ("References: {chain} <cut.in.the.mid", "In-Reply-To: {sent}")),
    Shape("cut at 998 characters, References alone", ("References: {chain}\r\n <cut@mid.exam",)),
    Shape("forwarded inside the thread", ("References: {chain}", "X-Forwarded-Message-Id: {sent}")),
    Shape("sent on by Resent", ("In-Reply-To: {sent}", "Resent-From: bob@b.example", "Resent-Message-ID: <r@b>")),
    # -- servers that write another Message-ID
    Shape("Amazon SES", server_id="<0100{n}-000000@email.amazonses.com>"),
    Shape("Amazon SES, In-Reply-To alone", ("In-Reply-To: {sent}",),
          server_id="<0100{n}-000000@eu-west-1.amazonses.com>", is_server_id_stored=True),
)  # fmt: skip
