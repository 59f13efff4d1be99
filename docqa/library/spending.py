"""What requests to a language model have taken and cost, one by one."""

from docqa.library.database import Database
from docqa.library.records import to_json
from docqa.library.rows import nouns
from docqa.types.costs import Spending


class SpendingLog:
    """The requests of one library; kept when their conversation is gone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, spending: Spending) -> None:
        """Keep what one request took; also where the catalog is only read, as a budget holds."""
        query = "INSERT INTO spending (day, conversation, noun) VALUES (?, ?, ?)"
        row = (spending.at[:10], spending.conversation_id, to_json(spending))
        with self._database.noting() as connection:
            connection.execute(query, row)

    def all(self, *, day: str = "", conversation_id: str = "") -> list[Spending]:
        """What was spent on a day (``YYYY-MM-DD``), in a conversation, both, or ever; in order."""
        query = """
            SELECT noun FROM spending
            WHERE (? = '' OR day = ?) AND (? = '' OR conversation = ?) ORDER BY number
        """
        wanted = (day, day, conversation_id, conversation_id)
        return nouns(Spending, self._database.rows(query, wanted))
