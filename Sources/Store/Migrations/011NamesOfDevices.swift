/// Version 11: what the network calls a device, which hardware addresses it had before, and which it is said not to be.
///
/// `named` tells whether a person gave the name; those that were made up here until now are known by their form.
enum Migration011 {
    static let name = "011 names of devices"

    static let sql = """
        ALTER TABLE device ADD COLUMN named INTEGER NOT NULL DEFAULT 1 CHECK (named IN (0, 1));
        ALTER TABLE device ADD COLUMN network_name TEXT CHECK (length(network_name) BETWEEN 1 AND 60);
        UPDATE device SET named = 0 WHERE name = 'Device ' || id OR name LIKE 'Device at %';

        CREATE TABLE former_hardware (
            address TEXT NOT NULL PRIMARY KEY CHECK (length(address) = 17 AND address = lower(address)),
            device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            UNIQUE (device, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE told_apart (
            device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
            other INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
            PRIMARY KEY (device, other)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX told_apart_other ON told_apart (other);
        """
}
