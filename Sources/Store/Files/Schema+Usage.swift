// Minutes, as they are counted here and as they are received.

extension Schema {
    /// Rows are many, so they are small: apps by number, hours since 1970, dates as YYYYMMDD, a bit for each minute of
    /// an hour. A device that is gone keeps its number, so that its minutes never count for another. Sources are
    /// numbered by exactness: 0 dns, 1 upload, 2 relay, 3 gateway. In `usage_day`, app 0 is all apps together.
    static let usage = """
        CREATE TABLE usage_app (
            number INTEGER PRIMARY KEY CHECK (number > 0),
            id TEXT NOT NULL UNIQUE CHECK (length(id) > 0)
        ) STRICT;

        CREATE TABLE usage_hour (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            hour INTEGER NOT NULL,
            app INTEGER NOT NULL REFERENCES usage_app,
            device INTEGER NOT NULL,
            source INTEGER NOT NULL CHECK (source BETWEEN 0 AND 3),
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 1152921504606846975),
            PRIMARY KEY (person, hour, app, device, source)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE usage_day (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            date INTEGER NOT NULL CHECK (date BETWEEN 10101 AND 99991231),
            app INTEGER NOT NULL CHECK (app >= 0),
            source INTEGER NOT NULL CHECK (source BETWEEN 0 AND 3),
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 0 AND 1500),
            PRIMARY KEY (person, date, app, source)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE usage_attempt (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            date INTEGER NOT NULL CHECK (date BETWEEN 10101 AND 99991231),
            app INTEGER NOT NULL REFERENCES usage_app,
            count INTEGER NOT NULL CHECK (count > 0),
            PRIMARY KEY (person, date, app)
        ) STRICT, WITHOUT ROWID;
        """

    /// Received verified minutes. `token` is the number of the bearer token of the last upload, 0 if this server sent
    /// it to itself. `sealed` is an encrypted token for another server.
    static let verified = """
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
            PRIMARY KEY (person, date)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE verified_connection (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 100),
            received_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE verified_selection (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            token INTEGER NOT NULL CHECK (token >= 0),
            sent_with TEXT NOT NULL CHECK (sent_with IN ('upload', 'connection')),
            encoded TEXT NOT NULL CHECK (length(encoded) <= 131072),
            applications INTEGER NOT NULL CHECK (applications BETWEEN 0 AND 10000),
            categories INTEGER NOT NULL CHECK (categories BETWEEN 0 AND 10000),
            web_domains INTEGER NOT NULL CHECK (web_domains BETWEEN 0 AND 10000),
            PRIMARY KEY (person, sent_with)
        ) STRICT;
        """
}
