"""Rows of blocks become tables: columns with periods and units, rows with their groups; pure."""
