"""Tests of docqa.answer.model."""
