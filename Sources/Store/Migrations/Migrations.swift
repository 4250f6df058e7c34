import GRDB

/// Every version of the schema, in order. None is ever edited after a release.
enum Migrations {
    static let all: [(name: String, sql: String)] = [
        (Migration001.name, Migration001.sql),
        (Migration002.name, Migration002.sql),
        (Migration003.name, Migration003.sql),
        (Migration004.name, Migration004.sql),
        (Migration005.name, Migration005.sql),
        (Migration006.name, Migration006.sql),
        (Migration007.name, Migration007.sql),
        (Migration008.name, Migration008.sql),
        (Migration009.name, Migration009.sql),
        (Migration010.name, Migration010.sql),
        (Migration011.name, Migration011.sql),
        (Migration012.name, Migration012.sql),
        (Migration013.name, Migration013.sql),
        (Migration014.name, Migration014.sql),
        (Migration015.name, Migration015.sql),
        (Migration016.name, Migration016.sql),
        (Migration017.name, Migration017.sql),
        (Migration018.name, Migration018.sql),
    ]

    /// Marks a file as ours: "SLIN" in SQLite's header.
    static let applicationID: Int64 = 0x534C_494E

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        for migration in all {
            migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
        }
        return migrator
    }()
}
