"""Whether it is known what documents are: whose, of what kind, of when.

    python -m tests.eval.issuers FOLDER... --read DIR [--misses FILE]

holds the paragraph on each document, without the sections it lists, against
``issuer_labels.jsonl``: the issuer of a filing, two parties of a contract (one, where it names
one); the words of its kind; of a filing, the date of its period or of the report.
"""

import re
from collections.abc import Mapping
from typing import Any

from docqa.ingest.prepare import described
from docqa.language.periods import dates_in
from tests.eval.labelled import Tally, arguments, labels, letters
from tests.eval.reading import Read, each_read, found


def measure(label: Mapping[str, Any], read: Read, tally: Tally) -> None:
    half, is_filing = label["held_out"], "date" in label
    paragraph = described(read.document, read.blocks).description
    said = re.split(r"(?:^| )(?:Sections|Slides|Sheets):", paragraph)[0]
    told = f"{label['document']}: {label['names']}, {label['kind']}: {said}"
    here = [name for name in label["names"] if letters(name) in letters(said)]
    enough = len(here) >= (1 if is_filing else min(2, len(label["names"])))
    tally.count("issuers of filings" if is_filing else "parties of contracts", enough, half, told)
    kind = all(letters(word) in letters(said) for word in label["kind"].split())
    tally.count(f"kinds of {'filings' if is_filing else 'contracts'}", kind, half, told)
    if is_filing:
        date = tuple(int(part) for part in label["date"].split("-"))
        ends = [(each.year, each.month, each.day) for each in dates_in(said)]
        tally.count("dates of filings", date in ends, half, told)


def main() -> None:
    options = arguments(__doc__).parse_args()
    wanted = {label["document"]: label for label in labels("issuer_labels")}
    tally = Tally()
    for read in each_read(found(options.folders, wanted).values(), options.read):
        measure(wanted[read.document.name], read, tally)
    tally.print(options.misses)


if __name__ == "__main__":
    main()
