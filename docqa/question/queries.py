"""The queries that find what a question asks for."""

from collections.abc import Iterable
from itertools import islice

from docqa.language.definitions import by_other_names
from docqa.language.vocabulary import BUILT_IN, Glossary, spelled_out, synonyms, tables_for
from docqa.question.parts import wider_queries
from docqa.types.question import Definition, Filters, QueryPlan, Question

NO_FILTERS = Filters()
MOST_RENAMED = 2  # queries with another name of a term, as each is read with every passage


def make_plan(
    question: Question,
    *,
    filters: Filters = NO_FILTERS,
    glossary: Glossary = BUILT_IN,
    definitions: Iterable[Definition] = (),
    wider: bool = False,
) -> QueryPlan:
    """How a question will be searched; ``queries[0]`` is the whole question.

    Its parts follow; with ``wider``, what `wider_queries` makes of it; the question with its
    acronyms spelt out, and by the other names that the documents' own ``definitions`` give its
    terms; and last its terms by the other names of the vocabulary. An instruction may name a table
    ("use the balance sheet").
    """
    whole = question.whole
    further = wider_queries(whole, intent=question.intent) if wider else ()
    topic = question.topic
    others = dict.fromkeys((spelled_out(topic), *by_other_names(topic, definitions)))
    renamed = tuple(islice((each for each in others if each != topic), MOST_RENAMED))
    made = (whole, *question.parts, *further, *renamed, ", ".join(synonyms(whole, glossary)))
    return QueryPlan(
        question,
        tuple(dict.fromkeys(query for query in made if query)),
        renamed=renamed,
        tables=tables_for(question.meant, glossary),
        filters=filters,
    )
