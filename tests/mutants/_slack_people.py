"""Mutants of the Slack connector: who is a member, what is told of people, what was said before, and files."""

from __future__ import annotations

from mentionable.connectors import _deliver
from mentionable.connectors.slack import _event, _files, _members, _people, _receive, _thread
from tests.mutants._answers import mends
from tests.mutants._slack import AREA, FILES, HISTORY, PARTS, SENDER, door, other

# --- members

MEMBER = _people.why_no_member
door(
    SENDER,
    "team-unsaid",
    "Guesses workspaces.",
    (MEMBER, "if team is None", "if False"),
    (MEMBER, "team not in person.teams", "team is not None and team not in person.teams"),
    (MEMBER, "team != here and team not in settings.teams", "False"),
)
door(SENDER, "slack-unasked", "Believes the event alone.", (MEMBER, "team not in person.teams", "False"))
door(
    SENDER,
    "foreigners",
    "Takes members of any workspace.",
    (MEMBER, "team != here and team not in settings.teams", "False"),
)
door(SENDER, "one-workspace", "Knows one workspace.", (MEMBER, "and team not in settings.teams", ""))
door(SENDER, "strangers", "Takes strangers for members.", (MEMBER, "person.is_stranger", "False"))
door(SENDER, "deleted", "Takes people who left for members.", (MEMBER, "person.is_deleted", "False"))
door(SENDER, "robots", "Takes programs for members.", (MEMBER, "person.is_bot", "False"))
door(SENDER, "guests", "Takes guests for members.", (MEMBER, "person.is_guest and not settings.guests", "False"))
door(SENDER, "guests-never", "Never takes guests for members.", (MEMBER, " and not settings.guests", ""))
door(SENDER, "single-channel-guests", "Knows one kind of guests.", (_people.read_person, ', "is_ultra_restricted"', ""))
door(SENDER, "workflows", "Takes workflows for people.", (_people.read_person, ', "is_workflow_bot"', ""))
door(
    SENDER, "one-team", "Does not know organizations.", (_people.read_person, "[*own, *filter(is_team, others)]", "own")
)
door(
    SENDER,
    "first-team",
    "Takes the first workspace that is named.",
    (_people.team_named, "named.pop() if len(named) == 1 else None", "teams[0] if teams else None"),
)
door(
    SENDER,
    "silence-is-here",
    "Takes silence for this workspace.",
    (_people.team_named, "not named and not is_shared", "not named"),
)
door(
    SENDER,
    "silence-is-unknown",
    "Takes silence for no workspace.",
    (_people.team_named, "not named and not is_shared", "False"),
)
door(SENDER, "no-user-team", "Looks at no workspaces of users.", (_event.teams_in, '"user_team", ', ""))
door(SENDER, "no-source-team", "Looks at no workspaces of origin.", (_event.teams_in, '"source_team", ', ""))
door(
    SENDER,
    "no-shared",
    "Does not know shared channels.",
    (_event._event, 'document.get("is_ext_shared_channel") not in (None, False)', "False"),
)
door(
    SENDER,
    "any-team",
    "Takes anything for a workspace.",
    (_members.is_team, "isinstance(found, str) and _TEAM(found) is not None", "isinstance(found, str) and bool(found)"),
)
door(
    SENDER,
    "profile-unconfirmed",
    "Shows unconfirmed workspaces in profiles.",
    (_people.profile_in, "team is None or team not in person.teams", "team is None"),
)
door(SENDER, "somebody-else", "Takes answers about others.", (_people.read_person, 'user.get("id") != asked', "False"))
door(SENDER, "not-ok", "Takes answers that are not ok.", (_people.answered, 'found.get("ok") is not True', "False"))
door(
    SENDER,
    "not-ok-but-there",
    "Takes answers that do not say that they are ok.",
    (_people.answered, 'found.get("ok") is not True', 'found.get("ok") is False'),
)
door(
    SENDER,
    "quiet-about-failures",
    "Says nothing of answers that failed.",
    (_people.answered, "notes.append(_unanswered(ask, answer.reason, temporary=answer.temporary))", "pass"),
)

# --- profiles

PROFILE = _people._profile
for _name, _line in (
    ("display-name-normalized", '_line(shown.get("display_name_normalized")),'),
    ("display-name", '_line(shown.get("display_name")),'),
    ("real-name-normalized", '_line(shown.get("real_name_normalized")),'),
    ("real-name", "        real_name,\n"),
    ("account", "        username,\n"),
):
    door(SENDER, f"no-{_name}", f"Shows nobody by {_name}.", (PROFILE, _line, ""))
door(SENDER, "no-id", "Shows nobody by id.", (PROFILE, "        user_id,\n", '        "somebody",\n'))
door(SENDER, "blank-names", "Shows blank names.", (_people._line, "one_line(text_of(found))", "text_of(found)"))
other(SENDER, "smallest-picture", "Shows the smallest picture.", _people, "_IMAGES", _people._IMAGES[::-1])
other(
    SENDER, "original-picture", "Shows the original picture.", _people, "_IMAGES", ("image_original", *_people._IMAGES)
)
door(
    SENDER,
    "http-pictures",
    "Shows pictures behind http.",
    (_people._is_picture, 'not url.startswith("https://") or ', ""),
)
door(
    SENDER,
    "any-picture",
    "Shows whatever stands there.",
    (_people._is_picture, 'not url.startswith("https://") or not is_web_url(url)', "False"),
)
door(
    SENDER,
    "password-pictures",
    "Shows pictures behind passwords.",
    (_people._is_picture, " or not is_web_url(url)", ""),
)
door(
    SENDER,
    "no-language",
    "Tells no language.",
    (PROFILE, 'timezone=one_of(user, "tz", lambda text: _TIMEZONE(str(text)) is not None)', "timezone=None"),
)
door(
    SENDER,
    "mail-address",
    "Tells the mail address.",
    (
        PROFILE,
        'own = {"user_id": user_id,',
        'own = {"user_id": user_id, **({"email": "x"} if "status_text" in shown else {}),',
    ),
)

# --- history

TURN = _thread._read_turn
door(
    HISTORY,
    "no-history",
    "Has no history.",
    (_receive._looked_up, "event.root is not None and", "event.root is None and"),
)
door(
    HISTORY,
    "later-turns",
    "Takes what was said later for history.",
    (TURN, " or moment_of(ts) >= moment_of(event.said_at)", ""),
)
door(
    HISTORY,
    "itself",
    "Takes the message for its own history.",
    (TURN, "moment_of(ts) >= moment_of", "moment_of(ts) > moment_of"),
)
door(
    HISTORY, "any-thread", "Takes turns of other threads.", (TURN, 'root not in (ts, message.get("thread_ts")) or ', "")
)
door(HISTORY, "any-turn", "Takes notices for turns.", (TURN, " or not is_said", ""))
door(HISTORY, "no-files-of-turns", "Forgets files of turns.", (TURN, "_files(message)", "()"))
door(HISTORY, "empty-turns", "Takes empty turns.", (TURN, " or not (text or files)", ""))
door(
    HISTORY,
    "nobody-is-the-agent",
    "Takes the agent for somebody else.",
    (TURN, "is_own=is_own(message, app=event.app, bot_user=event.bot_user)", "is_own=False"),
)
door(
    HISTORY,
    "own-user-alone",
    "Knows the agent by its user alone.",
    (TURN, "is_own(message, app=event.app,", "is_own(message, app=None,"),
)
door(
    HISTORY,
    "all-bots-are-the-agent",
    "Takes every bot for the agent.",
    (
        TURN,
        "is_own=is_own(message, app=event.app, bot_user=event.bot_user)",
        'is_own=message.get("bot_id") is not None',
    ),
)
door(
    HISTORY,
    "no-foreigners",
    "Takes everybody for a member.",
    (TURN, "team=team_named(teams_in(message), here=event.team, is_shared=event.is_shared)", "team=event.team"),
)
door(
    HISTORY,
    "no-names",
    "Asks for nobody's name.",
    (_thread._writer, "None if person is None else profile_in(person, turn.team)", "None"),
)
door(
    HISTORY,
    "marked-history",
    "Leaves markup of Slack in history.",
    (_thread._turn_parts, "read_text(turn.text, names=names)", '(turn.text, "text/plain")'),
)
door(
    HISTORY,
    "malformed-turns",
    "Stops at turns that cannot be read.",
    (TURN, 'ts = one_of(message, "ts", is_moment)', 'ts = one_of(message, "ts", is_moment) or "1795294410.000001"'),
)
mends(
    AREA,
    HISTORY,
    "slack-history-unanswered",
    "Knows every thread.",
    lambda given, unit: (
        {
            **given,
            "lookups": {
                row: {"ok": True} if isinstance(found, dict) and "failed" in found else found
                for row, found in given["lookups"].items()
            },
        },
        unit,
    ),
)

# --- files

WHY = _files._why_not
door(FILES, "gone-files", "Gives out what is gone.", (WHY, 'file.get("mode") not in _HELD or ', ""))
door(
    FILES,
    "external-files",
    "Gives out what lies elsewhere.",
    (WHY, ' or file.get("is_external") not in (None, False)', ""),
)
door(
    FILES, "hidden-files", "Gives out what the app may not see.", (WHY, 'file.get("file_access") not in _OPEN', "False")
)
other(FILES, "external-held", "Takes files elsewhere for files of Slack.", _files, "_HELD", (*_files._HELD, "external"))
other(
    FILES,
    "hidden-held",
    "Takes files over the limit for files of Slack.",
    _files,
    "_HELD",
    (*_files._HELD, "hidden_by_limit"),
)
door(
    FILES,
    "any-file",
    "Takes anything for the id of a file.",
    (WHY, 'not is_file(file.get("id"))', "False"),
    (_files.files_in, 'offered(file["id"]', 'offered("F9"'),
)
door(FILES, "unnamed-files", "Does not name files.", (_files.files_in, "name=text_of(name)", "name=None"))
door(FILES, "any-kind", "Takes every file for bytes.", (_files.files_in, 'mime=file.get("mimetype")', "mime=None"))
door(
    FILES,
    "kinds-as-written",
    "Takes kinds as they are written.",
    (_files.files_in, 'mime=file.get("mimetype")', 'mime="application/pdf"'),
)
door(
    FILES,
    "key-of-nobody",
    "Says nothing of files that it does not give out.",
    (
        _deliver.delivered,
        "notes=notes,",
        "notes=[],",
    ),
    (_receive._received, "files_in(event.files, settings.limits, notes)", "files_in(event.files, settings.limits, [])"),
)
door(FILES, "empty-files", "Takes nothing for a message.", (_deliver.delivered, "if not parts", "if False"))

# --- content

door(PARTS, "app-by-id", "Calls the app by its id.", (_receive._names, "names[event.bot_user] = agent.local", "pass"))
door(
    PARTS,
    "people-by-id",
    "Calls people by their ids.",
    (_receive._names, "{user: person.name for user, person in people.items()}", "{}"),
)
door(
    PARTS,
    "nobody-asked",
    "Asks for nobody who is mentioned.",
    (_receive._looked_up, "*mentioned[:_MOST_MENTIONED]", ""),
)
