"""The door for other programs' models, over the Model Context Protocol; read-only."""
