import Directory

/// Addresses that were answered to an enrolled client since the last collection; told for a gateway only.
package struct AnsweredName: Hashable, Sendable {
    /// Lower case, without the root's dot.
    package var name: String
    /// Public ones; what leads into the home is not told.
    package var addresses: [ClientAddress]
    /// Who asked.
    package var client: ClientAddress
    /// By what its share is counted (`Responder.holder`): a device has many addresses in IPv6.
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

/// What one event loop answered between two collections: the answers themselves, which are read at the collection.
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

    /// Bounds on memory and on what a collection hands over. Nobody takes the room of others, and what finds no room is
    /// not answered: a gateway could never close it.
    static let capacity = 4096
    static let share = 512

    private var notes = FlatTable<Key, Note>()
    private var holders = FlatTable<ClientAddress, ClientAddress>()
    /// How many notes each holder has.
    private var shares = FlatTable<ClientAddress, Int>()

    /// - Parameter holder: of the client; asked once between two collections.
    /// - Returns: false where there is no room for it.
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

    /// Hands over what was noted and begins anew.
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
    /// Nil without an address that is public, and where the name is no host's.
    fileprivate func answeredName(to client: ClientAddress, of holder: ClientAddress) -> AnsweredName? {
        let addresses = publicAddresses
        guard !addresses.isEmpty,
            let name = RefusedNames.text(Array(message[WireSize.header..<questionEnd - 4]))
        else { return nil }
        return AnsweredName(name: name, addresses: addresses, client: client, holder: holder)
    }

    /// Of all its sections: those that HTTPS and SVCB records hint at, and what comes with an alias or an SRV record
    /// (RFC 9460, 4.2; RFC 2782), included.
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
    /// Takes over which addresses were answered to enrolled clients since the last call, where that is noted at all.
    package func collectAnswers() async -> [AnsweredName] {
        await loops.ask { $0.responder.answers?.collect() ?? [] }.flatMap { $0 }
    }
}
