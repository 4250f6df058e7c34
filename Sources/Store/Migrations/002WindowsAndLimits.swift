/// Version 2: what a person's Windows and Limits layers are made of, changes that wait, and new kinds in the log.
///
/// A target is one app or one category of the catalog, by `target_kind` and `target`. `position` keeps a list's order.
enum Migration002 {
    static let name = "002 windows and limits"

    static let sql = """
        CREATE TABLE window_schedule (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE
        ) STRICT;

        CREATE TABLE time_window (
            person INTEGER NOT NULL REFERENCES window_schedule ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            id TEXT NOT NULL CHECK (length(id) = 36),
            label TEXT NOT NULL CHECK (length(label) <= 240),
            start TEXT NOT NULL CHECK (start IS strftime('%H:%M', start)),
            "end" TEXT NOT NULL CHECK ("end" IS strftime('%H:%M', "end")),
            days TEXT NOT NULL CHECK (iif(json_valid(days), json_array_length(days) BETWEEN 1 AND 7, 0)),
            PRIMARY KEY (person, id),
            CHECK (start < "end")
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE override_state (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            last_used_date INTEGER,
            override_expires_at INTEGER,
            CHECK (last_used_date IS NOT NULL OR override_expires_at IS NOT NULL)
        ) STRICT;

        CREATE TABLE limit_settings (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            reset_hour INTEGER NOT NULL CHECK (reset_hour BETWEEN 0 AND 23),
            unlocks_per_day INTEGER CHECK (unlocks_per_day BETWEEN 0 AND 1000),
            unlocks_day TEXT CHECK (unlocks_day IS date(unlocks_day, '+0 days')),
            unlocks INTEGER CHECK (unlocks >= 0),
            loosening_delay INTEGER NOT NULL CHECK (loosening_delay IN (0, 8, 24)),
            CHECK ((unlocks_day IS NULL) = (unlocks IS NULL))
        ) STRICT;

        CREATE TABLE usage_limit (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            id TEXT NOT NULL,
            target_kind TEXT NOT NULL CHECK (target_kind IN ('app', 'category')),
            target TEXT NOT NULL CHECK (length(target) BETWEEN 1 AND 200),
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 1 AND 1440),
            minutes_by_day TEXT NOT NULL
                CHECK (iif(json_valid(minutes_by_day), json_type(minutes_by_day) = 'object', 0)),
            weekly_minutes INTEGER CHECK (weekly_minutes BETWEEN 1 AND 10080),
            PRIMARY KEY (person, target_kind, target),
            UNIQUE (person, id),
            CHECK (id = iif(target_kind = 'app', 'monitor_', 'monitor_cat_') || substr(id, -36))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE probation (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 100),
            target_kind TEXT NOT NULL CHECK (target_kind IN ('app', 'category')),
            target TEXT NOT NULL CHECK (length(target) BETWEEN 1 AND 200),
            expires_at INTEGER NOT NULL,
            CHECK (id GLOB iif(target_kind = 'app', 'probation_', 'probation_cat_') || '?*')
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX probation_person ON probation (person);

        CREATE TABLE reached_limit (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            target_kind TEXT NOT NULL CHECK (target_kind IN ('app', 'category')),
            target TEXT NOT NULL CHECK (length(target) BETWEEN 1 AND 200),
            day TEXT NOT NULL CHECK (day IS date(day, '+0 days')),
            day_minutes INTEGER NOT NULL CHECK (day_minutes >= 0),
            week_minutes INTEGER NOT NULL CHECK (week_minutes >= 0),
            since INTEGER NOT NULL,
            PRIMARY KEY (person, target_kind, target)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE extra_time (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            target_kind TEXT NOT NULL CHECK (target_kind IN ('app', 'category')),
            target TEXT NOT NULL CHECK (length(target) BETWEEN 1 AND 200),
            day TEXT NOT NULL CHECK (day IS date(day, '+0 days')),
            minutes INTEGER NOT NULL CHECK (minutes > 0),
            PRIMARY KEY (person, target_kind, target, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE time_request (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
            target_kind TEXT NOT NULL CHECK (target_kind IN ('app', 'category')),
            target TEXT NOT NULL CHECK (length(target) BETWEEN 1 AND 200),
            device INTEGER REFERENCES device ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
            asked_at INTEGER NOT NULL,
            answer TEXT NOT NULL CHECK (answer IN ('open', 'granted', 'declined')),
            answered_at INTEGER,
            CHECK ((answer = 'open') = (answered_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX time_request_person ON time_request (person);
        CREATE INDEX time_request_device ON time_request (device);

        CREATE TABLE pending_change (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
            due INTEGER NOT NULL,
            change TEXT NOT NULL CHECK (iif(json_valid(change), json_type(change, '$.kind') IS 'text', 0))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pending_change_person ON pending_change (person);

        INSERT INTO event_kind VALUES ('overrideUsed'), ('limitReached'), ('unlocked'),
            ('suggestionTaken'), ('timeAsked'), ('timeGranted'), ('timeDeclined');
        """
}
