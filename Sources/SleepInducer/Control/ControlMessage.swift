import Foundation
import Policy

/// What a command on this machine asks of a running server, one JSON line over `DIR/control.sock`.
///
/// One process writes the database at a time (design.md, "Trust"): while a server runs, it is the one.
enum ControlRequest: Codable, Sendable {
    /// A new bearer token with this name.
    case token(name: String)
    /// A new passcode; every login ends.
    case passcode(String)
    /// A backup, whose bytes come back: the server's user may write nowhere but in its own folder.
    case backup
    /// What the server knows of itself and of what changed around it.
    case health
}

/// What came of it: text for standard output, or a reason for standard error.
enum ControlReply: Codable, Sendable {
    case done(String)
    /// A file for the command to take: written for it in the data directory.
    case file(String)
    case refused(String)
    case health([HealthLine])
}

enum ControlWire {
    static let socketName = "control.sock"
    /// Nothing that is asked or answered is longer.
    static let longestLine = 64 * 1024

    static func line(_ message: some Encodable) throws -> [UInt8] {
        try [UInt8](JSONEncoder().encode(message)) + [UInt8(ascii: "\n")]
    }
}
