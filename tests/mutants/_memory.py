"""Mutants of stored history: what is asked of a store, and how its turns join those of a unit."""

from __future__ import annotations

from mentionable import _delivery, _history
from mentionable.mail import _thread
from tests.mutants._edits import edits

ASKED = "settings.stored_history and _brings_less(draft.history, recipients, now, settings)"

EVERYWHERE = (
    ("asks-never", "Never asks for history.", (_delivery._places, ASKED, "False")),
    (
        "asks-for-none",
        "Asks for history that no agent may see.",
        (_delivery._places, " and _brings_less(draft.history, recipients, now, settings)", ""),
    ),
    (
        "silent-about-history",
        "Does not tell that the history is missing.",
        (_delivery._stored_turns, 'notes.append(_unanswered(answer, f"history of {agent}"))', "pass"),
    ),
    (
        "forgets-what-is-stored",
        "Leaves the stored turns out.",
        (_history.merge, "return tuple(map(Merged, stored))", "return ()"),
    ),
)
"""What can go wrong wherever a store is asked for history: name, rule and edit."""

for _area in ("a2a", "activitypub", "email", "rest"):
    _op = (f"{_area}.receive",)
    for _name, _rule, _edit in (
        (
            "asks-always",
            "Asks for history though the program keeps none.",
            (_delivery._places, "settings.stored_history and ", ""),
        ),
        *EVERYWHERE,
    ):
        edits(_area, _op, f"memory-{_name}", _rule, _edit)

for _area in ("a2a", "rest"):
    _op = (f"{_area}.receive",)
    for _name, _rule, _edit in (
        (
            "ids-ignored",
            "Says a turn twice that has the same id.",
            (_history.merge, "None if own_id is None", "None if True"),
        ),
        (
            "words-ignored",
            "Says a turn twice that was forwarded without its id.",
            (_history._by_words, "not brought or not left", "True"),
        ),
        (
            "words-of-anybody",
            "Takes the same words of two people for one turn.",
            (_history._words, "turn.sender.address", '""'),
        ),
        (
            "believes-claims",
            "Lets a forwarded turn replace one whose sender was verified.",
            (_history._preferred_turn, "stored.sender.verified or ", ""),
        ),
        (
            "believes-claims-of-own-words",
            "Lets a forwarded turn replace what the agent said.",
            (_history._preferred_turn, " or stored.sender.address == agent", ""),
        ),
        (
            "store-wins",
            "Gives the older words of the store.",
            (_history._preferred_turn, "return Merged(stored) if", "return Merged(stored) if True or"),
        ),
        (
            "forwarded-wins",
            "Gives the forwarded form of what is stored just so.",
            (_history._preferred_turn, "return Merged(stored) if", "return Merged(turn) if"),
        ),
        (
            "silent-about-two-forms",
            "Does not tell that a turn stands otherwise in the store.",
            (_history.merge, "    if differing:", "    if False:"),
        ),
        (
            "counts-what-nobody-sees",
            "Asks for no history where the unit brings as many turns as the policy allows, of which no agent sees any.",
            (_delivery._brings_less, "any(len(one) < policy.max_messages for one in seen)", "False"),
        ),
        (
            "left-out-claims-end-the-history",
            "Leaves out with a forwarded turn that does not fit all that is older.",
            (_history.trim, "elif is_claim is None or not is_claim(turn):", "else:"),
        ),
        (
            "forgets-the-rest-of-the-store",
            "Gives the turns of the unit alone.",
            (_history.merge, "(*map(Merged, left.values()), *turns)", "tuple(turns)"),
        ),
        (
            "unseen-claims-replace",
            "Lets a forwarded turn that no agent sees remove a stored one.",
            (_history.trim_merged, "in (False, True)", "in ()"),
        ),
        (
            "ids-of-others",
            "Takes a turn of somebody else for a new form of the stored one whose id it names.",
            (_history.merge, "is_other = turn.sender.address != match.sender.address", "is_other = False"),
        ),
    ):
        edits(_area, _op, f"memory-{_name}", _rule, _edit)

edits(
    "email",
    ("email.receive",),
    "in-reply-to-is-the-thread",
    "Does not look for the thread of a parent that stands alone.",
    (_thread.read_thread, "() if root is not None or parent is None else (parent,)", "()"),
)
edits(
    "email",
    ("email.receive",),
    "the-parent-before-the-root",
    "Goes on in the thread of the parent, whatever the root of References is.",
    (_thread.read_thread, "root is not None or parent is None", "parent is None"),
)
edits(
    "email",
    ("email.receive",),
    "joins-other-protocols",
    "Goes on in the thread of another protocol.",
    (_delivery._is_own_kind, 'draft.received_via == "email"', "False"),
)
edits(
    "connectors",
    ("slack.receive",),
    "slack-joins-other-protocols",
    "Lets a thread of a platform go on in that of another protocol.",
    (_delivery._is_own_kind, 'draft.received_via == "connector"', "False"),
)
edits(
    "email",
    ("email.receive",),
    "joins-threads-without-a-scheme",
    "Takes every thread that does not begin with a scheme for one of mail.",
    (_delivery._is_own_kind, 'thread_id.startswith("<")', '":" not in thread_id'),
)
edits(
    "email",
    ("email.receive",),
    "history-of-the-thread-it-left",
    "Has the history of the thread that it names, not of the one that it joins.",
    (_delivery._places, "is_history_asked and thread_id != draft.thread_id", "False"),
)
edits(
    "email",
    ("email.receive",),
    "part-of-its-own-past",
    "Has a mail that comes twice in its own history.",
    (_delivery._history_for, "if turn.id not in own_ids", ""),
)
for _area in ("a2a", "activitypub", "email", "rest"):
    for _name, _rule, _edit in (
        (
            "sees-its-own-answer",
            "Has in the history of a message that comes again what came after it.",
            (_delivery._history_for, "later.isdisjoint((id(one.turn), id(one.stored)))", "True"),
        ),
        (
            "one-id-ends-the-history",
            "Takes other words under the same id for the message itself, and forgets what came after them.",
            (_history.followers, "(turn.parts == parts or (words and _words(turn)[1] == words))", "True"),
        ),
    ):
        edits(_area, (f"{_area}.receive",), f"memory-{_name}", _rule, _edit)
edits(
    "activitypub",
    ("activitypub.receive",),
    "memory-same-words-are-not-the-message",
    "Looks for the message by its id and the very same parts alone.",
    (_history.followers, "(words and _words(turn)[1] == words)", "False"),
)
edits(
    "activitypub",
    ("activitypub.receive",),
    "walked-turns-are-strangers",
    "Does not find the stored turns among those above a Note.",
    (_delivery._places, "known[native].id if native in known else None", "None"),
)
edits(
    "activitypub",
    ("activitypub.receive",),
    "asks-for-the-parent-alone",
    "Asks for the parent of a Note, not for what is above it.",
    (_delivery._native_ids, ", *draft.turn_ids", ""),
)
