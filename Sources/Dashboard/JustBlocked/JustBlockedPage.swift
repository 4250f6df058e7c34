package import Foundation
import Pages
package import Policy

/// The names that were blocked in the last ten minutes, by device and app. POST `/just-blocked/allow` with `person` and
/// `app` or `domain`; needs a login.
package struct JustBlockedPage: Page {
    package static let template = "just-blocked"

    package let title = "Just blocked"
    let devices: [DeviceRow]
    /// Why the asking device's own names are not shown; nil if they are, or if it belongs to no person.
    let hiddenReason: String?
    let isEmpty: Bool
    /// Whether there are devices of other adults, which are not shown.
    let hidesOthers: Bool
    /// Whether the asking device's person can ask for what is blocked.
    let canAsk: Bool

    struct DeviceRow {
        let id: Int64
        let name: String
        let owner: String
        let person: Int64
        let isThisDevice: Bool
        let groups: [Group]
        let isEmpty: Bool
    }

    /// The blocked names of one app, or one name that belongs to no app.
    struct Group {
        /// `TikTok`, `cdn.example.org`.
        let title: String
        let app: String?
        let domain: String?
        /// `Blocked by sleep`.
        let reason: String
        /// `22:04`, the latest time.
        let at: String
        let names: [String]
        let hasNames: Bool
        /// Sleep blocked it, and it is not allowed for the next session yet.
        let canAllow: Bool
        let isAllowed: Bool
        /// Where the person of the asking device can ask for the app.
        let ask: String?
    }

    /// - Parameters:
    ///   - canAsk: whether an adult could answer the person of the asking device.
    ///   - names: a shown device's names, newest first.
    package init(
        devices shown: [Device], thisDevice: DeviceID?, household: Household, catalog: Catalog,
        hiddenReason: String?,
        hidesOthers: Bool, canAsk: Bool = false, zone: TimeZone, names: (Device) -> [JustBlocked.Name]
    ) {
        let clock = ClockFace(zone: zone)
        devices = shown.compactMap { device in
            guard let person = device.person.flatMap({ household[person: $0] }) else { return nil }
            let groups = Group.all(
                names(device), of: person, in: catalog, canAsk: canAsk && device.id == thisDevice, clock)
            return DeviceRow(
                id: device.id.rawValue, name: device.name, owner: person.name, person: person.id.rawValue,
                isThisDevice: device.id == thisDevice, groups: groups, isEmpty: groups.isEmpty)
        }
        self.hiddenReason = hiddenReason
        isEmpty = devices.isEmpty && hiddenReason == nil
        self.hidesOthers = hidesOthers
        self.canAsk = canAsk
    }
}

extension JustBlockedPage.Group {
    /// By app, in the order of the newest name; a name without an app is a group of its own.
    fileprivate static func all(
        _ names: [JustBlocked.Name], of person: Person, in catalog: Catalog, canAsk: Bool, _ clock: ClockFace
    ) -> [Self] {
        let allowed = catalog.names(of: person.allowed)
        let waysOut = catalog.names(of: WaysOut.selection)
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
            let canAllow = first.layer == .sleep && !isAllowed
            return Self(
                title: app?.name ?? first.name, app: app?.id, domain: app == nil ? first.name : nil,
                reason: first.layer == .windows && waysOut.covers(first.name)
                    ? "A way around the rules" : first.layer.blockedBy, at: clock.time(first.at),
                names: app == nil ? [] : names.map(\.name).sorted(), hasNames: app != nil,
                canAllow: canAllow, isAllowed: first.layer == .sleep && isAllowed,
                ask: canAsk && canAllow ? app.map { "/my-rules?ask=\($0.id.queryEscaped)#ask" } : nil)
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
