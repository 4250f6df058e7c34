import Foundation
import Policy

/// A command's request to the running server on this machine, one JSON line over `DIR/control.sock`.
///
/// One process writes the database at a time (design.md, "Trust"): the server, while it runs.
enum ControlRequest: Codable, Sendable {
    /// A new bearer token with this name.
    case token(name: String)
    /// A new passcode; every login ends.
    case passcode(String)
    /// A backup, in a file that the command then takes: the server's user may write in its own folder only.
    case backup
    /// The content of an AdGuard Home or Pi-hole file; all of it is taken, with the proposed owners. `adults` names new people
    /// who are no children.
    case moveIn(ForeignHousehold, adults: [String])
    /// The server's findings about itself and its surroundings.
    case health
    /// A code for another machine of the household.
    case invite
    /// This machine leads from now on.
    case lead
    /// Whether it serves everything that it should; cheap, asked every half a minute.
    case healthy
}

/// The result: text for standard output, or a reason for standard error.
enum ControlReply: Codable, Sendable {
    case done(String)
    /// A file in the data directory, which the command then takes.
    case file(String)
    case refused(String)
    case health([HealthLine])
}

enum ControlWire {
    static let socketName = "control.sock"
    /// In bytes; no request or reply is longer.
    static let longestLine = 4 * 1024 * 1024

    static func line(_ message: some Encodable) throws -> [UInt8] {
        try [UInt8](JSONEncoder().encode(message)) + [UInt8(ascii: "\n")]
    }
}
