"""The nouns of docqa, frozen, by subject; imports the standard library alone."""
