"""The screen; may import the workspace and present."""
