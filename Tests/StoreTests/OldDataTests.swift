import Foundation
import Policy
import Testing

@testable import Store

@Suite("Data of a build before the first release are refused in one sentence and left as they are")
struct OldDataTests {
    private func old(_ migrations: String) throws -> Scratch {
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        try scratch.execute(
            """
            PRAGMA application_id = \(Schema.applicationID);
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            INSERT INTO grdb_migrations VALUES \(migrations);
            CREATE TABLE household (id INTEGER PRIMARY KEY);
            """)
        return scratch
    }

    @Test(arguments: ["('001 foundation'), ('018 one ledger of verified minutes')", "('1 documents')"])
    func refusedAndUntouched(migrations: String) throws {
        let scratch = try old(migrations)
        let before = try Data(contentsOf: URL(filePath: scratch.database))
        let expected = StoreError.older(path: scratch.database)
        #expect(throws: expected) { try scratch.open() }
        #expect(throws: expected) { try HouseholdStore.readOnly(directory: scratch.path) }
        #expect(
            scratch.names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == [
                "sleep-inducer.sqlite"
            ])
        #expect(try Data(contentsOf: URL(filePath: scratch.database)) == before)
        #expect(expected.description.contains("before the first release"))
    }

    @Test func noBackupOfThemIsRestored() throws {
        let (scratch, other) = (try old("('001 foundation')"), Scratch())
        let store = try other.open()
        #expect(throws: StoreError.older(path: scratch.database)) {
            try store.restore(from: scratch.database, at: noon)
        }
    }
}
