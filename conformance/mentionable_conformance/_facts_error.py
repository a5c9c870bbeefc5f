"""What is said of an answer in which a fact cannot be found."""

__all__ = ["FactError"]


class FactError(ValueError):
    """An answer contradicts itself, or is not of the form that its operation has."""
