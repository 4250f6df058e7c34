package import Foundation
import Pages
package import Policy

/// Who is here and whom the rules hold for (design.md, Devices).
///
/// POST `/devices/enroll` (the asking device; with a login also `device`, `person`);
/// POST `/devices/{id}` with `name`, `kind`, `owner` (a person's id; empty: not blocked), for a tablet `noMobileData`
/// (`on`, `off`), and `confirm=router` to enroll a router; POST `/devices/{id}/remove`; POST `/devices/{id}/merge`,
/// `/devices/{id}/apart` with `known`, another device's id; POST `/devices/{id}/unmerge`, `/devices/{id}/one`,
/// `/devices/{id}/several`, `/devices/{id}/distrust`.
package struct DevicesPage: Page {
    package static let template = "devices"

    /// A new device that may be a known one (`Return`).
    struct Offer {
        let newcomer: Int64
        let newName: String
        let known: Int64
        let name: String
        let networkName: String
        /// `seen 5 minutes ago`
        let seen: String
        /// The person's name; nil where there is only one.
        let owner: String?

        init(_ offer: Return, household: Household, now: Date) {
            newcomer = offer.newcomer.id.rawValue
            newName = offer.newcomer.name
            known = offer.known.id.rawValue
            name = offer.known.name
            networkName = offer.newcomer.networkName ?? ""
            let ago = DevicesPage.Row.ago(ClockFace.seconds(from: offer.known.lastSeen, to: now))
            seen = ago.prefix(1).lowercased() + ago.dropFirst()
            owner =
                household.people.count > 1
                ? offer.known.person.flatMap { household[person: $0]?.name } : nil
        }
    }

    /// That a device was put together with another, a moment ago.
    struct Undo {
        let device: Int64
        let name: String
    }

    package let title = "Devices"
    let rows: [Row]
    let offers: [Offer]
    let undo: Undo?
    /// Names of devices that made their hardware address up, three at the most; nil where none did.
    let privateNames: String?
    /// The asking device, if it is known; enrolling works for an unknown one too.
    let thisDevice: Row?
    package let address: String?
    package let isEnrolled: Bool
    package let hasSeveralPeople: Bool
    /// While a strict session runs, what would loosen it is refused, and the page says so beforehand.
    package let isStrictRunning: Bool
    package let isEmpty: Bool
    /// Whether the asking device is known here only by its browser.
    let isSilent: Bool
    /// Whether the page says how a device is pointed here: the asking one does not ask, or nobody does.
    let needsPointing: Bool
    let pointing: PointHere
    /// What was set before this server; nil: nothing was written down.
    let formerDNS: String?

    /// `address` is the asking device's; `blocked` tells how many names were refused to a device just now, where
    /// whoever looks may know it; `merges` are those that can be undone, and `errors`, by device.
    package init(
        household: Household, thisDevice: DeviceID?, address: String?, person: PersonID,
        pointing: PointHere, isStrictRunning: Bool, routers: Set<String> = [],
        blocked: [DeviceID: Int] = [:], now: Date, errors: [DeviceID: String] = [:],
        queryAddress: (DeviceID) -> String? = { _ in nil }, authority: String? = nil,
        merges: [DeviceID: Merge] = [:], justMerged: DeviceID? = nil
    ) {
        let rows = household.devices.sorted { $0.lastSeen > $1.lastSeen }.map { device in
            Row(
                device, household: household, thisDevice: thisDevice, person: person,
                isRouter: !routers.isDisjoint(with: device.addresses), blocked: blocked[device.id], now: now,
                error: errors[device.id], queryAddress: queryAddress(device.id), authority: authority,
                merge: merges[device.id])
        }
        self.rows = rows
        offers = household.returns.map { Offer($0, household: household, now: now) }
        undo = justMerged.flatMap { merges[$0] }.flatMap { merge in
            household[device: merge.known.id].map { Undo(device: $0.id.rawValue, name: $0.name) }
        }
        privateNames = Self.some(household.devices.filter(\.hasPrivateHardwareAddress).map(\.name))
        self.thisDevice = rows.first(where: \.isThisDevice)
        self.address = address
        isEnrolled = rows.contains { $0.isThisDevice && $0.owner != nil }
        hasSeveralPeople = household.people.count > 1
        self.isStrictRunning = isStrictRunning
        isEmpty = rows.isEmpty
        isSilent = self.thisDevice.map { !$0.hasAsked } ?? false
        needsPointing = isSilent || self.thisDevice == nil || !rows.contains(where: \.hasAsked)
        self.pointing = pointing
        formerDNS = household.formerDNS.isEmpty ? nil : household.formerDNS
    }
    /// `Phone, Tablet, Watch and 2 more`; nil where there are none.
    private static func some(_ names: [String]) -> String? {
        if names.isEmpty { return nil }
        let shown = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }
}
