"""Mutants of notifications: what the system and the agent may do with an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mentionable.anp import _agent, _decide, _notification, _present, _step, _system
from tests.mutants._anp import AREA, NOTHING, ONE, decides, edits
from tests.mutants._answers import takes

if TYPE_CHECKING:
    from collections.abc import Callable

# --- leases, revisions, users

STALE, ACK, FAILED = _system.stale, _system.client_ack, _system.delivery_failed
GRANTED: Final = _agent._not_granted
LEASE: Final = "lease != record.owner_lease"
NO: Final = "        return None\n    "
BEGIN: Final = "lease, revision = step.command.lease"


def leases(name: str, rule: str, new: str) -> None:
    """Registers a mutant that compares leases otherwise."""
    decides(f"lease-{name}", rule, (STALE, LEASE, new))


leases("missing-accepted", "Takes a missing lease for the current one.", f"lease is not None and {LEASE}")
leases("old-accepted", "Takes older leases.", "lease is None or lease > record.owner_lease")
leases("future-accepted", "Takes leases that were not given yet.", "lease is None or lease < record.owner_lease")
leases("negative-accepted", "Takes any lease below the first.", f"{LEASE} and not (lease is not None and lease < 1)")
leases("of-the-escalation", "Takes the second lease before it is given.", f"{LEASE} and lease != 2")
for _name, _kinds in (
    ("client-acks", ("client_ack",)),
    ("facts", ("context_committed",)),
    ("failures", ("delivery_failed",)),
    ("claims", ("claim",)),
    ("actions", ("action",)),
    ("turns", ("commit_turn",)),
    ("broken-turns", ("turn_failed",)),
    ("extensions", ("extend",)),
):
    for _lease, _when in (("missing", "is None"), ("future", "not in (None, 0, 1)"), ("old", "in (0, 1)"),
                          ("current", "in (0, 1, 2)")):  # fmt: skip
        if _lease == "current" and _name != "turns":
            continue
        decides(
            f"{_lease}-lease-of-{_name}",
            "Checks the acknowledgements of agents against the current lease." if _lease == "current"
            else f"Does not check the {_lease} lease of {_name}.",
            (STALE, BEGIN, f"if step.command.kind in {_kinds} and step.command.lease {_when}:\n{NO}{BEGIN}"),
        )  # fmt: skip
decides("revision-ignored", "Does not look at revisions.",
        (STALE, "revision is not None and revision != record.revision", "False"))  # fmt: skip
decides(
    "revision-needed",
    "Wants a revision.",
    (STALE, "revision is not None and", "(revision is not None or record.revision > 1) and"),
)
decides("old-revision-accepted", "Takes older revisions.",
        (STALE, "revision != record.revision", "revision > record.revision"))  # fmt: skip
decides("future-revision-accepted", "Takes revisions that are not there yet.",
        (STALE, "revision != record.revision", "revision < record.revision"))  # fmt: skip
decides("first-revision", "Takes the first revision only.", (STALE, "revision != record.revision", "revision != 1"))
DOOR: Final = _decide.decide
WRONG_USER: Final = '(getattr(command, "user_id", None) or record.user_id) != record.user_id'
decides("any-user", "Lets anybody acknowledge anything.", (DOOR, WRONG_USER, "False"))
decides("foreign-user-sees-terminal", "Tells a stranger what has ended.",
        (DOOR, WRONG_USER, f"{WRONG_USER} and not record.is_terminal"))  # fmt: skip
decides("foreign-user-sees-leases", "Tells a stranger that the lease is wrong.",
        (DOOR, WRONG_USER, f'{WRONG_USER} and getattr(command, "lease", 1) in (1, 2)'))  # fmt: skip
for _status in ("pending", "dispatched", "escalated", "delivered", "failed"):
    decides(f"foreign-user-of-{_status}", f"Does not look at the user of what is {_status}.",
            (DOOR, WRONG_USER, f'{WRONG_USER} and record.status != "{_status}"'))  # fmt: skip
decides("foreign-client-back", "Shows anybody's events to whoever comes back.",
        (DOOR, WRONG_USER, f'{WRONG_USER} and command.kind != "reconnect"'))  # fmt: skip
decides("foreign-failures", "Lets anybody say that an event cannot be shown.",
        (DOOR, WRONG_USER, f'{WRONG_USER} and command.kind != "delivery_failed"'))  # fmt: skip
decides("failures-of-clients-only", "Takes the host itself for a stranger when it cannot show an event.",
        (DOOR, WRONG_USER, 'getattr(command, "user_id", record.user_id) != record.user_id'))  # fmt: skip
decides("failures-of-hosts-only", "Takes a client for a stranger that cannot show an event.",
        (DOOR, WRONG_USER,
         f'{WRONG_USER} or command.kind == "delivery_failed" and command.user_id is not None'))  # fmt: skip
decides("foreign-user-of-the-agents", "Tells a stranger that the agent has it.",
        (DOOR, WRONG_USER, f'{WRONG_USER} and record.routing.handler == "system"'))  # fmt: skip

# --- what is not there, what has ended


def _passes(kind: str, *statuses: str) -> None:
    word = kind.replace("_", "-")
    decides(
        f"after-the-end-{word}", f"Takes {word} after the end.",
        (DOOR, "record.is_terminal and command.__class__ is not Action",
         f'record.is_terminal and command.__class__ is not Action and command.kind != "{kind}"'),
    )  # fmt: skip


for _kind in ("client_ack", "reconnect", "delivery_failed", "context_committed", "route", "abandon", "tick", "claim",
              "commit_turn", "turn_failed", "extend"):  # fmt: skip
    _passes(_kind)
TERMINAL: Final = "if record.is_terminal and command.__class__ is not Action:"
decides("failed-is-not-terminal", "Lets dead letters rise.", values={(_notification, "TERMINAL"): ("delivered",)})
decides("delivered-is-not-terminal", "Delivers again.", values={(_notification, "TERMINAL"): ("failed",)})
decides("stale-before-terminal", "Tells a second device that its lease is wrong.",
        (DOOR, TERMINAL, f'if record.is_terminal and command.kind == "client_ack" and command.lease != 1:\n        '
         f'return refused("stale-lease")\n    {TERMINAL}'))  # fmt: skip
decides("actions-after-the-end", "Refuses actions after the end.",
        (DOOR, " and command.__class__ is not Action", ""))  # fmt: skip


def _accepts(name: str, rule: str, code: str, when: Callable[[Any, Any], bool]) -> None:
    takes(AREA, ONE, name, rule, lambda _, unit: {**NOTHING, "before": unit["record"]}, code,
          when=lambda unit: when(unit["command"], unit["record"]))  # fmt: skip


_accepts("acts-on-nothing", "Takes commands about what is not there.", "unknown-notification", lambda *_: True)
_accepts("claims-nothing", "Lets workers claim what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "claim")  # fmt: skip
_accepts("commits-nothing", "Lets turns end what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "commit_turn")  # fmt: skip
_accepts("routes-nothing", "Routes what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "route")  # fmt: skip
_accepts("watches-nothing", "Looks at the clock of what is not there.", "unknown-notification",
         lambda command, _: command["kind"] == "tick")  # fmt: skip
_accepts("reads-texts-as-leases", "Reads a text as a lease.", "malformed",
         lambda command, _: isinstance(command, dict) and isinstance(command.get("lease"), str))  # fmt: skip
_accepts("reads-flags-as-leases", "Reads a flag as a lease.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("lease") is True)  # fmt: skip
_accepts("rounds-leases", "Rounds a lease.", "malformed",
         lambda command, _: isinstance(command, dict) and isinstance(command.get("lease"), float))  # fmt: skip
_accepts("ignores-unknown-commands", "Does nothing about a command that it does not know.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "explode")  # fmt: skip
_accepts("guesses-commands", "Guesses what a command is.", "malformed",
         lambda command, _: isinstance(command, dict) and "kind" not in command)  # fmt: skip
_accepts("ignores-what-is-no-command", "Does nothing about what is no command.", "malformed",
         lambda command, _: not isinstance(command, dict))  # fmt: skip
_accepts("anonymous-clients", "Lets clients of nobody acknowledge.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "client_ack"
         and "user_id" not in command)  # fmt: skip
_accepts("anonymous-workers", "Lets workers of no name claim.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "claim")  # fmt: skip
_accepts("anonymous-tools", "Lets tools without a name run.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "action")  # fmt: skip
_accepts("anonymous-words", "Takes words without an id.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("kind") == "commit_turn")  # fmt: skip
_accepts("vague-times", "Takes soon for a time.", "malformed",
         lambda command, _: isinstance(command, dict) and command.get("until") == "soon")  # fmt: skip

# --- acknowledgements and presentations

SHOWN, READ, BACK = _notification.Notification.is_shown, _system.context_committed, _system.reconnect
ACKED: Final = 'status="delivered", ack_at=format_time(step.now)'
decides("acks-without-a-time", "Does not note when it was seen.", (ACK, ACKED, 'status="delivered"'))
decides(
    "acks-before-shown", "Lets clocks go back.", (_step.Step.__init__, "max(now, parse_time(record.changed_at))", "now")
)
decides(
    "acks-untold", "Does not tell the agent what was seen.", (ACK, 'effects=[aware(new, "user_seen")]', "effects=[]")
)
decides("acks-as-news", "Tells the agent of what was seen as of what is shown.", (ACK, '"user_seen"', '"shown"'))
decides("acks-are-final-twice", "Takes what was escalated as dead when it is seen.",
        (ACK, 'step.to(new, "delivered"', 'step.to(new, *(("locked",) if step.record.status == "escalated"'
         ' else ()), "delivered"'))  # fmt: skip
decides("acks-what-waits", "Takes what waits as seen.",
        (ACK, 'if record.status == "pending":', "if False:"),
        (SHOWN, 'self.status == "dispatched"', 'self.status in ("pending", "dispatched")'))  # fmt: skip
decides(
    "acks-what-the-agent-has",
    "Takes what the agent has as seen.",
    (ACK, 'if record.routing.handler == "agent":', "if False:"),
    (ACK, "if not record.is_shown:", 'if not record.is_shown and record.routing.handler != "agent":'),
)
decides(
    "acks-facts",
    "Takes facts as seen.",
    (ACK, "if not record.is_shown:", 'if not record.is_shown and record.routing.row.mode != "passive":'),
)
for _name, _when in (("facts", 'record.status == "dispatched"'), ("what-is-taken", 'record.status == "locked"')):
    decides(
        f"owner-of-{_name}", f"Says of {_name} that another has it.",
        (ACK, "if not record.is_shown:", f'if {_when} and not record.is_shown:\n        return refused("wrong-owner")\n'
         "    if not record.is_shown:"),
    )  # fmt: skip
decides("acks-what-is-taken", "Takes what the watchdog has as seen.",
        (ACK, "if not record.is_shown:",
         'if not record.is_shown and (record.status, record.routing.handler) != ("locked", "system"):'))  # fmt: skip
decides("facts-are-announced", "Tells the agent that the human has seen a fact.",
        (READ, "effects=[])", 'effects=[aware(step.record, "user_seen")])'))  # fmt: skip
decides("facts-stay", "Never takes a fact as read.",
        (READ, 'return step.to(step.change(status="delivered", outcome="read"), "delivered", effects=[])',
         "return step.stay()"))  # fmt: skip
for _name, _mode in (("alerts", "direct"), ("offers", "mediated")):
    decides(
        f"reads-{_name}",
        f"Takes {_name} as done when the agent has read them.",
        (
            READ,
            "not record.is_fact",
            f'not (record.is_fact or record.status == "dispatched" and record.routing.row.mode == "{_mode}")',
        ),
    )
decides("reads-what-waits", "Takes what waits as read.",
        (READ, "not record.is_fact", 'record.routing.row.mode != "passive"'))  # fmt: skip
decides(
    "reads-what-escalated",
    "Takes what was escalated as done when the agent has read it.",
    (
        READ,
        "not record.is_fact",
        'not record.is_fact and record.status != "escalated"',
    ),
)
LOST: Final = "if step.has_lost_session:"
AGAIN: Final = "if record.is_shown else"
decides("back-shows-nothing", "Shows nothing again.",
        (BACK, "step.stay(present(record)) if record.is_shown else", ""))  # fmt: skip
decides("back-shows-escalated-only", "Shows again only what was escalated.",
        (BACK, AGAIN, 'if record.status == "escalated" else'))  # fmt: skip
decides(
    "back-shows-alerts-only",
    "Does not show again what was escalated.",
    (BACK, AGAIN, 'if record.is_shown and record.status != "escalated" else'),
)
decides("back-shows-all", "Shows everything to who comes back.", (BACK, AGAIN, "if True else"))
decides("back-shows-facts", "Shows facts to who comes back.",
        (SHOWN, 'self.routing.row.mode == "direct"', 'self.routing.row.mode in ("direct", "passive")'))  # fmt: skip
decides(
    "back-shows-what-waits",
    "Shows what waits to who comes back.",
    (BACK, 'if record.status == "pending":', "if False:"),
    (BACK, AGAIN, 'if record.is_shown or record.status == "pending" else'),
)
decides("back-forgets-what-waits", "Leaves in no lane what found its lane full.",
        (BACK, 'if record.status == "pending":', "if False:"))  # fmt: skip
decides("back-sends-again", "Sends again where it goes what stands there.",
        (BACK, 'if record.status == "pending":', 'if record.status in ("pending", "dispatched"):'))  # fmt: skip
decides(
    "back-into-a-dead-chat",
    "Shows it again in a chat that is gone.",
    (BACK, "record.is_shown or record.is_fact", "record.is_fact"),
)
decides("fails-into-a-dead-chat", "Counts a failure in a chat that is gone.", (FAILED, LOST, "if False:"))
decides("demotes-silently", "Moves it to the inbox without a word.",
        (_system._moved, "[gone(new), ", "["))  # fmt: skip
decides("dead-chats-count", "Counts a chat that is gone as a failed attempt.",
        (_system._moved, 'address="user"))', 'address="user"), failures=step.record.failures + '
         '(step.command.kind == "delivery_failed"))'))  # fmt: skip
decides("dead-chats-are-final", "Gives up what cannot be shown for good in a chat that is gone.",
        (FAILED, LOST, "if step.has_lost_session and not step.command.is_final:"))  # fmt: skip
OF_FACTS: Final = "record.is_fact)"
decides("facts-in-dead-sessions", "Leaves facts in a session that is gone.", (BACK, OF_FACTS, "False)"))
decides("facts-untold", "Moves a fact out of a session that is gone, and tells it to nobody.",
        (_system._moved, "present(new) if new.is_shown else fact(new)]",
         "*([present(new)] if new.is_shown else [])]"))  # fmt: skip
decides("facts-shown-instead", "Shows facts of a session that is gone to the human.",
        (_system._moved, "present(new) if new.is_shown else fact(new)", "present(new)"))  # fmt: skip
decides("facts-move-always", "Moves facts of a session that lives.",
        (BACK, "step.has_lost_session and",
         "(step.has_lost_session or record.is_fact and record.addressed_session) and"))  # fmt: skip
decides("offers-move", "Moves what the agent has when a client is back.",
        (BACK, OF_FACTS, 'record.status == "dispatched")'))  # fmt: skip
decides("claims-move", "Moves what a worker holds when a client is back.",
        (BACK, OF_FACTS, 'record.is_fact or record.status == "locked")'))  # fmt: skip
decides("waiting-facts-move", "Moves facts that were not routed yet.",
        (BACK, OF_FACTS, 'record.routing.row.mode == "passive")'))  # fmt: skip
decides("alerts-fail", "Gives alerts up.", (FAILED, 'if record.status == "dispatched":', "if False:"))
decides(
    "alerts-fail-for-good",
    "Gives alerts up that cannot be shown for good.",
    (FAILED, 'record.status == "dispatched"', 'record.status == "dispatched" and not step.command.is_final'),
)
decides("fails-what-is-not-shown", "Takes failures of what was never shown.",
        (FAILED, "if not record.is_shown:", "if False:"))  # fmt: skip
decides("one-attempt", "Gives up at the first failure.", (FAILED, "failures >= step.rules.attempts", "True"))
decides("one-attempt-more", "Tries once more than the host says.",
        (FAILED, "failures >= step.rules.attempts", "failures > step.rules.attempts"))  # fmt: skip
decides("tries-in-vain", "Tries again where it cannot succeed.", (FAILED, "step.command.is_final or ", ""))
decides("tries-unseen", "Counts attempts without making them.", (FAILED, "effects=[present(new)]", "effects=[]"))
decides("dead-silently", "Tells nobody of dead letters.",
        (_system.dead, "effects=[effect(DeadLetter, new, reason=reason)]", "effects=[]"))  # fmt: skip
edits(ONE, "stays-escalated", "Never fails.", (_system.dead, 'step.change(status="failed", ', "step.change("))

# --- the agent

CLAIM, ACTION, COMMIT, DONE = _agent.claim, _agent.action, _agent.commit_turn, _agent._delivered
NARRATION, EXTEND, BROKE = _agent._narration, _agent.extend, _agent.turn_failed
OWNER: Final = 'record.routing.handler != "agent"'
HELD: Final = "is_held and record.holder != command.holder"
decides("agent-owns-all", "Lets the agent act for the system.", (GRANTED, OWNER, "False"))
for _kind in ("claim", "action", "commit_turn", "turn_failed", "extend"):
    _word = _kind.replace("_", "-")
    for _mode, _what in (("direct", "alerts"), ("escalated", "escalated"), ("passive", "facts"), ("ended", "ended")):
        _where = {
            "direct": 'record.status == "dispatched" and record.routing.row.mode == "direct"',
            "escalated": 'record.status == "escalated"',
            "passive": 'record.routing.row.mode == "passive"',
            "ended": "record.is_terminal",
        }[_mode]
        if (_kind, _mode) in {("extend", "passive"), ("claim", "passive"), ("turn_failed", "passive")} or (
            _mode == "ended" and _kind != "action"
        ):
            continue
        decides(f"agent-{_word}-on-{_what}", f"Takes {_word} of the agent on what is {_what}.",
                (GRANTED, OWNER, f'{OWNER} and not (command.kind == "{_kind}" and {_where})'))  # fmt: skip
    decides(
        f"agent-{_word}-on-what-waits",
        f"Takes {_word} of what was not offered.",
        (GRANTED, 'record.status == "pending"', f'record.status == "pending" and command.kind != "{_kind}"'),
    )
    decides(
        f"any-worker-{_word}", f"Takes {_word} of any worker.", (GRANTED, HELD, f'{HELD} and command.kind != "{_kind}"')
    )
decides("nameless-workers", "Lets workers act that do not say who they are.",
        (GRANTED, HELD, f"{HELD} and command.holder is not None"))  # fmt: skip
decides("claims-are-actions", "Does not note who claims.", (CLAIM, "holder=step.command.holder", "holder=None"))
decides("claims-raise-the-lease", "Raises the lease with a claim.",
        (CLAIM, 'status="locked", ', 'status="locked", owner_lease=step.record.owner_lease + 1, '))  # fmt: skip
decides("claims-stay", "Does not lock what is claimed.",
        (CLAIM, 'if step.record.status == "locked":', "if True:"))  # fmt: skip
decides("claims-twice", "Locks what is locked.", (CLAIM, 'if step.record.status == "locked":', "if False:"))
decides(
    "claims-autonomous-only",
    "Lets only work be claimed.",
    (CLAIM, 'step.record.status == "locked"', 'step.record.status == "locked" or step.record.routing.target == "user"'),
)
decides(
    "claims-mediated-only",
    "Lets only narrations be claimed.",
    (
        CLAIM,
        'step.record.status == "locked"',
        'step.record.status == "locked" or step.record.routing.target == "agent"',
    ),
)
INTERNAL: Final = "return step.stay(effect(Allow, record, action=name), audit)"
decides("internal-unaudited", "Does not note internal actions.", (ACTION, INTERNAL, INTERNAL.replace(", audit", "")))
decides("internal-forbidden", "Does not allow internal actions.", (ACTION, INTERNAL, "return step.stay(audit)"))
decides("internal-promotes-claims", "Tells the human of internal actions of workers.",
        (ACTION, 'if kind == "internal":', 'if kind == "internal" and record.status != "locked":'))  # fmt: skip
decides("internal-promotes-narrations", "Tells the human of internal actions on what is for them.",
        (ACTION, 'if kind == "internal":', 'if kind == "internal" and record.routing.target != "user":'))  # fmt: skip
TURNED: Final = 'routing = turned(record.routing, target="user")'
decides("external-does-not-promote", "Leaves the target as it was.", (ACTION, TURNED, "routing = record.routing"))
decides("external-escalates", "Takes the event from the agent when it acts.",
        (ACTION, TURNED, 'routing = turned(record.routing, target="user", handler="system")'))  # fmt: skip
decides("external-leaves-the-session", "Sends the event to the user when the agent acts.",
        (ACTION, TURNED, 'routing = turned(record.routing, target="user", address="user")'))  # fmt: skip
decides("external-unheard", "Does not say that the human must be told.",
        (ACTION, "effect(MustSurface, new, action=name), audit]", "audit]"))  # fmt: skip
decides("external-of-narrations-unheard", "Does not tell the human what was done about what is for them.",
        (ACTION, "if (routing, actions) == (record.routing, record.actions):",
         'if record.routing.target == "user":\n        return step.stay(effect(Allow, record, action=name), audit)\n'
         "    if (routing, actions) == (record.routing, record.actions):"))  # fmt: skip
decides(
    "external-gains-time",
    "Gives the agent new time when it acts.",
    (
        ACTION,
        "step.change(routing=routing, actions=actions)",
        "step.change(routing=routing, actions=actions, delivery_deadline=step.rules.deadline(record, step.now))",
    ),
)
decides("external-unlocks", "Takes the event from its worker when it acts.",
        (ACTION, "step.change(routing=routing, actions=actions)",
         'step.change(routing=routing, actions=actions, holder=None, status="dispatched")'))  # fmt: skip
decides("external-forgotten", "Does not note what the agent did.",
        (ACTION, "step.change(routing=routing, actions=actions)", "step.change(routing=routing)"))  # fmt: skip
decides("external-first-only", "Notes the first action only.",
        (ACTION, "(*record.actions, name)", "(record.actions or (name,))"))  # fmt: skip
decides("denied-late", "Refuses actions after the deadline.",
        (GRANTED, "if no is not None:",
         'if no is None and command.kind == "action" and step.now > parse_time(record.delivery_deadline or "9999-01-01T'
         '00:00:00Z"):\n        return refused("stale-lease")\n    if no is not None:'))  # fmt: skip
ENDED: Final = "step.stay(effect(Allow, record, action=name), _noticed(record, name), audit)"
decides("no-notice", "Tells nobody what was done after the end.",
        (ACTION, ENDED, "step.stay(effect(Allow, record, action=name), audit)"))  # fmt: skip
decides("notice-of-internal", "Tells the human of everything after the end.",
        (ACTION, 'if kind == "internal":', 'if kind == "internal" and not record.is_terminal:'))  # fmt: skip
decides("notice-in-the-inbox", "Tells of actions in the inbox only.",
        (_agent._noticed, "session_id=record.addressed_session", "session_id=None"))  # fmt: skip
decides(
    "notice-without-cause", "Does not say out of what a notice came.", (_agent._noticed, "cause=record", "cause=None")
)
decides("reopens", "Changes what has ended when the agent acts.", (ACTION, "if record.is_terminal or (", "if ("))

# --- turns

SPEAKS: Final = '_delivered(step, "narrated") if command.speaks else escalate(step, "silence")'
decides("silence-delivers", "Takes silence for a narration.", (COMMIT, SPEAKS, '_delivered(step, "narrated")'))
decides("silence-waits", "Waits for the deadline when a turn was silent.",
        (COMMIT, SPEAKS, '_delivered(step, "narrated") if command.speaks else step.stay()'))  # fmt: skip
decides(
    "acknowledged-is-delivered",
    "Takes an acknowledgement for a narration.",
    (COMMIT, "if command.speaks else escalate", "if command.speaks or command.acknowledged else escalate"),
)
BLANK: Final = "self.output is not None and shows_something(self.output)"
decides("blank-speaks", "Takes blank words for words.",
        (_decide.CommitTurn.speaks, BLANK, "bool(self.output)"))  # fmt: skip
decides("empty-speaks", "Takes no words for words.", (_decide.CommitTurn.speaks, BLANK, "self.output is not None"))
TRIGGERED: Final = "not (command.acknowledged or command.is_trigger)"
decides("any-turn-answers", "Takes any turn as one about the event.", (COMMIT, TRIGGERED, "False"))
decides("only-acknowledged", "Wants what a turn was started for acknowledged.",
        (COMMIT, TRIGGERED, "not command.acknowledged"))  # fmt: skip
decides("only-triggers", "Takes only the turn that an event started.", (COMMIT, TRIGGERED, "not command.is_trigger"))
decides("silent-turns-answer", "Escalates whatever a silent turn had in its prompt.",
        (COMMIT, TRIGGERED, f"{TRIGGERED} and command.speaks"))  # fmt: skip
decides("words-answer", "Takes words for whatever stood in the prompt.",
        (COMMIT, TRIGGERED, f"{TRIGGERED} and not command.speaks"))  # fmt: skip
UNSAID: Final = "if not command.acknowledged:"
decides("silence-is-a-veto", "Takes silence for a veto.", (COMMIT, UNSAID, "if False:"))
decides("silence-of-a-trigger-is-a-veto", "Takes silence in the event's own turn for a veto.",
        (COMMIT, UNSAID, "if not (command.acknowledged or command.is_trigger and not command.speaks):"))  # fmt: skip
decides("words-are-an-acknowledgement", "Takes words for an acknowledgement.",
        (COMMIT, UNSAID, "if not (command.acknowledged or command.speaks):"))  # fmt: skip
decides("unsaid-is-vetoed", "Takes what was left out for a veto.",
        (COMMIT, UNSAID, "if not command.acknowledged and (command.is_trigger or command.speaks):"))  # fmt: skip
decides("silence-escalates-work", "Escalates work that was not acknowledged.",
        (COMMIT, f"{UNSAID}  # it is offered again in the next turn\n        return step.stay()",
         f'{UNSAID}\n        return escalate(step, "silence")'))  # fmt: skip
decides("vetoes-escalate", "Escalates what was vetoed.",
        (COMMIT, 'return _delivered(step, "spoke" if command.speaks else "vetoed")',
         'return _delivered(step, "spoke") if command.speaks else escalate(step, "silence")'))  # fmt: skip
decides("vetoes-what-it-did", "Lets the agent veto what it did.",
        (COMMIT, 'if record.routing.target == "user":', 'if record.requested.target == "user":'))  # fmt: skip
decides(
    "outcomes-alike",
    "Does not tell a veto from words.",
    (COMMIT, '"spoke" if command.speaks else "vetoed"', '"narrated"'),
)
decides("vetoes-as-words", "Notes vetoes as words.", (COMMIT, '"spoke" if command.speaks else "vetoed"', '"spoke"'))
decides(
    "not-locked",
    "Skips the lock.",
    (DONE, '("delivered",) if step.record.status == "locked" else ("locked", "delivered")', '("delivered",)'),
)
decides(
    "locked-twice",
    "Locks what is locked.",
    (DONE, '("delivered",) if step.record.status == "locked" else ("locked", "delivered")', '("locked", "delivered")'),
)
decides("words-are-lost", "Delivers without a word.", (DONE, "if step.command.speaks else []", "if False else []"))
decides(
    "words-for-blank",
    "Narrates blank words.",
    (DONE, "if step.command.speaks else []", "if step.command.output is not None else []"),
    (NARRATION, "content=step.command.output", "content=step.command.output.strip() or '.'"),
    (NARRATION, "narration_id=step.command.narration_id", "narration_id=step.command.narration_id or 'n'"),
)
decides("words-to-the-agent", "Routes narrations as what they narrate.",
        (NARRATION, 'turned(record.routing, target="user", handler="system")', "record.routing"))  # fmt: skip
decides("words-in-the-inbox", "Shows all narrations in the inbox.",
        (NARRATION, 'target="user", handler="system"', 'target="user", handler="system", address="user"'))  # fmt: skip
decides("words-of-nobody", "Does not say who spoke.", (NARRATION, 'origin="agent",', ""))
decides("words-without-cause", "Does not say out of what a narration came.", (NARRATION, "causation_id=record.id,", ""))
decides("words-without-depth", "Forgets how long the chain is.", (NARRATION, "depth=record.depth + 1", "depth=1"))
decides("turns-in-time", "Refuses turns after the deadline.",
        (COMMIT, "if no is not None:",
         'if no is None and step.now > parse_time(step.record.delivery_deadline or "9999-01-01T00:00:00Z"):\n        '
         'return refused("stale-lease")\n    if no is not None:'))  # fmt: skip
decides("broken-turns-of-any-words", "Takes new words from the agent that broke down over the old ones.",
        (STALE, "if revision is not", 'if step.command.kind != "turn_failed" and revision is not'))  # fmt: skip
decides("broken-turns-wait", "Waits for the deadline when a turn breaks off.",
        (BROKE, 'escalate(step, "failed")', "step.stay()"))  # fmt: skip
decides("broken-is-silent", "Takes a turn that broke off for a silent one.", (BROKE, '"failed"', '"silence"'))

# --- more time

decides(
    "extends-for-ever",
    "Gives the agent any time.",
    (EXTEND, "until <= step.now or step.rules.capped(record, deadline) != deadline", "until <= step.now"),
)
decides("extends-below-the-cap", "Does not give the last of the time.",
        (EXTEND, "step.rules.capped(record, deadline) != deadline",
         "step.rules.capped(record, deadline) != deadline or "
         "deadline == format_time(parse_time(record.created_at) + step.rules.cap)"))  # fmt: skip
decides("extends-from-now", "Counts the cap from now.",
        (EXTEND, "step.rules.capped(record, deadline) != deadline", "until > step.now + step.rules.cap"))  # fmt: skip
decides("extends-into-the-past", "Takes deadlines that have passed.", (EXTEND, "until <= step.now or ", ""))
decides("extends-to-now", "Takes the moment as a deadline.", (EXTEND, "until <= step.now", "until < step.now"))
decides("extends-nothing", "Says that there is more time, and gives none.",
        (EXTEND, "step.change(delivery_deadline=deadline)", "step.record"))  # fmt: skip
decides("extends-without-an-alarm", "Sets no alarm for the new deadline.",
        (EXTEND, "effects=[effect(WakeAt, new, at=deadline)]", "effects=[]"))  # fmt: skip
decides("aware-everywhere", "Tells the agent nothing of the session.",
        (_present.aware, "record.addressed_session", "None"))  # fmt: skip
