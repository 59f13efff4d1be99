"""Tests of docqa.ingest.office."""
