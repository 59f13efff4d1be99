"""How much is asked of a model at once, by what it holds and can do; pure.

A small model on a person's own machine reads some thousand tokens, not two hundred thousand, and
each takes time: what it is given has to fit, and to be worth reading.
"""

from dataclasses import dataclass

from docqa.settings import Settings, adjust
from docqa.types.model import ServedModel

_TOKEN_CHARS = 2.4  # characters of a passage for each token: tables and labels take more than prose
_SMALL = 12_000  # tokens of context, below which the prompt is short and one tool is given
_TOOLS_FROM = 6_000  # tokens of context, below which there is no room for a second search
_PROMPT, _BRIEF = 2_600, 900  # tokens of the rules, the tools and the list of documents
_MARGIN = 200  # tokens of the question and of what surrounds it
_PATIENCE = 3_600.0  # seconds for one request: a processor reads some ten tokens a second
_LEAST_ANSWER, _MOST_ANSWER = 512, 4_096  # tokens
_LEAST_CHARS = 1_500  # of evidence, however small the context is said to be


@dataclass(frozen=True, slots=True)
class Fit:
    """How a model is asked. ``local`` says that it runs on this machine.

    ``context`` is what it holds, in tokens, 0 where that is not known; ``brief`` says that its
    prompt is the short one, ``searches`` that it may use tools, ``may_think`` that it is not told
    to answer without thinking.
    """

    local: bool = False
    context: int = 0
    brief: bool = False
    searches: bool = True
    may_think: bool = True


ANY = Fit()


def fit(served: ServedModel) -> Fit:
    """How a model on this machine is asked, by what its server or file says of it.

    >>> fit(ServedModel("m", context=4096, tools=True, server="Ollama")).searches
    False
    """
    small = 0 < served.context < _SMALL
    room = not served.context or served.context >= _TOOLS_FROM
    return Fit(
        local=True,
        context=served.context,
        brief=small,
        searches=room and served.tools is not False,
        # Those that are known to take the field; what others make of it is not documented.
        may_think=served.server not in ("llama.cpp", "Ollama"),
    )


def fitted(settings: Settings, served: ServedModel) -> Settings:
    """The settings with as much evidence, history, answer and searching as the model holds."""
    settings = adjust(settings, request_seconds=_PATIENCE)
    if not served.server:
        return settings
    if settings.answering.citation_form == "auto":  # none of them reads search results
        settings = adjust(settings, citation_form="written")
    return _within(settings, served) if served.context else settings


def _within(settings: Settings, served: ServedModel) -> Settings:
    wanted, how = settings.answering, fit(served)
    answer = min(
        wanted.max_answer_tokens, max(_LEAST_ANSWER, min(served.context // 4, _MOST_ANSWER))
    )
    room = served.context - answer - (_BRIEF if how.brief else _PROMPT) - _MARGIN
    searches = min(wanted.max_searches, room // 5_000 + 1) if how.searches else 0
    history = min(wanted.history_messages, 2 if how.brief else 4)
    chars = max(_LEAST_CHARS, int(room * _TOKEN_CHARS / (1 + searches)))
    return adjust(
        settings,
        max_answer_tokens=answer,
        max_searches=searches,
        history_messages=history,
        evidence_chars=min(wanted.evidence_chars, chars),
        synthesis_evidence_chars=min(wanted.synthesis_evidence_chars, chars),
    )
