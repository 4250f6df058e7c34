import Foundation
import Logging
import Policy

/// What reading the rows found that no row should hold: for the log at once, and for whoever opened the database.
final class ReadingLog {
    private let log: Logger
    /// The last instant that this database knows to have been; nil: it is new.
    let lastInstant: Date?
    /// In the order of reading, each a sentence without its stop.
    private(set) var said: [String] = []
    /// Whose running session is not as it was written.
    var damagedSessions: Set<PersonID> = []

    init(_ log: Logger, lastInstant: Date? = nil) {
        self.log = log
        self.lastInstant = lastInstant
    }

    func warning(_ sentence: String) {
        log.warning("\(sentence)")
        said.append(sentence)
    }
}
