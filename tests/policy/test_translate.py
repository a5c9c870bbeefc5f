"""The words of a policy in the language of whoever reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError, policy, replace
from mentionable.policy._translate import localize
from mentionable.testing import strategies

TAGS = ["de", "de-CH", "zh-Hant", "sr-Latn", "en-a-bbb", "pt-BR", "x-own"]
WORDS = {tag: policy.PolicyTranslation(message=tag, title=f"title {tag}") for tag in TAGS}
POLICY = policy.TooManyRequests(
    message="base", title="title", message_translations=WORDS, retry_after_seconds=3, extra={"x": 1}
)


@pytest.mark.parametrize(
    ("languages", "found"),
    [
        (["de"], "de"),
        (["DE"], "de"),
        (["de-AT"], "de"),
        (["de-ch"], "de-CH"),
        (["de-CH-1996"], "de-CH"),
        (["de-Latn-CH"], "de"),
        (["zh-Hant-CN-x-private1-private2"], "zh-Hant"),
        (["zh-Hant-CN-x"], "zh-Hant"),
        (["zh"], "base"),
        (["zh-Hans"], "base"),
        (["sr-LATN-rs"], "sr-Latn"),
        (["en-a-bbb-ccc"], "en-a-bbb"),
        (["en-a"], "base"),
        (["en-a-zzz"], "base"),
        (["pt"], "base"),
        (["pt-br"], "pt-BR"),
        (["x-own"], "x-own"),
        (["x-other"], "base"),
        (["fr", "de-AT", "zh-Hant"], "de"),
        (["zh-Hant", "de"], "zh-Hant"),
        (["de-AT", "de-CH"], "de"),
        (["*", "de"], "de"),
        (["*"], "base"),
        (["*-CH", "pt-BR"], "pt-BR"),
        (["de-*-CH"], "base"),
        (["de_AT"], "base"),
        ([""], "base"),
        (["-"], "base"),
        (["de-"], "base"),
        (["-de"], "base"),
        (["de--AT"], "base"),
        (["de "], "base"),
        (["de;q=0.5"], "base"),
        (["deutschland"], "base"),
        (["de-\u017fx"], "base"),
        (["de" + "-a1" * 33], "base"),
        (["de" + "-a1" * 32], "de"),
        (["de\n"], "base"),
        ([], "base"),
    ],
)
def test_the_first_language_that_is_there_is_taken(languages, found):
    assert localize(POLICY, *languages).message == found


def test_only_the_words_change():
    assert localize(POLICY, "de") == replace(POLICY, message="de", title="title de")


def test_languages_are_never_mixed():
    value = replace(POLICY, message_translations={"de": policy.PolicyTranslation(message="Langsam!")})
    assert localize(value, "de") == replace(value, message="Langsam!", title=None)


def test_without_a_translation_it_is_the_policy_itself():
    assert localize(POLICY, "ja") is POLICY
    bare = policy.Forbidden(message="No.")
    assert localize(bare, "de") is bare


def test_languages_are_given_one_by_one():
    with pytest.raises(UsageError, match="given one by one"):
        localize(POLICY, ["de", "en"])


@given(strategies.policies(), st.lists(st.text(max_size=12) | st.sampled_from(TAGS), max_size=3))
def test_whatever_is_asked_for_only_words_change(value, languages):
    told = localize(value, *languages)
    assert replace(told, message=value.message, title=value.title) == value
