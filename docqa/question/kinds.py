"""What kinds of document are called, as patterns for one; each with an s is for several."""

FILE = r"document|file|pdf|contract|agreement|filing"
ANY = rf"{FILE}|compan(?:y|ie)|issuer"  # whatever document it is, or whose
# These are documents where several are called so: else a table may tell of them as well.
SOME = (
    r"lease|propert(?:y|ie)|report|polic(?:y|ie)|plan|handbook|memo|offering|deal|fund"
    r"|presentation|version|draft|bid(?:der)?|tender(?:er)?|proposal|quotation|offer|survey"
    r"|valuation|appraisal|amendment|10-?[kq]"
)
KIND = rf"(?:{ANY}|{SOME})"
KINDS = rf"(?:{KIND}s?|quarterl(?:y|ies)|memorand(?:a|ums?))"
