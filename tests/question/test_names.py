import pytest

from docqa.errors import AmbiguousDocument, UnknownDocument
from docqa.question.mentions import match_documents
from docqa.question.names import normalised, resolve, similarity
from docqa.types.document import Document
from tests.retrieve.passages import documents

MEMOS = documents(
    "Property_A_Offering_Memo.pdf",
    "Property_B_Final_OM.pdf",
    "Property_C_Presentation.pdf",
    "Background_Research.pdf",
)
FILINGS = documents(
    "AMCOR_2022_8K_dated-2022-07-01.pdf",
    "AMCOR_2023_10K.pdf",
    "AMERICANEXPRESS_2022_10K.pdf",
    "BOEING_2018_10K.pdf",
    "BOEING_2022_10K.pdf",
)


CONTRACTS = documents(
    "CHANGEPOINTCORP_03_08_2000-EX-10.6-LICENSE AND HOSTING AGREEMENT.PDF",
    "BOLIVARMININGCORP_05_23_2003-EX-2.1-HOSTING AGREEMENT.PDF",
    "SLINGERBAGINC_05_27_2020-EX-10.7-CONSULTING AGREEMENT.PDF",
    "SLINGERSHOTINC_05_27_2021-EX-10.8-CONSULTING AGREEMENT.PDF",
)


def named(question: str, among: list[Document]) -> list[list[str]]:
    return [[each.name for each in one.documents] for one in match_documents(question, among)]


def test_names_are_compared_without_case_punctuation_and_suffix() -> None:
    assert normalised("Lease_-_Harbour.Yard (v2).PDF") == "lease harbour yard v2"
    assert normalised("AMCOR_2023Q2_10-Q.pdf") == "amcor 2023 q2 10q"
    assert normalised("Amcor FY23") == "amcor 2023"


def test_a_contained_name_scores_from_85_by_its_share() -> None:
    score = similarity("property a", "property a offering memo")
    assert score == 0.85 + 0.15 * len("property a") / len("property a offering memo")


def test_another_letter_or_number_rules_a_document_out() -> None:
    assert similarity("property c", "property a offering memo") == 0
    assert similarity("boeing 2019", "boeing 2018 10k") == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Property A", "Property_A_Offering_Memo.pdf"),
        ("property_b_final_om.pdf", "Property_B_Final_OM.pdf"),
        ("Proprety B", "Property_B_Final_OM.pdf"),
        ("the background research", "Background_Research.pdf"),
    ],
)
def test_a_name_means_its_document(name: str, expected: str) -> None:
    assert resolve(name, MEMOS).name == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Changepoint", 0), ("Bolivar", 1), ("Bolivar Mining", 1), ("Slinger Bag", 2)],
)
def test_a_company_is_found_in_a_name_that_runs_it_together(name: str, expected: int) -> None:
    assert resolve(name, CONTRACTS) == CONTRACTS[expected]


def test_a_question_names_a_company_without_its_form() -> None:
    question = "What law governs Changepoint's licence, and what Slinger Bag's?"
    assert named(question, CONTRACTS) == [[CONTRACTS[0].name], [CONTRACTS[2].name]]


def test_words_that_end_like_a_company_stay_whole() -> None:
    assert normalised("Zinc and distinct provinces.pdf") == "zinc and distinct provinces"


def test_a_name_that_fits_several_is_not_guessed() -> None:
    with pytest.raises(AmbiguousDocument, match=r"Property_A.*Property_B.*Property_C"):
        resolve("Property", MEMOS)
    with pytest.raises(AmbiguousDocument, match=r"2018.*2022"):
        resolve("Boeing", FILINGS)


@pytest.mark.parametrize("name", ["Property D", "Lease 4", "", "...", "zebra"])
def test_a_name_that_fits_none_is_unknown(name: str) -> None:
    with pytest.raises(UnknownDocument):
        resolve(name, MEMOS)


def test_a_full_name_is_never_ambiguous() -> None:
    pair = documents("Lease.pdf", "Lease (2).pdf")
    assert resolve("Lease", pair).name == "Lease.pdf"
    assert resolve("Lease (2).pdf", pair).name == "Lease (2).pdf"


def test_a_title_is_a_name_too() -> None:
    deed = Document("d", "scan0042.pdf", 3, title="Harbour Yard Lease")
    assert resolve("harbour yard", [deed, *MEMOS]) is deed
    assert named("What is the rent at Harbour Yard?", [deed, *MEMOS]) == [["scan0042.pdf"]]


def test_a_name_that_ends_in_a_possessive_is_found_as_files_write_it() -> None:
    stores = documents("FENWICKS_2022_10K.pdf", "Lease_Harbour_Yard.pdf")
    asked = "Summarize the risk factors of Fenwick’s."
    assert named(asked, stores) == [["FENWICKS_2022_10K.pdf"]]
    assert named("What is the lease's rent?", stores) == []


def test_documents_named_in_a_question() -> None:
    assert named("Compare Property A with property b", MEMOS) == [
        ["Property_A_Offering_Memo.pdf"],
        ["Property_B_Final_OM.pdf"],
    ]


def test_a_whole_name_of_common_words_is_one_in_small_letters_too() -> None:
    question = "NOI for property a offering memo"
    assert named(question, MEMOS) == [["Property_A_Offering_Memo.pdf"]]
    assert match_documents(question, MEMOS)[0].exact
    report = documents("Annual_Report.pdf", "Annual_Budget.pdf")
    assert named("what the annual report says", report) == [["Annual_Report.pdf"]]
    assert named("what an annual report says", report) == []


@pytest.mark.parametrize(
    "question",
    ["Is the property a good buy?", "What does the final memo say?", "offering price", "", "a b c"],
)
def test_common_words_name_nothing(question: str) -> None:
    assert named(question, MEMOS) == []


def test_a_year_elsewhere_in_the_question_decides() -> None:
    assert named("What was Boeing's revenue in FY2022?", FILINGS) == [["BOEING_2022_10K.pdf"]]
    assert named("What is Boeing's business?", FILINGS) == [
        ["BOEING_2018_10K.pdf", "BOEING_2022_10K.pdf"]
    ]


def test_several_documents_of_one_title_are_all_named() -> None:
    reports = [
        Document(name, f"{name}.pdf", 9, title="Apple Inc., Form 10-Q")
        for name in ("2022 Q3 AAPL", "2023 Q2 AAPL", "2023 Q3 AAPL")
    ]
    every = [each.name for each in reports]
    assert named("How have Apple's net sales changed?", reports) == [every]
    assert named("What drove Apple's income in Q2 2023?", reports) == [["2023 Q2 AAPL.pdf"]]
    asked = "In the second quarter of 2023, what drove Apple's income?"
    assert named(asked, reports) == [["2023 Q2 AAPL.pdf"]]


def test_a_sentence_for_a_title_does_not_hide_the_name_of_the_file() -> None:
    title = "Amcor reports fiscal 2023 results and provides outlook"
    earnings = Document("e", "AMCOR_2023Q4_EARNINGS.pdf", 9, title=title)
    (mention,) = match_documents("What industry is AMCOR in?", [*FILINGS[:2], earnings])
    assert len(mention.documents) == 3
    assert mention.complete


def test_words_written_as_one_in_the_file_name() -> None:
    assert named("American Express' debt?", FILINGS) == [["AMERICANEXPRESS_2022_10K.pdf"]]


def test_a_naming_is_complete_when_nothing_distinctive_is_left_out() -> None:
    plans = documents("Northwind_Health_Plus_Details.pdf", "Northwind_Standard_Details.pdf")
    (whole,) = match_documents("What does Northwind Health Plus cover?", plans)
    (part,) = match_documents("What does Northwind Health say?", plans)
    assert (whole.complete, part.complete) == (True, False)


def test_an_enormous_question_is_looked_through_quickly() -> None:
    assert named("property " * 20_000, MEMOS) == []


def test_the_beginning_of_a_name_run_together_means_its_document() -> None:
    held = documents("KIROMICBIOPHARMA,INC_05_11_2020-EX-10.23.PDF", "SPHERE3DCORP_EX-10.PDF")
    assert resolve("Kiromic", held) is held[0]
    with pytest.raises(UnknownDocument):
        resolve("Kir", held)
    with pytest.raises(AmbiguousDocument):
        resolve("Kiromic", [*held, *documents("KIROMICBIOSCIENCES,INC_06_01_2021-EX-10.PDF")])


def test_a_name_may_be_shortened_to_the_word_that_tells() -> None:
    leases = documents("Lease_Bishopsgate_Tower.pdf", "Lease_Harbour_Yard.pdf")
    (one,) = match_documents("What is the rent at Bishopsgate?", leases)
    assert (one.complete, [each.name for each in one.documents]) == (
        True,
        ["Lease_Bishopsgate_Tower.pdf"],
    )
    assert not match_documents("What is the tower made of?", leases)
    (last,) = match_documents("What is the Tower made of?", leases)
    assert not last.complete


def test_a_name_may_begin_with_a_small_letter() -> None:
    filings = documents("EBAY_2023Q1_EARNINGS.pdf", "AMCOR_2023_10K.pdf")
    assert named("What does eBay pay its drivers?", filings) == [["EBAY_2023Q1_EARNINGS.pdf"]]
    assert named("What may a bay of the warehouse hold?", filings) == []


def test_the_agreement_is_meant_and_not_the_amendment_to_it() -> None:
    papers = [
        Document("a", "Hotel management agreement - Tarn.docx", 1),
        Document("b", "Tarn 1.docx", 1, title="Amendment to the Hotel Management Agreement"),
    ]
    (one,) = match_documents("What fee is in the hotel management agreement?", papers)
    assert [each.id for each in one.documents] == ["a"]


PAPERS = [
    Document("a", "Wren - Information Memorandum.pdf", 1),
    Document("b", "CF Valuation Report.pdf", 1),
    Document("c", "ACME-EX-10.1.pdf", 1, description="Lease between Ash Ltd and Elm Inc."),
    Document(
        "d", "EX-10.2 Escrow Agreement.pdf", 1, description="Deed between Ash Ltd and Oak Inc."
    ),
]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does the IM say about floods?", ["a"]),
        ("According to the valuation, what is the yield?", ["b"]),
        ("What does the valuation report say?", ["b"]),
        ("What notice must Elm give?", ["c"]),
        ("Is there a fee in the escrow agreement?", ["d"]),
        ("What notice must Ash give?", []),  # a party of two
        ("What is the valuation of the land?", []),
        ("What is the NOI?", []),
    ],
)
def test_a_document_is_named_by_its_kind_its_parties_and_its_initials(
    question: str, names: list[str]
) -> None:
    named = [
        each.id
        for one in match_documents(question, PAPERS)
        if one.complete
        for each in one.documents
    ]
    assert named == names


OF_ONE_PLACE = [
    Document(name, name, 1)
    for name in (
        "Deed_of_Variation_Unit7_2024.docx",
        "Kestrel_Works_Valuation_2024.pdf",
        "Lease_Lanyon_House_2021.docx",
        "Lease_Unit7_Kestrel_Works_2019.pdf",
    )
]


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("What is the rent under the Kestrel Works lease?", 3),
        ("What is the rent in the unit 7 lease?", 3),
        ("What is the rent of Unit 7 Kestrel Works?", 3),
        ("What does the Kestrel Works valuation say about flood?", 1),
    ],
)
def test_of_documents_of_one_place_that_of_the_kind_named_is_meant(
    question: str, place: int
) -> None:
    (mention,) = match_documents(question, OF_ONE_PLACE)
    assert mention.documents == (OF_ONE_PLACE[place],)
    assert mention.complete


def test_a_place_that_several_are_of_names_none_of_them_for_certain() -> None:
    mentions = match_documents("What is the rent at Kestrel?", OF_ONE_PLACE)
    assert not any(mention.complete for mention in mentions)
