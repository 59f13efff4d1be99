"""Tests of docqa.ingest.reading."""
