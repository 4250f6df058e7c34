/// Version 9: what is known to be amiss, what this server's place was, and what a webhook is sent.
///
/// `away_until` is when a notice comes back that the owner put away; `before` is what a value was before its latest change.
enum Migration009 {
    static let name = "009 notices"

    static let sql = """
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

        ALTER TABLE webhook ADD COLUMN form TEXT NOT NULL DEFAULT 'json' CHECK (form IN ('json', 'ntfy'));
        """
}
