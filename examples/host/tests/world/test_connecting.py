"""How long certificates are valid."""

import pytest
from mentionable import Failed

from mentionable_host.checks.connecting import certificate_end


def end(web, name):
    async def talk(internet):
        return await certificate_end(("127.0.0.2", web.server.port), name, tls=web.client_tls), internet.now()

    return web.run(talk)


def test_the_end_of_a_valid_certificate_is_known(web):
    until, now = end(web, "social.example")

    assert (until - now).days == 39


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.2"])
def test_a_certificate_of_another_name_has_no_end(web, name):
    got, _ = end(web, name)

    assert isinstance(got, Failed)
    assert "mismatch" in got.reason


def test_a_certificate_of_an_unknown_authority_has_no_end(web):
    web.client_tls = None

    got, _ = end(web, "social.example")

    assert isinstance(got, Failed)
    assert "issuer" in got.reason
