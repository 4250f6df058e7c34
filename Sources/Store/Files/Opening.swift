/// How the database was found when it was opened.
package struct Opening: Hashable, Sendable {
    package enum Rules: Hashable, Sendable {
        /// As stored; nothing was damaged.
        case stored
        /// A new household.
        case new
        /// From `last-known.json`, because the database was damaged or gone.
        case lastKnown
        /// From a backup, because the database was damaged and so was `last-known.json`.
        case backup
        /// As stored or last known, on a disk that takes no changes yet.
        case unwritable
        /// The database was damaged and nothing else was readable: a new household, nothing blocked.
        case lost
    }

    package var rules: Rules
    /// What was wrong with the file.
    package var reason: String?
    /// Where the damaged file was moved.
    package var setAside: String?
    /// The backup that passcode, log and history were taken from.
    package var backup: String?
    /// What was damaged inside a usable file, in sentences.
    package var damage: [String] = []

    /// One calm paragraph for the terminal and the settings page; nil: nothing was damaged.
    package var notice: String? {
        guard let reason else { return damage.isEmpty ? nil : damage.joined(separator: " ") }
        if rules == .unwritable {
            return
                "Changes cannot be saved: \(reason). Blocking goes on with the same rules. Saving works again "
                + "when the disk does."
        }
        var sentences = ["The database could not be used: \(reason)."]
        if let setAside { sentences.append("It was set aside as \(setAside).") }
        switch rules {
        case .stored, .new, .unwritable: break
        case .lastKnown: sentences.append("Blocking goes on with the last known rules.")
        case .backup: sentences.append("Blocking goes on with the rules of the backup.")
        case .lost: sentences.append("No rules could be read. Nothing is blocked until you set them again.")
        }
        if let backup {
            sentences.append("Passcode and history come from \(backup). Log in again in every browser.")
        } else {
            sentences.append("There is no good backup. Set the passcode again.")
        }
        return (sentences + damage).joined(separator: " ")
    }
}
