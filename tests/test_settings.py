from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

import attrs
import pytest

from mentionable import HistoryPolicy, Limits, Settings, UsageError, a2a, activitypub, discovery, mail
from mentionable._flow.settings import check_entropy, check_inputs, check_kind, items_of, own_settings
from mentionable._model import base
from mentionable.connectors import bluebubbles, discord, slack
from mentionable.identity import TrustPolicy


def test_every_limit_is_a_positive_number():
    assert all(getattr(Limits(), a.name) > 0 for a in attrs.fields(Limits))


def test_settings_are_frozen_values_that_are_equal_by_content():
    assert Settings() == Settings(limits=Limits(), history=HistoryPolicy(max_messages=50))
    assert hash(Settings()) == hash(Settings())
    assert Settings(limits=Limits(asks=1)) != Settings()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Settings().limits = Limits()


def test_only_what_differs_from_the_defaults_is_shown():
    assert repr(Settings()) == "Settings()"
    shown = repr(Settings(limits=Limits(asks=1), history=HistoryPolicy(max_age=timedelta(days=1))))
    assert shown == "Settings(limits=Limits(asks=1), history=HistoryPolicy(max_age=datetime.timedelta(days=1)))"


def test_settings_are_given_by_name():
    with pytest.raises(TypeError):
        Settings(Limits())


@pytest.mark.parametrize("bound", [-1, 1.5, "x", True, None])
def test_a_bound_is_a_whole_number(bound):
    with pytest.raises(UsageError, match=r"Limits\.parts: expected an integer"):
        Limits(parts=bound)


@pytest.mark.parametrize("members", [{"limits": 4}, {"history": Limits()}])
def test_settings_hold_limits_and_a_history_policy(members):
    with pytest.raises(UsageError, match=r"Settings\.(limits|history): expected (Limits|HistoryPolicy), not "):
        Settings(**members)


def test_json_may_not_be_deeper_than_what_can_be_written_again():
    assert Limits(json_depth=64).json_depth == 64
    with pytest.raises(UsageError, match="json_depth: expected an integer from 0 to 64"):
        Limits(json_depth=65)


class NoOffset(tzinfo):
    """A time zone that does not say where it lies: what has it is naive all the same."""

    def utcoffset(self, _):
        return None


def test_doors_want_an_aware_time_enough_entropy_and_settings():
    now = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
    check_inputs(now, Settings())
    check_entropy(bytes(32))
    with pytest.raises(UsageError, match="now must be aware"):
        check_inputs(datetime(2026, 11, 21), Settings())  # noqa: DTZ001
    with pytest.raises(UsageError, match="now must be aware"):
        check_inputs(datetime(2026, 11, 21, tzinfo=NoOffset()), Settings())
    with pytest.raises(UsageError, match="at least 32 random bytes"):
        check_entropy(bytes(31))
    with pytest.raises(UsageError, match="settings must be Settings"):
        check_inputs(now, Limits())


def test_what_an_argument_must_be_and_what_it_is_are_both_said():
    check_kind(Settings(), Settings, "settings")
    with pytest.raises(UsageError, match="settings must be Settings, not Limits"):
        check_kind(Limits(), Settings, "settings")
    with pytest.raises(UsageError, match="limits must be Settings or str, not Limits"):
        check_kind(Limits(), (Settings, str), "limits")


def test_a_trace_may_not_be_larger_than_anybody_reads():
    assert Limits().trace_bytes == Limits(trace_bytes=65_536).trace_bytes == 65_536
    assert Limits(trace_bytes=0).trace_bytes == 0
    with pytest.raises(UsageError, match="trace_bytes: expected an integer from 0 to 65536"):
        Limits(trace_bytes=65_537)


@pytest.mark.parametrize("viewer", [None, "https://traces.example", "https://traces.example:8443/view?x=1#y"])
def test_traces_are_shown_by_a_page_or_by_none(viewer):
    assert Settings().trace_viewer == "https://mentionable.dev/trace"
    assert Settings(trace_viewer=viewer).trace_viewer == viewer


@pytest.mark.parametrize(
    "viewer", ["", "none", "http://traces.example/", "HTTPS://traces.example/", "https://", "https://a b.example/"]
)
def test_a_viewer_of_traces_is_an_https_page(viewer):
    with pytest.raises(UsageError, match=r"Settings\.trace_viewer: expected the https URL of a page"):
        Settings(trace_viewer=viewer)


def test_whom_to_trust_is_a_policy():
    assert Settings(trust=TrustPolicy()).trust == TrustPolicy()
    with pytest.raises(UsageError, match="TrustPolicy"):
        Settings(trust=[])


@pytest.mark.parametrize(
    ("kind", "members", "name"),
    [
        *[
            (HistoryPolicy, {name: wrong}, name)
            for name in ("max_messages", "max_chars")
            for wrong in ("9", 2.5, -3, True)
        ],
        *[(HistoryPolicy, {"max_age": wrong}, "max_age") for wrong in (5, "5", timedelta(seconds=-1))],
        (HistoryPolicy, {"keep": "x"}, "keep"),
        *[
            (Settings, {name: wrong}, name)
            for name in ("stored_history", "use_once", "require_verified")
            for wrong in ("yes", "no", 0, 1, None)
        ],
        *[(Settings, {"trace_viewer": wrong}, "trace_viewer") for wrong in (5, b"https://a.example/")],
        *[
            (Settings, {"policy_hosts": wrong}, "policy_hosts")
            for wrong in ("a.example", ["a.example"], ("A.example",), (5,))
        ],
        (mail.Settings, {"spf_only_dmarc": True}, "spf_only_dmarc"),
        (mail.Settings, {"use_once": "no"}, "use_once"),
        (mail.Settings, {"key": "secret"}, "key"),
        (activitypub.Settings, {"key": "secret"}, "key"),
        (activitypub.Settings, {"form": []}, "form"),
        (discovery.Settings, {"require_signed_cards": "no"}, "require_signed_cards"),
        (discovery.Settings, {"card_keys": {"A.example": {"keys": []}}}, "card_keys"),
        (discovery.Settings, {"card_algorithms": ()}, "card_algorithms"),
        (a2a.Settings, {"token_issuers": []}, "token_issuers"),
        *[
            (slack.Settings, {"signing_secret": b"x", "issuer": "a.example", name: wrong}, name)
            for name, wrong in [
                ("signing_secret", "x"),
                ("signing_secret", ()),
                ("signing_secret", (b"",)),
                ("issuer", 5),
                ("files", "x"),
                ("listen_to", []),
                ("teams", ("x",)),
                ("guests", "no"),
                ("body_bytes", True),
            ]
        ],
        *[
            (
                discord.Settings,
                {"public_key": "0" * 64, "application_id": "1", "issuer": "a.example", name: wrong},
                name,
            )
            for name, wrong in [
                ("public_key", "0"),
                ("public_key", "0" * 64),
                ("application_id", 1),
                ("bot_id", "x"),
                ("prompt_option", 5),
            ]
        ],
        *[
            (bluebubbles.Settings, {"secret": "s" * 22, "pseudonym_key": bytes(32), name: wrong}, name)
            for name, wrong in [
                ("secret", 5),
                ("pseudonym_key", "x" * 32),
                ("groups", "no"),
                ("server", "A"),
                ("secret_header", "a b"),
            ]
        ],
    ],
)
def test_every_member_of_settings_is_checked_and_named(kind, members, name):
    with pytest.raises(UsageError, match=rf"^{kind.__name__}\.?.*{name}"):
        kind(**members)


def test_what_leaves_turns_out_is_a_function():
    assert HistoryPolicy(keep=bool, max_age=timedelta(0), max_messages=0).keep is bool


def test_settings_that_stay_the_same_are_not_checked_for_each_unit(monkeypatch):
    settings = Settings(require_verified=True)
    monkeypatch.setattr("mentionable._model.base.checks", lambda _: pytest.fail("checked again"))
    assert own_settings(activitypub.Settings, settings).require_verified
    assert own_settings(discovery.Settings, settings).limits is settings.limits


@pytest.mark.parametrize(
    "cls",
    [a2a.Settings, activitypub.Settings, discovery.Settings, mail.Settings],
    ids=["a2a", "activitypub", "discovery", "mail"],
)
@pytest.mark.parametrize("is_slow", [False, True])
def test_shared_settings_leave_the_own_members_of_a_package_at_their_defaults(cls, is_slow, monkeypatch):
    monkeypatch.setattr(base, "_CAN_BECOME", not is_slow)
    shared = Settings(limits=Limits(asks=3), use_once=True, require_verified=True)
    base.unchecked_maker.cache_clear()
    own = own_settings(cls, shared)
    assert own == cls(limits=Limits(asks=3), use_once=True, require_verified=True)
    assert type(own) is cls
    assert own_settings(cls, own) is own
    base.unchecked_maker.cache_clear()


def test_settings_of_another_package_give_their_shared_members_alone():
    other = mail.Settings(limits=Limits(asks=3), spf_only_dmarc="verified")
    assert own_settings(activitypub.Settings, other) == activitypub.Settings(limits=Limits(asks=3))


@pytest.mark.parametrize("argument", [None, 5, "text", b"text", {"a": 1}, [5], ["a", None]], ids=repr)
def test_a_list_is_neither_one_text_nor_anything_else(argument):
    with pytest.raises(UsageError, match="names must be a list of texts"):
        items_of(argument, str, "names", what="texts")


@pytest.mark.parametrize("argument", [["a", "b"], ("a", "b"), iter(["a", "b"]), {"a": 1, "b": 2}.keys()], ids=range(4))
def test_a_list_is_any_iterable(argument):
    assert items_of(argument, str, "names", what="texts") == ["a", "b"]
