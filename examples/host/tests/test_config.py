import pytest

from mentionable_host import Config, ConfigError
from mentionable_host.config import secret
from mentionable_host.transports.sections import MailSettings

AGENT = '[agent]\nname = "x"\ndomain = "x.example"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{AGENT}[server]\nprot = 1\n", "server has no 'prot' (did you mean 'port'?)"),
        (f'{AGENT}[mial]\nsmtp = ""\n', "the file has no 'mial' (did you mean 'mail'?)"),
        (f"{AGENT}zzz = 1\n", "agent has no 'zzz'"),
        ('[agent]\nname = "x"\n', "agent.domain is missing"),
        ("", "agent is missing"),
        (f'{AGENT}[server]\nport = "abc"\n', "server.port must be a whole number"),
        (f"{AGENT}[server]\nport = 65536\n", "server has the port 65536: write one from 1 to 65535"),
        (f'{AGENT}[mail]\nsmtp = "2525"\n', "mail has the smtp '2525': write an address and a port, as 127.0.0.1:2525"),
        (f'{AGENT}[mail]\nlmtp = ":24"\n', "mail has the lmtp ':24'"),
        (f'{AGENT}[mail]\nsmtp = "::1:25"\n', "mail has the smtp '::1:25'"),
        (f'{AGENT}follows = "maybe"\n', "agent.follows must be one of 'accept', 'ask', 'reject'"),
        ("agent = 3\n", "agent must be a section with settings"),
        ('[agent]\nname = "X Y"\ndomain = "x.example"\n', "agent has the name 'X Y'"),
        ('[agent]\nname = "x"\ndomain = "https://x.example"\n', "agent has the domain 'https://x.example'"),
        ("[agent]\nname = x\n", "is no TOML: Invalid value (at line 2"),
        ("a = " + "[" * 100_000, "nested too deeply"),
        (f"{AGENT}[slack]\n", "slack.signing_secret is missing"),
        (f'{AGENT}[server]\na = 1\nport = "x"\n[store]\nb = 1\n[limits]\nc = 1\n', "and 1 more"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_to_write(tmp_path, text, said):
    path = tmp_path / "mentionable.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        Config.load(path)

    assert str(error.value).startswith(str(path))
    assert said in str(error.value)


def test_bytes_that_are_no_text_are_told(tmp_path):
    (tmp_path / "mentionable.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="is no TOML"):
        Config.load(tmp_path / "mentionable.toml")


def test_a_secret_is_where_it_says(tmp_path, monkeypatch):
    (tmp_path / "token").write_text("from a file\n")
    monkeypatch.setenv("TOKEN", "from the environment")

    assert [secret(one, folder=tmp_path) for one in ("file:token", "env:TOKEN", "itself")] == [
        "from a file",
        "from the environment",
        "itself",
    ]


def test_places_that_listen_are_an_address_and_a_port_or_a_socket():
    for place in ("127.0.0.1:2525", "0.0.0.0:25", "[::1]:2424", "localhost:25", "/run/mentionable/lmtp", ""):
        assert MailSettings(smtp=place, lmtp=place).smtp == place


@pytest.mark.parametrize("written", ["file:nowhere", "env:NO_SUCH_VARIABLE", "file:binary"])
def test_a_secret_that_is_not_there_is_named_as_the_configuration_has_it(tmp_path, written):
    (tmp_path / "binary").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match=f"the configuration asks for it by '{written}'"):
        secret(written, folder=tmp_path)
