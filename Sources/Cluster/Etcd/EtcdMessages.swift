import Foundation

// etcd's messages as its JSON gateway writes them (rpc.proto): bytes are base64, 64-bit numbers are texts, and what is
// zero or empty is left out.

/// Our names for etcd's: `modRevision` is its `mod_revision`, `ttl` and `id` are its `TTL` and `ID`.
private struct EtcdKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }

    static func theirs(_ own: String) -> EtcdKey {
        if own == "ttl" || own == "id" { return EtcdKey(stringValue: own.uppercased()) }
        // etcd itself writes these so.
        if ["peerURLs", "isLearner", "permType", "memberID"].contains(own) {
            return EtcdKey(stringValue: own)
        }
        return EtcdKey(
            stringValue: own.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) })
    }

    static func own(_ theirs: String) -> EtcdKey {
        if theirs == "TTL" || theirs == "ID" { return EtcdKey(stringValue: theirs.lowercased()) }
        let words = theirs.split(separator: "_")
        return EtcdKey(
            stringValue: (words.first.map(String.init) ?? "") + words.dropFirst().map(\.capitalized).joined())
    }
}

extension JSONEncoder {
    static var ofEtcd: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .custom { EtcdKey.theirs($0.last?.stringValue ?? "") }
        return encoder
    }
}

extension JSONDecoder {
    static var ofEtcd: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { EtcdKey.own($0.last?.stringValue ?? "") }
        return decoder
    }
}

/// A 64-bit number, which JSON carries as a text.
struct Int64Text: Codable, Hashable {
    var value: Int64

    init(_ value: Int64) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            value = number
        } else if let number = Int64(try container.decode(String.self)) {
            value = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no 64-bit number")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(value))
    }
}

struct EtcdHeader: Decodable { var revision: Int64Text? }

struct EtcdPair: Decodable {
    var key: Data
    var value: Data?
    var modRevision: Int64Text?
}

struct RangeRequest: Encodable {
    var key: Data
    var rangeEnd: Data?
    var revision: Int64Text?
    var limit: Int64Text?
}

struct RangeAnswer: Decodable {
    var header: EtcdHeader?
    var kvs: [EtcdPair]?
    var more: Bool?
}

struct PutRequest: Encodable {
    var key: Data
    var value: Data
    var lease: Int64Text?
}

struct DeleteRequest: Encodable {
    var key: Data
    var rangeEnd: Data?
}

struct TransactionRequest: Encodable {
    struct Compare: Encodable {
        var key: Data
        var target = "MOD"
        var result = "EQUAL"
        /// 0: there is no such key.
        var modRevision: Int64Text
    }

    struct Operation: Encodable {
        var requestPut: PutRequest?
        var requestDeleteRange: DeleteRequest?
    }

    var compare: [Compare]
    var success: [Operation]
}

struct TransactionAnswer: Decodable {
    var header: EtcdHeader?
    var succeeded: Bool?
}

struct LeaseRequest: Encodable { var ttl: Int64Text }

struct LeaseID: Codable { var id: Int64Text }

struct LeaseAnswer: Decodable {
    var id: Int64Text?
    var error: String?
}

/// The answer is in a frame, because etcd's keep-alive is a stream.
struct KeepAliveAnswer: Decodable {
    struct Result: Decodable { var ttl: Int64Text? }

    var result: Result?
}

struct LoginRequest: Encodable {
    var name: String
    var password: String
}

struct LoginAnswer: Decodable { var token: String? }

struct WatchRequest: Encodable {
    struct Create: Encodable {
        var key: Data
        var rangeEnd: Data
        var startRevision: Int64Text
    }

    var createRequest: Create
}

/// A line of the stream.
struct WatchAnswer: Decodable {
    struct Event: Decodable {
        /// `DELETE`; nil: a put.
        var type: String?
        var kv: EtcdPair
    }

    struct Result: Decodable {
        var header: EtcdHeader?
        var created: Bool?
        var canceled: Bool?
        var cancelReason: String?
        var compactRevision: Int64Text?
        var events: [Event]?
    }

    var result: Result?
}

struct MaintenanceAnswer: Decodable {
    var version: String?
    var dbSize: Int64Text?
    /// The number of the leader that it knows; nil: none.
    var leader: String?
}

struct Nothing: Codable {}
