from typing import Any

import pytest

from mentionable import Limits, Settings, UsageError, activitypub
from mentionable.activitypub._settings import own
from tests.activitypub.answering import KEY, OBJECTS


def test_the_settings_of_every_room_say_nothing_of_what_is_own_to_this_one() -> None:
    shared = Settings(limits=Limits(asks=3), trace_viewer=None, use_once=True, require_verified=True)
    found = own(shared)
    assert (found.form, found.object_key) == ("cavage", None)
    assert all(getattr(found, name) == getattr(shared, name) for name in ("limits", "trace_viewer", "use_once"))
    assert found.require_verified
    ours = activitypub.Settings(form="rfc9421", object_key=OBJECTS)
    assert own(ours) is ours


@pytest.mark.parametrize(
    "members", [{"form": "jws"}, {"object_key": "key"}, {"object_key": KEY}, {"limits": 3}, {"trace_viewer": "x"}]
)
def test_settings_that_nobody_can_mean(members: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        activitypub.Settings(**members)
