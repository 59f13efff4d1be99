"""Statements held against the evidence cited for them; pure."""
