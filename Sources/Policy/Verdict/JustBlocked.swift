package import Foundation

/// The names that were refused to each device in the last ten minutes. They live in memory only: no log, export or
/// database ever holds them (design.md, Trust). Ages are seconds of a clock that never goes back.
package struct JustBlocked: Sendable {
    /// How long a name is kept after its last refusal, in seconds.
    package static let lifetime: TimeInterval = 600
    /// Names per device; the name with the oldest refusal makes room.
    package static let mostNames = 100
    /// The device with the oldest refusal makes room.
    package static let mostDevices = 64

    package struct Name: Hashable, Sendable {
        package var name: String
        /// The person whose rules refused it.
        package var person: PersonID
        package var layer: Layer
        /// For showing.
        package var at: Date

        package init(_ name: String, person: PersonID, layer: Layer, at: Date) {
            self.name = name
            self.person = person
            self.layer = layer
            self.at = at
        }
    }

    /// A name with the uptime of its last refusal.
    private typealias Noted = (name: Name, since: TimeInterval)
    private var devices: [DeviceID: [String: Noted]] = [:]
    /// The time of the oldest last refusal, or earlier; nil: there is no name.
    private var oldest: TimeInterval?

    package init() {}

    /// Notes a refused name; it is kept once, with the last time.
    package mutating func note(_ name: Name, on device: DeviceID, at uptime: TimeInterval) {
        var names = devices[device] ?? [:]
        if names[name.name] == nil, names.count >= Self.mostNames,
            let oldest = names.values.min(by: { $0.since < $1.since })
        {
            names[oldest.name.name] = nil
        }
        names[name.name] = (name, uptime)
        if devices[device] == nil, devices.count >= Self.mostDevices,
            let quietest = devices.min(by: { Self.latest($0.value) < Self.latest($1.value) })
        {
            devices[quietest.key] = nil
        }
        devices[device] = names
        oldest = min(oldest ?? uptime, uptime)
    }

    /// Whether there may be names that are older than ten minutes. Most of the time there are none.
    package func isDue(at uptime: TimeInterval) -> Bool {
        oldest.map { uptime - $0 >= Self.lifetime } ?? false
    }

    /// Forgets names that are older than ten minutes.
    package mutating func forget(at uptime: TimeInterval) {
        devices = devices.mapValues { $0.filter { Self.isRecent($0.value, at: uptime) } }
            .filter { !$0.value.isEmpty }
        oldest = devices.values.flatMap(\.values).map(\.since).min()
    }

    /// Newest first. `person` is the device's owner now: names that another person's rules refused are not shown.
    package func names(of device: DeviceID, person: PersonID, at uptime: TimeInterval) -> [Name] {
        (devices[device] ?? [:]).values.filter { $0.name.person == person && Self.isRecent($0, at: uptime) }
            .sorted { ($0.since, $1.name.name) > ($1.since, $0.name.name) }.map(\.name)
    }

    var isEmpty: Bool { devices.isEmpty }

    private static func isRecent(_ name: Noted, at uptime: TimeInterval) -> Bool {
        uptime - name.since < lifetime
    }

    private static func latest(_ names: [String: Noted]) -> TimeInterval {
        names.values.map(\.since).max() ?? 0
    }
}

extension Household {
    /// Adds an app or a domain to what stays reachable in sessions that start from now on. The running session keeps
    /// what it started with, so this opens nothing in a night, strict or not.
    package mutating func allowFromNextSession(
        _ id: PersonID, app: String? = nil, domain: String? = nil, catalog: Catalog
    ) throws(Refusal) {
        var selection = people[try index(of: id)].allowed
        if let app { selection.apps.insert(app) }
        if let domain { selection.domains.insert(domain) }
        try saveAllowed(id, selection, catalog: catalog)
    }
}
