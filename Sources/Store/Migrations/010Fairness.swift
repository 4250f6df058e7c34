/// Version 10: who changed a rule, who leaves or has left on a device, and what somebody asks for.
///
/// `subject` is the rule that a line of the log is about, `hand` and `hand_words` who did it; all are empty where nobody
/// did. A device's `left_by` and `left_at` are there together, and so are `leave_asked_at` and `leave_due`.
enum Migration010 {
    static let name = "010 fairness"

    static let sql = """
        ALTER TABLE event ADD COLUMN subject TEXT CHECK (length(subject) BETWEEN 1 AND 40);
        ALTER TABLE event ADD COLUMN hand TEXT CHECK (hand IN ('signedIn', 'ownDevice', 'program', 'machine'));
        ALTER TABLE event ADD COLUMN hand_words TEXT CHECK (length(hand_words) <= 200);
        INSERT INTO event_kind VALUES ('deviceLeft'), ('wishAsked'), ('wishGranted'), ('wishDeclined');

        ALTER TABLE device ADD COLUMN leave_asked_at INTEGER;
        ALTER TABLE device ADD COLUMN leave_due INTEGER CHECK ((leave_due IS NULL) = (leave_asked_at IS NULL));
        ALTER TABLE device ADD COLUMN leave_session TEXT CHECK (length(leave_session) = 36);
        ALTER TABLE device ADD COLUMN left_by INTEGER REFERENCES person ON DELETE SET NULL;
        ALTER TABLE device ADD COLUMN left_at INTEGER;

        CREATE TABLE wish (
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
            kind TEXT NOT NULL CHECK (kind IN ('app', 'later', 'skip')),
            app TEXT CHECK (length(app) BETWEEN 1 AND 200),
            night TEXT CHECK (night IS date(night, '+0 days')),
            device INTEGER REFERENCES device ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
            asked_at INTEGER NOT NULL,
            answer TEXT NOT NULL CHECK (answer IN ('open', 'granted', 'declined')),
            answered_at INTEGER,
            CHECK ((kind = 'app') = (app IS NOT NULL)),
            CHECK ((kind = 'app') = (night IS NULL)),
            CHECK ((answer = 'open') = (answered_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX wish_person ON wish (person);
        CREATE INDEX wish_device ON wish (device);
        """
}
