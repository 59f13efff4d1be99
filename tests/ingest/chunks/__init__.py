"""Tests of docqa.ingest.chunks."""
