"""What was said: conversations, what each browser tab had open of them, and judgements of pages.

They are kept in the catalog's file, and go with what they are about.
"""

import uuid

from docqa.library.database import Database
from docqa.library.records import to_json
from docqa.library.rows import nouns, timestamp
from docqa.types.answer import Conversation, Message
from docqa.types.evaluation import Judgement

KEPT_SESSIONS = 20
_TALK = ("conversation", "message", "desk")  # the tables that hold what was said


class Conversations:
    """The conversations of a library. Every method may raise LibraryUnusable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, title: str = "") -> str:
        """Start a conversation and return its id."""
        conversation_id, now = uuid.uuid4().hex, timestamp()
        query = "INSERT INTO conversation (id, title, created, updated) VALUES (?, ?, ?, ?)"
        self._database.write(query, (conversation_id, title, now, now))
        return conversation_id

    def all(self) -> list[Conversation]:
        """Every conversation, the one last spoken in first."""
        query = """
            SELECT id, title, updated, ifnull((
                SELECT noun ->> '$.text' FROM message WHERE conversation = conversation.number
                ORDER BY message.number LIMIT 1
            ), '') FROM conversation ORDER BY updated DESC, number DESC
        """
        return [Conversation(*row) for row in self._database.rows(query)]

    def quoting(self, document_id: str) -> list[Conversation]:
        """The conversations with an answer that has a passage of this document."""
        query = """
            SELECT id, title, updated FROM conversation WHERE number IN (
                SELECT conversation FROM message WHERE instr(noun, ?)
            ) ORDER BY updated DESC, number DESC
        """
        return [Conversation(*row) for row in self._database.rows(query, (document_id,))]

    def remove_quotes(self, document_id: str) -> int:
        """Delete every answer with a passage of this document, and its question; their number.

        A conversation of which nothing is left goes too, and what a tab had open of the document.
        The space is given back.
        """
        with self._database.overwriting(*_TALK) as connection:
            quoting = connection.execute(_QUOTING, (document_id,)).fetchall()
            connection.executemany("DELETE FROM message WHERE number IN (?, ?)", quoting)
            emptied = "number NOT IN (SELECT conversation FROM message)"
            connection.execute(f"DELETE FROM conversation WHERE {emptied} AND updated > created")
            connection.execute("DELETE FROM desk WHERE instr(noun, ?)", (document_id,))
        return len(quoting)

    def rename(self, conversation_id: str, title: str) -> None:
        """Give it another title. Raises KeyError."""
        query = "UPDATE conversation SET title = ? WHERE id = ?"
        if not self._database.write(query, (title, conversation_id)):
            raise KeyError(conversation_id)

    def remove(self, conversation_id: str) -> None:
        """Delete it with its messages and what tabs had open of it; an unknown id is no error.

        Nothing of it stays in the file, however large that is, and the space is given back.
        """
        of_it = "conversation IN (SELECT number FROM conversation WHERE id = ?)"
        with self._database.overwriting(*_TALK) as connection:
            connection.execute(f"DELETE FROM message WHERE {of_it}", (conversation_id,))
            connection.execute("DELETE FROM conversation WHERE id = ?", (conversation_id,))
            connection.execute("DELETE FROM desk WHERE instr(noun, ?)", (conversation_id,))

    def add(self, conversation_id: str, message: Message) -> None:
        """Add a turn at the end. Raises KeyError."""
        with self._database.writing() as connection:
            query = "UPDATE conversation SET updated = ? WHERE id = ? RETURNING number"
            row = connection.execute(query, (timestamp(), conversation_id)).fetchone()
            if row is None:
                raise KeyError(conversation_id)
            query = "INSERT INTO message (conversation, noun) VALUES (?, ?)"
            connection.execute(query, (row[0], to_json(message)))

    def cut(self, conversation_id: str, *, exchanges: int) -> None:
        """Keep the first so many questions with their answers, and delete what follows."""
        query = """
            DELETE FROM message WHERE number IN (
                SELECT message.number FROM message
                JOIN conversation ON conversation.number = conversation
                WHERE id = ? ORDER BY message.number LIMIT -1 OFFSET ?
            )
        """
        with self._database.overwriting(*_TALK) as connection:
            connection.execute(query, (conversation_id, 2 * exchanges))

    def messages(self, conversation_id: str) -> list[Message]:
        """The turns, first to last, answers whole; of an unknown id, none."""
        query = """
            SELECT noun FROM message JOIN conversation ON conversation.number = conversation
            WHERE id = ? ORDER BY message.number
        """
        return nouns(Message, self._database.rows(query, (conversation_id,)))

    def keep_session(self, session_id: str, session: str) -> None:
        """Keep what one browser tab has open, as text; the oldest beyond KEPT_SESSIONS go."""
        with self._database.writing() as connection:
            query = "INSERT OR REPLACE INTO desk VALUES (?, ?, ?)"
            connection.execute(query, (session_id, session, timestamp()))
            kept = "SELECT id FROM desk ORDER BY updated DESC LIMIT ?"
            connection.execute(f"DELETE FROM desk WHERE id NOT IN ({kept})", (KEPT_SESSIONS,))

    def session(self, session_id: str) -> str:
        """What the tab had open, or, of an unknown one, what was kept last; "" where nothing."""
        query = "SELECT noun FROM desk ORDER BY id = ? DESC, updated DESC LIMIT 1"
        rows = self._database.rows(query, (session_id,))
        return str(rows[0][0]) if rows else ""


class Judgements:
    """Which pages people found right or wrong for a question."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, judgement: Judgement) -> None:
        """Keep what was said of a page for a question; a later word replaces an earlier one."""
        key = (judgement.question, judgement.document_id, judgement.page)
        query = "INSERT OR REPLACE INTO judgement VALUES (?, ?, ?, ?)"
        self._database.write(query, (*key, to_json(judgement)))

    def remove(self, question: str, document_id: str, page: int) -> None:
        """Take back what was said; nothing said is no error."""
        query = "DELETE FROM judgement WHERE question = ? AND document_id = ? AND page = ?"
        self._database.write(query, (question, document_id, page))

    def all(self) -> list[Judgement]:
        """All that was said of pages, oldest first."""
        return nouns(Judgement, self._database.rows("SELECT noun FROM judgement ORDER BY rowid"))


# The answers that hold a document's id, each with the number of the question before it.
_QUOTING = """
    SELECT answer.number, (
        SELECT max(number) FROM message
        WHERE conversation = answer.conversation AND number < answer.number
    ) FROM message AS answer WHERE instr(answer.noun, ?)
"""
