import Foundation
import Store
import Synchronization

/// Seals what goes into etcd and opens what comes out of it.
final class Vault: Sendable {
    private let keys: Mutex<HouseholdKeys>

    init(_ keys: HouseholdKeys) { self.keys = Mutex(keys) }

    var current: HouseholdKeys { keys.withLock { $0 } }

    /// Returns whether there was a new one.
    func take(_ other: HouseholdKeys) -> Bool {
        keys.withLock { keys in
            let before = keys
            keys.take(other)
            return keys != before
        }
    }

    func seal(_ text: String, at key: String) -> Data { current.seal(Data(text.utf8), for: key) }

    func seal(_ value: some Encodable, at key: String) throws -> Data {
        current.seal(try JSONEncoder().encode(value), for: key)
    }

    /// What a head proves. Nil: it is none of this household's.
    func text(_ bytes: Data?, at key: String) -> String? {
        bytes.flatMap { current.open($0, for: key, isProven: true) }
            .flatMap { String(data: $0, encoding: .utf8) }
    }

    /// - Parameter isProven: whether a head proves it.
    func value<Value: Decodable>(
        _ bytes: Data?, at key: String, isProven: Bool = false, _: Value.Type = Value.self
    ) -> Value? {
        bytes.flatMap { current.open($0, for: key, isProven: isProven) }.flatMap {
            try? JSONDecoder().decode(Value.self, from: $0)
        }
    }

    func seal(_ head: HeadValue, of place: EtcdKeys) throws -> Data {
        try seal(head, at: head.proof == nil ? place.head : place.provenHead)
    }

    /// The head in a record; nil where no node of the household sealed it.
    func head(_ bytes: Data?, of place: EtcdKeys) -> HeadValue? {
        if let head: HeadValue = value(bytes, at: place.provenHead) { return head.proof == nil ? nil : head }
        let head: HeadValue? = value(bytes, at: place.head)
        return head?.proof == nil ? head : nil
    }
}
