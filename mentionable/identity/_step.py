"""How a step of the verification of evidence fails."""

from __future__ import annotations

from .._errors.exceptions import Code, Problem
from .._flow.outcome import Rejected


class Refused(Exception):
    """A step failed. Never leaves `verify`: it becomes `Rejected`.

    Attributes:
        code: A key of `CODES`.
        step: Which step.
        detail: In words, for logs.
    """

    def __init__(self, code: Code, step: str, detail: str = "") -> None:
        self.code: Code = code
        self.step = step
        self.detail = detail
        super().__init__(code, step, detail)

    def outcome(self) -> Rejected:
        """The outcome that it stands for."""
        problems = (Problem("", self.detail),) if self.detail else ()
        return Rejected(code=self.code, problems=problems, step=self.step)
