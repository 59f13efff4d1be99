"""The catalog's tables. A change is a new entry at the end of MIGRATIONS, never an edit.

A noun is kept whole as JSON (see records.py); what is looked up has a column of its own. A
document's chunks have consecutive row numbers, so that "in this document" is a range of rows,
which the keyword index can skip to.
"""

MIGRATIONS = (
    """
    CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    CREATE TABLE unfinished (document_id TEXT PRIMARY KEY) WITHOUT ROWID;

    CREATE TABLE document (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        noun TEXT NOT NULL,
        first_row INTEGER NOT NULL,
        last_row INTEGER NOT NULL
    );

    CREATE TABLE block (
        document INTEGER NOT NULL REFERENCES document (number) ON DELETE CASCADE,
        page INTEGER NOT NULL,
        position INTEGER NOT NULL,
        noun TEXT NOT NULL,
        PRIMARY KEY (document, page, position)
    ) WITHOUT ROWID;

    CREATE TABLE page_health (
        document INTEGER NOT NULL REFERENCES document (number) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        noun TEXT NOT NULL,
        PRIMARY KEY (document, position)
    ) WITHOUT ROWID;

    CREATE TABLE discard (
        document INTEGER NOT NULL REFERENCES document (number) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        noun TEXT NOT NULL,
        PRIMARY KEY (document, position)
    ) WITHOUT ROWID;

    CREATE TABLE chunk (
        row INTEGER PRIMARY KEY,
        document INTEGER NOT NULL REFERENCES document (number) ON DELETE CASCADE,
        id TEXT NOT NULL UNIQUE,
        noun TEXT NOT NULL,
        words TEXT NOT NULL
    );
    CREATE INDEX chunk_of_document ON chunk (document);

    CREATE TABLE vector (
        row INTEGER PRIMARY KEY REFERENCES chunk (row) ON DELETE CASCADE,
        numbers BLOB NOT NULL
    );

    CREATE VIRTUAL TABLE keyword USING fts5 (
        words, content = 'chunk', content_rowid = 'row',
        tokenize = 'porter unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER chunk_added AFTER INSERT ON chunk BEGIN
        INSERT INTO keyword (rowid, words) VALUES (new.row, new.words);
    END;
    CREATE TRIGGER chunk_removed AFTER DELETE ON chunk BEGIN
        INSERT INTO keyword (keyword, rowid, words) VALUES ('delete', old.row, old.words);
    END;

    CREATE TABLE conversation (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL
    );

    CREATE TABLE message (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
        noun TEXT NOT NULL
    );
    CREATE INDEX message_of_conversation ON message (conversation)
    """,
    # A document that is read or indexed anew is another row, so its judgements name it by its id.
    """
    CREATE TABLE judgement (
        question TEXT NOT NULL,
        document_id TEXT NOT NULL,
        page INTEGER NOT NULL,
        noun TEXT NOT NULL,
        PRIMARY KEY (question, document_id, page)
    );

    CREATE TABLE desk (
        id TEXT PRIMARY KEY,
        noun TEXT NOT NULL,
        updated TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # What heads a table is searched apart from its rows. `Chunk.table_title` says the same.
    """
    ALTER TABLE chunk ADD COLUMN title TEXT NOT NULL DEFAULT '';
    UPDATE chunk SET title = (
        SELECT coalesce(group_concat(value, ' '), '') FROM (
            SELECT value FROM json_each(noun, '$.headings') ORDER BY key DESC LIMIT 2
        )
    ) || ' ' || substr(
        coalesce(noun ->> '$.blocks[0].text', '') || ' '
        || coalesce(noun ->> '$.blocks[1].text', '') || ' '
        || coalesce(noun ->> '$.blocks[2].text', ''), 1, 200
    ) WHERE noun ->> '$.kind' = 'table';

    CREATE VIRTUAL TABLE table_title USING fts5 (
        title, content = 'chunk', content_rowid = 'row',
        tokenize = 'porter unicode61 remove_diacritics 2'
    );
    INSERT INTO table_title (table_title) VALUES ('rebuild');
    CREATE TRIGGER chunk_titled AFTER INSERT ON chunk BEGIN
        INSERT INTO table_title (rowid, title) VALUES (new.row, new.title);
    END;
    CREATE TRIGGER chunk_untitled AFTER DELETE ON chunk BEGIN
        INSERT INTO table_title (table_title, rowid, title) VALUES ('delete', old.row, old.title);
    END
    """,
    """
    CREATE TABLE spending (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        day TEXT NOT NULL,
        conversation TEXT NOT NULL,
        noun TEXT NOT NULL
    );
    CREATE INDEX spending_of_day ON spending (day)
    """,
    """
    CREATE TABLE restored (
        document_id TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (document_id, text)
    ) WITHOUT ROWID
    """,
    # What a language model wrote of a passage, by the passage's text: it outlives cutting anew.
    """
    CREATE TABLE note (
        document_id TEXT NOT NULL, text TEXT NOT NULL, note TEXT NOT NULL,
        PRIMARY KEY (document_id, text)
    ) WITHOUT ROWID
    """,
    # Looked at whenever the screen is drawn; the condition is word for word that of the query.
    """
    CREATE INDEX page_to_look_at ON page_health (document)
    WHERE noun ->> '$.source' <> 'text layer' OR noun ->> '$.warnings' IS NOT NULL
    """,
    # Made from the blocks by other rules, or of other blocks, they are made anew when asked for.
    """
    CREATE TABLE made_table (
        document INTEGER NOT NULL REFERENCES document (number) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        first_block INTEGER NOT NULL,
        last_block INTEGER NOT NULL,
        role TEXT NOT NULL,
        noun TEXT NOT NULL,
        PRIMARY KEY (document, number)
    ) WITHOUT ROWID;

    CREATE TABLE tables_made (
        document INTEGER PRIMARY KEY REFERENCES document (number) ON DELETE CASCADE,
        version INTEGER NOT NULL
    )
    """,
    # Cells name their document by its id, as it is another row once it is read anew. ``filled``
    # counts how often a cell was filled for the same question and reading.
    """
    CREATE TABLE review (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        noun TEXT NOT NULL
    );

    CREATE TABLE review_cell (
        review INTEGER NOT NULL REFERENCES review (number) ON DELETE CASCADE,
        document_id TEXT NOT NULL,
        column_id TEXT NOT NULL,
        proposal TEXT,
        ruling TEXT,
        filled INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (review, document_id, column_id)
    ) WITHOUT ROWID;
    CREATE INDEX review_cell_of_document ON review_cell (document_id)
    """,
    # The words of all passages by their stems, for those that a question spells otherwise.
    """
    CREATE VIRTUAL TABLE word USING fts5vocab ('keyword', 'row');
    CREATE VIRTUAL TABLE word_place USING fts5vocab ('keyword', 'instance')
    """,
    # The abbreviations that documents define are made with their tables, so those are made anew.
    """
    CREATE TABLE definition (
        document INTEGER NOT NULL REFERENCES document (number) ON DELETE CASCADE,
        short TEXT NOT NULL,
        long TEXT NOT NULL,
        PRIMARY KEY (document, short, long)
    ) WITHOUT ROWID;
    DELETE FROM tables_made
    """,
)
