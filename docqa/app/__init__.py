"""The application behind the workspace; may import every room but the doors."""
