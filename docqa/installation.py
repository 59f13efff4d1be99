"""What the doors ask of this installation, with no library open: models, samples, backups."""

from pathlib import Path

from docqa.app.model import destination as destination
from docqa.app.model import find_servers as find_servers
from docqa.app.model import model_file as model_file
from docqa.library.backup import restore_backup as restore_backup
from docqa.library.backup import write_backup as write_backup
from docqa.models.load import download as download
from docqa.models.load import model_statuses as model_statuses
from docqa.models.machine import total_memory as total_memory
from docqa.samples.questions import QUESTIONS as QUESTIONS

SAMPLES = Path(__file__).parent / "samples"


def sample_paths() -> list[Path]:
    """The sample documents that come with docqa."""
    return sorted(SAMPLES.glob("*.pdf"))
