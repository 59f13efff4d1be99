"""Tests of docqa.language."""
