import Foundation
import NIOSSL

/// Why etcd did not do what it was asked.
package enum EtcdFault: Error, Hashable, CustomStringConvertible {
    /// No endpoint answered in time. A transaction may have been carried out all the same.
    case unreachable
    /// The members cannot agree: too few of them see each other.
    case noLeader
    /// etcd is full and takes no writes (`NOSPACE`).
    case full
    /// The same of the household's own, which its machines look after.
    case ownIsFull
    /// The user, the password or the client's certificate is wrong, or lacks the right.
    case denied
    /// The same of the household's own: its users were changed, because a machine was taken out.
    case ownRefuses
    /// No authority that this machine trusts made etcd's certificate, or it is for another address, or over.
    case untrusted
    /// A watch was to begin at a revision that etcd has forgotten.
    case compacted
    /// A lease is over.
    case noLease
    /// More in one transaction than etcd takes.
    case tooMuch
    /// An answer that is none of etcd's, or that says something unforeseen; its words.
    case other(String)

    package var description: String { advice.isEmpty ? reason : "\(reason). \(advice.dropLast())" }

    /// In the middle of a sentence.
    var reason: String {
        switch self {
        case .unreachable: "etcd does not answer"
        case .noLeader: "etcd has no majority of its members"
        case .full, .ownIsFull: "etcd is full"
        case .denied: "etcd refuses this machine's user, password or certificate"
        case .ownRefuses: "the household's etcd does not know this machine any more"
        case .untrusted: "this machine does not trust etcd's certificate"
        case .compacted: "etcd has forgotten what was asked for"
        case .noLease: "the lease is over"
        case .tooMuch: "etcd takes no change of that size"
        case .other(let words): "etcd said: \(words)"
        }
    }

    /// What to do, in whole sentences; empty: it passes by itself.
    var advice: String {
        switch self {
        case .full:
            "Compact and defragment it, then take its alarm back: Docs/two-machines.md has the commands."
        case .ownIsFull: "The machines make room in it by themselves. Try again in a minute."
        case .ownRefuses:
            "If it was taken out, run cluster leave --alone on it. If not, start the other machines: they tell it the new "
                + "password."
        case .untrusted:
            "Name the authority that made it with --etcd-ca, and etcd by an address that stands in it."
        case .tooMuch: "Change less at once."
        default: ""
        }
    }

    /// The same where the household's own etcd said so.
    var ofOwn: EtcdFault {
        switch self {
        case .full: .ownIsFull
        case .denied: .ownRefuses
        default: self
        }
    }

    /// Why there is no answer. What etcd thinks of a client's certificate comes as an alert of TLS (RFC 8446, 6.2), by
    /// which version it is differs when.
    init(connecting error: any Error) {
        let words = "\(error)".uppercased()
        switch error {
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: self = .untrusted
        case _ where words.contains("CERTIFICATE_VERIFY_FAILED"): self = .untrusted
        case _ where words.contains("ALERT") && words.contains("CERTIFICATE"): self = .denied
        default: self = .unreachable
        }
    }

    /// Whether another endpoint may do better.
    var isWorthAnotherEndpoint: Bool {
        switch self {
        case .unreachable, .noLeader, .untrusted: true
        default: false
        }
    }
}

/// How the gateway reports an error: gRPC's code (google.rpc.Code) and etcd's words.
struct EtcdErrorAnswer: Decodable {
    struct Inner: Decodable {
        var message: String?
        var grpcCode: Int?
    }

    /// A text in an answer, an object in a stream.
    enum Error: Decodable {
        case words(String)
        case inner(Inner)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let words = try? container.decode(String.self) {
                self = .words(words)
            } else {
                self = .inner(try container.decode(Inner.self))
            }
        }
    }

    var error: Error
    var code: Int?

    var fault: EtcdFault {
        switch error {
        case .words(let words): Self.fault(words, code: code)
        case .inner(let inner): Self.fault(inner.message ?? "", code: inner.grpcCode)
        }
    }

    private static func fault(_ words: String, code: Int?) -> EtcdFault {
        if words.contains("compacted") { return .compacted }
        if words.contains("space exceeded") || words.contains("NOSPACE") { return .full }
        if words.contains("no leader") || words.contains("leader changed") { return .noLeader }
        if words.contains("lease not found") { return .noLease }
        if words.contains("too many operations") || words.contains("too large") { return .tooMuch }
        if code == 7 || code == 16 || words.contains("user name is empty")
            || words.contains("authentication failed") || words.contains("auth token")
        {
            return .denied
        }
        return code == 14 || code == 4 ? .unreachable : .other(String(words.prefix(200)))
    }
}
