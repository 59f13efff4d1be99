"""Answers by a language model: the tool loop, prompts, costs, redaction."""
