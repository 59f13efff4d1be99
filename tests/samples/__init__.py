"""Tests of the sample documents."""
