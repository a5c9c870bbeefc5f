"""Values go from process to process: each class can be pickled, and what comes back is equal."""

from __future__ import annotations

import copy
import inspect
import pickle
from datetime import UTC, datetime
from importlib import import_module

import attrs
import pytest

import mentionable
from mentionable import Answers, Received, Rejected, Settings, WireError, drive, mail
from tests.samples import SAMPLES

ROOMS = [name for name in mentionable._PACKAGES if name != "testing"]
ROOMS += [f"connectors.{name}" for name in ("bluebubbles", "discord", "files", "slack")]
MODULES = [mentionable, *(import_module(f"mentionable.{name}") for name in ROOMS)]
CLASSES = {thing for module in MODULES for name in module.__all__ if inspect.isclass(thing := getattr(module, name))}
VALUES = sorted(filter(attrs.has, CLASSES), key=lambda cls: (cls.__module__, cls.__name__))
NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
MAIL = b"From: Alice <alice@a.example>\nTo: helper@agents.example\nSubject: Rain\nX-Odd: =?x?\n\nWill it rain?\n"
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


def received(raw: bytes) -> Received | Rejected:
    flow = mail.receive(raw, recipient="@helper@agents.example", now=NOW, entropy=bytes(32))
    return drive(flow, Answers())


@pytest.mark.parametrize("cls", VALUES, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_every_public_value_class_keeps_its_members(cls):
    made = object.__new__(cls)
    names = [a.name for a in attrs.fields(cls)]
    for name in names:
        object.__setattr__(made, name, ("of", name))
    for protocol in PROTOCOLS:
        back = pickle.loads(pickle.dumps(made, protocol))
        assert type(back) is cls
        assert [getattr(back, name) for name in names] == [("of", name) for name in names]
        assert back == made


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_values_come_back_equal(sample, protocol):
    assert pickle.loads(pickle.dumps(sample, protocol)) == sample


@pytest.mark.parametrize("raw", [MAIL, b"From: nobody\n\n", b""], ids=["received", "rejected", "empty"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_outcomes_come_back_equal_before_anybody_read_them(raw, protocol):
    back = pickle.loads(pickle.dumps(received(raw), protocol))
    assert back == received(raw) == copy.deepcopy(received(raw))
    if isinstance(back, Received):
        assert back.message.raw["parsed"]["subject"] == "Rain"
    else:
        assert str(pickle.loads(pickle.dumps(back.error))) == str(back)


def test_settings_and_errors_come_back_equal():
    for settings in (Settings(require_verified=True), mail.Settings()):
        assert pickle.loads(pickle.dumps(settings)) == settings
    outcome = received(b"")
    assert isinstance(outcome, Rejected)
    assert isinstance(pickle.loads(pickle.dumps(outcome.error)), WireError)
