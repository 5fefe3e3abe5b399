"""report.html: one self-contained page from the decision; opens without a network, and without JavaScript."""

from .document import document

__all__ = ["document"]
