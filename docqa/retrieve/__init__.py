"""A question becomes ranked hits; may import library and models."""
