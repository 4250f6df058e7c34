/// Version 8: what was set as DNS before this server, for the way back, and until when a device tries what a night is.
enum Migration008 {
    static let name = "008 the end of set-up"

    static let sql = """
        ALTER TABLE household ADD COLUMN former_dns TEXT NOT NULL DEFAULT '' CHECK (length(former_dns) <= 200);
        ALTER TABLE device ADD COLUMN try_until INTEGER;
        """
}
