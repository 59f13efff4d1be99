"""Words, sentences, numbers and periods as documents print them; pure, and known to every room."""
