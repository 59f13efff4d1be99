"""Tests of docqa.cli."""
