"""Settings of A2A: the issuers whose tokens count, and for which audiences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from attrs import field

from .._crypto.jwt import Algorithm, public_key_set
from .._flow.settings import Settings as BaseSettings
from .._model.annotation import InvalidMember, Rule
from .._model.base import EMPTY_DICT, validated
from .._model.rules import CanonicalAddress, CanonicalDomain, JsonObject, Name
from .._wire.http import is_fetchable_url

TokenType: TypeAlias = Literal["at+jwt", "JWT"]
"""The `typ` of an access token: by RFC 9068, or as older issuers write it."""

_DAY: Final = 86_400

_Seconds: TypeAlias = Annotated[int, Rule("a positive number of seconds", lambda number: number > 0, {})]


@validated
class TokenIssuer:
    """A trusted issuer of tokens, and the subjects for which it may speak.

    Set `keys` or `jwks_url`, or neither when you ask the issuer about each token (`Introspection`).

    Attributes:
        issuer: Its `iss`, compared exactly: a slash at the end counts.
        keys: Its JWKS, when you have it.
        jwks_url: The URL of its JWKS, which `Fetch` asks for. When a key id is not in it, or a signature does not fit,
            it is asked for once more with `fresh=True`: limit how often you answer that from the network, for all
            callers together.
        audiences: Your names at the issuer, compared exactly. A token must name one of them.
        subject_domains: The domains whose `@agent@domain` the issuer may speak for; no subdomains.
        algorithms: Which signature algorithms it uses.
        token_types: The `typ` of its access tokens. Older issuers write `JWT` (or none, which means the same) into ID
            tokens too, so tokens that look like ID tokens are then refused.
        max_lifetime: The maximum lifetime of its tokens in seconds. Common issuers give at most a day.
        strict_audience: Whether tokens that also name other audiences are refused.
        subjects: Subject → address, for tokens whose `sub` is no address; a token without `sub` is looked up by its
            `client_id`.
    """

    issuer: Name
    keys: JsonObject | None = field(default=None, repr=False)
    jwks_url: str | None = None
    audiences: tuple[Name, ...]
    subject_domains: tuple[CanonicalDomain, ...]
    algorithms: tuple[Algorithm, ...] = ("RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519")
    token_types: tuple[TokenType, ...] = ("at+jwt",)
    max_lifetime: _Seconds = _DAY
    strict_audience: bool = False
    subjects: Mapping[str, CanonicalAddress] = EMPTY_DICT

    def _check(self) -> None:
        for name in ("audiences", "subject_domains", "algorithms", "token_types"):
            if not getattr(self, name):
                raise InvalidMember(f"{name} must not be empty", (name,))
        if self.jwks_url is not None and not is_fetchable_url(self.jwks_url):
            raise InvalidMember("jwks_url must be https on the default port of a DNS name", ("jwks_url",))
        if self.keys is not None:
            if self.jwks_url is not None:
                raise InvalidMember("keys or jwks_url, not both", ("keys",))
            object.__setattr__(self, "keys", public_key_set(self.keys, "keys", ("keys",)))
        strangers = [address for address in self.subjects.values() if not self.speaks_for(address)]
        if strangers:
            raise InvalidMember(f"subjects: {strangers[0]} is of none of the subject_domains", ("subjects",))

    def speaks_for(self, address: str) -> bool:
        """Whether the domain of a canonical address is one of the issuer's."""
        return address.rpartition("@")[2] in self.subject_domains


@validated
class Settings(BaseSettings):
    """The settings of all requests, with the trusted issuers of tokens.

    Attributes:
        token_issuers: The issuers; without any, no token verifies a sender.
        stored_tasks: Whether you store tasks, so that `receive` asks `FindTask` for the task that a message names. One
            that is not there, that is another caller's, or that has ended rejects the message; the message that ended
            it may come again.
        local_webhooks: Whether push notifications may go to `localhost`, also without TLS. Clients then make this
            server send requests to its own machine: for tests alone.
    """

    token_issuers: tuple[TokenIssuer, ...] = ()
    stored_tasks: bool = False
    local_webhooks: bool = False

    def _check(self) -> None:
        if len({one.issuer for one in self.token_issuers}) < len(self.token_issuers):
            raise InvalidMember("two token_issuers have the same issuer", ("token_issuers",))
