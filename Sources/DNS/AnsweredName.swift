/// Addresses that were answered to an enrolled client since the last collection; told for a gateway only.
package struct AnsweredName: Hashable, Sendable {
    /// Lower case, without the root's dot.
    package var name: String
    /// Public ones; what leads into the home is not told.
    package var addresses: [ClientAddress]

    package init(name: String, addresses: [ClientAddress]) {
        self.name = name
        self.addresses = addresses
    }
}

/// What one event loop answered between two collections: the answers themselves, which are read at the collection.
struct AnswerNotes {
    private struct Key: FlatKey {
        let answer: ObjectIdentifier

        func hash(seed: UInt64) -> UInt64 {
            let mixed = (UInt64(UInt(bitPattern: answer)) ^ seed) &* 0x9e37_79b9_7f4a_7c15
            return mixed ^ mixed >> 32
        }
    }

    /// A bound on memory and on what a collection hands over.
    static let capacity = 2048

    private var answers = FlatTable<Key, Answer>()

    mutating func note(_ answer: Answer) {
        guard answers.count < Self.capacity else { return }
        _ = answers.insert(Key(answer: ObjectIdentifier(answer)), answer)
    }

    /// Hands over what was noted and begins anew.
    mutating func collect() -> [AnsweredName] {
        guard answers.count > 0 else { return [] }
        let collected = answers.values.compactMap(\.answeredName)
        answers.removeAll()
        return collected
    }
}

extension Answer {
    /// Nil without an address that is public, and where the name is no host's.
    fileprivate var answeredName: AnsweredName? {
        let addresses = publicAddresses
        guard !addresses.isEmpty,
            let name = RefusedNames.text(Array(message[WireSize.header..<questionEnd - 4]))
        else { return nil }
        return AnsweredName(name: name, addresses: addresses)
    }

    /// Of its answer section, those that HTTPS and SVCB records hint at included.
    var publicAddresses: [ClientAddress] {
        message.withUnsafeBytes { bytes in
            var found: [ClientAddress] = []
            var offset = questionEnd
            for _ in 0..<counts.0 {
                guard let nameEnd = bytes.endOfName(at: offset), nameEnd + 10 <= bytes.count else { break }
                let data = nameEnd + 10
                let next = data + Int(bytes.u16(nameEnd + 8))
                guard next <= bytes.count else { break }
                switch bytes.u16(nameEnd) {
                case RecordType.a where next - data == 4:
                    found.append(ClientAddress(v4: bytes.u32(data)))
                case RecordType.aaaa where next - data == 16:
                    if let v6 = ClientAddress(ipv6: UnsafeRawBufferPointer(rebasing: bytes[data..<next])) {
                        found.append(v6)
                    }
                case RecordType.https, RecordType.svcb:
                    found += ServiceBinding.hints(bytes, data, next)
                default: break
                }
                offset = next
            }
            return found.filter { !$0.isPrivate }
        }
    }
}

extension Resolver {
    /// Takes over which addresses were answered to enrolled clients since the last call, where that is noted at all.
    package func collectAnswers() async -> [AnsweredName] {
        await loops.ask { $0.responder.answers?.collect() ?? [] }.flatMap { $0 }
    }
}
