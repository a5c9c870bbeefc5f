"""What the documents publish, written down by hand and not made of our model: types, and sentences that are none."""

from .places import contradictions, idle_places, is_placed, named
from .sentences import SHOWS

__all__ = ["SHOWS", "contradictions", "idle_places", "is_placed", "named"]
