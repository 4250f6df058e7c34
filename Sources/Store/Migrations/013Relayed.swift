/// Version 13: which of a person's apps are relayed; no row while none is.
enum Migration013 {
    static let name = "013 relayed apps"

    static let sql = """
        CREATE TABLE relayed (
            person INTEGER NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
            ruled INTEGER NOT NULL CHECK (ruled IN (0, 1)),
            apps TEXT NOT NULL CHECK (json_valid(apps))
        ) STRICT;
        """
}
