package import Foundation
import Pages
package import Policy

/// A device on the page that waits for phones.
package struct Arrival: Sendable {
    let id: Int64
    let name: String
    /// Whether it has asked a question, and not only opened a page.
    let hasAsked: Bool
    /// Whether it is the device that looks.
    let isViewer: Bool
    /// Nobody said yet whose it is.
    let isNobodys: Bool
    /// The person that it says it belongs to, by the code on the page; nil if it says nothing, or somebody confirmed it.
    let claim: Claim?
    let people: [Choice]
    /// Whether it can be the family's: one person alone has no family.
    let offersFamily: Bool

    struct Claim {
        let claimed: String
        /// `Is it Anna’s?`
        let question: String
    }
}

extension Arrival {
    /// How long a device counts as new, in seconds.
    static let newness: TimeInterval = 900

    /// New devices that ask or pressed "This is my device", those that a person was given within the quarter of an hour,
    /// and those that wait for their first question; the newest first.
    ///
    /// - Parameters:
    ///   - enrolled: devices that became somebody's within the quarter of an hour.
    ///   - invited: devices that opened a code of this page. Others that say whose they are get no "Yes": they did not say
    ///     so themselves, the rule for new devices did.
    ///   - viewer: the device that looks, which is news only if somebody put it on the house too.
    package static func all(
        in household: Household, enrolled: Set<DeviceID> = [], invited: Set<DeviceID> = [], viewer: DeviceID?,
        now: Date
    ) -> [Arrival] {
        let news = household.devices.filter { device in
            let hasAsked = device.lastSeen > Device.neverAsked
            let isNew = abs(now.timeIntervalSince(device.firstSeen)) < newness
            let isSomebodys = device.isSomebodys && device.isConfirmed
            return (device.id != viewer || isSomebodys) && !device.kind.isExempt
                && (isSomebodys
                    ? isNew || !hasAsked || enrolled.contains(device.id)
                    : isNew)
        }
        return news.sorted { $0.firstSeen > $1.firstSeen }.prefix(8).map { device in
            let isNobodys = !device.isSomebodys || !device.isConfirmed
            let claimed =
                isNobodys && invited.contains(device.id)
                ? device.person.flatMap { household[person: $0] } : nil
            return Arrival(
                id: device.id.rawValue, name: device.name, hasAsked: device.lastSeen > Device.neverAsked,
                isViewer: device.id == viewer, isNobodys: isNobodys,
                claim: claimed.map {
                    Claim(
                        claimed: String($0.id.rawValue),
                        question: $0.name == "Me" ? "Is it yours?" : "Is it \($0.name)’s?")
                },
                people: household.members.filter { $0.id != claimed?.id }.map {
                    Choice(String($0.id.rawValue), $0.name, isSelected: false)
                }, offersFamily: household.members.count > 1)
        }
    }
}
