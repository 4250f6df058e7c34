/// Version 1: the household, its people and devices, sessions, schedules, selections, access and log.
///
/// Instants are milliseconds since 1970 (UTC), nights are `YYYY-MM-DD`, times are `HH:MM`, lists are JSON.
/// Released as it stands; a later wish is a later migration.
enum Migration001 {
    static let name = "001 foundation"

    static let sql = """
        CREATE TABLE meta (
            key TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO meta VALUES
            ('namespace', 'group.com.sleepinducer.shared'),
            ('instants', 'milliseconds since 1970-01-01T00:00:00Z'),
            ('nights', 'the civil date of the bedtime, in the household''s time zone');

        CREATE TABLE person (
            id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            role TEXT NOT NULL CHECK (role IN ('adult', 'child')),
            default_strictness TEXT NOT NULL CHECK (default_strictness IN ('strict', 'flexible')),
            night_done TEXT CHECK (night_done IS date(night_done, '+0 days'))
        ) STRICT;

        CREATE TABLE household (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 100),
            new_devices_belong_to INTEGER REFERENCES person ON DELETE SET NULL,
            offers_help INTEGER NOT NULL CHECK (offers_help IN (0, 1)),
            unreachable TEXT NOT NULL CHECK (iif(json_valid(unreachable), json_type(unreachable) = 'array', 0))
        ) STRICT;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            kind TEXT NOT NULL CHECK (kind IN ('phone', 'tablet', 'computer', 'television', 'console',
                'speaker', 'medical', 'safety', 'other')),
            person INTEGER REFERENCES person ON DELETE SET NULL,
            hardware_address TEXT UNIQUE
                CHECK (length(hardware_address) = 17 AND hardware_address = lower(hardware_address)),
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,
            help_until INTEGER
        ) STRICT;
        CREATE INDEX device_person ON device (person);

        CREATE TABLE device_address (
            address TEXT NOT NULL PRIMARY KEY CHECK (length(address) BETWEEN 2 AND 64),
            device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            UNIQUE (device, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE own_app (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) > 0),
            position INTEGER NOT NULL CHECK (position >= 0),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
            category TEXT NOT NULL,
            suffixes TEXT NOT NULL CHECK (iif(json_valid(suffixes), json_type(suffixes) = 'array', 0)),
            pages TEXT NOT NULL CHECK (iif(json_valid(pages), json_type(pages) = 'array', 0)),
            foreground TEXT NOT NULL CHECK (iif(json_valid(foreground), json_type(foreground) = 'array', 0)),
            service TEXT NOT NULL CHECK (iif(json_valid(service), json_type(service) = 'array', 0))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE selection (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('allowed', 'restricted', 'productive')),
            apps TEXT NOT NULL CHECK (iif(json_valid(apps), json_type(apps) = 'array', 0)),
            categories TEXT NOT NULL CHECK (iif(json_valid(categories), json_type(categories) = 'array', 0)),
            domains TEXT NOT NULL CHECK (iif(json_valid(domains), json_type(domains) = 'array', 0)),
            PRIMARY KEY (person, kind)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE recurring_schedule (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
            start TEXT NOT NULL CHECK (start IS strftime('%H:%M', start)),
            "end" TEXT NOT NULL CHECK ("end" IS strftime('%H:%M', "end")),
            strictness TEXT NOT NULL CHECK (strictness IN ('strict', 'flexible')),
            days TEXT NOT NULL CHECK (iif(json_valid(days), json_array_length(days) BETWEEN 1 AND 7, 0)),
            CHECK (start <> "end")
        ) STRICT;

        CREATE TABLE schedule_exception (
            person INTEGER NOT NULL REFERENCES recurring_schedule ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            days TEXT NOT NULL CHECK (iif(json_valid(days), json_array_length(days) BETWEEN 1 AND 7, 0)),
            start TEXT NOT NULL CHECK (start IS strftime('%H:%M', start)),
            "end" TEXT NOT NULL CHECK ("end" IS strftime('%H:%M', "end")),
            PRIMARY KEY (person, position),
            CHECK (start <> "end")
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE tonight_change (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            night TEXT NOT NULL CHECK (night IS date(night, '+0 days')),
            kind TEXT NOT NULL CHECK (kind IN ('skip', 'later')),
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 0 AND 1440)
        ) STRICT;

        CREATE TABLE sleep_session (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
            mode TEXT NOT NULL CHECK (iif(json_valid(mode), json_type(mode) = 'object', 0)),
            strictness TEXT NOT NULL CHECK (strictness IN ('strict', 'flexible')),
            started_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
            cancels_at INTEGER,
            allowed TEXT NOT NULL CHECK (iif(json_valid(allowed), json_type(allowed) = 'object', 0)),
            night TEXT CHECK (night IS date(night, '+0 days')),
            CHECK (ends_at > started_at)
        ) STRICT;

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

        CREATE TABLE event_kind (
            kind TEXT NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
        INSERT INTO event_kind VALUES ('sessionStarted'), ('sessionEnded'), ('sessionCancelled'),
            ('sessionReset'), ('helpUsed'), ('ruleChanged'), ('deviceEnrolled'), ('deviceReleased');

        CREATE TABLE event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL REFERENCES event_kind,
            person INTEGER REFERENCES person ON DELETE CASCADE,
            device INTEGER REFERENCES device ON DELETE SET NULL,
            instant INTEGER NOT NULL,
            detail TEXT NOT NULL CHECK (length(detail) <= 1000)
        ) STRICT;
        CREATE INDEX event_person ON event (person, id);
        CREATE INDEX event_device ON event (device);

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
