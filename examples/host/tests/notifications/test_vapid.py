import os
import threading
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from mentionable import HttpRequest
from push_service import raw, vapid_of

from mentionable_host import Config, ConfigError
from mentionable_host.keys import make_keys
from mentionable_host.notifications.vapid import Vapid

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
ENDPOINT = "https://push.example/send/secret-capability?v=2"


def config_in(folder, **notifications):
    table = {"agent": {"name": "helper", "domain": "agents.example"}, "notifications": notifications}
    return Config.parse(table, folder=folder)


def claims_of(vapid, endpoint=ENDPOINT):
    header = vapid.authorization(endpoint, now=NOW)
    token, key = vapid_of(HttpRequest(method="POST", url=endpoint, headers={"authorization": header}))
    own = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key))
    return jwt.decode(token, own, algorithms=["ES256"], options={"verify_aud": False, "verify_exp": False})


def test_a_token_names_the_push_service_the_host_and_an_end_within_a_day(tmp_path):
    claims = claims_of(Vapid.load(config_in(tmp_path)))

    assert claims["aud"] == "https://push.example"
    assert claims["sub"] == "https://agents.example"
    assert claims["exp"] == int((NOW + timedelta(hours=12)).timestamp())


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("me@example.com", "mailto:me@example.com"),
        ("mailto:me@example.com", "mailto:me@example.com"),
        ("https://example.com/contact", "https://example.com/contact"),
    ],
)
def test_the_operator_is_reached_where_they_say(tmp_path, written, said):
    assert claims_of(Vapid.load(config_in(tmp_path, contact=written)))["sub"] == said


@pytest.mark.parametrize("written", ["nobody", "http://example.com", "a b@example.com", "me@x\r\ny"])
def test_what_is_no_contact_is_a_mistake_of_the_configuration(tmp_path, written):
    with pytest.raises(ConfigError, match="contact"):
        config_in(tmp_path, contact=written)


def test_the_key_is_made_with_the_other_keys_of_a_project(tmp_path):
    assert tmp_path / "keys/vapid.pem" in make_keys(tmp_path)

    made = (tmp_path / "keys/vapid.pem").read_bytes()
    Vapid.load(config_in(tmp_path))
    assert (tmp_path / "keys/vapid.pem").read_bytes() == made


def test_a_project_of_before_gets_its_key_when_it_is_first_needed_and_keeps_it(tmp_path):
    first = Vapid.load(config_in(tmp_path))

    assert (tmp_path / "keys/vapid.pem").stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path / "keys") == ["vapid.pem"]
    assert Vapid.load(config_in(tmp_path)).public_key == first.public_key


def test_processes_that_need_it_at_once_have_the_same_key(tmp_path):
    found, ready = [], threading.Barrier(4)

    def load():
        ready.wait()
        found.append(Vapid.load(config_in(tmp_path)).public_key)

    threads = [threading.Thread(target=load) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_a_key_that_others_may_read_is_not_used(tmp_path):
    make_keys(tmp_path)
    (tmp_path / "keys/vapid.pem").chmod(0o644)

    with pytest.raises(ConfigError, match="chmod 600"):
        Vapid.load(config_in(tmp_path))


def other_curve():
    return ec.generate_private_key(ec.SECP384R1())


@pytest.mark.parametrize("make", [other_curve, ed25519.Ed25519PrivateKey.generate, None])
def test_a_file_that_has_no_key_of_that_curve_says_what_to_do(tmp_path, make):
    (tmp_path / "keys").mkdir()
    pem = b"garbage" if make is None else make().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "keys/vapid.pem").write_bytes(pem)
    (tmp_path / "keys/vapid.pem").chmod(0o600)

    with pytest.raises(ConfigError, match="backup"):
        Vapid.load(config_in(tmp_path))


def test_a_folder_that_cannot_be_written_to_says_what_to_do(tmp_path):
    (tmp_path / "keys").write_text("a file where the folder should be")

    with pytest.raises(ConfigError, match="mentionable-host keys"):
        Vapid.load(config_in(tmp_path))
