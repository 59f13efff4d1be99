"""``python -m docqa``: the command line."""

import sys

import docqa.supported  # noqa: F401  # before what an old Python cannot import
from docqa.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
