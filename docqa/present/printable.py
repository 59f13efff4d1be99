"""Text that may stand in an Office file."""

import re

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """The text with a replacement character for each that XML does not know.

    >>> printable("a" + chr(0))
    'a�'
    """
    return _NOT_XML.sub("\ufffd", text)
