"""PDF bytes become checked chunks; may import models, for an encoder's tokenizer only."""
