"""What an agent of the Fediverse does when something comes, and what it remembers. `inbox.py` uses it.

It answers each mention once, accepts who follows it, and keeps who blocks it out. Whoever deletes a question takes the
answer with it; what is undone is undone here too. What it remembers is in a file (`inbox_store.py`).
"""

from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_bytes
from typing import Any

from inbox_store import Messages, Table, Uses
from outbox import Outbox

from mentionable import NormalizedMessage, NormalizedResponse, Received, StoredMessage, activitypub

TURNS = 20
REACTIONS = ("Announce", "Dislike", "EmojiReact", "Like")


class Citizen:
    """An agent, and what it remembers.

    Attributes:
        documents: Id → what is served there: the answers, and what else it did.
        files: URL → file of an answer: its headers, and its content in base64.
        followers: Id → address and inboxes of who follows it.
        blocked_by: Id → the Block of who wants to hear no more from it.
        reactions: What people did with its notes → their words or emoji.
    """

    def __init__(self, path: str, outbox: Outbox, *, name: str, base: str, settings: activitypub.Settings) -> None:
        """Opens the file.

        Args:
            path: Of the file.
            outbox: Takes what is to be delivered.
            name: The address of the agent.
            base: The URL of its host.
            settings: With its key.
        """
        self._outbox, self.name, self._base, self._settings = outbox, name, base, settings
        self._actor = "" if settings.key is None else settings.key.key_id.partition("#")[0]
        self.messages, self.uses = Messages(path), Uses(path)
        self.documents, self.files = Table(path, "documents"), Table(path, "files")
        self.followers, self.blocked_by = Table(path, "followers"), Table(path, "blocked_by")
        self.reactions, self._accepted = Table(path, "reactions"), Table(path, "accepted")
        self._sent, self._turns = Table(path, "sent"), Table(path, "turns")

    def read(self, got: Received, answer: Callable[[NormalizedMessage], NormalizedResponse]) -> None:
        """Answers the messages that came, each once: edits and poll tallies of one are not in `got.messages`.

        Raises:
            sqlite3.Error: The file cannot be written. Let the delivery come again.
        """
        if not got.verdict.verified:  # what anybody can send fills no store
            return
        profiles = [message.sender.profile for message in (*got.messages, *got.edited)]
        actor = next((one.provider_subject for one in profiles if one), None)
        self.messages.put(got.to_store, actor=actor)
        if actor is None or actor in self.blocked_by:
            return
        for message in got.messages:
            sender = message.sender.address
            question = f"{(got.native_id, *got.aliases)[-1]} of {sender}"
            if not message.sender.verified or question in self._outbox.answers:
                continue
            talk = f"{message.thread_id} {sender}"
            self._turns[talk] = self._turns.get(talk, 0) + 1
            if self._turns[talk] > TURNS:  # two agents could go on for ever
                continue
            try:
                out = activitypub.reply(answer(message), to=message, **self._facts())
            except Exception as error:  # of the agent: its answer is too large, say. It would be so once more
                print(f"{sender} gets no answer: {type(error).__name__}: {str(error)!r}")
            else:
                self._respond(out, to=message, question=question, recipient=actor)

    def _respond(self, out: activitypub.Outgoing, *, to: NormalizedMessage, question: str, recipient: str) -> None:
        """Stores an answer, serves it, and has it delivered: the last of these makes it count."""
        for url, file in out.files.items():
            self.files[url] = {"headers": dict(file.headers), "data": b64encode(file.data).decode()}
        inboxes, note = [post.url for post in out.deliveries], out.serve[out.native_id]
        self._sent[out.native_id] = {"note": note, "inboxes": inboxes, "files": [*out.files], "recipient": recipient}
        row = StoredMessage(id=answer_id(to.id), thread_id=to.thread_id, sender=self.name, auth_method="own")
        self.messages.put({(out.native_id, self.name): row})
        self.documents.update(out.serve)
        self._deliver(out, recipient, question)

    def act(self, got: activitypub.ReceivedActivity) -> None:
        """Does what an activity says. Its actor may say so, or it would not be here."""
        actor, inner = got.actor, got.inner
        # What is undone is found by actor, type and object: any id may stand in it, and an Undo of a follow of
        # another account comes here too.
        is_about_us = inner is not None and inner.object_id == self._actor
        match got.type, inner.type if inner is not None else None:
            case _ if got.redelivered:
                return
            case "Follow" | "QuoteRequest", _ if len(got.object_ids) != 1:
                return  # no server sends this
            case "Follow", _ if actor.id in self.blocked_by:
                self._reject(got)
            case "Follow", _:
                self._keep_follower(actor)
                self._accept(got, f"Follow of {actor.id}")
            case "Update", _ if actor.id in self.followers:
                self._keep_follower(actor)
            case "Block", _:
                self.blocked_by[actor.id] = got.id
                self._outbox.drop(recipient=actor.id)
                self._forget_follower(actor.id)
            case "Undo", "Follow" if is_about_us:
                self._forget_follower(actor.id)
            case "Undo", "Block" if is_about_us:
                self.blocked_by.pop(actor.id, None)
            case "Undo", kind if inner is not None and kind in REACTIONS:
                self.reactions.pop(f"{kind} of {inner.object_id} by {actor.id}", None)
            case kind, _ if kind in REACTIONS and got.object_id in self.documents:
                self.reactions[f"{kind} of {got.object_id} by {actor.id}"] = got.content
            case "Delete", _ if got.object_id == actor.id:
                self._forget_follower(actor.id)
                self.blocked_by.pop(actor.id, None)
                self._forget(self.messages.ids_by(actor.address))
            case "Delete", _:
                self._forget([row.id for row in got.stored.values()])
            case "QuoteRequest", _:  # a note that is not public is rejected like one that does not exist
                note = self.documents.get(got.object_id or "")
                may_quote = activitypub.document_response(note).status == 200 and actor.id not in self.blocked_by
                self._accept(got, f"quote of {got.object_id} in {got.target_id}") if may_quote else self._reject(got)
            case "Flag", _:
                print(f"{actor.address} reports {got.object_ids!r}: {got.content!r}")
            case _:
                pass  # nothing depends on the others here

    def find_all(self, one: str, *, by: object = None) -> dict[str, StoredMessage]:
        """Agent → what is there under an id, or of an actor: the answer to `FindMessages`.

        Of an actor only what claims to be by them learns something. Nothing is verified when this is asked, so that a
        stranger could else try who follows the agent and who writes to it.
        """
        rows = self.messages.find_all(one)
        if rows or one != by:
            return rows
        rows, follower = self.messages.find_by(one), self.followers.get(one)
        if rows or follower is None:
            return rows
        facts = {"sender": follower["address"], "auth_method": "ap-http-signature", "verified": True}
        return {self.name: StoredMessage(id=one, thread_id=one, **facts)}

    def withdraw(self, note_id: str) -> None:
        """Withdraws an answer: whoever got it gets the Delete, and who asks for it learns that it is gone."""
        sent = self._sent.get(note_id)
        if sent is None:  # it was withdrawn before
            return
        for url in sent["files"]:
            self.files.pop(url, None)
        self._outbox.drop(answer=note_id)
        # The Delete goes out even so: a try whose answer was lost may have brought the note there.
        out = activitypub.delete(sent["note"], to=sent["inboxes"], **self._facts())
        self.documents.update(out.serve)
        self._deliver(out, sent["recipient"])
        del self._sent[note_id]

    def forget_inbox(self, inbox: str) -> None:
        """Forgets the followers who had an inbox that is gone."""
        for one, follower in list(self.followers.items()):
            if inbox in (follower["inbox"], follower["shared_inbox"]):
                self._forget_follower(one)

    def _forget(self, message_ids: list[str]) -> None:
        """Forgets messages, and withdraws the answers to them."""
        for message_id in message_ids:
            for note_id in self.messages.native_ids(answer_id(message_id)):
                self.withdraw(note_id)
            self.messages.forget(answer_id(message_id))
            self.messages.forget(message_id)

    def _keep_follower(self, actor: activitypub.Actor) -> None:
        inboxes = {"inbox": actor.inbox, "shared_inbox": actor.shared_inbox}
        self.followers[actor.id] = {"address": actor.address, **inboxes}

    def _forget_follower(self, actor_id: str) -> None:
        self.followers.pop(actor_id, None)
        self._forget_accept(f"Follow of {actor_id}")

    def _accept(self, got: activitypub.ReceivedActivity, request: str) -> None:
        """Accepts a request. The Accept takes the place of an earlier one, however often the same is asked for."""
        out = activitypub.accept(got, **self._facts())
        self._forget_accept(request)
        self._accepted[request] = [*out.serve]
        self.documents.update(out.serve)
        self._deliver(out, got.actor.id)

    def _forget_accept(self, request: str) -> None:
        for url in self._accepted.pop(request, ()):
            self.documents.pop(url, None)

    def _reject(self, got: activitypub.ReceivedActivity) -> None:
        """Rejects a request. Nobody can fill the store with it, as it is not served: its signature is enough."""
        self._deliver(activitypub.reject(got, **self._facts()), got.actor.id)

    def _deliver(self, out: activitypub.Outgoing, recipient: str, question: str | None = None) -> None:
        """Has it delivered, unless its recipient blocks the agent before that."""
        posts = [(delivery.url, delivery.body) for delivery in out.deliveries]
        self._outbox.put(question, out.native_id, posts, recipient=recipient)

    def _facts(self) -> dict[str, Any]:
        """What everything is made with that goes out."""
        facts = {"base": self._base, "settings": self._settings}
        return {**facts, "now": datetime.now(UTC), "entropy": token_bytes(32)}


def answer_id(message_id: str) -> str:
    """The id of the answer to a message."""
    return f"answer-to-{message_id}"
