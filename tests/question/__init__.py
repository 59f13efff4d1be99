"""Tests of docqa.question."""
