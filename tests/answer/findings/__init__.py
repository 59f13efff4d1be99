"""Tests of docqa.answer.findings."""
