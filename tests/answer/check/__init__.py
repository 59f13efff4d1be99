"""Tests of docqa.answer.check."""
