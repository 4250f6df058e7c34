import Directory

/// Addresses that were answered to an enrolled client since the last collection; told for a gateway only.
package struct AnsweredName: Hashable, Sendable {
    /// Lower case, without the root's dot.
    package var name: String
    /// Public addresses only.
    package var addresses: [ClientAddress]
    package var client: ClientAddress
    /// The key by which its share is counted (`Responder.holder`): a device has many IPv6 addresses.
    package var holder: ClientAddress

    package init(
        name: String, addresses: [ClientAddress], client: ClientAddress, holder: ClientAddress? = nil
    ) {
        self.name = name
        self.addresses = addresses
        self.client = client
        self.holder = holder ?? client
    }
}

/// Answers of one event loop between two collections. A collection reads the addresses in them.
struct AnswerNotes {
    private struct Key: FlatKey {
        let answer: ObjectIdentifier
        let client: ClientAddress

        func hash(seed: UInt64) -> UInt64 {
            client.hash(seed: seed ^ UInt64(UInt(bitPattern: answer)) &* 0x9e37_79b9_7f4a_7c15)
        }
    }

    private struct Note {
        let answer: Answer
        let holder: ClientAddress
    }

    /// Bounds on memory and on the size of a collection. No holder takes the room of others. An answer without room is
    /// not sent, because the gateway could never close its addresses.
    static let capacity = 4096
    static let share = 512

    private var notes = FlatTable<Key, Note>()
    private var holders = FlatTable<ClientAddress, ClientAddress>()
    /// How many notes each holder has.
    private var shares = FlatTable<ClientAddress, Int>()

    /// - Parameter holder: the holder of a client; asked once per client between two collections.
    /// - Returns: false if there is no room for it.
    mutating func note(
        _ answer: Answer, to client: ClientAddress, holder: (ClientAddress) -> ClientAddress
    ) -> Bool {
        let key = Key(answer: ObjectIdentifier(answer), client: client)
        if notes.index(of: key) >= 0 || answer.publicAddresses.isEmpty { return true }
        guard notes.count < Self.capacity, holders.count < Self.capacity else { return false }
        let holder = holders.values[holders.insert(client, holder(client))]
        let share = shares.insert(holder, 0)
        guard shares.values[share] < Self.share else { return false }
        shares.values[share] += 1
        _ = notes.insert(key, Note(answer: answer, holder: holder))
        return true
    }

    /// Returns the notes and clears them.
    mutating func collect() -> [AnsweredName] {
        let collected = zip(notes.keys, notes.values).compactMap { key, note in
            note.answer.answeredName(to: key.client, of: note.holder)
        }
        if notes.count > 0 { notes.removeAll() }
        if holders.count > 0 { holders.removeAll() }
        if shares.count > 0 { shares.removeAll() }
        return collected
    }
}

extension Answer {
    /// Nil if no address is public, or the name is no host name.
    fileprivate func answeredName(to client: ClientAddress, of holder: ClientAddress) -> AnsweredName? {
        let addresses = publicAddresses
        guard !addresses.isEmpty,
            let name = RefusedNames.text(Array(message[WireSize.header..<questionEnd - 4]))
        else { return nil }
        return AnsweredName(name: name, addresses: addresses, client: client, holder: holder)
    }

    /// The public addresses of all sections, also in hints of HTTPS and SVCB records and in additional records for an
    /// alias or an SRV record (RFC 9460, 4.2; RFC 2782).
    var publicAddresses: [ClientAddress] {
        message.withUnsafeBytes { bytes in
            Records(bytes, behindQuestion: questionEnd)
                .flatMap { $0.addresses(in: bytes) ?? [] }
                .compactMap { $0 }
                .filter { !$0.isPrivate }
        }
    }
}

extension Resolver {
    /// The addresses in answers to enrolled clients since the last call; empty if they are not noted.
    package func collectAnswers() async -> [AnsweredName] {
        await loops.ask { $0.responder.answers?.collect() ?? [] }.flatMap { $0 }
    }
}
