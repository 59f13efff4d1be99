"""Evidence becomes a cited, checked answer; is given search and imports no other room."""
