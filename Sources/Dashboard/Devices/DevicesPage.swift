package import Foundation
import Pages
package import Policy

/// The devices of the home, and the people whose rules hold on them (design.md, Devices).
///
/// POST `/devices/enroll` (the asking device; with a login also `device`, `person`);
/// POST `/devices/{id}` with `name`, `kind`, `owner` (a person's id; empty: not blocked; or `family`, with `times`, which
/// is `anyChild`, `allChildren`, `never`, `own` or a person's id, and `minutesOf`, a person's id or empty), for a tablet
/// `noMobileData`
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
        /// The person's name; nil if there is only one.
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
                ? offer.known.family == nil
                    ? offer.known.person.flatMap { household[person: $0]?.name } : "the family" : nil
        }
    }

    /// A device that was just merged with another.
    struct Undo {
        let device: Int64
        let name: String
    }

    /// The position of the rows among all devices, and links to the other pages.
    struct Pager {
        /// `51 to 100 of 213`
        let text: String
        let newer: String?
        let older: String?
    }

    /// The most devices on a page.
    static let most = 50

    package let title = "Devices"
    let rows: [Row]
    /// Nil if all devices are on this page.
    let pager: Pager?
    /// `63 devices` that were seen once and can be removed together; nil if there are none.
    let onceSeen: String?
    let offers: [Offer]
    let undo: Undo?
    /// Names of up to three devices with made-up hardware addresses; nil if there are none.
    let privateNames: String?
    /// The asking device, if it is known; enrolling works for an unknown one too.
    let thisDevice: Row?
    package let address: String?
    package let isEnrolled: Bool
    package let hasSeveralPeople: Bool
    /// During a strict session, loosening is refused; the page says so first.
    package let isStrictRunning: Bool
    package let isEmpty: Bool
    /// Whether the asking device is known but has never asked a question.
    let isSilent: Bool
    /// Whether the page shows how to point a device here, because the asking one has never asked a question.
    let needsPointing: Bool
    let pointing: PointHere
    /// The DNS server from before; nil if nobody wrote it down.
    let formerDNS: String?

    /// `address` is the asking device's. `blocked` counts the names that were just blocked on each device, if the
    /// viewer may know. `merges` can be undone. `page` counts from 1; `named` (`&person=2`) is added to the pager's
    /// links.
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

    /// The page on which a device is.
    static func page(of device: DeviceID, in household: Household) -> Int {
        (sorted(household).firstIndex { $0.id == device } ?? 0) / most + 1
    }

    /// The device whose row is shown after another is gone: the one below it, else the one above.
    static func neighbour(of device: DeviceID, in household: Household) -> DeviceID? {
        let ids = sorted(household).map(\.id)
        guard let index = ids.firstIndex(of: device) else { return nil }
        return index + 1 < ids.count ? ids[index + 1] : index > 0 ? ids[index - 1] : nil
    }

    /// `Phone, Tablet, Watch and 2 more`; nil if there are none.
    private static func some(_ names: [String]) -> String? {
        if names.isEmpty { return nil }
        let shown = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
    }
}

extension DevicesPage.Pager {
    /// - Parameter first: the first row's index, from 0.
    fileprivate init(_ first: Int, _ shown: Int, of all: Int, _ named: String) {
        text = "\(first + 1) to \(first + shown) of \(all)"
        let page = first / DevicesPage.most + 1
        newer = page == 1 ? nil : "/devices?page=\(page - 1)\(named)"
        older = first + shown == all ? nil : "/devices?page=\(page + 1)\(named)"
    }
}
