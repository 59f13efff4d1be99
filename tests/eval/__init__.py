"""Measurements of quality, apart from the tests: what they need is given as arguments."""
