"""What is kept on disk; imports no other room."""
