import Directory

/// What one event loop notes for the set-up check between two collections. Bounded, because names and addresses are the
/// client's to choose; what does not fit is forgotten.
struct CheckNotes {
    private struct Note: Equatable {
        let id: CheckID
        let family: CheckQuestion.Family
        let client: ClientAddress
        let type: UInt16
        let isDatagram: Bool
    }

    /// Bounds for the time between two collections, which are a second apart.
    static let capacity = 256
    static let mostOfAClient = 32

    private var notes: [Note] = []
    private var signs: [EvasionSign] = []
    private var unbelieved: Set<ClientAddress> = []

    mutating func note(_ name: CheckName, by client: ClientAddress, type: UInt16, isDatagram: Bool) {
        guard notes.count < Self.capacity else { return }
        let note = Note(
            id: name.id, family: name.family, client: client, type: type, isDatagram: isDatagram)
        var ofClient = 0
        for known in notes {
            if known == note { return }
            if known.client == client { ofClient += 1 }
        }
        if ofClient < Self.mostOfAClient { notes.append(note) }
    }

    mutating func note(_ kinds: ServedNames.Kinds, by client: ClientAddress) {
        guard signs.count < Self.capacity else { return }
        let kind: EvasionSign.Kind =
            kinds.contains(.encryptedResolver)
            ? .encryptedResolver
            : kinds.contains(.browserCanary)
                ? .browserCanary : kinds.contains(.relayCanary) ? .relayCanary : .designatedResolver
        let sign = EvasionSign(client: client, kind: kind)
        if !signs.contains(sign) { signs.append(sign) }
    }

    /// Notes a client that names the device for which it asks, but is no configured forwarder.
    mutating func note(unbelieved client: ClientAddress) {
        if unbelieved.count < Self.mostOfAClient { unbelieved.insert(client) }
    }

    /// Returns the notes and clears them.
    mutating func collect() -> (
        questions: [CheckQuestion], signs: [EvasionSign], unbelieved: Set<ClientAddress>
    ) {
        defer {
            notes.removeAll(keepingCapacity: true)
            signs.removeAll(keepingCapacity: true)
            unbelieved.removeAll(keepingCapacity: true)
        }
        let questions = notes.map {
            CheckQuestion(
                id: $0.id.text, family: $0.family, client: $0.client, type: $0.type, isDatagram: $0.isDatagram
            )
        }
        return (questions, signs, unbelieved)
    }
}
