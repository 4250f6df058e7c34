/// Version 15: hardware addresses that several devices were seen to have at once.
enum Migration015 {
    static let name = "015 repeaters"

    static let sql = """
        ALTER TABLE household ADD COLUMN repeaters TEXT NOT NULL DEFAULT '[]'
            CHECK (iif(json_valid(repeaters), json_type(repeaters) = 'array', 0));
        """
}
