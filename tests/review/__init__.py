"""Tests of what sets documents side by side."""
