"""E-mail: comes by SMTP or LMTP, goes by a relay or to the servers of each domain."""

from mentionable_host.transports.mail.transport import Mail

__all__ = ["Mail"]
