/// Version 16: what somebody said of hardware addresses: that one device has each, or that it may be a repeater's.
enum Migration016 {
    static let name = "016 not repeaters"

    static let sql = """
        ALTER TABLE household ADD COLUMN not_repeaters TEXT NOT NULL DEFAULT '[]'
            CHECK (iif(json_valid(not_repeaters), json_type(not_repeaters) = 'array', 0));
        ALTER TABLE household ADD COLUMN possible_repeaters TEXT NOT NULL DEFAULT '[]'
            CHECK (iif(json_valid(possible_repeaters), json_type(possible_repeaters) = 'array', 0));
        """
}
