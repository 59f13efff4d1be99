"""Tests of docqa.answer."""
