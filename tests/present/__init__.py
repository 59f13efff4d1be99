"""Tests of docqa.present."""
