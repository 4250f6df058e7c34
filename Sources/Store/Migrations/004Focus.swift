/// Version 4: a person's focus timer and everything that was focused.
///
/// `timer` says which columns of a timer a row has: all of them hold only what that state knows. Lengths are seconds,
/// but `last_preset`, which is minutes as people choose them. A session is known by its id among its person's, so that
/// what comes twice, from a file or after a restart, stands there once.
enum Migration004 {
    static let name = "004 focus"

    static let sql = """
        CREATE TABLE focus (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            timer TEXT NOT NULL CHECK (timer IN ('idle', 'running', 'paused')),
            total INTEGER NOT NULL CHECK (total BETWEEN 1 AND 86400),
            remaining INTEGER CHECK (remaining BETWEEN 1 AND total),
            session TEXT CHECK (length(session) = 36),
            start INTEGER,
            since INTEGER,
            ends_at INTEGER,
            seen INTEGER,
            last_preset INTEGER NOT NULL CHECK (last_preset BETWEEN 1 AND 1440),
            shields INTEGER NOT NULL CHECK (shields IN (0, 1)),
            dnd_shortcut TEXT NOT NULL CHECK (length(dnd_shortcut) <= 200),
            grayscale_shortcut TEXT NOT NULL CHECK (length(grayscale_shortcut) <= 200),
            CHECK ((timer = 'idle') = (session IS NULL)),
            CHECK ((timer = 'idle') = (since IS NULL)),
            CHECK ((timer = 'running') = (remaining IS NULL)),
            CHECK ((timer = 'running') = (ends_at IS NOT NULL)),
            CHECK ((timer = 'running') = (seen IS NOT NULL)),
            CHECK (iif(timer = 'running', start IS NOT NULL, timer = 'paused' OR start IS NULL)),
            CHECK (iif(timer = 'running', start <= since AND since <= seen AND seen < ends_at
                AND ends_at - seen <= total * 1000, 1))
        ) STRICT;

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
        """
}
