"""How well searches find known pages and answers hold, and why a search missed a phrase."""

from collections.abc import Callable, Sequence
from pathlib import Path

from docqa.answer.evidence import choose_hits, room_for
from docqa.answer.findings import extractive
from docqa.answer.judged import summed_up
from docqa.app.ask import ask
from docqa.app.findings import means
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.app.search import plan_of, read_question, search, traced
from docqa.errors import AnswerError, DocqaError, NoDocuments, NoPhrase
from docqa.question.queries import NO_FILTERS
from docqa.retrieve import evaluate as evaluating
from docqa.retrieve.evaluate import read_questions
from docqa.retrieve.explain import explain
from docqa.settings import Settings, adjust, key_to_use
from docqa.types.answer import Answer
from docqa.types.evaluation import AnswerEvaluation, Evaluation, GoldQuestion, Judged, Scope
from docqa.types.phrases import count
from docqa.types.question import Filters
from docqa.types.search import Explanation

EXPLAINED_DEPTH = 1000  # candidates among which a passage that was not found is looked for
_MOST_FAILURES = 2  # of a model one after the other: the next question would fare no better


class Evaluations:
    """Measurements on one library, by questions or those of a JSON Lines file.

    `searches` and `answers` ask the questions whose documents are here, and have a sentence on
    each other one. Both raise `QuestionsUnreadable` and `NoDocuments`; ``progress`` is told how
    many are done, of how many; told to stop, they judge what was asked so far.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def searches(
        self,
        questions: Sequence[GoldQuestion] | Path,
        *,
        scopes: Sequence[Scope] = ("document", "library"),
        settings: Settings | None = None,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Evaluation:
        """How well searches find what answers, in a question's own documents and in the library."""
        settings = settings or self._resources.settings
        known, skipped = _known(self._resources, questions)
        # Only a question with sources has documents of its own.
        runs = [(e, scope) for scope in scopes for e in known if scope == "library" or e.sources]
        judged: list[Judged] = []
        for each, scope in runs:
            if cancelled is not None and cancelled():
                break
            judged.append(_judged(self._resources, each, scope, settings))
            if progress is not None:
                progress(len(judged), len(runs))
        figures = tuple(evaluating.summed_up(judged, scope=scope) for scope in scopes)
        return Evaluation(figures, tuple(judged), tuple(skipped))

    def answers(
        self,
        questions: Sequence[GoldQuestion] | Path,
        *,
        answerer: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> AnswerEvaluation:
        """How well the questions are answered: citations and figures that hold, and abstentions.

        Each is asked of its own documents, of all where it has none, as `ask` would; nothing is
        kept but its cost. One that fails is skipped with a sentence; after two in a row no more
        are asked.
        """
        known, skipped = _known(self._resources, questions)
        settings, key = settings or self._resources.settings, key_to_use(api_key)
        answers: list[tuple[GoldQuestion, Answer]] = []
        failed = 0  # of those asked last, one after the other
        for done, asked in enumerate(known, 1):
            if cancelled is not None and cancelled():
                break
            try:
                answers.append((asked, _answer(self._resources, asked, answerer, key, settings)))
                failed = 0
            except DocqaError as error:
                skipped.append(f"“{asked.question}” was not answered: {error}")
                failed += isinstance(error, AnswerError)
            if failed == _MOST_FAILURES and done < len(known):
                skipped.append(f"{count(len(known) - done, 'more question')} not asked.")
                break
            if progress is not None:
                progress(done, len(known))
        return summed_up(answers, skipped)

    def why(
        self,
        phrase: str,
        question: str,
        *,
        document_id: str = "",
        page: int = 0,
        document_ids: Sequence[str] = (),
        filters: Filters = NO_FILTERS,
        settings: Settings | None = None,
    ) -> Explanation:
        """Why the question did not find a phrase, or what stands on a page of a document.

        The search is that of `Workspace.search` with the same arguments. Raises what that does,
        and `NoPhrase` where there is neither phrase nor page.
        """
        resources, settings = self._resources, settings or self._resources.settings
        asked = read_question(resources, question, document_ids=document_ids)
        if not any(map(str.isalnum, phrase)) and not (document_id and page):
            raise NoPhrase
        plan = plan_of(resources, asked, filters, settings)
        deeper = adjust(settings, candidates=EXPLAINED_DEPTH)
        return explain(
            traced(resources, plan, settings=settings),
            catalog=resources.catalog,
            phrase=phrase,
            document_id=document_id,
            page=page,
            deeper=traced(resources, plan, settings=deeper),
        )


def _answer(
    resources: Resources, asked: GoldQuestion, answerer: str | None, key: str, settings: Settings
) -> Answer:
    ids = {document.name: document.id for document in resources.catalog.documents()}
    request = Request(
        question=asked.question,
        settings=settings,
        key=key,
        document_ids=tuple(ids[name] for name in asked.sources),
        answerer=answerer,
        sides=(),  # a comparison is no answer to judge
    )
    *_, answer = ask(resources, request)
    assert isinstance(answer, Answer)
    return answer


def _known(
    resources: Resources, questions: Sequence[GoldQuestion] | Path
) -> tuple[list[GoldQuestion], list[str]]:
    """The questions whose documents are here, and sentences on the others."""
    asked = read_questions(questions) if isinstance(questions, Path) else list(questions)
    documents = resources.catalog.documents()
    if not documents:
        raise NoDocuments
    return evaluating.known(asked, documents)


def _judged(resources: Resources, asked: GoldQuestion, scope: Scope, settings: Settings) -> Judged:
    ids = {document.name: document.id for document in resources.catalog.documents()}
    within = [ids[name] for name in asked.sources] if scope == "document" else []
    result = search(resources, asked.question, document_ids=within, settings=settings)
    return evaluating.judge(
        asked,
        result,
        scope=scope,
        evidence=choose_hits(result.hits, max_chars=room_for(result.plan.question, settings)),
        refused=not extractive.answers(result, settings=settings, means=means(resources)),
    )
