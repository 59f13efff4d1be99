"""What the doors ask of this installation, with no library open: models, samples, backups."""

from pathlib import Path

from docqa.app.model import destination, find_servers, model_file
from docqa.library.backup import restore_backup, write_backup
from docqa.models.load import download, model_statuses
from docqa.models.machine import total_memory
from docqa.samples.questions import QUESTIONS

__all__ = [
    "QUESTIONS",
    "destination",
    "download",
    "find_servers",
    "model_file",
    "model_statuses",
    "restore_backup",
    "sample_paths",
    "total_memory",
    "write_backup",
]

SAMPLES = Path(__file__).parent / "samples"


def sample_paths() -> list[Path]:
    """The sample documents that come with docqa."""
    return sorted(SAMPLES.glob("*.pdf"))
