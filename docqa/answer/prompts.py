"""The words a language model is given, rendered by pure functions."""

NOT_FOUND = "Nothing in the documents answers this."
