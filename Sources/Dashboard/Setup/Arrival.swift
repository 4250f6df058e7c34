package import Foundation
import Pages
package import Policy

/// A device on the page that waits for phones.
package struct Arrival: Sendable {
    let id: Int64
    let name: String
    /// Whether it has asked a question, and not only opened a page.
    let hasAsked: Bool
    /// Nobody said yet whose it is.
    let isNobodys: Bool
    let people: [Choice]
}

extension Arrival {
    /// How long a device counts as new, in seconds.
    static let newness: TimeInterval = 3_600

    /// New devices, those that a person was given within the hour, and those that wait for their first question; the
    /// newest first.
    ///
    /// - Parameters:
    ///   - enrolled: devices that became somebody's within the hour.
    ///   - viewer: the device that looks, which is no news.
    package static func all(
        in household: Household, enrolled: Set<DeviceID> = [], viewer: DeviceID?, now: Date
    ) -> [Arrival] {
        let news = household.devices.filter { device in
            let hasAsked = device.lastSeen > Device.neverAsked
            let isNew = abs(now.timeIntervalSince(device.firstSeen)) < newness
            let isSomebodys = device.person != nil && device.isConfirmed
            return device.id != viewer && !device.kind.isExempt
                && (isSomebodys ? isNew || !hasAsked || enrolled.contains(device.id) : isNew && hasAsked)
        }
        return news.sorted { $0.firstSeen > $1.firstSeen }.prefix(8).map { device in
            Arrival(
                id: device.id.rawValue, name: device.name, hasAsked: device.lastSeen > Device.neverAsked,
                isNobodys: device.person == nil || !device.isConfirmed,
                people: household.people.map { Choice(String($0.id.rawValue), $0.name, isSelected: false) })
        }
    }
}
