"""Answers as a model writes them, on a filing, a lease, a rent roll and a facility agreement.

Each is given whole; of a wrong one just what is wrong in it is not supported.
"""

from dataclasses import replace

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import add_evidence, citations_in
from docqa.types.answer import Answer, Evidence
from tests.answer.passages import block, document, hit, row, with_tables

YEAR = "Year ended December 31,"
QUARTER, HALF = "Three Months Ended June 30,", "Six Months Ended June 30,"
EVIDENCE: tuple[Evidence, ...] = add_evidence(
    (),
    with_tables(
        [
            hit(  # S1
                block("Statements of Income (in millions, except per share data)", 44, "caption"),
                row("", YEAR, YEAR, YEAR, page=44, header=True),
                row("", "2024", "2023", "2022", page=44, header=True),
                row("Net sales", "$4,318.6", "$4,102.9", "$3,871.4", page=44),
                row("Cost of sales", "2,764.2", "2,667.0", "2,555.1", page=44),
                row("Gross profit", "1,554.4", "1,435.9", "1,316.3", page=44),
                row("Operating income", "711.7", "634.4", "550.3", page=44),
                row("Net income (loss)", "461.8", "(12.4)", "361.2", page=44),
                row("Diluted earnings per share", "$3.42", "$(0.09)", "$2.61", page=44),
                of=document("Harwell_2024_10K.pdf"),
            ),
            hit(  # S2
                block("The Tenant shall pay the Principal Rent of £412,500 per annum.", 6),
                block(
                    "The Tenant may determine this Lease on 24 June 2029 by giving the Landlord "
                    "not less than nine months’ prior written notice, provided that the Tenant "
                    "has given vacant possession.",
                    7,
                ),
                of=document("Quay_House_Lease.pdf"),
            ),
            hit(  # S3
                row("Tenant", "Area (sq ft)", "Rent pa (£)", "Expiry", table=2, header=True),
                row("Brook & Hale LLP", "8,250", "412,500", "23/06/2034", table=2),
                row("Meridian Labs Ltd", "6,100", "286,700", "28/09/2028", table=2),
                row("Vacant", "2,400", "", "", table=2),
                row("Total", "16,750", "699,200", "", table=2),
                of=document("Quay_House_Rent_Roll.xlsx"),
            ),
            hit(  # S4
                row("", QUARTER, QUARTER, HALF, HALF, table=3, header=True),
                row("(in thousands)", "2025", "2024", "2025", "2024", table=3, header=True),
                row("Revenue", "$141,300", "$128,450", "$276,910", "$251,880", table=3),
                row("Gross profit", "52,395", "46,333", "101,904", "90,430", table=3),
                of=document("Harwell_Q2_2025.pdf"),
            ),
            hit(  # S5
                block("“Margin” means 2.75 per cent. per annum, subject to Clause 9.2.", 12),
                block("The Commitment Fee is 35 per cent. of the applicable Margin.", 18),
                of=document("Facility_Agreement.pdf"),
            ),
            hit(  # S6
                row("Leases expiring", "SF", "% of total", "Rent", table=4, header=True),
                row("2025", "18,250", "9.7%", "$512,300", table=4),
                row("2026", "41,900", "22.4%", "$1,130,250", table=4),
                row("2027", "12,600", "6.7%", "$361,900", table=4),
                row("Thereafter", "114,650", "61.2%", "$2,964,000", table=4),
                row("Total", "187,400", "100.0%", "$4,968,450", table=4),
                of=replace(document("Property_A_OM.pdf"), title="Maple Court Offering"),
            ),
            hit(  # S7
                block("Cedar Point is offered at $31,800,000, with 91.5% of it occupied.", 4),
                of=replace(document("Property_B_OM.pdf"), title="Cedar Point Offering"),
            ),
        ]
    ),
)
RIGHT = (
    "Gross profit was $4,318.6 - $2,764.2 = $1,554.4 million in 2024 [S1.4-6], a margin of 36.0%.",
    "Net sales were about $4.3 billion in 2024, up 5.3% from $4.1 billion in 2023 [S1.4].",
    "Operating income rose from $550.3 million (2022) to $634.4 million (2023) and $711.7 million "
    "(2024), that is by 15.3% and 12.2% [S1.7].",
    "- **Net sales:** $4,318.6m (2024), $4,102.9m (2023) [S1.4]\n- **EPS:** $3.42; ($0.09) [S1.9]",
    "| $ million | 2024 | 2023 | Change |\n|---|---|---|---|\n| Net sales | 4,318.6 | 4,102.9 | "
    "215.7 |\n| Operating margin | 16.5% | 15.5% | 1.0 pts |\n\nAll from the statement [S1].",
    "Net income was $461.8 million in 2024 against a net loss of $12.4 million in 2023, a swing of "
    "$474.2 million [S1.8].",
    "| $ million | 2024 | 2023 |\n|---|---|---|\n| Profit | 461.8 | |\n| Net loss | | 12.4 |\n\n"
    "Both from the statement [S1].",
    "Over three years sales totalled $12,292.9 million ($4,318.6 + $4,102.9 + $3,871.4) [S1.4].",
    "The tenant may break “on 24 June 2029 by giving the Landlord not less than nine months’ prior "
    "written notice, … [and] has given vacant possession” [S2.2].",
    "The rent is £412,500 a year [S2.1], that is £103,125 a quarter and £34,375 a month [S2.1].",
    "Brook & Hale pays £412,500 for 8,250 sq ft, or £50.00 per sq ft [S3.2].",
    "2,400 of 16,750 sq ft are vacant (14.3%) [S3.4][S3.5]; the passing rent is £699,200 [S3.5].",
    "Combined, the two tenants pay £699.2k a year, of which Brook & Hale pays 59% [S3.2][S3.5].",
    "Revenue was over $276 million in the first half of 2025 and nearly $252 million a year before "
    "[S4.3].",
    "First-quarter revenue was $135.6 million ($276,910 - $141,300 = $135,610 thousand) in 2025 "
    "[S4.3].",
    "The commitment fee is 0.9625% a year (35% of the 2.75% margin) [S5.1][S5.2].",
    "Leases on 60,150 SF (18,250 + 41,900) expire by the end of 2026, or 32.1% of the space "
    "[S6.2][S6.3].",
    "By the end of 2027, 38.8% of the area rolls (9.7% + 22.4% + 6.7%) [S6.2-4].",
    "Rent expiring in 2026 is about $94,200 a month [S6.3].",
)
WRONG = (
    ("Net sales were $4,381.6 million in 2024 [S1.4].", "$4,381.6 million"),
    ("Net sales were $4,102.9 million in 2024 [S1.4].", "$4,102.9 million"),
    ("Net sales were $4,318.6 thousand in 2024 [S1.4].", "$4,318.6 thousand"),
    ("Net sales were about $4.4 billion in 2024 [S1.4].", "$4.4 billion"),
    ("Net sales were over $4.4 billion in 2024 [S1.4].", "$4.4 billion"),
    ("Net sales were $4,318.6m (2023) and $4,102.9m (2022) [S1.4].", "$4,318.6m $4,102.9m"),
    ("Net income was $12.4 million in 2023 [S1.8].", "$12.4 million"),
    ("Operating margin widened to 17.5% in 2024 [S1.4][S1.7].", "17.5%"),
    ("The rent is £102,125 a quarter [S2.1].", "£102,125"),
    ("The consent “has given vacant possession … on 24 June 2029” [S2.2].", "possession … on 24"),
    ("Meridian Labs pays £699,200 a year [S3.3][S3.5].", "£699,200"),
    ("Brook & Hale lets 6,100 sq ft [S3.2].", "6,100"),
    ("Revenue for the second quarter of 2025 was $276.9 million [S4.3].", "$276.9 million"),
    ("Annual rent expiring in 2026 is $2,964,000 [S6.5].", "$2,964,000"),
    ("Maple Court is offered at $31,800,000 [S7.1].", "$31,800,000"),
    ("The commitment fee is 40% of the margin [S5.2].", "40%"),
)


def unsupported(text: str) -> list[str]:
    answer = Answer(text, "a model", citations_in(text, EVIDENCE), EVIDENCE)
    return [each.text for each in verify_answer(answer).checks if each.result == "not supported"]


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_answer_is_supported(text: str) -> None:
    assert unsupported(text) == []


@pytest.mark.parametrize(("text", "wrong"), WRONG)
def test_what_is_wrong_is_told(text: str, wrong: str) -> None:
    found = unsupported(text)
    assert found
    assert all(each in wrong or wrong in each for each in found)
