package import Foundation
import Pages
package import Policy

/// What was refused in the last ten minutes, by device and app. POST `/just-blocked/allow` with `person` and `app` or
/// `domain`, by whoever is signed in.
package struct JustBlockedPage: Page {
    package static let template = "just-blocked"

    package let title = "Just blocked"
    let devices: [DeviceRow]
    /// Why the asking device is shown nothing of its own; nil: it is, or it is nobody's.
    let hiddenReason: String?
    let isEmpty: Bool
    /// Whether there are devices of other adults, which are not told of.
    let hidesOthers: Bool

    struct DeviceRow {
        let id: Int64
        let name: String
        let owner: String
        let person: Int64
        let isThisDevice: Bool
        let groups: [Group]
        let isEmpty: Bool
    }

    /// The names of one app, or one name of none.
    struct Group {
        /// `TikTok`, `cdn.example.org`.
        let title: String
        let app: String?
        let domain: String?
        /// `sleep`, in words: `Blocked by sleep`.
        let reason: String
        /// `22:04`, the last time.
        let at: String
        let names: [String]
        let hasNames: Bool
        /// A name that the catalog does not know, or one that sleep refused, and that is not allowed yet.
        let canAllow: Bool
        let isAllowed: Bool
    }

    /// - Parameter names: of the devices that may be shown, newest first.
    package init(
        devices shown: [Device], thisDevice: DeviceID?, household: Household, catalog: Catalog,
        hiddenReason: String?,
        hidesOthers: Bool, zone: TimeZone, names: (Device) -> [JustBlocked.Name]
    ) {
        let clock = ClockFace(zone: zone)
        devices = shown.compactMap { device in
            guard let person = device.person.flatMap({ household[person: $0] }) else { return nil }
            let groups = Group.all(names(device), of: person, in: catalog, clock)
            return DeviceRow(
                id: device.id.rawValue, name: device.name, owner: person.name, person: person.id.rawValue,
                isThisDevice: device.id == thisDevice, groups: groups, isEmpty: groups.isEmpty)
        }
        self.hiddenReason = hiddenReason
        isEmpty = devices.isEmpty && hiddenReason == nil
        self.hidesOthers = hidesOthers
    }
}

extension JustBlockedPage.Group {
    /// By app in the order of the newest name; what no app owns stands alone.
    fileprivate static func all(
        _ names: [JustBlocked.Name], of person: Person, in catalog: Catalog, _ clock: ClockFace
    ) -> [Self] {
        let allowed = catalog.names(of: person.allowed)
        var order: [String] = []
        var groups: [String: [JustBlocked.Name]] = [:]
        for name in names {
            let key = catalog.app(owning: name.name).map { "app \($0.id)" } ?? name.name
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(name)
        }
        return order.compactMap { key in
            guard let names = groups[key], let first = names.first else { return nil }
            let app = catalog.app(owning: first.name)
            let isAllowed = names.allSatisfy { allowed.covers($0.name) }
            return Self(
                title: app?.name ?? first.name, app: app?.id, domain: app == nil ? first.name : nil,
                reason: first.layer.blockedBy, at: clock.time(first.at),
                names: app == nil ? [] : names.map(\.name).sorted(), hasNames: app != nil,
                canAllow: first.layer == .sleep && !isAllowed, isAllowed: first.layer == .sleep && isAllowed)
        }
    }
}

extension Layer {
    fileprivate var blockedBy: String {
        switch self {
        case .sleep: "Blocked by sleep"
        case .windows: "Blocked by Anti-Rot"
        case .limits: "Its limit is reached"
        case .focus: "Blocked while focusing"
        }
    }
}
