/// Version 14: of which tablets somebody said that they have no mobile data.
enum Migration014 {
    static let name = "014 no mobile data"

    static let sql = """
        ALTER TABLE device ADD COLUMN no_mobile_data INTEGER NOT NULL DEFAULT 0
            CHECK (no_mobile_data IN (0, 1) AND (no_mobile_data = 0 OR kind = 'tablet'));
        """
}
