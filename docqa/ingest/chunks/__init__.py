"""Blocks are packed into chunks, situated and validated; pure."""
