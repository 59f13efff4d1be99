"""``python -m docqa`` is the command line; the installed ``docqa`` alone opens the app as well."""

import sys

import docqa.supported  # noqa: F401  # before what an old Python cannot import
from docqa.cli.main import main


def docqa_command() -> int:
    """The installed command: without arguments the app, else the command line."""
    if sys.argv[1:]:
        return main()
    from docqa.ui.launch import launch  # with Streamlit, which no command needs

    launch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
