"""The screen; may import workspace and answer.events."""
