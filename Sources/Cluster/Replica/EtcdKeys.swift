import Foundation
import Policy
import Store

/// The etcd keys of a household.
///
/// Present values and past events have separate prefixes, so that the first are read in one go. Every value is
/// encrypted for its own key.
struct EtcdKeys: Sendable {
    /// Of all households.
    static let beginning = "sleep-inducer/"

    /// All of the household.
    let all: String

    init(of household: UUID) { all = "\(Self.beginning)\(household.uuidString.lowercased())/" }

    /// Documents, logins, nodes, keys, files.
    var now: String { all + "now/" }
    /// The number of the last change. Every change compares this key's revision and writes it anew, so all have one
    /// order.
    var head: String { now + "head" }
    /// For what a head with a proof is sealed. A build from before the proofs does not open it, and makes no change
    /// without one.
    var provenHead: String { head + "/proven" }
    func text(_ name: String) -> String { now + name }
    /// The key of a node, by its number.
    func node(_ number: Int) -> String { "\(now)node/\(number)" }
    /// There while the node is.
    func alive(_ number: Int) -> String { "\(now)alive/\(number)" }
    func invitation(_ id: String) -> String { "\(now)invitation/\(id)" }
    func invitationID(of key: String) -> String? { rest(of: key, after: now + "invitation/") }
    /// A household's key for one node.
    func key(_ number: UInt32, for node: Int) -> String { "\(now)key/\(number)/\(node)" }
    /// The number of a household's key that is for a node; nil for another kind of etcd's keys.
    func keyNumber(of key: String, for node: Int) -> UInt32? {
        let parts = rest(of: key, after: now + "key/")?.split(separator: "/") ?? []
        return parts.count == 2 && parts[1] == "\(node)" ? UInt32(parts[0]) : nil
    }
    func file(_ name: String) -> String { "\(now)file/\(name)" }

    /// What a node was asked last, for the others' minutes of use.
    func use(_ number: Int) -> String { "\(all)use/\(number)" }

    /// All devices' minutes of use on a UTC day, in days since 1970.
    func minutes(_ day: Int) -> String { "\(all)minutes/\(Self.digits(Int64(day), 6))/" }
    func minutes(_ day: Int, of device: DeviceID) -> String { "\(minutes(day))\(device.rawValue)" }
    /// The device and day of a key, without minutes; nil for another kind of key.
    func deviceDay(of key: String) -> DeviceDay? {
        let parts = rest(of: key, after: all + "minutes/")?.split(separator: "/").map(String.init) ?? []
        guard parts.count == 2, let day = Int(parts[0]), let device = Int64(parts[1]) else { return nil }
        return DeviceDay(DeviceID(rawValue: device), day: day)
    }

    /// The texts as they were when the present reign began.
    var forks: String { all + "fork/" }
    func fork(_ name: String) -> String { forks + name }

    var stories: String { all + "story/" }
    /// In the order of their numbers.
    func story(_ number: Int64) -> String { stories + Self.digits(number, 18) }

    /// With zeros before it, so that keys have the order of their numbers.
    private static func digits(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// What follows a beginning; nil: it does not begin so.
    func rest(of key: String, after beginning: String) -> String? {
        key.hasPrefix(beginning) ? String(key.dropFirst(beginning.count)) : nil
    }

    /// The name of a text that nodes share; nil: it is something else.
    func textName(of key: String) -> String? {
        guard let name = rest(of: key, after: now), name.hasPrefix("document/") || name.hasPrefix("access/")
        else { return nil }
        return name
    }
}

/// What the head's value says.
struct HeadValue: Codable {
    var number: Int64
    /// Who made the change.
    var node: Int
    /// How many documents and logins there are.
    var count: Int
    /// What the clock of its node showed, in seconds since 1970.
    var made: Double?
    /// Absent where a build from before the proofs made the change, or where another machine still has such a build.
    var proof: Proof?
}

/// What a story's value says. There is one for every change, so that its proposer can tell whether it was carried out.
struct StoryValue: Codable {
    var id: UUID
    var node: Int
    /// Nil: nothing happened with it that history keeps.
    var story: String?
    /// The digest of all texts after the change; nil: it has no proof.
    var texts: Data?
}
