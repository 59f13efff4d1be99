"""The command line; may import the workspace and present."""
