"""The measures of structure: full for the same text, less for what is missing."""

from tests.eval.structure import scores, told

MARKDOWN = """# Lease of Harbour Yard

The rent is due on the first day of each month, in advance.

| Term | Particulars |
|---|---|
| Rent | £302,400 |

## Governing law

- The law of Scotland governs this lease and all of its parts.
- The parties submit to the courts of that country alone.
"""


def test_a_text_is_like_itself() -> None:
    assert scores(told(MARKDOWN), told(MARKDOWN)) == {
        "text": 1.0,
        "headings": 1.0,
        "cells": 1.0,
        "order": 1.0,
    }


def test_what_is_missing_or_moved_counts() -> None:
    without = MARKDOWN.replace("## Governing law\n", "").replace("| Rent | £302,400 |\n", "")
    found = scores(told(MARKDOWN), told(without))
    assert found["headings"] == 2 / 3
    assert found["cells"] == 2 / 3
    lines = MARKDOWN.splitlines()
    turned = scores(told(MARKDOWN), told("\n\n".join(reversed(lines))))
    assert turned["order"] == 0.0
