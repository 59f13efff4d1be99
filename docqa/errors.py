"""What can go wrong, drawn as a tree; one file, so that a person finds every message in one place.

    DocqaError
    ├── FileError                   one file; the others go on
    │   ├── FileMissing
    │   ├── NotAPdf
    │   ├── EmptyFile
    │   ├── DamagedPdf
    │   ├── PasswordNeeded
    │   ├── PasswordWrong
    │   ├── UnsupportedEncryption
    │   ├── OfficeProtected
    │   ├── OfficeTooOld
    │   ├── NoPages
    │   ├── TooLarge
    │   ├── NoText
    │   ├── ReadingFailed
    │   │   └── ReaderNotStarted
    │   ├── ReadingTimedOut
    │   └── ReadingCancelled
    ├── LibraryError                the folder the documents are kept in
    │   ├── LibraryLocked
    │   ├── LibraryMissing
    │   ├── LibraryReadOnly
    │   ├── LibraryUnusable
    │   ├── LibraryTooNew
    │   ├── LibraryTooOld
    │   ├── LibraryNotEmpty
    │   ├── VectorServerUnreachable
    │   └── EncoderMismatch
    ├── BackupError                 a library in one file
    │   ├── BackupUnwritable
    │   └── BackupDamaged
    ├── ModelError                  a neural model on this machine
    │   ├── ModelMissing
    │   ├── ModelDamaged
    │   ├── ModelFailed
    │   ├── LlamaMissing
    │   ├── NotAModelFile
    │   ├── ModelTooLarge
    │   └── DownloadFailed
    ├── QuestionError               what was asked for
    │   ├── EmptyQuestion
    │   ├── NoSubject
    │   ├── NoPhrase
    │   ├── NoDocuments
    │   ├── UnknownDocument
    │   ├── AmbiguousDocument
    │   ├── UnknownPage
    │   ├── UnknownTable
    │   ├── NothingPasses
    │   ├── QuestionsUnreadable
    │   ├── ColumnsUnreadable
    │   ├── TemplateUnreadable
    │   ├── UnknownTemplate
    │   ├── UnknownReview
    │   ├── NoColumns
    │   ├── SettledMeanwhile
    │   ├── GlossaryUnreadable
    │   └── ComparisonError
    └── AnswerError                 the language model, over the network
        ├── NoKey
        ├── KeyRefused
        ├── UnknownModel
        ├── RateLimited
        ├── Overloaded
        ├── ConnectionLost
        ├── AnswerCutOff
        ├── AnswerStopped
        ├── ContextTooLong
        ├── NeverAnswered
        ├── Declined
        ├── RequestRefused
        ├── BudgetReached
        ├── PriceUnknown
        ├── ModelLooped
        ├── ThoughtTooLong
        ├── OwnModelFailed
        ├── RunsElsewhere
        ├── ServerGone
        └── NotAMessagesServer

Every leaf's message is a sentence or two for the person at the desk: what happened, what still
works, what to do. A file that imports a vendor's library turns the vendor's errors into these.
They stay in one file, long as it is, so that their wording is read side by side.
"""

import math
import re

_TWICE_ENDED = re.compile(r"(?<=\w)([.!?])\.(?=\s|$)")  # another's sentence within one of these


class DocqaError(Exception):
    """Anything docqa reports; ``str()`` of it is fit to be shown.

    A leaf's ``message`` is filled with what it is about, a file's name or a folder, where the
    sentence has a place for it, and with the ``reason``.
    """

    message = "{}"

    def __init__(self, about: str = "", *, reason: str = "") -> None:
        super().__init__(_TWICE_ENDED.sub(r"\1", self.message.format(about, reason=reason)))


class FileError(DocqaError):
    """One file could not be added; nothing of it was kept."""


class FileMissing(FileError):
    message = "{} is not there. Check the path and add it again."


class NotAPdf(FileError):
    message = "{} is not a PDF, whatever its name says. Save or print it as PDF."


class EmptyFile(FileError):
    message = "{} is empty (0 bytes). The copy or download may have failed."


class DamagedPdf(FileError):
    message = (
        "{} is damaged and cannot be opened. Get it again from its source, or open it in "
        "a PDF viewer and save a new copy."
    )


class PasswordNeeded(FileError):
    message = (
        "{} is protected by a password. Add it again with its password, or save an "
        "unprotected copy."
    )


class PasswordWrong(FileError):
    message = "The password given for {} does not open it. Try another."


class UnsupportedEncryption(FileError):
    message = (
        "{} is encrypted in a way that cannot be opened here. Open it where it can be "
        "read and print it to a new PDF."
    )


class OfficeProtected(FileError):
    message = (
        "{} is protected by a password, which only Office can remove. Open it in Office, "
        "save a copy without a password, and add the copy."
    )


class OfficeTooOld(FileError):
    message = (
        "{} is in a format older than Office 2007. Open it in Office, save it as DOCX, "
        "XLSX or PPTX, and add the new file."
    )


class NoPages(FileError):
    message = "{} has no pages. Nothing was added."


class TooLarge(FileError):
    def __init__(self, name: str, *, what: str, limit: str) -> None:
        super().__init__(
            f"{name} has {what}, over the limit of {limit}. Split it, or raise the limit in "
            "docqa/settings.py."
        )


class NoText(FileError):
    message = "No text could be read from {}, not even by OCR. Nothing was added."


class ReadingFailed(FileError):
    def __init__(self, name: str, *, reason: str = "") -> None:
        detail = f" ({reason})" if reason else ""
        super().__init__(f"{name} could not be read{detail}. The other files are not affected.")


class ReaderNotStarted(ReadingFailed):
    """Not the file's fault: read again, it may well be read."""

    def __init__(self, name: str) -> None:
        super().__init__(name, reason="the reading process did not start")


class ReadingTimedOut(FileError):
    def __init__(self, name: str, *, page: int, seconds: float) -> None:
        super().__init__(
            f"Reading {name} took longer than {seconds:.0f} seconds and was stopped after page "
            f"{page}. Split the file, or raise the time limit in docqa/settings.py."
        )


class ReadingCancelled(FileError):
    message = "Adding {} was cancelled. Nothing of it was kept."


class LibraryError(DocqaError):
    """The library folder cannot be used as it is."""


class LibraryLocked(LibraryError):
    def __init__(self, folder: str, *, owner: str, address: str = "") -> None:
        where = f", open at {address}" if address else ""
        super().__init__(
            f"The library in {folder} is in use by another docqa{where} ({owner}). Close it, or "
            "open another library folder."
        )


class LibraryMissing(LibraryError):
    message = "There is no library in {}. Check the folder, or add a document to it first."


class LibraryReadOnly(LibraryError):
    def __init__(self, folder: str, *, owner: str) -> None:
        super().__init__(
            f"The library in {folder} is open here for reading only"
            f"{f', and for writing by {owner}' if owner else ''}. Nothing was changed; "
            f"{'change it there, or close that and' if owner else 'open it for writing and'} "
            "try again."
        )


class LibraryUnusable(LibraryError):
    message = "The library in {} cannot be used: {reason}."


class LibraryTooNew(LibraryError):
    message = (
        "The library in {} was made by a newer version of docqa. Update docqa, or open "
        "another library folder."
    )


class LibraryTooOld(LibraryError):
    message = (
        "The library in {} was made by an earlier version of docqa. Open it in the app "
        "once, which brings it up to date."
    )


class LibraryNotEmpty(LibraryError):
    message = (
        "There is already a library in {}; it was not touched. Name an empty folder "
        "with --library, or move this one away."
    )


class VectorServerUnreachable(LibraryError):
    message = (
        "The Chroma server at {} cannot be used: {reason}. Documents can still be read. "
        "Start the server, or unset DOCQA_CHROMA_URL to search with an index on this machine, "
        "which is then made from the catalog."
    )


class EncoderMismatch(LibraryError):
    def __init__(self, *, made_with: str, loaded: str) -> None:
        super().__init__(
            f"This library was indexed with {made_with}, but {loaded} is loaded. Index the "
            f"library again to use {loaded}, or go back to {made_with}; the two are never mixed."
        )


class BackupError(DocqaError):
    """A backup could not be written or read; the library is as it was."""


class BackupUnwritable(BackupError):
    message = (
        "The backup {} could not be written: {reason}. The library is unchanged; choose "
        "another place or name."
    )


class BackupDamaged(BackupError):
    message = (
        "{} cannot be restored: {reason}. Nothing was changed; get another copy of the "
        "file, or use an older backup."
    )


class ModelError(DocqaError):
    """A neural model on this machine cannot be used."""


class ModelMissing(ModelError):
    def __init__(self, name: str, *, known: tuple[str, ...] = ()) -> None:
        super().__init__(
            f"There is no such model as {name}. Known are: {', '.join(known)}."
            if known
            else f"The model {name} is not on this machine. `python -m docqa models --download` "
            "fetches it; the bundled model still works."
        )


class ModelDamaged(ModelError):
    message = (
        "The files of the model {} are not those expected, and nothing was loaded from "
        "them. Reinstall the requirements."
    )


class ModelFailed(ModelError):
    message = (
        "The model {} could not be run: {reason}. Check memory and disk space, and that "
        "the requirements are installed, then try again."
    )


class LlamaMissing(ModelError):
    message = (
        "A model can be run by docqa itself once `pip install -r requirements-local.txt` has "
        "been run. Do that and start docqa again, or choose a model server in the settings."
    )


class NotAModelFile(ModelError):
    message = (
        "{} cannot be loaded: {reason}. Choose a GGUF file of an instruct model; answers "
        "quoted from the documents work without one."
    )


class ModelTooLarge(ModelError):
    def __init__(self, name: str, *, needs: int, free: int) -> None:
        super().__init__(
            f"{name} takes {needs / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free for it, "
            "so it was not loaded. Close other programs, or choose a smaller model."
        )


class DownloadFailed(ModelError):
    message = (
        "{} could not be downloaded: {reason}. The bundled model still works; try again "
        "with a connection."
    )


class QuestionError(DocqaError):
    """What was asked for cannot be looked up as it stands."""


class EmptyQuestion(QuestionError):
    message = "There is no question yet. Type what you want to know."


class NoSubject(QuestionError):
    message = "“{}” has no word to search for. Name what you want to know about."


class NoPhrase(QuestionError):
    message = (
        "There is nothing to look for yet. Give words as they appear in the document, or a "
        "page of one document."
    )


class NoDocuments(QuestionError):
    message = "There are no documents yet. Add some first, or open the samples."


class UnknownDocument(QuestionError):
    def __init__(self, name: str, *, known: tuple[str, ...] = ()) -> None:
        listing = f" In the library: {', '.join(known)}." if known else ""
        self.name = name
        super().__init__(f"No document matches “{name}”.{listing}")


class AmbiguousDocument(QuestionError):
    def __init__(self, name: str, *, candidates: tuple[str, ...]) -> None:
        self.candidates = candidates
        super().__init__(
            f"“{name}” could be any of {', '.join(candidates)}. Say which, by its file name."
        )


class UnknownPage(QuestionError):
    def __init__(self, name: str, *, page: int, extent: str) -> None:
        super().__init__(f"{name} has {extent}; there is no number {page}.")


class UnknownTable(QuestionError):
    def __init__(self, name: str, *, number: int, tables: int) -> None:
        known = f"its tables are numbered from 1 to {tables}" if tables else "it has no tables"
        super().__init__(f"{name} has no table {number}; {known}.")


class NothingPasses(QuestionError):
    message = "No passage matches the filter: {}. Widen it, or leave it out."


class QuestionsUnreadable(QuestionError):
    message = (
        "The questions in {} cannot be read: {reason}. Each line must be one, such as "
        '{{"question": "What is the rent?", "document": "Lease.pdf", "pages": [3]}}.'
    )


class ColumnsUnreadable(QuestionError):
    message = (
        "The questions in {} cannot be read: {reason}. Each line must be one, such as "
        '{{"title": "Rent", "question": "How much is the rent?", "kind": "figure"}}; the kinds '
        "are text, figure, date, yes or no, and clause."
    )


class TemplateUnreadable(QuestionError):
    message = "The template {} cannot be read: {reason}. Correct it, or remove it from the folder."


class UnknownTemplate(QuestionError):
    def __init__(self, name: str, *, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no template “{name}”. There are: {', '.join(known)}.")


class UnknownReview(QuestionError):
    message = (
        "There is no review “{}”; it may have been deleted. Give it questions, or begin "
        "it with a template."
    )


class NoColumns(QuestionError):
    message = "A review needs a question. Add one, or begin with a template."


class SettledMeanwhile(QuestionError):
    message = (
        "Someone else has settled this cell meanwhile, or its row or column is gone. Look at "
        "what stands there now; what you gave was not kept."
    )


class GlossaryUnreadable(QuestionError):
    message = (
        "The glossary cannot be used: {}. Each line holds the names of one thing, such "
        "as “service charge | CAM | common area maintenance”, or the titles of a table and "
        "what is read from it: “rent roll <- tenant | vacancy”."
    )


class ComparisonError(QuestionError):
    """The documents asked for cannot be compared as asked."""


class AnswerError(DocqaError):
    """The language model gave no complete answer. Search and extractive answers still work."""


class NoKey(AnswerError):
    message = (
        "There is no API key, so Claude cannot be asked. Set ANTHROPIC_API_KEY or enter a key; "
        "answers quoted from the documents work without one."
    )


class KeyRefused(AnswerError):
    message = (
        "The server refused the API key. Check it, or its permissions; answers quoted from "
        "the documents work without one."
    )


class UnknownModel(AnswerError):
    def __init__(self, model: str, *, offered: tuple[str, ...] = ()) -> None:
        listing = f" It offers {', '.join(offered)}." if offered else ""
        super().__init__(f"The server does not know the model {model}.{listing} Choose another.")


class RateLimited(AnswerError):
    def __init__(self, *, wait_seconds: float | None = None) -> None:
        whole = math.ceil(wait_seconds or 0)
        wait = f"{whole} second{'s' if whole > 1 else ''}" if whole else "a minute"
        super().__init__(f"Too many requests for this key at the moment. Ask again in {wait}.")


class Overloaded(AnswerError):
    message = "The server is overloaded and did not finish the answer. Ask again in a minute."


class ConnectionLost(AnswerError):
    message = (
        "The connection to the server failed. Check the network and ask again, or use answers "
        "quoted from the documents."
    )


class AnswerCutOff(AnswerError):
    message = "The answer was cut off before its end. Ask again."


class AnswerStopped(AnswerError):
    """Thrown into an answerer's events to have what arrived so far as the answer."""

    message = "The answer was stopped. What had arrived is kept; ask again for the whole answer."


class ContextTooLong(AnswerError):
    message = (
        "The question and its evidence are too long for this model. Choose fewer documents or "
        "passages."
    )


class NeverAnswered(AnswerError):
    message = (
        "The model kept searching when no searches were left, and gave no answer. Ask "
        "again, choose another model, or use answers quoted from the documents."
    )


class Declined(AnswerError):
    message = (
        "The model declined to answer this. Rephrase the question, or use answers quoted from "
        "the documents."
    )


class RequestRefused(AnswerError):
    message = (
        "The server did not accept the request: {}. Answers quoted from the documents "
        "work without it."
    )


class BudgetReached(AnswerError):
    def __init__(self, *, spent: str, budget: str) -> None:
        super().__init__(
            f"The budget for today is {budget}; {spent} has been spent and the next "
            "request could exceed it. It was not sent. Raise the budget, or use answers quoted "
            "from the documents."
        )


class PriceUnknown(AnswerError):
    message = (
        "A budget is set, but the price of {} is not known, so the budget could not be "
        "kept. Nothing was sent. Set the model's price, or remove the budget."
    )


class ModelLooped(AnswerError):
    message = (
        "The model began to repeat itself and was stopped; what it wrote before that is kept. "
        "Ask again, or choose a larger model."
    )


class ThoughtTooLong(AnswerError):
    message = (
        "The model thought for too long and wrote nothing. Choose one that answers at once, or "
        "use answers quoted from the documents."
    )


class OwnModelFailed(AnswerError):
    message = "The model on this machine did not answer. {}."


class RunsElsewhere(AnswerError):
    def __init__(self, model: str, *, host: str) -> None:
        super().__init__(
            f"Nothing was sent: the server on this machine passes what {model} is asked on to "
            f"{host}. Choose a model that runs here."
        )


class ServerGone(AnswerError):
    message = (
        "The model server at {} does not answer, or ended. Start it again and ask once "
        "more, or use answers quoted from the documents."
    )


class NotAMessagesServer(AnswerError):
    message = "{} does not speak the Messages API. Check the server's address in the settings."
