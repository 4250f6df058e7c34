/// Version 12: which authority of the household a device was seen to trust, by its fingerprint (SHA-256 in hex).
enum Migration012 {
    static let name = "012 trusted authority"

    static let sql = """
        ALTER TABLE device ADD COLUMN trusted_authority TEXT
            CHECK (length(trusted_authority) = 64 AND trusted_authority NOT GLOB '*[^0-9a-f]*');
        """
}
