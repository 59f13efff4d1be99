"""The second look: a model is shown once which of its statements are unsupported; pure."""

from docqa.answer.model.prompts import Json
from docqa.types.answer import Answer

_MOST = 12  # problems that are shown; an answer with more is not put right by telling them all

_TASK = """\
Your answer was held against the passages, and this was not found in them:
{problems}
The check can be wrong. Write the whole answer again: put right what the passages give otherwise, \
show the sum of what is computed, leave out what no passage holds, and keep the rest as it is, \
with its citations. Do not mention the check."""


def request_for(answer: Answer) -> Json:
    """The message that asks for the answer again."""
    problems = "\n".join(f"- {problem}" for problem in answer.problems[:_MOST])
    return {"role": "user", "content": [{"type": "text", "text": _TASK.format(problems=problems)}]}


def notice_for(answer: Answer) -> str:
    """What the person is told meanwhile."""
    count = len(answer.problems)
    what = "One statement is" if count == 1 else f"{count} statements are"
    return f"{what} not supported by the passages; the model looks again"


def is_better(second: Answer, first: Answer) -> bool:
    """Whether the second answer holds better, and did not come to it by saying nothing."""
    kept = bool(second.citations) or not first.citations
    whole = second.found and not second.partial
    return kept and whole and len(second.problems) < len(first.problems)
