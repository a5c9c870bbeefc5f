"""The page of the operator, at `/operator`: what came, what became of it, and what to decide."""

from mentionable_host.operator.access import login_link
from mentionable_host.operator.service import Operator

__all__ = ["Operator", "login_link"]
