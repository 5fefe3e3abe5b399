"""Decides from the records of a seamgate run, and from nothing else, whether it is PASS, FAIL or PENDING."""
