"""The queries that find what a question asks for."""

from docqa.language.vocabulary import BUILT_IN, Glossary, synonyms, tables_for
from docqa.question.parts import wider_queries
from docqa.types.question import Filters, QueryPlan, Question

NO_FILTERS = Filters()


def make_plan(
    question: Question,
    *,
    filters: Filters = NO_FILTERS,
    glossary: Glossary = BUILT_IN,
    wider: bool = False,
) -> QueryPlan:
    """How a question will be searched; ``queries[0]`` is the whole question.

    Its parts follow; with ``wider``, what `wider_queries` makes of it; and last its terms by their
    other names (`vocabulary.synonyms`). An instruction may name a table ("use the balance sheet").
    """
    whole = question.whole
    further = wider_queries(whole, intent=question.intent) if wider else ()
    made = (whole, *question.parts, *further, ", ".join(synonyms(whole, glossary)))
    return QueryPlan(
        question,
        tuple(dict.fromkeys(query for query in made if query)),
        tables=tables_for(question.meant, glossary),
        filters=filters,
    )
