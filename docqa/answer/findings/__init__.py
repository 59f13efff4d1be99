"""Answers without a language model: what the documents say, word for word."""
