/// Version 16: hardware addresses that are one device's, because somebody said so.
enum Migration016 {
    static let name = "016 not repeaters"

    static let sql = """
        ALTER TABLE household ADD COLUMN not_repeaters TEXT NOT NULL DEFAULT '[]'
            CHECK (iif(json_valid(not_repeaters), json_type(not_repeaters) = 'array', 0));
        """
}
