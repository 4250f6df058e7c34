/// Version 17: how often somebody left on a device and pressed Help, and from when Help opens messengers.
///
/// A departure has one end, and no session of its own to wait for: the later of both holds.
enum Migration017 {
    static let name = "017 leaving"

    static let sql = """
        UPDATE device SET leave_due = max(leave_due, sleep_session.ends_at) FROM sleep_session
            WHERE sleep_session.id = device.leave_session;
        ALTER TABLE device DROP COLUMN leave_session;
        ALTER TABLE device ADD COLUMN help_messages_from INTEGER;

        CREATE TABLE device_leave (
            device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX device_leave_device ON device_leave (device);
        CREATE INDEX device_leave_person ON device_leave (person);

        ALTER TABLE person ADD COLUMN help_night TEXT CHECK (help_night IS date(help_night, '+0 days'));
        ALTER TABLE person ADD COLUMN help_presses INTEGER
            CHECK (help_presses > 0) CHECK ((help_presses IS NULL) = (help_night IS NULL));
        """
}
