"""Tests of docqa.app."""
