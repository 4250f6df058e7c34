import GRDB
import Policy
import Synchronization

extension HouseholdStore {
    /// Another node went on from an earlier change than the last one that this node knows: what came after that change
    /// was told to none of its followers. From now on that change is the last one here, and the rest is told anew, as
    /// after a time in which this node was cut off.
    ///
    /// - Parameters:
    ///   - texts: all texts after that change; nil: this node knows no later one, and keeps what it has.
    ///   - stories: what happened afterwards (`Story`).
    package func goBack(to head: Head, _ texts: [String: String]?, telling stories: [String]) throws {
        try inLine { db in
            guard var sharing = state.withLock({ $0.sharing }) else { return }
            sharing.head = head
            if let texts {
                sharing.texts = texts
                sharing.isPending = true
            }
            try commit(db) {
                var untold = try SharedTable.kept(db)
                for json in stories { if let story = try? Story(json: json) { untold.add(story) } }
                try SharedTable.forgetKept(db)
                try SharedTable.rewrite(db, sharing, untold: untold)
            } adopting: {
                adopt(sharing)
            }
        }
    }
}
