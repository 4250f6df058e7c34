import AsyncHTTPClient
import NIOCore
import NIOPosix

/// Why a request failed; the description is a sentence for people.
package enum Fault: Error, Hashable, CustomStringConvertible {
    case badAddress
    case unknownHost
    /// `Reach` refuses the address.
    case notAllowed
    /// Plain http to an address outside the home.
    case needsTLS
    case unreachable
    case timedOut
    /// The certificate is not trusted, or there is no TLS.
    case insecure
    case tooLarge
    /// The connection broke, or the answer is not HTTP.
    case broken

    package var description: String {
        switch self {
        case .badAddress: "This address cannot be used."
        case .unknownHost: "There is no server of this name."
        case .notAllowed: "This address leads back to this machine, or it is reserved."
        case .needsTLS: "This address is on the internet, so it needs https."
        case .unreachable: "The server cannot be reached."
        case .timedOut: "The server did not answer in time."
        case .insecure: "The server's certificate cannot be trusted."
        case .tooLarge: "The server's answer is too large."
        case .broken: "The server closed the connection, or its answer is not readable."
        }
    }

    init(_ error: any Error) {
        switch error {
        case let error as HTTPClientError where Self.timeouts.contains(error): self = .timedOut
        case let error as HTTPClientError where error == .tlsHandshakeTimeout: self = .insecure
        case is CancellationError: self = .timedOut
        case is NIOTooManyBytesError: self = .tooLarge
        case _ where String(reflecting: type(of: error)).hasPrefix("NIOSSL."): self = .insecure
        case is NIOConnectionError, is IOError: self = .unreachable
        case ChannelError.connectTimeout: self = .timedOut
        default: self = .broken
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
        .cancelled,
    ]
}
