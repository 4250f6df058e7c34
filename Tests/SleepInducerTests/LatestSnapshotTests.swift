import Directory
import Foundation
import Policy
import Testing

@testable import Enforcement
@testable import SleepInducer

/// A device has several addresses, and asks for names by one: whoever connects is who the neighbour table says.
@Suite struct LatestSnapshotTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func latest(_ neighbours: [String: String]) -> LatestSnapshot {
        let table = neighbours.map { (IPAddress($0.key)!, MACAddress($0.value)!) }
        let latest = LatestSnapshot(
            standsBeforeRules: { _ in false },
            neighbours: { Neighbours(Dictionary(uniqueKeysWithValues: table)) })
        let me = PersonID(rawValue: 1)
        let session = SleepSession(
            id: UUID(), mode: .manual(durationMinutes: 60), strictness: .strict, startedAt: Self.now - 60,
            endsAt: Self.now + 3600, allowed: AppSelection())
        let household = Household(
            timeZone: "UTC", people: [Person(id: me, name: "Me", session: session)],
            devices: [
                Device(
                    id: DeviceID(rawValue: 1), name: "Phone", person: me, addresses: ["10.0.0.2"],
                    hardwareAddress: "02:00:00:00:00:02", firstSeen: Self.now, lastSeen: Self.now),
                Device(
                    id: DeviceID(rawValue: 2), name: "Television", addresses: ["10.0.0.9"],
                    hardwareAddress: "02:00:00:00:00:09", firstSeen: Self.now, lastSeen: Self.now),
            ])
        latest.replace(
            with: Snapshot(
                revision: 1, instant: Self.now, household: household,
                catalog: Catalog(categories: [], apps: [], alwaysReachable: []),
                verdicts: household.evaluate(at: Self.now)))
        return latest
    }

    private func isBlocked(_ latest: LatestSnapshot, _ address: String) -> Bool {
        latest.verdict(of: "www.example.com", at: address).block?.layer == .sleep
    }

    @Test("A device has several addresses: its hardware address tells that they are its own")
    func itsOwn() {
        let card = "02:00:00:00:00:02"
        let latest = latest(["fd00::2": card, "10.0.0.2": card, "10.0.0.3": card])
        for address in ["fd00::2", "10.0.0.2", "10.0.0.3"] {
            #expect(latest.device(at: address)?.id == DeviceID(rawValue: 1) && isBlocked(latest, address))
        }
    }

    @Test("Whoever takes the address of a device that nobody enrolled is known by the hardware address")
    func aTakenAddress() {
        let taken = latest(["10.0.0.9": "02:00:00:00:00:02"])
        #expect(taken.device(at: "10.0.0.9")?.name == "Phone" && isBlocked(taken, "10.0.0.9"))
        let own = latest(["10.0.0.9": "02:00:00:00:00:09"])
        #expect(own.device(at: "10.0.0.9")?.name == "Television" && !isBlocked(own, "10.0.0.9"))
        let stricter = latest(["10.0.0.2": "02:00:00:00:00:09"])
        #expect(stricter.device(at: "10.0.0.2")?.name == "Television")
        #expect(isBlocked(stricter, "10.0.0.2"), "the stricter of both")
    }

    @Test func whoeverIsNotKnownStaysSo() {
        let latest = latest(["fd00::9": "02:00:00:00:00:0a"])
        for address in ["fd00::9", "10.0.0.8"] {
            #expect(latest.device(at: address) == nil && !latest.knows(address))
        }
        #expect(latest.knows("10.0.0.2"))
    }
}
