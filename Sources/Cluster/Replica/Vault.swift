import Foundation
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

    /// Nil: it is none of this household's.
    func text(_ bytes: Data?, at key: String) -> String? {
        bytes.flatMap { current.open($0, for: key) }.flatMap { String(data: $0, encoding: .utf8) }
    }

    func value<Value: Decodable>(_ bytes: Data?, at key: String, _: Value.Type = Value.self) -> Value? {
        bytes.flatMap { current.open($0, for: key) }.flatMap {
            try? JSONDecoder().decode(Value.self, from: $0)
        }
    }
}
