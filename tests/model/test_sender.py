from __future__ import annotations

import pytest

from mentionable import Address, Avatar, IdentityEvidence, Sender, SenderProfile, UsageError, identity


@pytest.mark.parametrize("address", ["alice@a.example", "@alice@A.example", "@alice", "", "@alice@bücher.example"])
def test_an_address_is_canonical(address):
    with pytest.raises(UsageError, match=r"Sender\.address: expected a canonical address @local@domain"):
        Sender(address=address)


def test_an_address_may_be_text_or_an_address():
    assert Sender(address="@alice@a.example") == Sender(address=Address("alice@a.example"))


def test_by_default_nobody_is_verified():
    sender = Sender(address="@alice@a.example")
    assert (sender.auth_method, sender.verified, sender.identities) == ("none", False, None)


def test_verified_needs_a_method():
    with pytest.raises(UsageError, match="Sender: verified needs an auth_method other than 'none'"):
        Sender(address="@a@b.example", verified=True)


@pytest.mark.parametrize(
    "method", ["ap-http-signature", "ap-object-integrity-proof", "a2a-jwt", "a2a-oauth", "email-dkim"]
)
def test_a_method_that_showed_the_address_verifies_it(method):
    assert Sender(address="@a@b.example", auth_method=method, verified=True).verified
    with pytest.raises(UsageError, match=f"Sender: auth_method '{method}' needs verified=True"):
        Sender(address="@a@b.example", auth_method=method)


def test_dmarc_may_rest_on_spf_alone():
    for verified in (True, False):
        assert Sender(address="@a@b.example", auth_method="email-dmarc", verified=verified).verified is verified


def test_a_method_is_one_of_the_contract():
    with pytest.raises(UsageError, match=r"Sender\.auth_method: expected 'ap-http-signature' or .* or 'none'"):
        Sender(address="@a@b.example", auth_method="magic", verified=True)


def test_identities_are_evidence():
    evidence = IdentityEvidence(
        subject="s",
        issuer="i",
        method="m",
        assurance="platform",
        audience="@helper@agents.example",
        issued_at="2026-11-21T20:56:00Z",
        proof=identity.TransportProof(verified_by="mail"),
    )
    assert Sender(address="@a@b.example", identities=(evidence,)).identities == (evidence,)
    with pytest.raises(UsageError, match=r"\[0\]: expected IdentityEvidence, not dict"):
        Sender(address="@a@b.example", identities=({},))


def test_a_profile_is_how_to_show_somebody():
    avatar = Avatar(url="https://a.example/a.png", mime_type="image/png", width=1, height=2)
    assert SenderProfile(display_name="Alice", avatar=avatar).avatar.width == 1
    with pytest.raises(UsageError, match=r"Avatar\.width: expected an integer"):
        Avatar(url="https://a.example/a.png", width=True)
