"""Words for what became of a text: changed, added, removed; and for its versions."""

import re

CHANGED = r"chang(?:e[sd]?|ing)|redlin\w+|revis(?:ed|ions?)|amend(?:ed|ments?)|updat(?:es?|ed)"
LEFT_OR_CAME = r"added|additions?|inserted|insertions?|deleted|deletions?|removed|removals?|dropped"
VERSIONS = r"versions?|drafts?"
_KINDS = {
    "new": re.compile(r"\b(?:new|added|additions?|inserted|insertions?)\b", re.IGNORECASE),
    "gone": re.compile(r"\b(?:gone|deleted|deletions?|removed|removals?|dropped)\b", re.IGNORECASE),
    "moved": re.compile(r"\bmoved\b", re.IGNORECASE),
}
_OF_CHANGE = re.compile(
    rf"\b(?:{CHANGED})\b(?! (?:of|in) control)|\b(?:{LEFT_OR_CAME})\b|what(?: is|['’]s) new"
    r"|\bwhich\b.{1,40}\b(?:is|are)\b.{0,20}\bnew\b"
    rf"|\bdiffer\w*\b.*\b(?:{VERSIONS})\b",
    re.IGNORECASE,
)


def asks_what_changed(question: str) -> bool:
    """Whether a question asks what became of a text.

    >>> asks_what_changed("What changed?"), asks_what_changed("Compare the change of control")
    (True, False)
    """
    return _OF_CHANGE.search(question) is not None


def kinds_asked(question: str) -> frozenset[str]:
    """What may have become of a text that a question asks for alone: "new", "gone" or "moved";
    none where it asks for any change.

    >>> sorted(kinds_asked("Which clauses were added or removed?")), kinds_asked("What changed?")
    (['gone', 'new'], frozenset())
    """
    if re.search(rf"\b(?:{CHANGED}|differ\w*)\b", question, re.IGNORECASE):
        return frozenset()
    return frozenset(kind for kind, words in _KINDS.items() if words.search(question))
