package import Foundation
import Pages
package import Policy

/// A device on the page that waits for phones.
package struct Arrival: Sendable {
    let id: Int64
    let name: String
    /// Whether it has asked a question, and not only opened a page.
    let hasAsked: Bool
    /// Whether it is the device on which this page is open.
    let isViewer: Bool
    /// Whether nobody has said yet whose it is.
    let isNobodys: Bool
    /// The person whose it says it is; nil if it says nothing, or an adult confirmed it.
    let claim: Claim?
    let people: [Choice]

    struct Claim {
        let claimed: String
        /// `Is it Anna’s?`
        let question: String
    }
}

extension Arrival {
    /// How long a device counts as new, in seconds.
    static let newness: TimeInterval = 900

    /// New devices that ask or say whose they are, devices that became somebody's within the quarter of an hour, and
    /// devices that wait for their first question; the newest first.
    ///
    /// - Parameters:
    ///   - enrolled: devices that became somebody's within the quarter of an hour.
    ///   - viewer: the device on which the page is open; it is listed only if it has a confirmed person.
    package static func all(
        in household: Household, enrolled: Set<DeviceID> = [], viewer: DeviceID?, now: Date
    ) -> [Arrival] {
        let news = household.devices.filter { device in
            let hasAsked = device.lastSeen > Device.neverAsked
            let isNew = abs(now.timeIntervalSince(device.firstSeen)) < newness
            let isSomebodys = device.person != nil && device.isConfirmed
            return (device.id != viewer || isSomebodys) && !device.kind.isExempt
                && (isSomebodys
                    ? isNew || !hasAsked || enrolled.contains(device.id)
                    : isNew && (hasAsked || device.person != nil))
        }
        return news.sorted { $0.firstSeen > $1.firstSeen }.prefix(8).map { device in
            let isNobodys = device.person == nil || !device.isConfirmed
            let claimed = isNobodys ? device.person.flatMap { household[person: $0] } : nil
            return Arrival(
                id: device.id.rawValue, name: device.name, hasAsked: device.lastSeen > Device.neverAsked,
                isViewer: device.id == viewer, isNobodys: isNobodys,
                claim: claimed.map {
                    Claim(
                        claimed: String($0.id.rawValue),
                        question: $0.name == "Me" ? "Is it yours?" : "Is it \($0.name)’s?")
                },
                people: household.people.filter { $0.id != claimed?.id }.map {
                    Choice(String($0.id.rawValue), $0.name, isSelected: false)
                })
        }
    }
}
