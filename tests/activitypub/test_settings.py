from typing import Any

import pytest

from mentionable import Limits, Settings, UsageError, activitypub
from mentionable._flow.settings import own_settings
from tests.activitypub.answering import KEY, OBJECTS


def test_shared_settings_leave_the_own_members_of_this_transport_at_their_defaults() -> None:
    shared = Settings(limits=Limits(asks=3), trace_viewer=None, use_once=True, require_verified=True)
    found = own_settings(activitypub.Settings, shared)
    assert (found.form, found.object_key) == ("cavage", None)
    assert all(getattr(found, name) == getattr(shared, name) for name in ("limits", "trace_viewer", "use_once"))
    assert found.require_verified
    ours = activitypub.Settings(form="rfc9421", object_key=OBJECTS)
    assert own_settings(activitypub.Settings, ours) is ours


@pytest.mark.parametrize(
    "members", [{"form": "jws"}, {"object_key": "key"}, {"object_key": KEY}, {"limits": 3}, {"trace_viewer": "x"}]
)
def test_settings_that_nobody_can_mean(members: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        activitypub.Settings(**members)
