/// Version 3: who used what, for 90 days.
///
/// Rows are many, so they are small: apps by number, hours since 1970, dates as YYYYMMDD, a bit for each minute of an
/// hour. A device that is gone keeps its number, so that two devices' minutes are never taken for one's. Sources are
/// numbered by exactness: 0 dns, 1 upload, 2 relay, 3 gateway.
enum Migration003 {
    static let name = "003 usage"

    static let sql = """
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
}
