/// Version 5: Discipline Dungeon's settings, its shared values, the token for another server, and what was received.
///
/// `shared_default` is the app group of old, with its own keys (DD-003, DD-012). Of what came in, `token` is the number
/// of the bearer token that it came with, 0 where this server sent it to itself.
enum Migration005 {
    static let name = "005 verified minutes"

    static let sql = """
        CREATE TABLE verification (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            time_zone TEXT CHECK (length(time_zone) BETWEEN 1 AND 100),
            server TEXT CHECK (length(server) BETWEEN 1 AND 500),
            staged_at INTEGER,
            upload TEXT CHECK (upload IS NULL OR iif(json_valid(upload), json_type(upload) = 'object', 0)),
            sync TEXT CHECK (sync IS NULL OR iif(json_valid(sync), json_type(sync) = 'object', 0))
        ) STRICT;

        CREATE TABLE shared_default (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            suite TEXT NOT NULL CHECK (suite = 'group.com.disciplinedungeon.shared'),
            key TEXT NOT NULL CHECK (key IN ('dd.screentime.request.v1', 'dd.screentime.snapshot.v1',
                'dd_ext_invoked_ts', 'dd_ext_completed_ts')),
            value TEXT NOT NULL CHECK (json_valid(value)),
            PRIMARY KEY (person, suite, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE outbound_credential (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            sealed BLOB NOT NULL CHECK (length(sealed) BETWEEN 29 AND 8192)
        ) STRICT;

        CREATE TABLE verified_upload (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            date TEXT NOT NULL CHECK (date IS date(date, '+0 days')),
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 0 AND 1500),
            source TEXT NOT NULL CHECK (length(source) BETWEEN 1 AND 100),
            time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 100),
            computed_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            PRIMARY KEY (person, token, date)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE verified_connection (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 100),
            received_at INTEGER NOT NULL,
            PRIMARY KEY (person, token)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE verified_selection (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            sent_with TEXT NOT NULL CHECK (sent_with IN ('upload', 'connection')),
            encoded TEXT NOT NULL CHECK (length(encoded) <= 131072),
            applications INTEGER NOT NULL CHECK (applications BETWEEN 0 AND 10000),
            categories INTEGER NOT NULL CHECK (categories BETWEEN 0 AND 10000),
            web_domains INTEGER NOT NULL CHECK (web_domains BETWEEN 0 AND 10000),
            PRIMARY KEY (person, token, sent_with)
        ) STRICT;
        """
}
