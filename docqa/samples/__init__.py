"""Sample documents, the texts they are made from, and questions to try on them."""
