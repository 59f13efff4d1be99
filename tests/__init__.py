"""Tests, laid out as docqa is."""
