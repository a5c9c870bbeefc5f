"""The words of a policy in the language of whoever reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .._errors.exceptions import UsageError
from .._model.base import replace
from .._model.policy import PolicyPart
from .._wire.ascii import ascii_lower

_MAX_LENGTH: Final = 100
"""Characters of a language range; no language has a longer tag."""

_RANGE: Final = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}+)*").fullmatch


def localize(policy: PolicyPart, *languages: str) -> PolicyPart:
    """The policy with its title and message in the first of `languages` that it has; itself when it has none of them.

    A language is looked up as it is, then with ever less behind it: `zh-Hant-TW`, `zh-Hant`, `zh`. Case says nothing.
    A translation without a title gives a policy without one: half a policy in another language helps no reader.

    Args:
        policy: Any policy. `message` itself has no language: to match it too, put it among the translations.
        languages: BCP 47 language ranges, the best first. `*` and what is no range are skipped.

    Raises:
        UsageError: A language is not text.

    Spec: PolicyPart §Base Fields (message_translations); RFC 4647 §3.4.

    Example:
        >>> from mentionable.policy import Forbidden, PolicyTranslation
        >>> policy = Forbidden(message="No.", message_translations={"de": PolicyTranslation(message="Nein.")})
        >>> localize(policy, "fr", "de-AT").message
        'Nein.'
    """
    if not all(isinstance(language, str) for language in languages):
        raise UsageError("languages are texts, given one by one: localize(policy, 'de-AT', 'en')")
    if not policy.message_translations:
        return policy
    tags = {ascii_lower(tag): words for tag, words in policy.message_translations.items()}
    for language in languages:
        for tag in _ever_shorter(language):
            if tag in tags:
                return replace(policy, title=tags[tag].title, message=tags[tag].message)
    return policy


def _ever_shorter(language: str) -> Iterator[str]:
    """The tags that a range finds, the best first; none when it is malformed."""
    if len(language) > _MAX_LENGTH or _RANGE(language) is None:
        return
    subtags = language.lower().split("-")
    while subtags:
        yield "-".join(subtags)
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:  # it only introduces what was behind it
            subtags.pop()
