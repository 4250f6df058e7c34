/// Version 7: who is told of what happens, and what waits to be sent.
///
/// `sealed` is the secret that signs, closed with the key beside the database; `status` is the HTTP status of the
/// latest try and `fault` why there was none. A letter's `number` is its place in line.
enum Migration007 {
    static let name = "007 webhooks"

    static let sql = """
        CREATE TABLE webhook (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
            person INTEGER REFERENCES person ON DELETE CASCADE,
            url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 1000),
            events TEXT NOT NULL CHECK (iif(json_valid(events), json_array_length(events) >= 1, 0)),
            since INTEGER NOT NULL,
            sealed BLOB NOT NULL CHECK (length(sealed) BETWEEN 29 AND 1024),
            tried_at INTEGER,
            status INTEGER CHECK (status BETWEEN 0 AND 999),
            fault TEXT CHECK (length(fault) BETWEEN 1 AND 40),
            CHECK ((tried_at IS NULL) = (status IS NULL AND fault IS NULL)),
            CHECK (status IS NULL OR fault IS NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX webhook_person ON webhook (person);

        CREATE TABLE webhook_letter (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
            webhook TEXT NOT NULL REFERENCES webhook ON DELETE CASCADE,
            event TEXT NOT NULL CHECK (length(event) BETWEEN 1 AND 40),
            body TEXT NOT NULL CHECK (iif(json_valid(body), json_type(body) = 'object', 0)),
            tries INTEGER NOT NULL CHECK (tries BETWEEN 0 AND 100),
            due INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX webhook_letter_webhook ON webhook_letter (webhook);
        """
}
