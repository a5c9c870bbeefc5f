"""DMARC."""

from typing import Any

import pytest

from mentionable import Failed
from mentionable._wire.public_suffix import is_public_suffix, share_an_owner
from mentionable.mail._auth.dmarc import Dmarc, evaluate, organisation, policy_of, read_policy, walk, walk_domains

NONE = "v=DMARC1; p=none"


class Records(dict[str, Any]):
    """Answers by name: what is not there has no records."""

    def __missing__(self, name: str) -> tuple[()]:
        return ()


def zone(**records: Any) -> Records:
    """Records by domain, `_` for a dot; a text is one record."""
    found = Records()
    for domain, texts in records.items():
        name = "_dmarc." + domain.replace("_", ".")
        texts = texts if not isinstance(texts, str) else [texts]
        found[name] = texts if isinstance(texts, Failed) else [text.encode("latin-1") for text in texts]
    return found


@pytest.mark.parametrize(
    ("domain", "names"),
    [
        ("a.example", ["a.example", "example"]),
        ("a.b.c.d.e.f.example", ["a.b.c.d.e.f.example", "b.c.d.e.f.example", "c.d.e.f.example"]),
        ("1.2.3.4.5.6.7.8", ["1.2.3.4.5.6.7.8", "2.3.4.5.6.7.8", "3.4.5.6.7.8"]),
        ("0.1.2.3.4.5.6.7.8.9", ["0.1.2.3.4.5.6.7.8.9", "3.4.5.6.7.8.9", "4.5.6.7.8.9"]),
    ],
)
def test_the_way_up_has_at_most_eight_names(domain: str, names: list[str]) -> None:
    found = list(walk_domains(domain))
    assert found[: len(names)] == names
    assert found[-1] == domain.rpartition(".")[2]
    assert len(found) == min(8, domain.count(".") + 1)


def test_a_name_that_is_too_long_for_dns_is_not_asked_for() -> None:
    domain = ".".join(["a" * 61] * 4)
    assert next(walk_domains(domain)) == domain[62:]
    assert next(walk_domains(domain[1:])) == domain[1:]


@pytest.mark.parametrize(
    ("texts", "policy"),
    [
        (["v=DMARC1; p=reject"], "reject"),
        (["v = DMARC1 ;p=Quarantine"], "quarantine"),
        (["v=spf1 -all", "v=DMARC1; p=none"], "none"),
        (["v=DMARC1; rua=mailto:d@a.example"], "none"),
        (["v=DMARC1; p=any; rua=mailto:d@a.example"], "none"),
        (["v=DMARC1; P=REJECT; p=none; nothing; =; \xe9=\xe9"], "reject"),
    ],
)
def test_a_record_is_read(texts: list[str], policy: str) -> None:
    found = read_policy([text.encode("latin-1") for text in texts])
    assert found is not None
    assert found.policy == policy


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["v=DMARC1; p=none", "v=DMARC1; p=none"],
        ["v=dmarc1; p=none"],
        ["v=DMARC12; p=none"],
        ["p=none; v=DMARC1"],
        ["V=DMARC1; p=none"],
        ["v=DMARC1=; p=none"],
        ["v=DMARC1; p=none;" + " " * 8_192],
    ],
)
def test_what_is_no_record(texts: list[str]) -> None:
    assert read_policy([text.encode() for text in texts]) is None


def test_a_record_without_a_policy_asks_for_nothing() -> None:
    found = read_policy([b"v=DMARC1"])
    assert found is not None
    assert (found.policy, found.strict_dkim, found.strict_spf, found.psd) == (None, False, False, "u")
    found = read_policy([b"v=DMARC1; adkim=S; aspf=s; psd=Y"])
    assert found is not None
    assert (found.strict_dkim, found.strict_spf, found.psd) == (True, True, "y")


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ({}, "x.corp.example"),
        ({"x_corp_example": NONE}, "x.corp.example"),
        ({"corp_example": NONE}, "corp.example"),
        ({"x_corp_example": NONE, "corp_example": NONE}, "corp.example"),
        ({"x_corp_example": NONE, "example": NONE}, "example"),
        ({"x_corp_example": NONE + "; psd=n", "corp_example": NONE}, "x.corp.example"),
        ({"corp_example": NONE + "; psd=y"}, "x.corp.example"),
        ({"example": NONE + "; psd=y"}, "corp.example"),
        ({"x_corp_example": NONE + "; psd=y", "corp_example": NONE}, "x.corp.example"),
        ({"corp_example": NONE + "; psd=any"}, "corp.example"),
    ],
)
def test_the_organisation_of_a_domain(records: dict[str, Any], expected: str) -> None:
    assert organisation(walk("x.corp.example", zone(**records))) == expected


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ({}, None),
        ({"x_corp_example": "v=DMARC1; p=none", "corp_example": "v=DMARC1; p=reject"}, "none"),
        ({"corp_example": "v=DMARC1; p=reject", "example": "v=DMARC1; p=none; psd=y"}, "reject"),
        ({"example": "v=DMARC1; p=quarantine; psd=y"}, "quarantine"),
    ],
)
def test_which_record_counts(records: dict[str, Any], expected: str | None) -> None:
    found = policy_of(walk("x.corp.example", zone(**records)))
    assert (found.policy if found else None) == expected


def judged(answers: Records, *signers: str, spf: str | None = None, author: str = "hr.corp.example") -> Dmarc:
    return evaluate(author, signers=signers, envelope_domain=spf, answers=answers)


@pytest.mark.parametrize(
    ("records", "signer", "status"),
    [
        ({"corp_example": NONE}, "corp.example", "pass"),
        ({"corp_example": NONE}, "guest.corp.example", "pass"),
        ({"corp_example": NONE + "; adkim=s"}, "guest.corp.example", "fail"),
        ({"hr_corp_example": NONE + "; adkim=s", "corp_example": NONE}, "guest.corp.example", "fail"),
        ({"hr_corp_example": NONE}, "guest.corp.example", "fail"),
        ({"corp_example": NONE + "; psd=y"}, "guest.corp.example", "fail"),
        ({"example": NONE + "; psd=y"}, "guest.corp.example", "pass"),
        ({}, "guest.corp.example", "none"),
        ({"corp_example": [NONE, NONE]}, "guest.corp.example", "none"),
        ({"corp_example": "v=DMARC1"}, "guest.corp.example", "none"),
        ({"corp_example": Failed("timeout")}, "guest.corp.example", "temperror"),
        ({"hr_corp_example": NONE + "; psd=n", "corp_example": Failed("x")}, "guest.corp.example", "temperror"),
        ({"hr_corp_example": NONE, "corp_example": Failed("x")}, "guest.corp.example", "temperror"),
        ({"hr_corp_example": NONE + "; adkim=s", "corp_example": Failed("x")}, "guest.corp.example", "fail"),
    ],
)
def test_alignment_by_dkim(records: dict[str, Any], signer: str, status: str) -> None:
    found = judged(zone(**records), signer)
    assert found.status == status
    assert found.signer == (signer if status == "pass" else None)
    assert (found.fault is None) == (status == "pass")
    assert not found.spf


def test_the_first_signer_that_is_aligned_counts() -> None:
    answers = zone(corp_example=NONE, x_corp_example=NONE + "; psd=n")
    assert judged(answers, "x.corp.example", "y.corp.example").signer == "y.corp.example"


def test_a_failure_beside_one_that_is_aligned_does_not_count() -> None:
    answers = zone(corp_example=NONE, x_corp_example=Failed("timeout"))
    assert judged(answers, "x.corp.example", "y.corp.example").status == "pass"
    assert judged(answers, "x.corp.example").fault is not None
    assert judged(answers, "x.corp.example", spf="y.corp.example").spf


@pytest.mark.parametrize(
    ("records", "domain", "status"),
    [
        ({"hr_corp_example": NONE}, "hr.corp.example", "pass"),
        ({"hr_corp_example": NONE + "; aspf=s"}, "hr.corp.example", "pass"),
        ({"hr_corp_example": NONE, "corp_example": Failed("x")}, "hr.corp.example", "pass"),
        ({"hr_corp_example": NONE + "; aspf=s", "example": Failed("x")}, "bounce.corp.example", "fail"),
        ({"corp_example": NONE}, "bounce.corp.example", "pass"),
        ({"corp_example": NONE + "; aspf=s"}, "bounce.corp.example", "fail"),
        ({"hr_corp_example": NONE}, "bounce.corp.example", "fail"),
        ({"corp_example": NONE, "bounce_corp_example": Failed("timeout", temporary=False)}, "bounce.corp.example", ""),
    ],
)
def test_alignment_by_spf(records: dict[str, Any], domain: str, status: str) -> None:
    found = judged(zone(**records), spf=domain)
    assert found.status == (status or "temperror")
    assert found.spf == (status == "pass")
    assert found.signer is None
    assert found.fault is None or not found.fault.temporary


def test_public_suffixes_are_known() -> None:
    assert [name for name in ("com", "co.uk", "github.io", "any", "xn--p1ai") if not is_public_suffix(name)] == []
    assert [name for name in ("a.com", "a.co.uk", "a.github.io", "a.any", "www.gov.uk") if is_public_suffix(name)] == []


@pytest.mark.parametrize(
    ("one", "two", "shared"),
    [
        ("a.corp.example", "b.corp.example", True),
        ("corp.example", "a.corp.example", True),
        ("corp.example", "corp.example", True),
        ("evilcorp.example", "corp.example", False),
        ("a.github.io", "b.github.io", False),
        ("x.a.github.io", "y.a.github.io", True),
        ("a.co.uk", "co.uk", False),
        ("a.example", "a.org", False),
    ],
)
def test_a_public_suffix_holds_nobody_together(one: str, two: str, shared: bool) -> None:
    assert share_an_owner(one, two) == share_an_owner(two, one) == shared
