"""Tests of docqa.ingest.geometry."""
