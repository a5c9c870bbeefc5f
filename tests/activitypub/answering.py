"""An agent that answers alice, for the tests of the way out; and what her server makes of the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import attrs

from mentionable import (
    HttpRequest,
    NormalizedMessage,
    NormalizedResponse,
    Settings,
    SigningKey,
    activitypub,
    drive,
    replace,
)
from mentionable.activitypub import Actor, Outgoing
from tests.activitypub.servers import (
    ALICE,
    AS2,
    BOB,
    ENTROPY,
    HELPER,
    NOTE,
    NOW,
    World,
    actor,
    create,
    fetched,
    note,
    private_pem,
    taken,
)

if TYPE_CHECKING:
    from mentionable import Received

BASE = "https://agents.example"
INBOX = f"{ALICE}/inbox"
SHARED = "https://social.example/inbox"
FOLLOWERS = f"{ALICE}/followers"
KEY = SigningKey.from_pem(private_pem(), key_id=f"{HELPER}#main-key")
OBJECTS = SigningKey.from_seed(bytes(32), key_id=f"{HELPER}#objects")
BOB_ACTOR = Actor(address="@bob@other.example", id=BOB, inbox=f"{BOB}/inbox", shared_inbox="https://other.example/in")
ASKER: dict[str, Any] = actor(inbox=INBOX, endpoints={"sharedInbox": SHARED}, followers=FOLLOWERS)


def asked(activity: Any = None, who: Any = None, **members: Any) -> NormalizedMessage:
    """What alice asked; `members` are those of the note, `to` and `cc` also of the activity."""
    if activity is None:
        envelope = {name: members[name] for name in ("to", "cc") if name in members}
        activity = create(note(**members), **envelope)
    return taken(World(ASKER if who is None else who).receive(activity, recipient="@helper@agents.example")).message


MESSAGE = asked()


def answer(*parts: Any, to: NormalizedMessage = MESSAGE, **given: Any) -> Outgoing:
    """The answer of the agent to `to`; a string is Markdown."""
    response = parts[0] if parts and isinstance(parts[0], NormalizedResponse) else NormalizedResponse.to(to, *parts)
    call: dict[str, Any] = {"base": BASE, "key": KEY, "now": NOW, "entropy": ENTROPY} | given
    return activitypub.reply(response, to=to, **with_settings(call))


def with_settings(call: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call with its key in its settings, where it has both."""
    key, settings = call.pop("key", None), call.get("settings", activitypub.Settings())
    if isinstance(settings, activitypub.Settings) and key is not None:
        settings = replace(settings, key=key)
    elif isinstance(settings, Settings) and key is not None:
        shared = {member.name: getattr(settings, member.name) for member in attrs.fields(Settings)}  # type: ignore[arg-type]
        settings = activitypub.Settings(**shared, key=key)
    return {**call, "settings": settings}


def note_in(out: Outgoing) -> dict[str, Any]:
    found: dict[str, Any] = out.activity["object"]
    return found


def content(*parts: Any, **given: Any) -> str:
    """The text of the answer without its trace."""
    html, _, _ = str(note_in(answer(*parts, **given))["content"]).partition('<p><a class="mentionable-trace"')
    return html


def body_of(request: HttpRequest) -> Any:
    return json.loads(request.body)


def helper_web() -> dict[str, Any]:
    """What the web knows of the agent and of the question."""
    address = "@helper@agents.example"
    document = activitypub.actor(address, url=HELPER, keys=(KEY, OBJECTS), name="Helper")
    jrd = activitypub.webfinger(address, url=HELPER)
    finger = "https://agents.example/.well-known/webfinger?resource=acct:helper@agents.example"
    question = {"@context": AS2, **note(published="2026-11-21T20:00:00Z")}
    return {
        HELPER: fetched(document),
        NOTE: fetched(question),
        finger: fetched(jrd, finger, content_type="application/jrd+json"),
    }


def received(request: HttpRequest, settings: Settings | None = None) -> Received:
    """What alice's server, where she is an agent too, makes of a delivery."""
    world = World(answers=helper_web())
    world.agents = {ALICE: "@alice@social.example"}
    flow = activitypub.receive(request, now=NOW, entropy=ENTROPY, settings=settings or activitypub.Settings())
    return taken(drive(flow, world.answer))


def rewritten(request: HttpRequest, cleaner: Any) -> HttpRequest:
    """The delivery as a server would pass it on that cleans what it shows; nobody signs it."""
    activity = body_of(request)
    activity["object"]["content"] = cleaner.clean(activity["object"]["content"])
    return HttpRequest(method="POST", url=request.url, body=json.dumps(activity).encode())


def without_raw(**raw: Any) -> NormalizedMessage:
    """The question with another `raw`: members replaced, or left out where they are `...`."""
    changed = {name: value for name, value in {**MESSAGE.raw, **raw}.items() if value is not ...}
    return replace(MESSAGE, raw=changed)
