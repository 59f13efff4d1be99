"""Tables made of blocks."""
