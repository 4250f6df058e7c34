package import Foundation

/// What was read, by key, and as of which revision.
package struct EtcdReading: Sendable {
    package struct Value: Hashable, Sendable {
        package var bytes: Data
        /// The revision at which it was put.
        package var revision: Int64
    }

    package var revision: Int64
    package var values: [String: Value]

    mutating func take(_ pair: EtcdPair) {
        values[String(decoding: pair.key, as: UTF8.self)] = Value(
            bytes: pair.value ?? Data(), revision: pair.modRevision?.value ?? 0)
    }
}

/// Puts and deletions that happen together, if keys were put at the revisions that are compared.
package struct EtcdTransaction: Sendable {
    /// By key; 0: there is no such key.
    package var comparing: [String: Int64] = [:]
    package var puts: [String: Data] = [:]
    package var deletions: Set<String> = []
    /// With which all that is put ends; nil: with none.
    package var lease: Int64?

    var message: TransactionRequest {
        TransactionRequest(
            compare: comparing.map { key, revision in
                .init(key: Data(key.utf8), modRevision: Int64Text(revision))
            },
            success: puts.map { key, value in
                .init(
                    requestPut: PutRequest(
                        key: Data(key.utf8), value: value, lease: lease.map { Int64Text($0) }))
            }
                + deletions.map { .init(requestDeleteRange: DeleteRequest(key: Data($0.utf8))) })
    }
}

/// What one revision changed, whole.
package struct EtcdNews: Sendable {
    package var revision: Int64
    package var puts: [String: EtcdReading.Value] = [:]
    package var deletions: Set<String> = []
}
