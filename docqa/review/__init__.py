"""Documents × questions: what a review's cells, columns and templates hold."""
