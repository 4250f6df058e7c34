import GRDB

/// The schema, version by version. Instants are milliseconds since 1970 (UTC), nights are `YYYY-MM-DD`, lists are JSON.
///
/// The table `document` holds what people decided, one row for each thing that can fail alone. Events have tables of
/// their own, which refer to `person` and `device`.
enum Schema {
    /// Marks a file as ours: "SLIN" in SQLite's header.
    static let applicationID: Int64 = 0x534C_494E

    private static let name = "1 documents and their digests"
    private static let nameOfLinks = "2 links that answer a question"
    private static let nameOfShared = "3 what several machines agreed on"
    /// Migrations that no released version wrote: early builds had a table for everything, or documents without a
    /// digest.
    private static let namesOfOld: Set = ["001 foundation", "1 documents"]

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(name) { try $0.execute(sql: sql) }
        migrator.registerMigration(nameOfLinks) { try $0.execute(sql: links) }
        migrator.registerMigration(nameOfShared) { try $0.execute(sql: shared) }
        return migrator
    }()

    /// Whether a build before the first release made the database.
    static func isOld(_ db: Database) throws -> Bool {
        guard try db.tableExists("grdb_migrations") else { return false }
        return try !String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations").isDisjoint(
            with: namesOfOld)
    }

    private static let sql = [house, history, usage, verified, webhooks, access].joined(separator: "\n")

    private static let house = """
        CREATE TABLE meta (
            key TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE document (
            kind TEXT NOT NULL CHECK (kind IN ('house', 'person', 'session', 'device')),
            id INTEGER NOT NULL CHECK (id > 0),
            json TEXT NOT NULL CHECK (json_valid(json)),
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE person (
            id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0)
        ) STRICT;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
            last_seen INTEGER NOT NULL
        ) STRICT;
        """

    /// Events. `subject` is the rule that a log line is about; `hand` and `hand_words` say who did it. `away_until` is
    /// when a notice that the owner put away comes back; `before` is a value before its change.
    private static let history = """
        CREATE TABLE past_session (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            mode TEXT NOT NULL CHECK (iif(json_valid(mode), json_type(mode) = 'object', 0)),
            strictness TEXT NOT NULL CHECK (strictness IN ('strict', 'flexible')),
            started_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            night TEXT CHECK (night IS date(night, '+0 days')),
            outcome TEXT NOT NULL CHECK (outcome IN ('ended', 'cancelled', 'reset', 'replaced')),
            ended_at INTEGER,
            CHECK (ends_at > started_at)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX past_session_person ON past_session (person, started_at);

        CREATE TABLE event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
            person INTEGER REFERENCES person ON DELETE CASCADE,
            device INTEGER REFERENCES device ON DELETE SET NULL,
            instant INTEGER NOT NULL,
            detail TEXT NOT NULL CHECK (length(detail) <= 1000),
            subject TEXT CHECK (length(subject) BETWEEN 1 AND 40),
            hand TEXT CHECK (hand IN ('signedIn', 'ownDevice', 'program', 'machine')),
            hand_words TEXT CHECK (length(hand_words) <= 200)
        ) STRICT;
        CREATE INDEX event_person ON event (person, id);
        CREATE INDEX event_device ON event (device);

        CREATE TABLE focus_session (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            id TEXT NOT NULL CHECK (length(id) = 36),
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            duration_seconds INTEGER NOT NULL CHECK (duration_seconds BETWEEN 0 AND 86400),
            preset_label TEXT CHECK (length(preset_label) <= 16),
            completed INTEGER NOT NULL CHECK (completed IN (0, 1)),
            PRIMARY KEY (person, id),
            CHECK (start <= "end")
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX focus_session_start ON focus_session (person, start);
        CREATE INDEX focus_session_end ON focus_session (person, "end");

        CREATE TABLE notice (
            kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
            subject TEXT NOT NULL CHECK (length(subject) <= 100),
            sentence TEXT NOT NULL CHECK (length(sentence) BETWEEN 1 AND 4000),
            since INTEGER NOT NULL,
            away_until INTEGER,
            PRIMARY KEY (kind, subject)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE remembered (
            what TEXT NOT NULL PRIMARY KEY CHECK (what IN ('address', 'upstreams')),
            value TEXT NOT NULL CHECK (iif(json_valid(value), json_array_length(value) >= 1, 0)),
            before TEXT CHECK (before IS NULL OR iif(json_valid(before), json_array_length(before) >= 1, 0)),
            changed_at INTEGER,
            CHECK ((before IS NULL) = (changed_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        """

    /// `sealed` is the signing secret, encrypted with the key beside the database. `status` is the HTTP status of the
    /// last try; `fault` is why there was none. `number` is a letter's place in the queue.
    private static let webhooks = """
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
            form TEXT NOT NULL CHECK (form IN ('json', 'ntfy')),
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

    /// The question that a link in a notice answers. Only the link's hash is stored.
    private static let links = """
        CREATE TABLE answer_link (
            token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
            question TEXT NOT NULL CHECK (length(question) = 36),
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// For a household on several machines: its documents and logins as the newest build wrote them, and what happened
    /// here while the others could not be told. Empty on one machine.
    private static let shared = """
        CREATE TABLE shared (
            name TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 200),
            json TEXT NOT NULL CHECK (json_valid(json))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE unsent (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            story TEXT NOT NULL CHECK (json_valid(story))
        ) STRICT;
        """

    /// Who may enter; of tokens and codes only the hashes.
    private static let access = """
        CREATE TABLE access (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            passcode_hash TEXT,
            setup_code_hash BLOB CHECK (length(setup_code_hash) = 32),
            secret BLOB NOT NULL CHECK (length(secret) = 32),
            last_instant INTEGER
        ) STRICT;

        CREATE TABLE login (
            token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
            csrf TEXT NOT NULL CHECK (length(csrf) = 43),
            created_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE api_token (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
            created_at INTEGER NOT NULL
        ) STRICT;
        """
}
