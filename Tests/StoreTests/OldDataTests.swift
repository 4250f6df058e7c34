import Foundation
import Policy
import Testing

@testable import Store

@Suite("Data of a build before the first release are refused in one sentence and left as they are")
struct OldDataTests {
    private func old() throws -> Scratch {
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        try scratch.execute(
            """
            PRAGMA application_id = \(Schema.applicationID);
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            INSERT INTO grdb_migrations VALUES ('001 foundation'), ('018 one ledger of verified minutes');
            CREATE TABLE household (id INTEGER PRIMARY KEY);
            """)
        return scratch
    }

    @Test func refusedAndUntouched() throws {
        let scratch = try old()
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
        let (scratch, other) = (try old(), Scratch())
        let store = try other.open()
        #expect(throws: StoreError.older(path: scratch.database)) {
            try store.restore(from: scratch.database, at: noon)
        }
    }
}
