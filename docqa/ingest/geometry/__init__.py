"""Words on a page become paragraphs, headings and tables; pure."""
