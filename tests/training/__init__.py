"""How the bundled reranker is made."""
