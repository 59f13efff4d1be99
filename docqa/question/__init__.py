"""A question's text becomes what is asked, and of which documents; may import language."""
