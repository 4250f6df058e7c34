/// Version 6: whether somebody with the passcode said whose a device is. Those that are there count as confirmed.
enum Migration006 {
    static let name = "006 confirmed devices"

    static let sql = """
        ALTER TABLE device ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 1 CHECK (confirmed IN (0, 1));
        """
}
