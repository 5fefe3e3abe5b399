"""Holds documents, quoted figures and builds to account. Standard library only; prints findings as JSON."""
