import GRDB
package import Policy

extension HouseholdStore {
    /// Makes a change as `change` does and takes it back. Nobody is told of it, and nothing of it reaches the disk.
    ///
    /// The first change of a process takes longer than the next: Swift's runtime searches all conformances of the
    /// program for each type that is written as JSON, SQLite compiles each statement, and the machine maps the code. A
    /// server does that once at rest, so that the first press on Start need not wait for it.
    package func rehearse(_ body: (inout Household, inout [LogEntry]) throws -> Void) {
        // If it fails, nobody is told: a change that fails for the same reason will say so.
        try? inLine { db in
            // A press would wait for a rehearsal, so a rehearsal waits for no other program.
            try db.wait(atMost: 0)
            defer { try? db.wait(atMost: OpenDatabase.busyTimeout) }
            try db.inTransaction(.immediate) {
                let made = try Outcome(of: body, on: household, adding: Held())
                try write(db, made.household, made.held)
                return .rollback
            }
        }
    }
}
