package import Foundation
import Pages
package import Policy

/// Who is here and whom the rules hold for (design.md, Devices).
///
/// POST `/devices/enroll` (the asking device; with a login also `device`, `person`);
/// POST `/devices/{id}` with `name`, `kind`, `owner` (a person's id; empty: not blocked), for a tablet `noMobileData`
/// (`on`, `off`), and `confirm=router` to enroll a router; POST `/devices/{id}/remove`; POST `/devices/{id}/merge`,
/// `/devices/{id}/apart` with `known`, another device's id; POST `/devices/{id}/unmerge`,
/// `/devices/{id}/place` with `hardware`, `/devices/{id}/distrust`; POST `/devices/once-seen/remove`. `page` of 50, the latest first.
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

    /// Where the rows are among all devices, and the ways to the others.
    struct Pager {
        /// `51 to 100 of 213`
        let text: String
        let newer: String?
        let older: String?
    }

    /// How many devices a page has.
    static let most = 50

    package let title = "Devices"
    let rows: [Row]
    /// Nil: they are all here.
    let pager: Pager?
    /// `63 devices` that were seen once, for a removal at one go; nil: there are none.
    let onceSeen: String?
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
    /// whoever looks may know it; `merges` are those that can be undone, and `errors`, by device. `page` counts from 1, and
    /// `named` (`&person=2`) goes along with the links to others.
    package init(
        household: Household, thisDevice: DeviceID?, address: String?, person: PersonID,
        pointing: PointHere, isStrictRunning: Bool, routers: Set<String> = [],
        blocked: [DeviceID: Int] = [:], now: Date, errors: [DeviceID: String] = [:],
        queryAddress: (DeviceID) -> String? = { _ in nil }, authority: String? = nil,
        merges: [DeviceID: Merge] = [:], justMerged: DeviceID? = nil, doubts: [DeviceID: String] = [:],
        page: Int = 1, named: String = ""
    ) {
        func row(_ device: Device) -> Row {
            Row(
                device, household: household, thisDevice: thisDevice, person: person,
                isRouter: !routers.isDisjoint(with: device.addresses), blocked: blocked[device.id], now: now,
                error: errors[device.id], queryAddress: queryAddress(device.id), authority: authority,
                merge: merges[device.id], doubt: doubts[device.id])
        }
        let sorted = Self.sorted(household)
        let last = max(1, (sorted.count + Self.most - 1) / Self.most)
        let first = (min(max(1, page), last) - 1) * Self.most
        let shown = sorted[first..<min(sorted.count, first + Self.most)]
        rows = shown.map(row)
        pager = last == 1 ? nil : Pager(first, shown.count, of: sorted.count, named)
        let passed = household.onceSeen(at: now).count
        onceSeen = passed == 0 ? nil : passed == 1 ? "1 device" : "\(passed) devices"
        offers = household.returns.map { Offer($0, household: household, now: now) }
        undo = justMerged.flatMap { merges[$0] }.flatMap { merge in
            household[device: merge.known.id].map { Undo(device: $0.id.rawValue, name: $0.name) }
        }
        privateNames = Self.some(household.devices.filter(\.hasPrivateHardwareAddress).map(\.name))
        let own = thisDevice.flatMap { household[device: $0] }.map(row)
        self.thisDevice = own
        self.address = address
        isEnrolled = own?.owner != nil
        hasSeveralPeople = household.people.count > 1
        self.isStrictRunning = isStrictRunning
        isEmpty = rows.isEmpty
        isSilent = own.map { !$0.hasAsked } ?? false
        needsPointing = own?.hasAsked != true
        self.pointing = pointing
        formerDNS = household.formerDNS.isEmpty ? nil : household.formerDNS
    }

    /// The latest first.
    private static func sorted(_ household: Household) -> [Device] {
        household.devices.sorted { $0.lastSeen > $1.lastSeen }
    }

    /// On which page a device stands.
    static func page(of device: DeviceID, in household: Household) -> Int {
        (sorted(household).firstIndex { $0.id == device } ?? 0) / most + 1
    }

    /// `Phone, Tablet, Watch and 2 more`; nil where there are none.
    private static func some(_ names: [String]) -> String? {
        if names.isEmpty { return nil }
        let shown = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }
}

extension DevicesPage.Pager {
    /// - Parameter first: of the first row, counted from 0.
    fileprivate init(_ first: Int, _ shown: Int, of all: Int, _ named: String) {
        text = "\(first + 1) to \(first + shown) of \(all)"
        let page = first / DevicesPage.most + 1
        newer = page == 1 ? nil : "/devices?page=\(page - 1)\(named)"
        older = first + shown == all ? nil : "/devices?page=\(page + 1)\(named)"
    }
}
