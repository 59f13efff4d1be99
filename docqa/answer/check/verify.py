"""Every quotation and every number of an answer, held against the blocks cited for it; pure.

A citation is "verified" when what is said before its marker stands in its blocks: quotations word
for word, amounts with their unit, scale, sign and period, dates, and the thing they are said of.
It is "near" when that holds in part or cannot be decided, and "not found" when something said is
not there. Meaning is not judged: a paraphrase without figures is at most "near".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docqa.answer.check.agreement import (
    WORST_FIRST,
    best,
    check_figure,
    same_sense,
    topic_words,
    worst,
)
from docqa.answer.check.arithmetic import distinct, follows
from docqa.answer.check.claims import Claim, Sentence, quotation_spans, sentences_of
from docqa.answer.check.quotation import check_quote
from docqa.answer.check.sources import Source, link_periods, read_source
from docqa.answer.model.prompts import NOT_FOUND
from docqa.language.amounts import Amount, same_value, scaled_by, stated_amounts
from docqa.language.numbers import pages_in, references_in, stated_scale
from docqa.language.periods import dates_in, years_in
from docqa.language.vocabulary import spelled_out
from docqa.language.words import content_words, fold, words
from docqa.types.answer import Answer, Evidence, Verdict
from docqa.types.document import ENDING

_TOPIC = 0.5  # share of a claim's words that its passage must hold
_PARAPHRASE = 0.34  # the same, for a claim without figures to be near
_FEW_FIGURES = 6  # a figure is recomputed from uncited operands only among so few
_WARNED = 5  # details listed for one kind of warning


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one thing said: a quotation, an amount, a date, or the whole wording."""

    kind: str
    text: str
    verdict: Verdict
    labels: tuple[str, ...]
    computed: bool = False


def verify_answer(answer: Answer) -> Answer:
    """The answer with a verdict on each citation, and warnings for what does not hold.

    A citation that stands in several places gets the worst of its verdicts.
    """
    read = {c.label: read_source(c, answer.evidence) for c in answer.citations}
    spoken = sentences_of(answer.text)
    verdicts: dict[str, Verdict] = {}
    findings: list[Finding] = []
    for sentence in spoken:
        for claim in sentence.claims:
            sources = [read[label] for label in claim.labels if label in read]
            beside = [read[label] for label in sentence.labels if label in read]
            found = check_claim(claim, sentence, sources, beside, _names(answer.evidence))
            findings += found
            for source in sources:
                label = source.citation.label
                given = verdict_for(source, claim, found)
                verdicts[label] = worst((given, verdicts.get(label, "verified")))
    return replace(
        answer,
        citations=tuple(
            replace(each, verified=verdicts.get(each.label, each.verified))
            for each in answer.citations
        ),
        warnings=(*answer.warnings, *_warnings(findings, spoken, answer)),
    )


def verdict_for(source: Source, claim: Claim, findings: Sequence[Finding]) -> Verdict:
    """One citation's verdict, where a claim cites several: it must carry some of the claim."""
    together = worst(finding.verdict for finding in findings)
    if len(claim.labels) < 2 or together != "verified":
        return together
    computed = any(finding.computed for finding in findings)
    return "verified" if computed or _carries(source, claim) else "near"


def _carries(source: Source, claim: Claim) -> bool:
    """Whether the source holds at least one quotation, amount or date of the claim."""
    said = [text for text, _ in _quotations(claim.text)]
    if any(check_quote(text, source.text) == "verified" for text in said):
        return True
    own = {amount.value for figure in source.figures for amount, _ in figure.values}
    if any(amount.value in own for amount in stated_amounts(claim.text)):
        return True
    return any(day.within(other) for day in dates_in(claim.text) for other in source.days)


# Claims


def check_claim(
    claim: Claim,
    sentence: Sentence,
    sources: Sequence[Source],
    beside: Sequence[Source],
    names: Sequence[str] = (),
) -> list[Finding]:
    """What a claim says, each thing with its verdict against the claim's own ``sources``.

    ``beside`` are the sources of the whole sentence, for figures computed from several, and
    ``names`` the documents in play, to notice a claim about one that cites another.
    """
    if not sources:
        return []
    if _is_pointer(claim.text, sources):
        return _page_findings(claim, sources)
    findings = _quote_findings(claim, sources)
    unquoted = _without_quotations(claim.text)
    findings += _figure_findings(replace_text(claim, unquoted), sentence, sources, beside)
    findings += _date_findings(replace_text(claim, unquoted), sources)
    findings += _page_findings(claim, sources)
    if not findings:
        findings.append(Finding("wording", claim.text, _wording(claim.text, sources), claim.labels))
    if _is_about_another(claim, sentence, sources, names):
        findings.append(Finding("document", claim.text, "not found", claim.labels))
    return findings


def replace_text(claim: Claim, text: str) -> Claim:
    return replace(claim, text=text)


def _is_pointer(text: str, sources: Sequence[Source]) -> bool:
    """Whether a claim says no more than where to look ("Lease A.pdf, p. 7")."""
    names = " ".join(source.citation.document for source in sources)
    plain = text.replace(NOT_FOUND, "")
    pages = pages_in(plain)
    for _, start, end in reversed(pages):
        plain = plain[:start] + plain[end:]
    places = [place for place in _places(sources) if place in plain]
    for place in places:
        plain = plain.replace(place, "")
    said = set(content_words(plain)) - set(content_words(names))
    return len([word for word in said if not word.isdigit()]) < 3 and bool(pages or places)


def _places(sources: Sequence[Source]) -> set[str]:
    """The names of the slides, sheets and sections that are cited."""
    return {block.place for source in sources for block in source.citation.blocks} - {""}


def _page_findings(claim: Claim, sources: Sequence[Source]) -> list[Finding]:
    pages = {block.page for source in sources for block in source.citation.blocks}
    named = [place for place in _places(sources) if place in claim.text]
    return [
        *(Finding("page", place, "verified", claim.labels) for place in named),
        *(
            Finding("page", claim.text[a:b], "verified" if page in pages else "near", claim.labels)
            for page, a, b in pages_in(claim.text)
        ),
    ]


def _quotations(text: str) -> list[tuple[str, int]]:
    return [(text[start:end], start) for start, end in quotation_spans(text)]


def _without_quotations(text: str) -> str:
    kept = text
    for start, end in reversed(quotation_spans(text)):
        kept = kept[:start] + kept[end:]
    return kept


def _quote_findings(claim: Claim, sources: Sequence[Source]) -> list[Finding]:
    findings = []
    for quote, _ in _quotations(claim.text):
        verdict = max(
            (check_quote(quote, source.text) for source in sources), key=WORST_FIRST.index
        )
        if verdict == "not found" and len(quote.split()) < 3:
            verdict = "near"  # a term in quotation marks is not always a quotation
        findings.append(Finding("quote", quote, verdict, claim.labels))
    return findings


# Figures


def _figure_findings(
    claim: Claim, sentence: Sentence, sources: Sequence[Source], beside: Sequence[Source]
) -> list[Finding]:
    amounts = [a for a in _claimed(claim.text) if not _is_of_name(a, claim.text, sources)]
    linked = link_periods(claim.text, amounts)
    said = _subject(claim, sentence, sources)
    findings = []
    for amount, (period, _) in zip(amounts, linked, strict=True):
        verdict = best(
            [check_figure(amount, period, figure, said, s) for s in sources for figure in s.figures]
        )
        computed = False
        if verdict == "not found":
            computed = _is_computed(amount, claim, sentence, beside)
            verdict = "verified" if computed else _elsewhere(amount, sources, beside)
        findings.append(Finding("figure", amount.text, verdict, claim.labels, computed))
    return findings


def _is_of_name(amount: Amount, text: str, sources: Sequence[Source]) -> bool:
    """Whether the number is part of what a cited row, column or table is called, as printed there:
    the mark of a note ("Other (2)"), the lives of assets, a number of a table."""
    return any(
        found.start() <= amount.start and amount.end <= found.end() + 1
        for source in sources
        for name in source.names
        for found in re.finditer(re.escape(name), text)
    )


def _claimed(text: str) -> list[Amount]:
    """The amounts a claim states, a scale named for all of them ("(in thousands)") applied."""
    factor, _ = stated_scale(text)
    amounts = stated_amounts(text)
    if factor == 1:
        return amounts
    return [
        a if a.scaled or a.unit not in ("", "USD", "EUR", "GBP") else scaled_by(a, factor)
        for a in amounts
    ]


def _elsewhere(amount: Amount, sources: Sequence[Source], beside: Sequence[Source]) -> Verdict:
    """ "near" where the sentence's other citations hold the amount, or the text does as printed."""
    others = [s for s in beside if s not in sources]
    values = [value for s in others for f in s.figures for value, _ in f.values]
    return "near" if any(same_value(amount, value) for value in values) else "not found"


def _subject(claim: Claim, sentence: Sentence, sources: Sequence[Source]) -> str:
    """The claim's words, after the sentence's before it where it only names a document."""
    names = " ".join(f"{s.citation.document} {s.context.splitlines()[0]}" for s in sources)
    if set(topic_words(claim.text)) - set(content_words(names.replace("_", " "))):
        return claim.text
    at = sentence.claims.index(claim) if claim in sentence.claims else len(sentence.claims)
    return " ".join(each.text for each in (*sentence.claims[:at], claim))


# Computed figures


def _is_computed(
    amount: Amount, claim: Claim, sentence: Sentence, beside: Sequence[Source]
) -> bool:
    """Whether the amount follows from the figures the sentence names or the few it cites."""
    cited = [value for s in beside for f in s.figures for value, sure in f.values if sure]
    named = [
        value
        for said in _claimed(sentence.text)
        for value in cited
        if said.text != amount.text and same_value(said, value)
    ]
    operands = distinct(named)
    if len(operands) < 2:
        operands = distinct(cited)
        if len(operands) > _FEW_FIGURES:
            return False
    return follows(amount, operands, said=sentence.text + claim.text)


# Dates, places, wording


def _date_findings(claim: Claim, sources: Sequence[Source]) -> list[Finding]:
    days = dates_in(claim.text)
    findings = []
    for day in days:
        there = any(day.within(other) for source in sources for other in source.days)
        findings.append(
            Finding("date", day.text, "verified" if there else "not found", claim.labels)
        )
    inside = [span for day in days for span in range(day.start, day.end)]
    texts = [f"{source.text}\n{source.context}" for source in sources]
    named = {year for text in texts for year, _ in years_in(text)}
    for year, at in years_in(claim.text):
        if at not in inside:
            findings.append(
                Finding(
                    "year", str(year), "verified" if year in named else "not found", claim.labels
                )
            )
    for reference, _, _ in references_in(claim.text):
        there = any(re.search(rf"(?<![\d.]){re.escape(reference)}(?![\d])", text) for text in texts)
        findings.append(
            Finding("reference", reference, "verified" if there else "near", claim.labels)
        )
    if findings and all(finding.verdict == "verified" for finding in findings):
        findings.append(
            Finding("wording", claim.text, _supported(claim.text, sources), claim.labels)
        )
    return findings


def _supported(said: str, sources: Sequence[Source]) -> Verdict:
    """Whether a claim with a date is about what its passage is about, and in the same sense."""
    wanted = topic_words(said)
    known = {word for source in sources for word in source.context_words}
    if wanted and sum(word in known for word in wanted) < _TOPIC * len(wanted):
        return "near"
    best = max(
        (s for source in sources for s in (*source.sentences, source.text)),
        key=lambda text: len(set(content_words(text)) & set(wanted)) - len(text) / 10_000,
        default="",
    )
    return same_sense(said, best)


def _wording(said: str, sources: Sequence[Source]) -> Verdict:
    """A claim without figures: its very words, most of its words, or neither."""
    plain = said.strip().strip("“”\"'")
    if len(words(plain)) >= 3 and any(
        check_quote(plain, source.text) == "verified" for source in sources
    ):
        return "verified"
    spoken = f" {' '.join(words(plain))} "
    if spoken.count(" ") > 3 and any(spoken in f" {' '.join(words(s.text))} " for s in sources):
        return "verified"  # a table row, its cells set apart by other signs
    wanted = content_words(spelled_out(said))
    known = {word for source in sources for word in source.context_words}
    share = sum(word in known for word in wanted) / len(wanted) if wanted else 0.0
    return "near" if share >= _PARAPHRASE else "not found"


def _names(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece.hit.document.name for piece in evidence))


def _is_about_another(
    claim: Claim, sentence: Sentence, sources: Sequence[Source], names: Sequence[str]
) -> bool:
    """Whether the claim names one of the documents in play, and cites none but others."""
    cited = {source.citation.document for source in sources}
    said = _pairs_of(_without_quotations(claim.text))
    said -= {pair for s in sources for pair in _pairs_of(f"{s.text} {s.context}")}
    named = {name for name in names if _own_pairs(name, names) & said}
    return bool(named) and not named & cited


def _own_pairs(name: str, names: Sequence[str]) -> set[tuple[str, str]]:
    """The pairs of words that this document's name has, and no other's."""
    return _pairs_of(name) - {p for other in names if other != name for p in _pairs_of(other)}


def _pairs_of(text: str) -> set[tuple[str, str]]:
    plain = re.sub(r"['’]s\b", "", re.sub(rf"{ENDING}\b", " ", fold(text)))
    return set(pairwise(re.findall(r"[a-z0-9]+", plain)))


# Warnings


def _warnings(findings: Sequence[Finding], spoken: Sequence[Sentence], answer: Answer) -> list[str]:
    missing = [f for f in findings if f.verdict == "not found"]
    quotes = [f"“{_short(f.text)}” [{f.labels[0]}]" for f in missing if f.kind == "quote"]
    figures = [f"{f.text} [{f.labels[0]}]" for f in missing if f.kind in ("figure", "date", "year")]
    others = [f"“{_short(f.text)}” [{f.labels[0]}]" for f in missing if f.kind == "document"]
    uncited = [f"“{_short(s.text)}”" for s in spoken if not s.claims and _needs_source(s, answer)]
    return [
        *_listed("Not word for word in the cited passages: ", quotes),
        *_listed("Neither in the cited passages nor computed from them: ", figures),
        *_listed("Stated about one document but cited from another: ", others),
        *_listed("No passage is cited for: ", uncited),
    ]


def _listed(opening: str, details: Sequence[str]) -> list[str]:
    if not details:
        return []
    more = f" and {len(details) - _WARNED} more" if len(details) > _WARNED else ""
    told = f"{opening}{'; '.join(details[:_WARNED])}{more}"
    return [told if told.endswith((".”", "…”")) else f"{told}."]


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77].rstrip()}…"


def _needs_source(sentence: Sentence, answer: Answer) -> bool:
    """Whether an uncited sentence states something: not an opening, a heading or a refusal."""
    text = sentence.text.strip()
    if not answer.found or answer.text.startswith(NOT_FOUND) or text.endswith((":", "?")):
        return False
    stated = [amount for amount in stated_amounts(text)]
    if not stated and len(content_words(text)) < 3:
        return False
    return not _is_summed_up(text, answer)


def _is_summed_up(text: str, answer: Answer) -> bool:
    """Whether every amount of an uncited sentence follows from amounts cited elsewhere."""
    stated = stated_amounts(text)
    if not stated:
        return False
    cited = [
        amount
        for sentence in sentences_of(answer.text)
        if sentence.claims
        for amount in _claimed(sentence.text)
    ]
    known = [a for a in stated if any(same_value(a, c) for c in cited)]
    rest = [a for a in stated if a not in known]
    return all(follows(a, distinct(cited)[: 2 * _FEW_FIGURES], said=text) for a in rest)
