"""Answers and comparisons as text, JSON and files; imports no room but the nouns."""
