"""The table of what to do with each activity holds what the code does."""

from __future__ import annotations

from typing import get_args

from mentionable.activitypub import ActivityType, Authority
from mentionable.activitypub._authority import RULES
from tests import activities


def test_the_table_has_a_row_for_each_type_and_each_authority_that_it_may_have() -> None:
    assert activities.DOES.keys() == {(kind, one) for kind, authorities in RULES.items() for one in authorities}
    assert activities.SHOWN.keys() == set(get_args(Authority))
    assert RULES.keys() == set(get_args(ActivityType))


def test_every_rule_of_a_type_is_one_that_there_is() -> None:
    assert activities.SHOWN_OF_A_TYPE.keys() <= activities.DOES.keys()
    assert activities._OF.keys() <= activities.DOES.keys()


def test_types_that_are_done_with_in_the_same_way_share_a_row() -> None:
    rows = list(activities.rows())
    assert [row for row in rows if "`Like`" in row] == [row for row in rows if "`Dislike`, `EmojiReact`" in row]
    assert len(rows) < len(activities.DOES)
