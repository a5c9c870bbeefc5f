"""Tools for flows beyond `drive`: several at once, with a bound on look-ups, or step by step without a driver.

Example:
    >>> from mentionable import FindAgent, LookupTxt, drive, flows
    >>> both = flows.gather(FindAgent(native_id="helper@agents.example"), LookupTxt(name="_dmarc.a.example"))
    >>> drive(both, lambda ask: "@helper@agents.example" if isinstance(ask, FindAgent) else [b"v=DMARC1; p=none"])
    ('@helper@agents.example', [b'v=DMARC1; p=none'])
"""

from __future__ import annotations

from ._flow.flow import Pending, bounded, gather, resume

__all__ = ["Pending", "bounded", "gather", "resume"]
