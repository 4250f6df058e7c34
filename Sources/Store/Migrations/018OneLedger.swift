/// Version 18: what is received of verified minutes is a person's, whatever token it comes with (DD-059): minutes by day,
/// and of a device's connection the latest.
///
/// `token` stays as the one that spoke last. Where several had spoken of one day, the newest holds, as an upload replaces
/// what was known; none of a day is lost. Usage showed the most of them, and follows.
enum Migration018 {
    static let name = "018 one ledger of verified minutes"

    static let sql = uploads + connections

    private static let uploads = """
        CREATE TABLE received_upload (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            date TEXT NOT NULL CHECK (date IS date(date, '+0 days')),
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 0 AND 1500),
            source TEXT NOT NULL CHECK (length(source) BETWEEN 1 AND 100),
            time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 100),
            computed_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            PRIMARY KEY (person, date)
        ) STRICT, WITHOUT ROWID;

        INSERT OR REPLACE INTO received_upload
        SELECT person, token, date, minutes, source, time_zone, computed_at, received_at
        FROM verified_upload ORDER BY received_at, token;

        UPDATE usage_day SET minutes = known.minutes FROM received_upload AS known
        WHERE usage_day.person = known.person AND usage_day.source = 1
            AND usage_day.date = CAST(replace(known.date, '-', '') AS INTEGER)
            AND usage_day.app = (SELECT number FROM usage_app WHERE id = 'verified-minutes');
        """

    private static let connections = """

        CREATE TABLE received_connection (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 100),
            received_at INTEGER NOT NULL
        ) STRICT;

        INSERT OR REPLACE INTO received_connection
        SELECT person, token, is_enabled, time_zone, received_at
        FROM verified_connection ORDER BY received_at, token;

        CREATE TABLE received_selection (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            sent_with TEXT NOT NULL CHECK (sent_with IN ('upload', 'connection')),
            encoded TEXT NOT NULL CHECK (length(encoded) <= 131072),
            applications INTEGER NOT NULL CHECK (applications BETWEEN 0 AND 10000),
            categories INTEGER NOT NULL CHECK (categories BETWEEN 0 AND 10000),
            web_domains INTEGER NOT NULL CHECK (web_domains BETWEEN 0 AND 10000),
            PRIMARY KEY (person, sent_with)
        ) STRICT;

        INSERT OR REPLACE INTO received_selection
        SELECT s.person, s.token, sent_with, encoded, applications, categories, web_domains
        FROM verified_selection s
        LEFT JOIN received_connection c ON c.person = s.person AND c.token = s.token
        ORDER BY
            iif(sent_with = 'connection', c.token IS NOT NULL,
                (SELECT max(received_at) FROM verified_upload u WHERE u.person = s.person AND u.token = s.token)),
            s.token;

        DROP TABLE verified_upload;
        ALTER TABLE received_upload RENAME TO verified_upload;
        DROP TABLE verified_connection;
        ALTER TABLE received_connection RENAME TO verified_connection;
        DROP TABLE verified_selection;
        ALTER TABLE received_selection RENAME TO verified_selection;
        """
}
